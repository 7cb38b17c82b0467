"""BLEU and its two relatives, from n-gram statistics that can be summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.ngrams import clipped_matches, matched_ngrams
from ensue.surface.tokenizers import SegmentTokens, Tokenizer, tokenize_sides

# Clipped n-gram statistics of many pairs at once: segment by segment, so that they can be
# summed.


@dataclass(frozen=True, slots=True, eq=False)
class NgramStatistics:
    """What every measure of the BLEU family is made from; a row is a pair."""

    matches: NDArray[np.int64]
    """n-grams of the test that the reference has too, clipped; column n-1 is order n. Of several
    references, the one that has an n-gram most often clips it."""
    totals: NDArray[np.int64]
    """n-grams of the test."""
    test_length: NDArray[np.int64]
    reference_length: NDArray[np.int64]
    """Of several references, the length nearest to the test's; of two as near, the shorter."""

    @property
    def order(self) -> int:
        """The longest n-gram."""
        return int(self.matches.shape[1])

    def precisions(self) -> NDArray[np.float64]:
        """Matches over totals; zero where the test is too short to have such an n-gram."""
        return self.matches / np.maximum(self.totals, 1)

    def smoothed_precisions(self) -> NDArray[np.float64]:
        """Precisions with one match and one n-gram more for n > 1 (Lin & Och 2004, section 4).

        A test too short for an order thus has a precision of 1 there. One without any tokens has
        none: it gets zeros, which the paper leaves open.
        """
        more = (np.arange(self.order) > 0).astype(np.int64)
        smoothed = (self.matches + more) / np.maximum(self.totals + more, 1)
        return np.where(self.test_length[:, None] == 0, 0.0, smoothed)

    def brevity_penalty(self) -> NDArray[np.float64]:
        """1 where the test is at least as long as the reference, else exp(1 - r/t); 0 for t = 0."""
        t = np.maximum(self.test_length, 1)
        penalty = np.exp(np.minimum(0.0, 1 - self.reference_length / t))
        return np.where(self.test_length == 0, 0.0, penalty)

    def summed(self) -> NgramStatistics:
        """The statistics of all pairs as one corpus, in a single row."""
        return NgramStatistics(
            self.matches.sum(axis=0, keepdims=True),
            self.totals.sum(axis=0, keepdims=True),
            self.test_length.sum(keepdims=True),
            self.reference_length.sum(keepdims=True),
        )


def ngram_statistics(
    test: Sequence[str],
    reference: Sequence[str],
    tokenizer: Tokenizer,
    *,
    order: int = 4,
    lowercase: bool = True,
) -> NgramStatistics:
    """Count the clipped n-gram matches of each test string in its reference string."""
    tokens, of_test, of_reference = tokenize_sides(test, reference, tokenizer, lowercase=lowercase)
    matches = clipped_matches(tokens.ids, of_test, of_reference, tokens.n_distinct, order)
    test_length, reference_length = np.diff(of_test), np.diff(of_reference)
    totals = np.maximum(test_length[:, None] - np.arange(order)[None, :], 0)
    return NgramStatistics(matches, totals, test_length, reference_length)


def segment_statistics(segments: SegmentTokens, *, order: int = 4) -> NgramStatistics:
    """Count the clipped n-gram matches of each output in its references, one or several.

    The numbers are sacreBLEU's. Where each output has one reference, `ngram_statistics` gives the
    same from strings.
    """
    tokens = segments.tokens
    matches, _, _ = matched_ngrams(
        tokens.ids,
        tokens.offsets,
        segments.outputs,
        segments.references,
        segments.first,
        tokens.n_distinct,
        order,
        np.empty(0, np.int64),
        np.empty((0, 2), np.uint64),
        np.empty(0),
    )
    return NgramStatistics(
        matches,
        segment_totals(segments, order),
        segments.output_length,
        segments.closest_reference_length(),
    )


def segment_totals(segments: SegmentTokens, order: int) -> NDArray[np.int64]:
    """How many n-grams of each order each output has."""
    totals: NDArray[np.int64] = segments.output_length[:, None] - np.arange(order)[None, :]
    return np.maximum(totals, 0)


# BLEU and its two relatives: how n-gram precisions become one score.


class Mean(StrEnum):
    """How the precisions of all orders are averaged."""

    GEOMETRIC = "geometric"
    """exp(sum of w_n log s_n): one order without a match makes the score zero."""
    LINEAR = "linear"
    """sum of w_n s_n."""


@dataclass(frozen=True, slots=True)
class BleuScorer:
    """A member of the BLEU family.

    BLEU is the geometric mean with the brevity penalty (Papineni et al. 2002); modified BLEU the
    linear mean without it ("Recognizing Textual Entailment With a Modified BLEU Algorithm",
    section 2.2); linear BLEU the linear mean with it (the same paper, section 3.6: its reading of
    Pérez & Alfonseca 2005).
    """

    mean: Mean
    penalty: bool
    weights: tuple[float, ...]
    """The weight of each order, summing to 1."""
    smoothed: bool = False
    """Whether orders above 1 get one match and one n-gram more (Lin & Och 2004: BLEU-S)."""

    def __post_init__(self) -> None:
        shares = bool(self.weights) and all(weight >= 0 for weight in self.weights)
        if not (shares and abs(sum(self.weights) - 1) <= 1e-9):
            raise SettingError(
                "weights-not-shares-sum",
                f"weights {list(self.weights)!r} are not shares that sum to 1",
                hint="give one weight for each order, e.g. 0.4,0.3,0.2,0.1",
            )

    def score(self, statistics: NgramStatistics) -> NDArray[np.float64]:
        """The score of every pair, in [0, 1]."""
        precisions = statistics.smoothed_precisions() if self.smoothed else statistics.precisions()
        if self.mean is Mean.LINEAR:
            scores = self._weighted_sum(precisions)
        else:
            with np.errstate(divide="ignore"):
                scores = np.exp(self._weighted_sum(np.log(precisions)))
        scores = np.minimum(scores, 1.0)  # sums of weights may exceed 1 in the last place
        return scores * statistics.brevity_penalty() if self.penalty else scores

    def _weighted_sum(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Order by order, so that a pair's score is the same to the last bit in every batch.

        A matrix product is not: it sums in another order for other numbers of rows, and a tuned
        cutoff, being a score, tells the difference.
        """
        total = np.zeros(len(columns))
        for i, weight in enumerate(self.weights):
            if weight > 0:
                total += weight * columns[:, i]
        return total
