"""Verb frames of WordNet, and verbs whose object may be their subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.language.lexicon.network import Network
from ensue.language.lexicon.relations import PartOfSpeech, Relation, walk

KEPT = 1 << 15
"""How many words' answers are kept."""

COMMON = 0.1
"""A sense is common if it occurs at least this often for one occurrence of the most frequent."""

_SOMETHING_DOES = 1
_DOES_SOMETHING = frozenset({8, 11})
"""Somebody, and something, does something."""
_LABILE = frozenset({_SOMETHING_DOES, *_DOES_SOMETHING})
_DOES_SOMEBODY = 9
_FIRST_LABILE = 3
"""Among how many senses one with the frames of both uses is sought."""
_FIRST_PAIRED = 8
"""Among how many senses two that are each other's cause are sought."""


class VerbSense(NamedTuple):
    """What one sense of a verb says of its use."""

    synset: int
    frames: frozenset[int]
    common: bool


def common(counts: NDArray[np.integer]) -> list[bool]:
    """Whether each sense of a word is common, by how often they occur; one more is added to each.

    >>> common(np.array([29, 2, 0]))
    [True, True, False]
    """
    most = int(counts.max(initial=0)) + 1
    return [(count + 1) / most >= COMMON for count in counts.tolist()]


@cache
def listed_verbs() -> frozenset[str]:
    """The verbs that Levin lists as alternating."""
    text = resources.files(__package__).joinpath("alternating.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@dataclass(frozen=True, eq=False)
class Verbs:
    """Verbs and how they are used; what was asked once is kept."""

    network: Network

    @cached_property
    def frames(self) -> Callable[[str, int | None], frozenset[int]]:
        """The frames of a verb's senses, or of the first few of each lemma."""
        return lru_cache(KEPT)(self._frames)

    @cached_property
    def alternates(self) -> Callable[[str], bool]:
        """Whether what a verb is done to may be said to do it."""
        return lru_cache(KEPT)(self._alternates)

    def _entries(self, verb: str) -> list[int]:
        return self.network.vocabulary.entries([verb], PartOfSpeech.VERB)[0]

    def _frames(self, verb: str, senses: int | None) -> frozenset[int]:
        found = self.network.vocabulary.senses(self._entries(verb), senses)
        return frozenset().union(*map(self._of_sense, found.tolist()))

    def _of_sense(self, sense: int) -> frozenset[int]:
        table = self.network.vocabulary.table
        start, end = np.searchsorted(table["frames.senses"], [sense, sense + 1])
        return frozenset(table["frames.numbers"][start:end].tolist())

    def _alternates(self, verb: str) -> bool:
        entries = self._entries(verb)
        lemmas = {self.network.vocabulary.word(entry) for entry in entries}
        listed = not listed_verbs().isdisjoint(lemmas)
        return listed or any(self._entry_alternates(entry) for entry in entries)

    def _entry_alternates(self, entry: int) -> bool:
        """Whether a sense has both uses, or a common one makes happen what another says."""
        senses = self._senses(entry)
        if any(
            frames >= _LABILE and _DOES_SOMEBODY not in frames
            for _, frames, often in senses[:_FIRST_LABILE]
            if often
        ):
            return True
        usual = [sense for sense in senses[:_FIRST_PAIRED] if sense.common]
        makers = [sense for sense in usual if sense.frames & _DOES_SOMETHING]
        return any(self._makes(one, other) for one in makers for other in usual if one != other)

    def _senses(self, entry: int) -> list[VerbSense]:
        table = self.network.vocabulary.table
        numbers = self.network.vocabulary.senses([entry])
        synsets = table["senses.synset"][numbers].tolist()
        frames = map(self._of_sense, numbers.tolist())
        return list(map(VerbSense, synsets, frames, common(table["senses.count"][numbers])))

    def _makes(self, one: VerbSense, other: VerbSense) -> bool:
        """Whether one sense, or a more general one, makes happen the other or what is above it."""
        cause = Relation.CAUSE
        if other.synset in self.network.targets(cause, [one.synset]):
            return True
        if _SOMETHING_DOES in one.frames:
            return False
        if _SOMETHING_DOES not in other.frames or other.frames & _DOES_SOMETHING:
            return False
        above = list(walk(self.network.hypernyms, [one.synset]))
        made = self.network.targets(cause, above).tolist()
        return not walk(self.network.hypernyms, [other.synset]).keys().isdisjoint(made)
