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
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.candidates import EdgeWorth, find_candidates, referents, word_tables
from ensue.alignment.graph_arrays import FlatGraphs, Flattening, NodeWord
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
    PARTS,
    Flags,
    Numbers,
    WordMatches,
    match_equals,
    match_heads,
    match_names,
    match_nations,
    match_spelling,
    match_values,
)
from ensue.language.graphs import Graph, Sort
from ensue.language.lexicon import Lemma, Lexicon, Meanings, PartOfSpeech

# Matches of words by meaning in the lexicon, for all pairs of a batch at once.

_NOTHING = ("", PartOfSpeech.NOUN, False, False)
_PERSON = ("person", PartOfSpeech.NOUN, False, False)
"""Not too general: of a minister it is worth saying, though texts say it most often of all."""
_PERSON_ROW = 1

_TOO_GENERAL = frozenset(
    (
        *("be", "have", "do", "make", "get", "give", "take", "put", "cause", "act"),
        *("thing", "something", "state", "part", "unit", "measure", "form", "number"),
    )
)
"""Words that follow from nearly all, and from which nothing follows."""

_AS_TRUE = {
    PartOfSpeech.NOUN: Match.PART,
    PartOfSpeech.VERB: Match.ENTAILED,
    PartOfSpeech.ADJECTIVE: Match.SIMILAR,
}
"""What is as true, and is reached otherwise than by hypernyms alone."""


@dataclass(frozen=True, slots=True, eq=False)
class LexicalWords:
    """Words with their rows in the meanings; the first row has no meaning, the next is a person."""

    meanings: Meanings
    rows: Numbers
    adjective_rows: Numbers
    """Of names, as which France is French."""
    verb_rows: Numbers
    """Of nouns, the verb of the same root: of a murder, to murder."""
    too_general: Flags
    """Which rows are of words that say too little."""

    @property
    def known(self) -> Flags:
        """Which words are in the lexicon."""
        known = self.meanings.known
        return known[self.rows] | known[self.adjective_rows]

    @property
    def are_persons(self) -> Flags:
        """Which words mean first of all a person."""
        first = self.meanings.first(1)
        rows = np.arange(len(first))
        return (first.hypernym_distance(rows, np.full(len(first), _PERSON_ROW)) >= 0)[self.rows]


def look_up(words: Sequence[NodeWord], lexicon: Lexicon) -> LexicalWords:
    """Look up what words mean."""
    rows = {_NOTHING: 0, _PERSON: _PERSON_ROW}
    own, adjective, verb = (np.zeros(len(words), np.int64) for _ in range(3))
    for i, word in enumerate(words):
        part = PARTS.get(word.sort)
        if part is not None:
            is_name = word.sort is Sort.NAME
            key = (word.lemma, part, is_name, word.kind == "PERSON")
            own[i] = rows.setdefault(key, len(rows))
            if is_name:
                key = (word.lemma, PartOfSpeech.ADJECTIVE, False, False)
                adjective[i] = rows.setdefault(key, len(rows))
            elif part is PartOfSpeech.NOUN and (root := _verb_of(word.lemma, lexicon)):
                key = (root, PartOfSpeech.VERB, False, False)
                verb[i] = rows.setdefault(key, len(rows))
    meanings = lexicon.meanings([Lemma(word, part) for word, part, _, _ in rows])
    names = np.array([is_name for _, _, is_name, _ in rows], np.bool_)
    persons = np.array([is_person for *_, is_person in rows], np.bool_)
    too_general = np.array([word in _TOO_GENERAL for word, *_ in rows], np.bool_)
    return LexicalWords(_as_names(meanings, names, persons), own, adjective, verb, too_general)


@lru_cache(maxsize=20_000)
def _verb_of(noun: str, lexicon: Lexicon) -> str:
    """The first verb of the same root as a noun; empty where there is none."""
    for kin in lexicon.derivations(noun, PartOfSpeech.NOUN):
        if kin.part is PartOfSpeech.VERB:
            return kin.word
    return ""


def _as_names(meanings: Meanings, is_name: Flags, is_person: Flags) -> Meanings:
    """Let names mean what has a name, and no bushes or bakers; other than persons, if there is one."""
    words = meanings.words
    named = meanings.network.is_instance[meanings.synsets]
    has_named = np.bincount(words[named], minlength=len(is_name)) > 0
    drop = is_name & (has_named | is_person)
    return meanings.where(named | ~drop[words])


def match_meanings(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match words of one part of speech by their synonyms, antonyms and what is above them."""
    near = found.meanings.first(settings.senses)
    says_enough = _says_enough(near, settings.least_content)
    far = near.where(says_enough & ~found.too_general[near.words])
    both, matches = near.beside(far), settings.matches
    n, rows, same_part = len(near), found.rows, pairs.same_part()

    where = pairs.open(same_part)
    first, second = rows[pairs.first[where]], rows[pairs.second[where]]
    pairs.put(where[near.is_synonym(first, second)], Match.SYNONYM, matches.synonym)
    pairs.put(where[near.is_antonym(first, second)], Match.ANTONYM, matches.antonym)

    where = pairs.open(same_part)
    first, second = rows[pairs.first[where]], rows[pairs.second[where]]
    above = both.hypernym_distance(second, n + first)
    _put_steps(pairs, where, above, Match.HYPERNYM, matches.hypernym, settings)
    as_true = both.generality_distance(second, n + first)
    for part, match in _AS_TRUE.items():
        own = (pairs.parts[pairs.first[where]] == part.number) & (above < 0)
        steps = np.where(own, as_true, -1)
        _put_steps(pairs, where, steps, match, getattr(matches, match), settings)
    below = both.hypernym_distance(first, n + second)
    _put_steps(pairs, where, below, Match.HYPONYM, matches.hyponym, settings)


def _says_enough(meanings: Meanings, least: float) -> Flags:
    """Which senses are not too general to be worth saying."""
    synsets = meanings.synsets
    start = meanings.offsets[_PERSON_ROW]
    person = synsets[start : meanings.offsets[_PERSON_ROW + 1]][:1]
    return (meanings.network.hierarchy.content[synsets] >= least) | np.isin(synsets, person)


def _put_steps(
    pairs: WordMatches,
    where: Numbers,
    steps: NDArray[np.int32],
    match: Match,
    similarity: float,
    settings: AlignmentSettings,
) -> None:
    """Match pairs that are some steps apart, the less the more these are."""
    is_open = pairs.codes[where] == Match.NONE.number
    is_verb = pairs.parts[pairs.first[where]] == PartOfSpeech.VERB.number
    most = np.where(is_verb, settings.most_verb_steps, settings.most_steps)
    near = is_open & (steps > 0) & (steps <= most)
    pairs.put(where[near], match, similarity * settings.step_decay ** (steps[near] - 1.0))


def match_kin(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match words of one root, of whatever part of speech."""
    meanings, rows, adjectives = found.meanings, found.rows, found.adjective_rows
    where = pairs.open((rows[pairs.first] > 0) & (rows[pairs.second] > 0))
    one, other = pairs.first[where], pairs.second[where]
    kin = meanings.is_derivation(rows[one], rows[other])
    kin |= meanings.is_derivation(adjectives[one], rows[other])
    kin |= meanings.is_derivation(rows[one], adjectives[other])
    pairs.put(where[kin], Match.DERIVATION, settings.matches.derivation)


def match_deeds(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match a verb with a noun whose own verb means it or implies it: to kill, a murder.

    The hypothesis's word must not say more.
    """
    near, rows, verbs = found.meanings.first(settings.senses), found.rows, found.verb_rows
    is_verb = pairs.parts == PartOfSpeech.VERB.number
    crossing = (is_verb[pairs.first] & (verbs[pairs.second] > 0)) | (
        is_verb[pairs.second] & (verbs[pairs.first] > 0)
    )
    where = pairs.open(crossing)
    one, other = pairs.first[where], pairs.second[where]
    first = np.where(is_verb[one], rows[one], verbs[one])
    second = np.where(is_verb[other], rows[other], verbs[other])
    steps = near.hypernym_distance(second, first)
    says_enough = ~found.too_general[first]
    above = (steps > 0) & (steps <= settings.most_verb_steps) & says_enough
    means = near.is_synonym(first, second) | above
    pairs.put(where[means], Match.DERIVATION, settings.matches.derivation * settings.step_decay)


def match_related(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match nouns and verbs that are near each other in the hierarchy; names are not related."""
    common = [word.sort in (Sort.NOUN, Sort.VERB) for word in pairs.words]
    rows = found.rows
    says_enough = ~(found.too_general[rows[pairs.first]] | found.too_general[rows[pairs.second]])
    where = pairs.open(pairs.both(common) & pairs.same_part() & says_enough)
    first, second = rows[pairs.first[where]], rows[pairs.second[where]]
    lin = found.meanings.first(settings.related_senses).similarity("lin", first, second)
    near = lin >= settings.related_cutoff
    pairs.put(where[near], Match.RELATED, settings.matches.related * lin[near])


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
    codes, similarities = matched_words(words, found, tables.first, tables.second, settings)
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


def matched_words(
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
