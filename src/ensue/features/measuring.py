"""From pairs of texts to their features: analyze, build graphs, align, measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.alignment import AlignmentSettings, align
from ensue.features.catalog import FEATURES, GROUPS
from ensue.features.comparison import Comparison
from ensue.features.rarity import Rarities
from ensue.language.analysis import Sentence
from ensue.language.graphs import Graph, build_graphs
from ensue.language.lexicon import Lexicon

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

    def compare(self, pairs: Sequence[TextPair], sentences: Sentences) -> list[Comparison]:
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
        self._rarities.learn(each.hypothesis for each in aligned)
        return [Comparison(each, self._rarities.of(each.hypothesis)) for each in aligned]

    def _graphs(self, sentences: Sequence[Sentence]) -> dict[str, Graph]:
        built = build_graphs(sentences, lexicon=self._lexicon)
        return {graph.sentence.text: graph for graph in built}


def measured(comparisons: Sequence[Comparison]) -> NDArray[np.float64]:
    """The features of aligned pairs: a row for each pair, a column for each feature."""
    values = np.empty((len(comparisons), len(FEATURES)))
    for row, pair in enumerate(comparisons):
        values[row] = [value for group in GROUPS for value in group.measure(pair)]
    return values
