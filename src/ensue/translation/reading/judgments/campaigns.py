"""The judgments of WMT 2007 and 2008: adequacy and fluency, ranks, and constituents.

A row is TASK, TYPE, ITEM_ID, ANNOTATOR_ID, TIME, and then for each system its name, SCORE_A and
SCORE_B. The files do not say what the numbers mean. What the data show:

- NIST is WMT07's scoring on two scales of five points. A is *taken to be* adequacy and B fluency,
  the order in which they are usually named. That is a reading and not documented: it fits that A is
  the higher one for 84 of the 88 systems and tasks (means 3.35 and 2.91), but does not follow from
  it. Where the two are averaged it makes no difference.
- RANK has 1 for the best in WMT08, but **5 for the best in WMT07**: there the mean ranks of the 88
  systems and tasks correlate with their mean adequacy by +0.86. Ours are 6 − score for WMT07.
- CONSTITUENT ranks translations of phrases, and its ITEM_ID is another count (it goes beyond
  16,000): a kind of its own, given only on demand. CONSTITUENT_ACCEPT has the values 1 to 3, is
  no ranking, and is left out.
- ITEM_ID counts a test set's lines from 0, its smallest value, so the segment is one more. It
  recurs in each domain, so the test set is part of what is judged.
- `-` is a score that was not given.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from ensue.errors import DataError
from ensue.pairs.files import open_input, shown_name
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.rows import RowFormat, delimited
from ensue.translation.model import Assessment, AssessmentKind, Ranking
from ensue.translation.reading.judgments.judged import (
    Judged,
    left_out,
    ranks_of,
    report_blank,
    whole_number,
)
from ensue.translation.reading.languages import language_code

HEADER = ("TASK", "TYPE", "ITEM_ID", "ANNOTATOR_ID", "TIME")
"""How the first line begins."""

_TASK = re.compile(r"WMT(\d\d) (\w+)-(\w+) (.+)")
_POINTS = 5
_NOT_GIVEN = "-"
_TEST_SETS = {
    ("07", "Europarl"): "test2007",
    ("07", "News Commentary"): "nc-test2007",
    ("08", "Europarl"): "test2008",
    ("08", "News"): "newstest2008",
    ("08", "Commentary"): "nc-test2008",
}
"""The year and the domain of a task → the name under which WMT gave out its texts."""


class _Type(StrEnum):
    SCORES = "NIST"
    RANK = "RANK"
    CONSTITUENT = "CONSTITUENT"
    ACCEPTANCE = "CONSTITUENT_ACCEPT"


@dataclass(frozen=True, slots=True)
class _Task:
    language_pair: str
    test_set: str
    best_is_largest: bool


@dataclass(frozen=True, slots=True)
class _Line:
    task: _Task
    type: _Type
    item: int
    judge: str
    scored: tuple[tuple[str, str, str], ...]
    """System, A and B."""
    place: str


def read_campaign(
    path: str | Path,
    *,
    constituents: bool = False,
    encoding: str | None = None,
    on_finding: OnFinding,
) -> Iterator[Judged]:
    """Yield the judgments of whole segments, or with `constituents` the rankings of phrases alone.

    Raises:
        DataError: a row is not as the campaign's are; the place is `file:line`.
    """
    name = shown_name(path)
    skipped: Counter[_Type] = Counter()
    wanted = {_Type.CONSTITUENT} if constituents else {_Type.SCORES, _Type.RANK}
    n_blank = n_not_given = 0
    for line in _lines(path, name, encoding):
        if line.type not in wanted:
            skipped[line.type] += 1
            continue
        found = list(_judgments(line, on_finding))
        n_blank += not found
        n_not_given += sum(text == _NOT_GIVEN for each in line.scored for text in each[1:])
        yield from found
    report_blank(n_blank, name, on_finding)
    if n_not_given:
        message = f"{n_not_given} scores were not given and are left out"
        on_finding(left_out("score-not-given", message, name, n_not_given))
    for type_, n_lines in skipped.items():
        message = f"{n_lines} judgments of the type {type_.value} are left out"
        on_finding(left_out("other-judgment-type", message, name, n_lines))


def _lines(path: str | Path, name: str, encoding: str | None) -> Iterator[_Line]:
    with open_input(path) as file:
        rows = delimited(file, name, RowFormat.CSV, encoding)
        next(rows, None)
        for line, cells in rows:
            yield _line(cells, f"{name}:{line}")


def _line(cells: list[str], place: str) -> _Line:
    fixed, rest = cells[: len(HEADER)], cells[len(HEADER) :]
    if len(fixed) < len(HEADER) or len(rest) % 3:
        raise DataError(
            f"{len(cells)} fields in this row",
            place=place,
            hint="five fields, and three for each system: its name, SCORE_A and SCORE_B",
        )
    task, type_, item, judge, _ = (cell.strip() for cell in fixed)
    scored = [(cell.strip() for cell in rest[i : i + 3]) for i in range(0, len(rest), 3)]
    return _Line(
        _task(task, place),
        _type(type_, place),
        whole_number(item, "ITEM_ID", place),
        judge,
        tuple((system, a, b) for system, a, b in scored if system),
        place,
    )


def _type(text: str, place: str) -> _Type:
    try:
        return _Type(text)
    except ValueError:
        hint = f"known are: {', '.join(_Type)}"
        raise DataError(f"no type of judgment is called {text!r}", place=place, hint=hint) from None


def _task(text: str, place: str) -> _Task:
    task = _known_task(text)
    if task is None:
        raise DataError(
            f"the task {text!r} is none of WMT 2007 and 2008",
            place=place,
            hint="e.g. 'WMT08 French-English News'",
        )
    return task


@lru_cache(maxsize=256)
def _known_task(text: str) -> _Task | None:
    match = _TASK.fullmatch(text)
    if match is None:
        return None
    year, source, target, domain = match.groups()
    codes = (language_code(source), language_code(target))
    test_set = _TEST_SETS.get((year, domain))
    if test_set is None or not all(codes):
        return None
    return _Task(f"{codes[0]}-{codes[1]}", test_set, best_is_largest=year == "07")


def _judgments(line: _Line, on_finding: OnFinding) -> Iterator[Judged]:
    if line.type is _Type.SCORES:
        for assessment in _assessments(line):
            yield Judged(assessment, line.task.test_set)
        return
    segment = str(line.item + 1)
    if line.type is _Type.CONSTITUENT:
        segment = f"constituent-{line.item}"
    given = [(system, _rank(a, line)) for system, a, _ in line.scored if a not in ("", _NOT_GIVEN)]
    ranks = ranks_of(given, line.place, on_finding)
    if ranks:
        yield Judged(
            Ranking(line.task.language_pair, segment, line.judge, ranks, line.place),
            line.task.test_set,
        )


def _rank(text: str, line: _Line) -> int:
    score = _score(text, "rank", line.place)
    return _POINTS + 1 - score if line.task.best_is_largest else score


def _assessments(line: _Line) -> Iterator[Assessment]:
    for system, adequacy, fluency in line.scored:
        for kind, text in (
            (AssessmentKind.ADEQUACY, adequacy),
            (AssessmentKind.FLUENCY, fluency),
        ):
            if text not in ("", _NOT_GIVEN):
                score = float(_score(text, kind.value, line.place))
                segment = str(line.item + 1)
                yield Assessment(
                    line.task.language_pair, segment, system, line.judge, kind, score, line.place
                )


def _score(text: str, what: str, place: str) -> int:
    score = whole_number(text, what, place)
    if not 1 <= score <= _POINTS:
        raise DataError(f"the {what} {score} is not from 1 to {_POINTS}", place=place)
    return score
