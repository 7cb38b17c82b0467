"""What many tables of translation need: intervals, language pairs, and why a number is lacking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ensue.evaluation.results import Estimate
from ensue.reports.model import Cell, Interval
from ensue.translation.agreement import EvaluationSettings, MetricResult, Part

Row = list[Cell | Interval]

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


Lack = tuple[str, str]
"""Whose number is lacking, and why."""


def recipe(metric: Scorer) -> str:
    """The line of a metric in what repeats a page."""
    return f"metric: {metric.name}: {metric.signature or 'no signature'}"


def shown_estimate(estimate: Estimate | None) -> Interval:
    """An estimate as a cell; a dash where there is none."""
    if estimate is None:
        return Interval(None)
    return Interval(estimate.value, estimate.low, estimate.high)


def shown_pair(language_pair: str) -> str | None:
    """A language pair as a cell; a dash where nothing says which."""
    return language_pair or None


def reason_notes(lacks: Iterable[Lack]) -> list[str]:
    """Why there are dashes, a note a reason with all that it holds for.

    >>> reason_notes([("bleu", "no words"), ("nist", "no words"), ("ter", "no edits")])
    ['bleu, nist: no words', 'ter: no edits']
    """
    by_reason: dict[str, dict[str, None]] = {}
    for name, reason in lacks:
        by_reason.setdefault(reason, {})[name] = None
    return [f"{', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def lack_of(name: str, estimate: Estimate) -> list[Lack]:
    """Why an estimate is lacking, if it is."""
    return [(name, estimate.reason)] if estimate.value is None and estimate.reason else []


def lacks_of(metrics: Sequence[MetricResult], part: Part) -> list[Lack]:
    """Which metrics have no such part, and why."""
    return [(each.name, each.missing[part]) for each in metrics if part in each.missing]


def interval_notes(draws: int, level: float, seed: int) -> list[str]:
    """What stands in brackets, if anything does."""
    if not draws:
        return []
    return [
        f"in brackets: {level * 100:g} % bootstrap intervals over segments"
        f" ({draws:,} draws, seed {seed})"
    ]


def resampling_notes(settings: EvaluationSettings) -> list[str]:
    """The same of an evaluation."""
    return interval_notes(settings.draws, settings.level, settings.seed)


def several(language_pairs: Sequence[str]) -> bool:
    """Whether there is anything to show by language pair."""
    return len(language_pairs) > 1
