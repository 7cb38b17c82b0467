"""Gold of any size as arrays of a few bytes a pair: labels, tasks, groups, and an index of ids."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, LabelError
from ensue.evaluation.ids import IdIndex, Places, as_ids, have_loose_ends
from ensue.files import OnFinding, is_url, local_name, open_url, readable_parquet, shown_name
from ensue.pairs import (
    Label,
    LabelMapper,
    Pair,
    PairHash,
    ReadKeywords,
    doubled_id,
    expand,
    id_prefixes,
    is_stream,
    pairs_hash,
    read_files,
    read_options,
    recognized,
)
from ensue.pairs.formats import (
    ReadOptions,
    RowMaker,
    ignore_finding,
    joined_id,
    report_no_gold,
)

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Codes = NDArray[np.int8]
Integers = NDArray[Any]

LARGE = 200_000
"""Up to so many pairs every resample is drawn pair by pair, and texts are compared with a run's."""

LABELS = tuple(Label)
"""What the codes of labels stand for; −1 is none."""

NONE = -1
"""The code of no label."""

NO_TASK = "(no task)"
"""The name under which pairs without a task are counted."""

ROWS = 131_072
"""How many rows a batch has, at most."""

_CODES: dict[Label | None, int] = {None: NONE, **{label: i for i, label in enumerate(LABELS)}}


# Categories: names that many pairs share.


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """The task or the group of each pair."""

    names: tuple[str, ...]
    """In the order in which they are first met."""
    codes: Integers
    """Index into `names`; as few bytes as it takes."""

    def subset(self, chosen: NDArray[np.bool_]) -> Categories:
        """The same of some of the pairs."""
        return replace(self, codes=self.codes[chosen])


class _Categorizer:
    """Numbers names batch after batch."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes: list[Integers] = []

    def add(self, names: Iterable[str]) -> None:
        numbers = self._numbers
        codes = [numbers.setdefault(name, len(numbers)) for name in names]
        self._keep(np.array(codes, np.int64))

    def add_encoded(self, names: Sequence[str], indices: Integers) -> None:
        """Take in names that come as indices into a few; only those that occur get a number."""
        table = np.zeros(max(len(names), 1), np.int64)
        for k in np.flatnonzero(np.bincount(indices, minlength=1)).tolist():
            table[k] = self._numbers.setdefault(names[k], len(self._numbers))
        self._keep(table[indices])

    def categories(self) -> Categories:
        codes = np.concatenate(self._codes) if self._codes else np.zeros(0, np.uint8)
        return Categories(tuple(self._numbers), codes)

    def _keep(self, codes: Integers) -> None:
        self._codes.append(codes.astype(np.min_scalar_type(len(self._numbers))))


# Gold, from pairs that are held or read, or from the columns of Parquet files.


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """All gold pairs, labelled or not, as arrays."""

    labels: Codes
    """Index into `LABELS`, or `NONE`."""
    tasks: Categories
    groups: Categories | None
    """Where they were asked for."""
    ids: IdIndex
    pairs: tuple[Pair, ...] = ()
    """The pairs themselves, where they were given and not read."""
    digest: Callable[[], str | None] = lambda: None
    """The hash of all pairs; None where there are too many to compare texts."""

    @property
    def n_rows(self) -> int:
        """How many pairs there are."""
        return len(self.labels)

    def label(self, row: int) -> Label | None:
        """The label of one pair."""
        code = int(self.labels[row])
        return None if code == NONE else LABELS[code]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Some gold rows."""

    ids: pa.Array[Any]
    labels: Codes
    tasks: Sequence[str]
    task_of: Integers | None = None
    """Index into `tasks`; None where there is one task a row."""
    groups: Sequence[str] | None = None


def group_of(pair: Pair) -> str:
    """The group that the pair's `meta.group` names; without one, its hypothesis."""
    named = pair.meta.get("group")
    return pair.hypothesis if named is None else str(named)


def gold_of(pairs: Sequence[Pair]) -> Gold:
    """The gold of pairs that are held.

    Raises:
        DataError: two pairs have the same id.
    """
    found, doubled = _gathered([_rows_of(pairs, groups=True)])
    if doubled is not None:
        first, second = doubled
        raise DataError(
            "two-gold-pairs-id",
            f"two gold pairs have the id {pairs[first].id!r} (pairs {first + 1} and {second + 1})",
            hint="ids must be unique for runs to refer to them",
        )
    return replace(found, pairs=tuple(pairs), digest=lambda: pairs_hash(pairs))


def read_gold(
    source: str | Path,
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    groups: bool = False,
    on_pairs: Callable[[Sequence[Pair]], None] | None = None,
) -> Gold:
    """Read gold of any size, holding no text of it.

    Args:
        source: A file, a folder, a glob, the URL of one of them, or `-`.
        reading: How to read it.
        on_finding: Is told of problems that do not stop the reading.
        groups: Whether the groups of pairs are wanted.
        on_pairs: Is given the pairs, some at a time and in order.

    Raises:
        DataError: a file cannot be read as what it claims to be, or two pairs have the same id.
    """
    options: ReadKeywords = reading or {}
    columns = None if groups or on_pairs else large_parquet(source, options)
    if columns is not None:
        return _checked(*_gathered(_of_columns(columns, on_finding)), _row_places(columns))
    places, digest = Places(), _Digest()

    def batches() -> Iterator[_Rows]:
        for some in _located(source, options, on_finding, places):
            digest.add(some)
            if on_pairs is not None:
                on_pairs(some)
            yield _rows_of(some, groups=groups)

    found = _checked(*_gathered(batches()), places)
    return replace(found, digest=digest)


def _checked(found: Gold, doubled: tuple[int, int] | None, place: Callable[[int], str]) -> Gold:
    if doubled is not None:
        first, second = doubled
        message = doubled_id(found.ids.text(first), place(first))
        raise DataError(
            "duplicate-id", message, place=place(second), hint="give each pair its own id"
        )
    return found


def _gathered(batches: Iterable[_Rows]) -> tuple[Gold, tuple[int, int] | None]:
    """All rows as arrays, and the first two that have one id."""
    labels, tasks, groups, ids = [np.zeros(0, np.int8)], _Categorizer(), _Categorizer(), IdIndex()
    grouped = False
    for rows in batches:
        ids.add(rows.ids)
        labels.append(rows.labels)
        if rows.task_of is None:
            tasks.add(rows.tasks)
        else:
            tasks.add_encoded(rows.tasks, rows.task_of)
        if rows.groups is not None:
            grouped = True
            groups.add(rows.groups)
    doubled = ids.finish()
    of_groups = groups.categories() if grouped else None
    return Gold(np.concatenate(labels), tasks.categories(), of_groups, ids), doubled


def _rows_of(pairs: Sequence[Pair], *, groups: bool) -> _Rows:
    return _Rows(
        as_ids(pair.id for pair in pairs),
        np.array([_CODES[pair.gold] for pair in pairs], np.int8),
        [pair.task or NO_TASK for pair in pairs],
        groups=[group_of(pair) for pair in pairs] if groups else None,
    )


def _located(
    source: str | Path, reading: ReadKeywords, on_finding: OnFinding | None, places: Places
) -> Iterator[list[Pair]]:
    """Some pairs of all files at a time; where they stand goes to `places`."""

    def pairs() -> Iterator[Pair]:
        row = 0
        for name, located in read_files(source, on_finding=on_finding, **reading):
            places.file(name, row)
            for line, pair in located:
                places.add(row, line)
                yield pair
                row += 1

    found = pairs()
    while some := list(islice(found, ROWS)):
        yield some


class _Digest:
    """The hash of all pairs, as long as they are not too many."""

    def __init__(self) -> None:
        self._hash = PairHash()
        self._n_pairs = 0

    def add(self, pairs: Sequence[Pair]) -> None:
        self._n_pairs += len(pairs)
        if self._n_pairs <= LARGE:
            self._hash.add_all(pairs)

    def __call__(self) -> str | None:
        return self._hash.hexdigest() if self._n_pairs <= LARGE else None


# The gold of many rows in Parquet, by its layout, without its texts.

_BLOCK = 1 << 18
_NO_GOLD = -2
"""Stands for a label that means "no gold", until that is told."""


def large_parquet(source: str | Path, reading: ReadKeywords) -> list[GoldColumns] | None:
    """The files of a source that is Parquet altogether and has many rows; else None.

    Raises:
        DataError: there is nothing, or a file has no known layout.
    """
    format = reading.get("format")
    if is_stream(source):
        return None
    files = expand(source)
    for file in files:
        with recognized(file, format) as (_, kind):
            if kind.name != "parquet":
                return None
    if sum(map(_n_rows, files)) <= LARGE:
        return None
    options = read_options(reading)
    return [
        GoldColumns(file, replace(options, id_prefix=prefix))
        for file, prefix in zip(files, id_prefixes(files), strict=True)
    ]


def _of_columns(files: Iterable[GoldColumns], on_finding: OnFinding | None) -> Iterator[_Rows]:
    for file in files:
        yield from file.batches(on_finding or ignore_finding)


def _row_places(files: Sequence[GoldColumns]) -> Callable[[int], str]:
    ends = list(accumulate(file.n_rows for file in files))

    def place(row: int) -> str:
        k = bisect_right(ends, row)
        return f"{files[k].name}:{row - (ends[k - 1] if k else 0) + 1}"

    return place


class GoldColumns:
    """One Parquet file of gold.

    Args:
        source: A file, or its URL.
        options: What the user says about it.

    Raises:
        DataError: it is no Parquet, or has no known layout.
    """

    def __init__(self, source: str, options: ReadOptions) -> None:
        self.name = shown_name(source)
        self.source = source
        self._options = options
        with _opened(source, []) as table:
            self.n_rows = int(table.metadata.num_rows)
            rows = RowMaker(table.schema_arrow, self.name, options, ignore_finding)
        layout = rows.maker.layout
        self._ids = layout.columns.get("id", ())
        self._gold = layout.columns.get("gold", ())
        self._task = layout.columns.get("task", ())
        self._table = layout.labels
        self._label_said = rows.label

    def batches(self, on_finding: OnFinding) -> Iterator[_Rows]:
        """Yield ids, labels and tasks, some rows at a time.

        Raises:
            DataError: the file is broken, a row has no id, or a label is not known.
        """
        few = [*self._gold, *self._task]
        labels = _Labels(LabelMapper(self._table, self._options.labels), self._said, self.name)
        first = 1
        with _opened(self.source, few) as table, readable_parquet(self.name):
            # of a file without any of them, the rows are still counted by some column
            columns = [*self._ids, *few] or table.schema_arrow.names[:1]
            for batch in table.iter_batches(batch_size=ROWS, columns=columns):
                ids = self._texts_of_ids(batch, first)
                codes = self._labels(batch, ids, labels, first, on_finding)
                yield _Rows(_as_binary(ids), codes, *_tasks(batch, self._task))
                first += len(batch)

    def _said(self, value: Any) -> str:
        return "" if value is None else self._label_said(self._gold[0], value)

    def _texts_of_ids(self, batch: pa.RecordBatch, first: int) -> pa.Array[Any]:
        """The ids of some rows, by the rules of `PairMaker`."""
        import pyarrow as pa

        if not self._ids:
            numbers = range(first, first + len(batch))
            return pa.array([f"{self._options.id_prefix}{n}" for n in numbers], pa.string())
        column = batch.column(self._ids[0])
        if len(self._ids) == 1 and column.null_count == 0:
            if pa.types.is_integer(column.type):
                return column.cast(pa.string())
            if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
                texts = column.cast(pa.string())
                if not have_loose_ends(texts):
                    return texts
        return self._put_together(batch, first)

    def _put_together(self, batch: pa.RecordBatch, first: int) -> pa.Array[Any]:
        import pyarrow as pa

        columns = [batch.column(name).to_pylist() for name in self._ids]
        ids = []
        for row, cells in enumerate(zip(*columns, strict=True), first):
            ids.append(joined_id(cells, f"{self.name}:{row}"))
        return pa.array(ids, pa.string())

    def _labels(
        self,
        batch: pa.RecordBatch,
        ids: pa.Array[Any],
        labels: _Labels,
        first: int,
        on_finding: OnFinding,
    ) -> Codes:
        if not self._gold:
            return np.full(len(batch), NONE, np.int8)
        column = batch.column(self._gold[0])
        codes = labels.codes(column, first)
        for i in np.flatnonzero(codes == _NO_GOLD).tolist():
            place = f"{self.name}:{first + i}"
            report_no_gold(self._said(column[i].as_py()), ids[i].as_py(), place, on_finding)
        return np.where(codes == _NO_GOLD, np.int8(NONE), codes)


class _Labels:
    """Codes of the labels of one file; each distinct label is mapped once."""

    def __init__(self, mapper: LabelMapper, said: Callable[[Any], str], name: str) -> None:
        self._mapper = mapper
        self._said = said
        self._name = name
        self._known: dict[Any, int] = {None: NONE}

    def codes(self, column: Any, first: int) -> Codes:
        """The code of each label; `_NO_GOLD` where it says that there is none."""
        values, indices = _encoded(column)
        if any(value not in self._known for value in values):
            self._learn([*values, None], indices, first)
        # what does not occur here may not be known yet
        table = [self._known.get(value, NONE) for value in (*values, None)]
        return np.array(table, np.int8)[indices]

    def _learn(self, values: Sequence[Any], indices: Integers, first: int) -> None:
        """Map labels that are new, in the order in which they occur."""
        here = np.flatnonzero(np.bincount(indices)).tolist()
        new = [k for k in here if values[k] not in self._known]
        places = {k: int(np.argmax(indices == k)) for k in new}
        for k in sorted(places, key=places.__getitem__):
            said = self._said(values[k])
            if not said.strip():
                self._known[values[k]] = NONE
                continue
            try:
                label = self._mapper(said, place=f"{self._name}:{first + places[k]}")
            except LabelError as error:
                raise self._mapper.hinted(error, map(self._said, values)) from None
            self._known[values[k]] = _NO_GOLD if label is None else LABELS.index(label)


def _encoded(column: Any) -> tuple[list[Any], Integers]:
    """The distinct values of a column, and for each row its index; null is one after the last."""
    encoded = column.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    return values, encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)


def _tasks(batch: pa.RecordBatch, held_by: Sequence[str]) -> tuple[list[str], Integers]:
    """Names of tasks, and for each row the index of its own."""
    if not held_by:
        return [NO_TASK], np.zeros(len(batch), np.int8)
    values, indices = _encoded(batch.column(held_by[0]))
    return [NO_TASK if v is None or str(v) == "" else str(v) for v in (*values, None)], indices


def _as_binary(texts: pa.Array[Any]) -> pa.Array[Any]:
    import pyarrow as pa

    return texts.cast(pa.binary())


def _n_rows(source: str) -> int:
    """How many rows a Parquet file has, by its footer."""
    with _opened(source, []) as table:
        return int(table.metadata.num_rows)


@contextmanager
def _opened(source: str, few: list[str]) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file; the columns with few distinct values come as dictionaries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = shown_name(source)
    try:
        if is_url(source):
            with open_url(source) as file:
                yield pq.ParquetFile(file, read_dictionary=few, buffer_size=_BLOCK)
        else:
            path = local_name(source)
            with pq.ParquetFile(path, read_dictionary=few, buffer_size=_BLOCK) as table:
                yield table
    except (pa.ArrowException, OSError) as error:
        reason = (str(error).splitlines() or ["?"])[0]
        raise DataError(
            "not-parquet", f"not Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None
