"""From scores to short ranked lists, the same for all methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Found:
    """A paraphrase that was learned for a term."""

    paraphrase: str
    confidence: float
    """The score by which it is ranked; larger is surer."""
    n_contexts: int
    """How many distinct contexts it shares with the term."""
    n_occurrences: int
    """How often it was seen at all."""

    @property
    def order(self) -> tuple[float, int, int, str]:
        """Smaller is better: score, shared contexts, then the rarer one, then the words.

        Of two paraphrases that share as many contexts with a term, the rarer one stands less often
        where the term does not.
        """
        return -self.confidence, -self.n_contexts, self.n_occurrences, self.paraphrase


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Candidates of one term in arrays."""

    numbers: Counts
    scores: Numbers
    n_contexts: Counts
    n_occurrences: Counts

    def best(self, most: int, words: Callable[[int], str]) -> list[Found]:
        """The best, in their order.

        Args:
            most: How many at most.
            words: The words of the candidate of a number; asked for those near the top only.
        """
        order = np.lexsort((self.n_occurrences, -self.n_contexts, -self.scores))
        if order.size > most:
            last = order[most - 1]
            tied = (
                (self.scores[order] == self.scores[last])
                & (self.n_contexts[order] == self.n_contexts[last])
                & (self.n_occurrences[order] == self.n_occurrences[last])
            )
            order = order[: max(most, int(np.flatnonzero(tied)[-1]) + 1)]
        found = (
            Found(
                words(int(self.numbers[i])),
                float(self.scores[i]),
                int(self.n_contexts[i]),
                int(self.n_occurrences[i]),
            )
            for i in order
        )
        return best(found, most)


def best(found: Iterable[Found], most: int) -> list[Found]:
    """The best of paraphrases, in their order."""
    return sorted(found, key=lambda each: each.order)[:most]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method found for terms, in their order."""

    lists: list[list[Found]]
    n_term_occurrences: list[int]
    n_sentences: int
    n_tokens: int
