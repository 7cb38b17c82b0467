"""From analyzed sentences to graphs of their content words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ensue.language.analysis import Sentence
from ensue.language.contexts import find_contexts
from ensue.language.graphs.edges import edges_of, parse_of
from ensue.language.graphs.graph import Graph
from ensue.language.graphs.nodes import Collocation, grouped, possible_collocations
from ensue.language.lexicon import Lexicon
from ensue.language.values import find_values


def build_graphs(sentences: Sequence[Sentence], *, lexicon: Lexicon) -> list[Graph]:
    """The graph of each sentence; equal sentences should be given once.

    Args:
        sentences: As the analyzer gives them.
        lexicon: Knows which words are collocations.
    """
    possible = [possible_collocations(sentence) for sentence in sentences]
    words = list(dict.fromkeys(each.words for many in possible for each in many))
    known = {
        word
        for word, is_one in zip(words, lexicon.is_collocation(words, "noun").tolist(), strict=True)
        if is_one
    }
    return [
        _graph(sentence, [each for each in many if each.words in known])
        for sentence, many in zip(sentences, possible, strict=True)
    ]


def _graph(sentence: Sentence, collocations: Sequence[Collocation]) -> Graph:
    groups = grouped(sentence, find_values(sentence), collocations)
    parse = parse_of(sentence)
    edges, parents = edges_of(parse, groups)
    return Graph(
        sentence,
        tuple(group.tokens for group in groups),
        tuple(group.head for group in groups),
        tuple(group.lemma for group in groups),
        tuple(group.sort for group in groups),
        tuple(group.kind for group in groups),
        tuple(parse.copulas.get(group.head, -1) for group in groups),
        np.array(edges.governors, np.int32),
        np.array(edges.dependents, np.int32),
        tuple(edges.relations),
        np.array(parents, np.int32),
        tuple(group.value for group in groups),
        find_contexts(sentence),
    )
