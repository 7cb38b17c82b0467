"""Installed components, the catalog of features, training and ablation as tables."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ensue import registry
from ensue.features import FEATURES, GROUPS, Feature
from ensue.files import open_text_output
from ensue.pairs import Signature, number_from_json
from ensue.recognizers import Ablation, FeatureWeight, by_group
from ensue.reports.cutoffs import always_yes
from ensue.reports.model import Cell, Column, Table, share
from ensue.reports.text import output_width, write_tables

# The installed components, as tables.


def components_table(kind: str, name: str) -> Table:
    """All components of one kind with their summaries.

    Args:
        kind: One of `ensue.registry.GROUPS`.
        name: The table's name, the kind in the plural.
    """
    rows: list[list[Cell]] = [[each, _summary(kind, each)] for each in registry.names(kind)]
    return Table(name, name.capitalize(), [Column("name"), Column("summary")], rows)


def _summary(kind: str, name: str) -> str:
    """What the component says of itself; one that is broken does not hide the others."""
    try:
        return str(registry.find(kind, name).summary)
    except (ImportError, AttributeError) as error:
        return f"(cannot be loaded: {error})"


# The catalog of features: as text for people, and as a table for programs.

_WIDEST = 100


def write_feature_list(*, output: str = "-", format: str = "table") -> None:
    """Write what each feature is to a file or to standard output.

    Args:
        output: A file's name, or `-`.
        format: `table` is text for people, wrapped and group by group; the others are as for all
            tables.
    """
    if format != "table":
        write_tables([features_table()], output=output, format=format)
        return
    with open_text_output(output) as file:
        width = min(output_width(file), _WIDEST)
        file.writelines(f"{line}\n" for line in _lines(width))


def features_table() -> Table:
    """All features with their definitions, and with a text and a hypothesis that show them."""
    columns = [
        *map(Column, ("name", "group", "range", "definition")),
        Column("text", get=lambda feature: feature.example[0]),
        Column("hypothesis", get=lambda feature: feature.example[1]),
    ]
    return Table.of("features", f"{len(FEATURES)} features", columns, FEATURES)


def _lines(width: int) -> Iterator[str]:
    for number, group in enumerate(GROUPS):
        yield from [""] * (number > 0)
        yield f"{group.title} ({len(group.features)})"
        for feature in group.features:
            yield from _feature_lines(feature, width)


def _feature_lines(feature: Feature, width: int) -> Iterator[str]:
    text, hypothesis = feature.example
    yield f"  {feature.name}, {feature.range}"
    for paragraph in (feature.definition, f"e.g. {text} → {hypothesis}"):
        yield from textwrap.wrap(
            paragraph, width, initial_indent=" " * 4, subsequent_indent=" " * 4
        )


# What training came to, as a table.


def training_table(signature: Signature) -> Table:
    """The tuned cutoff with its accuracy, and all cutoffs that do as well."""
    tuned_on = signature.tuned_on or {}
    tied = [number_from_json(each) for each in tuned_on.get("tied_cutoffs", [])]
    notes = [f"signature: {signature}"]
    if len(tied) > 1:
        shown = ", ".join(repr(cutoff) for cutoff in tied)
        notes.insert(0, f"equally accurate cutoffs, of which the lowest is taken: {shown}")
    if signature.cutoff == -math.inf and tied:
        notes.insert(0, always_yes(tuned_on.get("scored")))
    validated = tuned_on.get("cross_validated", {})
    cells = {
        Column("pairs"): tuned_on.get("pairs"),
        Column("scored"): tuned_on.get("scored"),
        Column("cutoff", digits=6): signature.cutoff,
        Column("right"): tuned_on.get("right"),
        share("accuracy"): tuned_on.get("accuracy"),
    }
    if "strength" in tuned_on:
        cells[Column("strength")] = tuned_on["strength"]
        cells[share("validated", "cross-validated")] = validated.get("accuracy")
        cells[share("error", "±")] = validated.get("standard_error")
    title = f"{signature.recognizer}, trained on {tuned_on.get('name')}"
    return Table("training", title, list(cells), [list(cells.values())], notes)


# What groups of features are worth, as tables.


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
        Column("without", get="group"),
        Column("features", get="n_features"),
        share("accuracy"),
        share("difference", get="change"),
        Column("lost"),
        Column("gained"),
        Column("p", digits=4),
        Column("p_holm", title="p (Holm)", digits=4),
    ]
    trials = sorted(ablation.trials, key=lambda each: each.accuracy)
    n_features = sum(each.n_features for each in trials)
    with_all: list[Cell] = ["(nothing)", n_features, ablation.accuracy, *[None] * 5]
    how = (
        f"trained on {trained_on}, judged on {judged}"
        if judged
        else f"cross-validated on {trained_on}"
    )
    title = f"Accuracy without each group of features, {how}"
    table = Table.of("ablation", title, columns, trials, _trial_notes(ablation))
    return replace(table, rows=[with_all, *table.rows])


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
        Column("feature", get="name"),
        *(Column(each, digits=3) for each in ("weight", "standardized", "mean")),
    ]
    ordered = sorted(weights, key=lambda each: -abs(each.standardized))
    return Table.of("weights", "All weights, the largest first", columns, ordered)
