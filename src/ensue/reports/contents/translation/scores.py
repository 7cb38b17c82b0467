"""What a metric gives systems, as a table and one page; the scores of segments are data files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ensue import __version__
from ensue.reports.contents.translation.entries import Row, shown_pair
from ensue.reports.model import Column, Interval, Report, Section, Table
from ensue.reports.pictures.panels import Axis, Dot, panel_picture


class SystemSummary(NamedTuple):
    """What a metric gives one system in one language pair."""

    language_pair: str
    system: str
    n_outputs: int
    mean: float | None
    """Of the segment scores; None where there is no output."""
    corpus: float | None
    """The score of all outputs as one text; None for a metric that has none."""


def score_summary_table(summaries: Iterable[SystemSummary], *, metric: str) -> Table:
    """A row a system, in the order given."""
    columns = [
        Column("language_pair", title="pair"),
        Column("system"),
        Column("outputs"),
        Column("mean", title="mean of segments"),
        Column("corpus", title="corpus score"),
    ]
    found = list(summaries)
    rows: list[Row] = [
        [shown_pair(each.language_pair), each.system, each.n_outputs, each.mean, each.corpus]
        for each in found
    ]
    notes = []
    if found and all(each.corpus is None for each in found):
        notes.append(f"{metric} has no corpus score: its segments' scores do not sum")
    if any(each.mean is None for each in found):
        notes.append("no mean: the system has no output")
    return Table("scores", f"Scores by {metric}", columns, rows, notes)


def score_report(summaries: Iterable[SystemSummary], *, metric: str, signature: str = "") -> Report:
    """The page of the scores: means of segments as dots, the best at the top, and the table."""
    found = list(summaries)
    panels: dict[str, list[Dot]] = {}
    for each in sorted(found, key=lambda each: float("inf") if each.mean is None else -each.mean):
        panels.setdefault(each.language_pair, []).append(Dot(each.system, Interval(each.mean)))
    ordered = {pair: panels[pair] for pair in dict.fromkeys(each.language_pair for each in found)}
    axis = Axis("mean of segments", percent=False, limits=(None, None), shared=False)
    picture = panel_picture(ordered, axis, title="Mean segment scores", name="means")
    table = score_summary_table(found, metric=metric)
    recipe = f"ensue {__version__}\nmetric: {metric}: {signature or 'no signature'}"
    return Report(f"Scores by {metric}", [Section("Scores", "", [picture, table])], recipe)
