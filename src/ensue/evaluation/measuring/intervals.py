"""Bootstrap intervals, written once for every measure (Efron & Tibshirani 1993, chapter 13)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ensue.errors import SettingError
from ensue.evaluation.measuring.judged import Judged
from ensue.evaluation.measuring.measures import Measure
from ensue.evaluation.measuring.ranks import Numbers
from ensue.evaluation.measuring.resampling import Prepared, Resample, draws_of
from ensue.evaluation.measuring.summary import TOO_MANY
from ensue.evaluation.results import Estimate

DRAWS = 2000
"""How many resamples, unless asked otherwise."""
LEVEL = 0.95
"""Of the intervals, unless asked otherwise."""

Replicates = dict[str, Numbers]
"""For each measure by name, its value in every draw; NaN where the draw does not define it.

There is none of a measure that is not drawn.
"""


def replicates(
    runs: Sequence[Judged], measures: Sequence[Measure], *, draws: int = DRAWS, seed: int = 0
) -> list[Replicates]:
    """The measures of each run over resampled pairs.

    All runs see the same draws, so that differences between them are paired.

    Args:
        runs: Runs on the same pairs in the same order.
        measures: What to compute; where a run does not define one, all its draws are NaN.
        draws: How many resamples.
        seed: Of the random numbers.
    """
    prepared = [Prepared(judged) for judged in runs]
    drawn = [[m for m in measures if m.is_drawn(judged)] for judged in runs]
    defined = [
        [m for m in chosen if m.gap(judged) is None]
        for judged, chosen in zip(runs, drawn, strict=True)
    ]
    results = [
        {m.name: np.full(draws if m in chosen else 0, np.nan) for m in measures} for chosen in drawn
    ]
    if not runs or runs[0].n_pairs == 0:
        return results
    start = 0
    for counts in draws_of(runs[0], draws, np.random.default_rng(seed)):
        here = slice(start, start + len(counts))
        for one, chosen, result in zip(prepared, defined, results, strict=True):
            resample = Resample(one, counts)
            for measure in chosen:
                result[measure.name][here] = measure.weighted(resample)
        start += len(counts)
    return results


def estimate(judged: Judged, measure: Measure, draws: Numbers, level: float = LEVEL) -> Estimate:
    """A measure's value with the percentile interval of its draws."""
    value = measure(judged)
    if value is None:
        return Estimate(None, reason=measure.gap(judged) or "undefined for these pairs")
    if not measure.is_drawn(judged):
        return Estimate(value, no_interval=TOO_MANY)
    low, high = percentile_interval(draws, level)
    return Estimate(value, low, high, n_undefined=int(np.isnan(draws).sum()))


def interval(
    judged: Judged,
    measure: Measure,
    *,
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
) -> Estimate:
    """One measure of one run, with its bootstrap interval."""
    check_resampling(draws, level)
    (result,) = replicates([judged], [measure], draws=draws, seed=seed)
    return estimate(judged, measure, result[measure.name], level)


def percentile_interval(draws: Numbers, level: float) -> tuple[float | None, float | None]:
    """The middle `level` of the draws that are defined."""
    defined = draws[~np.isnan(draws)]
    if defined.size == 0:
        return None, None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def check_resampling(draws: int, level: float) -> None:
    """Refuse settings that make no sense.

    Raises:
        SettingError: the level is not in (0, 1), or the number of draws is negative.
    """
    if not 0 < level < 1:
        raise SettingError(f"level {level!r} is not between 0 and 1", hint="e.g. 0.95")
    if draws < 0:
        raise SettingError(f"{draws!r} draws cannot be made", hint="e.g. 2000; 0 for no intervals")
