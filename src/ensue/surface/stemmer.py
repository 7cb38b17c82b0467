"""Porter's stemmer of 1980, compiled, and stems of many words at once.

The steps are those of "An Algorithm for Suffix Stripping" (Program 14(3), section 2), with regions
in the place of measures: R1 begins where the measure m of what is before exceeds 0, R2 where it
exceeds 1. A y is a consonant at the beginning of a word and after a vowel, and so is everything but
ASCII's vowels. Snowball's `porter` differs: of double consonants before -ed and -ing it undoubles
nine only, so that "trekking" has the stem "trekk" there, and "trek" in the paper and here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

# Porter's stemmer of 1980, compiled, for words in lower case.

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]
Endings = tuple[Bytes, Indices, Bytes, Indices]
"""Endings and their sizes, the longest first; what takes the place of each, and its size."""


def _endings(replacements: Sequence[str]) -> Endings:
    """From `ending>instead`, several of them apart by blanks."""
    pairs = [each.partition(">")[::2] for line in replacements for each in line.split()]
    pairs.sort(key=lambda pair: -len(pair[0]))
    return *_matrix([end for end, _ in pairs]), *_matrix([instead for _, instead in pairs])


def _matrix(words: Sequence[str]) -> tuple[Bytes, Indices]:
    found = np.zeros((len(words), max(map(len, words)) or 1), np.uint8)
    for row, word in zip(found, words, strict=True):
        row[: len(word)] = list(word.encode())
    return found, np.array([len(word) for word in words], np.int64)


_STEP_1A = _endings(["sses>ss ies>i ss>ss s>"])
_STEP_2 = _endings(
    [
        "ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e",
        "ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous",
        "aliti>al iviti>ive biliti>ble",
    ]
)
_STEP_3 = _endings(["icate>ic ative> alize>al iciti>ic ical>ic ful> ness>"])
_STEP_4 = _endings(
    [
        "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous>",
        "ive> ize>",
    ]
)
_ION = next(i for i, row in enumerate(_STEP_4[0]) if row[:4].tobytes() == b"ion\0")

_A, _B, _D, _E, _G, _I, _L, _N, _O, _S, _T, _U, _W, _X, _Y, _Z = b"abdegilnostuwxyz"


@compiled
def _is_vowel(letter: int) -> bool:
    return letter in (_A, _E, _I, _O, _U)


@compiled
def _longest(word: Bytes, n: int, endings: Bytes, sizes: Indices) -> int:
    """The number of the longest ending that the word has; −1 where it has none."""
    for i in range(sizes.size):
        size = sizes[i]
        if size <= n and word[n - 1] == endings[i, size - 1]:
            same = size - 1
            while same > 0 and word[n - size + same - 1] == endings[i, same - 1]:
                same -= 1
            if same == 0:
                return i
    return -1


@compiled
def _put(word: Bytes, vowels: Flags, at: int, instead: Bytes, size: int) -> int:
    """Write an ending at a place; the new length."""
    for i in range(size):
        word[at + i] = instead[i]
        vowels[at + i] = _is_vowel(instead[i])
    return at + size


@compiled
def _replaced(word: Bytes, vowels: Flags, n: int, region: int, step: Endings) -> int:
    """Replace the longest ending where it lies in the region; the new length."""
    endings, sizes, instead, instead_sizes = step
    i = _longest(word, n, endings, sizes)
    if i < 0 or n - sizes[i] < region:
        return n
    return _put(word, vowels, n - sizes[i], instead[i], instead_sizes[i])


@compiled
def _is_short(word: Bytes, vowels: Flags, n: int) -> bool:
    """Condition *o: ends in consonant, vowel, consonant, the last of them no w, x or y."""
    if n < 3 or vowels[n - 1] or not vowels[n - 2] or vowels[n - 3]:
        return False
    last = word[n - 1]
    return last != _W and last != _X and last != _Y  # type: ignore[no-any-return]


@compiled
def _has_vowel(vowels: Flags, n: int) -> bool:
    for i in range(n):  # noqa: SIM110 - numba compiles loops, not generators
        if vowels[i]:
            return True
    return False


@compiled
def _step_1b(word: Bytes, vowels: Flags, n: int, r1: int) -> int:
    last, before = word[n - 1], word[n - 2] if n > 1 else 0
    if n >= 3 and last == _D and before == _E and word[n - 3] == _E:
        return n - 1 if n - 3 >= r1 else n
    if n >= 2 and last == _D and before == _E:
        rest = n - 2
    elif n >= 3 and last == _G and before == _N and word[n - 3] == _I:
        rest = n - 3
    else:
        return n
    return _mended(word, vowels, rest, r1) if _has_vowel(vowels, rest) else n


@compiled
def _mended(word: Bytes, vowels: Flags, n: int, r1: int) -> int:
    """What is left after -ed and -ing: hop(p), fil(e), conflat(e)."""
    last, before = word[n - 1], word[n - 2] if n > 1 else 0
    add = (
        (before == _A and last == _T)
        or (before == _B and last == _L)
        or (before == _I and last == _Z)
    )
    is_double = last == before and not vowels[n - 1]  # condition *d
    if not add and is_double and last != _L and last != _S and last != _Z:
        return n - 1
    if add or (n == r1 and _is_short(word, vowels, n)):
        word[n], vowels[n] = _E, True
        return n + 1
    return n


@compiled
def _step_4(word: Bytes, n: int, r2: int) -> int:
    i = _longest(word, n, _STEP_4[0], _STEP_4[1])
    if i < 0:
        return n
    rest = n - _STEP_4[1][i]
    if rest < r2:
        return n
    if i == _ION and not (rest > 0 and (word[rest - 1] == _S or word[rest - 1] == _T)):
        return n
    return rest  # type: ignore[no-any-return]


@compiled
def _step_5(word: Bytes, vowels: Flags, n: int, r1: int, r2: int) -> int:
    if n > 0 and word[n - 1] == _E:
        rest = n - 1
        if rest >= r2 or (rest >= r1 and not _is_short(word, vowels, rest)):
            n = rest
    if n > 1 and word[n - 1] == _L and word[n - 2] == _L and n - 1 >= r2:
        n -= 1
    return n


@compiled
def _region(vowels: Flags, n: int, start: int) -> int:
    """Behind the first consonant that follows a vowel, from a place on; n where there is none."""
    i = start
    while i < n and not vowels[i]:
        i += 1
    while i < n and vowels[i]:
        i += 1
    return min(i + 1, n)


@compiled
def stemmed(word: Bytes, vowels: Flags, n: int) -> int:
    """Stem a word in its place; the length of the stem.

    Args:
        word: A letter a byte, with room for one more.
        vowels: Room to work in, as long as the word.
        n: How many letters the word has.
    """
    for i in range(n):
        letter = word[i]
        vowels[i] = _is_vowel(letter) or (letter == _Y and i > 0 and not vowels[i - 1])
    r1 = _region(vowels, n, 0)
    r2 = _region(vowels, n, r1)
    n = _replaced(word, vowels, n, 0, _STEP_1A)
    if n > 0:
        n = _step_1b(word, vowels, n, r1)
    if n > 0 and word[n - 1] == _Y and _has_vowel(vowels, n - 1):
        word[n - 1], vowels[n - 1] = _I, True
    n = _replaced(word, vowels, n, r1, _STEP_2)
    n = _replaced(word, vowels, n, r1, _STEP_3)
    n = _step_4(word, n, r2)
    return _step_5(word, vowels, n, r1, r2)


@compiled
def stem_words(letters: Bytes, sizes: Indices) -> Indices:
    """Stem words in their places; the length of each stem.

    Args:
        letters: The words, each with one more byte behind it.
        sizes: How many letters each has.
    """
    vowels = np.zeros(sizes.max() + 1 if sizes.size else 1, np.bool_)
    found = np.empty_like(sizes)
    at = 0
    for i in range(sizes.size):
        end = at + sizes[i] + 1
        found[i] = stemmed(letters[at:end], vowels, sizes[i])
        at = end
    return found


# Stems by Porter's algorithm of 1980.

_OTHER, _LAST = 0x80, 0xFF
"""Bytes from the first to the last stand for characters beyond ASCII: consonants that no ending has."""


def stems(words: Sequence[str]) -> list[str]:
    """The stem of each word in lower case.

    >>> stems(["relational", "trekking", "naïveness"])
    ['relat', 'trek', 'naïv']
    """
    letters = np.frombuffer(bytearray().join(b"%b\0" % _letters(word) for word in words), np.uint8)
    sizes = np.array([len(word) for word in words], np.int64)
    found = stem_words(letters, sizes).tolist()
    data, starts = letters.tobytes(), (np.cumsum(sizes + 1) - sizes - 1).tolist()
    return [
        _spelled(data[start : start + n], word)
        for word, start, n in zip(words, starts, found, strict=True)
    ]


def _letters(word: str) -> bytes:
    """A byte for each character, equal ones for equal characters."""
    if word.isascii():
        return word.encode()
    number: dict[str, int] = {}
    return bytes(
        ord(character)
        if character.isascii()
        else min(_OTHER + number.setdefault(character, len(number)), _LAST)
        for character in word
    )


def _spelled(stem: bytes, word: str) -> str:
    """The stem with the word's own characters where a byte stands for them."""
    if word.isascii():
        return stem.decode()
    return "".join(word[i] if letter >= _OTHER else chr(letter) for i, letter in enumerate(stem))
