"""Matches as statistics that can be summed, and how they become a score."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


class Stage(StrEnum):
    """How two words match, in the order in which it is tried."""

    EXACT = "exact"
    """The same but for case."""
    STEM = "stem"
    """The same stem by Porter's algorithm of 1980."""
    SYNONYM = "synonym"
    """A synset of WordNet that both are in, as whatever part of speech."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchStatistics:
    """What of each output was matched in its reference; a row is an output.

    Counts are told apart by content words, column 0, and function words, column 1.
    """

    output_words: Counts
    """Outputs × 2."""
    reference_words: Counts
    """Outputs × 2."""
    output_matches: Counts
    """Outputs × stages × 2: the output's words that are matched at each stage."""
    reference_matches: Counts
    """Outputs × stages × 2: the reference's words that are."""
    covered: Counts
    """Outputs × stages: the most words that can be matched up to each stage."""
    chunks: Counts
    """Runs of matches that are neighbors on both sides; 0 where one run is all of both.

    METEOR takes the one run of identical strings for none when it scores, but in a corpus counts
    it; here the corpus of identical strings has no chunk either.
    """

    def __len__(self) -> int:
        return len(self.chunks)

    @property
    def matches(self) -> Counts:
        """How many words of each output are matched."""
        return np.asarray(self.output_matches.sum(axis=(1, 2)))

    @property
    def output_length(self) -> Counts:
        """How many words each output has."""
        return np.asarray(self.output_words.sum(axis=1))

    @property
    def reference_length(self) -> Counts:
        """How many words each reference has."""
        return np.asarray(self.reference_words.sum(axis=1))

    def chosen(self, rows: NDArray[np.int64]) -> MatchStatistics:
        """Those of some rows, in the order given."""
        return MatchStatistics(
            self.output_words[rows],
            self.reference_words[rows],
            self.output_matches[rows],
            self.reference_matches[rows],
            self.covered[rows],
            self.chunks[rows],
        )

    def summed(self) -> MatchStatistics:
        """The statistics of all outputs as one corpus, in a single row."""
        return MatchStatistics(
            self.output_words.sum(axis=0, keepdims=True),
            self.reference_words.sum(axis=0, keepdims=True),
            self.output_matches.sum(axis=0, keepdims=True),
            self.reference_matches.sum(axis=0, keepdims=True),
            self.covered.sum(axis=0, keepdims=True),
            self.chunks.sum(keepdims=True),
        )


@dataclass(frozen=True, slots=True)
class MatchScorer:
    """From statistics to METEOR's score (Denkowski & Lavie 2011, section 2.2).

    The numbers are those that METEOR 1.3 has for ranking translations into English.
    """

    alpha: float = 0.85
    """The weight of recall in the harmonic mean."""
    beta: float = 0.2
    """The power of fragmentation."""
    gamma: float = 0.6
    """The share of the mean that fragmentation takes away at most."""
    delta: float = 0.75
    """The weight of a content word; a function word has the rest."""
    weights: tuple[float, float, float] = (1.0, 0.6, 0.8)
    """Of a match at each stage."""

    def __post_init__(self) -> None:
        shares = (self.alpha, self.gamma, self.delta, *self.weights)
        if len(self.weights) != len(Stage) or not all(0 <= share <= 1 for share in shares):
            raise SettingError(
                "not-score-all-beta",
                f"{self!r} does not score: all but beta are in [0, 1]",
                hint=f"give a weight for each of {', '.join(Stage)}",
            )
        if not self.beta > 0:
            raise SettingError(
                "beta-no-power", f"beta {self.beta!r} is no power", hint="above 0, e.g. 0.2"
            )

    @property
    def signature(self) -> str:
        """The recipe that repeats the scores.

        >>> MatchScorer().signature
        'lexical|tok:13a|case:lower|a:0.85|b:0.2|g:0.6|d:0.75|exact:1.0|stem:0.6|synonym:0.8'
        """
        letters = {"a": self.alpha, "b": self.beta, "g": self.gamma, "d": self.delta}
        weights = dict(zip(Stage, self.weights, strict=True))
        settings = [f"{name}:{number}" for name, number in (letters | weights).items()]
        return "|".join(["lexical", "tok:13a", "case:lower", *settings])

    def precision(self, statistics: MatchStatistics) -> Numbers:
        """The weight of the output's words that are matched over that of all."""
        return self._share(statistics.output_matches, statistics.output_words)

    def recall(self, statistics: MatchStatistics) -> Numbers:
        """The weight of the reference's words that are matched over that of all."""
        return self._share(statistics.reference_matches, statistics.reference_words)

    def mean(self, statistics: MatchStatistics) -> Numbers:
        """Fmean = P R / (α P + (1 − α) R): the harmonic mean of both."""
        precision, recall = self.precision(statistics), self.recall(statistics)
        return ratio(precision * recall, self.alpha * precision + (1 - self.alpha) * recall)

    def penalty(self, statistics: MatchStatistics) -> Numbers:
        """γ (chunks / matches)^β, 0 where nothing matches: there is nothing to take away."""
        share = ratio(statistics.chunks, statistics.matches)
        return np.asarray(self.gamma * share**self.beta, np.float64)

    def score(self, statistics: MatchStatistics) -> Numbers:
        """(1 − penalty) Fmean, in [0, 1]; an output that says nothing gets 0."""
        return (1 - self.penalty(statistics)) * self.mean(statistics)

    def _share(self, matches: Counts, words: Counts) -> Numbers:
        # column by column, so that a row's number is the same to the last bit in every batch
        kinds = (self.delta, 1 - self.delta)
        matched = np.zeros(len(words))
        for i, weight in enumerate(self.weights):
            matched += weight * (kinds[0] * matches[:, i, 0] + kinds[1] * matches[:, i, 1])
        return ratio(matched, kinds[0] * words[:, 0] + kinds[1] * words[:, 1])


def ratio(part: Numbers | Counts, whole: Numbers | Counts) -> Numbers:
    """Part over whole; 0 where there is no whole: nothing of nothing was matched.

    >>> ratio(np.array([1, 0]), np.array([4, 0])).tolist()
    [0.25, 0.0]
    """
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
