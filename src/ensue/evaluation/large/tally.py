"""Counts of equal rows of streamed pairs, and sums and curves over their sorted keys."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.evaluation.curves import BINS, ThinnedCutoffs
from ensue.evaluation.judged_runs import MOST_POINTS, NO_TASK, SHOWN, STATUSES, TOO_MANY
from ensue.evaluation.large.columns import ID, LABELS, NONE, Columns, VerdictColumns
from ensue.evaluation.large.join import (
    BUFFER,
    OutOfOrderError,
    SideBySide,
    SortedNumbers,
    SortedPiece,
    any_order,
    same_order,
)
from ensue.evaluation.results import Reliability, ReliabilityBin, RiskCoverage
from ensue.pairs import Label

if TYPE_CHECKING:
    import pyarrow as pa

# Walks through sorted keys: the sums of rankings, and curves with a bounded number of points.

Points = NDArray[np.float64]
Families = tuple[Sequence[int], Sequence[int]]
"""The groups of hits, and those of misses."""

_STRETCHES = 900
"""Of each the lowest and the highest point are kept."""
_BEST = 100
"""How many cutoffs with the highest accuracy are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class RankingSums:
    """What a ranking comes to."""

    n: int
    """Pairs ranked."""
    n_hits: int
    cws: float
    """Σ_i (hits up to i)/i, ties in expectation."""
    average_precision: float
    """Σ_i hit(i)·(hits up to i)/i, ties in expectation."""
    squared_weights: float
    """Σ_j w_j² of the weights that hits have in the cws."""
    points: Points
    """Key, pairs and hits up to it, of some tie groups, the best first."""
    bins: NDArray[np.float64]
    """For each floor and bin: pairs, sum of confidences, hits."""


def walked_ranking(
    store: SortedNumbers, families: Families, *, floors: Sequence[float] = ()
) -> RankingSums:
    """Rank keys, the highest first, and sum up.

    Args:
        store: The keys.
        families: The groups of hits, and those of misses.
        floors: What a key of 0 means, for each way in which keys are confidences; without any, no
            points are kept.
    """
    from ensue.evaluation.large.kernels import walk_ranking

    n = store.n([*families[0], *families[1]])
    seen, sums = np.zeros(3, np.int64), np.zeros(4)
    kept, low, high = _empty_points(_STRETCHES if floors else 0)
    bins = np.zeros((len(floors), BINS, 3))
    at_bin = np.full(len(floors), BINS - 1, np.int64)
    whole, edges = harmonic_number(n), np.linspace(0, 1, BINS + 1)
    for piece in store.pieces(*families):
        hits, misses = piece.families
        walk_ranking(
            hits,
            misses,
            piece.ties,
            piece.tied,
            n,
            whole,
            seen,
            sums,
            kept,
            low,
            high,
            edges,
            np.array(floors, np.float64),
            at_bin,
            bins,
        )
    points = _thinned(kept, int(seen[2]) if floors else 0, low, high, kept[-1:])
    cws, precision, squares = sums[1:].tolist()
    weights = squares / n**2 if n else 0.0
    return RankingSums(n, int(seen[1]), cws, precision, weights, points[::-1], bins)


def risk_coverage_of(sums: RankingSums, n_pairs: int) -> RiskCoverage:
    """The risk-coverage curve of a ranking by confidence."""
    value, ends, hits = sums.points[:, :3].T
    area = 1 - sums.cws / sums.n
    return RiskCoverage(ends / n_pairs, 1 - hits / ends, value, area)


def reliability_of(sums: RankingSums, way: int, floor: float) -> Reliability:
    """The reliability curve of a ranking by confidence, read from one of its floors."""
    n, total, hits = sums.bins[way].T
    edges = np.linspace(0, 1, BINS + 1)
    return Reliability(
        bins=tuple(
            ReliabilityBin(
                low=float(edges[i]),
                high=float(edges[i + 1]),
                n=int(n[i]),
                confidence=float(total[i] / n[i]) if n[i] else None,
                accuracy=float(hits[i] / n[i]) if n[i] else None,
            )
            for i in range(BINS)
        ),
        error=float(np.abs(hits - total).sum() / sums.n),
        n=sums.n,
        floor=floor,
    )


def walked_cutoffs(
    store: SortedNumbers,
    families: Families,
    *,
    precision: float | None = None,
    asked: Sequence[float] = (),
) -> ThinnedCutoffs | None:
    """What every score gives as a cutoff, thinned; None where there is no score.

    Args:
        store: The scores.
        families: The groups of entailments, and those of other pairs.
        precision: A precision that some cutoff is wanted for.
        asked: Cutoffs of which is to be known what they give.
    """
    from ensue.evaluation.large.kernels import walk_cutoffs

    n_yes, n_no = (store.n(groups) for groups in families)
    if n_yes + n_no == 0:
        return None
    seen, sums = np.zeros(7, np.int64), np.full(2, -1.0)
    seen[3] = -1
    kept, low, high = _empty_points(_STRETCHES)
    best, marks = np.full((_BEST, 3), np.nan), np.full((3, 3), np.nan)
    wanted = math.inf if precision is None else precision
    decreasing = np.unique(np.array(asked, np.float64))[::-1].copy()
    answers = np.full((len(decreasing), 3), np.nan)

    # at last the cutoff at which everything is a yes
    lowest = SortedPiece(
        (np.empty(0), np.empty(0)), np.array([-np.inf]), np.zeros((2, 1), np.int64)
    )
    for piece in chain(store.pieces(*families), [lowest]):
        hits, misses = piece.families
        walk_cutoffs(
            hits,
            misses,
            piece.ties,
            piece.tied,
            n_yes,
            n_no,
            wanted,
            decreasing,
            seen,
            sums,
            kept,
            low,
            high,
            best,
            marks,
            answers,
        )
    points = _thinned(kept, int(seen[2]), low, high, kept[-1:], best, marks, answers)
    both = 2 * n_yes * n_no
    return ThinnedCutoffs(
        cutoffs=points[:, 0],
        right_yes=points[:, 1].astype(np.int64),
        right_no=n_no - points[:, 2].astype(np.int64),
        n_yes=n_yes,
        n_no=n_no,
        n_cutoffs=int(seen[2]),
        n_best=int(seen[4]),
        auc=int(seen[5]) / both if both else math.nan,
        known=frozenset(asked),
        precision_known=precision,
    )


def harmonic_number(n: int) -> float:
    """H_n, by Euler and Maclaurin where that is exact to the last bits."""
    if n < 1000:
        return math.fsum(1 / i for i in range(1, n + 1))
    return math.log(n) + np.euler_gamma + 1 / (2 * n) - 1 / (12 * n**2) + 1 / (120 * n**4)


def _empty_points(n: int) -> tuple[Points, Points, Points]:
    """Room for the first points and the last, and for the lowest and highest of n stretches."""
    stretches = np.full((n, 4), np.nan)
    return np.full((MOST_POINTS + 1, 4), np.nan), stretches, stretches.copy()


def _thinned(kept: Points, n: int, low: Points, high: Points, *others: Points) -> Points:
    """All points where they are few enough, otherwise those that stand out; keys increase."""
    if n <= MOST_POINTS:
        return kept[:n][::-1]
    found = np.concatenate([each[:, :3] for each in (kept[:1], low, high, *others)])
    found = found[~np.isnan(found[:, 0])]
    _, first = np.unique(found[:, 0], return_index=True)
    return np.asarray(found[first])


# What is kept of streamed pairs: how often equal rows occur, and keys to rank by, on disk.

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
