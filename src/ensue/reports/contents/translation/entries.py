"""What many tables of translation need: metrics, language pairs, and what a metric lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ensue.reports.contents.entries import Lack, interval_notes
from ensue.translation.agreement import EvaluationSettings, MetricResult, Part

MEAN = "mean"
"""The column of the mean over language pairs."""
OVER_ALL = "all"
"""The row that is over all language pairs together."""


class Scorer(Protocol):
    """What is said of a metric, or of its scores."""

    @property
    def name(self) -> str:
        """What tables call it."""

    @property
    def signature(self) -> str:
        """The recipe that repeats its scores; empty where nobody gave one."""


def recipe(metric: Scorer) -> str:
    """The line of a metric in what repeats a page."""
    return f"metric: {metric.name}: {metric.signature or 'no signature'}"


def shown_pair(language_pair: str) -> str | None:
    """A language pair as a cell; a dash where nothing says which."""
    return language_pair or None


def lacks_of(metrics: Sequence[MetricResult], part: Part) -> list[Lack]:
    """Which metrics have no such part, and why."""
    return [(each.name, each.missing[part]) for each in metrics if part in each.missing]


def resampling_notes(settings: EvaluationSettings) -> list[str]:
    """The same of an evaluation."""
    return interval_notes(settings.draws, settings.level, settings.seed, over="segments")


def several(language_pairs: Sequence[str]) -> bool:
    """Whether there is anything to show by language pair."""
    return len(language_pairs) > 1
