"""Scores at every k: how much a conclusion hangs on the rank that was chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ensue.paraphrase.scores.intervals import ScoreIntervals
from ensue.paraphrase.scores.settings import MEASURES, PatternMeasure
from ensue.reports.contents.entries import Lack, Row, lack_of, shown_estimate
from ensue.reports.contents.paraphrase.cutting import NO_METHOD, cut, dash_notes
from ensue.reports.contents.paraphrase.lines import MOST_BANDS, Curve, Frame, line_picture
from ensue.reports.contents.paraphrase.means import (
    Scores,
    mean_notes,
    methodless,
    over_what,
)
from ensue.reports.model import Column, Picture, Table

_STEPS = (1, 5, 10, 50, 100, 500, 1000)
"""Between marks of the axis of k."""
_MOST_MARKS = 10
_EDGE = 0.03
_FEW = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The ks that people see of many."""


def score_picture(curves: Scores) -> Picture:
    """The means of methods over k: a panel a measure, a row of panels a quality.

    Args:
        curves: As `curves_over_k` gives them.
    """
    panels = {
        f"{measure}{f', {quality}' if len(curves) > 1 else ''}": [
            _curve(each, method, measure) for method in each.methods
        ]
        for quality, each in curves.items()
        for measure in MEASURES
    }
    drawn = next(iter(curves.values()))
    last = max(each.scored.settings.deepest for each in curves.values())
    banded = drawn.draws > 0 and drawn.means_reason is None and len(drawn.methods) <= MOST_BANDS
    bands = f" Bands: {drawn.level * 100:g} % bootstrap intervals over {over_what(drawn)}."
    return line_picture(
        panels,
        Frame("k", "mean over lists", _ranks(last)),
        columns=len(MEASURES),
        title="Scores by the number of patterns that count",
        name="curve",
        caption="The mean over the lists of each method at every k." + bands * banded,
    )


def _ranks(last: int) -> dict[str, Any]:
    """An axis of whole numbers from 1, which a dot at either end does not touch."""
    step = next(step for step in _STEPS if last <= _MOST_MARKS * step or step == _STEPS[-1])
    marks = sorted({1, *range(step, last + 1, step)})
    edge = max((last - 1) * _EDGE, 0.1)
    return {
        "scale": {"domain": [1 - edge, last + edge], "nice": False, "zero": False},
        "axis": {"values": marks, "format": "d", "grid": False},
    }


def _curve(each: ScoreIntervals, method: str, measure: PatternMeasure) -> Curve:
    ks = each.scored.settings.ks
    return Curve(method or NO_METHOD, ks, [each.of_method(method, measure, k) for k in ks])


def curve_table(curves: Scores, *, every: bool = True) -> Table:
    """The means of methods at every k; `curves` are as `curves_over_k` gives them."""
    columns = [
        Column("quality"),
        Column("method"),
        Column("k"),
        *(Column(each.value.lower(), title=each.value, digits=3) for each in MEASURES),
    ]
    shown = {quality: _shown_ks(each.scored.settings.ks, every) for quality, each in curves.items()}
    lacks: list[Lack] = []

    def made() -> Iterator[Row]:
        for quality, each in curves.items():
            for method in each.methods:
                for k in shown[quality]:
                    found = [each.of_method(method, measure, k) for measure in MEASURES]
                    name = f"{method or NO_METHOD} at {k}"
                    lacks.extend(lack for one in found for lack in lack_of(name, one))
                    yield [quality, method or None, k, *map(shown_estimate, found)]

    n = sum(len(each.methods) * len(shown[quality]) for quality, each in curves.items())
    rows, cut_notes = cut(made(), n, every=every)
    if any(len(shown[quality]) < len(each.scored.settings.ks) for quality, each in curves.items()):
        cut_notes.append("some ks only; all are in JSON and CSV")
    notes = [
        *mean_notes(curves),
        *dash_notes(lacks, every=every),
        *methodless(curves),
        *cut_notes,
    ]
    return Table("curve", "Scores by k", columns, rows, notes)


def _shown_ks(ks: Sequence[int], every: bool) -> list[int]:
    """For people the first ones, then fewer and fewer, and the last one."""
    return [k for k in ks if every or k in _FEW or k == ks[-1]]
