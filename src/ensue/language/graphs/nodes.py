"""Which tokens are nodes, and which of them make one node together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ensue.language.analysis import Sentence
from ensue.language.graphs.graph import Sort
from ensue.language.values import Value

NAME_KINDS = frozenset(
    "PERSON NORP FAC ORG GPE LOC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE".split()
)
"""Kinds of named entities that are names; the others are values."""

_NO_NODE_PARTS = frozenset("PUNCT SPACE SYM DET CCONJ SCONJ PART ADP INTJ".split())
_NO_NODE_RELATIONS = frozenset(
    "aux auxpass neg det predet case mark cc preconj expl punct prt agent prep".split()
)
_RELATIVE_TAGS = frozenset(("WDT", "WP", "WP$", "WRB"))
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


@dataclass(frozen=True, slots=True)
class Group:
    """Tokens that are one node."""

    tokens: tuple[int, ...]
    head: int
    sort: Sort
    lemma: str
    kind: str = ""
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Collocation:
    """Neighboring tokens that may be a collocation."""

    first: int
    last: int
    """The token after the last."""
    words: str


def possible_collocations(sentence: Sentence) -> list[Collocation]:
    """The runs of words before a noun, with it, that the lexicon may know: the longest first."""
    found = []
    relations, parts = sentence.relations, sentence.parts
    lowered = [form.lower() for form in sentence.forms]
    for last, part in enumerate(parts):
        if part not in ("NOUN", "PROPN"):
            continue
        first = last
        while first > 0 and last - first < _LONGEST_COLLOCATION - 1:
            if relations[first - 1] not in _MODIFIERS or parts[first - 1] == "PUNCT":
                break
            first -= 1
        for start in range(first, last):
            found.append(Collocation(start, last + 1, " ".join(lowered[start : last + 1])))
    return found


def grouped(
    sentence: Sentence, values: Sequence[Value], collocations: Sequence[Collocation]
) -> list[Group]:
    """The nodes of a sentence, in the order of their heads.

    Values come first, then named entities, collocations, runs of proper nouns, verbs with their
    particles; then every other content word alone.
    """
    taken = [False] * len(sentence)
    heads = sentence.heads.tolist()
    groups = [
        *_values(sentence, heads, values, taken),
        *_names(sentence, heads, taken),
        *_collocations(sentence, heads, collocations, taken),
        *_runs(sentence, heads, taken),
        *_words(sentence, heads, taken),
    ]
    return sorted(groups, key=lambda group: group.head)


def _values(
    sentence: Sentence, heads: list[int], values: Sequence[Value], taken: list[bool]
) -> list[Group]:
    found = []
    for value in values:
        tokens = tuple(range(value.first, value.last))
        if not tokens or any(taken[token] for token in tokens):
            continue
        _take(tokens, taken)
        lemma = " ".join(sentence.lemmas[token].lower() for token in tokens)
        head = _head(tokens, heads)
        found.append(Group(tokens, head, Sort.VALUE, lemma, "", value))
    return found


def _names(sentence: Sentence, heads: list[int], taken: list[bool]) -> list[Group]:
    found = []
    for first, last, kind in sentence.entity_spans():
        if kind not in NAME_KINDS:
            continue
        while first < last and sentence.parts[first] in _NO_NODE_PARTS:
            first += 1
        while first < last and sentence.parts[last - 1] in _NO_NODE_PARTS:
            last -= 1
        tokens = tuple(range(first, last))
        if not tokens or any(taken[token] for token in tokens):
            continue
        _take(tokens, taken)
        head = _head(tokens, heads)
        adjective = len(tokens) == 1 and sentence.parts[head] == "ADJ"
        sort = Sort.ADJECTIVE if adjective else Sort.NAME
        found.append(Group(tokens, head, sort, _name(sentence, tokens), kind))
    return found


def _collocations(
    sentence: Sentence,
    heads: list[int],
    collocations: Sequence[Collocation],
    taken: list[bool],
) -> list[Group]:
    found = []
    for each in collocations:
        tokens = tuple(range(each.first, each.last))
        if any(taken[token] for token in tokens):
            continue
        _take(tokens, taken)
        head = each.last - 1
        sort = Sort.NAME if sentence.parts[head] == "PROPN" else Sort.NOUN
        words = [*each.words.split()[:-1], sentence.lemmas[head].lower()]
        found.append(Group(tokens, head, sort, " ".join(words)))
    return found


def _runs(sentence: Sentence, heads: list[int], taken: list[bool]) -> list[Group]:
    """Proper nouns before a proper noun that they are compounded with."""
    found = []
    for head, part in enumerate(sentence.parts):
        if part != "PROPN" or taken[head] or sentence.relations[head] == "compound":
            continue
        first = head
        while first > 0 and not taken[first - 1] and _belongs(sentence, heads, first - 1, head):
            first -= 1
        if first < head:
            tokens = tuple(range(first, head + 1))
            _take(tokens, taken)
            found.append(Group(tokens, head, Sort.NAME, _name(sentence, tokens)))
    return found


def _belongs(sentence: Sentence, heads: list[int], token: int, head: int) -> bool:
    return (
        sentence.parts[token] == "PROPN"
        and sentence.relations[token] == "compound"
        and token < heads[token] <= head
    )


def _words(sentence: Sentence, heads: list[int], taken: list[bool]) -> list[Group]:
    particles = {
        heads[token]: token
        for token, relation in enumerate(sentence.relations)
        if relation == "prt" and not taken[token]
    }
    found = []
    for token, part in enumerate(sentence.parts):
        if taken[token] or not _is_content(sentence, heads, token):
            continue
        tokens, lemma = (token,), sentence.lemmas[token].lower()
        if lemma in _INDEFINITE or _is_no_one(sentence, heads, token):
            found.append(Group(tokens, token, Sort.NOUN, _INDEFINITE.get(lemma, "person")))
            continue
        if token in particles and part == "VERB":
            particle = particles[token]
            tokens = (token, particle) if token < particle else (particle, token)
            lemma = f"{lemma} {sentence.lemmas[particle].lower()}"
        found.append(Group(tokens, token, _SORTS.get(part, Sort.OTHER), lemma))
    return found


def _is_content(sentence: Sentence, heads: list[int], token: int) -> bool:
    part, relation = sentence.parts[token], sentence.relations[token]
    if relation in ("aux", "auxpass", "neg", "expl", "punct", "prt", "preconj", "cc", "case"):
        return False
    if sentence.tags[token] in _RELATIVE_TAGS or not any(map(str.isalnum, sentence.lemmas[token])):
        return False
    if part in _NO_NODE_PARTS:
        return part == "DET" and relation not in ("det", "predet")
    if relation in _NO_NODE_RELATIONS:
        return part in ("NOUN", "PROPN", "NUM", "VERB") and relation not in ("det", "predet")
    return not (is_copula(sentence, token) and predicate_of(sentence, heads, token) >= 0)


def _is_no_one(sentence: Sentence, heads: list[int], token: int) -> bool:
    """Whether a token is the *one* of *no one*."""
    return (
        sentence.lemmas[token] == "one"
        and token > 0
        and sentence.lemmas[token - 1].lower() == "no"
        and heads[token - 1] == token
    )


def is_copula(sentence: Sentence, token: int) -> bool:
    """Whether a token is a form of *be* that is not an auxiliary."""
    return sentence.lemmas[token] == "be" and sentence.relations[token] not in ("aux", "auxpass")


def predicate_of(sentence: Sentence, heads: list[int], copula: int) -> int:
    """The noun or adjective that a copula says of its subject; -1 where there is none."""
    best = -1
    for token, head in enumerate(heads):
        if head == copula:
            if sentence.relations[token] == "attr" and sentence.tags[token] not in _RELATIVE_TAGS:
                return token
            if sentence.relations[token] == "acomp" and best < 0:
                best = token
    return best


def _head(tokens: Sequence[int], heads: list[int]) -> int:
    """The first of the tokens that does not depend on another of them, the last one before others."""
    inside = frozenset(tokens)
    free = [token for token in tokens if heads[token] not in inside]
    return free[-1] if free else tokens[-1]


def _name(sentence: Sentence, tokens: Sequence[int]) -> str:
    start, end = int(sentence.starts[tokens[0]]), int(sentence.ends[tokens[-1]])
    return " ".join(sentence.text[start:end].lower().split())


def _take(tokens: Sequence[int], taken: list[bool]) -> None:
    for token in tokens:
        taken[token] = True
