"""The features of the matcher: what the set `tradmt+lexical` has beside TradMT.

Padó et al. (2009, section 4) wish for "the TradMT feature set extended by a proper lexical
similarity metric, such as METEOR". All features are 0 where an output or its reference says nothing,
and for all but the shares of stages more is better, so that a system that says nothing is worst.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.translation.matching.matching import match_statistics
from ensue.translation.matching.statistics import MatchScorer, MatchStatistics, ratio

Numbers = NDArray[np.float64]

DEFINITIONS: Mapping[str, str] = {
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

NAMES: tuple[str, ...] = tuple(DEFINITIONS)


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
