"""Stems by Porter's algorithm of 1980."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ensue.surface.kernels.porter import stem_words, stemmed

__all__ = ["stemmed", "stems"]

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
