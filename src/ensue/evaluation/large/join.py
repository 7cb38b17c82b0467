"""Numbers sorted on disk, and gold and runs joined by id, whatever their order.

What is added is sorted a buffer at a time and written as *segments*, one for each group. To read in
order, the range of values is cut where about the same number of values lies between two cuts, and
the parts of all segments between two cuts are sorted once more. Values that occur very often are
counted instead, so that no cut ever has to hold them.

Where the ids are the same in the same order, the columns are compared and passed on. Otherwise the
rows of gold and runs are written to partitions on disk by a hash of their id, and brought together
one partition after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, RunError
from ensue.evaluation.judged_runs import unknown_error
from ensue.evaluation.large.columns import (
    ID,
    MISSING_STATUS,
    NONE,
    Columns,
    VerdictColumns,
    cut_alike,
    empty_batch,
    text_bytes,
)
from ensue.pairs import doubled_id

if TYPE_CHECKING:
    import pyarrow as pa

# Numbers in groups, sorted on disk: more of them than are held, in bounded memory.

BUFFER = 1 << 19
"""How many values are sorted in memory at once."""

_STEP = 4096
"""Of so many values of a segment one is remembered, to find places without reading."""
_OFTEN = 1024
"""A value that occurs so often in one segment is counted from then on."""

Values = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class SortedSegment:
    """Sorted values of one group, somewhere in the file."""

    start: int
    """How many values of the file come before."""
    n: int
    samples: Values
    """Every so many values, the first one too."""


@dataclass(frozen=True, slots=True, eq=False)
class SortedPiece:
    """All values between two cuts, increasing, for each family of groups."""

    families: tuple[Values, ...]
    ties: Values
    """Values that occur very often, increasing; the families may have some of them, too."""
    tied: NDArray[np.int64]
    """Families × ties: how often each occurs."""


class SortedNumbers:
    """Numbers of one type in groups, which are added in any order and read in order.

    Args:
        path: A file to be written.
        dtype: Of the numbers.
        buffer: How many values are sorted in memory at once.
    """

    def __init__(self, path: Path, dtype: Any = np.float64, *, buffer: int = BUFFER) -> None:
        self._path = path
        self._buffer = buffer
        self._file = path.open("w+b", buffering=0)
        self._dtype = np.dtype(dtype)
        self._values: list[Values] = []
        self._groups: list[NDArray[np.int32]] = []
        self._held = 0
        self._written = 0
        self._segments: dict[int, list[SortedSegment]] = {}
        self._often: dict[int, Counter[Any]] = {}

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    @property
    def groups(self) -> list[int]:
        """The groups that have a value; those that are not written yet are left out."""
        return sorted(self._segments.keys() | self._often.keys())

    def add(self, values: Values, groups: NDArray[np.int32] | None = None) -> None:
        """Take values in, each with the number of its group; all in group 0 where there is none."""
        if len(values) == 0:
            return
        self._values.append(values)
        self._groups.append(np.zeros(len(values), np.int32) if groups is None else groups)
        self._held += len(values)
        if self._held >= self._buffer:
            self.flush()

    def flush(self) -> None:
        """Sort and write what is held; to be called before anything is read."""
        if not self._held:
            return
        from ensue.evaluation.large.kernels import by_group

        values, groups = np.concatenate(self._values), np.concatenate(self._groups)
        self._values, self._groups, self._held = [], [], 0
        counts = np.bincount(groups)
        ends = np.cumsum(counts)
        apart = by_group(values, groups, counts) if len(counts) > 1 else values
        for group in np.flatnonzero(counts):
            own = apart[ends[group] - counts[group] : ends[group]]
            self._write(int(group), np.sort(own))

    def n(self, groups: Sequence[int]) -> int:
        """How many values the groups have."""
        written = sum(each.n for group in groups for each in self._segments.get(group, ()))
        return written + sum(sum(self._often.get(group, Counter()).values()) for group in groups)

    def pieces(self, *families: Sequence[int], size: int | None = None) -> Iterator[SortedPiece]:
        """Give the values of families of groups between cuts, the highest values first.

        Args:
            families: Groups that are put together.
            size: How many values a piece has, about.
        """
        of_families = [
            [each for group in groups for each in self._segments.get(group, ())]
            for groups in families
        ]
        cuts = self._cuts([each for some in of_families for each in some], size or self._buffer)
        places = [
            [(each, [0, *(self._place(each, cut) for cut in cuts), each.n]) for each in some]
            for some in of_families
        ]
        ties, tied = self._ties(families)
        tie_places = [0, *np.searchsorted(ties, cuts).tolist(), len(ties)]
        for k in range(len(cuts), -1, -1):
            found = [
                [self._read(each.start + at[k], at[k + 1] - at[k]) for each, at in some]
                for some in places
            ]
            between = slice(tie_places[k], tie_places[k + 1])
            yield SortedPiece(
                tuple(self._merged(some) for some in found), ties[between], tied[:, between]
            )

    def _write(self, group: int, ordered: Values) -> None:
        ordered = self._without_ties(group, ordered)
        if len(ordered) == 0:
            return
        self._file.seek(self._written * self._dtype.itemsize)
        ordered.tofile(self._file)
        segment = SortedSegment(self._written, len(ordered), ordered[::_STEP].copy())
        self._segments.setdefault(group, []).append(segment)
        self._written += len(ordered)

    def _without_ties(self, group: int, ordered: Values) -> Values:
        """Count the values that occur very often, and take them out."""
        is_often = ordered[_OFTEN - 1 :] == ordered[: max(len(ordered) - _OFTEN + 1, 0)]
        if not is_often.any():
            return ordered
        often = np.unique(ordered[_OFTEN - 1 :][is_often])
        starts = np.searchsorted(ordered, often, side="left")
        ends = np.searchsorted(ordered, often, side="right")
        counted = self._often.setdefault(group, Counter())
        keep = np.ones(len(ordered), np.bool_)
        for value, start, end in zip(often.tolist(), starts, ends, strict=True):
            counted[value] += int(end - start)
            keep[start:end] = False
        return ordered[keep]

    def _ties(self, families: Sequence[Sequence[int]]) -> tuple[Values, NDArray[np.int64]]:
        counted = [
            sum((self._often.get(group, Counter()) for group in groups), Counter())
            for groups in families
        ]
        ties = np.array(sorted(set().union(*counted)), self._dtype)
        tied = [[counts[value] for value in ties.tolist()] for counts in counted]
        return ties, np.array(tied, np.int64).reshape(len(families), len(ties))

    def _cuts(self, segments: Sequence[SortedSegment], size: int) -> Values:
        """Values between which there are about so many of the segments' values."""
        if not segments:
            return np.empty(0, self._dtype)
        samples = np.concatenate([each.samples for each in segments])
        # a sample stands for the values up to the next one
        weights = np.concatenate(
            [np.diff(np.append(np.arange(0, each.n, _STEP), each.n)) for each in segments]
        )
        order = np.argsort(samples, kind="stable")
        slot = (np.cumsum(weights[order]) - weights[order]) // size
        new = np.flatnonzero(np.diff(slot)) + 1
        return np.unique(samples[order][new])

    def _place(self, segment: SortedSegment, value: Any) -> int:
        """How many values of a segment are below a value."""
        block = int(np.searchsorted(segment.samples, value, side="left")) - 1
        if block < 0:
            return 0
        start = block * _STEP
        found = self._read(segment.start + start, min(_STEP, segment.n - start))
        return start + int(np.searchsorted(found, value, side="left"))

    def _read(self, start: int, n: int) -> Values:
        if n == 0:
            return np.empty(0, self._dtype)
        self._file.seek(start * self._dtype.itemsize)
        return np.fromfile(self._file, self._dtype, n)

    def _merged(self, parts: Sequence[Values]) -> Values:
        some = [part for part in parts if len(part)]
        if len(some) < 2:
            return some[0] if some else np.empty(0, self._dtype)
        return np.sort(np.concatenate(some))


# Rows on disk, apart by a hash of their id.


class Partitions:
    """The rows of some columns in n files; equal ids are in the same one.

    Args:
        columns: What is written; a column `row` with its number, from 0, is added.
        folder: Where the files are made.
        n: How many.
    """

    def __init__(self, columns: Columns, folder: Path, n: int) -> None:
        import pyarrow as pa

        folder.mkdir()
        self._paths = [folder / str(k) for k in range(n)]
        self._schema: pa.Schema | None = None
        with ExitStack() as stack:
            writers: list[Any] = []
            first = 0
            for batch in columns.read():
                plain = _plain(batch, first)
                if not writers:
                    self._schema = plain.schema
                    sinks = [stack.enter_context(pa.OSFile(str(p), "wb")) for p in self._paths]
                    writers = [
                        stack.enter_context(pa.ipc.new_stream(sink, plain.schema)) for sink in sinks
                    ]
                self._scatter(plain, writers)
                first += len(batch)

    def load(self, k: int) -> pa.RecordBatch:
        """All rows of one partition."""
        import pyarrow as pa

        assert self._schema is not None  # whatever is read has a batch, be it empty
        with pa.OSFile(str(self._paths[k]), "rb") as source, pa.ipc.open_stream(source) as reader:
            table = reader.read_all()
        self._paths[k].unlink()  # it is loaded once
        batches = table.combine_chunks().to_batches()
        return batches[0] if batches else empty_batch(self._schema)

    def _scatter(self, batch: pa.RecordBatch, writers: list[Any]) -> None:
        import pyarrow as pa

        place = _places(batch.column(ID), len(writers))
        order = np.argsort(place, kind="stable")
        indices: Any = pa.array(order)
        apart = batch.take(indices)
        ends = np.cumsum(np.bincount(place, minlength=len(writers)))
        start = 0
        for writer, end in zip(writers, ends.tolist(), strict=True):
            if end > start:
                writer.write_batch(apart.slice(start, end - start))
            start = end


def _places(ids: pa.Array[Any], n: int) -> NDArray[np.int16]:
    from ensue.evaluation.large.kernels import text_hashes

    return (text_hashes(*text_bytes(ids)) % np.uint64(n)).astype(np.int16)


def _plain(batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
    """The same rows without dictionaries, which differ from batch to batch, and with numbers."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        kind: Any = column.type
        columns[name] = column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
    columns["row"] = pa.array(np.arange(first, first + len(batch)))
    return pa.record_batch(list(columns.values()), names=list(columns))


# Which row of a run belongs to which gold row, and what does not fit.


@dataclass(frozen=True, slots=True, order=True)
class _Double:
    """The second row with one id."""

    row: int
    first: int
    id: str


@dataclass(frozen=True, slots=True, order=True)
class _Unknown:
    """A row whose id the gold does not have."""

    row: int
    id: str


class Mismatches:
    """Finds the places of runs' rows, and remembers the first of everything that is wrong."""

    def __init__(self, gold: Columns, runs: Sequence[VerdictColumns]) -> None:
        self._gold = gold
        self._runs = runs
        self._doubled_gold: _Double | None = None
        self._doubled: list[_Double | None] = [None] * len(runs)
        self._unknown: list[_Unknown | None] = [None] * len(runs)
        self._n_unknown = [0] * len(runs)

    def see_gold(self, ids: pa.Array[Any], rows: NDArray[np.int64]) -> None:
        """Look for gold rows with the same id."""
        if len(ids.unique()) < len(ids):
            self._doubled_gold = _earlier(self._doubled_gold, _first_double(ids, rows))

    def see_run(
        self, i: int, gold_ids: pa.Array[Any], ids: pa.Array[Any], rows: pa.Array[Any]
    ) -> NDArray[np.int64]:
        """For each gold row the place of its verdict among these of the i-th run; −1 for none."""
        import pyarrow.compute as pc

        found = pc.index_in(ids, value_set=gold_ids)
        of_gold: NDArray[np.int64] = found.fill_null(-1).to_numpy().astype(np.int64)
        numbers: NDArray[np.int64] = rows.to_numpy()
        unknown = np.flatnonzero(of_gold < 0)
        if unknown.size:
            self._n_unknown[i] += unknown.size
            k = int(unknown[0])  # rows come in increasing order
            first = _Unknown(int(numbers[k]), ids[k].as_py())
            self._unknown[i] = _earlier(self._unknown[i], first)
        if len(ids.unique()) < len(ids):
            self._doubled[i] = _earlier(self._doubled[i], _first_double(ids, numbers))
        known = of_gold >= 0
        place = np.full(len(gold_ids), -1, np.int64)
        place[of_gold[known]] = np.flatnonzero(known)
        return place

    def raise_any(self) -> None:
        """Say what is wrong, as reading and lining up do where all is held.

        Raises:
            DataError: two gold rows have the same id.
            RunError: a run judges a pair twice, or one that the gold does not have.
        """
        if (double := self._doubled_gold) is not None:
            raise DataError(
                doubled_id(double.id, self._gold.place(double.first)),
                place=self._gold.place(double.row),
                hint="give each pair its own id",
            )
        for run, again in zip(self._runs, self._doubled, strict=True):
            if again is not None:
                raise RunError(
                    f"pair {again.id!r} is judged a second time;"
                    f" the first is at {run.place(again.first)}",
                    place=run.place(again.row),
                    hint="keep one verdict a pair",
                )
        for run, first, n in zip(self._runs, self._unknown, self._n_unknown, strict=True):
            if first is not None:
                raise unknown_error(first.id, n, run.n_rows, run.place(first.row))


def _first_double(ids: pa.Array[Any], rows: NDArray[np.int64]) -> _Double:
    """The earliest row whose id an earlier row has; rows come in increasing order."""
    first: dict[str, int] = {}
    names: list[Any] = ids.to_pylist()
    for row, name in zip(rows.tolist(), names, strict=True):
        if name in first:
            return _Double(row, first[name], name)
        first[name] = row
    raise ValueError("all ids are different")


def _earlier(first: Any, second: Any) -> Any:
    return second if first is None else min(first, second)


# Gold and runs side by side, row by row, whatever their order.

PARTITION = 200_000
"""How many gold rows a partition has, about."""

_MOST_PARTITIONS = 512
_FILLED = {"label": NONE, "status": MISSING_STATUS, "score": np.nan, "confidence": np.nan}
"""What stands for a pair that a run does not mention."""


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Some gold rows, and what each run says of them."""

    gold: pa.RecordBatch
    verdicts: tuple[pa.RecordBatch, ...]
    """One for each run, with as many rows as the gold; the status says where one is missing."""
    rows: NDArray[np.int64]
    """The number of each row in the gold, from 0."""


class OutOfOrderError(Exception):
    """The ids are not the same in the same order, or may not be unique."""


def same_order(gold: Columns, runs: Sequence[VerdictColumns], folder: Path) -> Iterator[SideBySide]:
    """Gold and runs whose ids are the same in the same order, as they are.

    Raises:
        OutOfOrderError: they are not, or an id may occur twice; what was given so far is void.
    """
    if any(run.n_rows != gold.n_rows for run in runs):
        raise OutOfOrderError
    first, last = 0, ""
    increasing = True  # then none repeats, which costs more to see otherwise
    for own, *others in cut_alike([each.read() for each in (gold, *runs)]):
        ids = own.column(ID)
        if any(not ids.equals(other.column(ID)) for other in others):
            raise OutOfOrderError
        increasing = increasing and _goes_on(last, ids)
        last = str(ids[-1].as_py())
        yield SideBySide(own, tuple(others), np.arange(first, first + len(own)))
        first += len(own)
    if not increasing and _may_repeat(gold, folder / "hashes"):
        raise OutOfOrderError


def any_order(
    gold: Columns,
    runs: Sequence[VerdictColumns],
    folder: Path,
    *,
    partition: int = PARTITION,
) -> Iterator[SideBySide]:
    """Gold and runs in whatever order, brought together by ids; gold rows come in another order.

    Args:
        gold: The gold.
        runs: The runs.
        folder: Where partitions are kept meanwhile.
        partition: How many gold rows are brought together at a time, about.

    Raises:
        DataError: two gold rows have the same id.
        RunError: a run judges a pair twice, or one that the gold does not have.
    """
    n = min(_MOST_PARTITIONS, max(1, -(-gold.n_rows // partition)))
    all_of = [
        Partitions(each, folder / f"partition-{i}", n) for i, each in enumerate((gold, *runs))
    ]
    mismatches = Mismatches(gold, runs)
    for k in range(n):
        own, *others = (each.load(k) for each in all_of)
        rows = own.column("row").to_numpy()
        mismatches.see_gold(own.column(ID), rows)
        found = []
        for i, other in enumerate(others):
            place = mismatches.see_run(i, own.column(ID), other.column(ID), other.column("row"))
            found.append(_placed(other, place))
        yield SideBySide(own, tuple(found), rows)
    mismatches.raise_any()


def id_hashes(ids: pa.Array[Any]) -> NDArray[np.uint64]:
    """A hash of each id."""
    from ensue.evaluation.large.kernels import text_hashes

    return text_hashes(*text_bytes(ids))


def _goes_on(last: str, ids: pa.Array[Any]) -> bool:
    """Whether ids increase, by length and then by bytes, from the last one before them on."""
    from ensue.evaluation.large.kernels import are_increasing

    first, before = str(ids[0].as_py()).encode(), last.encode()
    if (len(first), first) <= (len(before), before):
        return False
    return bool(are_increasing(*text_bytes(ids)))


def _may_repeat(gold: Columns, path: Path) -> bool:
    """Whether two rows have the same hash of their id."""
    with closing(SortedNumbers(path, np.uint64)) as hashes:
        for batch in gold.read():
            hashes.add(id_hashes(batch.column(ID)))
        hashes.flush()
        return any(
            len(piece.ties) > 0 or bool((piece.families[0][1:] == piece.families[0][:-1]).any())
            for piece in hashes.pieces([0])
        )


def _placed(verdicts: pa.RecordBatch, place: NDArray[np.int64]) -> pa.RecordBatch:
    """The verdicts at some places; where a place is −1, what stands for a missing one."""
    import pyarrow as pa

    indices: Any = pa.array(place, mask=place < 0)
    chosen = verdicts.take(indices)
    if (place >= 0).all():
        return chosen
    columns = {
        name: chosen.column(name).fill_null(_FILLED[name]) if name in _FILLED else column
        for name, column in zip(chosen.schema.names, chosen.columns, strict=True)
    }
    return pa.record_batch(list(columns.values()), names=list(columns))
