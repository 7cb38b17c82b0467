"""Candidate text nodes of each hypothesis node, referents of pronouns among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.graph_arrays import FlatGraphs, NodeWord, Numbers, Offsets, Reals
from ensue.compiling import compiled
from ensue.language.graphs import Sort

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
