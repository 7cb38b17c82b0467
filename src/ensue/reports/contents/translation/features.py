"""The features of translations: what they are, and what they were like on some outputs."""

from __future__ import annotations

from ensue import __version__
from ensue.reports.contents.entries import Row
from ensue.reports.model import Column, Report, Section, Table
from ensue.translation.features import FeatureSet, FeatureSummary, definitions


def feature_list_table(feature_set: FeatureSet) -> Table:
    """Every feature of a set, with what it is."""
    rows: list[Row] = [
        [family.value, name, meaning]
        for family, defined in definitions(feature_set).items()
        for name, meaning in defined.items()
    ]
    title = f"The {len(rows)} features of {feature_set.value}"
    columns = [Column("family"), Column("name"), Column("meaning")]
    return Table("features", title, columns, rows)


def feature_report(summary: FeatureSummary, feature_set: FeatureSet, *, name: str) -> Report:
    """The page of what was measured.

    Args:
        summary: What the features were like.
        feature_set: Which they were.
        name: What the data are called.
    """
    sections = [
        Section("What was measured", "", [_summary_table(summary)]),
        Section("What the features are", "", [feature_list_table(feature_set)]),
    ]
    made = f"ensue {__version__}\ndata: {name}\nset: {feature_set.value}"
    return Report(f"Features of {name}", sections, made)


def _summary_table(summary: FeatureSummary) -> Table:
    columns = [
        Column("feature"),
        *(Column(each, digits=3) for each in ("mean", "deviation", "least", "most")),
    ]
    numbers = (summary.means, summary.deviations, summary.least, summary.most)
    rows: list[Row] = []
    if summary.n_worded:
        cells = zip(*(each.tolist() for each in numbers), strict=True)
        rows = [[feature, *row] for feature, row in zip(summary.names, cells, strict=True)]
    without = summary.n_outputs - summary.n_worded
    notes = [f"{summary.n_outputs:,} outputs, {without:,} of them without words or features"]
    return Table("measured", "Features of all outputs", columns, rows, notes)
