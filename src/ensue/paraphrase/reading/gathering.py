"""Rows of files of lists, gathered into columns for all files together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.model import Finding, Severity
from ensue.paraphrase.model import NOT_JUDGED, Indices, ListKey, Numbers, Strictness
from ensue.paraphrase.reading.cells import labels, needed_texts, numbers, ranks, texts
from ensue.paraphrase.reading.headers import Header, Role, read_header
from ensue.paraphrase.reading.tables import Chunk


class _Keys(dict[tuple[str, str], int]):
    """Numbers of lists by term and method, in the order in which they come."""

    def __missing__(self, key: tuple[str, str]) -> int:
        self[key] = number = len(self)
        return number

    def of(self, terms: Sequence[str], methods: Sequence[str]) -> Indices:
        """The number of each row's list."""
        rows = zip(terms, methods, strict=True)
        return np.fromiter(map(self.__getitem__, rows), np.int64, len(terms))


class _Column:
    """A column that some chunks may lack."""

    def __init__(self, fill: float, kind: type[np.generic]) -> None:
        self._fill = fill
        self._kind = kind
        self._parts: list[NDArray[np.generic]] = []
        self._n_rows = 0

    def add(self, start: int, part: NDArray[np.generic]) -> None:
        self._fill_to(start)
        self._parts.append(part)
        self._n_rows += len(part)

    def whole(self, n_rows: int) -> NDArray[np.generic]:
        self._fill_to(n_rows)
        return np.concatenate(self._parts)

    def _fill_to(self, n_rows: int) -> None:
        missing = n_rows - self._n_rows
        if missing:
            self._parts.append(np.full(missing, self._fill, self._kind))
            self._n_rows = n_rows


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """All rows, in the order of the files."""

    keys: tuple[ListKey, ...]
    """Of the lists, in the order in which they come."""
    list_of: Indices
    paraphrases: list[str]
    rank: Numbers
    """NaN where there is none."""
    confidence: Numbers
    columns: dict[str, Numbers]
    """The confidence among them where there is one."""
    labels: dict[tuple[str, Strictness], NDArray[np.int8]]
    """By judge and strictness."""
    sentences: list[str | None] | None
    files: Indices
    lines: Indices


class Gatherer:
    """Takes chunks of rows one by one and gives all of them."""

    def __init__(self, on_finding: OnFinding) -> None:
        self.n_rows = 0
        self._on_finding = on_finding
        self._keys = _Keys()
        self._list_of: list[Indices] = []
        self._paraphrases: list[str] = []
        self._sentences: list[str | None] = []
        self._files: list[Indices] = []
        self._lines: list[Indices] = []
        self._rank = _Column(np.nan, np.float64)
        self._columns: dict[str, _Column] = {}
        self._labels: dict[tuple[str, Strictness], _Column] = {}
        self._left_out: set[str] = set()

    def add(self, chunk: Chunk, file: int) -> None:
        """Take some rows of one file.

        Raises:
            DataError: a cell is not what its column says; the place is `file:line`.
        """
        header = read_header(chunk.columns, chunk.header)
        self._add_patterns(chunk, header)
        self._add_order(chunk, header)
        for key, column in header.labels.items():
            part = labels(chunk.columns[column], key[0], chunk.place)
            self._labels.setdefault(key, _Column(NOT_JUDGED, np.int8)).add(self.n_rows, part)
        for column in header.others:
            self._add_other(column, chunk)
        self._files.append(np.full(len(chunk.lines), file, np.int64))
        self._lines.append(np.array(chunk.lines, np.int64))
        self.n_rows += len(chunk.lines)

    def _add_patterns(self, chunk: Chunk, header: Header) -> None:
        term, paraphrase = header.roles[Role.TERM], header.roles[Role.PARAPHRASE]
        terms = needed_texts(chunk.columns[term], term, chunk.place)
        methods = [""] * len(terms)
        if method := header.roles.get(Role.METHOD):
            methods = texts(chunk.columns[method], method, chunk.place)
        self._list_of.append(self._keys.of(terms, methods))
        self._paraphrases += needed_texts(chunk.columns[paraphrase], paraphrase, chunk.place)
        if sentence := header.roles.get(Role.SENTENCE):
            self._sentences += [None] * (self.n_rows - len(self._sentences))
            found = texts(chunk.columns[sentence], sentence, chunk.place)
            self._sentences += [each or None for each in found]

    def _add_order(self, chunk: Chunk, header: Header) -> None:
        if rank := header.roles.get(Role.RANK):
            self._rank.add(self.n_rows, ranks(chunk.columns[rank], rank, chunk.place))
        if confidence := header.roles.get(Role.CONFIDENCE):
            part = numbers(chunk.columns[confidence], confidence, chunk.place)
            self._add_numbers(Role.CONFIDENCE.value, part)

    def _add_numbers(self, column: str, part: Numbers) -> None:
        self._columns.setdefault(column, _Column(np.nan, np.float64)).add(self.n_rows, part)

    def _add_other(self, column: str, chunk: Chunk) -> None:
        if column in self._left_out:
            return
        try:
            if not column:
                raise DataError("it has no name", place=chunk.header)
            self._add_numbers(column, numbers(chunk.columns[column], column, chunk.place))
        except DataError as error:
            self._left_out.add(column)
            self._columns.pop(column, None)
            self._on_finding(
                Finding(
                    "column-left-out",
                    Severity.NOTE,
                    f"the column {column!r} is left out: {error.message}",
                    place=error.place,
                )
            )

    def rows(self) -> Rows:
        """All rows that were taken; there has to be one."""
        n_rows = self.n_rows
        columns = {
            name: column.whole(n_rows).astype(np.float64) for name, column in self._columns.items()
        }
        sentences = self._sentences + [None] * (n_rows - len(self._sentences))
        return Rows(
            tuple(ListKey(term, method) for term, method in self._keys),
            np.concatenate(self._list_of),
            self._paraphrases,
            self._rank.whole(n_rows).astype(np.float64),
            columns.get(Role.CONFIDENCE, np.full(n_rows, np.nan)),
            columns,
            {key: column.whole(n_rows).astype(np.int8) for key, column in self._labels.items()},
            sentences if any(sentences) else None,
            np.concatenate(self._files),
            np.concatenate(self._lines),
        )
