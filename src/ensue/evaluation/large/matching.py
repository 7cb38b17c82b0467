"""Which row of a run belongs to which gold row, and what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, RunError
from ensue.evaluation.large.columns import Columns, VerdictColumns
from ensue.evaluation.measuring.lineup import unknown_error
from ensue.pairs.reading import doubled_id

if TYPE_CHECKING:
    import pyarrow as pa


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
