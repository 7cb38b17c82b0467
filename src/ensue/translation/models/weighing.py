"""Weights on features: how good an output is, and how likely it is better than another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from ensue.translation.model import Numbers

_SURE = 700.0
"""Log odds beyond which nothing can be told apart, and numbers overflow."""


class ModelKind(StrEnum):
    """What the weights were learned from."""

    ABS = "abs"
    """Absolute human scores, by linear regression."""
    PAIR = "pair"
    """Preferences between two outputs, by logistic regression on the difference of their features."""


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """A model of Padó et al. (2009), section 2.2: weights on features, learned from judgments."""

    kind: ModelKind
    names: tuple[str, ...]
    weights: Numbers
    """What one unit of each feature adds."""
    means: Numbers
    """Of the features over the outputs learned from."""
    deviations: Numbers
    """Their standard deviations; 1 for a feature that never changes."""
    bias: float
    """The score of an output with average features."""
    spread: float
    """Of what people say around the score: in `abs` the residual's standard deviation, in `pair` 1."""
    floor: float
    """Where scores become rare: below it they are drawn together, to end at one spread less."""
    strength: float
    """The inverse strength of regularization that was chosen."""
    validated: Mapping[str, float] = field(default_factory=dict)
    """How well it did in cross-validation."""

    @property
    def standardized(self) -> Numbers:
        """What one standard deviation of each feature adds."""
        return np.asarray(self.weights * self.deviations, dtype=np.float64)

    def scores(self, values: Numbers) -> Numbers:
        """How good outputs are: in `abs` on the scale of the human scores, in `pair` in log odds.

        An output without words, whose features are NaN, is the worst there can be: it scores two
        spreads below the floor, which no other output does, however bad. Those keep their order.
        """
        added = np.ascontiguousarray(self.contributions(values)).sum(axis=1)
        found = self.bias + added
        below = np.minimum(found - self.floor, 0.0) / self.spread
        drawn = np.maximum(found, self.floor) - self.spread * -np.expm1(below)
        return np.where(np.isnan(found), self.floor - 2 * self.spread, drawn)

    def contributions(self, values: Numbers) -> Numbers:
        """What each feature adds to the score: its weight times how far it is from the average."""
        return np.asarray((values - self.means) * self.weights, dtype=np.float64)

    def probability(self, first: Numbers, second: Numbers) -> Numbers:
        """How likely outputs with the first scores are better than those with the second.

        In `pair` the logistic function of the difference. In `abs` human scores are taken to lie
        around ours normally, with the same spread, so that their difference has √2 times that.
        """
        difference = first - second
        if self.kind is ModelKind.PAIR:
            return np.asarray(1 / (1 + np.exp(-np.clip(difference, -_SURE, _SURE))), np.float64)
        from scipy.special import ndtr

        return np.asarray(ndtr(difference / (np.sqrt(2) * self.spread)), dtype=np.float64)


def standardizing(values: Numbers) -> tuple[Numbers, Numbers]:
    """The means and deviations of columns; 1 for a column that never changes."""
    means, deviations = values.mean(axis=0), values.std(axis=0)
    deviations[deviations < 1e-9] = 1.0
    return means, deviations
