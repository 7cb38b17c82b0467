"""Alignments of hypothesis graphs with text graphs, many pairs at once.

The objective is the sum over hypothesis nodes of weight × similarity to the target, plus the edge
weight times the sum over hypothesis edges of their similarity to what is between the targets of
their ends. What is not aligned adds nothing. The approach is that of the Stanford system
(MacCartney, Grenager, de Marneffe, Cer and Manning 2006), which samples alignments with a Markov
chain; here the default search finds the best one.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.candidates import find_candidates, referents, word_tables
from ensue.alignment.edges import EdgeWorth
from ensue.alignment.graph_arrays import FlatGraphs, Flattening, NodeWord
from ensue.alignment.meanings import (
    LexicalWords,
    look_up,
    match_deeds,
    match_kin,
    match_meanings,
    match_related,
)
from ensue.alignment.search import AlignedBatch, SearchPlan, align_all
from ensue.alignment.settings import (
    EDGE_MATCHES,
    MATCHES,
    SEARCHES,
    AlignmentSettings,
    EdgeMatch,
    Match,
    SearchMethod,
)
from ensue.alignment.words import (
    Numbers,
    WordMatches,
    match_equals,
    match_heads,
    match_names,
    match_nations,
    match_spelling,
    match_values,
)
from ensue.language.graphs import Graph
from ensue.language.lexicon import Lexicon

# An alignment of a hypothesis's graph with a text's.


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Where each node of a hypothesis goes in its text, and how its edges are met there."""

    text: Graph
    hypothesis: Graph
    targets: NDArray[np.int32]
    """For each hypothesis node its text node; -1 for none."""
    matches: tuple[Match, ...]
    """How each hypothesis node meets its text node."""
    similarities: NDArray[np.float64]
    """How similar each hypothesis node is to its text node, from 0 to 1."""
    edge_matches: tuple[EdgeMatch, ...]
    """How each hypothesis edge is met between the targets of its ends."""
    edge_similarities: NDArray[np.float64]
    """How similar each hypothesis edge is to that, from 0 to 1."""
    path_lengths: NDArray[np.int32]
    """For each hypothesis edge the steps between the targets; 0 for one, -1 for none near enough."""
    score: float
    """The objective: weighted similarities of nodes and edges."""
    perfect_score: float
    """What the hypothesis would score if the text were the same."""

    @property
    def normalized_score(self) -> float:
        """The score as a part of the perfect one; 1 for an empty hypothesis, which lacks nothing."""
        # Rounding may take the sum of what is the same a little over the perfect one.
        return min(self.score / self.perfect_score, 1.0) if self.perfect_score > 0 else 1.0


# Align hypotheses with their texts, many pairs at once.

MOST_PAIRS = 256
"""How many pairs are aligned together."""

MOST_COMPARED = 1_000_000
"""How many pairs of words are compared together."""

GraphPair = tuple[Graph, Graph]
_DEFAULT = AlignmentSettings()


def align(
    pairs: Sequence[GraphPair],
    settings: AlignmentSettings = _DEFAULT,
    *,
    lexicon: Lexicon,
) -> list[Alignment]:
    """Align the hypothesis of each pair with its text.

    An alignment does not depend on the other pairs.

    Args:
        pairs: The graph of a text and that of a hypothesis.
        settings: The objective and the search.
        lexicon: What words mean.
    """
    return [found for block in _blocks(pairs) for found in _align(block, settings, lexicon)]


def _blocks(pairs: Sequence[GraphPair]) -> Iterator[list[GraphPair]]:
    """The pairs in blocks that need only so much room."""
    block: list[GraphPair] = []
    compared = 0
    for pair in pairs:
        compared += len(pair[0]) * len(pair[1])
        if block and (len(block) == MOST_PAIRS or compared > MOST_COMPARED):
            yield block
            block, compared = [], len(pair[0]) * len(pair[1])
        block.append(pair)
    if block:
        yield block


def _align(
    pairs: Sequence[GraphPair], settings: AlignmentSettings, lexicon: Lexicon
) -> list[Alignment]:
    numbers: dict[int, int] = {}
    graphs: list[Graph] = []
    for graph in (graph for pair in pairs for graph in pair):
        if numbers.setdefault(id(graph), len(graphs)) == len(graphs):
            graphs.append(graph)
    texts = np.array([numbers[id(text)] for text, _ in pairs], np.int64)
    hypotheses = np.array([numbers[id(hypothesis)] for _, hypothesis in pairs], np.int64)
    flattening = Flattening(settings.weights)
    flat = flattening.flat(graphs)
    tables = word_tables(flat, len(flattening.words), texts, hypotheses)
    words = list(flattening.words)
    found = look_up(words, lexicon)
    codes, similarities = _match_words(words, found, tables.first, tables.second, settings)
    candidates = find_candidates(
        flat,
        tables,
        texts,
        hypotheses,
        codes,
        similarities,
        referents(words, found.are_persons),
        (Match.PRONOUN.number, settings.matches.pronoun),
        settings.candidates,
    )
    worth = _edge_worth(settings)
    plan = _plan(pairs, settings)
    aligned = align_all(flat, texts, hypotheses, candidates, worth, plan, Match.NONE.number)
    return _alignments(pairs, aligned, _perfect_scores(flat, hypotheses, settings))


def _match_words(
    words: Sequence[NodeWord],
    found: LexicalWords,
    first: Numbers,
    second: Numbers,
    settings: AlignmentSettings,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The matches and similarities of pairs of words; each distinct pair is looked at once."""
    keys, inverse = np.unique(first * len(words) + second, return_inverse=True)
    codes, similarities = np.empty(len(keys), np.uint8), np.empty(len(keys))
    for start in range(0, len(keys), MOST_COMPARED):
        part = slice(start, start + MOST_COMPARED)
        pairs = WordMatches.unmatched(words, keys[part] // len(words), keys[part] % len(words))
        _match(pairs, found, settings)
        codes[part], similarities[part] = pairs.codes, pairs.similarities
    return codes[inverse], similarities[inverse]


def _match(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match words in all ways, the surest first."""
    match_values(pairs, settings)
    match_equals(pairs, settings)
    match_names(pairs, settings)
    match_nations(pairs, settings)
    match_heads(pairs, settings)
    match_meanings(pairs, found, settings)
    match_kin(pairs, found, settings)
    match_deeds(pairs, found, settings)
    match_related(pairs, found, settings)
    match_spelling(pairs, found.known, settings)


def _edge_worth(settings: AlignmentSettings) -> EdgeWorth:
    of = settings.edges
    return EdgeWorth(
        float(of.same),
        float(of.normalized),
        float(of.path),
        float(of.merged),
        float(of.decay),
        float(settings.edge_weight),
        settings.path_limit,
    )


def _plan(pairs: Sequence[GraphPair], settings: AlignmentSettings) -> SearchPlan:
    """The search; a Markov chain's seed comes from the settings and from what the pair says."""
    seeds = np.zeros(len(pairs), np.uint64)
    if settings.search is SearchMethod.CHAIN:
        for i, (text, hypothesis) in enumerate(pairs):
            content = "\n".join((*text.lemmas, "", *hypothesis.lemmas)).encode("utf-8", "replace")
            seeds[i] = settings.seed % 2**32 << 32 | zlib.crc32(content)
    number = SEARCHES.index(settings.search)
    return SearchPlan(number, settings.conditions, settings.sweeps, seeds)


def _perfect_scores(
    flat: FlatGraphs, hypotheses: Numbers, settings: AlignmentSettings
) -> list[float]:
    """What each hypothesis would score in a text that is the same."""
    # Summed graph by graph: differences of running sums would depend on the rest of the batch.
    graphs = np.repeat(np.arange(len(flat.nodes) - 1), np.diff(flat.nodes))
    of_nodes = np.bincount(graphs, flat.weights, len(flat.nodes) - 1)[hypotheses]
    n_edges = flat.edges[hypotheses + 1] - flat.edges[hypotheses]
    edge = settings.edge_weight * settings.edges.same
    scores: list[float] = (settings.matches.same * of_nodes + edge * n_edges).tolist()
    return scores


def _alignments(
    pairs: Sequence[GraphPair], found: AlignedBatch, perfect: Sequence[float]
) -> list[Alignment]:
    matches = [MATCHES[number] for number in found.matches.tolist()]
    edge_matches = [EDGE_MATCHES[number] for number in found.edge_matches.tolist()]
    nodes, edges = found.node_starts.tolist(), found.edge_starts.tolist()
    scores = found.scores.tolist()
    alignments = []
    for p, (text, hypothesis) in enumerate(pairs):
        own, between = slice(*nodes[p : p + 2]), slice(*edges[p : p + 2])
        alignments.append(
            Alignment(
                text,
                hypothesis,
                found.targets[own],
                tuple(matches[own]),
                found.similarities[own],
                tuple(edge_matches[between]),
                found.edge_similarities[between],
                found.steps[between],
                scores[p],
                perfect[p],
            )
        )
    return alignments
