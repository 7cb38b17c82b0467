"""The features of translations, as a table."""

from __future__ import annotations

from collections.abc import Callable

from ensue.features import FEATURES
from ensue.reports.contents.translation.entries import Row
from ensue.reports.model import Column, Table
from ensue.translation.features import FeatureFamily, FeatureSet
from ensue.translation.features.entailment import BACKWARD, FORWARD
from ensue.translation.features.surface import DEFINITIONS as SURFACE
from ensue.translation.matching import DEFINITIONS as LEXICAL

_WAYS = {
    FORWARD: "from the output to the reference",
    BACKWARD: "from the reference to the output",
}


def feature_list_table(feature_set: FeatureSet) -> Table:
    """Every feature of a set, with what it is."""
    rows: list[Row] = [
        [family.value, name, meaning]
        for family in feature_set.families
        for name, meaning in _DEFINITIONS[family]().items()
    ]
    title = f"The {len(rows)} features of {feature_set.value}"
    columns = [Column("family"), Column("name"), Column("meaning")]
    return Table("features", title, columns, rows)


def _entailment() -> dict[str, str]:
    return {
        f"{way}.{feature.name}": f"{feature.definition} ({said})"
        for way, said in _WAYS.items()
        for feature in FEATURES
    }


_DEFINITIONS: dict[FeatureFamily, Callable[[], dict[str, str]]] = {
    FeatureFamily.SURFACE: lambda: dict(SURFACE),
    FeatureFamily.ENTAILMENT: _entailment,
    FeatureFamily.LEXICAL: lambda: dict(LEXICAL),
}
