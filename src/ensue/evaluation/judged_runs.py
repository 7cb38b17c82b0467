"""Gold and runs side by side as arrays, in one view: which pairs, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, LabelError
from ensue.evaluation.gold import LABELS, LARGE, NONE, Categories, Codes, Gold, gold_of
from ensue.evaluation.verdicts import (
    MISSING_STATUS,
    RunBatches,
    Verdicts,
    given_labels,
    gives_probabilities,
    held_run,
    verdicts_on,
)
from ensue.pairs import (
    Finding,
    Label,
    Pair,
    Run,
    RunHeader,
    Severity,
    View,
    coarser_view,
)

# Gold and a run side by side, as arrays.

UNANSWERED = -1
"""The answer of a pair without one."""


@dataclass(frozen=True, eq=False)
class Judged:
    """The pairs that have gold, and what one run says of each: some 20 bytes a pair."""

    name: str
    """What the run is called."""
    view: View
    gold: Codes
    """Index into `view.labels`; 0 is entailment."""
    answer: Codes
    """Index into `view.labels`, or `UNANSWERED`."""
    confidence: NDArray[np.float64]
    """NaN where there is none."""
    score: NDArray[np.float64]
    """NaN where there is none, or where scores were not wanted."""
    status: Codes
    """Index into `STATUSES`."""
    tasks: Categories
    groups: Categories | None = None
    """Candidate texts for one hypothesis; None where they were not wanted."""
    ranked: bool = False
    """Whether the scores, not the confidences, say how sure entailment is."""
    is_large: bool = False
    """Whether the data set has more than `LARGE` pairs, be these all or those of one task."""
    has_scores: bool = True
    """Whether scores were kept, if there were any."""
    pairs: tuple[Pair, ...] = ()
    """The pairs themselves, where they were given and not read."""
    values: dict[Any, float | None] = field(default_factory=dict, repr=False)
    """Measures that were computed: what takes sorting is sorted once."""

    @property
    def n_pairs(self) -> int:
        """Pairs with gold."""
        return len(self.gold)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which pairs have an answer."""
        return np.not_equal(self.answer, UNANSWERED)

    @cached_property
    def n_answered(self) -> int:
        """Pairs with an answer."""
        return int(self.answered.sum())

    @property
    def right(self) -> NDArray[np.bool_]:
        """Which answers are right; a pair without an answer is not."""
        return np.equal(self.answer, self.gold)

    @property
    def is_yes(self) -> NDArray[np.bool_]:
        """Which pairs are entailments in the gold."""
        return np.equal(self.gold, 0)

    @cached_property
    def confusion(self) -> NDArray[np.int64]:
        """Gold labels × answers: how many pairs; the last answer is "unanswered"."""
        n_labels = len(self.view.labels)
        cells = np.bincount(cells_of(self), minlength=n_labels * (n_labels + 1))
        return cells.reshape(n_labels, n_labels + 1).astype(np.int64)

    @cached_property
    def confidence_gap(self) -> str | None:
        """Why the answers cannot be ranked by confidence, or None where they can."""
        return self._gap(self.confidence, "confidence")

    @cached_property
    def score_gap(self) -> str | None:
        """Why the answers cannot be ranked by score, or None where they can."""
        return self._gap(self.score, "score")

    def _gap(self, numbers: NDArray[np.float64], what: str) -> str | None:
        if self.n_answered == 0:
            return "no pair is answered"
        without = int((np.isnan(numbers) & self.answered).sum())
        if without == 0:
            return None
        if without == self.n_answered:
            return f"the run has no {what}s"
        return f"{without} of {self.n_answered} answers have no {what}"

    def subset(self, chosen: NDArray[np.bool_]) -> Judged:
        """The same run on some of the pairs."""
        return replace(
            self,
            gold=self.gold[chosen],
            answer=self.answer[chosen],
            confidence=self.confidence[chosen],
            score=self.score[chosen],
            status=self.status[chosen],
            tasks=self.tasks.subset(chosen),
            groups=None if self.groups is None else self.groups.subset(chosen),
            pairs=tuple(self.pairs[i] for i in np.flatnonzero(chosen)) if self.pairs else (),
            values={},
        )


def cells_of(judged: Judged) -> NDArray[np.int8]:
    """For each pair its cell of the confusion matrix, row by row."""
    n_labels = len(judged.view.labels)
    columns = np.where(judged.answered, judged.answer, np.int8(n_labels))
    return np.asarray(judged.gold * np.int8(n_labels + 1) + columns, np.int8)


def task_parts(judged: Judged) -> dict[str, NDArray[np.bool_]]:
    """Which pairs are of each task, in alphabetical order of the tasks; none without a pair."""
    codes = judged.tasks.codes
    occurring = np.flatnonzero(np.bincount(codes, minlength=1)).tolist() if len(codes) else []
    names = sorted((judged.tasks.names[k], k) for k in occurring)
    return {name: np.equal(codes, k) for name, k in names}


def by_task(judged: Judged) -> dict[str, Judged]:
    """The run on the pairs of each task, in alphabetical order of the tasks."""
    return {task: judged.subset(chosen) for task, chosen in task_parts(judged).items()}


def confidence_gap(judged: Judged) -> str | None:
    """Why the answers cannot be ranked by confidence, or None where they can."""
    return judged.confidence_gap


def entailment_gap(judged: Judged) -> str | None:
    """Why `entailment_key` does not rank the answers, or None where it does."""
    return judged.score_gap if judged.ranked else judged.confidence_gap


def entailment_key(judged: Judged) -> NDArray[np.float64]:
    """How sure the run is that entailment holds.

    Of a ranked run the score; otherwise the confidence of a yes, and minus the confidence of any
    other answer. NaN where there is no answer.
    """
    key = (judged.score if judged.ranked else judged.confidence).copy()
    if not judged.ranked:
        np.negative(key, out=key, where=judged.answer != 0)
    key[~judged.answered] = np.nan
    return key


# Bring gold and runs together: which view, which pairs, and what does not fit.

SHOWN = 5
"""How many pair ids a finding names."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What an evaluation says of a run beside what is measured."""

    signature: str | None
    """The recognizer's signature, where the run has a header."""
    given: dict[Label, int] = field(hash=False)
    """How many pairs with gold got each label, as the run has it and not as the view does."""


@dataclass(frozen=True, slots=True, eq=False)
class LineUp:
    """Gold and runs, ready to be measured."""

    view: View
    judged: tuple[Judged, ...]
    """One for each run, all over the same pairs in the same order."""
    facts: tuple[RunFacts, ...]
    """One for each run."""
    n_without_gold: int
    """Pairs left out because they have no gold."""
    findings: tuple[Finding, ...]
    rows: NDArray[np.int64] | None = None
    """The numbers of these pairs among all gold pairs; None where all have gold."""


def line_up(gold: Sequence[Pair], runs: Sequence[Run], *, view: View | None = None) -> LineUp:
    """Put runs beside gold, in one view and in the order of the gold pairs.

    Pairs without gold are left out and counted; pairs that a run does not mention are unanswered.

    Args:
        gold: The pairs with their labels.
        runs: The runs to be measured.
        view: The labels to compare in; the finest that all share, where it is not given.

    Raises:
        DataError: no pair has gold, or two pairs have the same id.
        RunError: a run judges a pair twice, or one that the gold does not have.
        LabelError: a label has no place in the view that was asked for.
    """
    return lined_up(gold_of(gold), [held_run(run) for run in runs], view=view)


def lined_up(
    gold: Gold, runs: Sequence[RunBatches], *, view: View | None = None, scores: bool = True
) -> LineUp:
    """As `line_up`, for gold and runs of any size.

    Args:
        gold: The gold.
        runs: The runs, which are read here.
        view: The labels to compare in; the finest that all share, where it is not given.
        scores: Whether the scores of runs are wanted.
    """
    labelled = gold.labels != NONE
    n = int(labelled.sum())
    if n == 0:
        raise DataError(
            "no-pair-gold", "no pair has gold", hint="evaluate against pairs that are labelled"
        )
    found = [verdicts_on(gold, run, scores=scores) for run in runs]
    seen = view or _shared_view(gold, found)
    findings = [*no_gold(gold.n_rows - n)]
    for verdicts in found:
        findings.extend(_run_findings(gold, verdicts, labelled, n))
    rows = None if n == gold.n_rows else np.flatnonzero(labelled)
    chosen = slice(None) if rows is None else labelled
    base = _gold_side(gold, chosen, seen)
    judged, facts = [], []
    for verdicts in found:
        judged.append(_judged(base, verdicts, chosen, scores))
        facts.append(RunFacts(_signature(verdicts.header), given_labels(verdicts.label[chosen])))
    return LineUp(seen, tuple(judged), tuple(facts), gold.n_rows - n, tuple(findings), rows)


def _signature(header: RunHeader | None) -> str | None:
    return None if header is None else str(header.signature)


def _shared_view(gold: Gold, runs: Iterable[Verdicts]) -> View:
    """The finest view in which the gold and all the runs can be compared.

    A run whose header names a 2-way recognizer is 2-way, even if it only ever says yes.
    """
    return coarser_view(
        set(given_labels(gold.labels)),
        *(run_labelling(set(run.labels), run.header) for run in runs),
    )


def run_labelling(labels: set[Label], header: RunHeader | None) -> set[Label]:
    """The labels that a run may give: those it gives and, of a 2-way recognizer, the other one."""
    if header is not None and header.signature.view is View.TWO_WAY:
        fine = labels & {Label.CONTRADICTION, Label.UNKNOWN}
        return labels if fine else labels | {Label.NOT_ENTAILMENT}
    return labels


def _gold_side(gold: Gold, chosen: Any, view: View) -> Judged:
    """What all runs on the gold share."""
    nothing = np.zeros(0)
    codes = _in_view(gold.labels[chosen], view, "gold")
    rows = np.flatnonzero(gold.labels != NONE).tolist() if gold.pairs else ()
    return Judged(
        name="gold",
        view=view,
        gold=codes,
        answer=codes,
        confidence=nothing,
        score=nothing,
        status=codes,
        tasks=gold.tasks.subset(chosen),
        groups=None if gold.groups is None else gold.groups.subset(chosen),
        is_large=len(codes) > LARGE,
        pairs=tuple(gold.pairs[i] for i in rows),
    )


def _judged(base: Judged, verdicts: Verdicts, chosen: Any, scores: bool) -> Judged:
    return replace(
        base,
        name=verdicts.name,
        answer=_in_view(verdicts.label[chosen], base.view, verdicts.name),
        confidence=_confidence(base, verdicts)[chosen],
        score=verdicts.score[chosen],
        status=verdicts.status[chosen],
        ranked=verdicts.ranked,
        has_scores=scores or verdicts.ranked,
        values={},
    )


def _confidence(base: Judged, verdicts: Verdicts) -> NDArray[np.float64]:
    """The confidence in each decision, in the view of the gold.

    A 3-way recognizer that gives probabilities has one for *unknown* and one for *contradiction*; in the 2-way view
    both are *no*, and its confidence in that is all that is left of one.
    """
    if base.view is View.THREE_WAY or not gives_probabilities(verdicts.header):
        return verdicts.confidence
    yes = verdicts.label == LABELS.index(Label.ENTAILMENT)
    found = np.where(yes, verdicts.score, 1 - verdicts.score)
    return np.where(np.isnan(verdicts.confidence), np.nan, found)


def _in_view(labels: Codes, view: View, where: str) -> Codes:
    """What stands for each label in a view.

    Raises:
        LabelError: one has no place in it.
    """
    table = np.full(len(LABELS) + 1, UNANSWERED, np.int8)
    for label in given_labels(labels):
        try:
            table[LABELS.index(label)] = view.labels.index(view.of(label))
        except LabelError:
            raise LabelError(
                "label-no-place-way",
                f"label {str(label)!r} has no place in a 3-way view",
                place=where,
                hint="compare in the 2-way view, where all labels have a place",
            ) from None
    return table[labels]


def no_gold(n: int) -> Iterable[Finding]:
    """Say how many pairs are left out because they have no gold, if any are."""
    if n:
        said = "1 pair without gold is" if n == 1 else f"{n} pairs without gold are"
        yield Finding("no-gold", Severity.NOTE, f"{said} left out", details={"n": n})


def _run_findings(
    gold: Gold, run: Verdicts, labelled: NDArray[np.bool_], n: int
) -> Iterable[Finding]:
    recorded = None if run.header is None else run.header.data.get("pairs_hash")
    digest = gold.digest() if recorded else None
    if digest is not None and recorded != digest:
        yield Finding(
            "other-data",
            Severity.WARNING,
            "the run was made for other pairs than the gold: ids, texts or order differ",
            place=run.name,
            details={"run": recorded, "gold": digest},
        )
    missing = np.flatnonzero((run.status == MISSING_STATUS) & labelled)
    if len(missing):
        first = tuple(gold.ids.text(row) for row in missing[:SHOWN].tolist())
        shown = ", ".join(first) + (", …" if len(missing) > SHOWN else "")
        yield Finding(
            "not-judged",
            Severity.WARNING,
            f"{len(missing)} of {n} pairs are not in the run and count as unanswered: {shown}",
            place=run.name,
            pair_ids=first,
            details={"n": len(missing)},
        )
