"""Graphs written by hand, and the shipped lexicon."""

import numpy as np
import pytest

from ensue.language.analyzer import Sentence
from ensue.language.graphs import Graph, Sort
from ensue.language.lexicon import load_lexicon

SORTS = {
    "n": Sort.NOUN,
    "N": Sort.NAME,
    "v": Sort.VERB,
    "a": Sort.ADJECTIVE,
    "r": Sort.ADVERB,
    "d": Sort.VALUE,
    "p": Sort.PRONOUN,
    "o": Sort.OTHER,
}


def make_graph(nodes, edges=(), *, values=None, extra=()):
    """A graph of nodes such as `dog/n` and `marie curie/N/PERSON` and of edges.

    An edge is a governor, a relation and a dependent; the first edge to a node is its tree's. Those
    of `extra` are not in the tree. A form that is not the lemma is behind it: `find=found/v`.
    """
    parts = [[*node.split("/"), ""][:3] for node in nodes]
    lemmas = [word.split("=")[0] for word, _, _ in parts]
    forms = [word.split("=")[-1] for word, _, _ in parts]
    ends = np.cumsum([len(form) + 1 for form in forms], dtype=np.int32) - 1
    starts = ends - np.array([len(form) for form in forms], np.int32)
    n, blank = len(nodes), ("",) * len(nodes)
    sentence = Sentence(
        " ".join(forms),
        starts.astype(np.int32),
        ends.astype(np.int32),
        np.full(n, -1, np.int32),
        tuple(lemmas),
        blank,
        blank,
        blank,
        blank,
    )
    parents = np.full(n, -1, np.int32)
    for number, (_, _, dependent) in enumerate(edges):
        if parents[dependent] < 0:
            parents[dependent] = number
    both = [*edges, *extra]
    return Graph(
        sentence=sentence,
        tokens=tuple((i,) for i in range(n)),
        heads=tuple(range(n)),
        lemmas=tuple(lemmas),
        sorts=tuple(SORTS[sort] for _, sort, _ in parts),
        kinds=tuple(kind for _, _, kind in parts),
        copulas=(-1,) * n,
        governors=np.array([edge[0] for edge in both], np.int32),
        dependents=np.array([edge[2] for edge in both], np.int32),
        relations=tuple(edge[1] for edge in both),
        parents=parents,
        values=tuple(values) if values else (None,) * n,
        contexts=None,
    )


@pytest.fixture(scope="session", name="make_graph")
def _make_graph():
    return make_graph


@pytest.fixture(scope="session")
def lexicon():
    """The shipped lexicon."""
    return load_lexicon()
