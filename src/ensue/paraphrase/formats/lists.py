"""Ranked lists and numbers of lists in files, with findings about odd rows.

A file has a row for each pattern; rows of one list need not stand together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, OutputError
from ensue.files import (
    CHUNK,
    Finding,
    OnFinding,
    OutputRow,
    Row,
    RowFormat,
    RowPlaces,
    Severity,
    ignore_finding,
    open_output,
    output_format,
    read_chunks,
    read_rows,
    row_format,
    shown_name,
    write_rows,
)
from ensue.paraphrase.formats.columns import (
    ColumnRole,
    Gatherer,
    ListRows,
    flattened,
    read_header,
)
from ensue.paraphrase.lists import (
    NO,
    NOT_JUDGED,
    YES,
    Indices,
    Labels,
    ListKey,
    Numbers,
    PatternJudgments,
    RankedLists,
    Strictness,
    contradictions,
    counted,
)

# What is odd about lists that can be read all the same: each kind is told once, with its
# number.

_EXAMPLES = 5
"""Places that a finding names at most."""

Bools = NDArray[np.bool_]


def report_order(
    rows: ListRows,
    key: Numbers,
    order: Indices,
    has_rank: Bools,
    has_confidence: Bools,
    places: RowPlaces,
    on_finding: OnFinding,
) -> None:
    """Report gaps and ties, and lists that several files hold.

    Args:
        rows: As they were read.
        key: What the rows are sorted by, sorted.
        order: The rows, sorted.
        has_rank: Which rows are sorted by their ranks.
        has_confidence: Which rows are sorted by their confidences.
        places: Of the rows, as they were read.
        on_finding: Is told.
    """
    list_of = rows.list_of[order]
    is_first = np.append(True, list_of[1:] != list_of[:-1])
    step = np.where(is_first, key, np.diff(key, prepend=0.0))
    ranked, sure = has_rank[order], has_confidence[order]
    reports = {
        "rank-gaps": (ranked & (step > 1), "a gap in its ranks; the order counts"),
        "tied-ranks": (ranked & (step == 0), "ties of ranks; the order of the file decides"),
        "tied-confidences": (
            sure & ~is_first & (step == 0),
            "ties of confidences; the order of the file decides",
        ),
        "list-in-several-files": (
            ~is_first & (np.diff(rows.files[order], prepend=0) != 0),
            "rows in several files; they make up one list",
        ),
    }
    for code, (which, message) in reports.items():
        if which.any():
            odd = np.flatnonzero(which)
            key_of = rows.keys[list_of[odd[0]]]
            n_lists = len(np.unique(list_of[odd]))
            shown = f"{n_lists} of {len(rows.keys)} lists, e.g. that of {key_of.term!r}"
            _tell(
                on_finding,
                code,
                f"{shown} by {key_of.method!r}, {'have' if n_lists > 1 else 'has'} {message}",
                places[int(order[odd[0]])],
                {
                    "n_lists": n_lists,
                    "places": [places[i] for i in order[odd[:_EXAMPLES]].tolist()],
                },
            )


def report_judgments(lists: RankedLists, on_finding: OnFinding) -> None:
    """Report judges who disagree with themselves, and strict yes with lenient no."""
    found = contradictions(lists)
    if found:
        first = found[0]
        term = lists.keys[lists.list_of[first.yes]].term
        _tell(
            on_finding,
            "judge-contradicts",
            f"judges disagree with themselves, {counted(len(found), 'time')}, e.g. {first.judge!r}"
            f" ({first.strictness}) on {term!r} → {lists.paraphrases[first.yes]!r}:"
            f" yes at {lists.place(first.yes)}, no at {lists.place(first.no)};"
            " the labels count as they are",
            lists.place(first.no),
            {
                "n_contradictions": len(found),
                "places": [
                    [lists.place(each.yes), lists.place(each.no)] for each in found[:_EXAMPLES]
                ],
            },
        )
    _report_strict_not_lenient(lists, on_finding)


def _report_strict_not_lenient(lists: RankedLists, on_finding: OnFinding) -> None:
    if lists.judgments is None or len(lists.judgments.labels) < len(Strictness):
        return
    strict = lists.judgments.labels[Strictness.STRICT]
    lenient = lists.judgments.labels[Strictness.LENIENT]
    odd = np.argwhere((strict == YES) & (lenient == NO))
    if len(odd):
        i, j = odd[0].tolist()
        _tell(
            on_finding,
            "strict-not-lenient",
            f"a strict yes with a lenient no, {counted(len(odd), 'time')}, e.g. by"
            f" {lists.judgments.judges[j]!r} on {lists.paraphrases[i]!r}; they count as they are",
            lists.place(i),
            {
                "n_labels": len(odd),
                "places": [lists.place(k) for k in odd[:_EXAMPLES, 0].tolist()],
            },
        )


def _tell(
    on_finding: OnFinding, code: str, message: str, place: str | None, details: dict[str, Any]
) -> None:
    on_finding(Finding(code, Severity.WARNING, message, place=place, details=details))


# Ranked lists from files with a row for each pattern.

_LINE = 'a line is {"term": …, "paraphrase": …, …}'


def read_lists(
    paths: str | Path | Sequence[str | Path],
    *,
    encoding: str | None = None,
    on_finding: OnFinding = ignore_finding,
    size: int = CHUNK,
) -> RankedLists:
    """Read ranked lists; several files are read as if they were one.

    A list is in the order of its ranks, else of its confidences, the largest first, else in that of
    the file; ties are in the order of the file. The format is told by the end of a file's name, or
    by its first line. Findings: `rank-gaps`, `tied-ranks`, `tied-confidences`,
    `list-in-several-files`, `judge-contradicts`, `strict-not-lenient`, `column-left-out`.

    Args:
        paths: Files, gzip or not, or `-`.
        encoding: Of all files; by the byte-order mark where it is None, else UTF-8.
        on_finding: Is told of problems that do not stop the reading.
        size: How many rows are turned into columns at once.

    Raises:
        DataError: a file is empty or broken, a column lacks, a cell is not what its column says,
            or only some rows of a list have a rank, or a confidence.
    """
    names = [paths] if isinstance(paths, str | Path) else list(paths)
    gatherer = Gatherer(on_finding)
    for file, path in enumerate(names):
        before = gatherer.n_rows
        for chunk in read_chunks(path, encoding, size, hint=_LINE, prepared=flattened):
            gatherer.add(chunk, file)
        if gatherer.n_rows == before:
            raise DataError(
                "file-holds-no-patterns",
                "the file holds no patterns",
                place=shown_name(path),
                hint="each row below the names of the columns is one",
            )
    if not names:
        raise DataError("no-file-lists-read", "there is no file of lists to read")
    return _ranked(gatherer.rows(), [shown_name(path) for path in names], on_finding)


def _ranked(rows: ListRows, names: Sequence[str], on_finding: OnFinding) -> RankedLists:
    """Sort the rows into their lists."""
    places = RowPlaces(names, rows.files, rows.lines)
    has_rank = _by(rows.rank, rows, "rank", places)
    has_confidence = _by(np.where(has_rank, np.nan, rows.confidence), rows, "confidence", places)
    key = np.where(has_rank, rows.rank, np.where(has_confidence, -rows.confidence, 0.0))
    order = np.lexsort((key, rows.list_of))
    report_order(rows, key[order], order, has_rank, has_confidence, places, on_finding)
    sizes = np.bincount(rows.list_of, minlength=len(rows.keys))
    picks = order.tolist()
    lists = RankedLists(
        ", ".join(names),
        rows.keys,
        np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)]),
        [rows.paraphrases[i] for i in picks],
        _judgments(rows, order),
        {name: column[order] for name, column in rows.columns.items()},
        None if rows.sentences is None else [rows.sentences[i] for i in picks],
        RowPlaces(names, rows.files[order], rows.lines[order]),
    )
    report_judgments(lists, on_finding)
    return lists


def _by(values: Numbers, rows: ListRows, what: str, places: RowPlaces) -> NDArray[np.bool_]:
    """Which rows are of lists that have the value throughout.

    Raises:
        DataError: a list has it in some rows only.
    """
    given = ~np.isnan(values)
    n_given = np.bincount(rows.list_of, given, len(rows.keys))
    n_rows = np.bincount(rows.list_of, minlength=len(rows.keys))
    partly = ((n_given > 0) & (n_given < n_rows))[rows.list_of]
    if partly.any():
        i = int(np.flatnonzero(partly & ~given)[0])
        term, method = rows.keys[rows.list_of[i]].term, rows.keys[rows.list_of[i]].method
        raise DataError(
            "row-no-others-list",
            f"this row has no {what}, and others of the list of {term!r} by {method!r} have",
            place=places[i],
            hint=f"give every row of a list a {what}, or none",
        )
    return np.asarray((n_given > 0)[rows.list_of], dtype=np.bool_)


def _judgments(rows: ListRows, order: Indices) -> PatternJudgments | None:
    """Labels as matrices; a strictness that nobody used is left out."""
    judges = tuple(dict.fromkeys(judge for judge, _ in rows.labels))
    found: dict[Strictness, Labels] = {}
    for strictness in Strictness:
        matrix = np.full((len(order), len(judges)), NOT_JUDGED, np.int8)
        for j, judge in enumerate(judges):
            if (judge, strictness) in rows.labels:
                matrix[:, j] = rows.labels[judge, strictness][order]
        if (matrix != NOT_JUDGED).any():
            found[strictness] = matrix
    return PatternJudgments(judges, found) if found else None


# Numbers of lists from files: one row a list, with any columns of numbers.

_KEY = ("term", "method")
_HINT = "columns: term, method, and one for each score or task"


def read_list_numbers(
    path: str | Path, *, encoding: str | None = None, on_finding: OnFinding = ignore_finding
) -> tuple[tuple[ListKey, ...], dict[str, Numbers]]:
    """Read a row for each list: `term`, `method`, and numbers under any other names.

    Args:
        path: In the format of rows that the end of its name says; CSV where that says nothing.
        encoding: Of the file.
        on_finding: Is told of columns that hold no numbers, which are left out.

    Returns:
        The lists, and each column of numbers; NaN where a cell is empty.

    Raises:
        DataError: the file is empty, a list stands there twice, there is no column of numbers, or a
            cell of one is none.
    """
    rows: dict[ListKey, Row] = {}
    for row in read_rows(path, row_format(path) or RowFormat.CSV, encoding):
        key = ListKey(row.needed("term", _HINT), row.text("method"))
        if key in rows:
            raise DataError(
                "list-already",
                f"the list of {key.term!r} by {key.method!r} is at {rows[key].place} already",
                place=row.place,
                hint="one row for each term and method",
            )
        rows[key] = row
    names = dict.fromkeys(name for row in rows.values() for name in row.values if name not in _KEY)
    columns = {name: _column(name, list(rows.values())) for name in names}
    texts = [name for name, column in columns.items() if column is None]
    if texts:
        message = f"columns that hold no numbers are left out: {', '.join(texts)}"
        place = shown_name(path)
        on_finding(Finding("column-left-out", Severity.NOTE, message, place=place))
    found = {name: column for name, column in columns.items() if column is not None}
    if not found:
        raise DataError(
            "file-no-numbers-lists",
            "the file has no numbers of lists",
            place=shown_name(path),
            hint=_HINT,
        )
    return tuple(rows), found


def _column(name: str, rows: Sequence[Row]) -> Numbers | None:
    """The numbers of a column, NaN where there is none; None where no cell is a number."""
    if not any(_is_number(row.text(name)) for row in rows):
        return None
    numbers = [row.number(name) for row in rows]
    return np.array([np.nan if number is None else number for number in numbers], np.float64)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# Ranked lists written such that reading gives them back.

_LABELS = "labels"
"""Under which JSONL has what judges say; so it can be no other column's name."""
_WHOLE = 2.0**53
"""Integers below this are numbers without rounding."""

Columns = Mapping[str, Sequence[str | float | None]]
JudgeColumns = Mapping[tuple[str, Strictness], Sequence[bool | None]]


def write_lists(
    path: str | Path, lists: RankedLists, format: RowFormat | str | None = None
) -> None:
    """Write lists, a row for each pattern; the file appears whole or not at all.

    A list without patterns has no row, so that it is not there when the file is read. Blanks around
    a text are not kept.

    Args:
        path: A file, packed where its name ends in `.gz`, or `-` for standard output.
        lists: What to write.
        format: By the name where it is None, and TSV on standard output.

    Raises:
        OutputError: the place cannot be written, or the format cannot hold something.
        SettingError: the format is unknown.
    """
    kind = output_format(path, format, what="lists")
    columns, said = _columns(lists), _said(lists)
    _check_names(lists, columns, said)
    is_nested = kind is RowFormat.JSONL and bool(said)
    labels = [_LABELS] if is_nested else [f"{judge}.{strictness}" for judge, strictness in said]
    names = [*columns, *labels]
    rows = _nested_rows(columns, said) if is_nested else _flat_rows(columns, said)
    with open_output(path) as file:
        write_rows(file, names, rows, format=kind, numbers=set(names) - _TEXTS)


_TEXTS = {role.value for role in ColumnRole} - {"rank", "confidence"}


def _flat_rows(columns: Columns, said: JudgeColumns) -> Iterator[OutputRow]:
    codes = [[None if label is None else int(label) for label in each] for each in said.values()]
    return zip(*columns.values(), *codes, strict=True)


def _nested_rows(columns: Columns, said: JudgeColumns) -> Iterator[OutputRow]:
    labels = zip(*said.values(), strict=True)
    for cells, row in zip(zip(*columns.values(), strict=True), labels, strict=True):
        yield (*cells, _by_judge(said, row))


def _columns(lists: RankedLists) -> dict[str, Sequence[str | float | None]]:
    """All but the labels, in the order in which a person reads them."""
    keys = [lists.keys[k] for k in lists.list_of.tolist()]
    numbers = {name: _numbers(name, column) for name, column in lists.columns.items()}
    found: dict[str, Sequence[str | float | None]] = {
        ColumnRole.TERM.value: _needed("term", [key.term for key in keys]),
        ColumnRole.METHOD.value: [key.method for key in keys],
        ColumnRole.RANK.value: lists.ranks.tolist(),
    }
    if ColumnRole.CONFIDENCE in numbers:
        found[ColumnRole.CONFIDENCE.value] = numbers.pop(ColumnRole.CONFIDENCE)
    found[ColumnRole.PARAPHRASE.value] = _needed("paraphrase", lists.paraphrases)
    for name in numbers:
        if name in (*ColumnRole, _LABELS):
            raise OutputError(
                "column-numbers-cannot-called", f"a column of numbers cannot be called {name!r}"
            )
    found |= numbers
    if lists.sentences is not None:
        found[ColumnRole.SENTENCE.value] = lists.sentences
    return found


def _needed(what: str, texts: Sequence[str]) -> Sequence[str]:
    if not all(text.strip() for text in texts):
        raise OutputError(
            "empty-not-read-again", f"a {what} is empty, and so could not be read again"
        )
    return texts


def _numbers(name: str, column: Numbers) -> list[float | None]:
    """Numbers, integers as such, None for NaN."""
    if np.isinf(column).any():
        raise OutputError(
            "column-holds-number-not", f"the column {name!r} holds a number that is not finite"
        )
    return [
        None if math.isnan(value) else int(value) if _is_whole(value) else value
        for value in column.tolist()
    ]


def _is_whole(value: float) -> bool:
    return value.is_integer() and abs(value) < _WHOLE


def _said(lists: RankedLists) -> dict[tuple[str, Strictness], list[bool | None]]:
    """What each judge says, judge after judge."""
    if lists.judgments is None:
        return {}
    return {
        (judge, strictness): _truths(lists.judgments.labels[strictness][:, j])
        for j, judge in enumerate(lists.judgments.judges)
        for strictness in Strictness
        if strictness in lists.judgments.labels
    }


def _truths(codes: Labels) -> list[bool | None]:
    meaning = {YES: True, NO: False}
    return [meaning.get(code) for code in codes.tolist()]


def _check_names(lists: RankedLists, columns: Columns, said: JudgeColumns) -> None:
    """See that reading takes each column for what it is."""
    names = [*columns, *(f"{judge}.{strictness}" for judge, strictness in said)]
    try:
        header = read_header([name.strip() for name in names], "")
        others = tuple(name for name in lists.columns if name != ColumnRole.CONFIDENCE)
        as_meant = header.others == others and tuple(header.labels) == tuple(said)
    except DataError:
        as_meant = False
    if not as_meant or not all(names):
        raise OutputError(
            "names-columns-not-read",
            f"the names of columns could not be read again: {', '.join(map(repr, names))}",
            hint="a judge has a name, and a column of numbers is called as nothing else is",
        )


def _by_judge(
    said: JudgeColumns, row: tuple[bool | None, ...]
) -> dict[str, dict[str, bool | None]]:
    found: dict[str, dict[str, bool | None]] = {}
    for (judge, strictness), label in zip(said, row, strict=True):
        found.setdefault(judge, {})[strictness.value] = label
    return found
