"""Weights of metrics by group of features, beside the directions that the paper reports."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import product

import numpy as np

from ensue.errors import SettingError
from ensue.features import GROUPS
from ensue.statistics import RESAMPLING, Resampling, ratio
from ensue.translation.features.families import BACKWARD, FORWARD
from ensue.translation.systems import Numbers

# Weights by group of features, with what resampling says of them.

ENTAILMENT_TITLES = {group.name: group.title for group in GROUPS}
SURFACE_TITLES = {"bleu": "BLEU", "nist": "NIST", "ter": "TER", "lexical": "Lexical matches"}
TITLES = {**ENTAILMENT_TITLES, **SURFACE_TITLES}
"""Of the groups that are known, in the order of tables."""

_PARTS = re.compile(rf"(?:({FORWARD}|{BACKWARD})\.)?(([a-z]*).*)", re.DOTALL)


class EntailmentDirection(StrEnum):
    """Which of the two directions a feature is of."""

    BOTH = "both"
    """Forward and backward together; of features that have no direction, all."""
    FORWARD = FORWARD
    BACKWARD = BACKWARD


@dataclass(frozen=True, slots=True)
class FeatureName:
    """What the name of a feature says."""

    way: EntailmentDirection
    """Both for a feature that has no direction."""
    group: str
    """The letters that it begins with, after the direction."""
    alone: str
    """Without the direction."""


@cache
def parted(name: str) -> FeatureName:
    """Take the name of a feature apart.

    >>> parted("backward.root.main")
    FeatureName(way=<EntailmentDirection.BACKWARD: 'backward'>, group='root', alone='root.main')
    """
    parts = _PARTS.fullmatch(name)
    assert parts is not None  # the pattern takes any string
    way, alone, group = parts.groups()
    return FeatureName(EntailmentDirection(way or EntailmentDirection.BOTH), group or alone, alone)


@dataclass(frozen=True, slots=True)
class StandardizedWeight:
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
    way: EntailmentDirection
    n_features: int
    total: float
    """Σ |weight|."""
    share: StandardizedWeight | None
    """Of Σ |weight| of all entailment features; None for a group of others, and where they all
    weigh nothing. Noise adds to every size, so that draws pull the shares together."""
    net: StandardizedWeight
    """Σ weight."""
    largest: str
    """The feature with the largest weight, whatever its sign."""
    largest_weight: StandardizedWeight


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
                "names-not-go-weights",
                f"{self.title}: {len(self.names)} names do not go with weights of shape"
                f" {self.standardized.shape} and draws of shape {self.draws.shape}",
            )

    def of_feature(
        self, alone: str, way: EntailmentDirection = EntailmentDirection.BOTH
    ) -> list[int]:
        """Where the features of that name without direction are, in one direction or in both."""
        return [
            i
            for i, name in enumerate(map(parted, self.names))
            if name.alone == alone and way in (EntailmentDirection.BOTH, name.way)
        ]

    def of_group(
        self, group: str, way: EntailmentDirection = EntailmentDirection.BOTH
    ) -> list[int]:
        """Where the features of a group are, in one direction or in both."""
        return [
            i
            for i, name in enumerate(map(parted, self.names))
            if name.group == group and way in (EntailmentDirection.BOTH, name.way)
        ]

    def net(self, places: Sequence[int], resampling: Resampling = RESAMPLING) -> StandardizedWeight:
        """The sum of some weights."""
        some = list(places)
        return drawn_weight(
            float(self.standardized[some].sum()), self.draws[:, some].sum(axis=1), resampling
        )


def weights_by_group(
    names: Sequence[str],
    standardized: Numbers,
    draws: Numbers,
    *,
    resampling: Resampling = RESAMPLING,
) -> list[GroupWeight]:
    """What each group of features weighs: both directions together, then each.

    Args:
        names: Of the features.
        standardized: The weight of each.
        draws: A row for each resample, as `bootstrap_weights` gives them; there may be none.
        resampling: Of its level are the intervals.

    Returns:
        The groups of `TITLES` that occur, in their order, then others.
    """
    model = ModelWeights("weights", tuple(names), standardized, draws)
    ways: dict[str, dict[EntailmentDirection, None]] = {}
    for name in map(parted, names):
        ways.setdefault(name.group, {EntailmentDirection.BOTH: None})[name.way] = None
    known = [group for group in TITLES if group in ways]
    others = [group for group in ways if group not in TITLES]
    return [
        _group_weight(model, group, way, resampling)
        for group in [*known, *others]
        for way in ways[group]
    ]


def _group_weight(
    model: ModelWeights, group: str, way: EntailmentDirection, resampling: Resampling
) -> GroupWeight:
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
        share=drawn_weight(parts[0], parts[1:], resampling) if is_part else None,
        net=model.net(places, resampling),
        largest=model.names[largest],
        largest_weight=model.net([largest], resampling),
    )


def shares(model: ModelWeights, places: list[int]) -> Numbers:
    """The part of Σ |weight| of entailment features that is in some places, then in every draw.

    NaN where they all weigh nothing.
    """
    entailing = [parted(name).group in ENTAILMENT_TITLES for name in model.names]
    sizes = np.abs(np.vstack([model.standardized, model.draws]))
    part, whole = sizes[:, places].sum(axis=1), sizes[:, entailing].sum(axis=1)
    return ratio(part, whole)


def drawn_weight(value: float, drawn: Numbers, resampling: Resampling) -> StandardizedWeight:
    """A number with the interval of its draws, and the share of them that has its sign."""
    value = float(value)
    low, high = resampling.interval(drawn)
    defined = drawn[~np.isnan(drawn)]
    same = None
    if defined.size and value != 0:
        same = float((np.sign(defined) == np.sign(value)).mean())
    return StandardizedWeight(value, low, high, same)


# The directions that Padó et al. (2009, section 3) report, beside our weights.

_PUBLISHED = "published_directions.json"


class Claim(StrEnum):
    """What the paper says of a feature in translation evaluation."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    UNRELIABLE = "unreliable"
    """It does not count, having been too unreliable."""
    LESS = "less-than-in-recognition"
    """It counts less than it does in recognizing entailment."""


class DirectionOutcome(StrEnum):
    """What our weights say to a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNCLEAR = "not told apart"
    """From 0, which is in the interval."""


@dataclass(frozen=True, slots=True)
class PublishedDirection:
    """A statement of the paper."""

    statement: str
    claim: Claim
    features: tuple[str, ...]
    """The entailment features of ours that are most like it, without their direction."""
    groups: tuple[str, ...]
    """The groups of ours, where the statement is of a group."""
    note: str


@dataclass(frozen=True, slots=True)
class DirectionComparison:
    """A statement of the paper beside the weights of one model."""

    direction: PublishedDirection
    subject: str
    """The feature, without its direction, or the group."""
    way: EntailmentDirection
    model: str
    weight: StandardizedWeight
    """Of a feature its weight, in both directions the sum; of a group its share here minus its
    share in the recognizer."""
    outcome: DirectionOutcome | None
    """None without draws, and for the recognizer where the claim is not of it."""


@cache
def published_directions() -> tuple[PublishedDirection, ...]:
    """What the paper says of its weights, in its order."""
    text = (files("ensue.translation.metrics") / _PUBLISHED).read_text("utf-8")
    return tuple(
        PublishedDirection(
            each["statement"],
            Claim(each["claim"]),
            tuple(each.get("features", ())),
            tuple(each.get("groups", ())),
            each.get("note", ""),
        )
        for each in json.loads(text)["directions"]
    )


def compare_directions(
    metrics: Sequence[ModelWeights],
    recognizer: ModelWeights | None = None,
    *,
    resampling: Resampling = RESAMPLING,
) -> list[DirectionComparison]:
    """Put the paper's statements beside our weights.

    A metric without entailment features has nothing to say, and neither has a statement that needs
    the recognizer where there is none.

    Args:
        metrics: On features in both directions.
        recognizer: On the same features in its one direction.
        resampling: Draws, level and seed of the intervals.
    """
    models = [*metrics, *([recognizer] if recognizer else [])]
    found = []
    for direction in published_directions():
        for feature, way, model in product(direction.features, EntailmentDirection, models):
            if places := model.of_feature(feature, way):
                weight = model.net(places, resampling)
                said = _outcome(direction.claim, weight.sign, is_recognizer=model is recognizer)
                found.append(
                    DirectionComparison(direction, feature, way, model.title, weight, said)
                )
        if recognizer:
            found += _compared_shares(direction, metrics, recognizer, resampling)
    return found


def _compared_shares(
    direction: PublishedDirection,
    metrics: Sequence[ModelWeights],
    recognizer: ModelWeights,
    resampling: Resampling,
) -> list[DirectionComparison]:
    found = []
    for group in direction.groups:
        there = shares(recognizer, recognizer.of_group(group))
        for model in metrics:
            here = shares(model, model.of_group(group))
            n = min(len(here), len(there))
            lead = here[:n] - there[:n]
            if not np.isnan(lead[0]):
                weight = drawn_weight(lead[0], lead[1:], resampling)
                said = _outcome(direction.claim, weight.sign, is_recognizer=False)
                found.append(
                    DirectionComparison(
                        direction, group, EntailmentDirection.BOTH, model.title, weight, said
                    )
                )
    return found


def _outcome(claim: Claim, sign: int | None, *, is_recognizer: bool) -> DirectionOutcome | None:
    if sign is None or (claim is Claim.UNRELIABLE and is_recognizer):
        return None
    if claim is Claim.UNRELIABLE:
        return DirectionOutcome.DIFFERS if sign else DirectionOutcome.AGREES
    if sign == 0:
        return DirectionOutcome.UNCLEAR
    return (
        DirectionOutcome.AGREES
        if (sign > 0) == (claim is Claim.POSITIVE)
        else DirectionOutcome.DIFFERS
    )


# Weights of several models side by side.


@dataclass(frozen=True, slots=True, eq=False)
class WeightStudy:
    """The weights of metrics on entailment features and, beside them, of a recognizer."""

    name: str
    """Of what the metrics were trained on."""
    metrics: tuple[ModelWeights, ...]
    recognizer: ModelWeights | None
    groups: tuple[tuple[GroupWeight, ...], ...]
    """Of each model, the recognizer last."""
    directions: tuple[DirectionComparison, ...]
    """The paper's statements beside the weights."""
    resampling: Resampling = RESAMPLING

    @classmethod
    def of(
        cls,
        metrics: Sequence[ModelWeights],
        recognizer: ModelWeights | None = None,
        *,
        name: str = "",
        resampling: Resampling = RESAMPLING,
    ) -> WeightStudy:
        """Sum the weights of models by group, and compare them with the paper's.

        Args:
            metrics: Such as those on `rte` and on `comb`.
            recognizer: The `features` recognizer, where it is to stand beside them.
            name: Of what the metrics were trained on.
            resampling: Draws, level and seed of the intervals.
        """
        models = [*metrics, *([recognizer] if recognizer else [])]
        groups = tuple(
            tuple(
                weights_by_group(each.names, each.standardized, each.draws, resampling=resampling)
            )
            for each in models
        )
        directions = compare_directions(metrics, recognizer, resampling=resampling)
        return cls(name, tuple(metrics), recognizer, groups, tuple(directions), resampling)

    @property
    def models(self) -> tuple[ModelWeights, ...]:
        """All, the recognizer last."""
        return (*self.metrics, *([self.recognizer] if self.recognizer else []))
