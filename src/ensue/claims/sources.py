"""Sources and claims as files hold them: texts, folders of texts, tables with a column of claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ensue.errors import DataError, UnknownNameError
from ensue.features import has_words
from ensue.files import (
    STANDARD,
    Finding,
    OnFinding,
    RowChunk,
    RowFormat,
    Severity,
    decoded_lines,
    file_identity,
    ignore_finding,
    local_name,
    needed_texts,
    open_input,
    peeked_or_sought,
    row_chunks,
    row_format,
    seen_format,
    shown_name,
    texts,
)
from ensue.pairs import expand
from ensue.pairs.formats import columns_of

_STATEMENTS = ("claim", "hypothesis", "statement", "sentence")
"""Columns that hold one claim in a row, in the order in which they are looked for; after them come
those that hold the hypothesis in a known layout of pairs."""
_ANSWERS = ("answer", "summary", "response", "output")
"""Columns that hold a text in a row, each sentence of which is a claim."""
_IDS = ("id", "claim_id", "pair_id")
_SEEN = (RowFormat.JSONL, RowFormat.PARQUET)
"""Formats that are seen by their beginning: a comma in it does not make a text a table."""
_TEXT = "text"
_HEAD = 1 << 12


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that is taken to be true."""

    text: str
    file: str = "source"
    """What it is called, as it is shown."""


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A text that is checked."""

    text: str
    file: str = "claims"
    """What it is called, as it is shown."""
    line: int | None = None
    """At which its row begins, where it is from a table: places are then those in the cell."""
    id: str | None = None
    """Of its row; claims without one are numbered."""
    is_one: bool = False
    """Whether it is one claim, however many sentences it has."""
    document: str | None = None
    """What its row calls the source that it is checked against; all of them where it is None."""


# Sources: files, folders and globs of texts.


def read_sources(
    names: Iterable[str | Path], encoding: str | None = None, *, on_finding: OnFinding | None = None
) -> list[SourceText]:
    """The texts of files, folders and globs, in their order; each file once.

    A file that is no text is an error where it is named, and a finding in a folder or a glob.

    Args:
        names: What to read, or `-`.
        encoding: By its byte-order mark where it is None, else UTF-8.
        on_finding: Called with files that are left out.

    Raises:
        DataError: a file is not there or no text, or a folder or a glob has no texts.
    """
    report = on_finding or ignore_finding
    seen: set[object] = set()
    found: list[SourceText] = []
    for name in names:
        files = expand(name)
        new = [file for file in files if file_identity(file) not in seen]
        seen.update(map(file_identity, new))
        if files == [local_name(name)]:
            found += [SourceText(_text(file, encoding), shown_name(file)) for file in new]
        else:
            found += _texts_of(str(name), files, new, encoding, report)
    return found


def _texts_of(
    folder: str, files: Sequence[str], new: Sequence[str], encoding: str | None, report: OnFinding
) -> list[SourceText]:
    found, n_left_out = [], 0
    for file in new:
        try:
            found.append(SourceText(_text(file, encoding), shown_name(file)))
        except DataError as error:
            n_left_out += 1
            message = f"left out: {error.message}"
            report(Finding("source-left-out", Severity.WARNING, message, error.place or file))
    if n_left_out == len(files):
        raise DataError(
            "no-texts",
            f"no file in {shown_name(folder)!r} is a text",
            hint="sources are plain texts; name their encoding where it is not UTF-8,"
            " e.g. --read encoding=latin-1",
        )
    return found


def _text(source: str, encoding: str | None) -> str:
    with open_input(source) as file:
        return _decoded(file, shown_name(source), encoding)


def _decoded(file: BinaryIO, name: str, encoding: str | None) -> str:
    lines = decoded_lines(file, name, encoding, keep_ends=True)
    return "".join(line for _, line in lines)


# Claims: a text whose sentences they are, or a table with a column of them.


def read_claims(
    source: str | Path,
    encoding: str | None = None,
    *,
    format: str | None = None,
    column: str | None = None,
    id_column: str | None = None,
    document_column: str | None = None,
    on_finding: OnFinding | None = None,
) -> list[ClaimText]:
    """The claims of a file: one text, or the rows of CSV, TSV, JSONL or Parquet.

    Args:
        source: A file, or `-`.
        encoding: By its byte-order mark where it is None, else UTF-8.
        format: `text`, `csv`, `tsv`, …; by its name where it is None, else a text.
        column: Which holds a claim in each row; seen by its name where it is None.
        id_column: Which holds the id of each row; likewise.
        document_column: Which names the source of each row (`check_named`); none where it is None.
        on_finding: Called with rows that are left out.

    Raises:
        DataError: the file cannot be read, or has no such column.
        UnknownNameError: no format is called so.
    """
    name = shown_name(source)
    with open_input(source) as file:
        head, file = peeked_or_sought(file, _HEAD)
        rows = _row_format(str(source), format, head)
        if rows is None:
            _refuse_column(document_column, name)
            return [ClaimText(_decoded(file, name, encoding), name)]
        chunks = row_chunks(file, name, rows, encoding)
        report = on_finding or ignore_finding
        columns = (column, id_column, document_column)
        return [each for chunk in chunks for each in _rows(chunk, columns, report)]


def _refuse_column(document_column: str | None, name: str) -> None:
    if document_column is not None:
        raise DataError(
            "claims-no-columns",
            f"claims are a text, which has no column {document_column!r}",
            place=name,
            hint="name a table of claims, or its format: --read format=csv",
        )


def _row_format(source: str, named: str | None, head: bytes) -> RowFormat | None:
    known = [_TEXT, *map(str, RowFormat)]
    if named is not None:
        if named not in known:
            raise UnknownNameError.of("format", named, known)
        return None if named == _TEXT else RowFormat(named)
    seen = None if source == STANDARD else row_format(source)
    if seen is None and (shown := seen_format(head)) in _SEEN:
        seen = shown
    return seen


def _rows(
    chunk: RowChunk, columns: tuple[str | None, str | None, str | None], report: OnFinding
) -> Iterator[ClaimText]:
    column, id_column, document_column = columns
    held_by = column or _claim_column(chunk)
    claims = texts(chunk.cells(held_by), held_by, chunk.place)
    ids = id_column or _first((*_IDS, *columns_of("id")), chunk)
    named = texts(chunk.cells(ids), ids, chunk.place) if ids else [""] * len(claims)
    documents: Sequence[str | None] = [None] * len(claims)
    if document_column is not None:
        documents = needed_texts(chunk.cells(document_column), document_column, chunk.place)
    for i, (claim, id) in enumerate(zip(claims, named, strict=True)):
        if has_words(claim):
            is_one = held_by not in _ANSWERS
            yield ClaimText(claim, chunk.name, chunk.lines[i], id or None, is_one, documents[i])
        else:
            message = f"left out: the row has no words in {held_by!r}"
            report(Finding("claim-left-out", Severity.WARNING, message, chunk.place(i)))


def _claim_column(chunk: RowChunk) -> str:
    known = (*_STATEMENTS, *_ANSWERS)
    others = [
        each for each in columns_of("hypothesis") if each != "question"
    ]  # which claims nothing
    found = _first((*known, *others), chunk)
    if found is None:
        seen = ", ".join(repr(each) for each in list(chunk.columns)[:12])
        raise DataError(
            "no-claim-column",
            f"no column holds claims; there are: {seen}",
            place=chunk.header,
            hint=f"call it one of {', '.join(known)}, or say --read claim=COLUMN",
        )
    return found


def _first(names: Iterable[str], chunk: RowChunk) -> str | None:
    """The first of some columns that is there."""
    return next((each for each in names if each in chunk.columns), None)
