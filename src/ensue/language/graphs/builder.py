"""Construction of graphs from sentences, with the roles of verbs that the parse omits.

A relative pronoun gives way to what it stands for, and the gap of a relative clause is filled; the
subject of a participle, an infinitive, a conjunct or a predicate without one is found above it; verbs
before *and* share the object after it; *some of the men* are men.

Edges are the parse's relations, normalized: passive subjects become objects and agents subjects,
prepositions are folded into relations, and what one conjunct depends on the others do too. The idea
is that of collapsed dependencies (de Marneffe, MacCartney and Manning 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ensue.language.analyzer import Sentence
from ensue.language.contexts.commitment import find_contexts
from ensue.language.graphs.graph import (
    Collocation,
    Graph,
    TokenGroup,
    grouped,
    is_title,
    possible_collocations,
)
from ensue.language.graphs.parse import (
    AMOUNTS,
    CONTROLLED_BY_SUBJECT,
    INTRANSITIVE,
    ORDINALS,
    QUANTITIES,
    RELATIVE_TAGS,
    STRANDED,
    TIMES,
    WHERE,
    WITH_OBJECT,
    WITH_SUBJECT,
    Parse,
    parse_of,
)
from ensue.language.lexicon.lexicon import Lexicon
from ensue.language.values.extraction import find_values

# The edges between nodes: the parse's relations, normalized.

_LONGEST_FOLD = 4
"""Words without a node that are looked at on the way to a governor; there are seldom two."""
_JOINED = frozenset(("conj", "appos"))
_MOST_SHARED = 4
_RENAMED = {
    "dative": "iobj",
    "csubj": "nsubj",
    "nsubjpass": "dobj",
    "csubjpass": "dobj",
    "conj": "",
}
"""Relations that have another name here, or one that depends on more."""

Hang = tuple[int, str]
"""The token on which something hangs, -1 for none, and by which relation."""


@dataclass(slots=True)
class EdgeList:
    """Edges as they are found: the tree first, then what is added."""

    nodes: Sequence[int]
    """The node of each token; -1 for tokens that are in none."""
    governors: list[int] = field(default_factory=list)
    dependents: list[int] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    known: set[tuple[int, int, str]] = field(default_factory=set)

    def add(self, governor: int, dependent: int, relation: str) -> int:
        """Lead an edge between the nodes of two tokens; its number, or -1 where there can be none."""
        source, target = self.nodes[governor], self.nodes[dependent]
        key = (source, target, relation)
        if source < 0 or target < 0 or source == target or key in self.known:
            return -1
        self.known.add(key)
        self.governors.append(source)
        self.dependents.append(target)
        self.relations.append(relation)
        return len(self.relations) - 1


def tree_of(parse: Parse, groups: Sequence[TokenGroup]) -> tuple[EdgeList, list[int], list[Hang]]:
    """The edges of the tree; for each node the number of the one by which it hangs, and that itself."""
    nodes = [-1] * len(parse.words)
    for number, group in enumerate(groups):
        for token in group.tokens:
            nodes[token] = number
    edges = EdgeList(nodes)
    above = _nearest_nodes(parse, nodes)
    hangs = [hang_of(parse, nodes, above, group.head) for group in groups]
    parents = [
        -1 if governor < 0 else edges.add(governor, group.head, relation)
        for group, (governor, relation) in zip(groups, hangs, strict=True)
    ]
    _cut_rings(parents, edges.governors)
    return edges, parents, hangs


def _nearest_nodes(parse: Parse, nodes: Sequence[int]) -> list[int]:
    """For each token the nearest token in a node, itself or above it; -1 for none."""
    above = [-1] * len(nodes)
    heads = parse.heads
    for token in parse.order:
        if nodes[token] >= 0:
            above[token] = token
        elif heads[token] >= 0:
            above[token] = above[heads[token]]
    return above


def _cut_rings(parents: list[int], governors: Sequence[int]) -> None:
    """Let a node that would hang on itself hang on none, as tokens that do not touch may make it."""
    walks = [-1] * len(parents)
    for walk in range(len(parents)):
        at = walk
        while walks[at] < 0:
            walks[at] = walk
            if parents[at] < 0:
                break
            above = governors[parents[at]]
            if walks[above] == walk:
                parents[at] = -1
                break
            at = above


def hang_of(parse: Parse, nodes: Sequence[int], above: Sequence[int], token: int) -> Hang:
    """The token on whose node a token hangs, and the normalized relation between them."""
    own, heads = nodes[token], parse.heads
    relation, head = relation_of(parse, token), heads[token]
    if head >= 0 and 0 <= nodes[head] != own:  # as of most
        return head, relation
    for _ in range(_LONGEST_FOLD):
        if head < 0 or (nodes[head] >= 0 and nodes[head] != own):
            return head, relation
        if nodes[head] < 0 or relation == "pobj":
            relation = folded(parse, head, relation)
            while parse.relations[head] == "conj" and heads[head] >= 0 and nodes[heads[head]] < 0:
                head = heads[head]  # "in Rome and in Paris"
        head = heads[head]
    while head >= 0 and (nodes[head] < 0 or nodes[head] == own):
        head = above[head] if nodes[head] < 0 else heads[head]
    return head, relation


def folded(parse: Parse, dropped: int, relation: str) -> str:
    """The relation through a word that is no node: a preposition gives its name."""
    kind = parse.relations[dropped]
    if relation.startswith("prep_") and kind in ("prep", "pcomp"):
        return f"prep_{parse.preposition(dropped)}_{relation[5:]}"
    if relation not in ("pobj", "pcomp"):
        return relation
    if kind == "agent":
        is_first = parse.child(parse.heads[dropped], "agent") == dropped
        return "nsubj" if is_first else "prep_by"
    if kind == "dative":
        return "iobj"
    return f"prep_{parse.preposition(dropped)}"


def relation_of(parse: Parse, token: int) -> str:
    """The normalized relation of a token to its head."""
    relation = parse.relations[token]
    if relation not in _RENAMED:
        return relation
    if relation == "conj":
        return f"conj_{parse.conjunctions[token]}"
    if relation in ("nsubjpass", "csubjpass"):
        return "iobj" if parse.has(parse.heads[token], "dobj") else "dobj"
    return _RENAMED[relation]


def add_shared(
    parse: Parse, groups: Sequence[TokenGroup], hangs: Sequence[Hang], edges: EdgeList
) -> None:
    """Let conjuncts and appositions depend on what the first of them depends on."""
    shared: dict[int, list[Hang]] = {}
    for token in parse.order:
        relation, head = parse.relations[token], parse.heads[token]
        if relation not in _JOINED or head < 0:
            continue
        node = edges.nodes[head]
        ways = shared.get(head, [])
        above = parse.relations[head]
        if node >= 0 and above != relation and not (relation == "appos" and above == "conj"):
            ways = [hangs[node], *ways][:_MOST_SHARED]
        shared[token] = ways
        own = edges.nodes[token]
        if own < 0 or groups[own].head != token or groups[own].value is not None:
            continue
        for governor, way in ways:
            if governor >= 0:
                edges.add(governor, token, way)


def add_titles(parse: Parse, groups: Sequence[TokenGroup], edges: EdgeList) -> None:
    """Say of a person what the title says."""
    for title, person in pairwise(groups):
        if person.kind == "PERSON" and is_title(parse, title, person):
            edges.add(person.head, title.head, "appos")


# Who does what where the parse does not say so: the missing roles of verbs.

_SUBJECTS = ("csubjpass", "csubj", "nsubjpass", "nsubj")
"""The most usual last, since it is the one that is kept."""
_NO_RELATIVES = frozenset(("what", "how", "whatever", "whoever"))
_TIME_KINDS = frozenset(("B-DATE", "I-DATE", "B-TIME", "I-TIME"))
_FURTHEST_VERB = 5
"""Tokens from a verb to the one whose object it shares."""
_BETWEEN_VERBS = frozenset(("cc", "punct", "advmod", "neg", "aux"))
_NONE: dict[int, int] = {}


class Roles:
    """Finds the missing roles, heads before what depends on them."""

    def __init__(
        self, parse: Parse, groups: Sequence[TokenGroup], hangs: Sequence[Hang], edges: EdgeList
    ) -> None:
        self.parse = parse
        self.groups = groups
        self.hangs = hangs
        self.edges = edges
        n = len(parse.words)
        self.subjects = [-1] * n
        """The subject of each predicate, of its clause or found above it; of passives, what stands there."""
        self.passive = [False] * n
        self.antecedents: dict[int, int] = {}
        """What each relative pronoun stands for."""
        self.resolved: set[int] = set()
        """Relative clauses with a pronoun."""

    def add_all(self) -> None:
        """Add every edge that is missing."""
        if "relcl" in self.parse.first:
            self._resolve_pronouns()
        self._read_clauses()
        relations, heads = self.parse.relations, self.parse.heads
        for token in self.parse.order:
            find = _FINDERS.get(relations[token])
            if find is not None and heads[token] >= 0:
                find(self, token, heads[token])
        if "conj" in self.parse.first:
            self._share_objects()
        self._add_places()
        self._add_wholes()

    def _read_clauses(self) -> None:
        """The subjects that the parse gives, and the passives by their auxiliaries."""
        first = self.parse.first
        for relation in _SUBJECTS:
            for verb, subject in first.get(relation, _NONE).items():
                self.subjects[verb] = self.antecedents.get(subject, subject)
        for verb in first.get("auxpass", _NONE):
            self.passive[verb] = True

    def _is_bare_participle(self, verb: int) -> bool:
        return self.parse.tags[verb] == "VBN" and not self.parse.has(verb, "aux")

    def _give_subject(self, token: int, subject: int) -> None:
        """Let a predicate without a subject have one."""
        if subject >= 0 and self.subjects[token] < 0 and subject != token:
            self.subjects[token] = subject
            self.edges.add(token, subject, "dobj" if self.passive[token] else "nsubj")

    # Relative clauses

    def _resolve_pronouns(self) -> None:
        """Put the noun of a relative clause where the first relative pronoun in it stands."""
        parse, clauses = self.parse, [-1] * len(self.parse.words)
        for token in parse.order:
            head = parse.heads[token]
            if head >= 0:
                clauses[token] = token if parse.relations[token] == "relcl" else clauses[head]
        for token, tag in enumerate(parse.tags):
            clause = clauses[token]
            if clause < 0 or clause in self.resolved or not self._is_relative(token, tag):
                continue
            noun = parse.heads[clause]
            if noun < token:
                self.resolved.add(clause)
                self.antecedents[token] = noun
                self._add_antecedent(token, noun)

    def _is_relative(self, token: int, tag: str) -> bool:
        word = self.parse.words[token]
        if tag in RELATIVE_TAGS:
            return word not in _NO_RELATIVES and self.parse.relations[token] != "det"
        return word == "that" and self.parse.relations[token] in ("nsubj", "nsubjpass", "dobj")

    def _add_antecedent(self, token: int, noun: int) -> None:
        parse = self.parse
        if parse.relations[token] == "advmod":
            relation = WHERE.get(parse.words[token])
            if relation is not None:
                self.edges.add(parse.heads[token], noun, relation)
            return
        governor, relation = hang_of(parse, self.edges.nodes, parse.heads, token)
        if governor >= 0:
            self.edges.add(governor, noun, relation)

    def _in_relative_clause(self, verb: int, noun: int) -> None:
        """Fill the gap of a relative clause without a pronoun."""
        parse = self.parse
        if verb in self.resolved:
            return
        if self.subjects[verb] < 0:
            if not self._is_infinitive(verb) or self._is_ordinal(noun):
                self._give_subject(verb, noun)
            return
        for token in parse.children.get(verb, ()):
            if parse.words[token] in STRANDED and token not in parse.children:
                self.edges.add(verb, noun, folded(parse, token, "pobj"))
                return
        if parse.lemmas[noun] in TIMES:
            self.edges.add(verb, noun, "npadvmod")
            return
        while (inner := parse.child(verb, "xcomp")) >= 0:
            verb = inner
        if parse.child(verb, "dobj", "ccomp") < 0 and verb not in parse.copulas:
            self.edges.add(verb, noun, "dobj")

    def _is_infinitive(self, verb: int) -> bool:
        auxiliary = self.parse.child(verb, "aux")
        return auxiliary >= 0 and self.parse.tags[auxiliary] == "TO"

    def _is_ordinal(self, noun: int) -> bool:
        """Whether something is the first of its kind, or the only one."""
        lemmas, children = self.parse.lemmas, self.parse.children.get(noun, ())
        return lemmas[noun] in ORDINALS or any(lemmas[each] in ORDINALS for each in children)

    # Participles, infinitives, conjuncts and predicates

    def _in_noun_phrase(self, verb: int, noun: int) -> None:
        tag = self.parse.tags[verb]
        self.passive[verb] |= self._is_bare_participle(verb)
        if tag in ("VBN", "VBG") or (self._is_infinitive(verb) and self._is_ordinal(noun)):
            self._give_subject(verb, noun)

    def _in_adverbial(self, verb: int, matrix: int) -> None:
        """*Founded in 1990, the firm grew*; *he went there to see it*."""
        tag = self.parse.tags[verb]
        self.passive[verb] |= self._is_bare_participle(verb)
        infinitive = self._is_infinitive(verb) and not self.passive[matrix]
        if (tag in ("VBN", "VBG") or infinitive) and not self.parse.has(verb, "mark"):
            self._give_subject(verb, self.subjects[matrix])

    def _after_preposition(self, verb: int, preposition: int) -> None:
        """*After eating, he slept*; *she kept him from leaving*."""
        parse, matrix = self.parse, self.parse.heads[preposition]
        if matrix < 0 or parse.tags[verb] != "VBG":
            return
        word = parse.words[preposition]
        if word in WITH_SUBJECT and not self.passive[matrix]:
            self._give_subject(verb, self.subjects[matrix])
        elif word in WITH_OBJECT:
            controller = parse.child(matrix, "dobj", "nsubjpass")
            self._give_subject(verb, self.antecedents.get(controller, controller))

    def _as_complement(self, verb: int, matrix: int) -> None:
        """The subject of an infinitive: the object of the verb above it, else its subject."""
        lemma = self.parse.lemmas[matrix]
        if lemma == "be":  # "the plan is to win"
            return
        controller = self.parse.child(matrix, "dobj")
        if controller < 0 or lemma in CONTROLLED_BY_SUBJECT or self._is_time(controller):
            controller = self.subjects[matrix]
        self._give_subject(verb, self.antecedents.get(controller, controller))

    def _is_time(self, token: int) -> bool:
        return self.parse.sentence.entities[token] in _TIME_KINDS

    def _as_predicate(self, predicate: int, verb: int) -> None:
        """*She became a doctor*, *they elected him president*: what somebody is said to be."""
        subject = self.subjects[verb]
        if self.parse.relations[predicate] == "oprd":
            subject = self.parse.first.get("dobj", _NONE).get(verb, subject)
        self._give_subject(predicate, self.antecedents.get(subject, subject))

    def _as_conjunct(self, token: int, first: int) -> None:
        """Give a conjunct without a subject that of the one before it."""
        self.passive[token] |= self.passive[first] and self._is_bare_participle(token)
        self._give_subject(token, self.subjects[first])

    def _as_apposition(self, token: int, first: int) -> None:
        """Say of the subject what stands beside its predicate."""
        if first in self.parse.copulas:
            self._give_subject(token, self.subjects[first])

    # Objects, places and parts

    def _share_objects(self) -> None:
        """*She bought and sold the house*: the object of the last verb is that of those before it."""
        parse = self.parse
        objects = dict(parse.first.get("dobj", _NONE))
        for token in reversed(parse.order):
            first = parse.heads[token]
            if parse.relations[token] != "conj" or token not in objects or first in objects:
                continue
            if first >= 0 and self._lacks_object(first, token):
                objects[first] = objects[token]
                self.edges.add(first, objects[token], "dobj")

    def _lacks_object(self, verb: int, other: int) -> bool:
        """Whether nothing but a conjunction stands between a verb and one with an object."""
        parse = self.parse
        return (
            verb < other <= verb + _FURTHEST_VERB
            and parse.tags[verb] == parse.tags[other]
            and parse.parts[verb] == "VERB"
            and parse.lemmas[verb] not in INTRANSITIVE
            and not self.passive[verb]
            and not parse.has(verb, "prt")
            and all(parse.relations[each] in _BETWEEN_VERBS for each in range(verb + 1, other))
        )

    def _add_places(self) -> None:
        """*Mary is in Paris*: what the subject of *be* is in, it is in."""
        lemmas, subjects = self.parse.lemmas, self.subjects
        for group, (governor, relation) in zip(self.groups, self.hangs, strict=True):
            if governor >= 0 and lemmas[governor] == "be" and relation.startswith("prep_"):
                self._add_from(subjects[governor], group.head, relation)

    def _add_from(self, governor: int, dependent: int, relation: str) -> None:
        if governor >= 0:
            self.edges.add(governor, dependent, relation)

    def _add_wholes(self) -> None:
        """*Some of the men left*: men did."""
        parse = self.parse
        for head, token in parse.first.get("prep", _NONE).items():
            node = self.edges.nodes[head]
            if parse.words[token] != "of" or node < 0 or not self._is_part(self.groups[node]):
                continue
            whole = parse.child(token, "pobj")
            governor, relation = self.hangs[node]
            if whole >= 0 and governor >= 0:
                self.edges.add(governor, self.antecedents.get(whole, whole), relation)

    def _is_part(self, group: TokenGroup) -> bool:
        if group.value is not None or group.lemma in QUANTITIES:
            return True
        determiner = self.parse.child(group.head, "det")
        return group.lemma in AMOUNTS and determiner >= 0 and self.parse.words[determiner] == "a"


_FINDERS = {
    "relcl": Roles._in_relative_clause,
    "acl": Roles._in_noun_phrase,
    "advcl": Roles._in_adverbial,
    "pcomp": Roles._after_preposition,
    "xcomp": Roles._as_complement,
    "attr": Roles._as_predicate,
    "acomp": Roles._as_predicate,
    "oprd": Roles._as_predicate,
    "conj": Roles._as_conjunct,
    "appos": Roles._as_apposition,
}
"""What finds the missing subject of a token, by its relation."""


# From analyzed sentences to graphs of their content words.


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
