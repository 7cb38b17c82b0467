"""Mean scores of methods, at one rank and at every k, as tables and a picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ensue.paraphrase import NOT_JUDGED, ListKey
from ensue.paraphrase.scores import MEASURES, MethodDifference, PatternMeasure, ScoreIntervals
from ensue.reports.model import DASHES, Column, Picture, Table, dash_notes, interval_notes
from ensue.reports.pictures.curves import MOST_BANDS, EstimateCurve, PlotFrame, line_picture
from ensue.statistics import Estimate

# What many tables of patterns need: long tables cut for people, and why there are dashes.

MOST = 40
"""Rows of a table that people see of many."""
NO_METHOD = "no method"
"""What a picture or a note calls lists whose method has no name."""


def method_notes(methods: Iterable[str]) -> list[str]:
    """That a dash in the column of methods is no mistake, where there is one."""
    return [] if all(methods) else ["method –: the lists name none"]


def called(key: ListKey) -> str:
    """A list in a note.

    >>> called(ListKey("killed", "PD")), called(ListKey("killed", ""))
    ('killed (PD)', 'killed')
    """
    return f"{key.term} ({key.method})" if key.method else key.term


def column_keys(names: Sequence[str]) -> list[str]:
    """Names as keys of columns: lower case, with underscores, no two alike.

    >>> column_keys(["RTE-3 dev", "rte 3 dev", "…"])
    ['rte_3_dev', 'rte_3_dev_2', '3']
    """
    keys: list[str] = []
    for i, name in enumerate(names, 1):
        key = re.sub(r"[\W_]+", "_", name.lower()).strip("_") or str(i)
        keys.append(key if key not in keys else f"{key}_{i}")
    return keys


# Mean scores of methods and their differences, as tables, and what other tables say of scores.

Scores = Mapping[str, ScoreIntervals]
"""The same lists scored by each quality, by what people call it, e.g. `strict`."""
WHY = Column("undefined", title="why undefined", full=True, reasons=True)

_ALL = "all"
"""The row that is over the lists of all methods."""
_MOST_DIFFERENCES = 15
_MANY_JUDGES = 20
"""From so many on, intervals over judges hold about what they promise: in simulations with judges
of different leanings, nominal 95 % intervals of a method's DIMPLE held the expected value in 69 to
82 % of cases with 3 judges, 87 to 94 % with 10, 92 to 96 % with 20 (50 and 10 terms)."""
_WHY_UPWARD = "a draw has fewer different judges, and the gain grows faster than Q"


def methods_table(scores: Scores, *, every: bool = True) -> Table:
    """The mean scores of each method, and of all lists."""
    columns = [
        Column("quality", get=lambda quality, *_: quality),
        Column("method", get=lambda *row: _named(row[-1]) or None),
        Column("lists", get=lambda _, each, method: int(each.scored.of_method(method).sum())),
        *measure_columns(scores, lambda place, _, each, method: each.of_method(method, *place)),
        WHY,
    ]
    rows = [
        (quality, each, method)
        for quality, each in scores.items()
        for method in (*each.methods, *([None] if len(each.methods) > 1 else []))
    ]
    notes = [
        "means over the lists that define them",
        *mean_notes(scores),
        *judge_notes(scores),
        *_recipes(scores),
        DASHES,
        *methodless(scores),
    ]
    return Table.of(
        "methods",
        "Scores of methods",
        columns,
        rows,
        notes,
        called=lambda *row: _named(row[-1]) or NO_METHOD,
        short_notes=True,
        every=every,
    )


def _named(method: str | None) -> str:
    return _ALL if method is None else method


def method_differences_table(scores: Scores, *, every: bool = True) -> Table:
    """Every two methods: the difference of their means over the terms that both have."""
    columns = [
        Column("quality", get=lambda quality, _: quality),
        Column("measure"),
        Column("k"),
        Column("first", get=lambda _, one: one.first or None),
        Column("second", get=lambda _, one: one.second or None),
        Column("terms", get="n_terms"),
        Column("difference", digits=3, signed=True),
        Column("p", digits=4, get="difference.p"),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("undefined", title="why undefined", get="difference.reason", full=True),
    ]
    found = [(quality, one) for quality, each in scores.items() for one in each.differences]
    shown = found if every else _few(found)
    lacks = [
        (f"{one.first or NO_METHOD} and {one.second or NO_METHOD}", one.difference.reason)
        for _, one in shown
        if one.difference.reason
    ]
    notes = [
        "the first's mean minus the second's, over the terms that both have lists of; p: two-sided,"
        " by the bootstrap; Holm's is corrected for the pairs of methods",
        *mean_notes(scores),
        *(["p –: nothing was drawn"] if _without_draws(scores) else []),
        *dash_notes(lacks, every=every),
        *methodless(scores),
    ]
    if len(shown) < len(found):
        notes.append(f"those of the largest k, of {len(found)} tests; all are in JSON and CSV")
    return Table.of("differences", "Do methods differ?", columns, shown, notes, every=every)


def _without_draws(scores: Scores) -> bool:
    return any(each.resampling.draws == 0 and each.means_reason is None for each in scores.values())


def _few(found: Sequence[tuple[str, MethodDifference]]) -> Sequence[tuple[str, MethodDifference]]:
    if len(found) <= _MOST_DIFFERENCES:
        return found
    largest = max(one.k for _, one in found)
    return [each for each in found if each[1].k == largest]


def places(scores: Scores) -> list[tuple[PatternMeasure, int]]:
    """The measures, each at every k; the ks are those of the first quality."""
    first = next(iter(scores.values()))
    return [(measure, k) for measure in MEASURES for k in first.scored.settings.ks]


def measure_columns(scores: Scores, get: Callable[..., Estimate]) -> list[Column]:
    """One for each measure and k, e.g. `ep_10`; `get` takes both, and what the row is of."""
    return [
        Column(
            f"{measure.value.lower()}_{k}",
            f"{measure.value}_{k}",
            digits=3,
            get=partial(get, (measure, k)),
        )
        for measure, k in places(scores)
    ]


def mean_notes(scores: Scores) -> Iterator[str]:
    """What the intervals of means are over, or why there are none."""
    first = next(iter(scores.values()))
    if first.means_reason:
        yield f"no intervals: {first.means_reason}"
        return
    if not first.resampling.draws:
        yield "no intervals: nothing was drawn"
    by_over: dict[str, list[str]] = {}
    for quality, each in scores.items():
        by_over.setdefault(over_what(each), []).append(quality)
    for over, qualities in by_over.items():
        for note in interval_notes(first.resampling, over=over):
            yield f"{', '.join(qualities)}: {note}" if len(by_over) > 1 else note


def judge_notes(scores: Scores) -> list[str]:
    """How far intervals over judges are to be believed, where judges were drawn."""
    drawn = [
        each for each in scores.values() if each.resampling.draws and each.lists_reason is None
    ]
    if not drawn:
        return []
    upward = f"DIMPLE's intervals lean upward, as {_WHY_UPWARD}"
    n_judges = min(_n_judges(each) for each in drawn)
    if n_judges >= _MANY_JUDGES:
        return [upward]
    level = drawn[0].resampling.percent
    return [
        f"with {n_judges} judges, do not take intervals for {level}: they are too narrow; {upward}"
    ]


def _n_judges(each: ScoreIntervals) -> int:
    """Who said anything with the strictness that was scored."""
    judgments, strictness = each.scored.lists.judgments, each.scored.settings.strictness
    if judgments is None or strictness is None:
        return 0
    return int((judgments.labels[strictness] != NOT_JUDGED).any(axis=0).sum())


def over_what(each: ScoreIntervals) -> str:
    """What was drawn for means."""
    return "terms" if each.lists_reason else "judges and terms"


def methodless(scores: Scores) -> list[str]:
    """That a dash in the column of methods is no mistake, where there is one."""
    return method_notes(method for each in scores.values() for method in each.methods)


def _recipes(scores: Scores) -> Iterator[str]:
    for quality, each in scores.items():
        yield f"{quality}: {each.scored.signature}"


# Scores at every k: how much a conclusion hangs on the rank that was chosen.

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
    banded = (
        drawn.resampling.draws > 0
        and drawn.means_reason is None
        and len(drawn.methods) <= MOST_BANDS
    )
    bands = f" Bands: {drawn.resampling.percent} bootstrap intervals over {over_what(drawn)}."
    return line_picture(
        panels,
        PlotFrame("k", "mean over lists", _ranks(last)),
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


def _curve(each: ScoreIntervals, method: str, measure: PatternMeasure) -> EstimateCurve:
    ks = each.scored.settings.ks
    return EstimateCurve(method or NO_METHOD, ks, [each.of_method(method, measure, k) for k in ks])


def curve_table(curves: Scores, *, every: bool = True) -> Table:
    """The means of methods at every k; `curves` are as `curves_over_k` gives them."""
    columns = [
        Column("quality", get=lambda *row: row[0]),
        Column("method", get=lambda *row: row[2] or None),
        Column("k", get=lambda *row: row[3]),
        *(
            Column(each.value.lower(), each.value, digits=3, get=partial(_at_k, each))
            for each in MEASURES
        ),
    ]
    shown = {quality: _shown_ks(each.scored.settings.ks, every) for quality, each in curves.items()}
    rows = (
        (quality, each, method, k)
        for quality, each in curves.items()
        for method in each.methods
        for k in shown[quality]
    )
    notes = [*mean_notes(curves), DASHES, *methodless(curves)]
    table = Table.of(
        "curve",
        "Scores by k",
        columns,
        rows,
        notes,
        called=lambda *row: f"{row[2] or NO_METHOD} at {row[3]}",
        short_notes=True,
        every=every,
        most=MOST,
        n=sum(len(each.methods) * len(shown[quality]) for quality, each in curves.items()),
    )
    if any(len(shown[quality]) < len(each.scored.settings.ks) for quality, each in curves.items()):
        said = "some ks only; all are in JSON and CSV"
        return replace(table, notes=[*table.notes, said])
    return table


def _at_k(
    measure: PatternMeasure, _quality: str, each: ScoreIntervals, method: str, k: int
) -> Estimate:
    return each.of_method(method, measure, k)


def _shown_ks(ks: Sequence[int], every: bool) -> list[int]:
    """For people the first ones, then fewer and fewer, and the last one."""
    return [k for k in ks if every or k in _FEW or k == ks[-1]]
