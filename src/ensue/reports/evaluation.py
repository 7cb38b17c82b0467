"""From the results of an evaluation to tables, pictures and one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ensue import __version__
from ensue.errors import UndefinedError
from ensue.evaluation import (
    ConfidenceCurves,
    Evaluation,
    RunEvaluation,
    confidence_curves,
    run_cutoffs,
)
from ensue.reports.cutoffs import banded_line
from ensue.reports.measures import (
    calibration_table,
    chance_table,
    clusters_table,
    comparisons_table,
    confusion_table,
    curve_tables,
    group_tables,
    labels_table,
    operating_table,
    outcomes_table,
    prior_table,
    runs_table,
    signatures_table,
    tasks_table,
    unanswered_table,
)
from ensue.reports.model import (
    Interval,
    Picture,
    Report,
    Section,
    Table,
    best_of,
    findings_table,
    interval_in_words,
    names_in_words,
    number_in_words,
    others_in_words,
    p_in_words,
    shown_estimate,
)
from ensue.reports.pictures.curves import (
    Line,
    cutoff_picture,
    reliability_picture,
    risk_coverage_picture,
)
from ensue.reports.pictures.dots import accuracy_picture, confusion_picture, group_picture


@dataclass(frozen=True, slots=True)
class EvaluationExtras:
    """What to show beside what is always shown."""

    precision: float | None = None
    """Operating points: the cutoffs for best accuracy, best F and this precision."""
    groups: bool = False
    """The ranking setting: groups of texts for one hypothesis."""


def evaluation_tables(
    evaluation: Evaluation,
    wishes: EvaluationExtras | None = None,
    *,
    every: bool = True,
    curves: Sequence[ConfidenceCurves] | None = None,
) -> list[Table]:
    """The tables of an evaluation, the most important first.

    Args:
        evaluation: What to show.
        wishes: What to show beside what is always shown.
        every: Whether every point of the curves and every group is there, for programs; otherwise
            the curves are left to the pictures and the lowest groups stand for all.
        curves: What the confidences are worth, where that is computed already.
    """
    wishes = wishes or EvaluationExtras()
    curves = confidence_curves(evaluation) if curves is None else curves
    tables = [
        runs_table(evaluation),
        outcomes_table(evaluation),
        unanswered_table(evaluation),
        chance_table(evaluation),
        labels_table(evaluation),
        confusion_table(evaluation),
        tasks_table(evaluation),
        prior_table(evaluation),
        comparisons_table(evaluation),
        clusters_table(evaluation),
        calibration_table(evaluation, curves),
        operating_table(evaluation, wishes.precision) if wishes.precision is not None else None,
        *(group_tables(evaluation, every=every) if wishes.groups else ()),
        signatures_table(evaluation),
        *(curve_tables(curves) if every else ()),
    ]
    return [table for table in tables if table is not None]


def evaluation_report(
    evaluation: Evaluation, *, gold: str, wishes: EvaluationExtras | None = None
) -> Report:
    """The page of an evaluation.

    Args:
        evaluation: What to show.
        gold: What the gold pairs are called.
        wishes: What to show beside what is always shown.
    """
    curves = confidence_curves(evaluation)
    shown = evaluation_tables(evaluation, wishes, every=False, curves=curves)
    tables = {table.name: table for table in shown}
    contents: list[tuple[str, str, list[Table | Picture | None]]] = [
        (
            "Runs",
            _introduction(evaluation, gold),
            [
                tables["runs"],
                _accuracies(evaluation),
                tables.get("outcomes"),
                tables.get("unanswered"),
                tables["chance"],
                tables.get("prior"),
            ],
        ),
        ("Labels", "", [tables["labels"], *_confusions(evaluation)]),
        ("Tasks", "", [tables.get("tasks"), _tasks(evaluation)]),
        ("Comparison", "", [tables.get("comparisons"), tables.get("clusters")]),
        (
            "Confidence",
            "",
            [tables.get("calibration"), _reliabilities(curves), _risks(curves)],
        ),
        ("Cutoffs", "", [tables.get("operating_points"), _cutoffs(evaluation)]),
        ("Groups", "", [tables.get("groups"), tables.get("group_scores")]),
        ("Findings", "", [findings_table(evaluation.findings)] if evaluation.findings else []),
    ]
    sections = [
        Section(title, text, [part for part in parts if part is not None])
        for title, text, parts in contents
    ]
    return Report(
        title=f"Evaluation on {gold}",
        sections=[section for section in sections if section.parts],
        signature=_signature(evaluation, gold),
        answer=evaluation_answer(evaluation),
    )


def evaluation_answer(evaluation: Evaluation) -> str:
    """How often the best run is right, whether that is better than chance, and than the others."""
    if len(evaluation.runs) == 1:
        return f"{_single_answer(evaluation, evaluation.runs[0])}."
    right = {run.name: run.scores.measures["accuracy-all"] for run in evaluation.runs}
    best = best_of({name: each.value for name, each in right.items()})
    others = [name for name in right if name not in best]
    known = [run for run in evaluation.runs if run.name in best]
    if not known or not right[best[0]].value:
        return f"No run is right in any of {_pairs(evaluation)}."
    often = "is right most often, in"
    if len(best) > 1:
        often = "are right most often, each in" if others else "are equally often right, in"
    share = number_in_words(right[best[0]].value or 0.0)
    interval = interval_in_words(right[best[0]], evaluation.resampling)
    chance = _chance(evaluation, known[0]) if not known[0].scores.counts.n_unanswered else ""
    return (
        f"{names_in_words(best)} {often} {share} of {_pairs(evaluation)}{interval}"
        f"{chance}{others_in_words(others, _worse(evaluation, best, others))}."
    )


def _single_answer(evaluation: Evaluation, run: RunEvaluation) -> str:
    counts, accuracy = run.scores.counts, run.scores.measures["accuracy"]
    if accuracy.value is None:
        return f"{run.name} answers none of {_pairs(evaluation)}"
    of = f"the {counts.n_answered:,} that it answers of " if counts.n_unanswered else ""
    interval = interval_in_words(accuracy, evaluation.resampling)
    return (
        f"{run.name} is right in {number_in_words(accuracy.value)} of {of}{_pairs(evaluation)}"
        f"{interval}{_chance(evaluation, run)}"
    )


def _pairs(evaluation: Evaluation) -> str:
    return "1 pair" if evaluation.n_pairs == 1 else f"{evaluation.n_pairs:,} pairs"


def _chance(evaluation: Evaluation, run: RunEvaluation) -> str:
    test = next((each for each in run.scores.chance if each.measure == "accuracy"), None)
    if test is None or test.p is None:
        return ""
    better = "" if test.p <= evaluation.resampling.alpha else "not significantly "
    return f", {better}better than chance ({number_in_words(test.chance)}, {p_in_words(test.p)})"


def _worse(evaluation: Evaluation, best: Sequence[str], others: Sequence[str]) -> list[str]:
    """Those that differ from each of the best."""
    apart = {
        frozenset((each.first, each.second)) for each in evaluation.comparisons if each.differs
    }
    return [name for name in others if all(frozenset((name, one)) in apart for one in best)]


def _introduction(evaluation: Evaluation, gold: str) -> str:
    labels = ", ".join(label.value for label in evaluation.view.labels)
    runs = "1 run" if len(evaluation.runs) == 1 else f"{len(evaluation.runs)} runs"
    return (
        f"{runs} on {evaluation.n_pairs} gold pairs of {gold}, compared in the"
        f" {evaluation.view.value} view ({labels}). A guess is right with"
        f" {evaluation.view.chance:.3g}. Pairs without an answer are counted, not dropped."
    )


def _accuracies(evaluation: Evaluation) -> Picture:
    found = {run.name: shown_estimate(run.scores.measures["accuracy"]) for run in evaluation.runs}
    return accuracy_picture(found, chance=evaluation.view.chance, caption=_brackets(evaluation))


def _tasks(evaluation: Evaluation) -> Picture | None:
    tasks = list(evaluation.runs[0].by_task)
    found: dict[str, dict[str, Interval]] = {
        task: {
            run.name: shown_estimate(run.by_task[task].measures["accuracy"])
            for run in evaluation.runs
        }
        for task in tasks
    }
    if not found:
        return None
    return group_picture(found, chance=evaluation.view.chance, caption=_brackets(evaluation))


def _brackets(evaluation: Evaluation) -> str:
    resampling = evaluation.resampling
    return f"Bars: {resampling.percent} bootstrap intervals." if resampling.draws else ""


def _confusions(evaluation: Evaluation) -> list[Picture]:
    pictures = []
    for i, run in enumerate(evaluation.runs):
        confusion = run.scores.confusion
        labels = [label.value for label in confusion.labels]
        counts = [
            [*row, none] for row, none in zip(confusion.counts, confusion.unanswered, strict=True)
        ]
        title = f"Confusion of {run.name}"
        answers = [*labels, "unanswered"]
        pictures.append(
            confusion_picture(labels, answers, counts, title=title, name=f"confusion-{i + 1}")
        )
    return pictures


def _reliabilities(curves: Sequence[ConfidenceCurves]) -> Picture | None:
    lines = []
    for each in curves:
        bins = [part for part in each.plain.bins if part.n]
        x = np.array([part.confidence for part in bins], dtype=float)
        y = np.array([part.accuracy for part in bins], dtype=float)
        lines.append(Line(each.run, x, y, sizes=[part.n for part in bins]))
    caption = (
        "Ten bins of equal width, dots as large as their share of the answers."
        " Above the diagonal a run is better than it believes."
    )
    return reliability_picture(lines, caption=caption) if lines else None


def _risks(curves: Sequence[ConfidenceCurves]) -> Picture | None:
    lines = [Line(each.run, each.risk.coverage, each.risk.risk) for each in curves]
    caption = "Errors among the answers when only the surest are given."
    return risk_coverage_picture(lines, caption=caption) if lines else None


def _cutoffs(evaluation: Evaluation) -> Picture | None:
    lines = []
    for run in evaluation.runs:
        try:
            curve = run_cutoffs(run.judged)
        except UndefinedError:
            continue
        lines.append(
            banded_line(
                run.name,
                curve,
                panel=run.name,
                resampling=evaluation.resampling,
            )
        )
    caption = "What every cutoff of the score would give: entailment against the rest."
    return cutoff_picture(lines, caption=caption) if lines else None


def _signature(evaluation: Evaluation, gold: str) -> str:
    lines = [f"ensue {__version__}", f"gold: {gold}, {evaluation.n_pairs} pairs"]
    lines += [f"run: {run.name}: {run.signature or 'no signature'}" for run in evaluation.runs]
    lines.append(f"view: {evaluation.view.value}, {evaluation.resampling}")
    return "\n".join(lines)
