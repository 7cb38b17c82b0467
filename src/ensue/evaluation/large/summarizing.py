"""From a tally to judged runs with summaries, in one view, as a whole and by task."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.evaluation.large.columns import LABELS
from ensue.evaluation.large.ranking.sorting import SortedNumbers
from ensue.evaluation.large.ranking.walking import (
    Families,
    reliability_of,
    risk_coverage_of,
    walked_cutoffs,
    walked_ranking,
)
from ensue.evaluation.large.tallying import (
    GOLD_BITS,
    KINDS,
    OUTCOME_BITS,
    RIGHT,
    RIGHT_IN_TWO,
    WRONG,
    RunTally,
    Tally,
)
from ensue.evaluation.measuring.judged import STATUSES, UNANSWERED, Judged
from ensue.evaluation.measuring.lineup import (
    LineUp,
    code_in,
    no_gold,
    not_judged,
    run_labelling,
    view_codes,
)
from ensue.evaluation.measuring.summary import Summary
from ensue.pairs import Label, View, coarser_view

_OUTCOME = (1 << OUTCOME_BITS) - 1
_GOLD = (1 << GOLD_BITS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Summarized:
    """Gold and runs as they are measured."""

    lined: LineUp
    tasks: dict[str, tuple[Judged, ...]] = field(default_factory=dict)
    """By name, in alphabetical order: the runs on each task."""
    given: tuple[dict[Label, int], ...] = ()
    """How many pairs with gold got each label of each run."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which keys are walked through, and how."""

    view: View
    tasks: tuple[int, ...]
    """Numbers of the tasks that are taken together."""
    cutoffs: bool = False
    """Whether the scores are, too."""
    precision: float | None = None
    """A precision that some cutoff is wanted for."""
    asked: tuple[float, ...] = ()
    """Cutoffs of which is to be known what they give."""

    def confidences(self) -> Families:
        """The groups of confidences of right answers, and of wrong ones."""
        right = (RIGHT,) if self.view is View.THREE_WAY else (RIGHT, RIGHT_IN_TWO)
        wrong = [kind for kind in (WRONG, RIGHT_IN_TWO) if kind not in right]
        return (
            [task * KINDS + kind for task in self.tasks for kind in right],
            [task * KINDS + kind for task in self.tasks for kind in wrong],
        )

    def entailments(self) -> Families:
        """The groups of keys of entailments, and of other pairs."""
        return by_gold(self.tasks)


def by_gold(tasks: Sequence[int]) -> Families:
    """The groups of keys of entailments in these tasks, and of other pairs."""
    return [task * 2 + 1 for task in tasks], [task * 2 for task in tasks]


def summarized(
    tally: Tally,
    *,
    view: View | None = None,
    by_task: bool = False,
    precision: float | None = None,
    asked: Sequence[float] = (),
) -> Summarized:
    """Put what was tallied into one view.

    Args:
        tally: What was kept of gold and runs.
        view: The labels to compare in; the finest that all share, where it is not given.
        by_task: Whether each task is wanted by itself, too.
        precision: A precision that some cutoff is wanted for.
        asked: Cutoffs of which is to be known what they give.

    Raises:
        DataError: no pair has gold.
        LabelError: a label has no place in the view that was asked for.
    """
    if not tally.cells:
        raise DataError("no pair has gold", hint="evaluate against pairs that are labelled")
    seen = view or _shared_view(tally)
    numbers = range(len(tally.tasks))
    cells = _cells_by_task(tally)
    whole: Counter[int] = Counter()
    for own in cells.values():
        whole.update(own)
    judged = _judged(tally, whole, _Wanted(seen, tuple(numbers), True, precision, tuple(asked)))
    n = judged[0].n_pairs
    findings = [*no_gold(tally.n_without_gold)]
    for run in tally.runs:
        first = [pair_id for _, pair_id in run.missing]
        findings += not_judged(run.run.name, first, run.n_missing, n)
    of_tasks = sorted(numbers, key=lambda k: tally.tasks[k]) if by_task else ()
    return Summarized(
        LineUp(seen, judged, tally.n_without_gold, tuple(findings)),
        {tally.tasks[k]: _judged(tally, cells[k], _Wanted(seen, (k,))) for k in of_tasks},
        tuple(_given(whole, i) for i in range(len(tally.runs))),
    )


def _shared_view(tally: Tally) -> View:
    golds = {LABELS[cell & _GOLD] for cell in tally.cells}
    return coarser_view(golds, *(run_labelling(run.labels, run.run.header) for run in tally.runs))


def _cells_by_task(tally: Tally) -> dict[int, Counter[int]]:
    """How often each row of outcomes and gold occurs in each task."""
    found: dict[int, Counter[int]] = {}
    for cell, n in tally.cells.items():
        own = cell & ((1 << tally.task_shift) - 1)
        found.setdefault(cell >> tally.task_shift, Counter())[own] += n
    return found


def _given(cells: Counter[int], i: int) -> dict[Label, int]:
    found: Counter[Label] = Counter()
    for cell, n in cells.items():
        outcome = _outcome(cell, i)
        if outcome < len(LABELS):
            found[LABELS[outcome]] += n
    return {label: found[label] for label in Label if found[label]}


def _outcome(cell: int, i: int) -> int:
    return (cell >> (GOLD_BITS + OUTCOME_BITS * i)) & _OUTCOME


def _judged(tally: Tally, counted: Counter[int], wanted: _Wanted) -> tuple[Judged, ...]:
    """The runs on some tasks; their rows are the cells that occur."""
    cells = sorted(counted)
    counts = np.array([counted[cell] for cell in cells], np.int64)
    codes = view_codes(wanted.view)
    gold = np.array([code_in(codes, LABELS[cell & _GOLD], "gold") for cell in cells], np.int8)
    return tuple(
        _judged_run(run, [_outcome(cell, i) for cell in cells], gold, counts, wanted)
        for i, run in enumerate(tally.runs)
    )


def _judged_run(
    run: RunTally,
    outcomes: Sequence[int],
    gold: NDArray[np.int8],
    counts: NDArray[np.int64],
    wanted: _Wanted,
) -> Judged:
    codes = view_codes(wanted.view)
    labels = [LABELS[each] if each < len(LABELS) else None for each in outcomes]
    answer = np.array([code_in(codes, label, run.run.name) for label in labels], np.int8)
    status = np.array([max(each - len(LABELS) + 1, 0) for each in outcomes], np.int8)
    assert status.max() < len(STATUSES)
    nothing = np.full(len(gold), np.nan)
    n_answered = int(counts[answer != UNANSWERED].sum())
    return Judged(
        name=run.run.name,
        view=wanted.view,
        pairs=(),
        gold=gold,
        answer=answer,
        confidence=nothing,
        score=nothing,
        status=status,
        ranked=run.run.ranked,
        summary=_summary(run, counts, n_answered, int(counts[gold == 0].sum()), wanted),
    )


def _summary(
    run: RunTally, counts: NDArray[np.int64], n_answered: int, n_yes: int, wanted: _Wanted
) -> Summary:
    found = Summary(
        counts,
        n_without={what: _of_tasks(run.n_without[what], wanted) for what in run.n_without},
        n_scored=_of_tasks(run.n_scored, wanted),
    )
    if run.by_score is not None and wanted.cutoffs:
        curve = walked_cutoffs(
            run.by_score, wanted.entailments(), precision=wanted.precision, asked=wanted.asked
        )
        found = replace(found, cutoffs=curve)
    if run.rankings is None or n_answered == 0:
        return found
    if found.n_without["score" if run.run.ranked else "confidence"] == 0 and n_yes:
        sums = walked_ranking(run.rankings.by_entailment, wanted.entailments())
        found = replace(found, average_precision=sums.average_precision / n_yes)
    if found.n_without["confidence"] == 0:
        found = _by_confidence(found, run.rankings.by_confidence, wanted)
    return found


def _by_confidence(found: Summary, store: SortedNumbers, wanted: _Wanted) -> Summary:
    chance = wanted.view.chance
    floors = (0.0, chance)
    sums = walked_ranking(store, wanted.confidences(), floors=floors)
    return replace(
        found,
        cws=sums.cws / sums.n,
        cws_deviation=math.sqrt(chance * (1 - chance) * sums.squared_weights),
        risk_coverage=risk_coverage_of(sums, int(found.counts.sum())),
        reliability={floor: reliability_of(sums, k, floor) for k, floor in enumerate(floors)},
    )


def _of_tasks(counted: Counter[int], wanted: _Wanted) -> int:
    return sum(counted[task] for task in wanted.tasks)
