"""Pairs as rows of text: CSV and TSV with a header, and JSONL, read whole or in parts.

The columns are our own, those of a known layout, or columns that the user names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, BinaryIO

from ensue.errors import LabelError
from ensue.files import (
    HeaderRow,
    OnFinding,
    RowFormat,
    begins_array,
    decoded_lines,
    delimited_rows,
    is_filled,
    json_records,
    json_rows,
    marked_encoding,
    open_input,
    peeked,
    raw_rows,
    read_header,
    row_ends,
    seen_delimiter,
    seen_format,
    shown_name,
    write_rows,
)
from ensue.pairs.formats.columns import (
    LAYOUTS,
    OWN_COLUMNS,
    UNNAMED_COLUMNS,
    PairMaker,
    find_layout,
    is_unnamed,
    json_row,
    label_mapper,
    names_of,
    next_rows,
    pair_to_row,
    telling_columns,
)
from ensue.pairs.formats.model import (
    Cutting,
    FilePart,
    Format,
    LocatedPairs,
    Marks,
    ReadOptions,
    TextCuts,
    limited,
    open_part,
    plain_encoding,
    span,
)
from ensue.pairs.model import LabelMapper, Pair

_MARK_SIZE = 4

# CSV and TSV.

_MOST_KNOWN = 10_000
_NAMING = "--read format={}"
"""How the user says that a file is in another format than its name says."""


def read_table(
    file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding, *, format: RowFormat
) -> LocatedPairs:
    """Yield the pairs of a file with columns, each with the line at which its row begins."""
    rows = delimited_rows(file, name, options.encoding, format)
    header, rows = _header(rows, name, format)
    maker = PairMaker(header.columns, name, options, on_finding, place=header.place)
    return maker.located(header.records(rows, name))


def _header(
    rows: Iterator[tuple[int, list[str]]], name: str, format: RowFormat
) -> tuple[HeaderRow, Iterator[tuple[int, list[str]]]]:
    """The header of a file, and the rows that it is about."""
    first = next(rows, None)
    if first is not None and _is_unnamed(first[1], format):
        return HeaderRow(list(UNNAMED_COLUMNS), f"{name}:{first[0]}"), chain([first], rows)
    top = rows if first is None else chain([first], rows)
    return read_header(top, name, format, _NAMING), top


def _is_unnamed(cells: list[str], format: RowFormat) -> bool:
    return format is RowFormat.TSV and is_unnamed(cells)


def read_table_part(
    part: FilePart, options: ReadOptions, on_finding: OnFinding, *, format: RowFormat
) -> LocatedPairs:
    """Yield the pairs of one part of a file with columns."""
    name = shown_name(part.source)
    with open_input(part.source, unpack=False) as file:
        encoding = options.encoding or marked_encoding(file.read(_MARK_SIZE)) or "utf-8"
        file.seek(0)
        top = (line for _, line in decoded_lines(file, name, encoding))
        delimiter, _ = seen_delimiter(top, format)
        file.seek(0)
        every = delimited_rows(file, name, encoding, format, delimiter=delimiter)
        header, _ = _header(every, name, format)
        maker = PairMaker(header.columns, name, options, on_finding, place=header.place)
        own = span(file, part.start, part.stop)
        rows = delimited_rows(own, name, encoding, format, first=part.first, delimiter=delimiter)
        yield from maker.located(header.records(limited(rows, part), name), part.number)


def survey_table(
    file: BinaryIO, name: str, options: ReadOptions, grid: int, *, format: RowFormat
) -> TextCuts | None:
    """Find every so many-th row that holds a pair; None where the labels have to be read in order."""
    head, file = peeked(file, _MARK_SIZE)
    encoding = plain_encoding(options.encoding, head)
    if encoding is None:
        return None
    marks = Marks(grid)
    labels: _LabelColumn | None = None
    for cells, n_bytes, n_lines in raw_rows(file, format, has_mark=encoding == "utf-8"):
        filled = cells is None or is_filled(cells, encoding)
        if labels is None and filled:
            names = _decoded(cells, encoding)
            if names is None or "\0" in "".join(names):
                return None  # whoever reads it says what is wrong
            header = _header_of(names, f"{name}:{marks.line}", format)
            labels = _LabelColumn(header, options, encoding)
            if not _is_unnamed(names, format):
                marks.add(n_bytes, n_lines, False)
                marks.begin()
                continue
            marks.begin()
        marks.add(n_bytes, n_lines, filled and labels is not None)
        if labels is not None:
            labels.look_at(cells)
    return marks.cuts() if labels is None or labels.are_clear() else None


def _header_of(names: list[str], place: str, format: RowFormat) -> HeaderRow:
    if _is_unnamed(names, format):
        return HeaderRow(list(UNNAMED_COLUMNS), place)
    return HeaderRow.of(names, place, format, _NAMING)


class _LabelColumn:
    """The labels of rows that go by, to see whether they go together."""

    def __init__(self, header: HeaderRow, options: ReadOptions, encoding: str) -> None:
        layout = find_layout(header.columns, options.columns, header.place)
        self._mapper = label_mapper(layout, options)
        held_by = layout.columns.get("gold") if self._mapper.telling else None
        self._column = header.columns.index(held_by[0]) if held_by else None
        self._encoding = encoding
        self._known: set[str] = set()
        self._seen: set[str] = set()

    def look_at(self, cells: list[str] | None) -> None:
        """Note the label of a row."""
        if self._column is None or cells is None or self._column >= len(cells):
            return
        label = cells[self._column]
        if label not in self._known:
            if len(self._known) < _MOST_KNOWN:
                self._known.add(label)
            decoded = _decoded([label], self._encoding) or [""]
            self._seen.update({decoded[0].strip().lower()} & self._mapper.telling)

    def are_clear(self) -> bool:
        """Whether the labels that were seen go together."""
        return self._mapper.are_clear(self._seen)


def _decoded(cells: list[str] | None, encoding: str) -> list[str] | None:
    """Cells of `raw_rows` as texts; None where they are none."""
    try:
        return None if cells is None else [c.encode("latin-1").decode(encoding) for c in cells]
    except UnicodeDecodeError:
        return None


def write_table(pairs: Iterable[Pair], file: BinaryIO, *, format: RowFormat) -> None:
    """Write pairs as CSV, TSV or Parquet under our own columns, meta as JSON.

    Raises:
        OutputError: the format has no way to write what a pair holds.
    """
    rows = map(pair_to_row, pairs)
    write_rows(file, OWN_COLUMNS, rows, format=format, name_of=lambda row: f"pair {row[0]!r}")


def _table_format(format: RowFormat, summary: str) -> Format:
    return Format(
        name=format.value,
        summary=summary,
        suffixes=row_ends(format),
        sniff=partial(shows, format=format),
        read=partial(read_table, format=format),
        write=partial(write_table, format=format),
        has_columns=True,
        cutting=Cutting(
            partial(survey_table, format=format), partial(read_table_part, format=format)
        ),
    )


def shows(head: bytes, *, format: RowFormat) -> bool:
    """Whether a file that begins so may be in a format of rows."""
    return seen_format(head) is format


CSV = _table_format(
    RowFormat.CSV, "CSV with a header: our columns, known layouts, or --read FIELD=COLUMN"
)
TSV = _table_format(
    RowFormat.TSV,
    "TSV, unquoted, with a header: SNLI, MultiNLI, GLUE, SICK, MSRPC, or --read FIELD=COLUMN",
)

# JSONL: one object a line, or an array of them, in our own fields or in those of other data.

_BRACE = ord("{")
_HEAD = 4096
_BLOCK = 1 << 18
_HINT = 'a line is {"id": …, "text": …, "hypothesis": …, "gold": …, "task": …, "meta": {…}}'


def read_jsonl(
    file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding
) -> LocatedPairs:
    """Yield the pairs of a JSONL file with their lines."""
    records = json_rows(file, name, options.encoding, _HINT, on_finding)
    return _json_pairs(records, name, options, on_finding)


def read_jsonl_part(part: FilePart, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of one part of a JSONL file."""
    name = shown_name(part.source)
    with open_part(part, options.encoding) as (file, encoding):
        lines = decoded_lines(file, name, encoding, first=part.first)
        filled = ((line, text) for line, text in lines if text and not text.isspace())
        records = json_records(limited(filled, part), name, _HINT, on_finding)
        yield from _json_pairs(records, name, options, on_finding, part.number)


def survey_jsonl(file: BinaryIO, name: str, options: ReadOptions, grid: int) -> TextCuts | None:  # noqa: ARG001
    """Find every so many-th line that holds a pair; None where all has to be read in order."""
    head, file = peeked(file, _HEAD)
    encoding = plain_encoding(options.encoding, head)
    labels = _LabelSearch(options)
    if encoding is None or not labels.is_possible or begins_array(head):
        return None
    marks = Marks(grid)
    marks.begin()
    while lines := file.readlines(_BLOCK):
        labels.look_at(b"".join(lines))
        if not labels.are_clear():
            return None
        for line in lines:
            is_pair = line[0] == _BRACE or not _is_blank(line, encoding, marks.line)
            marks.add(len(line), 1, is_pair)
    return marks.cuts()


def _is_blank(line: bytes, encoding: str, number: int) -> bool:
    text = line.decode(encoding, "replace")
    return not (text.removeprefix("\ufeff") if number == 1 else text).strip()


class _LabelSearch:
    """Looks for labels in lines that nobody has parsed, to see whether they go together."""

    def __init__(self, options: ReadOptions) -> None:
        mappers = [(layout, label_mapper(layout, options)) for layout in LAYOUTS]
        found = [(layout, each) for layout, mapper in mappers for each in mapper.ambiguities]
        given = options.columns.get("gold")
        own = {name for layout, _ in found for name in names_of(layout.columns["gold"][0])}
        columns = {given} if given else own
        kinds = [
            [
                frozenset[str]().union(*(each.names for each in same)),
                frozenset[str]().union(*(each.beside for each in same)),
            ]
            for meanings in dict.fromkeys(each.meanings for _, each in found)
            if (same := [each for _, each in found if each.meanings == meanings])
        ]
        self.is_possible = all(
            map(_is_written_one_way, columns.union(*(names for kind in kinds for names in kind)))
        )
        """Whether all of this is written in one way only."""
        self._missing = [[_searches(columns, names) for names in kind] for kind in kinds]
        """Of each kind of labels that do not go together, what has not been seen yet."""

    def look_at(self, lines: bytes) -> None:
        """Note the labels of some lines."""
        self._missing = [
            [searches for searches in kind if not any(search.search(lines) for search in searches)]
            for kind in self._missing
        ]

    def are_clear(self) -> bool:
        """Whether the labels so far go together."""
        return all(self._missing)


def _searches(columns: set[str], names: frozenset[str]) -> list[re.Pattern[bytes]]:
    """Find any of these labels, in any case, under any of these keys; one search is faster each."""
    known = "|".join(map(re.escape, sorted(names)))
    value = rf'"\s*(?i:{known})\s*"' + ("|false" if "false" in names else "")
    return [
        re.compile(rf'"{re.escape(column)}"\s*:\s*(?:{value})'.encode())
        for column in sorted(columns)
    ]


def _is_written_one_way(key: str) -> bool:
    return key.isascii() and json.dumps(key) == f'"{key}"'


def _json_pairs(
    records: Iterator[tuple[int, dict[str, Any]]],
    name: str,
    options: ReadOptions,
    on_finding: OnFinding,
    before: int = 0,
) -> LocatedPairs:
    makers: dict[frozenset[str], PairMaker] = {}
    telling = telling_columns(options.columns)
    mappers: dict[str, LabelMapper] = {}
    for number, (line, record) in enumerate(records, before + 1):
        keys = telling.intersection(record)
        if keys not in makers:
            place = f"{name}:{line}"
            makers[keys] = PairMaker(
                list(record), name, options, on_finding, place=place, mappers=mappers
            )
        try:
            pair = makers[keys].pair(record, line, number)
        except LabelError as error:
            raise makers[keys].with_labels(error, [record, *next_rows(records)]) from None
        yield line, pair
    for maker in makers.values():
        maker.report_labels()


def write_jsonl(pairs: Iterable[Pair], file: BinaryIO) -> None:
    """Write each pair as one line.

    Raises:
        OutputError: a pair holds half a character.
    """
    write_rows(file, OWN_COLUMNS, map(json_row, pairs), format=RowFormat.JSONL)


JSONL = Format(
    name="jsonl",
    summary="JSONL or an array of JSON: id, text, hypothesis, gold, task, meta, or known layouts",
    suffixes=row_ends(RowFormat.JSONL),
    sniff=partial(shows, format=RowFormat.JSONL),
    read=read_jsonl,
    write=write_jsonl,
    has_columns=True,
    may_be_empty=True,
    cutting=Cutting(survey_jsonl, read_jsonl_part),
)
