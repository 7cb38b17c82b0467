"""Human judgments from files: rows of any format, WMT's of 2007 to 2014, METEOR's pair lists.

A row is about one output (`segment`, `system`, and one or more of `score`, `adequacy` and
`fluency`), or in JSONL about several (`segment`, and `ranks`: system → rank). `language_pair` and
`judge` may be there. A `score` is a direct assessment.

A row of WMT 2007 and 2008 is TASK, TYPE, ITEM_ID, ANNOTATOR_ID, TIME, and then for each system its name, SCORE_A and
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from ensue.errors import DataError
from ensue.files import (
    Finding,
    OnFinding,
    Row,
    RowFormat,
    Severity,
    decoded_lines,
    delimited_rows,
    finite,
    ignore_finding,
    open_input,
    read_columns,
    read_rows,
    row_format,
    shown_name,
)
from ensue.translation.formats.directories import canonical_pair, language_code
from ensue.translation.formats.segment_files import KINDS, SegmentFile, assessments_of
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    TranslationJudgments,
)

# What a file of judgments gives before it is known which outputs are at hand.


@dataclass(frozen=True, slots=True)
class FileJudgment:
    """A judgment, as its file has it: pair, segment and system may still be called otherwise."""

    judgment: HumanRanking | Assessment
    test_set: str = ""
    """Empty where the file does not say which."""


def left_out(code: str, message: str, place: str, n_judgments: int) -> Finding:
    """A finding about judgments that are not used."""
    return Finding(code, Severity.NOTE, message, place=place, details={"n_judgments": n_judgments})


def report_blank(n_blank: int, name: str, on_finding: OnFinding) -> None:
    """Report judgments in which nothing was judged, where there are any."""
    if n_blank:
        message = f"{n_blank} judgments say nothing of any output and are left out"
        on_finding(left_out("blank-judgment", message, name, n_blank))


def ranks_of(
    ranked: Sequence[tuple[str, int]], place: str, on_finding: OnFinding
) -> dict[str, int]:
    """Each system's rank in one judgment; a system that is there twice is reported.

    Raises:
        DataError: a system has two different ranks.
    """
    ranks: dict[str, int] = {}
    for system, rank in ranked:
        if system not in ranks:
            ranks[system] = rank
        elif ranks[system] != rank:
            raise DataError(
                "system-ranks-judgment",
                f"system {system!r} has the ranks {ranks[system]} and {rank} in one judgment",
                place=place,
                hint="a judgment gives each system one rank",
            )
        else:
            message = f"system {system!r} is twice in one judgment, with one rank; it counts once"
            on_finding(Finding("repeated-system", Severity.WARNING, message, place=place))
    return ranks


def whole_number(text: str, what: str, place: str, hint: str | None = None) -> int:
    """A text as a whole number.

    Raises:
        DataError: it is none.
    """
    try:
        return int(text)
    except ValueError:
        raise DataError(
            "no-number", f"the {what} is no number: {text!r}", place=place, hint=hint
        ) from None


def line_number(text: str, place: str) -> str:
    """The number of a segment's line, from 1, as its id.

    Raises:
        DataError: it is no number, or less than 1.
    """
    number = whole_number(text, "segment", place, "segments are numbered from 1")
    if number < 1:
        raise DataError(
            "no-segment",
            f"there is no segment {number}",
            place=place,
            hint="segments are numbered from 1",
        )
    return str(number)


# Rankings of WMT 2009 to 2014 (CSV), and pair lists as METEOR is trained on (`.rank`).

NEEDED = frozenset({"srclang", "trglang", "srcindex", "system1id", "system1rank"})
"""Columns by which the CSV is known, in lower case."""

_SYSTEM = re.compile(r"system(\d+)id")
_NOT_RANKED = -1
_PAIR_FIELDS = 5


def read_rankings(
    path: str | Path, format: RowFormat, *, encoding: str | None = None, on_finding: OnFinding
) -> Iterator[FileJudgment]:
    """Yield the rankings of a table in the form of WMT 2009 to 2014.

    A rank of -1, or none, is an output that was not ranked. A row in which none was ranked is
    left out, and reported.

    Raises:
        DataError: a language, a segment or a rank is none; the place is `file:line`.
    """
    n_blank = 0
    for row in read_rows(path, format, encoding):
        lowered = Row(row.place, {column.lower(): cell for column, cell in row.values.items()})
        ranks = ranks_of(_ranked(lowered), row.place, on_finding)
        if not ranks:
            n_blank += 1
            continue
        pair = f"{_language(lowered, 'srclang')}-{_language(lowered, 'trglang')}"
        segment = line_number(lowered.needed("srcindex"), row.place)
        yield FileJudgment(HumanRanking(pair, segment, lowered.text("judgeid"), ranks, row.place))
    report_blank(n_blank, shown_name(path), on_finding)


def _language(row: Row, column: str) -> str:
    name = row.needed(column)
    code = language_code(name)
    if code is None:
        raise DataError(
            "no-language-called",
            f"no language is called {name!r}",
            place=row.place,
            hint="write its English name or its ISO 639 code, e.g. Czech, cs or ces",
        )
    return code


def _ranked(row: Row) -> list[tuple[str, int]]:
    """The systems that were ranked, with their ranks, in the order of the columns."""
    ranked = []
    for column in row.values:
        number = _SYSTEM.fullmatch(column)
        text = row.text(f"system{number[1]}rank") if number else ""
        if not text:
            continue
        rank = rank_of(text, row.place)
        if rank is not None:
            ranked.append((row.needed(column), rank))
    return ranked


def rank_of(text: str, place: str) -> int | None:
    """A rank from 1 on; None for -1, which says that there is none.

    Raises:
        DataError: it is neither.
    """
    rank = whole_number(text, "rank", place, "1 is best, -1 is not ranked")
    if rank == _NOT_RANKED:
        return None
    if rank < 1:
        raise DataError(
            "no-rank", f"{rank} is no rank", place=place, hint="1 is best, -1 is not ranked"
        )
    return rank


def read_pair_list(path: str | Path, *, encoding: str | None = None) -> Iterator[FileJudgment]:
    """Yield a ranking of two outputs for each line of a pair list.

    A line has, with tabs between them: segment, language pair, better system, language pair, worse
    system. Nothing says who judged.

    Raises:
        DataError: a line is none; the place is `file:line`.
    """
    name = shown_name(path)
    n_lines = 0
    with open_input(path) as file:
        for number, line in decoded_lines(file, name, encoding):
            if line.strip():
                n_lines += 1
                yield FileJudgment(_preference(line.strip().split("\t"), f"{name}:{number}"))
    if not n_lines:
        raise DataError("file-empty", "the file is empty", place=name, hint="one preference a line")


def _preference(fields: Sequence[str], place: str) -> HumanRanking:
    if len(fields) != _PAIR_FIELDS:
        raise DataError(
            "fields-line-not",
            f"{len(fields)} fields in this line, not {_PAIR_FIELDS}",
            place=place,
            hint="segment, pair, better system, pair, worse system, with tabs between them",
        )
    segment, pair, better, other_pair, worse = (field.strip() for field in fields)
    if canonical_pair(pair) != canonical_pair(other_pair):
        raise DataError(
            "output-compared",
            f"an output of {pair!r} is compared with one of {other_pair!r}",
            place=place,
        )
    if better == worse:
        raise DataError(
            "system-compared-itself", f"system {better!r} is compared with itself", place=place
        )
    return HumanRanking(pair, line_number(segment, place), "", {better: 1, worse: 2}, place)


# The judgments of WMT 2007 and 2008: adequacy and fluency, ranks, and constituents.

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
) -> Iterator[FileJudgment]:
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
        rows = delimited_rows(file, name, encoding, RowFormat.CSV)
        next(rows, None)
        for line, cells in rows:
            yield _line(cells, f"{name}:{line}")


def _line(cells: list[str], place: str) -> _Line:
    fixed, rest = cells[: len(HEADER)], cells[len(HEADER) :]
    if len(fixed) < len(HEADER) or len(rest) % 3:
        raise DataError(
            "fields-row",
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
        raise DataError(
            "no-type-judgment-called",
            f"no type of judgment is called {text!r}",
            place=place,
            hint=hint,
        ) from None


def _task(text: str, place: str) -> _Task:
    task = _known_task(text)
    if task is None:
        raise DataError(
            "task-none-wmt",
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


def _judgments(line: _Line, on_finding: OnFinding) -> Iterator[FileJudgment]:
    if line.type is _Type.SCORES:
        for assessment in _assessments(line):
            yield FileJudgment(assessment, line.task.test_set)
        return
    segment = str(line.item + 1)
    if line.type is _Type.CONSTITUENT:
        segment = f"constituent-{line.item}"
    given = [(system, _rank(a, line)) for system, a, _ in line.scored if a not in ("", _NOT_GIVEN)]
    ranks = ranks_of(given, line.place, on_finding)
    if ranks:
        yield FileJudgment(
            HumanRanking(line.task.language_pair, segment, line.judge, ranks, line.place),
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
        raise DataError(
            "is-not-from-to", f"the {what} {score} is not from 1 to {_POINTS}", place=place
        )
    return score


# Judgments as rows, and as one score a line.

_ROW_HINT = "a row has segment, system, and score, adequacy or fluency; or segment and ranks"


def read_judged_rows(
    path: str | Path, format: RowFormat, *, encoding: str | None = None, on_finding: OnFinding
) -> Iterator[FileJudgment]:
    """Yield the judgments of a file of rows; a row without any is left out, and reported.

    Raises:
        DataError: a row is not as it has to be; the place is `file:line`.
    """
    n_blank = 0
    for row in read_rows(path, format, encoding):
        found = [FileJudgment(each) for each in _row_judgments(row, on_finding)]
        n_blank += not found
        yield from found
    report_blank(n_blank, shown_name(path), on_finding)


def _row_judgments(row: Row, on_finding: OnFinding) -> Iterator[HumanRanking | Assessment]:
    if "ranks" in row.values:
        ranking = _ranking(row, on_finding)
        if ranking.ranks:
            yield ranking
    elif any(column in row.values for column in KINDS):
        yield from assessments_of(
            row,
            row.text("language_pair"),
            row.needed("segment", _ROW_HINT),
            row.needed("system", _ROW_HINT),
        )
    else:
        raise DataError(
            "row-holds-no-judgment", "this row holds no judgment", place=row.place, hint=_ROW_HINT
        )


def _ranking(row: Row, on_finding: OnFinding) -> HumanRanking:
    given = row.values["ranks"]
    if not isinstance(given, Mapping):
        raise DataError(
            "ranks-no-object", f"'ranks' is no object: {given!r}", place=row.place, hint=_ROW_HINT
        )
    cells = Row(row.place, given)
    found = [(system, rank_of(cells.text(system), row.place)) for system in given]
    ranked = [(system, rank) for system, rank in found if rank is not None]
    return HumanRanking(
        row.text("language_pair"),
        row.needed("segment", _ROW_HINT),
        row.text("judge"),
        ranks_of(ranked, row.place, on_finding),
        row.place,
    )


def read_score_lines(file: SegmentFile) -> Iterator[tuple[str, float]]:
    """Each line's score with its place, as `DAseg.….human.…` has them.

    Raises:
        DataError: a line is no finite number.
    """
    for line, text in file.located_texts():
        place = f"{shown_name(file.path)}:{line}"
        yield place, finite(text.strip(), "score", place)


# Reading judgments, whatever the format of the file.

_FORMAT_HINT = (
    "judgments are CSV as WMT writes it, a .rank list of pairs, or rows: JSONL, CSV, TSV, Parquet"
)


def read_judgments(
    path: str | Path,
    *,
    constituents: bool = False,
    encoding: str | None = None,
    on_finding: OnFinding | None = None,
) -> TranslationJudgments:
    """Read judgments without the texts that they are about.

    Systems and pairs are called as the file calls them. Where the file says which test set a
    segment belongs to, its name stands before the segment: `newstest2008:754`.

    Args:
        path: A file of judgments, packed with gzip or not.
        constituents: Give WMT07's and WMT08's rankings of phrases, instead of those of segments.
        encoding: Overrides what the file says of itself.
        on_finding: Is told what is left out.

    Raises:
        DataError: the file cannot be read as judgments; the place is `file:line`.
    """
    found = judged_of(
        path, constituents=constituents, encoding=encoding, on_finding=on_finding or ignore_finding
    )
    return gathered(
        replace(each.judgment, segment=f"{each.test_set}:{each.judgment.segment}")
        if each.test_set
        else each.judgment
        for each in found
    )


def gathered(judgments: Iterable[HumanRanking | Assessment]) -> TranslationJudgments:
    """Rankings and assessments, each in their order."""
    rankings: list[HumanRanking] = []
    assessments: list[Assessment] = []
    for judgment in judgments:
        if isinstance(judgment, HumanRanking):
            rankings.append(judgment)
        else:
            assessments.append(judgment)
    return TranslationJudgments(tuple(rankings), tuple(assessments))


def judged_of(
    path: str | Path,
    *,
    constituents: bool = False,
    encoding: str | None = None,
    on_finding: OnFinding,
) -> Iterator[FileJudgment]:
    """The judgments of a file, by its name and its first line.

    Raises:
        DataError: it is in no format of judgments, or broken.
    """
    if str(path).removesuffix(".gz").endswith(".rank"):
        return read_pair_list(path, encoding=encoding)
    format = row_format(path)
    if format is None:
        raise DataError(
            "cannot-tell-format-judgments",
            "cannot tell the format of these judgments",
            place=str(path),
            hint=_FORMAT_HINT,
        )
    header = read_columns(path, format, encoding)
    if tuple(header[: len(HEADER)]) == HEADER:
        return read_campaign(
            path, constituents=constituents, encoding=encoding, on_finding=on_finding
        )
    if {column.lower() for column in header} >= NEEDED:
        return read_rankings(path, format, encoding=encoding, on_finding=on_finding)
    return read_judged_rows(path, format, encoding=encoding, on_finding=on_finding)
