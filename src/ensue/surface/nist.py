"""NIST as mteval-v13a computes it (Doddington 2002): matches weighed by what they tell.

What makes the figures of mteval-v13a.pl, beside the information of n-grams:

- An n-gram's matches are clipped by the reference that has it most often; each match counts with
  its information.
- The information gained by an order is divided by the output's n-grams of that order, all of them.
- Orders are summed, not averaged.
- The penalty compares the output's length with the mean length of its references, not with the
  closest, as BLEU does.
- Over a set, gains, n-grams and lengths are summed first. A segment is scored alike, with the
  information of the whole set.

We depart from it in two places that hardly ever matter: Perl takes the word `0` for no word, so
that `0 x` is weighed as if it were one word; and `lowercase` here is for all alphabets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.information import Information
from ensue.surface.kernels.match import matched_ngrams
from ensue.surface.ngrams import NgramStatistics, segment_totals
from ensue.surface.segments import SegmentTokens

BETA = float(np.log(0.5) / np.log(1.5) ** 2)
"""Makes the penalty 0.5 for an output with two thirds of its references' length."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class NistStatistics:
    """What NIST is made from; a row is an output."""

    gains: Numbers
    """The information of the output's n-grams that match, clipped; column n-1 is order n."""
    totals: NDArray[np.int64]
    """n-grams of the output."""
    output_length: NDArray[np.int64]
    reference_length: Numbers
    """The mean over the output's references."""

    @property
    def order(self) -> int:
        """The longest n-gram."""
        return int(self.gains.shape[1])

    def precisions(self) -> Numbers:
        """Gains over totals, in bits; zero where the output is too short to have such an n-gram."""
        return self.gains / np.maximum(self.totals, 1)

    def penalty(self) -> Numbers:
        """exp(β log²(t/r)) for outputs shorter than their references, else 1; 0 for t = 0."""
        t, r = np.maximum(self.output_length, 1), np.maximum(self.reference_length, 1e-9)
        penalty = np.exp(BETA * np.log(np.minimum(t / r, 1.0)) ** 2)
        return np.where(self.output_length == 0, 0.0, penalty)

    def score(self, order: int = 5) -> Numbers:
        """The score of every output, from n-grams up to an order.

        Raises:
            SettingError: there are no statistics of this order.
        """
        if not 1 <= order <= self.order:
            raise SettingError(
                f"there are no statistics of order {order!r}", hint=f"from 1 to {self.order}"
            )
        precisions, total = self.precisions(), np.zeros(len(self.gains))
        for i in range(order):  # one by one: the same to the last bit in every batch
            total += precisions[:, i]
        return total * self.penalty()

    def summed(self) -> NistStatistics:
        """The statistics of all outputs as one corpus, in a single row."""
        return NistStatistics(
            self.gains.sum(axis=0, keepdims=True),
            self.totals.sum(axis=0, keepdims=True),
            self.output_length.sum(keepdims=True),
            self.reference_length.sum(keepdims=True),
        )


def nist_statistics(
    segments: SegmentTokens, information: Information, *, order: int = 5
) -> NistStatistics:
    """Weigh the clipped n-gram matches of each output with its references.

    Args:
        segments: Outputs and references, cut as the references of `information` were.
        information: Learned from all references of the set.
        order: The longest n-gram.

    Raises:
        SettingError: the information is of other references, or of shorter n-grams, or they were
            cut otherwise.
    """
    return ngram_and_nist_statistics(segments, information, order=order)[1]


def ngram_and_nist_statistics(
    segments: SegmentTokens, information: Information, *, order: int = 5
) -> tuple[NgramStatistics, NistStatistics]:
    """The statistics of BLEU and of NIST from one pass over the same n-grams.

    Raises:
        SettingError: as `nist_statistics` does.
    """
    _check(segments, information, order)
    tokens = segments.tokens
    matches, gains, missing = matched_ngrams(
        tokens.ids,
        tokens.offsets,
        segments.outputs,
        segments.references,
        segments.first,
        tokens.n_distinct,
        order,
        *information.for_kernel(tokens),
    )
    if missing >= 0:
        raise SettingError(
            f"the references of output {missing} are not among those that the information is of",
            hint="learn the information from all references of the set",
        )
    length, totals = segments.output_length, segment_totals(segments, order)
    return (
        NgramStatistics(matches, totals, length, segments.closest_reference_length()),
        NistStatistics(gains, totals, length, segments.mean_reference_length()),
    )


def _check(segments: SegmentTokens, information: Information, order: int) -> None:
    if not 1 <= order <= information.order:
        raise SettingError(
            f"there is no information of n-grams of order {order!r}",
            hint=f"from 1 to {information.order}, or learn it for a higher order",
        )
    ours = (segments.tokenizer.name, segments.lowercase)
    theirs = (information.tokenizer.name, information.lowercase)
    if ours != theirs:
        raise SettingError(
            f"segments cut by {_cutting(*ours)} do not go with information of {_cutting(*theirs)}",
            hint="cut both by the same tokenizer, with lowercase alike",
        )


def _cutting(tokenizer: str, lowercase: bool) -> str:
    return f"{tokenizer!r} in {'small letters' if lowercase else 'letters as they are'}"
