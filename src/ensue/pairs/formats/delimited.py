"""CSV and TSV with a header: our own columns, known layouts, or columns that the user names.

CSV is quoted as RFC 4180 has it. TSV is not quoted at all, since the data sets of this field
write quotation marks as they are, balanced or not.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import BinaryIO

from ensue.errors import DataError, OutputError
from ensue.pairs.files import decoded_lines
from ensue.pairs.formats.model import Format, LocatedPairs, OnFinding, ReadOptions
from ensue.pairs.formats.records import OWN_COLUMNS, PairMaker, pair_to_row
from ensue.pairs.model import Pair

_LARGEST_FIELD = 1 << 30
_DELIMITERS = {",": "csv", "\t": "tsv"}


def read(
    file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding, *, delimiter: str
) -> LocatedPairs:
    """Yield the pairs of a file with columns, each with the line at which its row begins."""
    rows = delimited_rows(file, name, options.encoding, delimiter)
    first = next(rows, None)
    if first is None:
        raise DataError("the file is empty", place=name, hint="the first line names the columns")
    line, header = first
    header = [column.strip() for column in header]
    _check_delimiter(header, f"{name}:{line}", delimiter)
    maker = PairMaker(header, name, options, on_finding, place=f"{name}:{line}")
    for number, (line, row) in enumerate(rows, 1):
        if len(row) != len(header):
            raise DataError(
                f"{len(row)} fields in this row, {len(header)} in the header",
                place=f"{name}:{line}",
                hint="is a separator missing, or one too many?",
            )
        yield line, maker.pair(dict(zip(header, row, strict=True)), line, number)


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


def delimited_rows(
    file: BinaryIO, name: str, encoding: str | None, delimiter: str
) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that has any, with the line at which it begins.

    Raises:
        DataError: a row is broken.
    """
    csv.field_size_limit(_LARGEST_FIELD)
    lines = (line for _, line in decoded_lines(file, name, encoding, keep_ends=True))
    if delimiter == "\t":
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
    else:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise DataError(
                f"broken row: {error}",
                place=f"{name}:{begin}",
                hint="is a quotation mark not closed?",
            ) from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield begin, row


def _check_delimiter(header: list[str], place: str, delimiter: str) -> None:
    other = next(mark for mark in _DELIMITERS if mark != delimiter)
    if len(header) == 1 and other in header[0]:
        raise DataError(
            f"one column only: {header[0][:60]!r}",
            place=place,
            hint=f"is it {_DELIMITERS[other].upper()}? then --input-format {_DELIMITERS[other]}",
        )


def _sniffer(delimiter: bytes) -> Callable[[bytes], bool]:
    def sniff(head: bytes) -> bool:
        return delimiter in head.replace(b"\0", b"").partition(b"\n")[0]

    return sniff


CSV = Format(
    name="csv",
    summary="CSV with a header: our columns, known layouts, or --column FIELD=COLUMN",
    suffixes=(".csv",),
    sniff=_sniffer(b","),
    read=partial(read, delimiter=","),
    write=write_csv,
    has_columns=True,
)
TSV = Format(
    name="tsv",
    summary="TSV, unquoted, with a header: SNLI, MultiNLI, GLUE, SICK, MSRPC, or --column",
    suffixes=(".tsv", ".tab"),
    sniff=_sniffer(b"\t"),
    read=partial(read, delimiter="\t"),
    write=write_tsv,
    has_columns=True,
)
