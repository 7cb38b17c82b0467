"""Finding many phrases in many sentences with one automaton (Aho & Corasick 1975)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from ensue.paraphrase.model import Indices
from ensue.paraphrase.recognition.tasks import Flags

_SEPARATOR = b"\n"
"""Between sentences: no word has it in it, so that no match goes across. Blanks would not do where
a stem is empty, as Porter's of "s" is."""
_BLOCK = 2000
"""Sentences that are scanned at once, which bounds the memory for matches."""


@dataclass(frozen=True, eq=False)
class Found:
    """Which phrases stand in which sentences: rows of a sparse matrix."""

    offsets: Indices
    """Where each sentence's phrases begin, with the end of the last."""
    phrases: Indices
    """The numbers of the phrases found, each once a sentence, ascending."""
    n_phrases: int
    """How many were looked for."""

    @classmethod
    def of(cls, sentence: Indices, phrase: Indices, n_sentences: int, n_phrases: int) -> Found:
        """From a sentence and a phrase for each place, in any order and maybe more than once."""
        keys = sorted_distinct(sentence * n_phrases + phrase)
        offsets = np.searchsorted(keys, np.arange(n_sentences + 1) * n_phrases)
        return cls(offsets, keys % max(n_phrases, 1), n_phrases)

    @cached_property
    def sentences(self) -> Indices:
        """For each phrase found the number of its sentence."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @cached_property
    def _keys(self) -> Indices:
        # with one key above all others, so that a search ends at one
        end = (len(self.offsets) - 1) * self.n_phrases
        return np.append(self.sentences * self.n_phrases + self.phrases, end)

    def holds(self, sentence: Indices, phrase: Indices) -> Flags:
        """Whether each sentence has the phrase beside it."""
        asked = sentence * self.n_phrases + phrase
        return np.asarray(self._keys[np.searchsorted(self._keys, asked)] == asked, np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """The distinct phrases of some, and which of them each is."""

    phrases: list[bytes]
    numbers: Indices

    @classmethod
    def of(cls, phrases: Sequence[bytes]) -> Distinct:
        """Number them in the order in which they come."""
        number: dict[bytes, int] = {}
        numbers = [number.setdefault(phrase, len(number)) for phrase in phrases]
        return cls(list(number), np.array(numbers, np.int64))


def sorted_distinct(keys: Indices) -> Indices:
    """What `np.unique` gives, several times as fast on numbers."""
    ordered = np.sort(keys)
    new = np.ones(len(ordered), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def scan(sentences: Sequence[bytes], phrases: Sequence[bytes]) -> Found:
    """Look for all phrases in all sentences in one pass.

    Both have one blank around each word (`Wording.padded`). Matches may overlap and share a blank,
    as " killed in " and " in fact " do in " killed in fact ".

    Args:
        sentences: Where to look.
        phrases: What for; an empty one is found nowhere.
    """
    from ahocorasick_rs import BytesAhoCorasick

    wanted = np.flatnonzero([bool(phrase) for phrase in phrases])
    automaton = BytesAhoCorasick([phrases[i] for i in wanted.tolist()])
    found = [np.empty((0, 2), np.int64)]
    for first, joined, starts in _blocks(sentences):
        matches = automaton.find_matches_as_indexes(joined, overlapping=True)
        flat = np.fromiter(chain.from_iterable(matches), np.int64, 3 * len(matches)).reshape(-1, 3)
        sentence = np.searchsorted(starts, flat[:, 1], "right") - 1 + first
        found.append(np.stack([sentence, wanted[flat[:, 0]]], axis=1))
    sentence, phrase = np.concatenate(found).T
    return Found.of(sentence, phrase, len(sentences), len(phrases))


def _blocks(sentences: Sequence[bytes]) -> Iterator[tuple[int, bytes, Indices]]:
    """Some sentences as one string: the number of the first, the string, where each begins."""
    for first in range(0, len(sentences), _BLOCK):
        block = sentences[first : first + _BLOCK]
        sizes = np.fromiter(map(len, block), np.int64, len(block)) + len(_SEPARATOR)
        yield first, _SEPARATOR.join(block), np.cumsum(sizes) - sizes
