"""What metrics give systems, as a table and one page; the scores of segments are data files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ensue import __version__
from ensue.reports.contents.entries import Row
from ensue.reports.contents.translation.entries import Scorer, recipe, shown_pair
from ensue.reports.model import Column, Interval, Picture, Report, Section, Table
from ensue.reports.pictures.panels import Axis, Dot, panel_picture
from ensue.translation.ranking import SystemKey


class SystemTotals(Protocol):
    """What metrics say of a system on the whole, as `ScoreSummary.rows` gives it."""

    @property
    def key(self) -> SystemKey:
        """Which system."""

    @property
    def n_outputs(self) -> int:
        """How many were scored."""

    @property
    def means(self) -> Sequence[float]:
        """Of the segment scores, by each metric."""

    @property
    def whole(self) -> Sequence[float | None]:
        """Of all outputs as one text, by each metric that has such a score."""


def score_summary_table(systems: Sequence[SystemTotals], metrics: Sequence[Scorer]) -> Table:
    """A row a system, in the order given: the mean by each metric, and the corpus score.

    Args:
        systems: Their scores by the metrics, in the order of the metrics.
        metrics: Those that score.
    """
    summing = [any(each.whole[i] is not None for each in systems) for i in range(len(metrics))]
    columns = [Column("language_pair", title="pair"), Column("system"), Column("outputs")]
    for metric, sums in zip(metrics, summing, strict=True):
        columns.append(Column(metric.name, title=f"{metric.name}, mean"))
        if sums:
            columns.append(Column(f"{metric.name}_corpus", title=f"{metric.name}, corpus"))
    rows = [_row(each, summing) for each in systems]
    notes = ["mean: of segment scores; corpus: of all outputs as one text; larger is better"]
    without = [metric.name for metric, sums in zip(metrics, summing, strict=True) if not sums]
    if without and systems:
        notes.append(f"without a corpus score, since segments do not sum: {', '.join(without)}")
    return Table("scores", "Scores of systems", columns, rows, notes)


def score_report(
    systems: Sequence[SystemTotals], metrics: Sequence[Scorer], *, name: str
) -> Report:
    """The page of the scores: a picture a metric, and the table.

    Args:
        systems: Their scores by the metrics, in the order of the metrics.
        metrics: Those that score.
        name: What the data are called.
    """
    sections = [Section("Scores", "", [score_summary_table(systems, metrics)])]
    if systems:
        pictures = [_picture(systems, i, metric) for i, metric in enumerate(metrics)]
        sections.append(Section("Pictures", "", pictures))
    made = [f"ensue {__version__}", f"data: {name}", *map(recipe, metrics)]
    return Report(f"Scores of {name}", sections, "\n".join(made))


def _row(system: SystemTotals, summing: Sequence[bool]) -> Row:
    row: Row = [shown_pair(system.key.language_pair), system.key.system, system.n_outputs]
    for mean, whole, sums in zip(system.means, system.whole, summing, strict=True):
        row += [mean, whole] if sums else [mean]
    return row


def _picture(systems: Sequence[SystemTotals], i: int, metric: Scorer) -> Picture:
    """The means of one metric, the best system of each language pair at the top."""
    panels: dict[str, list[Dot]] = {each.key.language_pair: [] for each in systems}
    for each in sorted(systems, key=lambda each: -each.means[i]):
        panels[each.key.language_pair].append(Dot(each.key.system, Interval(each.means[i])))
    axis = Axis("mean of segments", percent=False, limits=(None, None), shared=False)
    title = f"Mean segment score by {metric.name}"
    return panel_picture(panels, axis, title=title, name=f"means-{i + 1}")
