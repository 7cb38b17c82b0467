"""Sets of features, their tables for outputs, and how these are written to files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError, UndefinedError
from ensue.features import has_words
from ensue.files import OutputRow, RowFormat, row_bytes, short_number
from ensue.surface import Information
from ensue.translation.features import families
from ensue.translation.features.families import (
    LEXICAL_DEFINITIONS,
    LEXICAL_NAMES,
    EntailmentMeter,
    entailment_features,
    matched_features,
    reference_information,
    surface_features,
)
from ensue.translation.systems import Indices, Numbers, OutputKey, Segment

# The sets of features that a metric can be made from.


class FeatureFamily(StrEnum):
    """What a set is made of."""

    SURFACE = "surface"
    ENTAILMENT = "entailment"
    LEXICAL = "lexical"


class FeatureSet(StrEnum):
    """Those of Padó et al. (2009), and the one that they wish for."""

    TRADMT = "tradmt"
    """Surface features: BLEU, NIST and TER in many settings."""
    RTE = "rte"
    """The entailment features in both directions."""
    COMB = "comb"
    """TradMT and RTE."""
    TRADMT_LEXICAL = "tradmt+lexical"
    """TradMT and matches of words: exact, by stem, by synonym."""

    @property
    def families(self) -> tuple[FeatureFamily, ...]:
        """What it is made of, in the order of its columns."""
        return _FAMILIES[self]

    @property
    def needs_analyzer(self) -> bool:
        """Whether outputs have to be parsed for it."""
        return FeatureFamily.ENTAILMENT in self.families

    def covers(self, other: FeatureSet) -> bool:
        """Whether it has all features of another set."""
        return set(other.families) <= set(self.families)


_FAMILIES = {
    FeatureSet.TRADMT: (FeatureFamily.SURFACE,),
    FeatureSet.RTE: (FeatureFamily.ENTAILMENT,),
    FeatureSet.COMB: (FeatureFamily.SURFACE, FeatureFamily.ENTAILMENT),
    FeatureSet.TRADMT_LEXICAL: (FeatureFamily.SURFACE, FeatureFamily.LEXICAL),
}

_NAMES = {
    FeatureFamily.SURFACE: families.SURFACE_NAMES,
    FeatureFamily.ENTAILMENT: families.DIRECTED_NAMES,
    FeatureFamily.LEXICAL: LEXICAL_NAMES,
}


_DEFINITIONS: dict[FeatureFamily, Callable[[], Mapping[str, str]]] = {
    FeatureFamily.SURFACE: lambda: families.SURFACE_DEFINITIONS,
    FeatureFamily.ENTAILMENT: families.entailment_definitions,
    FeatureFamily.LEXICAL: lambda: LEXICAL_DEFINITIONS,
}


def feature_definitions(feature_set: FeatureSet) -> dict[FeatureFamily, Mapping[str, str]]:
    """What each feature of a set is, by family."""
    return {family: _DEFINITIONS[family]() for family in feature_set.families}


def feature_names(feature_set: FeatureSet) -> tuple[str, ...]:
    """The names of a set's features, in the order of its columns."""
    return tuple(name for family in feature_set.families for name in _NAMES[family])


def fingerprint(feature_set: FeatureSet) -> str:
    """Changes when the definition of a feature does, costs of edits included."""
    said = "\n".join(
        f"{name}: {meaning}"
        for of_family in feature_definitions(feature_set).values()
        for name, meaning in of_family.items()
    )
    return sha256(said.encode()).hexdigest()[:16]


def covering_sets(wanted: Sequence[FeatureSet]) -> list[FeatureSet]:
    """The fewest sets to measure so that each of those wanted is part of one.

    >>> [each.value for each in covering_sets([FeatureSet.RTE, FeatureSet.COMB])]
    ['comb']
    """
    distinct = list(dict.fromkeys(wanted))
    return [
        each
        for each in distinct
        if not any(other.covers(each) for other in distinct if other is not each)
    ]


# Features of outputs as a table: a row an output, a column a feature.


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """What was measured of outputs."""

    outputs: tuple[OutputKey, ...]
    names: tuple[str, ...]
    values: Numbers
    """A row an output; NaN where the output has no words, and a feature needs some."""

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def worded(self) -> NDArray[np.bool_]:
        """Which outputs have words."""
        return np.asarray(~np.isnan(self.values).any(axis=1))

    def places(self, outputs: Sequence[OutputKey]) -> Indices:
        """The rows of these outputs.

        Raises:
            DataError: one of them was not measured.
        """
        row_of = {key: row for row, key in enumerate(self.outputs)}
        missing = next((key for key in outputs if key not in row_of), None)
        if missing is not None:
            raise DataError(
                "segment-no-output-system",
                f"segment {missing.segment!r} of {missing.language_pair!r} has no output"
                f" of system {missing.system!r}",
                hint="the judgments are of other outputs than these",
            )
        return np.array([row_of[key] for key in outputs], np.int64)

    def chosen(self, rows: Indices) -> FeatureTable:
        """Some of the rows."""
        return FeatureTable(
            tuple(self.outputs[row] for row in rows.tolist()), self.names, self.values[rows]
        )


def joined(tables: Sequence[FeatureTable]) -> FeatureTable:
    """The rows of several tables with the same columns."""
    return FeatureTable(
        tuple(key for table in tables for key in table.outputs),
        tables[0].names,
        np.concatenate([table.values for table in tables]),
    )


# From segments to tables of features.

BATCH = 2048
"""Outputs measured at a time: enough to keep all cores busy, few enough to hold."""


@dataclass(frozen=True, slots=True)
class Meter:
    """Measures the features of a set."""

    feature_set: FeatureSet
    reader: EntailmentMeter | None = field(default=None, compare=False)
    """Gives entailment features; the usual one where it is None."""
    information: Information | None = field(default=None, compare=False)
    """How much each n-gram says, for NIST; `informed` gives it."""

    def informed(self, references: Iterable[Sequence[str]]) -> Meter:
        """The meter with what NIST needs to know of all references of a set."""
        if FeatureFamily.SURFACE not in self.feature_set.families:
            return self
        return replace(self, information=reference_information(references))

    def table(self, segments: Sequence[Segment]) -> FeatureTable:
        """The features of all outputs of segments, a row an output.

        An output without words, or whose references have none, has no features: its row is NaN.
        """
        outputs = [output for segment in segments for output in segment.outputs.values()]
        references = [segment.told for segment in segments for _ in segment.outputs]
        families = self.feature_set.families
        values = np.hstack([self._family(each, outputs, references) for each in families])
        worded = [
            has_words(output) and any(map(has_words, some))
            for output, some in zip(outputs, references, strict=True)
        ]
        values[~np.array(worded, np.bool_)] = np.nan
        keys = tuple(key for segment in segments for key in segment.output_keys())
        return FeatureTable(keys, feature_names(self.feature_set), values)

    def _family(
        self,
        family: FeatureFamily,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]],
    ) -> Numbers:
        if family is FeatureFamily.ENTAILMENT:
            return entailment_features(outputs, references, self._reader)
        if family is FeatureFamily.LEXICAL:
            return matched_features(outputs, references)
        if self.information is None:
            raise SettingError(
                "nists-features-need-know",
                "NIST's features need to know the references of the whole set",
                hint="measure with meter.informed(references) of all segments",
            )
        return surface_features(outputs, references, self.information)

    @property
    def _reader(self) -> EntailmentMeter:
        from ensue.features import shared_reader

        return self.reader or shared_reader()


def batches(segments: Iterable[Segment], size: int = BATCH) -> Iterator[list[Segment]]:
    """Segments in lists that hold about so many outputs."""
    batch: list[Segment] = []
    n_outputs = 0
    for segment in segments:
        batch.append(segment)
        n_outputs += len(segment.outputs)
        if n_outputs >= size:
            yield batch
            batch, n_outputs = [], 0
    if batch:
        yield batch


def measure(
    meter: Meter, segments: Iterable[Segment], *, progress: Callable[[int], None] | None = None
) -> FeatureTable:
    """The features of all outputs of a stream of segments.

    Args:
        meter: Knows all references that it needs to know.
        segments: What to measure.
        progress: Is told of each batch how many outputs are done.

    Raises:
        UndefinedError: there are no outputs.
    """
    tables = []
    for batch in batches(segments):
        tables.append(meter.table(batch))
        if progress:
            progress(len(tables[-1]))
    if not tables:
        raise UndefinedError("no-outputs-measure", "there are no outputs to measure")
    return joined(tables)


# Features of outputs as Parquet, CSV or JSONL, a batch at a time.


@dataclass(frozen=True, slots=True, eq=False)
class FeatureSummary:
    """What the features of many outputs were like."""

    names: tuple[str, ...]
    n_outputs: int
    n_worded: int
    """Outputs with features: those that have words, and whose reference has some."""
    means: Numbers
    """Over the outputs with features, as all that follows."""
    deviations: Numbers
    least: Numbers
    most: Numbers


class SeenFeatures:
    """Adds up features while they go by."""

    def __init__(self, n_features: int) -> None:
        self._n_outputs = self._n_worded = 0
        self._sums, self._squares = np.zeros(n_features), np.zeros(n_features)
        self._least, self._most = np.full(n_features, np.inf), np.full(n_features, -np.inf)

    def add(self, table: FeatureTable) -> None:
        """Add up the features of some outputs."""
        values = table.values[table.worded]
        self._n_outputs += len(table)
        self._n_worded += len(values)
        self._sums += values.sum(axis=0)
        self._squares += (values**2).sum(axis=0)
        self._least = np.minimum(self._least, values.min(axis=0, initial=np.inf))
        self._most = np.maximum(self._most, values.max(axis=0, initial=-np.inf))

    def state(self) -> list[Any]:
        """The sums so far, in values that JSON can hold; nothing where no output has words."""
        if not self._n_worded:
            return [self._n_outputs, 0]
        each = (self._sums, self._squares, self._least, self._most)
        return [self._n_outputs, self._n_worded, *(values.tolist() for values in each)]

    def extend(self, state: Sequence[Any]) -> None:
        """Add the sums of other outputs, as their `state` has them."""
        n_outputs, n_worded, *each = state
        self._n_outputs += n_outputs
        if not n_worded:
            return
        self._n_worded += n_worded
        sums, squares, least, most = map(np.array, each)
        self._sums += sums
        self._squares += squares
        self._least, self._most = np.minimum(self._least, least), np.maximum(self._most, most)

    def summary(self, names: tuple[str, ...]) -> FeatureSummary:
        """What all of them were like."""
        n = max(self._n_worded, 1)
        means = self._sums / n
        deviations = np.sqrt(np.maximum(self._squares / n - means**2, 0.0))
        return FeatureSummary(
            names, self._n_outputs, self._n_worded, means, deviations, self._least, self._most
        )


def output_columns(feature_set: FeatureSet) -> list[str]:
    """The names of the columns: which output it is, and the features."""
    return [*OutputKey._fields, *feature_names(feature_set)]


def output_bytes(rows: Sequence[OutputRow], feature_set: FeatureSet, format: RowFormat) -> bytes:
    """Rows as part of a file, without its head."""
    numbers = set(feature_names(feature_set))
    return row_bytes(output_columns(feature_set), list(rows), format=format, numbers=numbers)


def output_rows(table: FeatureTable) -> list[OutputRow]:
    """A row an output; cells are empty where it has no features."""
    values: list[OutputRow] = table.values.astype(object).tolist()
    for row in np.flatnonzero(~table.worded).tolist():
        values[row] = [None] * len(table.names)
    return [[*key, *map(short_number, row)] for key, row in zip(table.outputs, values, strict=True)]
