"""N-gram metrics from statistics that can be summed: BLEU and its two relatives, NIST.

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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.interning import FREE
from ensue.surface.ngrams import clipped_matches, count_ngrams, matched_ngrams, rehash, slot_of
from ensue.surface.tokenizers import SegmentTokens, Tokenizer, Tokens, tokenize, tokenize_sides

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


# How much the n-grams of a set's references tell: the weights of NIST.

HIGHEST_ORDER = 10
_BATCH = 1024

_Number = TypeVar("_Number", np.int32, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Information:
    """The information of every n-gram of a set's references (Doddington 2002, equation 2).

    info(w1…wn) = log2(count(w1…wn-1) / count(w1…wn)), where for n = 1 the count of nothing is the
    number of all words. Counts are over all references of all segments; an n-gram at the end of a
    reference counts as one that could have gone on.
    """

    order: int
    """The longest n-gram."""
    tokenizer: Tokenizer
    lowercase: bool
    n_words: int
    """How many words the references have."""
    _words: dict[bytes, int]
    """The number of each word, in UTF-8, among the n-grams."""
    _table: NDArray[np.uint64]
    """The n-grams of two words and more, as the kernel looks them up."""
    _weights: NDArray[np.float64]
    """The information of each n-gram; the first is the empty one."""

    @property
    def n_ngrams(self) -> int:
        """How many different n-grams of all orders there are."""
        return len(self._weights) - 1

    def for_kernel(
        self, tokens: Tokens
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]:
        """The n-gram that each token is (-1 for none), the longer ones, and the weights of all."""
        number = self._words.get
        words = [number(word, -1) for word in tokens.encoded_vocabulary()]
        return np.array(words, np.int64), self._table, self._weights

    def of(self, *words: str) -> float:
        """The information of one n-gram, in bits.

        Raises:
            SettingError: the references do not have it.
        """
        numbers = [self._words.get(word.encode("utf-8", "surrogatepass"), -1) for word in words]
        ngram = numbers[0]
        for number in numbers[1:]:
            if min(ngram, number) < 0:
                break
            slot = slot_of(self._table, ngram, number)
            taken = self._table[slot, 0] != FREE
            ngram = int(self._table[slot, 1]) if taken else -1
        if min(ngram, *numbers) < 0:
            raise SettingError(
                "references-without-field", f"the references have no {' '.join(words)!r}"
            )
        return float(self._weights[ngram])


def count_information(
    references: Iterable[str],
    tokenizer: Tokenizer,
    *,
    order: int = HIGHEST_ORDER,
    lowercase: bool = True,
) -> Information:
    """Learn how much n-grams tell from all references of a set.

    Args:
        references: Those of all segments, each once, however many systems there are. They are read
            as they come; what is kept grows with their different n-grams.
        tokenizer: How they are cut.
        order: The longest n-gram, up to 10.
        lowercase: Whether capitals count as small letters.

    Raises:
        SettingError: the order is out of range.
    """
    if not 1 <= order <= HIGHEST_ORDER:
        raise SettingError(
            "n-grams-order-no-information",
            f"n-grams of order {order!r} have no information",
            hint=f"an order from 1 to {HIGHEST_ORDER}",
        )
    counter = _Counter(order)
    for batch in _batches(references):
        counter.add(tokenize(batch, tokenizer, lowercase=lowercase))
    n = counter.n_ngrams
    counts, weights = counter.counts[:n], np.zeros(n)
    weights[1:] = np.log2(counts[counter.prefixes[1:n]] / counts[1:])
    table = counter.resized(2 * n)
    return Information(order, tokenizer, lowercase, int(counts[0]), counter.words, table, weights)


class _Counter:
    """N-grams that are being counted; number 0 is the empty one."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.words: dict[bytes, int] = {}
        self.n_ngrams = 1
        self.table = np.full((4, 2), FREE)
        self.prefixes = np.zeros(1, np.int32)
        self.counts = np.zeros(1, np.int64)

    def add(self, tokens: Tokens) -> None:
        most = self.n_ngrams + tokens.ids.size * self.order
        if 2 * most > len(self.table):
            self.table = self.resized(2 * most)
        if most > self.counts.size:
            self.prefixes = _lengthened(self.prefixes, 2 * most)
            self.counts = _lengthened(self.counts, 2 * most)
        self.n_ngrams = count_ngrams(
            tokens.ids,
            tokens.offsets,
            np.array([self._number(word) for word in tokens.encoded_vocabulary()], np.int64),
            self.order,
            self.table,
            self.prefixes,
            self.counts,
            self.n_ngrams,
        )

    def _number(self, word: bytes) -> int:
        number = self.words.setdefault(word, self.n_ngrams)
        self.n_ngrams += number == self.n_ngrams
        return number

    def resized(self, n_slots: int) -> NDArray[np.uint64]:
        """A table of at least so many slots with the n-grams that are there."""
        table = np.full((1 << max(2, (n_slots - 1).bit_length()), 2), FREE)
        rehash(self.table, table)
        return table


def _lengthened(array: NDArray[_Number], size: int) -> NDArray[_Number]:
    longer = np.zeros(size, array.dtype)
    longer[: array.size] = array
    return longer


def _batches(strings: Iterable[str]) -> Iterator[list[str]]:
    iterator = iter(strings)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


# NIST as mteval-v13a computes it (Doddington 2002): matches weighed by what they tell.

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
                "no-statistics-order",
                f"there are no statistics of order {order!r}",
                hint=f"from 1 to {self.order}",
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
            "references-output-not-among",
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
            "no-information-n-grams-order",
            f"there is no information of n-grams of order {order!r}",
            hint=f"from 1 to {information.order}, or learn it for a higher order",
        )
    ours = (segments.tokenizer.name, segments.lowercase)
    theirs = (information.tokenizer.name, information.lowercase)
    if ours != theirs:
        raise SettingError(
            "segments-cut-not-go",
            f"segments cut by {_cutting(*ours)} do not go with information of {_cutting(*theirs)}",
            hint="cut both by the same tokenizer, with lowercase alike",
        )


def _cutting(tokenizer: str, lowercase: bool) -> str:
    return f"{tokenizer!r} in {'small letters' if lowercase else 'letters as they are'}"
