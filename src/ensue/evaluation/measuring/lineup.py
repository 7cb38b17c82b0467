"""Bring gold and runs together: which view, which pairs, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ensue.errors import DataError, LabelError, RunError
from ensue.evaluation.measuring.judged import MISSING, STATUSES, UNANSWERED, Judged
from ensue.pairs import (
    Finding,
    Label,
    Pair,
    Run,
    RunHeader,
    Severity,
    Verdict,
    View,
    coarser_view,
    pairs_hash,
)

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
