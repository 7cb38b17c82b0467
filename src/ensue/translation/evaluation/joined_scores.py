"""Metric scores joined with human judgments, in strata that are resampled.

The unit of resampling is the segment, never the comparison: the comparisons of a segment share its
outputs and its judges. Language pairs are strata: every draw has as many segments of each as there
are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ensue.errors import DataError, UndefinedError
from ensue.statistics import Estimate, Resampling, drawn_counts, summed_by
from ensue.translation.segments import (
    Indices,
    MetricScores,
    Numbers,
    OutputKey,
    Preferences,
    numbered,
)

HumanValues = Mapping[OutputKey, float]
"""What people give outputs, on any scale; larger is better."""


def scores_of(outputs: Sequence[OutputKey], scores: MetricScores) -> Numbers:
    """The metric's score of each of the outputs.

    Raises:
        DataError: an output has no score, or one that is not a finite number.
    """
    known = scores.by_output()
    missing = [key for key in outputs if key not in known]
    if outputs and len(missing) == len(outputs):
        raise DataError(
            f"no overlap between judgments and outputs: {scores.name!r} scores none of the"
            f" {len(outputs)} judged outputs, e.g. {key_text(missing[0])}",
            hint="language pairs, segments and systems must be named alike in both",
        )
    if missing:
        raise DataError(
            f"{scores.name!r} has no score for {key_text(missing[0])},"
            f" one of {len(missing)} judged outputs without a score",
            hint="score every judged output, or leave its judgments out",
        )
    values = np.array([known[key] for key in outputs], np.float64)
    _check_finite(scores.name, outputs, values)
    return values


def _check_finite(name: str, outputs: Sequence[OutputKey], values: Numbers) -> None:
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        first = int(wrong[0])
        raise DataError(
            f"{name!r} gives {key_text(outputs[first])} the score {float(values[first])!r}",
            hint="scores are finite numbers",
        )


def human_values(human: HumanValues) -> tuple[tuple[OutputKey, ...], Numbers]:
    """The judged outputs, and what people give them.

    Raises:
        UndefinedError: there are none.
        DataError: a human score is not a finite number.
    """
    if not human:
        raise UndefinedError(
            "there are no absolute human scores", hint="direct assessments, or adequacy and fluency"
        )
    outputs = tuple(human)
    values = np.array(list(human.values()), np.float64)
    _check_finite("the judges", outputs, values)
    return outputs, values


def key_text(key: OutputKey) -> str:
    """An output as messages name it.

    >>> key_text(OutputKey("cs-en", "12", "online"))
    "system 'online', segment '12' of 'cs-en'"
    """
    pair = f" of {key.language_pair!r}" if key.language_pair else ""
    return f"system {key.system!r}, segment {key.segment!r}{pair}"


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """The segments that some observations belong to, by language pair."""

    segment: Indices
    """For each observation its segment, from 0."""
    n_segments: int
    language_pairs: tuple[str, ...]
    language_pair: Indices
    """For each segment the place of its language pair in `language_pairs`."""

    def sums(self, values: Numbers) -> Numbers:
        """Segments × statistics: the rows of observations × statistics summed by segment."""
        return summed_by(self.segment, values, self.n_segments)

    def members(self) -> Iterator[tuple[str, Indices]]:
        """Each language pair with its segments."""
        for i, name in enumerate(self.language_pairs):
            yield name, np.flatnonzero(self.language_pair == i)

    def observations(self) -> Iterator[tuple[str, Indices, Indices]]:
        """Each language pair with its observations, and the segment of each from 0."""
        of_observation = self.language_pair[self.segment]
        for i, name in enumerate(self.language_pairs):
            chosen = np.flatnonzero(of_observation == i)
            _, local = np.unique(self.segment[chosen], return_inverse=True)
            yield name, chosen, local.astype(np.int64)


def strata(outputs: Sequence[OutputKey]) -> Strata:
    """The segments of outputs, in the order of their first; an observation is an output."""
    segments, segment = numbered((key.language_pair, key.segment) for key in outputs)
    pairs, language_pair = numbered(pair for pair, _ in segments)
    return Strata(segment, len(segments), pairs, language_pair)


def comparison_strata(preferences: Preferences) -> Strata:
    """The segments of comparisons; those without a comparison are no part of it.

    Raises:
        UndefinedError: there are no comparisons.
    """
    if not len(preferences):
        raise UndefinedError(
            "there are no comparisons of two outputs to agree with",
            hint="give rankings that put an output above another",
        )
    of_outputs = strata(preferences.outputs)
    used, segment = np.unique(of_outputs.segment[preferences.better], return_inverse=True)
    pairs, language_pair = np.unique(of_outputs.language_pair[used], return_inverse=True)
    names = tuple(of_outputs.language_pairs[i] for i in pairs.tolist())
    return Strata(segment.astype(np.int64), len(used), names, language_pair.astype(np.int64))


def stratified_sums(
    statistics: Numbers, segments: Strata, resampling: Resampling
) -> dict[str, Numbers]:
    """Sum statistics over the segments of each language pair, as they are and resampled.

    All that is computed on the same segments with the same seed sees the same draws.

    Args:
        statistics: Segments × statistics.
        segments: Whose they are.
        resampling: Draws, level and seed of the intervals.

    Returns:
        For each language pair 1 + draws rows; the first is the sums of the data.
    """
    rng = resampling.rng()
    found: dict[str, Numbers] = {}
    for name, members in segments.members():
        here = statistics[members]
        drawn = [counts @ here for counts in drawn_counts(len(here), resampling.draws, rng)]
        found[name] = np.concatenate([here.sum(axis=0, keepdims=True), *drawn])
    return found


def mean_over_pairs(
    values: Mapping[str, Numbers], estimates: Mapping[str, Estimate], resampling: Resampling
) -> Estimate:
    """The mean of what language pairs give, draw by draw.

    Undefined where one of them is: a mean over the others would be another number.
    """
    for name, each in estimates.items():
        if each.value is None:
            return Estimate(None, reason=f"{name or 'language pair'}: {each.reason}")
    return resampling.estimate(np.mean(list(values.values()), axis=0), "undefined for these data")
