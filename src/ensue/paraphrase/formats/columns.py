"""Columns of files of patterns: their roles by header, and their cells as ranks and labels.

Columns: `term` and `paraphrase`; `method`; `rank` or `confidence`; `NAME.strict` and `NAME.lenient`
for each judge, in JSONL also `labels: {NAME: {"strict": …}}`; `sentence`; any further column of
numbers is kept by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, LabelError
from ensue.files import (
    Cells,
    Finding,
    OnFinding,
    PlaceOf,
    RowChunk,
    Severity,
    needed_texts,
    no_column,
    numbers,
    texts,
)
from ensue.paraphrase.lists import (
    NO,
    NOT_JUDGED,
    YES,
    Indices,
    Labels,
    ListKey,
    Numbers,
    Strictness,
)

# What columns are by their names: which is the term, which a judge's, which something else.

_JUDGE = re.compile(
    r"(?P<judge>.*\S)\s*[._:]\s*(?P<strictness>strict|lenient)", re.IGNORECASE | re.DOTALL
)


class ColumnRole(StrEnum):
    """What a column can be in a file of lists."""

    TERM = "term"
    PARAPHRASE = "paraphrase"
    METHOD = "method"
    RANK = "rank"
    CONFIDENCE = "confidence"
    SENTENCE = "sentence"


_SYNONYMS = {
    **{role.value: role for role in ColumnRole},
    "source": ColumnRole.TERM,
    "source_term": ColumnRole.TERM,
    "pattern": ColumnRole.PARAPHRASE,
}
_NEEDED = (ColumnRole.TERM, ColumnRole.PARAPHRASE)


@dataclass(frozen=True, slots=True)
class ListHeader:
    """The columns of a file by what they are."""

    roles: Mapping[ColumnRole, str]
    labels: Mapping[tuple[str, Strictness], str]
    """By judge and strictness."""
    others: tuple[str, ...]


def read_header(columns: Iterable[str], place: str) -> ListHeader:
    """Tell what each column is.

    Names are compared in lower case; blanks and hyphens in them are underscores.

    Raises:
        DataError: there is no term or no paraphrase, or two columns are the same thing.
    """
    roles: dict[ColumnRole, str] = {}
    labels: dict[tuple[str, Strictness], str] = {}
    others = []
    for column in columns:
        role = _SYNONYMS.get(re.sub(r"[\s-]", "_", column.strip().lower()))
        judged = judge_and_strictness(column)
        if role:
            _refuse_doubled(roles.setdefault(role, column), column, place)
        elif judged:
            _refuse_doubled(labels.setdefault(judged, column), column, place)
        else:
            others.append(column)
    for role in _NEEDED:
        if role not in roles:
            raise no_column(role.value, others, place)
    return ListHeader(roles, labels, tuple(others))


def judge_and_strictness(column: str) -> tuple[str, Strictness] | None:
    """The judge and the strictness that a column is named after; None where it is another.

    >>> judge_and_strictness("anna.strict"), judge_and_strictness("judge_2_lenient")
    (('anna', <Strictness.STRICT: 'strict'>), ('judge_2', <Strictness.LENIENT: 'lenient'>))
    """
    found = _JUDGE.fullmatch(column.strip())
    return found and (found["judge"], Strictness(found["strictness"].lower()))


def _refuse_doubled(first: str, column: str, place: str) -> None:
    if first != column:
        raise DataError(
            "columns-same-thing",
            f"the columns {first!r} and {column!r} are the same thing",
            place=place,
            hint="leave one of them out, or give it another name",
        )


def flattened(record: dict[str, Any], place: str) -> dict[str, Any]:
    """A record with `{"labels": {"NAME": {"strict": …}}}` as columns `NAME.strict`."""
    labels = record.pop("labels", None)
    if labels is None:
        return record
    if not isinstance(labels, dict) or not all(isinstance(each, dict) for each in labels.values()):
        raise DataError(
            "labels-no-labels",
            f"'labels' are no labels: {labels!r}",
            place=place,
            hint='e.g. "labels": {"NAME": {"strict": true, "lenient": true}}',
        )
    said = {f"{judge}.{key}": value for judge in labels for key, value in labels[judge].items()}
    doubled = next((column for column in said if column in record), None)
    if doubled:
        raise DataError("is-there-twice", f"{doubled!r} is there twice", place=place)
    return record | said


# Cells of one column as ranks or labels, all at once; what does not fit has its place.

_YES = ("1", "yes", "true", "y", "t", "1.0")
_NO = ("0", "no", "false", "n", "f", "0.0")
# "1.0" and "0.0" are how tables are written whose column of 1 and 0 has gaps
_LABELS = dict.fromkeys(_YES, YES) | dict.fromkeys(_NO, NO) | {"": NOT_JUDGED}
LABEL_HINT = "a label is 1 or 0, yes or no, true or false, y or n, t or f; empty: not judged"


def ranks(cells: Cells, column: str, place: PlaceOf) -> Numbers:
    """Positive integers, as numbers with NaN where a cell is empty.

    Raises:
        DataError: one is none.
    """
    try:
        found = numbers(cells, column, place)
    except DataError as error:
        raise DataError(
            error.code,
            error.message.replace("finite number", "positive integer"),
            place=error.place,
            hint=_RANK_HINT,
        ) from None
    wrong = np.flatnonzero(~np.isnan(found) & ((found < 1) | (found != np.floor(found))))
    if wrong.size:
        i = int(wrong[0])
        raise DataError(
            "no-positive-integer",
            f"the {column} is no positive integer: {cells[i]!r}",
            place=place(i),
            hint=_RANK_HINT,
        )
    return found


_RANK_HINT = "1 is the surest; for numbers of another kind call the column confidence"


class _Codes(dict[Any, int]):
    """Labels by what cells hold; each way to write one is looked at once."""

    def __missing__(self, cell: Any) -> int:
        text = "" if cell is None else str(cell).strip().lower()
        self[cell] = _LABELS[text]
        return self[cell]


def labels(cells: Cells, judge: str, place: PlaceOf) -> Labels:
    """What a judge says.

    Raises:
        LabelError: a cell holds no label.
    """
    codes = _Codes()
    try:
        return np.fromiter(map(codes.__getitem__, cells), np.int8, len(cells))
    except (KeyError, TypeError):  # TypeError: JSON's lists and objects
        for i, cell in enumerate(cells):
            if isinstance(cell, list | dict) or _is_no_label(cell):
                raise LabelError(
                    "no-label-judge",
                    f"this is no label of the judge {judge!r}: {cell!r}",
                    place=place(i),
                    hint=LABEL_HINT,
                ) from None
        raise


def _is_no_label(cell: Any) -> bool:
    return cell is not None and str(cell).strip().lower() not in _LABELS


# Rows of files of lists, gathered into columns for all files together.


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
        self._parts: list[tuple[int, NDArray[np.generic]]] = []

    def add(self, start: int, part: NDArray[np.generic]) -> None:
        """Take the cells of the rows from `start` on."""
        self._parts.append((start, part))

    def whole(self, n_rows: int) -> NDArray[Any]:
        """The cells of all rows."""
        found = np.full(n_rows, self._fill, self._kind)
        for start, part in self._parts:
            found[start : start + len(part)] = part
        return found


@dataclass(frozen=True, slots=True, eq=False)
class ListRows:
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

    def add(self, chunk: RowChunk, file: int) -> None:
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

    def _add_patterns(self, chunk: RowChunk, header: ListHeader) -> None:
        term, paraphrase = header.roles[ColumnRole.TERM], header.roles[ColumnRole.PARAPHRASE]
        terms = needed_texts(chunk.columns[term], term, chunk.place)
        methods = [""] * len(terms)
        if method := header.roles.get(ColumnRole.METHOD):
            methods = texts(chunk.columns[method], method, chunk.place)
        self._list_of.append(self._keys.of(terms, methods))
        self._paraphrases += needed_texts(chunk.columns[paraphrase], paraphrase, chunk.place)
        if sentence := header.roles.get(ColumnRole.SENTENCE):
            self._sentences += [None] * (self.n_rows - len(self._sentences))
            found = texts(chunk.columns[sentence], sentence, chunk.place)
            self._sentences += [each or None for each in found]

    def _add_order(self, chunk: RowChunk, header: ListHeader) -> None:
        if rank := header.roles.get(ColumnRole.RANK):
            self._rank.add(self.n_rows, ranks(chunk.columns[rank], rank, chunk.place))
        if confidence := header.roles.get(ColumnRole.CONFIDENCE):
            part = numbers(chunk.columns[confidence], confidence, chunk.place)
            self._add_numbers(ColumnRole.CONFIDENCE.value, part)

    def _add_numbers(self, column: str, part: Numbers) -> None:
        self._columns.setdefault(column, _Column(np.nan, np.float64)).add(self.n_rows, part)

    def _add_other(self, column: str, chunk: RowChunk) -> None:
        if column in self._left_out:
            return
        try:
            if not column:
                raise DataError("no-name", "it has no name", place=chunk.header)
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

    def rows(self) -> ListRows:
        """All rows that were taken; there has to be one."""
        n_rows = self.n_rows
        columns = {name: column.whole(n_rows) for name, column in self._columns.items()}
        sentences = self._sentences + [None] * (n_rows - len(self._sentences))
        return ListRows(
            tuple(ListKey(term, method) for term, method in self._keys),
            np.concatenate(self._list_of),
            self._paraphrases,
            self._rank.whole(n_rows),
            columns.get(ColumnRole.CONFIDENCE, np.full(n_rows, np.nan)),
            columns,
            {key: column.whole(n_rows) for key, column in self._labels.items()},
            sentences if any(sentences) else None,
            np.concatenate(self._files),
            np.concatenate(self._lines),
        )
