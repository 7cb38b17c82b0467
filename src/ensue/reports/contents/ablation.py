"""What groups of features are worth, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.evaluation import holm, mcnemar
from ensue.features import GROUPS
from ensue.recognizers.features.ablation import Ablation, FeatureWeight, by_group
from ensue.reports.model import Cell, Column, Table


def ablation_tables(ablation: Ablation, *, trained_on: str, judged: str | None) -> list[Table]:
    """The accuracy without each group, the weights of each group, and all weights.

    Args:
        ablation: What was measured.
        trained_on: The name of the training pairs.
        judged: The name of the pairs that were judged, where they were others.
    """
    return [
        _trial_table(ablation, trained_on, judged),
        _group_table(ablation.weights),
        _weight_table(ablation.weights),
    ]


def _trial_table(ablation: Ablation, trained_on: str, judged: str | None) -> Table:
    columns = [
        Column("without"),
        Column("features"),
        Column("accuracy", digits=1, percent=True),
        Column("difference", digits=1, percent=True),
        Column("lost"),
        Column("gained"),
        Column("p", digits=4),
        Column("p_holm", title="p (Holm)", digits=4),
    ]
    p_values = [mcnemar(each.lost, each.gained) for each in ablation.trials]
    tested = zip(ablation.trials, p_values, holm(p_values), strict=True)
    n_features = sum(each.n_features for each in ablation.trials)
    rows: list[list[Cell]] = [["(nothing)", n_features, ablation.accuracy, *[None] * 5]]
    for trial, p, p_holm in sorted(tested, key=lambda each: each[0].accuracy):
        change = trial.accuracy - ablation.accuracy
        counted: list[Cell] = [change, trial.lost, trial.gained, p, p_holm]
        rows.append([trial.group, trial.n_features, trial.accuracy, *counted])
    how = (
        f"trained on {trained_on}, judged on {judged}"
        if judged
        else f"cross-validated on {trained_on}"
    )
    title = f"Accuracy without each group of features, {how}"
    return Table("ablation", title, columns, rows, _trial_notes(ablation))


def _trial_notes(ablation: Ablation) -> list[str]:
    notes = [
        "lost, gained: pairs that are right only with, only without the group; p: exact McNemar;"
        f" {len(ablation.trials)} tests are made, for which Holm's p is corrected",
    ]
    how = f"{ablation.n_pairs} pairs, inverse strength {ablation.strength:g} throughout"
    if ablation.n_folds:
        how += (
            f", the same {ablation.n_folds} folds for all (seed {ablation.seed}),"
            " pairs of one text never parted"
        )
    notes.append(how)
    if ablation.n_left_out:
        notes.append(f"left out: {ablation.n_left_out} pairs without gold, or words on both sides")
    return notes


def _group_table(weights: Sequence[FeatureWeight]) -> Table:
    titles = {group.name: group.title for group in GROUPS}
    columns = [
        Column("group"),
        Column("title"),
        Column("features"),
        Column("sum", title="sum |weight|", digits=3),
        Column("largest"),
        Column("largest_weight", title="its weight", digits=3),
    ]
    sums = {
        group: sum(abs(each.standardized) for each in some)
        for group, some in by_group(weights).items()
    }
    rows: list[list[Cell]] = []
    for group, some in sorted(by_group(weights).items(), key=lambda each: -sums[each[0]]):
        largest = max(some, key=lambda each: abs(each.standardized))
        counted: list[Cell] = [len(some), sums[group], largest.name, largest.standardized]
        rows.append([group, titles.get(group, group), *counted])
    notes = ["standardized weights: what one standard deviation adds to the log odds"]
    return Table("groups", "Weights by group", columns, rows, notes)


def _weight_table(weights: Sequence[FeatureWeight]) -> Table:
    columns = [
        Column("feature"),
        Column("weight", digits=3),
        Column("standardized", digits=3),
        Column("mean", digits=3),
    ]
    ordered = sorted(weights, key=lambda each: -abs(each.standardized))
    rows: list[list[Cell]] = [
        [each.name, each.weight, each.standardized, each.mean] for each in ordered
    ]
    return Table("weights", "All weights, the largest first", columns, rows)
