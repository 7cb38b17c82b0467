"""What a feature is, and what a group of them is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ensue.features.comparison import Comparison


@dataclass(frozen=True, slots=True)
class Feature:
    """One of the numbers that are measured on an aligned pair."""

    name: str
    """The group and what it measures: `polarity.text-negated`."""
    definition: str
    """What it measures, so that it can be worked by hand."""
    example: tuple[str, str]
    """A text and a hypothesis for which it is above 0."""
    is_share: bool = False
    """Whether it is any number from 0 to 1, and not only 0 or 1."""

    @property
    def group(self) -> str:
        """The name of its group."""
        return self.name.partition(".")[0]

    @property
    def range(self) -> str:
        """The values that it can have."""
        return "0 to 1" if self.is_share else "0 or 1"


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features that look at one phenomenon, and are measured together."""

    title: str
    """What the paper's Table 1 calls it."""
    features: tuple[Feature, ...]
    measure: Callable[[Comparison], Sequence[float]]
    """The values of the features, in their order."""

    @property
    def name(self) -> str:
        """The first part of its features' names."""
        return self.features[0].group
