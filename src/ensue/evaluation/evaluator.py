"""The call that evaluates runs against gold, and gates for continuous integration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ensue import registry
from ensue.errors import ArgumentError, SettingError, check_list, check_source
from ensue.evaluation.comparison import COMPARED, compare
from ensue.evaluation.gold import read_gold
from ensue.evaluation.judged_runs import Judged, LineUp, line_up, lined_up, task_parts
from ensue.evaluation.measures import (
    ACCURACY_ALL,
    MEASURES,
    Measure,
    Replicates,
    replicates,
)
from ensue.evaluation.results import Evaluation, RunEvaluation, Scores
from ensue.evaluation.run_scores import needed_measures, scores
from ensue.evaluation.verdicts import open_run
from ensue.files import OnFinding
from ensue.pairs import Pair, ReadKeywords, Run, View
from ensue.statistics import RESAMPLING, Resampling, clusters

# The one call that evaluates runs against gold.

_Tasks = dict[str, Scores]


def evaluate(
    gold: Sequence[Pair],
    runs: Sequence[Run],
    *,
    by_task: bool = False,
    resampling: Resampling = RESAMPLING,
    prior: float | None = None,
    view: View | None = None,
    measures: Sequence[str] | None = None,
) -> Evaluation:
    """Evaluate runs against gold: measures, intervals, chance, comparisons, clusters, findings.

    Args:
        gold: The pairs with their labels; those without are left out and counted.
        runs: One or more runs on these pairs.
        by_task: Measure each task by itself, too.
        resampling: Of the intervals; as many runs are guessed for the test of the cws.
        prior: A share of entailments to expect elsewhere, for scores under it.
        view: The labels to compare in; the finest that all share, where it is not given.
        measures: Names of installed measures; all of them, where it is not given.

    Raises:
        DataError: no pair has gold, or two pairs have the same id.
        RunError: a run judges a pair twice, or one that the gold does not have.
        LabelError: a label has no place in the view that was asked for.
        SettingError: there is no run, or a number is out of range.
        UnknownNameError: no measure has such a name.
        ArgumentError: an argument is of another kind.
    """
    check_list("gold", gold, Pair, "a Pair")
    check_list("runs", runs, Run, "a Run")
    _check_kinds(view, measures, resampling, prior)
    if not runs:
        raise no_runs()
    lined = line_up(gold, distinctly_named(runs), view=view)
    plan = EvaluationPlan.of(measures, lined.view, prior=prior, resampling=resampling)
    return plan.evaluation(lined, by_task=by_task)


def evaluate_sources(
    gold: str | Path,
    runs: Sequence[str | Path],
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    by_task: bool = False,
    resampling: Resampling = RESAMPLING,
    prior: float | None = None,
    view: View | None = None,
    measures: Sequence[str] | None = None,
    cutoffs: bool = True,
    groups: bool = False,
) -> Evaluation:
    """Evaluate runs against gold by their names, whatever their size; see `evaluate`.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        runs: One or more files or folders of shards.
        reading: How to read the gold; its labels hold for plain runs, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        by_task: As for `evaluate`, and so are the following.
        resampling: As there.
        prior: As there.
        view: As there.
        measures: As there.
        cutoffs: Whether scores are kept, so that `run_cutoffs` knows the curves of the runs.
        groups: Whether groups are kept, so that `group_scores` ranks their texts.

    Raises:
        EnsueError: as `evaluate`, and where gold or a run cannot be read.
    """
    check_source("gold", gold)
    check_list("runs", runs, str | Path, "a name or a path")
    _check_kinds(view, measures, resampling, prior)
    if not runs:
        raise no_runs()
    lined = read_line_up(
        gold,
        runs,
        reading=reading,
        on_finding=on_finding,
        view=view,
        scores=cutoffs,
        groups=groups,
    )
    plan = EvaluationPlan.of(measures, lined.view, prior=prior, resampling=resampling)
    return plan.evaluation(lined, by_task=by_task)


def read_line_up(
    gold: str | Path,
    runs: Sequence[str | Path],
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    view: View | None = None,
    scores: bool = True,
    groups: bool = False,
) -> LineUp:
    """Read gold and runs of any size and put them side by side; arguments as `evaluate_sources`."""
    labels = (reading or {}).get("labels")
    found = read_gold(gold, reading=reading, on_finding=on_finding, groups=groups)
    opened = [open_run(run, labels=labels) for run in runs]
    for run, name in zip(opened, distinct_names([run.name for run in opened]), strict=True):
        run.name = name
    return lined_up(found, opened, view=view, scores=scores)


def _check_kinds(
    view: View | None,
    measures: Sequence[str] | None,
    resampling: Resampling,
    prior: float | None,
) -> None:
    if view is not None and not isinstance(view, View):
        raise ArgumentError.of("view", "a View or None", view)
    if measures is not None:
        check_list("measures", measures, str, "a name")
    if not isinstance(resampling, Resampling):
        raise ArgumentError.of("resampling", "a Resampling", resampling)
    if prior is not None and (isinstance(prior, bool) or not isinstance(prior, int | float)):
        raise ArgumentError.of("prior", "a number or None", prior)


def no_runs() -> SettingError:
    """What is said where there is nothing to evaluate."""
    return SettingError("no-run-evaluate", "there is no run to evaluate", hint="give at least one")


def find_measures(names: Sequence[str] | None = None) -> tuple[Measure, ...]:
    """The installed measures of these names; all, the built-in ones first, where none is given.

    Raises:
        UnknownNameError: no measure has such a name.
    """
    built_in = {measure.name: measure for measure in MEASURES}
    if names is None:
        names = [*built_in, *(name for name in registry.names("measure") if name not in built_in)]
    return tuple(built_in.get(name) or registry.find("measure", name) for name in names)


def distinctly_named(runs: Sequence[Run]) -> list[Run]:
    """The runs, with a number behind names that occur more than once."""
    names = distinct_names([run.name for run in runs])
    return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]


def distinct_names(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that occur more than once."""
    times = Counter(names)
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})" if times[name] > 1 else name)
    return numbered


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """What to measure, and how."""

    listed: tuple[Measure, ...]
    """The measures that are asked for."""
    needed: tuple[Measure, ...]
    """All that are drawn."""
    prior: float | None
    resampling: Resampling

    @classmethod
    def of(
        cls,
        measures: Sequence[str] | None,
        view: View,
        *,
        prior: float | None,
        resampling: Resampling,
    ) -> EvaluationPlan:
        """Measure what has these names; arguments as for `evaluate`."""
        listed = find_measures(measures)
        return cls(listed, needed_measures(listed, view, prior), prior, resampling)

    def evaluation(self, lined: LineUp, *, by_task: bool = False) -> Evaluation:
        """Measure runs that are lined up, each task by itself too where that is wanted."""
        drawn = self._draw(lined.judged)
        compared = compare(lined.judged, drawn, resampling=self.resampling)
        of_tasks = self._by_task(lined.judged) if by_task else [{} for _ in lined.judged]
        return Evaluation(
            view=lined.view,
            n_pairs=lined.judged[0].n_pairs,
            n_without_gold=lined.n_without_gold,
            runs=tuple(
                RunEvaluation(
                    judged.name, fact.signature, self._scores(judged, own), task, judged, fact.given
                )
                for fact, judged, own, task in zip(
                    lined.facts, lined.judged, drawn, of_tasks, strict=True
                )
            ),
            comparisons=compared,
            clusters=clusters(
                [judged.name for judged in lined.judged],
                [ACCURACY_ALL(judged) or 0.0 for judged in lined.judged],
                compared,
            ),
            findings=lined.findings,
            resampling=self.resampling,
        )

    def _draw(self, runs: Sequence[Judged]) -> list[Replicates]:
        everything = list({m.name: m for m in (*self.needed, *COMPARED)}.values())
        # few pairs are drawn once for all runs, many by the strata of each
        shared = not runs[0].is_large
        return [
            drawn
            for some in ([runs] if shared else [[judged] for judged in runs])
            for drawn in replicates(some, everything, resampling=self.resampling)
        ]

    def _scores(self, judged: Judged, drawn: Replicates) -> Scores:
        return scores(
            judged,
            self.listed,
            drawn,
            prior=self.prior,
            resampling=self.resampling,
        )

    def _by_task(self, runs: Sequence[Judged]) -> list[_Tasks]:
        results: list[_Tasks] = [{} for _ in runs]
        for task, chosen in task_parts(runs[0]).items():
            parts = [judged.subset(chosen) for judged in runs]
            for result, part, drawn in zip(results, parts, self._draw(parts), strict=True):
                result[task] = self._scores(part, drawn)
        return results


# Gates: the least that runs have to reach, for someone's own continuous integration.


@dataclass(frozen=True, slots=True)
class Gate:
    """A measure and the least it has to reach."""

    measure: str
    least: float


def read_gate(text: str) -> Gate:
    """Read `MEASURE=LEAST`, or `LEAST` for the accuracy.

    >>> read_gate("cws=0.6"), read_gate("0.55")
    (Gate(measure='cws', least=0.6), Gate(measure='accuracy', least=0.55))

    Raises:
        SettingError: the least is not a number that the measure can reach.
        UnknownNameError: no measure has that name.
    """
    name, equals, number = text.rpartition("=")
    measure = find_measures([name if equals else "accuracy"])[0]
    low, high = measure.range
    try:
        least = float(number)
    except ValueError:
        raise SettingError(
            "not-number", f"{number!r} is not a number", hint="e.g. accuracy=0.55"
        ) from None
    if not low <= least <= high:
        raise SettingError(
            "lies-cannot-held-against",
            f"{measure.name} lies in [{low:g}, {high:g}], so it cannot be held against {number}",
            hint="55 % is 0.55",
        )
    return Gate(measure.name, least)


def shortfalls(evaluation: Evaluation, gates: Sequence[Gate]) -> list[str]:
    """What falls short of a gate, one line each.

    An undefined number does, and so does a run for other data, whatever its numbers say.
    """
    if not gates:
        return []
    lines = [
        f"{finding.place}: {finding.message}"
        for finding in evaluation.findings
        if finding.code == "other-data"
    ]
    for gate in gates:
        for run in evaluation.runs:
            found = run.scores.measures[gate.measure]
            if found.value is None:
                lines.append(f"{run.name}: {gate.measure} is undefined: {found.reason}")
            elif found.value < gate.least:
                lines.append(
                    f"{run.name}: {gate.measure} {found.value:.6g} is under {gate.least:g}"
                )
    return lines
