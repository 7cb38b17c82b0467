"""Features of any number of pairs: each distinct text analyzed once, here or by a pool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ensue.alignment import AlignmentSettings
from ensue.features.catalog import FEATURES
from ensue.features.comparison import Comparison
from ensue.features.measuring import Comparer, Sentences, TextPair, measured
from ensue.language.analysis import (
    Analyzing,
    CachedAnalyzer,
    Sentence,
    cache_file,
    load_analyzer,
)
from ensue.language.analysis.spreading import SpreadAnalyzer, Spreading
from ensue.language.lexicon import load_lexicon

CHUNK = 256
"""Pairs compared at a time: enough to share look-ups, few enough to hold."""

_WINDOW = 8 * CHUNK
"""Pairs whose texts are analyzed together where there is a pool."""

_WORTH_SPREADING = 4 * CHUNK
"""For fewer pairs it takes longer to start processes than to do without."""

_MOST_KNOWN = 20_000
"""Pairs whose features are kept: training and cross-validation ask for the same ones again."""


class FeatureReader:
    """Gives the features of pairs, in their order, whatever the batch and whoever measures them."""

    def __init__(
        self, analyzer: CachedAnalyzer, comparer: Comparer, pool: Spreading | None = None
    ) -> None:
        """Read pairs with an analyzer and a comparer; large batches are measured by the pool."""
        self._analyzer = analyzer
        self._comparer = comparer
        self._pool = pool
        self._known: dict[TextPair, NDArray[np.float64]] = {}

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text."""
        return self._analyzer.analyze(texts)

    def compare(self, pairs: Sequence[TextPair]) -> list[Comparison]:
        """Each pair, aligned."""
        return self._comparer.compare(pairs, self._sentences(pairs))

    def features(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """A row of features for each pair."""
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        rows = (row for part in self._measured(missing) for row in part)
        found = dict(zip(missing, rows, strict=True))
        values = [found[pair] if pair in found else self._known[pair] for pair in pairs]
        if len(self._known) + len(found) > _MOST_KNOWN:
            self._known.clear()
        self._known |= dict(islice(found.items(), _MOST_KNOWN))
        return np.array(values).reshape(len(pairs), len(FEATURES))

    def forget_features(self) -> None:
        """Keep no features in memory."""
        self._known.clear()

    def _measured(self, pairs: Sequence[TextPair]) -> Iterator[NDArray[np.float64]]:
        if self._pool is None or len(pairs) < _WORTH_SPREADING:
            for chunk in _parts(pairs, CHUNK):
                yield measured(self.compare(chunk))
        else:
            settings = self._comparer.settings
            yield from self._pool.in_order(
                (_measured, settings, *analyzed) for analyzed in self._analyzed(pairs)
            )

    def _analyzed(
        self, pairs: Sequence[TextPair]
    ) -> Iterator[tuple[Sequence[TextPair], Sentences]]:
        """Chunks of pairs with their sentences, many analyzed at a time to keep all cores busy."""
        for window in _parts(pairs, _WINDOW):
            sentences = self._sentences(window)
            for chunk in _parts(window, CHUNK):
                yield chunk, {text: sentences[text] for pair in chunk for text in pair}

    def _sentences(self, pairs: Sequence[TextPair]) -> Sentences:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        return dict(zip(texts, self._analyzer.analyze(texts), strict=True))


def _measured(
    settings: AlignmentSettings, pairs: Sequence[TextPair], sentences: Sentences
) -> NDArray[np.float64]:
    """What a pool calls: the features of analyzed pairs."""
    return measured(_comparer(settings).compare(pairs, sentences))


@cache
def _comparer(settings: AlignmentSettings) -> Comparer:
    return Comparer(load_lexicon(), settings)


def _parts(pairs: Sequence[TextPair], size: int) -> Iterator[Sequence[TextPair]]:
    return (pairs[start : start + size] for start in range(0, len(pairs), size))


def open_reader(
    *,
    cache: Path | None = None,
    pool: Spreading | None = None,
    settings: AlignmentSettings | None = None,
) -> FeatureReader:
    """A reader with the usual analyzer and lexicon.

    Args:
        cache: The file in which analyses are kept; the user's where it is None.
        pool: Analyzes and measures large batches; without one, this process does.
        settings: How nodes are aligned.
    """
    analyzer: Analyzing = load_analyzer()
    if pool is not None:
        analyzer = SpreadAnalyzer(analyzer, pool)
    cached = CachedAnalyzer(analyzer, cache or cache_file())
    return FeatureReader(cached, Comparer(load_lexicon(), settings), pool)


@cache
def shared_reader() -> FeatureReader:
    """The reader of all in this process who have none of their own."""
    return open_reader()
