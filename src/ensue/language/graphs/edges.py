"""The edges between nodes: the parse's relations, normalized.

Passive subjects become objects and agents subjects, prepositions are folded into relations, relative
pronouns give way to what they stand for, what one conjunct depends on the others do too, an
apposition takes part where its noun does, and the subject of an infinitive is found. The idea is
that of collapsed dependencies (de Marneffe, MacCartney and Manning 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ensue.language.analysis import Sentence
from ensue.language.graphs.nodes import Group, is_copula, predicate_of

_PREPOSITIONS = frozenset(("prep", "agent", "dative"))
_ANY_SUBJECT = ("nsubj", "nsubjpass", "csubj", "csubjpass")
_RELATIVE_TAGS = frozenset(("WDT", "WP", "WP$", "WRB"))
_MOVED = frozenset(("attr", "acomp"))


@dataclass(slots=True)
class Edges:
    """Edges as they are found: the tree first, then what is added."""

    nodes: Sequence[int]
    """The node of each token; -1 for tokens that are in none."""
    governors: list[int] = field(default_factory=list)
    dependents: list[int] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    known: set[tuple[int, int, str]] = field(default_factory=set)

    def add(self, governor: int, dependent: int, relation: str) -> int:
        """Lead an edge between the nodes of two tokens; its number, or -1 where there can be none."""
        return self.add_between(self.nodes[governor], self.nodes[dependent], relation)

    def add_between(self, source: int, target: int, relation: str) -> int:
        """Lead an edge between two nodes; its number, or -1 where there can be none."""
        key = (source, target, relation)
        if source < 0 or target < 0 or source == target or key in self.known:
            return -1
        self.known.add(key)
        self.governors.append(source)
        self.dependents.append(target)
        self.relations.append(relation)
        return len(self.relations) - 1

    def dependent_of(self, source: int, relation: str) -> int:
        """The first node to which a relation leads from a node; -1 where there is none."""
        for governor, dependent, each in zip(
            self.governors, self.dependents, self.relations, strict=True
        ):
            if governor == source and each == relation:
                return dependent
        return -1


@dataclass(frozen=True, slots=True)
class Parse:
    """A parse in which every copula has given its place to what it says of its subject."""

    sentence: Sentence
    heads: list[int]
    relations: list[str]
    children: list[list[int]]
    copulas: dict[int, int]
    """The copula of each predicate that is not a verb."""

    def child(self, token: int, *relations: str) -> int:
        """The first dependent by one of these relations; -1 where there is none."""
        for each in self.children[token]:
            if self.relations[each] in relations:
                return each
        return -1


def parse_of(sentence: Sentence) -> Parse:
    """The parse of a sentence with the copulas turned round."""
    heads, relations = sentence.heads.tolist(), list(sentence.relations)
    copulas = {}
    for token in range(len(sentence)):
        if is_copula(sentence, token):
            predicate = predicate_of(sentence, heads, token)
            if predicate >= 0:
                _turn_round(token, predicate, heads, relations)
                copulas[predicate] = token
    children: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads):
        if head >= 0:
            children[head].append(token)
    return Parse(sentence, heads, relations, children, copulas)


def _turn_round(copula: int, predicate: int, heads: list[int], relations: list[str]) -> None:
    heads[predicate], relations[predicate] = heads[copula], relations[copula]
    for token, head in enumerate(heads):
        if head == copula and token != predicate:
            heads[token] = predicate
            if relations[token] in _MOVED:
                relations[token] = "dep"
    heads[copula], relations[copula] = predicate, "cop"


def edges_of(parse: Parse, groups: Sequence[Group]) -> tuple[Edges, list[int]]:
    """All edges, and for each node the number of the one by which it hangs in the tree."""
    nodes = [-1] * len(parse.sentence)
    for number, group in enumerate(groups):
        for token in group.tokens:
            nodes[token] = number
    edges = Edges(nodes)
    hangs = [_governor(parse, nodes, group) for group in groups]
    parents = [
        -1 if governor < 0 else edges.add(governor, group.head, relation)
        for group, (governor, relation) in zip(groups, hangs, strict=True)
    ]
    _cut_rings(parents, edges.governors)
    _add_shared(parse, groups, hangs, edges)
    for group in groups:
        _add_missing_roles(parse, group.head, edges)
    return edges, parents


def _cut_rings(parents: list[int], governors: Sequence[int]) -> None:
    """Let a node that would hang on itself hang on none, as tokens that do not touch may make it."""
    safe = [False] * len(parents)
    for node in range(len(parents)):
        way: list[int] = []
        at = node
        while not safe[at]:
            safe[at] = True
            way.append(at)
            if parents[at] < 0:
                break
            above = governors[parents[at]]
            if above in way:
                parents[at] = -1
                break
            at = above


def _governor(parse: Parse, nodes: Sequence[int], group: Group) -> tuple[int, str]:
    """The token on whose node a node hangs, -1 for none, and the relation between them."""
    token, own = group.head, nodes[group.head]
    relation = relation_of(parse, token)
    head = parse.heads[token]
    while head >= 0 and (nodes[head] < 0 or nodes[head] == own):
        if nodes[head] < 0:
            relation = _folded(parse, head, relation)
        head = parse.heads[head]
    return head, relation


def _folded(parse: Parse, dropped: int, relation: str) -> str:
    """The relation through a word that is no node: a preposition gives its name."""
    kind = parse.relations[dropped]
    if relation.startswith("prep_") and kind in ("prep", "pcomp"):
        return f"prep_{parse.sentence.lemmas[dropped].lower()}_{relation[5:]}"
    if relation not in ("pobj", "pcomp"):
        return relation
    if kind == "agent":
        return "nsubj"
    if kind == "dative":
        return "iobj"
    return f"prep_{parse.sentence.lemmas[dropped].lower()}"


def relation_of(parse: Parse, token: int) -> str:
    """The normalized relation of a token to its head."""
    relation = parse.relations[token]
    if relation in ("nsubjpass", "csubjpass"):
        head = parse.heads[token]
        return "iobj" if head >= 0 and parse.child(head, "dobj") >= 0 else "dobj"
    if relation == "dative":
        return "iobj"
    if relation == "csubj":
        return "nsubj"
    if relation == "conj":
        return f"conj_{_conjunction(parse, token)}"
    return relation


def _conjunction(parse: Parse, token: int) -> str:
    """The word that joins a conjunct with the one before it: *and*, or what stands further on."""
    last = token
    while last >= 0:
        head = parse.heads[last]
        if head < 0:
            break
        word = parse.child(head, "cc")
        if word >= 0:
            return parse.sentence.lemmas[word].lower()
        last = parse.child(last, "conj")
    return "and"


def _add_shared(
    parse: Parse, groups: Sequence[Group], hangs: Sequence[tuple[int, str]], edges: Edges
) -> None:
    """Let conjuncts and appositions depend on what the first of them depends on."""
    by_node = {edges.nodes[group.head]: i for i, group in enumerate(groups)}
    for group in groups:
        relation = parse.relations[group.head]
        if relation not in ("conj", "appos"):
            continue
        first = parse.heads[group.head]
        while first >= 0 and parse.relations[first] == relation:
            first = parse.heads[first]
        if first < 0 or edges.nodes[first] < 0:
            continue
        governor, shared = hangs[by_node[edges.nodes[first]]]
        if governor >= 0 and group.value is None:
            edges.add(governor, group.head, shared)
        if relation == "conj":
            _share_subject(parse, group.head, edges)


def _share_subject(parse: Parse, token: int, edges: Edges) -> None:
    """Give a conjunct without a subject that of the nearest conjunct before it that has one."""
    first = token
    while (subject := parse.child(first, *_ANY_SUBJECT)) < 0 and parse.relations[first] == "conj":
        first = parse.heads[first]
    if subject >= 0 and first != token:
        passive = parse.child(token, "auxpass") >= 0
        edges.add(token, _antecedent(parse, subject), "dobj" if passive else "nsubj")


def _antecedent(parse: Parse, token: int) -> int:
    """What a relative pronoun stands for; itself for any other token."""
    if parse.sentence.tags[token] not in _RELATIVE_TAGS and parse.sentence.lemmas[token] != "that":
        return token
    at = parse.heads[token]
    while at >= 0:
        if parse.relations[at] == "relcl":
            return parse.heads[at]
        at = parse.heads[at]
    return token


def _add_missing_roles(parse: Parse, token: int, edges: Edges) -> None:
    relation, head = parse.relations[token], parse.heads[token]
    if head < 0:
        return
    if relation == "relcl":
        _add_relative_role(parse, token, head, edges)
    elif relation == "acl":
        tag = parse.sentence.tags[token]
        if tag == "VBN":
            edges.add(token, head, "dobj")
        elif tag == "VBG":
            edges.add(token, head, "nsubj")
    elif relation == "xcomp" and parse.child(token, "nsubj", "nsubjpass") < 0:
        _add_controller(parse, token, head, edges)


def _add_relative_role(parse: Parse, verb: int, noun: int, edges: Edges) -> None:
    """Put the noun of a relative clause where its pronoun, or its gap, stands."""
    for token in parse.children[verb]:
        if parse.relations[token] in _PREPOSITIONS:
            inside = parse.child(token, "pobj")
            if inside >= 0 and parse.sentence.tags[inside] in _RELATIVE_TAGS:
                edges.add(verb, noun, _folded(parse, token, "pobj"))
                return
        elif parse.sentence.tags[token] in _RELATIVE_TAGS:
            tag, relation = parse.sentence.tags[token], relation_of(parse, token)
            edges.add(verb, noun, relation if tag != "WRB" else "advmod")
            return
        elif (whose := parse.child(token, "poss")) >= 0 and parse.sentence.tags[whose] == "WP$":
            edges.add(token, noun, "poss")
            return
    if parse.child(verb, "nsubj", "nsubjpass") < 0:
        edges.add(verb, noun, "dobj" if parse.child(verb, "auxpass") >= 0 else "nsubj")
    elif parse.child(verb, "dobj", "ccomp", "xcomp") < 0:
        edges.add(verb, noun, "dobj")


def _add_controller(parse: Parse, verb: int, matrix: int, edges: Edges) -> None:
    """The subject of an infinitive: the object of the verb above it, else its subject."""
    role = "dobj" if parse.child(verb, "auxpass") >= 0 else "nsubj"
    for relation in ("dobj", "nsubjpass", "nsubj"):
        controller = parse.child(matrix, relation)
        if controller >= 0:
            edges.add(verb, _antecedent(parse, controller), role)
            return
    shared = edges.dependent_of(edges.nodes[matrix], "nsubj")
    if shared >= 0:
        edges.add_between(edges.nodes[verb], shared, role)
