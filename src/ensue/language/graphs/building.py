"""From analyzed sentences to graphs of their content words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ensue.language.analysis import Sentence
from ensue.language.contexts import find_contexts
from ensue.language.graphs.edges import add_shared, add_titles, tree_of
from ensue.language.graphs.graph import Graph
from ensue.language.graphs.nodes import Collocation, grouped, possible_collocations
from ensue.language.graphs.parse import Parse, parse_of
from ensue.language.graphs.roles import Roles
from ensue.language.lexicon import Lexicon
from ensue.language.values import find_values


def build_graphs(sentences: Sequence[Sentence], *, lexicon: Lexicon) -> list[Graph]:
    """The graph of each sentence; equal sentences should be given once.

    Args:
        sentences: As the analyzer gives them.
        lexicon: Knows which words are collocations.
    """
    parses = [parse_of(sentence) for sentence in sentences]
    possible = [possible_collocations(parse) for parse in parses]
    words = list(dict.fromkeys(each.words for many in possible for each in many))
    known = {
        word
        for word, is_one in zip(words, lexicon.is_collocation(words, "noun").tolist(), strict=True)
        if is_one
    }
    return [
        _graph(parse, [each for each in many if each.words in known])
        for parse, many in zip(parses, possible, strict=True)
    ]


def _graph(parse: Parse, collocations: Sequence[Collocation]) -> Graph:
    sentence = parse.sentence
    groups = grouped(parse, find_values(sentence), collocations)
    edges, parents, hangs = tree_of(parse, groups)
    add_shared(parse, groups, hangs, edges)
    add_titles(parse, groups, edges)
    Roles(parse, groups, hangs, edges).add_all()
    return Graph(
        sentence,
        tuple([group.tokens for group in groups]),
        tuple([group.head for group in groups]),
        tuple([group.lemma for group in groups]),
        tuple([group.sort for group in groups]),
        tuple([group.kind for group in groups]),
        tuple([parse.copulas.get(group.head, -1) for group in groups]),
        np.array(edges.governors, np.int32),
        np.array(edges.dependents, np.int32),
        tuple(edges.relations),
        np.array(parents, np.int32),
        tuple([group.value for group in groups]),
        find_contexts(sentence),
    )
