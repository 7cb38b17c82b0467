"""How rare a word is: what is rare says more, and is missed more."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ensue.language.graphs import Graph, Sort
from ensue.language.lexicon import Lexicon

_COMMON = math.log(1 + 10_000)
"""Of a word as frequent as *be* in the texts that WordNet's makers tagged."""
_LEAST = 0.05
_MOST_KNOWN = 50_000


class Rarities:
    """The rarity of words, by how often they are in the texts that WordNet's makers tagged.

    1 - log(1 + count) / log(10,001), but at least 0.05; names, values and words that the lexicon
    does not have are rare: 1.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: dict[str, float] = {}

    def learn(self, graphs: Iterable[Graph]) -> None:
        """Look up all words of some graphs at once."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        words = {
            lemma
            for graph in graphs
            for lemma, sort in zip(graph.lemmas, graph.sorts, strict=True)
            if sort not in (Sort.NAME, Sort.VALUE) and lemma not in self._known
        }
        asked = sorted(words)
        for word, count in zip(asked, self._lexicon.frequencies(asked).tolist(), strict=True):
            self._known[word] = max(_LEAST, 1 - math.log(1 + count) / _COMMON)

    def of(self, graph: Graph) -> list[float]:
        """The rarity of each node of a graph whose words are known."""
        return [
            1.0 if sort in (Sort.NAME, Sort.VALUE) else self._known[lemma]
            for lemma, sort in zip(graph.lemmas, graph.sorts, strict=True)
        ]
