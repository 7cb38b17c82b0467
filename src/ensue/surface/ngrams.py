"""Clipped n-gram statistics of many pairs at once: segment by segment, so that they can be summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.surface.kernels.count import clipped_matches
from ensue.surface.tokenizers import Tokenizer
from ensue.surface.tokens import tokenize_sides


@dataclass(frozen=True, slots=True, eq=False)
class NgramStatistics:
    """What every measure of the BLEU family is made from; a row is a pair."""

    matches: NDArray[np.int64]
    """n-grams of the test that the reference has too, clipped; column n-1 is order n."""
    totals: NDArray[np.int64]
    """n-grams of the test."""
    test_length: NDArray[np.int64]
    reference_length: NDArray[np.int64]

    @property
    def order(self) -> int:
        """The longest n-gram."""
        return int(self.matches.shape[1])

    def precisions(self) -> NDArray[np.float64]:
        """Matches over totals; zero where the test is too short to have such an n-gram."""
        return self.matches / np.maximum(self.totals, 1)

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
