"""Columns that are read batch by batch, and gold of any size as such columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.evaluation.judged_runs import STATUSES
from ensue.files import is_url, local_name, open_url, readable_parquet, shown_name
from ensue.pairs import (
    Label,
    LabelMapper,
    Pair,
    ReadKeywords,
    RunHeader,
    expand,
    id_prefixes,
    is_stream,
    read_files,
    read_options,
    recognized,
)
from ensue.pairs.formats import (
    OnFinding,
    ReadOptions,
    RowMaker,
    ignore_finding,
    report_no_gold,
)

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

# Columns of pairs or verdicts that are read more than once, batch by batch.

ID = "id"
"""The column by which gold and runs are brought together; text, never null."""

LABELS = tuple(Label)
"""What the codes of labels stand for; −1 is none."""

NONE = -1
"""The code of no label."""

MISSING_STATUS = len(STATUSES) - 1
"""The code of the status of a pair that a run does not mention."""

ROWS = 131_072
"""How many rows a batch has, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Rows of columns, `id` among them, that can be read again and again."""

    name: str
    """What they are called in messages."""
    n_rows: int
    read: Callable[[], Iterator[pa.RecordBatch]]
    """All rows in order, from the beginning at each call; where there is none, an empty batch."""
    place: Callable[[int], str]
    """Where the i-th row, from 0, stands: `file:line`."""


@dataclass(frozen=True, slots=True, eq=False)
class VerdictColumns(Columns):
    """A run as columns: `id`, `label` and `status` as codes, `score` and `confidence`.

    Codes are int8, indices into `LABELS` and `STATUSES`; numbers are NaN where there is none.
    """

    header: RunHeader | None = field(default=None)
    ranked: bool = False
    """Whether the scores, not the confidences, say how sure entailment is."""


def spooled(
    rows: Iterable[tuple[Any, ...]], schema: pa.Schema, path: Path
) -> tuple[int, Callable[[], Iterator[pa.RecordBatch]]]:
    """Write rows that come once to a file of columns; give their number and how to read them."""
    import pyarrow as pa

    n_rows = 0
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for some in _in_batches(rows):
            columns = zip(zip(*some, strict=True), schema.types, strict=True)
            try:
                arrays = [pa.array(column, kind) for column, kind in columns]
            except UnicodeEncodeError as error:
                raise DataError(f"an id is no text that UTF-8 can hold: {error}") from None
            writer.write_batch(pa.record_batch(arrays, schema=schema))
            n_rows += len(some)
    return n_rows, lambda: read_spooled(path)


def read_spooled(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of a file of columns."""
    import pyarrow as pa

    with pa.OSFile(str(path), "rb") as source, pa.ipc.open_stream(source) as reader:
        yield empty_batch(reader.schema)
        yield from reader


def empty_batch(schema: pa.Schema) -> pa.RecordBatch:
    """No rows, so that what reads none still knows their columns."""
    import pyarrow as pa

    return pa.record_batch([pa.array([], field.type) for field in schema], schema=schema)


def spooled_line(path: Path, i: int) -> int:
    """The line from which the i-th row of a file of columns came, by its column `line`."""
    before = 0
    for batch in read_spooled(path):
        if i < before + len(batch):
            return int(batch.column("line")[i - before].as_py())
        before += len(batch)
    raise IndexError(i)


def text_bytes(texts: pa.Array[Any]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where each text begins, and where the last one ends, in the bytes of all of them."""
    _, offsets, content = texts.buffers()
    if len(texts) == 0 or offsets is None:
        return np.zeros(1, np.int32), np.zeros(0, np.uint8)
    starts = np.frombuffer(memoryview(offsets), np.int32)[
        texts.offset : texts.offset + len(texts) + 1
    ]
    return starts, np.frombuffer(memoryview(content or b""), np.uint8)


def cut_alike(
    streams: Sequence[Iterator[pa.RecordBatch]],
) -> Iterator[tuple[pa.RecordBatch, ...]]:
    """Give the batches of several streams cut at the same rows, until the shortest one ends."""
    pending: list[pa.RecordBatch | None] = [None] * len(streams)
    while True:
        for i, stream in enumerate(streams):
            while (held := pending[i]) is None or len(held) == 0:
                batch = next(stream, None)
                if batch is None:
                    return
                pending[i] = batch
        held_all = [each for each in pending if each is not None]
        n = min(map(len, held_all))
        yield tuple(each.slice(0, n) for each in held_all)
        pending = [each.slice(n) for each in held_all]


def _in_batches(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    some: list[tuple[Any, ...]] = []
    for row in rows:
        some.append(row)
        if len(some) == ROWS:
            yield some
            some = []
    if some:
        yield some


# The gold of one Parquet file as columns, by its layout, without its texts.

_BLOCK = 1 << 18
_NO_GOLD = -2
"""Stands for a label that means "no gold", until that is told."""

WithoutGold = list[tuple[int, str, str]]
"""Rows of a batch whose labels give no gold: row in the file, from 1, label and id."""


class GoldFile:
    """One Parquet file of gold.

    Args:
        source: A file, or its URL.
        options: What the user says about it.
        tasks: Whether tasks are wanted.

    Raises:
        DataError: it is no Parquet, or has no known layout.
    """

    def __init__(self, source: str, options: ReadOptions, tasks: bool) -> None:
        self.name = shown_name(source)
        self._source = source
        self._options = options
        with _opened(source, []) as table:
            self.n_rows = int(table.metadata.num_rows)
            rows = RowMaker(table.schema_arrow, self.name, options, ignore_finding)
        layout = rows.maker.layout
        self._ids = layout.columns.get("id", ())
        self._gold = layout.columns.get("gold", ())
        self._task = layout.columns.get("task", ()) if tasks else ()
        self._tasks = tasks
        self._table = layout.labels
        self._label_said = rows.label

    def batches(self) -> Iterator[tuple[pa.RecordBatch, int, WithoutGold]]:
        """Yield the columns of some rows, the number of the first, and rows without gold.

        Raises:
            DataError: the file is broken, a row has no id, or a label is not known.
        """
        import pyarrow as pa

        few = [*self._gold, *self._task]
        mapper = LabelMapper(self._table, self._options.labels)
        labels = _Labels(mapper, self._said, self.name)
        names = [ID, "gold", "task"] if self._tasks else [ID, "gold"]
        first = 1
        with _opened(self._source, few) as table:
            for batch in self._read(table, [*self._ids, *few]):
                ids = self._texts_of_ids(batch, first)
                gold, without = self._labels(batch, ids, labels, first)
                columns: list[pa.Array[Any]] = [ids, pa.array(gold)]
                if self._tasks:
                    columns.append(_tasks(batch, self._task))
                yield pa.record_batch(columns, names=names), first, without
                first += len(batch)

    def _read(self, table: pq.ParquetFile, columns: list[str]) -> Iterator[pa.RecordBatch]:
        with readable_parquet(self.name):
            # of a file without any of them, the rows are still counted by some column
            some = columns or table.schema_arrow.names[:1]
            yield from table.iter_batches(batch_size=ROWS, columns=some)

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
                if not _has_loose_ends(texts):
                    return texts
        return self._put_together(batch, first)

    def _put_together(self, batch: pa.RecordBatch, first: int) -> pa.Array[Any]:
        import pyarrow as pa

        columns = [batch.column(name).to_pylist() for name in self._ids]
        ids = []
        for row, cells in enumerate(zip(*columns, strict=True), first):
            parts = ["" if cell is None else str(cell).strip() for cell in cells]
            if not all(parts):
                place = f"{self.name}:{row}"
                raise DataError("a pair has no id", place=place, hint="give each pair its own id")
            ids.append("-".join(parts))
        return pa.array(ids, pa.string())

    def _labels(
        self, batch: pa.RecordBatch, ids: pa.Array[Any], labels: _Labels, first: int
    ) -> tuple[NDArray[np.int8], WithoutGold]:
        if not self._gold:
            return np.full(len(batch), NONE, np.int8), []
        column = batch.column(self._gold[0])
        codes = labels.codes(column, first)
        rows = np.flatnonzero(codes == _NO_GOLD).tolist()
        without = [(first + i, self._said(column[i].as_py()), ids[i].as_py()) for i in rows]
        return np.where(codes == _NO_GOLD, np.int8(NONE), codes), without


class _Labels:
    """Codes of the labels of one file; each distinct label is mapped once."""

    def __init__(self, mapper: LabelMapper, said: Callable[[Any], str], name: str) -> None:
        self._mapper = mapper
        self._said = said
        self._name = name
        self._known: dict[Any, int] = {None: NONE}

    def codes(self, column: Any, first: int) -> NDArray[np.int8]:
        """The code of each label; `_NO_GOLD` where it says that there is none."""
        encoded = column.dictionary_encode()
        values = encoded.dictionary.to_pylist()
        filled = encoded.indices.fill_null(len(values))
        indices: NDArray[np.int32] = filled.to_numpy(zero_copy_only=False)
        if any(value not in self._known for value in values):
            self._learn([*values, None], indices, first)
        # what does not occur here may not be known yet
        table = [self._known.get(value, NONE) for value in (*values, None)]
        return np.array(table, np.int8)[indices]

    def _learn(self, values: Sequence[Any], indices: NDArray[np.int32], first: int) -> None:
        """Map labels that are new, in the order in which they occur."""
        here = np.flatnonzero(np.bincount(indices)).tolist()
        new = [k for k in here if values[k] not in self._known]
        places = {k: int(np.argmax(indices == k)) for k in new}
        for k in sorted(places, key=places.__getitem__):
            said = self._said(values[k])
            if not said.strip():
                self._known[values[k]] = NONE
                continue
            label = self._mapper(said, place=f"{self._name}:{first + places[k]}")
            self._known[values[k]] = _NO_GOLD if label is None else LABELS.index(label)


def n_rows_of(source: str) -> int:
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
            f"not Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None


def _tasks(batch: pa.RecordBatch, held_by: Sequence[str]) -> pa.Array[Any]:
    """The task of each row; null where it has none."""
    import pyarrow as pa

    if not held_by:
        return pa.nulls(len(batch), pa.string())
    encoded: Any = batch.column(held_by[0]).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    texts = [None if name is None or str(name) == "" else str(name) for name in names]
    if texts == names:
        held: pa.Array[Any] = encoded.cast(pa.dictionary(pa.int32(), pa.string()))
        return held
    return pa.array(texts, pa.string()).take(encoded.indices)


def _has_loose_ends(texts: pa.Array[Any]) -> bool:
    """Whether a text is empty, or may have blanks around it."""
    from ensue.evaluation.large.kernels import has_loose_ends

    return bool(has_loose_ends(*text_bytes(texts)))


# Gold as columns: ids, labels as codes and tasks; texts are not read where they need not be.

_CODES = {label: i for i, label in enumerate(LABELS)}

Files = Iterator[tuple[str, Iterator[tuple[int, Pair]]]]
"""Pairs with their lines, file by file, as `read_files` gives them."""


def parquet_files(source: str | Path, format: str | None = None) -> list[str] | None:
    """The files of a source that is Parquet altogether; None where it is not.

    Raises:
        DataError: there is nothing, or nothing that can be read.
    """
    if is_stream(source):
        return None
    files = expand(source)
    for file in files:
        with recognized(file, format) as (_, kind):
            if kind.name != "parquet":
                return None
    return files


def parquet_rows(source: str | Path, format: str | None = None) -> int | None:
    """How many rows a source has that is Parquet altogether; None where it is not."""
    files = parquet_files(source, format)
    return None if files is None else sum(map(n_rows_of, files))


def gold_columns(
    source: str | Path,
    spool: Path,
    *,
    tasks: bool = True,
    on_finding: OnFinding | None = None,
    **reading: Unpack[ReadKeywords],
) -> Columns:
    """Open gold of any size as columns `id`, `gold` (a code, int8) and `task`.

    Args:
        source: A file, a folder, a glob, the URL of one of them, or `-`.
        spool: A file to be written, where gold that is not in Parquet is kept.
        tasks: Whether tasks are wanted.
        on_finding: Is told of problems that do not stop the reading, once each.
        **reading: How to read it: the fields of `ReadKeywords`.

    Raises:
        DataError: a file cannot be read as what it claims to be.
    """
    name = shown_name(source)
    files = parquet_files(source, reading.get("format"))
    if files is None:
        return spooled_gold(read_files(source, on_finding=on_finding, **reading), name, spool)
    options = read_options(reading)
    parts = [
        GoldFile(file, replace(options, id_prefix=prefix), tasks)
        for file, prefix in zip(files, id_prefixes(files), strict=True)
    ]
    return _of_parquet(parts, name, on_finding or ignore_finding)


def spooled_gold(files: Files, name: str, spool: Path) -> Columns:
    """Keep pairs that come once as columns on disk."""
    import pyarrow as pa

    starts: list[int] = []
    names: list[str] = []

    def rows() -> Iterator[tuple[Any, ...]]:
        n = 0
        for file, located in files:
            starts.append(n)
            names.append(file)
            for line, pair in located:
                code = NONE if pair.gold is None else _CODES[pair.gold]
                yield pair.id, code, pair.task or None, line
                n += 1

    fields: list[pa.Field[Any]] = [
        pa.field(ID, pa.string()),
        pa.field("gold", pa.int8()),
        pa.field("task", pa.string()),
        pa.field("line", pa.int64()),
    ]
    n_rows, read = spooled(rows(), pa.schema(fields), spool)
    return Columns(
        name,
        n_rows,
        read,
        lambda i: f"{names[bisect_right(starts, i) - 1]}:{spooled_line(spool, i)}",
    )


def _of_parquet(parts: Sequence[GoldFile], name: str, on_finding: OnFinding) -> Columns:
    ends = list(accumulate(part.n_rows for part in parts))
    starts = [0, *ends[:-1]]
    told = 0  # rows whose findings were told: what is read again is not told again

    def read() -> Iterator[pa.RecordBatch]:
        nonlocal told
        for part, start in zip(parts, starts, strict=True):
            for batch, first, without in part.batches():
                for row, label, pair_id in without:
                    if start + row > told:
                        report_no_gold(label, pair_id, f"{part.name}:{row}", on_finding)
                told = max(told, start + first + len(batch) - 1)
                yield batch

    def place(i: int) -> str:
        k = bisect_right(ends, i)
        return f"{parts[k].name}:{i - starts[k] + 1}"

    return Columns(name, ends[-1] if ends else 0, read, place)
