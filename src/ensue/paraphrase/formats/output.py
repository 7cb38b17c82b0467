"""Ranked lists written such that reading gives them back."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import IO

import numpy as np

from ensue.errors import DataError, OutputError, SettingError
from ensue.files import STANDARD, RowFormat, open_text_output, row_format
from ensue.paraphrase.formats.columns import ColumnRole, read_header
from ensue.paraphrase.lists import NO, YES, Labels, Numbers, RankedLists, Strictness

_LABELS = "labels"
"""Under which JSONL has what judges say; so it can be no other column's name."""
_WHOLE = 2.0**53
"""Integers below this are numbers without rounding."""

Cell = str | float | bool | None
Columns = Mapping[str, Sequence[Cell]]
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
    kind = _format(path, format)
    columns, said = _columns(lists), _said(lists)
    _check_names(lists, columns, said)
    with open_text_output(path) as file:
        if kind is RowFormat.JSONL:
            _write_jsonl(file, columns, said)
        elif kind is RowFormat.TSV:
            _write_tsv(file, _table(columns, said))
        else:
            _write_csv(file, _table(columns, said))


def _format(path: str | Path, format: RowFormat | str | None) -> RowFormat:
    if format is not None:
        if format not in list(RowFormat):
            raise SettingError(
                f"no format of lists is called {str(format)!r}",
                hint=f"known are: {', '.join(RowFormat)}",
            )
        return RowFormat(format)
    known = RowFormat.TSV if str(path) == STANDARD else row_format(path)
    if known is None:
        raise SettingError(
            f"no format of lists is known by the end of {str(path)!r}",
            hint="end the name in .tsv, .csv or .jsonl, or name one with --format",
        )
    return known


def _columns(lists: RankedLists) -> dict[str, Sequence[Cell]]:
    """All but the labels, in the order in which a person reads them."""
    keys = [lists.keys[k] for k in lists.list_of.tolist()]
    numbers = {name: _numbers(name, column) for name, column in lists.columns.items()}
    found: dict[str, Sequence[Cell]] = {
        ColumnRole.TERM.value: _needed("term", [key.term for key in keys]),
        ColumnRole.METHOD.value: [key.method for key in keys],
        ColumnRole.RANK.value: lists.ranks.tolist(),
    }
    if ColumnRole.CONFIDENCE in numbers:
        found[ColumnRole.CONFIDENCE.value] = numbers.pop(ColumnRole.CONFIDENCE)
    found[ColumnRole.PARAPHRASE.value] = _needed("paraphrase", lists.paraphrases)
    for name in numbers:
        if name in (*ColumnRole, _LABELS):
            raise OutputError(f"a column of numbers cannot be called {name!r}")
    found |= numbers
    if lists.sentences is not None:
        found[ColumnRole.SENTENCE.value] = lists.sentences
    return found


def _needed(what: str, texts: Sequence[str]) -> Sequence[str]:
    if not all(text.strip() for text in texts):
        raise OutputError(f"a {what} is empty, and so could not be read again")
    return texts


def _numbers(name: str, column: Numbers) -> list[float | None]:
    """Numbers, integers as such, None for NaN."""
    if np.isinf(column).any():
        raise OutputError(f"the column {name!r} holds a number that is not finite")
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
        (judge, strictness): _labels(lists.judgments.labels[strictness][:, j])
        for j, judge in enumerate(lists.judgments.judges)
        for strictness in Strictness
        if strictness in lists.judgments.labels
    }


def _labels(codes: Labels) -> list[bool | None]:
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
            f"the names of columns could not be read again: {', '.join(map(repr, names))}",
            hint="a judge has a name, and a column of numbers is called as nothing else is",
        )


def _table(columns: Columns, said: JudgeColumns) -> Iterator[list[str]]:
    """The names, then the rows."""
    yield [*columns, *(f"{judge}.{strictness}" for judge, strictness in said)]
    for row in zip(*columns.values(), *said.values(), strict=True):
        yield [_printed(cell) for cell in row]


def _printed(cell: Cell) -> str:
    if cell is None:
        return ""
    return str(int(cell)) if isinstance(cell, bool) else str(cell)


def _write_tsv(file: IO[str], rows: Iterator[list[str]]) -> None:
    for row in rows:
        line = "\t".join(row)
        if line.count("\t") >= len(row) or any(mark in line for mark in "\r\n"):
            raise OutputError(
                f"a tab or a line break is in this row, which TSV cannot hold: {row!r}",
                hint="write it as CSV or JSONL",
            )
        file.write(_checked(line) + "\n")


def _write_csv(file: IO[str], rows: Iterator[list[str]]) -> None:
    plain = csv.writer(file, lineterminator="\n")
    quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        line = _checked("".join(row))
        # the module does not quote a carriage return of its own accord, and chokes on it later
        (quoted if "\r" in line else plain).writerow(row)


def _checked(line: str) -> str:
    """A line that can be read again.

    Raises:
        OutputError: it holds a NUL or half a character.
    """
    if "\0" in line or any("\ud800" <= each <= "\udfff" for each in _odd(line)):
        raise OutputError(f"a NUL or half a character is in this row: {line!r}")
    return line


def _odd(line: str) -> str:
    return "" if line.isascii() else line


def _write_jsonl(file: IO[str], columns: Columns, said: JudgeColumns) -> None:
    labels = zip(*said.values(), strict=True) if said else repeat(())
    for cells, row in zip(zip(*columns.values(), strict=True), labels, strict=False):
        record: dict[str, object] = dict(zip(columns, cells, strict=True))
        if said:
            record[_LABELS] = _by_judge(said, row)
        file.write(_checked(json.dumps(record, ensure_ascii=False)) + "\n")


def _by_judge(
    said: JudgeColumns, row: tuple[bool | None, ...]
) -> dict[str, dict[str, bool | None]]:
    found: dict[str, dict[str, bool | None]] = {}
    for (judge, strictness), label in zip(said, row, strict=True):
        found.setdefault(judge, {})[strictness.value] = label
    return found
