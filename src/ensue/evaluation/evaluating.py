"""The one call that evaluates runs against gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ensue import registry
from ensue.errors import SettingError
from ensue.evaluation.measuring.intervals import (
    DRAWS,
    LEVEL,
    Replicates,
    check_resampling,
    replicates,
)
from ensue.evaluation.measuring.judged import Judged, by_task
from ensue.evaluation.measuring.lineup import line_up
from ensue.evaluation.measuring.measures import ACCURACY_ALL, MEASURES, Measure
from ensue.evaluation.measuring.scoring import needed_measures, scores
from ensue.evaluation.results import Evaluation, RunEvaluation, Scores
from ensue.evaluation.significance.comparison import COMPARED, clusters, compare
from ensue.pairs import Label, Pair, Run, View

_Tasks = dict[str, Scores]


def evaluate(
    gold: Sequence[Pair],
    runs: Sequence[Run],
    *,
    by_task: bool = False,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
    prior: float | None = None,
    view: View | None = None,
    measures: Sequence[str] | None = None,
) -> Evaluation:
    """Evaluate runs against gold: measures, intervals, chance, comparisons, clusters, findings.

    Args:
        gold: The pairs with their labels; those without are left out and counted.
        runs: One or more runs on these pairs.
        by_task: Measure each task by itself, too.
        seed: Of all random numbers.
        draws: Resamples for the intervals and guessed runs for the test of the cws; 0 for none.
        level: Of the intervals; two runs differ where their corrected p is at most 1 − level.
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
    check_resampling(draws, level)
    if not runs:
        raise SettingError("there is no run to evaluate", hint="give at least one")
    lined = line_up(gold, distinctly_named(runs), view=view)
    chosen = find_measures(measures)
    plan = _Plan(chosen, needed_measures(chosen, lined.view, prior), prior, seed, draws, level)
    drawn = plan.draw(lined.judged)
    compared = compare(lined.judged, drawn, level=level)
    tasks: Sequence[_Tasks] = plan.by_task(lined.judged) if by_task else [{} for _ in runs]
    return Evaluation(
        view=lined.view,
        n_pairs=lined.judged[0].n_pairs,
        n_without_gold=lined.n_without_gold,
        runs=tuple(
            RunEvaluation(
                judged.name,
                _signature(run),
                plan.scores(judged, own),
                task,
                judged,
                _given(run, judged),
            )
            for run, judged, own, task in zip(runs, lined.judged, drawn, tasks, strict=True)
        ),
        comparisons=compared,
        clusters=clusters(
            [judged.name for judged in lined.judged],
            [ACCURACY_ALL(judged) or 0.0 for judged in lined.judged],
            compared,
        ),
        findings=lined.findings,
        seed=seed,
        draws=draws,
        level=level,
    )


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
    times = Counter(run.name for run in runs)
    seen: Counter[str] = Counter()
    named = []
    for run in runs:
        seen[run.name] += 1
        again = times[run.name] > 1
        named.append(replace(run, name=f"{run.name} ({seen[run.name]})") if again else run)
    return named


def _signature(run: Run) -> str | None:
    return str(run.header.signature) if run.header is not None else None


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to measure, and how."""

    listed: tuple[Measure, ...]
    needed: tuple[Measure, ...]
    prior: float | None
    seed: int
    draws: int
    level: float

    def draw(self, runs: Sequence[Judged]) -> list[Replicates]:
        everything = {m.name: m for m in (*self.needed, *COMPARED)}
        return replicates(runs, list(everything.values()), draws=self.draws, seed=self.seed)

    def scores(self, judged: Judged, drawn: Replicates) -> Scores:
        return scores(
            judged,
            self.listed,
            drawn,
            prior=self.prior,
            level=self.level,
            simulations=self.draws,
            seed=self.seed,
        )

    def by_task(self, runs: Sequence[Judged]) -> list[_Tasks]:
        parts = [by_task(judged) for judged in runs]
        results: list[_Tasks] = [{} for _ in runs]
        for task in parts[0]:
            of_task = [part[task] for part in parts]
            for result, judged, drawn in zip(results, of_task, self.draw(of_task), strict=True):
                result[task] = self.scores(judged, drawn)
        return results
