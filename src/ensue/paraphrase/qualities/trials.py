"""The ways to make a quality of two verdicts, tried on what people judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ensue.errors import UndefinedError
from ensue.paraphrase.model import Numbers
from ensue.paraphrase.qualities.agreeing import NO_AREA, Booleans, roc_areas
from ensue.paraphrase.qualities.both_ways import BothWays, Combination, Grade

NO_DECISION = "the recognizer decides about no instance of the choosing half"
_NOTHING_IN_COMMON = "no instance of the choosing half has a quality in all ways to make one"

_Way = tuple[Grade, Combination]


@dataclass(frozen=True, slots=True)
class Trial:
    """One way to make a quality of two verdicts, tried on the choosing half.

    All ways are tried on the same instances: those that get a quality by each way that gives any.
    """

    grade: Grade
    combination: Combination
    area: float | None
    """Under the ROC curve."""
    brier: float | None
    """The mean squared distance from what people say."""
    reason: str | None = None
    """Why there is no area, or neither of the two."""


def tried_ways(
    ways: BothWays,
    is_right: Booleans,
    choosing: Booleans,
    grade: Grade | None,
    combination: Combination | None,
) -> tuple[Trial, ...]:
    """Try what is not given on the choosing half; one trial where both are given.

    Args:
        ways: The verdicts on all instances.
        is_right: What people say of them.
        choosing: Which of them are of the choosing half.
        grade: What one verdict counts; None for every grade.
        combination: How two verdicts become one number; None for every combination.
    """
    grades = [grade] if grade else list(Grade)
    combinations = [combination] if combination else list(Combination)
    tried = list(product(grades, combinations))
    reasons: dict[_Way, str] = {}
    qualities: dict[_Way, Numbers] = {}
    for way in tried:
        try:
            quality = ways.qualities(*way)[choosing]
        except UndefinedError as error:
            reasons[way] = error.message
            continue
        if np.isnan(quality).all():
            reasons[way] = NO_DECISION
        else:
            qualities[way] = quality
    found = _compared(qualities, is_right[choosing])
    return tuple(found.get(way) or Trial(*way, None, None, reasons[way]) for way in tried)


def _compared(qualities: Mapping[_Way, Numbers], is_right: Booleans) -> dict[_Way, Trial]:
    """Trials on the instances that all of them decide."""
    if not qualities:
        return {}
    common = ~np.isnan(np.stack(list(qualities.values()))).any(axis=0)
    if not common.any():
        return {way: Trial(*way, None, None, _NOTHING_IN_COMMON) for way in qualities}
    right = is_right[common]
    return {way: _trial(way, quality[common], right) for way, quality in qualities.items()}


def _trial(way: _Way, quality: Numbers, is_right: Booleans) -> Trial:
    (found,) = roc_areas(quality, is_right, np.ones((1, len(quality)), np.int64)).tolist()
    distance = float(np.mean((quality - is_right) ** 2))
    if np.isnan(found):
        return Trial(*way, None, distance, NO_AREA)
    return Trial(*way, found, distance)


def best_trial(trials: Sequence[Trial]) -> Trial:
    """The nearest to people, by the mean squared distance; of equal ones the first.

    Raises:
        UndefinedError: none of them has a distance.
    """
    defined = [trial for trial in trials if trial.brier is not None]
    if not defined:
        raise UndefinedError(
            f"no way to make a quality can be chosen: {trials[-1].reason}",
            hint="verdicts are needed on the choosing half, with confidences for the grade 'soft';"
            " or give both grade and combination",
        )
    return min(defined, key=lambda trial: trial.brier or 0.0)
