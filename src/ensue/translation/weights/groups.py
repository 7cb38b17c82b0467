"""Weights by group of features, with what resampling says of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np

from ensue.errors import SettingError
from ensue.evaluation.measuring.intervals import LEVEL, percentile_interval
from ensue.features import GROUPS
from ensue.translation.features.entailment import BACKWARD, FORWARD
from ensue.translation.model import Numbers

ENTAILMENT_TITLES = {group.name: group.title for group in GROUPS}
SURFACE_TITLES = {"bleu": "BLEU", "nist": "NIST", "ter": "TER", "lexical": "Lexical matches"}
TITLES = {**ENTAILMENT_TITLES, **SURFACE_TITLES}
"""Of the groups that are known, in the order of tables."""

_PARTS = re.compile(rf"(?:({FORWARD}|{BACKWARD})\.)?(([a-z]*).*)", re.DOTALL)


class Way(StrEnum):
    """Which of the two directions a feature is of."""

    BOTH = "both"
    """Forward and backward together; of features that have no direction, all."""
    FORWARD = FORWARD
    BACKWARD = BACKWARD


@dataclass(frozen=True, slots=True)
class FeatureName:
    """What the name of a feature says."""

    way: Way
    """Both for a feature that has no direction."""
    group: str
    """The letters that it begins with, after the direction."""
    alone: str
    """Without the direction."""


@cache
def parted(name: str) -> FeatureName:
    """Take the name of a feature apart.

    >>> parted("backward.root.main")
    FeatureName(way=<Way.BACKWARD: 'backward'>, group='root', alone='root.main')
    """
    parts = _PARTS.fullmatch(name)
    assert parts is not None  # the pattern takes any string
    way, alone, group = parts.groups()
    return FeatureName(Way(way or Way.BOTH), group or alone, alone)


@dataclass(frozen=True, slots=True)
class Weight:
    """A standardized weight, or a sum of some, with what the draws say of it."""

    value: float
    low: float | None = None
    """The lower end of the interval; None where there are no draws."""
    high: float | None = None
    same_sign: float | None = None
    """The share of the draws with the same sign; None where there are none, or for 0."""

    @property
    def sign(self) -> int | None:
        """1 or -1 where the interval is on one side of 0, 0 where it is not; None without one."""
        if self.low is None or self.high is None:
            return None
        return int(self.low > 0) - int(self.high < 0)


@dataclass(frozen=True, slots=True)
class GroupWeight:
    """What a model gives to one group of features."""

    group: str
    way: Way
    n_features: int
    total: float
    """Σ |weight|."""
    share: Weight | None
    """Of Σ |weight| of all entailment features; None for a group of others, and where they all
    weigh nothing. Noise adds to every size, so that draws pull the shares together."""
    net: Weight
    """Σ weight."""
    largest: str
    """The feature with the largest weight, whatever its sign."""
    largest_weight: Weight


@dataclass(frozen=True, slots=True, eq=False)
class ModelWeights:
    """What one model gives to each feature, and gave to it in every draw."""

    title: str
    """What tables call the model."""
    names: tuple[str, ...]
    standardized: Numbers
    """What one standard deviation of each feature adds."""
    draws: Numbers
    """A row for each draw; NaN where a draw defines no weights."""
    unit: str = "score"
    """What the weights add to."""

    def __post_init__(self) -> None:
        if self.standardized.shape != (len(self.names),) or self.draws.shape[1:] != (
            len(self.names),
        ):
            raise SettingError(
                f"{self.title}: {len(self.names)} names do not go with weights of shape"
                f" {self.standardized.shape} and draws of shape {self.draws.shape}"
            )

    def of_feature(self, alone: str, way: Way = Way.BOTH) -> list[int]:
        """Where the features of that name without direction are, in one direction or in both."""
        return [
            i
            for i, name in enumerate(map(parted, self.names))
            if name.alone == alone and way in (Way.BOTH, name.way)
        ]

    def of_group(self, group: str, way: Way = Way.BOTH) -> list[int]:
        """Where the features of a group are, in one direction or in both."""
        return [
            i
            for i, name in enumerate(map(parted, self.names))
            if name.group == group and way in (Way.BOTH, name.way)
        ]

    def net(self, places: Sequence[int], level: float = LEVEL) -> Weight:
        """The sum of some weights."""
        some = list(places)
        return drawn_weight(
            float(self.standardized[some].sum()), self.draws[:, some].sum(axis=1), level
        )


def weights_by_group(
    names: Sequence[str], standardized: Numbers, draws: Numbers, *, level: float = LEVEL
) -> list[GroupWeight]:
    """What each group of features weighs: both directions together, then each.

    Args:
        names: Of the features.
        standardized: The weight of each.
        draws: A row for each resample, as `bootstrap_weights` gives them; there may be none.
        level: Of the intervals.

    Returns:
        The groups of `TITLES` that occur, in their order, then others.
    """
    model = ModelWeights("weights", tuple(names), standardized, draws)
    ways: dict[str, dict[Way, None]] = {}
    for name in map(parted, names):
        ways.setdefault(name.group, {Way.BOTH: None})[name.way] = None
    known = [group for group in TITLES if group in ways]
    others = [group for group in ways if group not in TITLES]
    return [
        _group_weight(model, group, way, level)
        for group in [*known, *others]
        for way in ways[group]
    ]


def _group_weight(model: ModelWeights, group: str, way: Way, level: float) -> GroupWeight:
    places = model.of_group(group, way)
    sizes = np.abs(model.standardized[places])
    largest = places[int(sizes.argmax())]
    parts = shares(model, places)
    is_part = group in ENTAILMENT_TITLES and not np.isnan(parts[0])
    return GroupWeight(
        group=group,
        way=way,
        n_features=len(places),
        total=float(sizes.sum()),
        share=drawn_weight(parts[0], parts[1:], level) if is_part else None,
        net=model.net(places, level),
        largest=model.names[largest],
        largest_weight=model.net([largest], level),
    )


def shares(model: ModelWeights, places: list[int]) -> Numbers:
    """The part of Σ |weight| of entailment features that is in some places, then in every draw.

    NaN where they all weigh nothing.
    """
    entailing = [parted(name).group in ENTAILMENT_TITLES for name in model.names]
    sizes = np.abs(np.vstack([model.standardized, model.draws]))
    part, whole = sizes[:, places].sum(axis=1), sizes[:, entailing].sum(axis=1)
    undefined = np.full(len(part), np.nan)
    return np.asarray(np.divide(part, whole, out=undefined, where=whole > 0), np.float64)


def drawn_weight(value: float, drawn: Numbers, level: float) -> Weight:
    """A number with the interval of its draws, and the share of them that has its sign."""
    value = float(value)
    low, high = percentile_interval(drawn, level)
    defined = drawn[~np.isnan(drawn)]
    same = None
    if defined.size and value != 0:
        same = float((np.sign(defined) == np.sign(value)).mean())
    return Weight(value, low, high, same)
