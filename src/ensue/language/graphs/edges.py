"""The edges between nodes: the parse's relations, normalized.

Passive subjects become objects and agents subjects, prepositions are folded into relations, and
what one conjunct depends on the others do too; what the parse does not say is in `roles`. The idea is
that of collapsed dependencies (de Marneffe, MacCartney and Manning 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ensue.language.graphs.nodes import TokenGroup, is_title
from ensue.language.graphs.parse import Parse

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
