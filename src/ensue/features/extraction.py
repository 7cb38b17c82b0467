"""Feature extraction: texts analyzed, graphs built and aligned, features measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, islice
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.alignment import AlignmentSettings, align
from ensue.concurrency import made_once, no_fork
from ensue.features.comparison import PairComparison
from ensue.features.groups import FEATURES, GROUPS, NAMES
from ensue.files import OutputRow, RowFormat, row_bytes, short_number
from ensue.language import (
    CachedAnalyzer,
    CallPool,
    PooledAnalyzer,
    Sentence,
    TextAnalyzer,
    cache_file,
    load_analyzer,
)
from ensue.language.graphs import Graph, Sort, build_graphs
from ensue.language.lexicon import Lexicon, load_lexicon

# How rare a word is: what is rare says more, and is missed more.

_COMMON = math.log(1 + 10_000)
"""Of a word as frequent as *be* in the texts that WordNet's makers tagged."""
_LEAST = 0.05
_MOST_WORDS_KEPT = 50_000


class Rarities:
    """The rarity of words, by how often they are in the texts that WordNet's makers tagged.

    1 - log(1 + count) / log(10,001), but at least 0.05; names, values and words that the lexicon
    does not have are rare: 1.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: dict[str, float] = {}

    def of(self, graphs: Sequence[Graph]) -> list[list[float]]:
        """The rarity of each node of some graphs, whose words are looked up at once."""
        named = (Sort.NAME, Sort.VALUE)
        words = [
            lemma
            for graph in graphs
            for lemma, sort in zip(graph.lemmas, graph.sorts, strict=True)
            if sort not in named
        ]
        found = iter(self.of_words(words))
        return [[1.0 if sort in named else next(found) for sort in graph.sorts] for graph in graphs]

    def of_words(self, words: Sequence[str]) -> list[float]:
        """The rarity of each word."""
        # one dictionary from beginning to end: another thread may put an empty one in its place
        known = self._known
        asked = sorted({word for word in words if word not in known})
        for word, count in zip(asked, self._lexicon.frequencies(asked).tolist(), strict=True):
            known[word] = max(_LEAST, 1 - math.log(1 + count) / _COMMON)
        found = [known[word] for word in words]
        if len(known) > _MOST_WORDS_KEPT:
            self._known = {}
        return found


@made_once
def shared_rarities() -> Rarities:
    """The rarities of words by the lexicon that ships."""
    return Rarities(load_lexicon())


# From pairs of texts to their features: analyze, build graphs, align, measure.

TextPair = tuple[str, str]
"""A text and a hypothesis."""

Sentences = dict[str, Sentence]
"""Texts with their analyses."""


def has_words(text: str) -> bool:
    """Whether a text has a letter or a digit, without which it has no features."""
    return any(map(str.isalnum, text))


class Comparer:
    """Everything after the parse: graphs, alignments and features of analyzed pairs."""

    def __init__(self, lexicon: Lexicon, settings: AlignmentSettings | None = None) -> None:
        self.settings = settings or AlignmentSettings()
        self._lexicon = lexicon
        self._rarities = Rarities(lexicon)

    def compare(self, pairs: Sequence[TextPair], sentences: Sentences) -> list[PairComparison]:
        """Each pair, aligned.

        Args:
            pairs: Texts and hypotheses.
            sentences: The analysis of each.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        graphs = self._graphs([sentences[text] for text in texts])
        aligned = align(
            [(graphs[text], graphs[hypothesis]) for text, hypothesis in pairs],
            self.settings,
            lexicon=self._lexicon,
        )
        rarities = self._rarities.of([each.hypothesis for each in aligned])
        return [PairComparison(*each) for each in zip(aligned, rarities, strict=True)]

    def _graphs(self, sentences: Sequence[Sentence]) -> dict[str, Graph]:
        built = build_graphs(sentences, lexicon=self._lexicon)
        return {graph.sentence.text: graph for graph in built}


def measured(comparisons: Sequence[PairComparison]) -> NDArray[np.float64]:
    """The features of aligned pairs: a row for each pair, a column for each feature."""
    values = np.empty((len(comparisons), len(FEATURES)))
    for row, pair in enumerate(comparisons):
        values[row] = [value for group in GROUPS for value in group.measure(pair)]
    return values


@dataclass(frozen=True, slots=True)
class PairMeasure:
    """What a reader takes of aligned pairs."""

    names: tuple[str, ...]
    """Of the columns."""
    rows: Callable[[Sequence[PairComparison]], NDArray[np.float64]]
    """A row for each pair; a function that another process can import."""


FEATURE_MEASURE = PairMeasure(NAMES, measured)


# Features of any number of pairs: each distinct text analyzed once, here or by a pool.

CHUNK = 256
"""Pairs compared at a time: enough to share look-ups, few enough to hold."""

_WINDOW = 8 * CHUNK
"""Pairs whose texts are analyzed together where there is a pool."""

_LEAST_FOR_POOL = 4 * CHUNK
"""For fewer pairs it takes longer to start processes than to do without."""

_MOST_PAIRS_KEPT = 20_000
"""Pairs whose features are kept: training and cross-validation ask for the same ones again."""


class FeatureReader:
    """Gives the features of pairs, in their order, whatever the batch and whoever measures them."""

    def __init__(
        self,
        analyzer: CachedAnalyzer,
        comparer: Comparer,
        pool: CallPool | None = None,
        measure: PairMeasure = FEATURE_MEASURE,
    ) -> None:
        """Read pairs with an analyzer and a comparer; large batches are measured by the pool."""
        self._analyzer = analyzer
        self._comparer = comparer
        self._pool = pool
        self._measure = measure
        self._known: dict[TextPair, NDArray[np.float64]] = {}

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text."""
        return self._analyzer.analyze(texts)

    def compare(self, pairs: Sequence[TextPair]) -> list[PairComparison]:
        """Each pair, aligned."""
        with no_fork:
            return self._comparer.compare(pairs, self._sentences(pairs))

    def features(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """A row of features for each pair."""
        # one dictionary from beginning to end: another thread may put an empty one in its place
        known = self._known
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        rows = (row for part in self._measured(missing) for row in part)
        found = dict(zip(missing, rows, strict=True))
        values = [found[pair] if pair in found else known[pair] for pair in pairs]
        if len(known) + len(found) > _MOST_PAIRS_KEPT:
            self._known = known = {}
        known.update(islice(found.items(), _MOST_PAIRS_KEPT))
        return np.array(values).reshape(len(pairs), len(self._measure.names))

    def forget_features(self) -> None:
        """Keep no features in memory."""
        self._known = {}

    def _measured(self, pairs: Sequence[TextPair]) -> Iterator[NDArray[np.float64]]:
        if self._pool is None or len(pairs) < _LEAST_FOR_POOL:
            for chunk in _parts(pairs, CHUNK):
                with no_fork:
                    values = self._measure.rows(self.compare(chunk))
                yield values
        else:
            settings = self._comparer.settings
            yield from self._pool.in_order(
                (_measured, settings, self._measure, *analyzed)
                for analyzed in self._analyzed(pairs)
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
    settings: AlignmentSettings,
    measure: PairMeasure,
    pairs: Sequence[TextPair],
    sentences: Sentences,
) -> NDArray[np.float64]:
    """What a pool calls: the features of analyzed pairs."""
    return measure.rows(_comparer(settings).compare(pairs, sentences))


@made_once
def _comparer(settings: AlignmentSettings) -> Comparer:
    return Comparer(load_lexicon(), settings)


def _parts(pairs: Sequence[TextPair], size: int) -> Iterator[Sequence[TextPair]]:
    return (pairs[start : start + size] for start in range(0, len(pairs), size))


def open_reader(
    *,
    cache: Path | None = None,
    pool: CallPool | None = None,
    settings: AlignmentSettings | None = None,
    measure: PairMeasure = FEATURE_MEASURE,
) -> FeatureReader:
    """A reader with the usual analyzer and lexicon.

    Args:
        cache: The file in which analyses are kept; the user's where it is None.
        pool: Analyzes and measures large batches; without one, this process does.
        settings: How nodes are aligned.
        measure: What is taken of aligned pairs; the features, unless it is named.
    """
    analyzer: TextAnalyzer = load_analyzer()
    if pool is not None:
        analyzer = PooledAnalyzer(analyzer, pool)
    cached = CachedAnalyzer(analyzer, cache or cache_file())
    return FeatureReader(cached, Comparer(load_lexicon(), settings), pool, measure)


@made_once
def shared_reader() -> FeatureReader:
    """The reader of all in this process who have none of their own."""
    return open_reader()


# Features of pairs as rows of a file.


class PairDirection(StrEnum):
    """Which side is taken for the text."""

    FORWARD = "forward"
    """The text, as it stands."""
    BACKWARD = "backward"
    """The hypothesis: does the text follow from it?"""


@dataclass(frozen=True, slots=True)
class FeaturePair:
    """A pair, with what stands beside its features."""

    id: str
    gold: str | None
    task: str | None
    text: str
    hypothesis: str

    def sides(self, direction: PairDirection) -> TextPair:
        """The text and the hypothesis, or the other way round."""
        if direction is PairDirection.FORWARD:
            return self.text, self.hypothesis
        return self.hypothesis, self.text


class FeatureSource(Protocol):
    """What gives the features of a batch."""

    def features(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """A row of features for each pair."""


def columns(directions: Sequence[PairDirection]) -> list[str]:
    """The names of the columns; the direction is one where there are two."""
    direction = ["direction"] if len(directions) > 1 else []
    return ["id", "gold", "task", *direction, *NAMES]


def feature_rows(
    pairs: Sequence[FeaturePair], reader: FeatureSource, directions: Sequence[PairDirection]
) -> list[list[OutputRow]]:
    """Measure pairs: for each pair a row in each direction.

    Cells of features are empty where a side has no words.
    """
    sides = [pair.sides(direction) for pair in pairs for direction in directions]
    worded = [has_words(text) and has_words(hypothesis) for text, hypothesis in sides]
    measured = iter(reader.features(list(compress(sides, worded))).tolist())
    found = iter([next(measured) if has_row else None for has_row in worded])
    return [
        [_row(pair, direction, next(found), directions) for direction in directions]
        for pair in pairs
    ]


def empty_rows(pair: FeaturePair, directions: Sequence[PairDirection]) -> list[OutputRow]:
    """The rows of a pair that could not be measured."""
    return [_row(pair, direction, None, directions) for direction in directions]


def is_measured(row: OutputRow) -> bool:
    """Whether a row has features."""
    return row[-1] is not None


def feature_bytes(
    rows: Sequence[OutputRow], directions: Sequence[PairDirection], format: RowFormat
) -> bytes:
    """Rows as part of a file, without its head."""
    return row_bytes(columns(directions), list(rows), format=format, numbers=set(NAMES))


def _row(
    pair: FeaturePair,
    direction: PairDirection,
    features: OutputRow | None,
    directions: Sequence[PairDirection],
) -> OutputRow:
    named = [direction.value] if len(directions) > 1 else []
    return [
        pair.id,
        pair.gold,
        pair.task,
        *named,
        *map(short_number, features or [None] * len(NAMES)),
    ]
