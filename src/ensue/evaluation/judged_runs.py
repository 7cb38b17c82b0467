"""Gold and runs side by side as arrays: matching them, and summaries of large runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, LabelError, RunError
from ensue.evaluation.results import Reliability, RiskCoverage
from ensue.pairs import (
    CutoffCurve,
    Finding,
    Label,
    Pair,
    Run,
    RunHeader,
    Severity,
    Status,
    Verdict,
    View,
    coarser_view,
    pairs_hash,
)

# What is kept of pairs that are too many to be held: counts of equal rows, and their rankings.

LARGE = 200_000
"""Data of more pairs are not held: they are streamed, and a summary is kept."""

TOO_MANY = f"more than {LARGE:,} pairs"
"""Why something is not there."""


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What a judged run over many pairs holds instead of them.

    Its rows are the distinct ways in which gold and the runs go together. What depends on the order
    of the pairs by confidence or score was computed while they were streamed.
    """

    counts: NDArray[np.int64]
    """How many pairs each row stands for."""
    n_without: Mapping[str, int] = field(default_factory=dict)
    """How many answers have no `confidence`, and how many no `score`."""
    cws: float | None = None
    cws_deviation: float | None = None
    """The standard deviation of the cws of guesses whose confidences tie as these do."""
    average_precision: float | None = None
    risk_coverage: RiskCoverage | None = None
    """At most `MOST_POINTS` points of the curve, the lowest and the highest among them."""
    reliability: Mapping[float, Reliability] = field(default_factory=dict)
    """By floor: 0 and the view's chance."""
    n_scored: int = 0
    """How many pairs have a score, answered or not."""
    cutoffs: CutoffCurve | None = None
    """None where no pair has a score, or the curve was not asked for."""


MOST_POINTS = 2000
"""How many points of a curve a summary keeps."""


# Gold and a run side by side, as arrays.

NO_TASK = "(no task)"
"""The name under which pairs without a task are counted."""

UNANSWERED = -1
"""The answer of a pair without one."""

MISSING = "missing"
"""The status of a pair that the run does not mention."""

STATUSES = (*(status.value for status in Status), MISSING)
"""What the codes in `Judged.status` stand for."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The pairs that have gold, and what one run says of each.

    Of data too large to be held there are rows that stand for many pairs each: `summary` says how
    many, and has what rows alone do not tell.
    """

    name: str
    """What the run is called."""
    view: View
    pairs: tuple[Pair, ...]
    """The pairs with gold; all the arrays follow their order. Empty beside a summary."""
    gold: NDArray[np.int8]
    """Index into `view.labels`; 0 is entailment."""
    answer: NDArray[np.int8]
    """Index into `view.labels`, or `UNANSWERED`."""
    confidence: NDArray[np.float64]
    """NaN where there is none."""
    score: NDArray[np.float64]
    """NaN where there is none."""
    status: NDArray[np.int8]
    """Index into `STATUSES`."""
    ranked: bool = False
    """Whether the scores, not the confidences, say how sure entailment is."""
    summary: Summary | None = None
    """Of pairs that are not held; then confidences and scores are NaN here."""

    @property
    def n_pairs(self) -> int:
        """Pairs with gold."""
        return int(self.counts.sum())

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many pairs each row stands for."""
        return np.ones(len(self.gold), np.int64) if self.summary is None else self.summary.counts

    def n(self, chosen: NDArray[np.bool_]) -> int:
        """How many pairs the chosen rows stand for."""
        return int(chosen.sum() if self.summary is None else self.summary.counts[chosen].sum())

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which pairs have an answer."""
        return np.not_equal(self.answer, UNANSWERED)

    @property
    def n_answered(self) -> int:
        """Pairs with an answer."""
        return self.n(self.answered)

    @property
    def right(self) -> NDArray[np.bool_]:
        """Which answers are right; a pair without an answer is not."""
        return np.equal(self.answer, self.gold)

    @property
    def is_yes(self) -> NDArray[np.bool_]:
        """Which pairs are entailments in the gold."""
        return np.equal(self.gold, 0)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Each pair's task."""
        return tuple(pair.task or NO_TASK for pair in self.pairs)

    def subset(self, chosen: NDArray[np.bool_]) -> Judged:
        """The same run on some of the pairs."""
        return Judged(
            name=self.name,
            view=self.view,
            pairs=tuple(pair for pair, keep in zip(self.pairs, chosen, strict=True) if keep),
            gold=self.gold[chosen],
            answer=self.answer[chosen],
            confidence=self.confidence[chosen],
            score=self.score[chosen],
            status=self.status[chosen],
            ranked=self.ranked,
        )


def by_task(judged: Judged) -> dict[str, Judged]:
    """The run on the pairs of each task, in alphabetical order of the tasks."""
    tasks = np.array(judged.tasks, dtype=object)
    return {task: judged.subset(tasks == task) for task in sorted(set(tasks))}


def confidence_gap(judged: Judged) -> str | None:
    """Why the answers cannot be ranked by confidence, or None where they can."""
    return _gap(judged, judged.confidence, "confidence")


def score_gap(judged: Judged) -> str | None:
    """Why the answers cannot be ranked by score, or None where they can."""
    return _gap(judged, judged.score, "score")


def entailment_gap(judged: Judged) -> str | None:
    """Why `entailment_key` does not rank the answers, or None where it does."""
    return score_gap(judged) if judged.ranked else confidence_gap(judged)


def entailment_key(judged: Judged) -> NDArray[np.float64]:
    """How sure the run is that entailment holds.

    Of a ranked run the score; otherwise the confidence of a yes, and minus the confidence of any
    other answer. NaN where there is no answer.
    """
    if judged.ranked:
        return np.where(judged.answered, judged.score, np.nan)
    signed = np.where(judged.answer == 0, judged.confidence, -judged.confidence)
    return np.where(judged.answered, signed, np.nan)


def _gap(judged: Judged, numbers: NDArray[np.float64], what: str) -> str | None:
    n = judged.n_answered
    if n == 0:
        return "no pair is answered"
    if judged.summary is None:
        without = int(np.isnan(numbers[judged.answered]).sum())
    else:
        without = judged.summary.n_without[what]
    if without == 0:
        return None
    if without == n:
        return f"the run has no {what}s"
    return f"{without} of {n} answers have no {what}"


# Bring gold and runs together: which view, which pairs, and what does not fit.

SHOWN = 5
"""How many pair ids a finding names."""


@dataclass(frozen=True, slots=True, eq=False)
class LineUp:
    """Gold and runs, ready to be measured."""

    view: View
    judged: tuple[Judged, ...]
    """One for each run, all over the same pairs in the same order."""
    n_without_gold: int
    """Pairs left out because they have no gold."""
    findings: tuple[Finding, ...]


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
    known = _positions(gold)
    labelled = tuple(pair for pair in gold if pair.gold is not None)
    if not labelled:
        raise DataError("no pair has gold", hint="evaluate against pairs that are labelled")
    seen = view or shared_view(labelled, runs)
    findings = [*no_gold(len(gold) - len(labelled))]
    digest = pairs_hash(gold) if any(map(_data_hash, runs)) else ""
    judged = []
    for run in runs:
        verdicts = _verdicts(run, known)
        findings.extend(_run_findings(run, verdicts, labelled, digest))
        judged.append(_judged(run, verdicts, labelled, seen))
    return LineUp(seen, tuple(judged), len(gold) - len(labelled), tuple(findings))


def shared_view(pairs: Iterable[Pair], runs: Iterable[Run]) -> View:
    """The finest view in which the gold and all the runs can be compared.

    A run whose header names a 2-way recognizer is 2-way, even if it only ever says yes.
    """
    labellings = [{pair.gold for pair in pairs if pair.gold is not None}]
    for run in runs:
        labels = {verdict.label for verdict in run.verdicts if verdict.label is not None}
        labellings.append(run_labelling(labels, run.header))
    return coarser_view(*labellings)


def run_labelling(labels: set[Label], header: RunHeader | None) -> set[Label]:
    """The labels that a run may give: those it gives and, of a 2-way recognizer, the other one."""
    if header is not None and header.signature.view is View.TWO_WAY:
        fine = labels & {Label.CONTRADICTION, Label.UNKNOWN}
        return labels if fine else labels | {Label.NOT_ENTAILMENT}
    return labels


def _positions(gold: Sequence[Pair]) -> dict[str, int]:
    positions: dict[str, int] = {}
    for i, pair in enumerate(gold):
        if pair.id in positions:
            raise DataError(
                f"two gold pairs have the id {pair.id!r} (pairs {positions[pair.id] + 1}"
                f" and {i + 1})",
                hint="ids must be unique for runs to refer to them",
            )
        positions[pair.id] = i
    return positions


def _verdicts(run: Run, known: dict[str, int]) -> dict[str, Verdict]:
    unknown = [i for i, verdict in enumerate(run.verdicts) if verdict.pair_id not in known]
    if unknown:
        first = run.verdicts[unknown[0]].pair_id
        raise unknown_error(first, len(unknown), len(run.verdicts), run.place(unknown[0]))
    verdicts: dict[str, Verdict] = {}
    for i, verdict in enumerate(run.verdicts):
        if verdict.pair_id in verdicts:
            raise RunError(
                f"pair {verdict.pair_id!r} is judged a second time",
                place=run.place(i),
                hint="keep one verdict a pair",
            )
        verdicts[verdict.pair_id] = verdict
    return verdicts


def unknown_error(first: str, n_unknown: int, n: int, place: str) -> RunError:
    """What is said of a run with pairs that the gold does not have.

    Args:
        first: The first of these pairs.
        n_unknown: How many there are.
        n: How many verdicts the run has.
        place: Where the first stands.
    """
    if 2 * n_unknown > n:
        message = (
            f"a run for other data: {n_unknown} of its {n} pair ids are not in the gold,"
            f" the first is {first!r}"
        )
        hint = "give the pairs that the run was made for"
    else:
        more = f" (and {n_unknown - 1} more)" if n_unknown > 1 else ""
        message = f"pair {first!r} is not in the gold{more}"
        hint = "remove the line, or give the gold that has the pair"
    return RunError(message, place=place, hint=hint)


def no_gold(n: int) -> Iterable[Finding]:
    """Say how many pairs are left out because they have no gold, if any are."""
    if n:
        said = "1 pair without gold is" if n == 1 else f"{n} pairs without gold are"
        yield Finding("no-gold", Severity.NOTE, f"{said} left out", details={"n": n})


def _data_hash(run: Run) -> str | None:
    return run.header.data.get("pairs_hash") if run.header is not None else None


def _run_findings(
    run: Run, verdicts: dict[str, Verdict], pairs: Sequence[Pair], digest: str
) -> Iterable[Finding]:
    recorded = _data_hash(run)
    if recorded and recorded != digest:
        yield Finding(
            "other-data",
            Severity.WARNING,
            "the run was made for other pairs than the gold: ids, texts or order differ",
            place=run.name,
            details={"run": recorded, "gold": digest},
        )
    missing = [pair.id for pair in pairs if pair.id not in verdicts]
    yield from not_judged(run.name, missing[:SHOWN], len(missing), len(pairs))


def not_judged(run: str, first: Sequence[str], n_missing: int, n: int) -> Iterable[Finding]:
    """Say which pairs are not in a run, if any are.

    Args:
        run: What the run is called.
        first: The first `SHOWN` of these pairs.
        n_missing: How many there are.
        n: How many pairs have gold.
    """
    if n_missing:
        shown = ", ".join(first) + (", …" if n_missing > SHOWN else "")
        yield Finding(
            "not-judged",
            Severity.WARNING,
            f"{n_missing} of {n} pairs are not in the run and count as unanswered: {shown}",
            place=run,
            pair_ids=tuple(first),
            details={"n": n_missing},
        )


def _judged(run: Run, verdicts: dict[str, Verdict], pairs: tuple[Pair, ...], view: View) -> Judged:
    found = [verdicts.get(pair.id) for pair in pairs]
    codes = view_codes(view)
    return Judged(
        name=run.name,
        view=view,
        pairs=pairs,
        gold=np.array([code_in(codes, pair.gold, "gold") for pair in pairs], dtype=np.int8),
        answer=np.array(
            [code_in(codes, verdict.label if verdict else None, run.name) for verdict in found],
            dtype=np.int8,
        ),
        confidence=_numbers(verdict.confidence if verdict else None for verdict in found),
        score=_numbers(verdict.score if verdict else None for verdict in found),
        status=np.array(
            [STATUSES.index(verdict.status.value if verdict else MISSING) for verdict in found],
            dtype=np.int8,
        ),
        ranked=run.ranked,
    )


def view_codes(view: View) -> dict[Label | None, int]:
    """What stands for each label in a view; those without a place in it are left out."""
    codes: dict[Label | None, int] = {None: UNANSWERED}
    for label in Label:
        try:
            codes[label] = view.labels.index(view.of(label))
        except LabelError:
            continue
    return codes


def code_in(codes: dict[Label | None, int], label: Label | None, where: str) -> int:
    """What stands for a label.

    Raises:
        LabelError: it has no place in the view.
    """
    try:
        return codes[label]
    except KeyError:
        raise LabelError(
            f"label {str(label)!r} has no place in a 3-way view",
            place=where,
            hint="compare in the 2-way view, where all labels have a place",
        ) from None


def _numbers(values: Iterable[float | None]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
