"""Mean scores of methods and their differences, as tables, and what other tables say of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ensue.paraphrase.model import NOT_JUDGED
from ensue.paraphrase.scores.intervals import MethodDifference, ScoreIntervals
from ensue.paraphrase.scores.settings import MEASURES, PatternMeasure
from ensue.reports.contents.entries import Lack, Row, interval_notes, lack_of, shown_estimate
from ensue.reports.contents.paraphrase.cutting import (
    NO_METHOD,
    dash_notes,
    method_notes,
    why_undefined,
)
from ensue.reports.model import Column, Interval, Table

Scores = Mapping[str, ScoreIntervals]
"""The same lists scored by each quality, by what people call it, e.g. `strict`."""
WHY = Column("undefined", title="why undefined")

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
    columns = [Column("quality"), Column("method"), Column("lists"), *measure_columns(scores)]
    rows: list[Row] = []
    lacks: list[Lack] = []
    for quality, each in scores.items():
        several = [None] if len(each.methods) > 1 else []
        for method in (*each.methods, *several):
            found = [each.of_method(method, *place) for place in places(scores)]
            n_lists = int(each.scored.of_method(method).sum())
            name = _ALL if method is None else method
            why: Row = [why_undefined(found)] if every else []
            rows.append([quality, name or None, n_lists, *map(shown_estimate, found), *why])
            lacks += [lack for one in found for lack in lack_of(name or NO_METHOD, one)]
    notes = [
        "means over the lists that define them",
        *mean_notes(scores),
        *judge_notes(scores),
        *_recipes(scores),
        *dash_notes(lacks, every=every),
        *methodless(scores),
    ]
    columns += [WHY] if every else []
    return Table("methods", "Scores of methods", columns, rows, notes)


def differences_table(scores: Scores, *, every: bool = True) -> Table:
    """Every two methods: the difference of their means over the terms that both have."""
    columns = [
        Column("quality"),
        Column("measure"),
        Column("k"),
        Column("first"),
        Column("second"),
        Column("terms"),
        Column("difference", digits=3, signed=True),
        Column("p", digits=4),
        Column("p_holm", title="p (Holm)", digits=4),
        *([WHY] if every else []),
    ]
    found = [(quality, one) for quality, each in scores.items() for one in each.differences]
    shown = found if every else _few(found)
    rows = [_difference_row(quality, one, every) for quality, one in shown]
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
    return Table("differences", "Do methods differ?", columns, rows, notes)


def _without_draws(scores: Scores) -> bool:
    return any(each.draws == 0 and each.means_reason is None for each in scores.values())


def _few(found: Sequence[tuple[str, MethodDifference]]) -> Sequence[tuple[str, MethodDifference]]:
    if len(found) <= _MOST_DIFFERENCES:
        return found
    largest = max(one.k for _, one in found)
    return [each for each in found if each[1].k == largest]


def _difference_row(quality: str, one: MethodDifference, every: bool) -> Row:
    found = one.difference
    row: Row = [
        quality,
        one.measure.value,
        one.k,
        one.first or None,
        one.second or None,
        one.n_terms,
        Interval(found.value, found.low, found.high),
        found.p,
        one.p_holm,
    ]
    return [*row, found.reason] if every else row


def places(scores: Scores) -> list[tuple[PatternMeasure, int]]:
    """The measures, each at every k; the ks are those of the first quality."""
    first = next(iter(scores.values()))
    return [(measure, k) for measure in MEASURES for k in first.scored.settings.ks]


def measure_columns(scores: Scores) -> list[Column]:
    """One for each measure and k, e.g. `ep_10`."""
    return [
        Column(f"{measure.value.lower()}_{k}", title=f"{measure.value}_{k}", digits=3)
        for measure, k in places(scores)
    ]


def mean_notes(scores: Scores) -> Iterator[str]:
    """What the intervals of means are over, or why there are none."""
    first = next(iter(scores.values()))
    if first.means_reason:
        yield f"no intervals: {first.means_reason}"
        return
    if not first.draws:
        yield "no intervals: nothing was drawn"
    by_over: dict[str, list[str]] = {}
    for quality, each in scores.items():
        by_over.setdefault(over_what(each), []).append(quality)
    for over, qualities in by_over.items():
        for note in interval_notes(first.draws, first.level, first.seed, over=over):
            yield f"{', '.join(qualities)}: {note}" if len(by_over) > 1 else note


def judge_notes(scores: Scores) -> list[str]:
    """How far intervals over judges are to be believed, where judges were drawn."""
    drawn = [each for each in scores.values() if each.draws and each.lists_reason is None]
    if not drawn:
        return []
    upward = f"DIMPLE's intervals lean upward, as {_WHY_UPWARD}"
    n_judges = min(_n_judges(each) for each in drawn)
    if n_judges >= _MANY_JUDGES:
        return [upward]
    level = f"{drawn[0].level * 100:g} %"
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
