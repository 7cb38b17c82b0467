"""The call that evaluates runs against gold, and gates for continuous integration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ensue import registry
from ensue.errors import SettingError
from ensue.evaluation.comparison import COMPARED, clusters, compare
from ensue.evaluation.judged_runs import Judged, LineUp, by_task, line_up
from ensue.evaluation.measures import ACCURACY_ALL, MEASURES, Measure, Replicates, replicates
from ensue.evaluation.results import Evaluation, RunEvaluation, Scores
from ensue.evaluation.run_scores import needed_measures, scores
from ensue.pairs import Label, Pair, Run, View
from ensue.statistics import RESAMPLING, Resampling

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
    """
    if not runs:
        raise no_runs()
    lined = line_up(gold, distinctly_named(runs), view=view)
    plan = EvaluationPlan.of(measures, lined.view, prior=prior, resampling=resampling)
    facts = [
        RunFacts(_signature(run), _given(run, judged))
        for run, judged in zip(runs, lined.judged, strict=True)
    ]
    return plan.evaluation(lined, _by_task(lined.judged) if by_task else {}, facts)


def no_runs() -> SettingError:
    """What is said where there is nothing to evaluate."""
    return SettingError("there is no run to evaluate", hint="give at least one")


def _by_task(runs: Sequence[Judged]) -> dict[str, tuple[Judged, ...]]:
    parts = [by_task(judged) for judged in runs]
    return {task: tuple(part[task] for part in parts) for task in parts[0]}


def _given(run: Run, judged: Judged) -> dict[Label, int]:
    """How many pairs with gold got each label of a run."""
    with_gold = {pair.id for pair in judged.pairs}
    found = Counter(verdict.label for verdict in run.verdicts if verdict.pair_id in with_gold)
    return {label: found[label] for label in Label if found[label]}


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


def _signature(run: Run) -> str | None:
    return str(run.header.signature) if run.header is not None else None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What an evaluation says of a run beside what is measured."""

    signature: str | None
    """The recognizer's signature, where the run has a header."""
    given: Mapping[Label, int] = field(hash=False)
    """How many pairs with gold got each label, as the run has it and not as the view does."""


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

    def evaluation(
        self,
        lined: LineUp,
        tasks: Mapping[str, Sequence[Judged]],
        facts: Sequence[RunFacts],
    ) -> Evaluation:
        """Measure runs that are lined up.

        Args:
            lined: Gold and runs side by side.
            tasks: The same runs on each task that is wanted by itself.
            facts: What else is said of each run.
        """
        drawn = self._draw(lined.judged)
        compared = compare(lined.judged, drawn, resampling=self.resampling)
        by_task = self._by_task(tasks, len(lined.judged))
        return Evaluation(
            view=lined.view,
            n_pairs=lined.judged[0].n_pairs,
            n_without_gold=lined.n_without_gold,
            runs=tuple(
                RunEvaluation(
                    judged.name, fact.signature, self._scores(judged, own), task, judged, fact.given
                )
                for fact, judged, own, task in zip(facts, lined.judged, drawn, by_task, strict=True)
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
        everything = {m.name: m for m in (*self.needed, *COMPARED)}
        return replicates(runs, list(everything.values()), resampling=self.resampling)

    def _scores(self, judged: Judged, drawn: Replicates) -> Scores:
        return scores(
            judged,
            self.listed,
            drawn,
            prior=self.prior,
            resampling=self.resampling,
        )

    def _by_task(self, tasks: Mapping[str, Sequence[Judged]], n_runs: int) -> list[_Tasks]:
        results: list[_Tasks] = [{} for _ in range(n_runs)]
        for task, runs in tasks.items():
            for result, judged, drawn in zip(results, runs, self._draw(runs), strict=True):
                result[task] = self._scores(judged, drawn)
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
        raise SettingError(f"{number!r} is not a number", hint="e.g. accuracy=0.55") from None
    if not low <= least <= high:
        raise SettingError(
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
