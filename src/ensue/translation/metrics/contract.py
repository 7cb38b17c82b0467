"""What a metric is: anything that scores outputs beside their references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from ensue.translation.model import Numbers, Segment


class Metric(Protocol):
    """Scores outputs; larger is better, always."""

    @property
    def name(self) -> str:
        """What tables call it."""

    @property
    def signature(self) -> str:
        """The recipe that repeats its scores."""

    def informed(self, references: Iterable[Sequence[str]]) -> Metric:
        """The metric with what it needs to know of all references of a set, a segment's at a time."""

    def scores(self, segments: Sequence[Segment]) -> Numbers:
        """A score for each output of each segment, in their order."""


@runtime_checkable
class SummingMetric(Metric, Protocol):
    """A metric whose score of a whole text is made from statistics that sum over its segments."""

    def statistics(self, segments: Sequence[Segment]) -> Numbers:
        """A row of statistics for each output of each segment, in their order."""

    def scored(self, statistics: Numbers) -> Numbers:
        """The score that each row of (summed) statistics makes."""


@runtime_checkable
class ProbableMetric(Metric, Protocol):
    """A metric that says how likely one output is better than another."""

    def probability(self, first: Numbers, second: Numbers) -> Numbers:
        """How likely outputs with the first scores are better than those with the second."""


class MetricKind(Protocol):
    """What an entry point in the group `ensue.metrics` names."""

    @property
    def name(self) -> str:
        """The name of the entry point."""

    @property
    def summary(self) -> str:
        """A line for people."""

    def build(self) -> Metric:
        """The metric."""
