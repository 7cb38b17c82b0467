"""Forms and texts from Parquet, of which only the columns are read that are needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.mining.finding import TAGS, FormKind
from ensue.mining.large.sets import FormSets
from ensue.mining.large.tags import meta_object, tags_of_metas
from ensue.pairs import Pair
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import ReadOptions, ignore
from ensue.pairs.formats.tables import RowMaker, opened, readable
from ensue.pairs.reading import recognized

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Columns = Mapping[str, tuple[str, ...]]

ROWS = 16_384
"""How many rows are read at a time: their `meta` is held as JSON, too."""

_SIDES = ("text", "hypothesis")
_OWN = "column "
"""Before the name of a column that holds nothing but itself."""


class FormTable:
    """One Parquet file of cases, as far as forms and texts are concerned."""

    def __init__(self, source: str, options: ReadOptions) -> None:
        self._source = source
        self._name = shown_name(source)
        with self._opened() as table:
            maker = RowMaker(table.schema_arrow, self._name, options, ignore).maker
            self._held: Columns = maker.layout.columns
            held = {column for columns in self._held.values() for column in columns}
            self._others = set(table.schema_arrow.names) - held
            self.n_rows = int(table.metadata.num_rows)

    def batches(self, kinds: Sequence[FormKind]) -> Iterator[pa.RecordBatch]:
        """The columns that forms of these kinds are made of, under names of our own."""
        import pyarrow as pa

        wanted = self._wanted(kinds)
        with self._opened() as table:
            for batch in self._batches(table, list(wanted.values())):
                cells = [batch.column(column) for column in wanted.values()]
                rows = pa.array(np.zeros(len(batch), np.bool_))  # there may be no column at all
                yield pa.record_batch([*cells, rows], names=[*wanted, "rows"])

    def sides(self, rows: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Text and hypothesis of some rows, by number from 0."""
        found: dict[int, tuple[str, str]] = {}
        columns = [self._held[side][0] for side in _SIDES]
        with self._opened() as table:
            for group, start, end in _groups(table):
                inside = [row - start for row in rows if start <= row < end]
                if not inside:
                    continue
                for row, batch, i in located_rows(self._batches(table, columns, group), inside):
                    text, hypothesis = (batch.column(column)[i].as_py() for column in columns)
                    found[start + row] = (str(text), str(hypothesis))
        return found

    @contextmanager
    def _opened(self) -> Iterator[pq.ParquetFile]:
        with recognized(self._source, "parquet") as (file, _):
            yield opened(file, self._name)

    def _batches(
        self, table: pq.ParquetFile, columns: list[str], group: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        with readable(self._name):
            yield from table.iter_batches(
                batch_size=ROWS,
                # of a file without any of them, the rows are still counted by some column
                columns=columns or table.schema_arrow.names[:1],
                row_groups=None if group is None else [group],
                use_threads=False,
            )

    def _wanted(self, kinds: Sequence[FormKind]) -> dict[str, str]:
        """Our names of the columns that are needed, and theirs."""
        wanted: dict[str, str] = {}
        for kind in kinds:
            for field in _FIELDS.get(kind.name, ("meta",)):
                if field in self._held:
                    wanted[field] = self._held[field][0]
            if kind.name in self._others and kind.name not in _FIELDS:
                wanted[_OWN + kind.name] = kind.name
        return wanted


_FIELDS = {"words": _SIDES, "lemmas": _SIDES, "task": ("task",)}
"""What each kind of forms is made of, where it is not `meta`."""


def located_rows(
    batches: Iterator[pa.RecordBatch], rows: Sequence[int]
) -> Iterator[tuple[int, pa.RecordBatch, int]]:
    """Yield some rows of consecutive batches: number from 0, batch, and place in the batch."""
    wanted = np.unique(np.array(rows, np.int64))
    start, done = 0, 0
    while done < len(wanted):
        batch = next(batches)
        upto = int(np.searchsorted(wanted, start + len(batch)))
        for row in wanted[done:upto].tolist():
            yield row, batch, row - start
        start, done = start + len(batch), upto


def sets_of_batch(batch: pa.RecordBatch, ids: Any, sets: FormSets) -> NDArray[np.int64]:
    """The number of each row's set of forms.

    Args:
        batch: What `FormTable.batches` yields.
        ids: The ids of the rows, an array of strings.
        sets: The sets so far.

    Raises:
        DataError: a cell is not what it should be.
        SettingError: there are too many sets.
    """
    import pyarrow as pa

    names = [kind.name for kind in sets.kinds]
    is_text = "meta" in batch.schema.names and pa.types.is_string(batch.column("meta").type)
    others = [name for name in names if name not in (*_FIELDS, TAGS)]
    if TAGS not in names or others or _OWN + TAGS in batch.schema.names or not is_text:
        return sets.of_pairs(_pairs(batch, ids))
    tags, seen = tags_of_metas(batch.column("meta"), ids)
    if seen:
        sets.saw(TAGS)
    if set(names) == {TAGS}:
        return sets.add([tags] * len(names))
    pairs = _pairs(batch.drop_columns(["meta"]), ids)
    sets.look_at(pairs)
    return sets.add([tags if kind.name == TAGS else kind.find(pairs) for kind in sets.kinds])


def _pairs(batch: pa.RecordBatch, ids: Any) -> list[Pair]:
    """Pairs that have what there is in a batch, and nothing else."""
    cells = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    own = [name for name in cells if name.startswith(_OWN)]
    return [
        Pair(
            pair_id,
            _side(cells, "text", i, pair_id),
            _side(cells, "hypothesis", i, pair_id),
            task=_task(cells["task"][i]) if "task" in cells else None,
            meta=_meta(cells["meta"][i] if "meta" in cells else None, pair_id)
            | {
                name.removeprefix(_OWN): cells[name][i]
                for name in own
                if cells[name][i] is not None
            },
        )
        for i, pair_id in enumerate(ids.to_pylist())
    ]


def _side(cells: Mapping[str, list[Any]], side: str, i: int, pair_id: str) -> str:
    if side not in cells:
        return ""
    if not isinstance(cells[side][i], str):
        raise DataError(f"the {side} of pair {pair_id!r} is no text: {cells[side][i]!r}")
    return str(cells[side][i])


def _task(cell: Any) -> str | None:
    return None if cell is None else str(cell) or None


def _meta(cell: Any, pair_id: str) -> dict[str, Any]:
    if isinstance(cell, Mapping):
        return dict(cell)
    return meta_object(cell, pair_id)


def _groups(table: pq.ParquetFile) -> Iterator[tuple[int, int, int]]:
    """Each group of rows: its number, its first row and the one after its last."""
    start = 0
    for group in range(table.metadata.num_row_groups):
        end = start + int(table.metadata.row_group(group).num_rows)
        yield group, start, end
        start = end
