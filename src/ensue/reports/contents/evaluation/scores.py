"""What was measured of runs, as tables: measures, chance, labels, confusion, tasks, prior."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ensue.evaluation import Estimate, Evaluation, Scores
from ensue.evaluation.results import RunEvaluation
from ensue.pairs import View
from ensue.reports.model import Cell, Column, Interval, Table

_OF_LABELS = ("precision", "recall", "f")
_PERCENTAGES = ("accuracy", "accuracy-all", "coverage")
_ONLY_PARTIAL = ("accuracy-all", "coverage")
_TITLES = {
    "accuracy-all": "accuracy on all",
    "average-precision": "average precision",
    "f": "F",
    "macro-f": "macro F",
}

Row = list[Cell | Interval]


def as_interval(estimate: Estimate) -> Interval:
    """An estimate as a cell."""
    return Interval(estimate.value, estimate.low, estimate.high)


def measure_column(name: str) -> Column:
    """The column of a measure: accuracies in percent, the others as shares of one."""
    if name in _PERCENTAGES:
        return Column(name, title=_TITLES.get(name), digits=1, percent=True)
    return Column(name, title=_TITLES.get(name), digits=3)


def runs_table(evaluation: Evaluation) -> Table:
    """Each run with its measures; those of single labels are in `labels_table`."""
    names = _listed(evaluation)
    rows: list[Row] = []
    for run in evaluation.runs:
        row: Row = [run.name, run.scores.counts.n_pairs, run.scores.counts.n_answered]
        rows.append(row + [as_interval(_estimates(run.scores)[name]) for name in names])
    columns = [Column("run"), Column("pairs"), Column("answered"), *map(measure_column, names)]
    notes = [
        *_reasons(evaluation.runs, names),
        *_how(evaluation),
        *_without_interval(evaluation, names),
    ]
    return Table("runs", f"Runs ({evaluation.view.value})", columns, rows, notes)


def chance_table(evaluation: Evaluation) -> Table:
    """Whether each run is better than guessing."""
    columns = [
        Column("run"),
        Column("measure"),
        Column("n", title="answered"),
        Column("value", digits=4),
        Column("chance", digits=4),
        Column("p", digits=4),
        Column("method"),
    ]
    rows: list[Row] = [
        [run.name, test.measure, test.n, test.value, test.chance, test.p, test.method]
        for run in evaluation.runs
        for test in run.scores.chance
        if test.value is not None
    ]
    notes = ["p is one-sided: how likely it is to guess at least this well"]
    notes += [
        f"{run.name}: {test.measure}: {test.reason}"
        for run in evaluation.runs
        for test in run.scores.chance
        if test.p is None
    ]
    return Table("chance", "Better than chance?", columns, rows, notes)


def labels_table(evaluation: Evaluation) -> Table:
    """Precision, recall and F of each label."""
    columns = [
        Column("run"),
        Column("label"),
        Column("gold"),
        Column("answered"),
        Column("right"),
        *(Column(name, title=_TITLES.get(name), digits=3) for name in _OF_LABELS),
    ]
    rows: list[Row] = []
    notes: dict[str, None] = {}
    for run in evaluation.runs:
        for scores in run.scores.labels:
            found = (scores.precision, scores.recall, scores.f)
            head: Row = [run.name, scores.label.value, scores.n_gold, scores.n_answered]
            rows.append([*head, scores.n_right, *map(as_interval, found)])
            notes |= {f"{run.name}: {each.reason}": None for each in found if each.reason}
    return Table("labels", "By label", columns, rows, list(notes))


def confusion_table(evaluation: Evaluation) -> Table:
    """How often each gold label got each answer."""
    answers = [Column(label.value) for label in evaluation.view.labels]
    rows: list[Row] = []
    for run in evaluation.runs:
        confusion = run.scores.confusion
        for i, label in enumerate(confusion.labels):
            rows.append([run.name, label.value, *confusion.counts[i], confusion.unanswered[i]])
    columns = [Column("run"), Column("gold"), *answers, Column("unanswered")]
    return Table("confusion", "Confusion (rows: gold, columns: answers)", columns, rows)


def outcomes_table(evaluation: Evaluation) -> Table | None:
    """What became of the pairs of runs with three labels, whatever the view; None without such."""
    three_way = [run for run in evaluation.runs if set(run.given) - set(View.TWO_WAY.labels)]
    if not three_way:
        return None
    rows: list[Row] = []
    for run in three_way:
        counts = run.scores.counts
        row: Row = [run.name, *(run.given.get(label, 0) for label in View.THREE_WAY.labels)]
        row += [counts.n_budget_exhausted, counts.n_failed]
        rows.append([*row, counts.n_abstained, counts.n_missing])
    columns = [
        Column("run"),
        *(Column(label.value) for label in View.THREE_WAY.labels),
        Column("budget_exhausted", title="budget exhausted"),
        Column("failed"),
        Column("abstained"),
        Column("missing"),
    ]
    return Table("outcomes", "What became of the pairs", columns, rows)


def unanswered_table(evaluation: Evaluation) -> Table | None:
    """Why pairs were not answered; None where all were."""
    if not _is_partial(evaluation.runs):
        return None
    columns = [
        Column("run"),
        Column("unanswered"),
        Column("missing"),
        Column("abstained"),
        Column("budget_exhausted", title="budget exhausted"),
        Column("failed"),
    ]
    rows: list[Row] = []
    for run in evaluation.runs:
        counts = run.scores.counts
        row: Row = [run.name, counts.n_unanswered, counts.n_missing, counts.n_abstained]
        rows.append([*row, counts.n_budget_exhausted, counts.n_failed])
    notes = ["missing pairs are not in the run at all"]
    return Table("unanswered", "Pairs without an answer", columns, rows, notes)


def tasks_table(evaluation: Evaluation) -> Table | None:
    """Each run's measures on each task; None where they were not asked for."""
    tasks = list(evaluation.runs[0].by_task)
    if not tasks:
        return None
    names = [*(name for name in _listed(evaluation) if name != "macro-f"), "f"]
    rows: list[Row] = []
    for task in tasks:
        for run in evaluation.runs:
            scores = run.by_task[task]
            row: Row = [task, run.name, scores.counts.n_pairs, scores.counts.n_answered]
            row += [as_interval(_estimates(scores)[name]) for name in names]
            rows.append([*row, scores.chance[0].p])
    columns = [Column("task"), Column("run"), Column("pairs"), Column("answered")]
    columns += [*map(measure_column, names), Column("p", title="p of accuracy", digits=4)]
    notes = ["F is that of entailment; p is not corrected for the number of tasks"]
    return Table("tasks", "By task", columns, rows, notes)


def prior_table(evaluation: Evaluation) -> Table | None:
    """The scores to expect under another share of entailments; None where none was asked for."""
    found = [(run, run.scores.prior) for run in evaluation.runs if run.scores.prior]
    if not found:
        return None
    columns = [Column("run"), Column("prior", digits=3), measure_column("accuracy")]
    columns += [measure_column(name) for name in _OF_LABELS]
    rows: list[Row] = []
    notes: dict[str, None] = {}
    for run, prior in found:
        estimates = (prior.accuracy, prior.precision, prior.recall, prior.f)
        rows.append([run.name, prior.prior, *map(as_interval, estimates)])
        notes |= {f"{run.name}: {each.reason}": None for each in estimates if each.reason}
    title = "Where another share of the pairs are entailments"
    return Table("prior", title, columns, rows, list(notes))


def signatures_table(evaluation: Evaluation) -> Table:
    """The recipe of each run."""
    rows: list[Row] = [[run.name, run.signature] for run in evaluation.runs]
    return Table("signatures", "Signatures", [Column("run"), Column("signature")], rows)


def _estimates(scores: Scores) -> dict[str, Estimate]:
    return {**scores.measures, "macro-f": scores.macro_f}


def _listed(evaluation: Evaluation) -> list[str]:
    """The measures in the table of runs; those on coverage only where something is unanswered."""
    names = [name for name in evaluation.runs[0].scores.measures if name not in _OF_LABELS]
    if not _is_partial(evaluation.runs):
        names = [name for name in names if name not in _ONLY_PARTIAL]
    return [*names, "macro-f"]


def _is_partial(runs: Iterable[RunEvaluation]) -> bool:
    return any(run.scores.counts.n_unanswered for run in runs)


def _reasons(runs: Sequence[RunEvaluation], names: Sequence[str]) -> Iterator[str]:
    for run in runs:
        estimates = _estimates(run.scores)
        gaps: dict[str, list[str]] = {}
        for name in names:
            if estimates[name].reason:
                gaps.setdefault(str(estimates[name].reason), []).append(name)
        for reason, measures in gaps.items():
            verb = "is" if len(measures) == 1 else "are"
            yield f"{run.name}: {', '.join(measures)} {verb} undefined: {reason}"


def _without_interval(evaluation: Evaluation, names: Sequence[str]) -> Iterator[str]:
    if not evaluation.draws:
        return
    found: dict[str, list[str]] = {}
    for name in names:
        reasons = {_estimates(run.scores)[name].no_interval for run in evaluation.runs} - {None}
        for reason in reasons:
            found.setdefault(str(reason), []).append(name)
    for reason, measures in found.items():
        yield f"no interval of {', '.join(measures)}: {reason}"


def _how(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.draws:
        yield (
            f"in brackets: {evaluation.level * 100:g} % bootstrap intervals"
            f" ({evaluation.draws:,} draws, seed {evaluation.seed})"
        )
    if evaluation.n_without_gold:
        yield f"pairs without gold, left out: {evaluation.n_without_gold}"
