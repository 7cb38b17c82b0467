"""The directions that Padó et al. (2009, section 3) report, beside our weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import product

import numpy as np

from ensue.evaluation.measuring.intervals import LEVEL
from ensue.translation.weights.groups import ModelWeights, Way, Weight, drawn_weight, shares

_PUBLISHED = "published_directions.json"


class Claim(StrEnum):
    """What the paper says of a feature in translation evaluation."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    UNRELIABLE = "unreliable"
    """It does not count, having been too unreliable."""
    LESS = "less-than-in-recognition"
    """It counts less than it does in recognizing entailment."""


class Outcome(StrEnum):
    """What our weights say to a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNCLEAR = "not told apart"
    """From 0, which is in the interval."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A statement of the paper."""

    statement: str
    claim: Claim
    features: tuple[str, ...]
    """The entailment features of ours that are most like it, without their direction."""
    groups: tuple[str, ...]
    """The groups of ours, where the statement is of a group."""
    note: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A statement of the paper beside the weights of one model."""

    direction: Direction
    subject: str
    """The feature, without its direction, or the group."""
    way: Way
    model: str
    weight: Weight
    """Of a feature its weight, in both directions the sum; of a group its share here minus its
    share in the recognizer."""
    outcome: Outcome | None
    """None without draws, and for the recognizer where the claim is not of it."""


@cache
def published_directions() -> tuple[Direction, ...]:
    """What the paper says of its weights, in its order."""
    text = (files("ensue.translation.weights") / _PUBLISHED).read_text("utf-8")
    return tuple(
        Direction(
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
    level: float = LEVEL,
) -> list[Comparison]:
    """Put the paper's statements beside our weights.

    A metric without entailment features has nothing to say, and neither has a statement that needs
    the recognizer where there is none.

    Args:
        metrics: On features in both directions.
        recognizer: On the same features in its one direction.
        level: Of the intervals.
    """
    models = [*metrics, *([recognizer] if recognizer else [])]
    found = []
    for direction in published_directions():
        for feature, way, model in product(direction.features, Way, models):
            if places := model.of_feature(feature, way):
                weight = model.net(places, level)
                said = _outcome(direction.claim, weight.sign, is_recognizer=model is recognizer)
                found.append(Comparison(direction, feature, way, model.title, weight, said))
        if recognizer:
            found += _compared_shares(direction, metrics, recognizer, level)
    return found


def _compared_shares(
    direction: Direction, metrics: Sequence[ModelWeights], recognizer: ModelWeights, level: float
) -> list[Comparison]:
    found = []
    for group in direction.groups:
        there = shares(recognizer, recognizer.of_group(group))
        for model in metrics:
            here = shares(model, model.of_group(group))
            n = min(len(here), len(there))
            lead = here[:n] - there[:n]
            if not np.isnan(lead[0]):
                weight = drawn_weight(lead[0], lead[1:], level)
                said = _outcome(direction.claim, weight.sign, is_recognizer=False)
                found.append(Comparison(direction, group, Way.BOTH, model.title, weight, said))
    return found


def _outcome(claim: Claim, sign: int | None, *, is_recognizer: bool) -> Outcome | None:
    if sign is None or (claim is Claim.UNRELIABLE and is_recognizer):
        return None
    if claim is Claim.UNRELIABLE:
        return Outcome.DIFFERS if sign else Outcome.AGREES
    if sign == 0:
        return Outcome.UNCLEAR
    return Outcome.AGREES if (sign > 0) == (claim is Claim.POSITIVE) else Outcome.DIFFERS
