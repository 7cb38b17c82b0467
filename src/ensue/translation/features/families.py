"""The three families of features: entailment both ways, surface scores, word matches.

Output → reference asks whether the reference follows from the output: material that the output
lacks breaks it. Reference → output asks the opposite: material that the output adds breaks it.

BLEU-n and n-gram precisions for n = 1–4, plain and smoothed as Lin & Och (2004) do, the brevity
penalty, and BLEU divided by it; NIST-n for n = 1–10, information-weighted precisions for n = 1–4,
the penalty, and NIST divided by it; TER and its four edit counts under ten settings of costs.
Words are cut by 13a, in small letters.

Padó et al. (2009, section 4) wish for "the TradMT feature set extended by a proper lexical
similarity metric, such as METEOR". All features are 0 where an output or its reference says nothing,
and for all but the shares of stages more is better, so that a system that says nothing is worst.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from typing import Protocol

import numpy as np

from ensue.errors import SettingError
from ensue.features import FEATURES, NAMES as ENTAILMENT_NAMES, TextPair, has_words
from ensue.surface import (
    COST_SETTINGS,
    HIGHEST_ORDER,
    MTEVAL_13A,
    BleuScorer,
    EditStatistics,
    Information,
    Mean,
    NgramStatistics,
    NistStatistics,
    SegmentTokens,
    count_information,
    edit_statistics,
    ngram_and_nist_statistics,
    tokenize_segments,
)
from ensue.translation.features.word_matches import (
    MatchScorer,
    MatchStatistics,
    match_statistics,
    ratio,
)
from ensue.translation.systems import Indices, Numbers

# The entailment features of outputs, in both directions (Padó et al. 2009, section 2.2).

FORWARD, BACKWARD = "forward", "backward"
"""Output → reference, and reference → output."""

DIRECTED_NAMES = tuple(f"{way}.{name}" for way in (FORWARD, BACKWARD) for name in ENTAILMENT_NAMES)

_WAYS = {
    FORWARD: "from the output to the reference",
    BACKWARD: "from the reference to the output",
}

_LIKENESS = ENTAILMENT_NAMES.index("alignment.score")


def entailment_definitions() -> dict[str, str]:
    """What each feature is, in the order of the columns."""
    return {
        f"{way}.{feature.name}": f"{feature.definition} ({said})"
        for way, said in _WAYS.items()
        for feature in FEATURES
    }


class EntailmentMeter(Protocol):
    """What gives the entailment features of pairs."""

    def features(self, pairs: Sequence[TextPair]) -> Numbers:
        """A row of features for each pair."""


def entailment_features(
    outputs: Sequence[str], references: Sequence[Sequence[str]], reader: EntailmentMeter
) -> Numbers:
    """The entailment features of each output, both ways; NaN where it has no words, or no reference has.

    Of several references the one is taken with which the output aligns best, in both directions
    together; of equals the first.
    """
    asked = [
        (row, output, reference)
        for row, (output, some) in enumerate(zip(outputs, references, strict=True))
        if has_words(output)
        for reference in compress(some, map(has_words, some))
    ]
    both = reader.features(
        [pair for _, output, reference in asked for pair in _directions(output, reference)]
    ).reshape(len(asked), len(DIRECTED_NAMES))
    return _best_of_each(np.array([row for row, *_ in asked], np.int64), both, len(outputs))


def _directions(output: str, reference: str) -> tuple[TextPair, TextPair]:
    return (output, reference), (reference, output)


def _best_of_each(row: Indices, found: Numbers, n_outputs: int) -> Numbers:
    values = np.full((n_outputs, len(DIRECTED_NAMES)), np.nan)
    likeness = found[:, _LIKENESS] + found[:, len(ENTAILMENT_NAMES) + _LIKENESS]
    # the best last and, of equals, the first last: it is what stays
    order = np.lexsort((-np.arange(len(row)), likeness))
    values[row[order]] = found[order]
    return values


# The surface features of outputs: BLEU, NIST and TER in many settings (TradMT of Padó et al.
# 2009).

_ORDERS = range(1, 5)
_NIST_ORDERS = range(1, HIGHEST_ORDER + 1)
_SMOOTHED = ", smoothed: one is added to matches and n-grams for n > 1"
_COUNTS = {
    "insertions": "reference words that the output lacks",
    "deletions": "output words too many",
    "substitutions": "words that are others",
    "shifts": "blocks of words elsewhere",
}


def _surface_definitions() -> Iterable[tuple[str, str]]:
    for how, said in (("", ""), (".smoothed", _SMOOTHED)):
        for n in _ORDERS:
            yield f"bleu.{n}{how}", f"BLEU of n-grams up to {n}{said}"
    for how, said in (("", ""), (".smoothed", _SMOOTHED)):
        for n in _ORDERS:
            yield f"bleu.precision.{n}{how}", f"share of {n}-grams that match{said}"
    yield "bleu.penalty", "BLEU's penalty for outputs that are too short"
    yield "bleu.4.unpenalized", "BLEU of n-grams up to 4, divided by the penalty"
    for n in _NIST_ORDERS:
        yield f"nist.{n}", f"NIST of n-grams up to {n}"
    for n in _ORDERS:
        yield f"nist.precision.{n}", f"information of {n}-grams that match, for each {n}-gram"
    yield "nist.penalty", "NIST's penalty for outputs that are too short"
    yield "nist.5.unpenalized", "NIST of n-grams up to 5, divided by the penalty"
    for setting, costs in COST_SETTINGS.items():
        said = (
            f"insertion {costs.insertion:g}, deletion {costs.deletion:g},"
            f" substitution {costs.substitution:g}, shift {costs.shift:g}"
        )
        yield f"ter.{setting}", f"TER with costs of {said}"
        for count, meaning in _COUNTS.items():
            yield f"ter.{setting}.{count}", f"{meaning}, in the edits of ter.{setting}"


SURFACE_DEFINITIONS: Mapping[str, str] = dict(_surface_definitions())
"""What each feature is, in the order of the columns."""

SURFACE_NAMES = tuple(SURFACE_DEFINITIONS)

_NIST_ORDER = 5
"""The one that is usually reported."""


def bleu_columns(statistics: NgramStatistics) -> Numbers:
    """BLEU-n and precisions for n from 1 to 4, plain and smoothed, penalty, BLEU-4 without it.

    Raises:
        SettingError: the statistics do not go up to order 4.
    """
    _check_order(statistics.order, _ORDERS[-1])
    scores = [
        BleuScorer(Mean.GEOMETRIC, True, (1 / n,) * n, smoothed).score(statistics)
        for smoothed in (False, True)
        for n in _ORDERS
    ]
    precisions = statistics.precisions(), statistics.smoothed_precisions()
    each = [some[:, n - 1] for some in precisions for n in _ORDERS]
    bare = BleuScorer(Mean.GEOMETRIC, False, (1 / 4,) * 4).score(statistics)
    return np.stack([*scores, *each, statistics.brevity_penalty(), bare], axis=1)


def nist_columns(statistics: NistStatistics) -> Numbers:
    """NIST-n for n from 1 to 10, precisions for n from 1 to 4, penalty, NIST-5 without it.

    Raises:
        SettingError: the statistics do not go up to order 10.
    """
    _check_order(statistics.order, _NIST_ORDERS[-1])
    precisions, penalty = statistics.precisions(), statistics.penalty()
    sums = np.cumsum(precisions, axis=1)
    return np.hstack(
        [
            sums * penalty[:, None],
            precisions[:, : _ORDERS[-1]],
            penalty[:, None],
            sums[:, _NIST_ORDER - 1 : _NIST_ORDER],
        ]
    )


def edit_columns(statistics: Sequence[EditStatistics]) -> Numbers:
    """TER, insertions, deletions, substitutions and shifts, setting after setting."""
    tables = [np.column_stack([each.ter(), each.counts()]) for each in statistics]
    return np.hstack(tables)


def surface_columns(segments: SegmentTokens, information: Information) -> Numbers:
    """The columns of BLEU, of NIST and of TER, one for each name, a row for each output.

    Args:
        segments: Outputs and references, cut as the references of `information` were.
        information: Learned from all references of the set, for n-grams up to order 10.

    Raises:
        SettingError: the information does not go with the segments, or not up to order 10.
    """
    ngrams, nist = ngram_and_nist_statistics(segments, information, order=HIGHEST_ORDER)
    edits = edit_statistics(segments, tuple(COST_SETTINGS.values()))
    return np.hstack([bleu_columns(ngrams), nist_columns(nist), edit_columns(edits)])


def _check_order(order: int, needed: int) -> None:
    if order < needed:
        raise SettingError(
            "statistics-order-too-few",
            f"statistics of order {order!r} are too few",
            hint=f"count n-grams up to {needed}",
        )


def reference_information(references: Iterable[Sequence[str]]) -> Information:
    """How much the n-grams of a set's references tell, for NIST."""
    each = (reference for some in references for reference in some)
    return count_information(each, MTEVAL_13A)


def surface_features(
    outputs: Sequence[str], references: Sequence[Sequence[str]], information: Information
) -> Numbers:
    """The surface features of each output.

    Args:
        outputs: What systems wrote.
        references: One or more for each.
        information: Of all references of the set, these among them.
    """
    segments = tokenize_segments(outputs, references, MTEVAL_13A)
    return surface_columns(segments, information)


# The features of the matcher: what the set `tradmt+lexical` has beside TradMT.

LEXICAL_DEFINITIONS: Mapping[str, str] = {
    "lexical.exact-precision": "the share of the output's words that can be matched exactly",
    "lexical.exact-recall": "the share of the reference's words that can be matched exactly",
    "lexical.exact-f": "the harmonic mean of the two",
    "lexical.stem-precision": "the same, exactly or by stem",
    "lexical.stem-recall": "the same, exactly or by stem",
    "lexical.stem-f": "the harmonic mean of the two",
    "lexical.synonym-precision": "the same, exactly, by stem or as synonyms",
    "lexical.synonym-recall": "the same, exactly, by stem or as synonyms",
    "lexical.synonym-f": "the harmonic mean of the two",
    "lexical.content-precision": "the share of the output's content words that are matched",
    "lexical.content-recall": "the share of the reference's content words that are matched",
    "lexical.contiguity": "1 - chunks / matches; 1 where all of both is one chunk",
    "lexical.chunk-length": "the logarithm of 1 + the mean number of words in a chunk",
    "lexical.stem-share": "the share of the matches that are by stem",
    "lexical.synonym-share": "the share of the matches that are of synonyms",
    "lexical.length-ratio": "the words of the shorter over those of the longer",
    "lexical.score": "METEOR's score, by the settings of `MatchScorer`",
}
"""What each feature is."""

LEXICAL_NAMES: tuple[str, ...] = tuple(LEXICAL_DEFINITIONS)


def matched_features(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    scorer: MatchScorer | None = None,
) -> Numbers:
    """The features of outputs: a row for each, a column for each of `NAMES`.

    Args:
        outputs: What systems wrote.
        references: For each output, one reference or more; all features are of the one for which
            the output scores best.
        scorer: METEOR's settings.

    Raises:
        SettingError: there are more outputs than references, or fewer, or one has none.
    """
    scorer = scorer or MatchScorer()
    return features_of(match_statistics(outputs, references, scorer=scorer), scorer)


def features_of(statistics: MatchStatistics, scorer: MatchScorer) -> Numbers:
    """The features of what was matched already."""
    columns = [
        *_stage_columns(statistics),
        *_content_columns(statistics),
        *_order_columns(statistics),
        *_share_columns(statistics),
        _length_ratio(statistics),
        scorer.score(statistics),
    ]
    found = np.stack(columns, axis=1)
    silent = (statistics.output_length == 0) | (statistics.reference_length == 0)
    found[silent] = 0.0
    return found


def _stage_columns(statistics: MatchStatistics) -> list[Numbers]:
    columns = []
    for stage in range(statistics.covered.shape[1]):
        covered = statistics.covered[:, stage]
        columns.append(ratio(covered, statistics.output_length))
        columns.append(ratio(covered, statistics.reference_length))
        columns.append(ratio(2 * covered, statistics.output_length + statistics.reference_length))
    return columns


def _content_columns(statistics: MatchStatistics) -> list[Numbers]:
    sides = (
        (statistics.output_matches, statistics.output_words),
        (statistics.reference_matches, statistics.reference_words),
    )
    return [ratio(matches[:, :, 0].sum(axis=1), words[:, 0]) for matches, words in sides]


def _order_columns(statistics: MatchStatistics) -> list[Numbers]:
    matches, chunks = statistics.matches, statistics.chunks
    contiguity = np.where(matches > 0, 1 - ratio(chunks, matches), 0.0)
    return [contiguity, np.log1p(matches / np.maximum(chunks, 1))]


def _share_columns(statistics: MatchStatistics) -> list[Numbers]:
    by_stage = statistics.output_matches.sum(axis=2)
    return [ratio(by_stage[:, stage], statistics.matches) for stage in (1, 2)]


def _length_ratio(statistics: MatchStatistics) -> Numbers:
    one, other = statistics.output_length, statistics.reference_length
    return ratio(np.minimum(one, other), np.maximum(one, other))
