"""Candidate text nodes of each hypothesis node, and how an edge matches between two of them.

Candidates have the referents of pronouns among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.graph_arrays import (
    FlatGraphs,
    IndexedGraph,
    NodeWord,
    Numbers,
    Offsets,
    Reals,
    components,
)
from ensue.compiling import compiled
from ensue.language.graphs import Sort

# How an edge of the hypothesis matches what is between two text nodes, compiled.

SAME, NORMALIZED, PATH, MERGED, NONE = range(5)

TOGETHER = 1e-7
"""What it is worth that two unconnected targets are in one sentence: it decides between equals."""


class EdgeWorth(NamedTuple):
    """What each way in which an edge can be met is worth."""

    same: float
    normalized: float
    path: float
    merged: float
    decay: float
    weight: float
    """By which all are multiplied in the objective."""
    limit: int
    """The longest way that counts."""


class EdgeTables(NamedTuple):
    """For each edge of a hypothesis, and each candidate of its governor and of its dependent."""

    gains: Reals
    """What it adds to the objective."""
    matches: NDArray[np.int8]
    steps: NDArray[np.int8]
    """The length of the way; 0 for one node, -1 for no way that is short enough."""


class Ways(NamedTuple):
    """The nodes around one node; room that is used again for the next."""

    seen: Numbers
    """For each node the last start from which it was reached."""
    steps: Numbers
    """In how many steps."""
    queue: Numbers


@compiled
def edge_tables(
    text: IndexedGraph,
    hypothesis: IndexedGraph,
    targets: Numbers,
    counts: Numbers,
    worth: EdgeWorth,
) -> EdgeTables:
    """Compare each edge with what is between the candidates of its ends."""
    n_edges, most = hypothesis.governors.size, targets.shape[1]
    tables = EdgeTables(
        np.zeros((n_edges, most, most)),
        np.full((n_edges, most, most), NONE, np.int8),
        np.full((n_edges, most, most), -1, np.int8),
    )
    m = text.offsets.size - 1
    ways = Ways(np.full(m, -1, np.int32), np.empty(m, np.int32), np.empty(m, np.int32))
    sentences = components(text)
    start = 0
    for node in range(counts.size):
        for i in range(counts[node]):
            walked = False
            for k in range(hypothesis.offsets[node], hypothesis.offsets[node + 1]):
                e = hypothesis.incident[k]
                if hypothesis.governors[e] == node:
                    if not walked:
                        walk(text, targets[node, i], start, worth.limit, ways)
                        walked, start = True, start + 1
                    compare_edge(
                        text, hypothesis, e, i, targets, counts, worth, ways, sentences, tables
                    )
    return tables


@compiled
def walk(graph: IndexedGraph, node: int, start: int, limit: int, ways: Ways) -> None:
    """Find all nodes within some steps of one, edges taken in either direction."""
    ways.queue[0], ways.seen[node], ways.steps[node] = node, start, 0
    size, k = 1, 0
    while k < size:
        at = ways.queue[k]
        if ways.steps[at] < limit:
            for i in range(graph.offsets[at], graph.offsets[at + 1]):
                edge = graph.incident[i]
                other = graph.governors[edge] + graph.dependents[edge] - at
                if ways.seen[other] != start:
                    ways.seen[other], ways.steps[other] = start, ways.steps[at] + 1
                    ways.queue[size] = other
                    size += 1
        k += 1


@compiled
def compare_edge(
    text: IndexedGraph,
    hypothesis: IndexedGraph,
    e: int,
    i: int,
    targets: Numbers,
    counts: Numbers,
    worth: EdgeWorth,
    ways: Ways,
    sentences: Numbers,
    tables: EdgeTables,
) -> None:
    """Compare an edge with the ways from its governor's i-th candidate, where they were walked."""
    source, dependent = targets[hypothesis.governors[e], i], hypothesis.dependents[e]
    for j in range(counts[dependent]):
        target = targets[dependent, j]
        steps = ways.steps[target] if ways.seen[target] == ways.seen[source] else -1
        if steps < 0:
            together = sentences[source] == sentences[target]
            tables.gains[e, i, j] = worth.weight * TOGETHER if together else 0.0
            continue
        match, value = MERGED, worth.merged
        if steps > 0:
            match, value = PATH, worth.path * worth.decay ** (steps - 1)
        if steps == 1:
            direct = direct_match(text, hypothesis.relations[e], source, target)
            if direct == SAME and worth.same >= value:
                match, value = SAME, worth.same
            elif direct == NORMALIZED and worth.normalized >= value:
                match, value = NORMALIZED, worth.normalized
        tables.gains[e, i, j] = worth.weight * value
        tables.matches[e, i, j] = match
        tables.steps[e, i, j] = steps


@compiled
def direct_match(text: IndexedGraph, relation: Numbers, source: int, target: int) -> int:
    """The best match of a relation with the edges between two nodes; PATH where none is like it."""
    best = PATH
    for k in range(text.offsets[source], text.offsets[source + 1]):
        edge = text.incident[k]
        other = text.relations[edge]
        if text.governors[edge] == source and text.dependents[edge] == target:
            if other[0] == relation[0]:
                return SAME
            if other[1] & relation[1] or other[2] & relation[2]:
                best = NORMALIZED
        is_turned = text.governors[edge] == target and text.dependents[edge] == source
        if is_turned and (other[1] & relation[2] or other[2] & relation[1]):
            best = NORMALIZED
    return best


# Which text nodes each hypothesis node may go to.

IS_PRONOUN = 4
"""The bit of referents that pronouns have."""


class WordTables(NamedTuple):
    """For each pair of graphs, which pairs of distinct words are compared."""

    local: Numbers
    """The number of each node's word among the distinct words of its graph."""
    sizes: Offsets
    """How many distinct words each graph has."""
    starts: Offsets
    """Where each pair's table begins: a row for each word of the hypothesis."""
    first: Offsets
    """The hypothesis's word of each place of the tables."""
    second: Offsets
    """The text's word."""


class Candidates(NamedTuple):
    """The best text nodes of each hypothesis node, the best first."""

    starts: Offsets
    """Where each pair's hypothesis nodes begin, with the end of the last."""
    counts: Numbers
    """How many each node has."""
    targets: Numbers
    """A row of text nodes for each hypothesis node."""
    matches: NDArray[np.uint8]
    similarities: Reals


@compiled
def word_tables(flat: FlatGraphs, n_words: int, texts: Offsets, hypotheses: Offsets) -> WordTables:
    """Pair the distinct words of each hypothesis with those of its text."""
    local, sizes, distinct = distinct_words(flat, n_words)
    starts = np.zeros(texts.size + 1, np.int64)
    for p in range(texts.size):
        starts[p + 1] = starts[p] + sizes[hypotheses[p]] * sizes[texts[p]]
    first, second = np.empty(starts[-1], np.int64), np.empty(starts[-1], np.int64)
    for p in range(texts.size):
        at = starts[p]
        of_hypothesis, of_text = flat.nodes[hypotheses[p]], flat.nodes[texts[p]]
        for i in range(sizes[hypotheses[p]]):
            for j in range(sizes[texts[p]]):
                first[at] = distinct[of_hypothesis + i]
                second[at] = distinct[of_text + j]
                at += 1
    return WordTables(local, sizes, starts, first, second)


@compiled
def distinct_words(flat: FlatGraphs, n_words: int) -> tuple[Numbers, Offsets, Numbers]:
    """The local number of each node's word, how many each graph has, and which they are."""
    local = np.empty(flat.words.size, np.int32)
    distinct = np.empty(flat.words.size, np.int32)
    sizes = np.zeros(flat.nodes.size - 1, np.int64)
    seen_in = np.full(n_words, -1, np.int64)
    seen_as = np.empty(n_words, np.int32)
    for number in range(sizes.size):
        start = flat.nodes[number]
        for node in range(start, flat.nodes[number + 1]):
            word = flat.words[node]
            if seen_in[word] != number:
                seen_in[word], seen_as[word] = number, sizes[number]
                distinct[start + sizes[number]] = word
                sizes[number] += 1
            local[node] = seen_as[word]
    return local, sizes, distinct


@compiled
def find_candidates(
    flat: FlatGraphs,
    tables: WordTables,
    texts: Offsets,
    hypotheses: Offsets,
    matches: NDArray[np.uint8],
    similarities: Reals,
    referents: Numbers,
    pronoun: tuple[int, float],
    most: int,
) -> Candidates:
    """Keep the most similar text nodes of each hypothesis node.

    Of equally similar ones those come first that are relatively as far into their text as the
    hypothesis node is into its hypothesis, and then the first in the text.

    Args:
        flat: All graphs.
        tables: Of the pairs' words.
        texts: The graph of each pair's text.
        hypotheses: The graph of each pair's hypothesis.
        matches: How the words at each place of the tables match.
        similarities: How similar they are.
        referents: What each word may stand for or be meant by, as bits; see `IS_PRONOUN`.
        pronoun: The match of a pronoun with what it may stand for, and its similarity.
        most: How many are kept.
    """
    starts = np.zeros(texts.size + 1, np.int64)
    for p in range(texts.size):
        graph = hypotheses[p]
        starts[p + 1] = starts[p] + flat.nodes[graph + 1] - flat.nodes[graph]
    counts = np.zeros(starts[-1], np.int32)
    targets = np.zeros((starts[-1], most), np.int32)
    codes = np.zeros((starts[-1], most), np.uint8)
    similar = np.zeros((starts[-1], most))
    gaps = np.zeros(most)
    for p in range(texts.size):
        first, n = flat.nodes[hypotheses[p]], starts[p + 1] - starts[p]
        of_text, m = flat.nodes[texts[p]], flat.nodes[texts[p] + 1] - flat.nodes[texts[p]]
        width = tables.sizes[texts[p]]
        for i in range(n):
            row = starts[p] + i
            place = tables.starts[p] + tables.local[first + i] * width
            about = referents[flat.words[first + i]]
            for j in range(m):
                k = place + tables.local[of_text + j]
                code, value, other = matches[k], similarities[k], referents[flat.words[of_text + j]]
                if value < pronoun[1] and about & other and (about ^ other) & IS_PRONOUN:
                    code, value = np.uint8(pronoun[0]), pronoun[1]
                if value > 0.0:
                    gap = abs(i * m - j * n) / (m * n)
                    at = place_of(value, gap, similar[row, : counts[row]], gaps)
                    if at < most:
                        counts[row] = min(counts[row] + 1, most)
                        shift(targets[row], at, j)
                        shift(codes[row], at, code)
                        shift(similar[row], at, value)
                        shift(gaps, at, gap)
    return Candidates(starts, counts, targets, codes, similar)


@compiled
def place_of(value: float, gap: float, similar: Reals, gaps: Reals) -> int:
    """Behind all that are more similar, or as similar and not further off."""
    at = similar.size
    while at > 0 and (value > similar[at - 1] or (value == similar[at - 1] and gap < gaps[at - 1])):
        at -= 1
    return at


@compiled
def shift(row: Reals, at: int, value: float) -> None:
    """Put a value into a row; those behind it move on, and the last one is lost."""
    for k in range(row.size - 1, at, -1):
        row[k] = row[k - 1]
    row[at] = value


# What pronouns may stand for.

_PERSON, _THING = 1, 2

_REFERENTS = {
    **dict.fromkeys(("he", "him", "his", "himself", "she", "her", "hers", "herself"), _PERSON),
    **dict.fromkeys(("i", "me", "my", "mine", "myself", "we", "us", "our", "ours"), _PERSON),
    **dict.fromkeys(("you", "your", "yours", "yourself", "who", "whom", "whose"), _PERSON),
    **dict.fromkeys(("it", "its", "itself", "which", "this", "that"), _THING),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), _PERSON | _THING),
    **dict.fromkeys(("these", "those"), _PERSON | _THING),
}
"""Other pronouns, as *some* and *another*, stand for nothing that is named elsewhere."""


def referents(words: Sequence[NodeWord], are_persons: NDArray[np.bool_]) -> NDArray[np.int32]:
    """What each word may stand for or be meant by, as bits.

    Args:
        words: Distinct ones.
        are_persons: Which of them mean persons as common nouns.
    """
    found = np.zeros(len(words), np.int32)
    for i, (word, is_person) in enumerate(zip(words, are_persons.tolist(), strict=True)):
        if word.sort is Sort.PRONOUN:
            of_pronoun = _REFERENTS.get(word.lemma, 0)
            found[i] = of_pronoun | IS_PRONOUN if of_pronoun else 0
        elif word.sort is Sort.NOUN:
            found[i] = _PERSON if is_person else _THING
        elif word.sort is Sort.NAME:
            by_kind = _PERSON if word.kind == "PERSON" else _THING
            found[i] = by_kind if word.kind else _PERSON | _THING
    return found
