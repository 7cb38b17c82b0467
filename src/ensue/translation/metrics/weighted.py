"""A metric made of weights on features: the system of Padó et al. (2009)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ensue import __version__
from ensue.translation.features import FeatureSet, Meter
from ensue.translation.features.entailment import Measuring
from ensue.translation.model import Numbers, Segment
from ensue.translation.models import Weighing


@dataclass(frozen=True, slots=True, eq=False)
class WeightedMetric:
    """Scores outputs by weights on their features."""

    name: str
    weighing: Weighing
    meter: Meter
    trained_on: Mapping[str, Any] = field(default_factory=dict)
    """What the weights were learned from: name, kind of judgments, how many."""

    @property
    def feature_set(self) -> FeatureSet:
        """What is measured."""
        return self.meter.feature_set

    @property
    def signature(self) -> str:
        """The recipe that repeats its scores."""
        parts = [
            f"{self.weighing.kind.value}-{self.feature_set.value}",
            f"strength:{self.weighing.strength:g}",
            *([f"analyzer:{_analyzer()}"] if self.feature_set.needs_analyzer else []),
            f"trained:{self.trained_on.get('name', '?')}",
            f"judgments:{self.trained_on.get('judgments', '?')}",
            f"version:{__version__}",
        ]
        return "|".join(parts)

    def informed(self, references: Iterable[Sequence[str]]) -> WeightedMetric:
        """The metric with what NIST needs to know of all references of a set."""
        return replace(self, meter=self.meter.informed(references))

    def with_reader(self, reader: Measuring) -> WeightedMetric:
        """The metric with another reader of entailment features."""
        return replace(self, meter=replace(self.meter, reader=reader))

    def scores(self, segments: Sequence[Segment]) -> Numbers:
        """A score for each output of each segment, in their order."""
        return self.weighing.scores(self.meter.table(segments).values)

    def probability(self, first: Numbers, second: Numbers) -> Numbers:
        """How likely outputs with the first scores are better than those with the second."""
        return self.weighing.probability(first, second)


def _analyzer() -> str:
    from ensue.language.analysis import installed_model

    return installed_model()
