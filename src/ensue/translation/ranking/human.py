"""System scores from what people said, in the ways of the WMT over the years."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from ensue.errors import DataError, UndefinedError
from ensue.translation.model import (
    Indices,
    Numbers,
    OutputKey,
    Preferences,
)
from ensue.translation.numbering import numbered
from ensue.translation.ranking.systems import SystemKey


class HumanMethod(StrEnum):
    """How comparisons of outputs become a system's score."""

    BETTER_OR_EQUAL = "better-or-equal"
    """(wins + ties) / (wins + ties + losses): "≥ others" (Callison-Burch et al. 2008)."""
    BETTER = "better"
    """wins / (wins + losses): "> others" (Callison-Burch et al. 2012, after Bojar et al. 2011)."""
    EXPECTED_WIN = "expected-win"
    """The mean, over the systems that it met, of wins / (wins + losses) (Koehn 2012).

    Unlike `better`, it does not depend on how often people happened to see which opponents.
    """


def human_system_scores(
    preferences: Preferences, method: HumanMethod
) -> dict[SystemKey, float | None]:
    """Each system's score in each of its language pairs, in the order of their first outputs.

    None where no comparison counts: the system was compared with none, or, unless ties count,
    tied with all.

    Raises:
        UndefinedError: there are no comparisons.
        DataError: a comparison is of outputs of different segments.
    """
    if len(preferences) == 0:
        raise UndefinedError(
            "there are no comparisons to rank systems by",
            hint="give judgments of two outputs of a segment or more",
        )
    _check_segments(preferences)
    keys, system = numbered([_system(key) for key in preferences.outputs])
    better, worse = system[preferences.better], system[preferences.worse]
    tied = preferences.is_tie
    wins = _table(better[~tied], worse[~tied], len(keys))
    if method is HumanMethod.EXPECTED_WIN:
        values = _expected_wins(wins)
    else:
        ties = _table(better[tied], worse[tied], len(keys))
        good, bad = wins.sum(axis=1), wins.sum(axis=0)
        if method is HumanMethod.BETTER_OR_EQUAL:
            good += (ties + ties.T).sum(axis=1)
        values = _shares(good, good + bad)
    return _by_key(keys, values)


def _system(key: OutputKey) -> SystemKey:
    return SystemKey(key.language_pair, key.system)


def _check_segments(preferences: Preferences) -> None:
    _, segment = numbered([(key.language_pair, key.segment) for key in preferences.outputs])
    apart = np.flatnonzero(segment[preferences.better] != segment[preferences.worse])
    for i in apart[:1].tolist():
        one = preferences.outputs[preferences.better[i]]
        other = preferences.outputs[preferences.worse[i]]
        raise DataError(
            f"comparison {i} is of different segments: {tuple(one)!r} and {tuple(other)!r}",
            hint="compare outputs of the same segment",
        )


def _table(winners: Indices, losers: Indices, n_systems: int) -> Numbers:
    """How often the system of the row met that of the column, and won."""
    counts = np.bincount(winners * n_systems + losers, minlength=n_systems**2)
    return counts.reshape(n_systems, n_systems).astype(np.float64)


def _expected_wins(wins: Numbers) -> Numbers:
    met = wins + wins.T
    shares = _shares(wins, met)
    return _shares(np.nan_to_num(shares, nan=0.0).sum(axis=1), (met > 0).sum(axis=1))


def _shares(parts: Numbers, wholes: Numbers) -> Numbers:
    """NaN where the whole is 0."""
    undefined = np.full(parts.shape, np.nan)
    return np.asarray(np.divide(parts, wholes, out=undefined, where=wholes > 0))


def _by_key(keys: Sequence[SystemKey], values: Numbers) -> dict[SystemKey, float | None]:
    return {
        key: None if np.isnan(value) else value
        for key, value in zip(keys, values.tolist(), strict=True)
    }
