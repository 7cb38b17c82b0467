"""Gold and runs side by side, row by row, whatever their order.

Where the ids are the same in the same order, the columns are compared and passed on. Otherwise the
rows of gold and runs are written to partitions on disk by a hash of their id, and brought together
one partition after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.large.columns import (
    ID,
    MISSING_STATUS,
    NONE,
    Columns,
    VerdictColumns,
    cut_alike,
    text_bytes,
)
from ensue.evaluation.large.matching import Mismatches
from ensue.evaluation.large.partitions import Partitions
from ensue.evaluation.large.ranking.sorting import SortedNumbers

if TYPE_CHECKING:
    import pyarrow as pa

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
    from ensue.evaluation.large.hashing import text_hashes

    return text_hashes(*text_bytes(ids))


def _goes_on(last: str, ids: pa.Array[Any]) -> bool:
    """Whether ids increase, by length and then by bytes, from the last one before them on."""
    from ensue.evaluation.large.hashing import are_increasing

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
