"""Groups of pairs, candidate texts for one hypothesis or minimal pairs, as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ensue.evaluation import Evaluation, group_scores
from ensue.evaluation.results import GroupScore, GroupScores
from ensue.reports.contents.evaluation.scores import Row
from ensue.reports.model import Column, Table

_SHOWN_GROUPS = 20
_SHOWN_CHARACTERS = 60
_NUMBERS = (
    Column("average-precision", title="average precision", digits=3),
    Column("reciprocal-rank", title="reciprocal rank", digits=3),
)


def group_tables(evaluation: Evaluation, *, every: bool = True) -> list[Table]:
    """The means of each run, and each group by itself.

    Args:
        evaluation: What to show.
        every: Whether the second table is whole; otherwise it has the lowest groups, names cut.
    """
    found = {run.name: group_scores(run.judged) for run in evaluation.runs}
    return [_means_table(found, evaluation.n_pairs), _groups_table(found, every)]


def _means_table(found: Mapping[str, GroupScores], n_pairs: int) -> Table:
    columns = [
        Column("run"),
        Column("groups"),
        Column("accuracy", title="all right", digits=1, percent=True),
        Column("with_entailment", title="with entailment"),
    ]
    rows: list[Row] = []
    notes = [
        "all right: groups in which every pair has a right answer",
        "means are over the groups that have an entailment",
    ]
    for run, scores in found.items():
        row: Row = [run, len(scores.groups), scores.accuracy, scores.n_with_positive]
        rows.append([*row, scores.mean_average_precision, scores.mean_reciprocal_rank])
        if scores.reason:
            notes.append(f"{run}: {scores.reason}")
    n_alone = n_pairs - sum(group.n for group in next(iter(found.values())).groups)
    if n_alone:
        notes.append(f"groups of one text, in which there is nothing to rank, left out: {n_alone}")
    return Table("groups", "Groups of pairs", [*columns, *_NUMBERS], rows, notes)


def _groups_table(found: Mapping[str, GroupScores], every: bool) -> Table:
    groups = [(run, each) for run, scores in found.items() for each in scores.groups]
    shown = groups if every else sorted(groups, key=_lowest_first)[:_SHOWN_GROUPS]
    rows = [_group_row(run, each, each.group if every else _cut(each.group)) for run, each in shown]
    notes = []
    if len(shown) < len(groups):
        notes.append(f"the {len(shown)} lowest of {len(groups)} by average precision")
    if any(row[1] != each.group for row, (_, each) in zip(rows, shown, strict=True)):
        notes.append("names are cut")
    if notes:
        notes.append("JSON, JSONL and CSV have all in full")
    columns = [
        Column("run"),
        Column("group"),
        Column("texts"),
        Column("entailing"),
        Column("right"),
        *_NUMBERS,
    ]
    return Table("group_scores", "Each group", columns, rows, notes)


def _cut(name: str) -> str:
    whole = len(name) <= _SHOWN_CHARACTERS
    return name if whole else f"{name[: _SHOWN_CHARACTERS - 1]}…"


def _group_row(run: str, each: GroupScore, name: str) -> Row:
    counts = (each.n, each.n_positive, each.n_right)
    return [run, name, *counts, each.average_precision, each.reciprocal_rank]


def _lowest_first(found: tuple[str, GroupScore]) -> float:
    """By average precision; groups that have none come last."""
    precision = found[1].average_precision
    return math.inf if precision is None else precision
