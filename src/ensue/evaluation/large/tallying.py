"""What is kept of streamed pairs: how often equal rows occur, and keys to rank by, on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.evaluation.large.columns import ID, LABELS, NONE, Columns, VerdictColumns
from ensue.evaluation.large.joining import OutOfOrderError, SideBySide, any_order, same_order
from ensue.evaluation.large.ranking.sorting import BUFFER, SortedNumbers
from ensue.evaluation.measuring.judged import NO_TASK, STATUSES
from ensue.evaluation.measuring.lineup import SHOWN
from ensue.evaluation.measuring.summary import TOO_MANY
from ensue.pairs import Label

if TYPE_CHECKING:
    import pyarrow as pa

MOST_RUNS = 16
"""Runs that are tallied together; the cells of more do not fit a number."""
MOST_CELLS = 1_000_000
"""Distinct rows of gold and answers that are counted."""

GOLD_BITS = 2
OUTCOME_BITS = 3
"""An outcome is one of the four labels or of the four reasons for none."""

_CELL_BITS = 63
_FEW_CELLS = 1 << 16
"""So many are counted in a table, which is faster than sorting them."""

WRONG, RIGHT_IN_TWO, RIGHT = range(3)
"""How an answer compares: wrong, right only where there are two labels, the very same label."""
KINDS = 3

Codes = NDArray[np.int8]
Groups = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """The keys by which the answers of a run are ranked."""

    by_confidence: SortedNumbers
    """Confidences, in groups task · `KINDS` + how the answer compares."""
    by_entailment: SortedNumbers
    """How sure entailment is, in groups task · 2 + is entailment."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """What is kept to be sorted."""

    rankings: bool = True
    """Keys by which answers are ranked."""
    cutoffs: bool = True
    """Scores to choose cutoffs from."""
    buffer: int = BUFFER
    """How many keys of a kind are sorted in memory at once."""


class RunTally:
    """What is kept of one run.

    Args:
        run: The run.
        folder: Where keys are kept.
        name: Of its files.
        keeping: What is kept to be sorted.
    """

    def __init__(self, run: VerdictColumns, folder: Path, name: str, keeping: Keeping) -> None:
        def store(what: str) -> SortedNumbers:
            return SortedNumbers(folder / f"{name}-{what}", buffer=keeping.buffer)

        self.run = run
        self.labels: set[Label] = set()
        """Labels in the run, on pairs with gold or not."""
        ranked = keeping.rankings
        self.rankings = Rankings(store("confidence"), store("entailment")) if ranked else None
        self.by_score = store("score") if keeping.cutoffs else None
        """Scores of pairs, answered or not, in groups task · 2 + is entailment."""
        self.n_without = {"confidence": Counter[int](), "score": Counter[int]()}
        """Answers without these, by task."""
        self.n_scored: Counter[int] = Counter()
        """Pairs with a score, by task."""
        self.n_missing = 0
        """Pairs with gold that are not in the run."""
        self.missing: list[tuple[int, str]] = []
        """The first of them, with their rows."""

    def see(self, gold: Codes, label: Codes, verdicts: pa.RecordBatch, task: Groups) -> None:
        """Take in what the run says of some pairs that have gold."""
        confidence, score = (_numbers(verdicts, name) for name in ("confidence", "score"))
        by_gold = task * 2 + (gold == 0).astype(np.int32)
        scored = ~np.isnan(score)
        self.n_scored.update(_counts(task, scored))
        if self.by_score is not None:
            self.by_score.add(*_chosen(scored, score, by_gold))
        if self.rankings is None:
            return
        answered, sure = label != NONE, ~np.isnan(confidence)
        self.n_without["confidence"].update(_counts(task, answered & ~sure))
        self.n_without["score"].update(_counts(task, answered & ~scored))
        compared = ((label == 0) == (gold == 0)).astype(np.int32) + (label == gold)
        by_kind = task * KINDS + compared
        self.rankings.by_confidence.add(*_chosen(answered & sure, confidence, by_kind))
        key = score if self.run.ranked else np.where(label == 0, confidence, -confidence)
        self.rankings.by_entailment.add(*_chosen(answered & ~np.isnan(key), key, by_gold))

    def see_missing(self, status: Codes, ids: pa.Array[Any], rows: NDArray[np.int64]) -> None:
        """Remember the first pairs with gold that are not in the run."""
        missing = np.flatnonzero(status == len(STATUSES) - 1)
        if missing.size == 0:
            return
        self.n_missing += missing.size
        first = missing[np.argsort(rows[missing])[:SHOWN]]
        found = [(int(rows[i]), str(ids[int(i)].as_py())) for i in first]
        self.missing = sorted([*self.missing, *found])[:SHOWN]

    def finish(self) -> None:
        """Be ready to be read."""
        for store in self._stores():
            store.flush()

    def close(self) -> None:
        """Let the files go."""
        for store in self._stores():
            store.close()

    def _stores(self) -> list[SortedNumbers]:
        stores = [self.by_score] if self.by_score is not None else []
        if self.rankings is not None:
            stores += [self.rankings.by_confidence, self.rankings.by_entailment]
        return stores


class Tally:
    """What is kept of gold and runs.

    Args:
        runs: The runs.
        folder: Where keys are kept.
        tasks: Whether tasks are told apart.
        keeping: What is kept to be sorted.

    Raises:
        SettingError: there are too many runs.
    """

    def __init__(
        self,
        runs: Sequence[VerdictColumns],
        folder: Path,
        *,
        tasks: bool = False,
        keeping: Keeping | None = None,
    ) -> None:
        if len(runs) > MOST_RUNS:
            raise SettingError(
                f"{len(runs)} runs on {TOO_MANY} cannot be compared at once",
                hint=f"give at most {MOST_RUNS}",
            )
        self.runs = [
            RunTally(run, folder, f"run-{i}", keeping or Keeping()) for i, run in enumerate(runs)
        ]
        self.tasks: list[str] = [] if tasks else [""]
        """Their names by number; a single one where tasks are not told apart."""
        self.cells: Counter[int] = Counter()
        """How often each row of task, outcomes of the runs and gold occurs."""
        self.n_rows = 0
        self.n_without_gold = 0
        self._by_task = tasks
        self._numbers: dict[str, int] = {}

    def see(self, batch: SideBySide) -> None:
        """Take in some gold rows with what the runs say of them.

        Raises:
            SettingError: gold and answers go together in too many ways.
        """
        gold: Codes = batch.gold.column("gold").to_numpy()
        self.n_rows += len(gold)
        for tally, verdicts in zip(self.runs, batch.verdicts, strict=True):
            tally.labels |= _labels(verdicts)
        if not (labelled := gold != NONE).all():
            self.n_without_gold += int((~labelled).sum())
            batch = _labelled(batch, labelled)
            gold = gold[labelled]
        task = self._tasks_of(batch.gold)
        cell = gold.astype(np.int64)
        for i, (tally, verdicts) in enumerate(zip(self.runs, batch.verdicts, strict=True)):
            label: Codes = verdicts.column("label").to_numpy()
            status: Codes = verdicts.column("status").to_numpy()
            tally.see(gold, label, verdicts, task)
            tally.see_missing(status, batch.gold.column(ID), batch.rows)
            outcome = np.where(label != NONE, label, status + np.int8(len(LABELS) - 1))
            cell |= outcome.astype(np.int64) << (GOLD_BITS + OUTCOME_BITS * i)
        cell |= task.astype(np.int64) << self.task_shift
        self._count(cell)

    @property
    def task_shift(self) -> int:
        """At which bit of a cell the number of the task begins."""
        return GOLD_BITS + OUTCOME_BITS * len(self.runs)

    def finish(self) -> None:
        """Be ready to be read."""
        for run in self.runs:
            run.finish()

    def close(self) -> None:
        """Let the files go."""
        for run in self.runs:
            run.close()

    def _count(self, cell: NDArray[np.int64]) -> None:
        if len(cell) and cell.max() < _FEW_CELLS:
            every = np.bincount(cell)
            found = np.flatnonzero(every)
            counts = every[found]
        else:
            found, counts = np.unique(cell, return_counts=True)
        self.cells.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
        if len(self.cells) > MOST_CELLS:
            raise SettingError(
                f"gold and answers go together in more than {MOST_CELLS:,} ways",
                hint="evaluate fewer runs at once, or leave --by task out",
            )

    def _tasks_of(self, gold: pa.RecordBatch) -> Groups:
        if not self._by_task:
            return np.zeros(len(gold), np.int32)
        encoded: Any = gold.column("task").dictionary_encode()
        names = [*encoded.dictionary.to_pylist(), None]
        indices = encoded.indices.fill_null(len(names) - 1).to_numpy()
        numbers = np.zeros(len(names), np.int32)
        for k in np.unique(indices):
            numbers[k] = self._number(names[k] or NO_TASK)
        return np.asarray(numbers[indices], np.int32)

    def _number(self, task: str) -> int:
        if task not in self._numbers:
            if len(self.tasks) >= 1 << (_CELL_BITS - self.task_shift):
                raise SettingError(
                    f"more than {len(self.tasks):,} tasks cannot be told apart",
                    hint="evaluate fewer runs at once, or leave --by task out",
                )
            self._numbers[task] = len(self.tasks)
            self.tasks.append(task)
        return self._numbers[task]


def tallied(
    gold: Columns,
    runs: Sequence[VerdictColumns],
    folder: Path,
    *,
    tasks: bool,
    keeping: Keeping,
    partition: int,
) -> Tally:
    """Tally gold and runs: as they lie side by side, or brought together by their ids.

    Args:
        gold: The gold.
        runs: The runs.
        folder: Where keys and partitions are kept.
        tasks: Whether tasks are told apart.
        keeping: What is kept to be sorted.
        partition: How many gold rows are brought together at a time, about.

    Raises:
        DataError: two gold pairs have the same id.
        RunError: a run judges a pair twice, or one that the gold does not have.
    """
    for rows in (
        same_order(gold, runs, folder),
        any_order(gold, runs, folder, partition=partition),
    ):
        tally = Tally(runs, folder, tasks=tasks, keeping=keeping)
        try:
            for batch in rows:
                tally.see(batch)
        except OutOfOrderError:
            tally.close()
            continue
        except BaseException:
            tally.close()
            raise
        tally.finish()
        return tally
    raise AssertionError("any order is an order")


def _labelled(batch: SideBySide, labelled: NDArray[np.bool_]) -> SideBySide:
    import pyarrow as pa

    mask = pa.array(labelled)
    return SideBySide(
        batch.gold.filter(mask),
        tuple(verdicts.filter(mask) for verdicts in batch.verdicts),
        batch.rows[labelled],
    )


def _labels(verdicts: pa.RecordBatch) -> set[Label]:
    codes: Codes = verdicts.column("label").to_numpy()
    found = np.flatnonzero(np.bincount(codes - np.int8(NONE), minlength=1)) + NONE
    return {LABELS[code] for code in found.tolist() if code != NONE}


def _numbers(verdicts: pa.RecordBatch, name: str) -> NDArray[np.float64]:
    return np.asarray(verdicts.column(name).to_numpy(zero_copy_only=False), np.float64)


def _chosen(
    chosen: NDArray[np.bool_], key: NDArray[np.float64], group: Groups
) -> tuple[NDArray[np.float64], Groups]:
    if chosen.all():
        return key, group
    return key[chosen], group[chosen]


def _counts(task: Groups, chosen: NDArray[np.bool_]) -> dict[int, int]:
    if not chosen.any():
        return {}
    counts = np.bincount(task[chosen])
    return {int(k): int(counts[k]) for k in np.flatnonzero(counts)}
