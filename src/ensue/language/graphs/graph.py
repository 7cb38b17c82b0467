"""A text as a graph of content words: what alignment and the features look at; its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.language.analyzer import Sentence
from ensue.language.contexts.clauses import Contexts
from ensue.language.graphs.parse import COPULA, FIXED, HONORIFICS, PARTICIPLES, RELATIVE_TAGS, Parse
from ensue.language.values.value import Value

# The graph, as a value.


class Sort(StrEnum):
    """What sort of word a node is."""

    NOUN = "noun"
    NAME = "name"
    """A proper noun or a named entity."""
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    VALUE = "value"
    """A number, an amount, a date or a time."""
    PRONOUN = "pronoun"
    OTHER = "other"


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The content words of a text and how they depend on each other.

    A node is one or more tokens: a word, a name, a collocation, a verb with its particle, a value.
    Articles, auxiliaries, prepositions, conjunctions, negations and punctuation are no nodes: what
    they say is in the relations of the edges and in the contexts. A node has any number of edges to
    others, so that the subject of two conjoined verbs depends on both.
    """

    sentence: Sentence
    tokens: tuple[tuple[int, ...], ...]
    """The tokens of each node, in their order."""
    heads: tuple[int, ...]
    """Of the tokens of each node, the one on which the others depend."""
    lemmas: tuple[str, ...]
    """In lower case; of a node of several tokens with spaces: `new york`, `blow up`, `hot dog`."""
    sorts: tuple[Sort, ...]
    kinds: tuple[str, ...]
    """The kind of named entity that the node is, as `PERSON`, `ORG`, `GPE`; empty for others."""
    copulas: tuple[int, ...]
    """For each node that is said of a subject by a form of *be*, the token of that; -1 for others."""
    governors: NDArray[np.int32]
    """For each edge the node from which it leads."""
    dependents: NDArray[np.int32]
    """For each edge the node to which it leads."""
    relations: tuple[str, ...]
    """For each edge, as `nsubj`, `dobj`, `iobj`, `prep_to`, `poss`, `amod`, `appos`, `conj_and`."""
    parents: NDArray[np.int32]
    """For each node the number of the edge by which it hangs in the tree; -1 for a root."""
    values: tuple[Value | None, ...]
    """What a node stands for as a value."""
    contexts: Contexts
    """Negation, quantifiers, modality, tense and embedding, for each token of the sentence."""

    def __len__(self) -> int:
        return len(self.lemmas)

    @property
    def roots(self) -> tuple[int, ...]:
        """The nodes that hang on none."""
        return tuple(np.flatnonzero(self.parents < 0).tolist())

    def node_of(self) -> NDArray[np.int32]:
        """For each token its node; -1 for tokens that are in none."""
        found = np.full(len(self.sentence), -1, np.int32)
        for node, tokens in enumerate(self.tokens):
            found[list(tokens)] = node
        return found

    def span(self, node: int) -> tuple[int, int]:
        """Where a node's first token begins in the text, and its last one ends."""
        tokens = self.tokens[node]
        return int(self.sentence.starts[tokens[0]]), int(self.sentence.ends[tokens[-1]])

    def edges_from(self, node: int) -> Sequence[int]:
        """The numbers of the edges that lead from a node."""
        return np.flatnonzero(self.governors == node).tolist()


# Which tokens are nodes, and which of them make one node together.

NAME_KINDS = frozenset(
    (
        "PERSON",
        "NORP",
        "FAC",
        "ORG",
        "GPE",
        "LOC",
        "PRODUCT",
        "EVENT",
        "WORK_OF_ART",
        "LAW",
        "LANGUAGE",
    )
)
"""Kinds of named entities that are names; the others are values."""
_NAME_MARKS = frozenset(f"{place}-{kind}" for place in "BI" for kind in NAME_KINDS)

_NO_NODE_PARTS = frozenset(
    ("PUNCT", "SPACE", "SYM", "DET", "CCONJ", "SCONJ", "PART", "ADP", "INTJ")
)
_NEVER = frozenset(
    ("aux", "auxpass", "neg", "expl", "punct", "prt", "preconj", "cc", "case", COPULA, FIXED)
)
"""Relations of words that are never nodes."""
_SELDOM = frozenset(("mark", "agent", "prep"))
"""Relations of words that are nodes only if they are nouns, numbers or verbs."""
_DETERMINERS = frozenset(("det", "predet"))
_CONTENT = frozenset(("NOUN", "PROPN", "NUM", "VERB"))
_SORTS = {
    "NOUN": Sort.NOUN,
    "PROPN": Sort.NAME,
    "VERB": Sort.VERB,
    "AUX": Sort.VERB,
    "ADJ": Sort.ADJECTIVE,
    "ADV": Sort.ADVERB,
    "NUM": Sort.VALUE,
    "PRON": Sort.PRONOUN,
}
_INDEFINITE = {
    f"{what}{ending}": meant
    for what in ("any", "some", "every", "no")
    for ending, meant in (("body", "person"), ("one", "person"), ("thing", "thing"))
}
"""Pronouns that say of how many, and so are nouns with a quantifier."""
_MODIFIERS = frozenset(("compound", "amod", "nmod"))
_LONGEST_COLLOCATION = 4


@dataclass(slots=True)
class TokenGroup:
    """Tokens that are one node; not frozen, since thousands are made a second."""

    tokens: tuple[int, ...]
    head: int
    sort: Sort
    lemma: str
    kind: str = ""
    value: Value | None = None


class Collocation(NamedTuple):
    """Neighboring tokens that may be a collocation."""

    first: int
    last: int
    """The token after the last."""
    words: str


def possible_collocations(parse: Parse) -> list[Collocation]:
    """The runs of words before a noun, with it, that the lexicon may know: the longest first."""
    found = []
    relations, parts, words = parse.relations, parse.parts, parse.words
    entities = parse.sentence.entities
    for last, part in enumerate(parts):
        if part not in ("NOUN", "PROPN") or entities[last] in _NAME_MARKS:
            continue
        first, furthest = last, max(last - _LONGEST_COLLOCATION + 1, 0)
        while first > furthest and relations[first - 1] in _MODIFIERS:
            if parts[first - 1] == "PUNCT" or entities[first - 1] in _NAME_MARKS:
                break
            first -= 1
        for start in range(first, last):
            found.append(Collocation(start, last + 1, " ".join(words[start : last + 1])))
    return found


def grouped(
    parse: Parse, values: Sequence[Value], collocations: Sequence[Collocation]
) -> list[TokenGroup]:
    """The nodes of a sentence, in the order of their heads.

    Values come first, then named entities, collocations, runs of proper nouns, verbs with their
    particles; then every other content word alone.
    """
    taken = [False] * len(parse.words)
    for token in parse.prepositions:
        taken[token] = True
    names = [*_values(parse, values, taken), *_names(parse, taken)]
    groups = [*names, *_collocations(parse, collocations, taken), *_runs(parse, taken)]
    groups += _words(parse, taken)
    if any(group.kind == "PERSON" for group in names):
        _call_titles_nouns(parse, groups)
    groups.sort(key=_head_of)
    return groups


def _head_of(group: TokenGroup) -> int:
    return group.head


def _values(parse: Parse, values: Sequence[Value], taken: list[bool]) -> list[TokenGroup]:
    found = []
    for value in values:
        tokens = tuple(range(value.first, value.last))
        if not tokens or _any_taken(tokens, taken):
            continue
        _take(tokens, taken)
        lemma = " ".join(parse.lemmas[token] for token in tokens)
        head = _head(tokens, parse.heads)
        if parse.relations[head] in _SELDOM:  # of "since 1990" the year
            inside = parse.child(head, "pobj")
            head = inside if inside in tokens else tokens[-1]
        found.append(TokenGroup(tokens, head, Sort.VALUE, lemma, "", value))
    return found


def _names(parse: Parse, taken: list[bool]) -> list[TokenGroup]:
    found = []
    parts = parse.parts
    for first, last, kind in parse.sentence.entity_spans():
        if kind not in NAME_KINDS:
            continue
        while first < last and (parts[first] in _NO_NODE_PARTS or parse.words[first] in HONORIFICS):
            first += 1
        while first < last and parts[last - 1] in _NO_NODE_PARTS:
            last -= 1
        tokens = tuple(range(first, last))
        if not tokens or _any_taken(tokens, taken):
            continue
        _take(tokens, taken)
        head = _head(tokens, parse.heads)
        adjective = len(tokens) == 1 and parts[head] == "ADJ"
        sort = Sort.ADJECTIVE if adjective else Sort.NAME
        lemma = _name(parse, tokens)
        if kind == "NORP" and parse.tags[last - 1] in ("NNPS", "NNS"):
            lemma = _singular(lemma)
        found.append(TokenGroup(tokens, head, sort, lemma, kind))
    return found


def _singular(people: str) -> str:
    """One of a people: the parser leaves their names in the plural."""
    if people.endswith("ies"):
        return people[:-3] + "y"
    return people[:-1] if people.endswith("s") and not people.endswith(("ss", "us")) else people


def _collocations(
    parse: Parse, collocations: Sequence[Collocation], taken: list[bool]
) -> list[TokenGroup]:
    found = []
    for each in collocations:
        tokens = tuple(range(each.first, each.last))
        if _any_taken(tokens, taken):
            continue
        _take(tokens, taken)
        head = _head(tokens, parse.heads)
        sort = Sort.NAME if parse.parts[tokens[-1]] == "PROPN" else Sort.NOUN
        words = [*each.words.split()[:-1], parse.lemmas[tokens[-1]]]
        found.append(TokenGroup(tokens, head, sort, " ".join(words)))
    return found


def _runs(parse: Parse, taken: list[bool]) -> list[TokenGroup]:
    """Proper nouns before a proper noun that they are compounded with."""
    found = []
    parts, relations, heads = parse.parts, parse.relations, parse.heads
    for head, part in enumerate(parts):
        if part != "PROPN" or taken[head] or relations[head] == "compound":
            continue
        first = head
        while (
            first > 0
            and not taken[first - 1]
            and parts[first - 1] == "PROPN"
            and relations[first - 1] == "compound"
            and first - 1 < heads[first - 1] <= head
            and parse.words[first - 1] not in HONORIFICS
        ):
            first -= 1
        if first < head:
            tokens = tuple(range(first, head + 1))
            _take(tokens, taken)
            found.append(TokenGroup(tokens, head, Sort.NAME, _name(parse, tokens)))
    return found


def _words(parse: Parse, taken: list[bool]) -> list[TokenGroup]:
    found = []
    particles = parse.first.get("prt", {})
    for token, part in enumerate(parse.parts):
        if taken[token] or not _is_content(parse, token, part):
            continue
        tokens: tuple[int, ...] = (token,)
        lemma = parse.lemmas[token]
        if lemma in _INDEFINITE or (lemma == "one" and _is_no_one(parse, token)):
            found.append(TokenGroup(tokens, token, Sort.NOUN, _INDEFINITE.get(lemma, "person")))
            continue
        particle = particles.get(token, -1) if part == "VERB" else -1
        if particle >= 0 and not taken[particle]:
            tokens = (token, particle) if token < particle else (particle, token)
            lemma = f"{lemma} {parse.lemmas[particle]}"
        sort = Sort.VERB if part in ("ADP", "SCONJ") else _SORTS.get(part, Sort.OTHER)
        found.append(TokenGroup(tokens, token, sort, lemma))
    return found


def _is_content(parse: Parse, token: int, part: str) -> bool:
    relation = parse.relations[token]
    if relation in _NEVER or parse.tags[token] in RELATIVE_TAGS:
        return False
    if not parse.lemmas[token].isalnum() and not any(map(str.isalnum, parse.lemmas[token])):
        return False
    if part in _NO_NODE_PARTS:
        if part == "DET":
            return relation not in _DETERMINERS
        return part in ("ADP", "SCONJ") and parse.has(token, "nsubj")  # "they like tea"
    if relation in _SELDOM:
        return part in _CONTENT and parse.words[token] not in PARTICIPLES
    if relation in _DETERMINERS:
        return False
    return relation != "compound" or parse.words[token] not in HONORIFICS


def _is_no_one(parse: Parse, token: int) -> bool:
    """Whether a token is the *one* of *no one*."""
    return token > 0 and parse.lemmas[token - 1] == "no" and parse.heads[token - 1] == token


def is_title(parse: Parse, word: TokenGroup, person: TokenGroup) -> bool:
    """Whether a word before the name of a person says what that is: *President Lincoln*."""
    return (
        person.kind == "PERSON"
        and not word.kind
        and word.value is None
        and word.tokens[-1] + 1 == person.tokens[0]
        and parse.relations[word.head] in ("compound", "nmod")
        and parse.parts[word.head] in ("NOUN", "PROPN")
    )


def _call_titles_nouns(parse: Parse, groups: list[TokenGroup]) -> None:
    ends = {group.tokens[-1] + 1: i for i, group in enumerate(groups)}
    for person in groups:
        place = ends.get(person.tokens[0]) if person.kind == "PERSON" else None
        if place is not None and is_title(parse, groups[place], person):
            groups[place].sort = Sort.NOUN


def _head(tokens: Sequence[int], heads: list[int]) -> int:
    """The last of the tokens that does not depend on another of them."""
    first, last = tokens[0], tokens[-1]
    for token in reversed(tokens):
        if not first <= heads[token] <= last:
            return token
    return last


def _name(parse: Parse, tokens: Sequence[int]) -> str:
    """A name as it is written, since its hyphens and stops belong to it."""
    if len(tokens) == 1:
        return parse.words[tokens[0]]
    start, end = parse.sentence.starts[tokens[0]], parse.sentence.ends[tokens[-1]]
    return " ".join(parse.sentence.text[start:end].lower().split())


def _any_taken(tokens: tuple[int, ...], taken: list[bool]) -> bool:
    return True in taken[tokens[0] : tokens[-1] + 1]


def _take(tokens: Sequence[int], taken: list[bool]) -> None:
    for token in tokens:
        taken[token] = True
