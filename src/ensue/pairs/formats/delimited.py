"""CSV and TSV with a header: our own columns, known layouts, or columns that the user names.

CSV is quoted as RFC 4180 has it. TSV is not quoted at all, since the data sets of this field
write quotation marks as they are, balanced or not.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from functools import partial
from typing import BinaryIO

from ensue.errors import DataError, OutputError
from ensue.files import (
    HeaderRow,
    delimited_rows,
    is_filled,
    marked_encoding,
    open_input,
    peeked,
    raw_rows,
    read_header,
    shown_name,
)
from ensue.pairs.formats.columns import OWN_COLUMNS, PairMaker, find_layout, pair_to_row
from ensue.pairs.formats.model import (
    Cutting,
    FilePart,
    Format,
    LocatedPairs,
    Marks,
    OnFinding,
    ReadOptions,
    TextCuts,
    limited,
    plain_encoding,
    span,
)
from ensue.pairs.labels import LabelMapper
from ensue.pairs.model import Pair

_MARK_SIZE = 4
_MOST_KNOWN = 10_000


def read(
    file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding, *, delimiter: str
) -> LocatedPairs:
    """Yield the pairs of a file with columns, each with the line at which its row begins."""
    rows = delimited_rows(file, name, options.encoding, delimiter)
    header = read_header(rows, name, delimiter)
    maker = PairMaker(header.columns, name, options, on_finding, place=header.place)
    yield from _pairs(rows, header, maker, name)


def read_part(
    part: FilePart, options: ReadOptions, on_finding: OnFinding, *, delimiter: str
) -> LocatedPairs:
    """Yield the pairs of one part of a file with columns."""
    name = shown_name(part.source)
    with open_input(part.source, unpack=False) as file:
        encoding = options.encoding or marked_encoding(file.read(_MARK_SIZE)) or "utf-8"
        file.seek(0)
        header = read_header(delimited_rows(file, name, encoding, delimiter), name, delimiter)
        maker = PairMaker(header.columns, name, options, on_finding, place=header.place)
        own = span(file, part.start, part.stop)
        rows = delimited_rows(own, name, encoding, delimiter, first=part.first)
        yield from _pairs(limited(rows, part), header, maker, name, part.number)


def survey(
    file: BinaryIO, name: str, options: ReadOptions, grid: int, *, delimiter: str
) -> TextCuts | None:
    """Find every so many-th row that holds a pair; None where the labels have to be read in order."""
    head, file = peeked(file, _MARK_SIZE)
    encoding = plain_encoding(options.encoding, head)
    if encoding is None:
        return None
    marks = Marks(grid)
    labels: _LabelColumn | None = None
    for cells, n_bytes, n_lines in raw_rows(file, delimiter, has_mark=encoding == "utf-8"):
        filled = cells is None or is_filled(cells, encoding)
        marks.add(n_bytes, n_lines, filled and labels is not None)
        if labels is not None:
            labels.look_at(cells)
        elif filled:
            header = _decoded(cells, encoding)
            if header is None or "\0" in "".join(header):
                return None  # whoever reads it says what is wrong
            place = f"{name}:{marks.line - n_lines}"
            labels = _LabelColumn(HeaderRow.of(header, place, delimiter), options, encoding)
            marks.begin()
    return marks.cuts() if labels is None or labels.are_clear() else None


class _LabelColumn:
    """The labels of rows that go by, to see whether they go together."""

    def __init__(self, header: HeaderRow, options: ReadOptions, encoding: str) -> None:
        layout = find_layout(header.columns, options.columns, header.place)
        self._mapper = LabelMapper(layout.labels, options.labels)
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


def _pairs(
    rows: Iterable[tuple[int, list[str]]],
    header: HeaderRow,
    maker: PairMaker,
    name: str,
    before: int = 0,
) -> LocatedPairs:
    columns = header.columns
    for number, (line, row) in enumerate(rows, before + 1):
        if len(row) != len(columns):
            raise DataError(
                f"{len(row)} fields in this row, {len(columns)} in the header",
                place=f"{name}:{line}",
                hint="is a separator missing, or one too many?",
            )
        yield line, maker.pair(dict(zip(columns, row, strict=True)), line, number)


def write_csv(pairs: Iterable[Pair], file: BinaryIO) -> None:
    """Write pairs as CSV under our own header."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        plain = csv.writer(text, lineterminator="\n")
        quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        plain.writerow(OWN_COLUMNS)
        for pair in pairs:
            row = pair_to_row(pair)
            # the module does not quote a carriage return of its own accord, and chokes on it later
            (quoted if any("\r" in (cell or "") for cell in row) else plain).writerow(row)
    finally:
        text.detach()


def write_tsv(pairs: Iterable[Pair], file: BinaryIO) -> None:
    """Write pairs as TSV under our own header.

    Raises:
        OutputError: a pair holds a tab or a line break, which TSV has no way to write.
    """
    file.write(("\t".join(OWN_COLUMNS) + "\n").encode())
    for pair in pairs:
        cells = [cell or "" for cell in pair_to_row(pair)]
        if any(mark in cell for cell in cells for mark in "\t\r\n"):
            raise OutputError(
                f"pair {pair.id!r} holds a tab or a line break, which TSV cannot hold",
                hint="write it as CSV or JSONL",
            )
        file.write(("\t".join(cells) + "\n").encode())


def _sniffer(delimiter: bytes) -> Callable[[bytes], bool]:
    def sniff(head: bytes) -> bool:
        return delimiter in head.replace(b"\0", b"").partition(b"\n")[0]

    return sniff


CSV = Format(
    name="csv",
    summary="CSV with a header: our columns, known layouts, or --read FIELD=COLUMN",
    suffixes=(".csv",),
    sniff=_sniffer(b","),
    read=partial(read, delimiter=","),
    write=write_csv,
    has_columns=True,
    cutting=Cutting(partial(survey, delimiter=","), partial(read_part, delimiter=",")),
)
TSV = Format(
    name="tsv",
    summary="TSV, unquoted, with a header: SNLI, MultiNLI, GLUE, SICK, MSRPC, or --read FIELD=COLUMN",
    suffixes=(".tsv", ".tab"),
    sniff=_sniffer(b"\t"),
    read=partial(read, delimiter="\t"),
    write=write_tsv,
    has_columns=True,
    cutting=Cutting(partial(survey, delimiter="\t"), partial(read_part, delimiter="\t")),
)
