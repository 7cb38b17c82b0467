"""The words of terms and paraphrases: which of them say something, and their stems.

Words are runs of letters and digits in lower case (the tokenizer `words`). Content words are those
that are not in the list that ships here; stems are by Porter's algorithm of 1980. The functions on
one string define all that; `pattern_words` does the same for the patterns of many lists at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ensue.surface import FUNCTION_WORDS, WORDS, Tokens, scan_joined, stems, tokenize

if TYPE_CHECKING:
    from ensue.paraphrase.lists import RankedLists

Ids = NDArray[np.int32]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

_SAY_SOMETHING = """done like little need own past same near"""
"""Function words of that list that are verbs, nouns or adjectives as often, and so may be terms."""
_CUT_OFF = """ll re ve ain aren couldn didn doesn don hadn hasn haven isn mustn needn shan shouldn
    wasn weren wouldn"""
"""What the tokenizer leaves of words with an apostrophe."""

NO_CONTENT = frozenset(FUNCTION_WORDS - set(_SAY_SOMETHING.split()) | set(_CUT_OFF.split()))
"""The list that ships: closed classes of English. Single letters are no content words either: they
are slots (X killed Y), or stood behind an apostrophe; nor are words of underscores alone."""

WITHOUT_CONTENT = -1
"""In the place of the stem of a word that is no content word."""

_SEPARATOR = "\0"


def words_of(string: str) -> list[str]:
    """The words of a term, a paraphrase or a sentence, in lower case.

    >>> words_of("Shot and killed")
    ['shot', 'and', 'killed']
    """
    return WORDS.split(string.lower())


def normalized(string: str) -> str:
    """A term or a paraphrase in lower case, with one blank for any white space.

    >>> normalized(" Shot  and killed")
    'shot and killed'
    """
    return " ".join(string.lower().split())


def is_content_word(word: str, no_content: Collection[str] = NO_CONTENT) -> bool:
    """Whether a word in lower case says something by itself.

    >>> [is_content_word(word) for word in ("the", "killed", "x", "7", "__")]
    [False, True, False, True, False]
    """
    is_slot = (len(word) == 1 and word.isalpha()) or not word.strip("_")
    return not is_slot and word not in no_content


def content_words(string: str, no_content: Collection[str] = NO_CONTENT) -> list[str]:
    """The content words of a string, in their order.

    >>> content_words("was shot and killed by X")
    ['shot', 'killed']
    """
    return [word for word in words_of(string) if is_content_word(word, no_content)]


@dataclass(frozen=True, slots=True, eq=False)
class PatternWords:
    """The words of lists' terms and paraphrases as numbers: equal words have equal numbers."""

    ids: Ids
    """All words of the paraphrases, those without content too, pattern after pattern."""
    offsets: Indices
    """Where each pattern's begin in `ids`, with the end of the last."""
    term_ids: Ids
    """All words of the terms, list after list."""
    term_offsets: Indices
    """Where each list's begin in `term_ids`, with the end of the last."""
    stem_of: Ids
    """For each number of a word that of its stem; `WITHOUT_CONTENT` where it is no content word."""
    n_stems: int
    """The numbers of stems are 0 to n_stems - 1."""
    _tokens: Tokens

    @property
    def n_words(self) -> int:
        """How many different words there are; their numbers are 0 to n_words - 1."""
        return self.stem_of.size

    def vocabulary(self) -> list[str]:
        """The distinct words, in the order of their numbers."""
        return self._tokens.vocabulary()

    def counted(self, which: Flags) -> Indices:
        """For each pattern how many of its words are marked.

        Args:
            which: A mark for each number of a word.
        """
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(which[self.ids])])
        return np.asarray(before[self.offsets[1:]] - before[self.offsets[:-1]], np.int64)

    @property
    def has_content(self) -> Flags:
        """Which patterns have a content word."""
        return self.counted(self.stem_of >= 0) > 0

    def chosen(self, which: Indices) -> PatternWords:
        """The words of some patterns, given by ascending number; the lists stay."""
        starts, sizes = self.offsets[which], np.diff(self.offsets)[which]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        places = np.repeat(starts - offsets[:-1], sizes) + np.arange(offsets[-1])
        return replace(self, ids=self.ids[places], offsets=offsets)


def pattern_words(lists: RankedLists, *, no_content: Collection[str] | None = None) -> PatternWords:
    """Cut the terms and paraphrases of lists into words; each distinct word is looked at once.

    Args:
        lists: Whose.
        no_content: Words in the place of `NO_CONTENT`, in any case. Single letters and underscores
            are no content words all the same.
    """
    chosen = NO_CONTENT if no_content is None else {word.lower() for word in no_content}
    empty = sorted(word for word in chosen if words_of(word) == [word])
    # the words without content come first, so that their numbers say what they are
    terms = [" ".join(empty), *[key.term for key in lists.keys]]
    tokens = tokenize([*terms, *lists.paraphrases], WORDS)
    stem_of, n_stems = _stem_numbers(tokens, len(empty))
    first, last = tokens.offsets[1], tokens.offsets[len(terms)]
    return PatternWords(
        ids=tokens.ids[last:],
        offsets=tokens.offsets[len(terms) :] - last,
        term_ids=tokens.ids[first:last],
        term_offsets=tokens.offsets[1 : len(terms) + 1] - first,
        stem_of=stem_of,
        n_stems=n_stems,
        _tokens=tokens,
    )


def _stem_numbers(tokens: Tokens, n_empty: int) -> tuple[Ids, int]:
    """The number of each word's stem, and how many stems there are."""
    from ensue.paraphrase.kernels import write_stems

    written, foreign, is_slot = write_stems(tokens.buffer, tokens.first_start, tokens.first_size)
    if foreign.any():
        written = _with_foreign(written, foreign, is_slot)
    found = scan_joined(written, tokens.n_distinct, WORDS)
    numbers = found.ids
    numbers[is_slot] = WITHOUT_CONTENT
    numbers[:n_empty] = WITHOUT_CONTENT
    return numbers, found.n_distinct


def _with_foreign(written: Bytes, foreign: Flags, is_slot: Flags) -> Bytes:
    """The stems with those of words that are not ASCII put in; such words' slots are marked."""
    found = written.tobytes().decode("utf-8", "surrogatepass").split(_SEPARATOR)
    places = np.flatnonzero(foreign).tolist()
    words = [found[i] for i in places]
    for i, word, stem in zip(places, words, stems(words), strict=True):
        is_slot[i] = not is_content_word(word, ())
        found[i] = stem
    return np.frombuffer(_SEPARATOR.join(found).encode("utf-8", "surrogatepass"), np.uint8)
