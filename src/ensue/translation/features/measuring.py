"""From segments to tables of features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.features import has_words
from ensue.surface import Information
from ensue.translation.features.entailment import Measuring, entailment_features
from ensue.translation.features.sets import FeatureFamily, FeatureSet, feature_names
from ensue.translation.features.surface import reference_information, surface_features
from ensue.translation.features.table import FeatureTable, joined
from ensue.translation.matching import matched_features
from ensue.translation.model import Numbers, Segment

BATCH = 2048
"""Outputs measured at a time: enough to keep all cores busy, few enough to hold."""


@dataclass(frozen=True, slots=True)
class Meter:
    """Measures the features of a set."""

    feature_set: FeatureSet
    reader: Measuring | None = field(default=None, compare=False)
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
                "NIST's features need to know the references of the whole set",
                hint="measure with meter.informed(references) of all segments",
            )
        return surface_features(outputs, references, self.information)

    @property
    def _reader(self) -> Measuring:
        from ensue.features.reading import shared_reader

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
        raise UndefinedError("there are no outputs to measure")
    return joined(tables)
