"""Trees of texts and hypotheses, what edits between them cost, and the cheapest ones.

A text has the trees of its sentences and, beside them, the trees that operations of syntax make of
parts of them: appositions and modifiers said as clauses, relative clauses and conjuncts with their
arguments, nominalizations as the clauses that they name. Passives are read as actives, but marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag, StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.alignment import (
    AlignmentSettings,
    Match,
    TreePair,
    edit_targets,
    first_leaves,
    match_nodes,
    same_roles,
)
from ensue.errors import SettingError
from ensue.features import shared_rarities
from ensue.language.contexts import Commitment
from ensue.language.graphs import Graph, Sort
from ensue.language.lexicon import Lexicon
from ensue.logic.rewriting import normalize

Reals = NDArray[np.float64]

# The trees of a text: as it is parsed, and as operations of syntax make others of it.


class Operation(IntFlag):
    """What a node's tree underwent, or what its clause is: to lose or gain one costs something."""

    VOICE = 1
    """The clause is passive."""
    NEGATION = 2
    """The clause is said not to hold."""
    OPENNESS = 4
    """The author does not say whether the clause holds: *may*, *he said that*, *if*."""
    APPOSITION = 8
    """*Ada, the owner*: Ada is the owner."""
    MODIFIER = 16
    """*a red house*: the house is red."""
    RELATIVE = 32
    """*the house that Ada sold*: Ada sold the house."""
    COORDINATION = 64
    """*Ada came and left*: Ada left; and other subjects that clauses have elsewhere."""
    NOMINALIZATION = 128
    """*the destruction of the city*: the city was destroyed."""
    POSSESSION = 256
    """*Ada's house*: Ada has a house."""


OPERATIONS = tuple(Operation)
_RELATIVES = frozenset(("relcl", "acl"))
_POSSESSING = frozenset(("have", "own", "possess"))
_ARGUMENTS = frozenset(("poss", "prep_of", "prep_by"))
_RANKS = {"nsubj": 0, "dobj": 1, "iobj": 2}
_LONGEST = 400
"""Nodes and tokens of a text beyond which its trees are left as they are."""
_ROOT = "root"


@dataclass(frozen=True, slots=True)
class EditForest:
    """Trees over the nodes of a graph, one after the other; each in postorder."""

    nodes: tuple[int, ...]
    """The graph's node of each node; one may be in several trees."""
    parents: tuple[int, ...]
    relations: tuple[str, ...]
    operations: tuple[int, ...]
    """Flags of `Operation`."""

    @property
    def roots(self) -> list[int]:
        """The roots of its trees."""
        return [node for node, parent in enumerate(self.parents) if parent < 0]


Branches = Mapping[int, Sequence[tuple[int, str]]]
"""For each node the nodes below it, with their relations."""


class ForestBuilder:
    """Puts the trees of a graph together."""

    def __init__(self, graph: Graph, *, written: bool) -> None:
        """Build trees whose branches are in the order of the words, or in that of their roles."""
        self.graph = graph
        self._written = written
        self._states = [_state(graph, node) for node in range(len(graph))]
        self._nodes: list[int] = []
        self._parents: list[int] = []
        self._relations: list[str] = []
        self._operations: list[int] = []
        self.branches: dict[int, list[tuple[int, str]]] = {}
        for node, edge in enumerate(graph.parents.tolist()):
            if edge >= 0:
                governor = int(graph.governors[edge])
                self.branches.setdefault(governor, []).append((node, graph.relations[edge]))

    def add(
        self, root: int, branches: Sequence[tuple[int, str]] | None = None, operation: int = 0
    ) -> None:
        """Add the tree under a node, which may have other branches than in the graph's tree.

        Args:
            root: The node.
            branches: What is below it; what it has in the graph's tree where this is None.
            operation: By which the tree comes about.
        """
        own = self.branches.get(root, ()) if branches is None else branches
        order: list[tuple[int, int, str]] = []
        seen = {root}
        stack = [(root, -1, _ROOT)]
        while stack:  # each node before its branches, the last of these first: postorder, reversed
            node, parent, relation = stack.pop()
            place = len(order)
            order.append((node, parent, relation))
            below = own if node == root else self.branches.get(node, ())
            for child, of in self._in_order(below):
                if child not in seen:
                    seen.add(child)
                    stack.append((child, place, of))
        start, last = len(self._nodes), len(order) - 1
        for node, parent, relation in reversed(order):
            self._nodes.append(node)
            self._parents.append(start + last - parent if parent >= 0 else -1)
            self._relations.append(relation)
            self._operations.append(self._states[node] ^ (operation if node == root else 0))

    def forest(self) -> EditForest:
        """All trees."""
        return EditForest(
            tuple(self._nodes),
            tuple(self._parents),
            tuple(self._relations),
            tuple(self._operations),
        )

    def _in_order(self, branches: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
        if self._written:
            return sorted(branches)
        return sorted(branches, key=lambda each: (_RANKS.get(each[1], 3), each[1], each[0]))


def _state(graph: Graph, node: int) -> int:
    """Whether a node is a predicate in the passive voice, denied, or left open."""
    token = graph.copulas[node] if graph.copulas[node] >= 0 else graph.heads[node]
    if graph.sorts[node] is not Sort.VERB and graph.copulas[node] < 0:
        return 0
    said = graph.contexts.commitments[token]
    flags = 0
    if said is Commitment.OPEN:
        flags |= Operation.OPENNESS
        flags |= 0 if graph.contexts.polarity[token] else Operation.NEGATION
    elif said is Commitment.FALSE:
        flags |= Operation.NEGATION
    relations = graph.sentence.relations
    heads = graph.sentence.heads
    passive = any(
        int(heads[each]) == token and relations[each] in ("auxpass", "nsubjpass")
        for each in range(max(0, token - 12), min(len(heads), token + 2))
    )
    return flags | (Operation.VOICE if passive else 0)


def text_forest(
    graph: Graph, *, lexicon: Lexicon, operations: bool = True, written: bool = False
) -> EditForest:
    """The trees of a text's sentences, and those that operations make of parts of them."""
    builder = ForestBuilder(graph, written=written)
    for root in graph.roots:
        builder.add(root)
    if operations and len(graph.sentence) <= _LONGEST:
        for root, branches, operation in _derived(graph, builder.branches, lexicon):
            builder.add(root, branches, operation)
    return builder.forest()


def hypothesis_forests(graph: Graph, *, written: bool = False) -> list[EditForest]:
    """The trees of a hypothesis; where it says that somebody has something, also without *have*."""
    builder = ForestBuilder(graph, written=written)
    for root in graph.roots:
        builder.add(root)
    forests = [builder.forest()]
    for root in graph.roots:
        owner, thing = _possession(graph, builder.branches, root)
        if thing >= 0:
            other = ForestBuilder(graph, written=written)
            for each in graph.roots:
                if each == root:
                    branches = [*builder.branches.get(thing, ()), (owner, "poss")]
                    other.add(thing, branches, Operation.POSSESSION)
                else:
                    other.add(each)
            forests.append(other.forest())
    return forests


def _possession(graph: Graph, branches: Branches, verb: int) -> tuple[int, int]:
    """Who has what, where a clause says no more than that; -1 and -1 where it does not."""
    below = branches.get(verb, ())
    if graph.lemmas[verb] in _POSSESSING and [of for _, of in below] == ["nsubj", "dobj"]:
        return below[0][0], below[1][0]
    return -1, -1


def _derived(
    graph: Graph, branches: Branches, lexicon: Lexicon
) -> Iterator[tuple[int, list[tuple[int, str]], int]]:
    """Roots and branches of trees that the text's trees do not have as they are."""
    below: dict[int, list[tuple[int, str]]] = {}
    edges = zip(graph.governors.tolist(), graph.dependents.tolist(), graph.relations, strict=True)
    own = graph.parents.tolist()
    shared = set()
    for edge, (governor, dependent, relation) in enumerate(edges):
        below.setdefault(governor, []).append((dependent, relation))
        if own[dependent] != edge:
            shared.add(governor)
        others = [each for each in branches.get(governor, ()) if each[0] != dependent]
        if relation == "appos":
            yield (
                dependent,
                [*branches.get(dependent, ()), (governor, "nsubj")],
                Operation.APPOSITION,
            )
            yield governor, [*others, (dependent, "nsubj")], Operation.APPOSITION
        elif relation == "amod":
            yield dependent, [*branches.get(dependent, ()), (governor, "nsubj")], Operation.MODIFIER
    for root in sorted(shared):
        edge = own[root]
        is_relative = edge >= 0 and graph.relations[edge] in _RELATIVES
        yield root, below[root], Operation.RELATIVE if is_relative else Operation.COORDINATION
    yield from _nominal(graph, branches, lexicon)


def _nominal(
    graph: Graph, branches: Branches, lexicon: Lexicon
) -> Iterator[tuple[int, list[tuple[int, str]], int]]:
    """Nouns that name an event, with what the rewriting of `logic` takes for its roles."""
    nouns = [
        node
        for node, sort in enumerate(graph.sorts)
        if sort is Sort.NOUN
        and any(of in _ARGUMENTS for _, of in branches.get(node, ()))
        and lexicon.event_verbs(graph.lemmas[node])
    ]
    if not nouns:
        return
    normalized = normalize(graph.sentence, lexicon=lexicon)
    node_of = graph.node_of().tolist()
    for node in nouns:
        links = normalized.links[graph.heads[node]]
        roles = {node_of[token]: relation for relation, token in links if node_of[token] >= 0}
        found = [
            (child, {"agent": "nsubj", "patient": "dobj"}.get(roles.get(child, ""), of))
            for child, of in branches[node]
        ]
        if found != branches[node]:
            yield node, found, Operation.NOMINALIZATION


# What edits cost: hand-set, or learned from gold pairs.


class CostSource(StrEnum):
    """Where the costs of edits come from."""

    SET = "set"
    LEARNED = "learned"


SORTS = tuple(Sort)
MATCHES = tuple(match for match in Match if match not in (Match.SAME, Match.NONE))
COST_NAMES = (
    "delete",
    *(f"insert.{sort.value}" for sort in SORTS),
    *(f"replace.{match.value}" for match in MATCHES),
    "move",
    "relation",
    *(f"operation.{operation.name.lower()}" for operation in OPERATIONS if operation.name),
)
"""What each edit is called, in the order of the numbers of `TreeEditScorer.costs`."""
_PLACE = {name: number for number, name in enumerate(COST_NAMES)}
_SORT_PLACES = {sort: _PLACE[f"insert.{sort.value}"] for sort in SORTS}
_MATCH_PLACES = {match: _PLACE[f"replace.{match.value}"] for match in MATCHES}
_FIRST_OPERATION = len(COST_NAMES) - len(OPERATIONS)


@dataclass(frozen=True, slots=True)
class TreeEditSettings:
    """What is compared with what, and what edits cost."""

    costs: CostSource = CostSource.SET
    """Hand-set, or learned from the pairs trained on."""
    delete: float = 0.02
    """What a word of the text costs that has to go, by its weight."""
    move: float = 0.3
    """What a word costs that the text has, but nowhere near the others."""
    relation: float = 0.3
    """What a word costs that depends on another in another role."""
    operation: float = 0.1
    """What an operation of syntax costs."""
    negation: float = 1.0
    """What a clause costs that is denied, or left open, on one side alone."""
    subtrees: bool = True
    """Whether the hypothesis may match a part of a sentence; else whole sentences."""
    operations: bool = True
    """Whether operations of syntax make other trees of the text."""
    written: bool = False
    """Whether branches are in the order of the words, not in that of their roles."""
    weights: bool = True
    """Whether words count by how rare they are."""

    def __post_init__(self) -> None:
        for name in ("delete", "move", "relation", "operation", "negation"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise SettingError(
                    "setting-cannot", f"setting {name!r} cannot be {value}", hint="from 0 to 1"
                )


def costs_by_hand(chosen: TreeEditSettings) -> Reals:
    """A word inserted costs its weight, one replaced what it is unlike; the rest is set."""
    costs = np.ones(len(COST_NAMES))
    costs[_FIRST_OPERATION:] = chosen.operation
    for state in (Operation.NEGATION, Operation.OPENNESS):
        costs[_FIRST_OPERATION + OPERATIONS.index(state)] = chosen.negation
    for name in ("delete", "move", "relation"):
        costs[_PLACE[name]] = getattr(chosen, name)
    return costs


# Two graphs as trees with what the edits between them cost.


@dataclass(frozen=True, slots=True, eq=False)
class TreeComparison:
    """A text's trees and a hypothesis's, with all that the costs of edits rest on."""

    text: EditForest
    hypothesis: EditForest
    text_weights: Reals
    """Of the nodes of the text's graph."""
    hypothesis_weights: Reals
    text_sorts: NDArray[np.int64]
    """Places of the costs of inserting nodes like these."""
    hypothesis_sorts: NDArray[np.int64]
    kinds: NDArray[np.int64]
    """For each two nodes the place of the cost of a replacement; -1 for the same, -2 for none."""
    unlike: Reals
    """For each two nodes how unlike they are, from 0 to 1."""
    other_role: NDArray[np.bool_]
    """For each two nodes whether they have different roles."""
    operations: NDArray[np.int64]
    """For each two nodes the flags of operations that one of them underwent."""
    elsewhere: Reals
    """For each node of the hypothesis how like the most like one of the text is, wherever."""

    def priced(self, costs: Reals) -> TreePair:
        """The trees with what each edit costs."""
        weights = self.hypothesis_weights
        replaced = np.where(self.kinds >= 0, costs[self.kinds], 0.0) * self.unlike
        replaced = replaced + costs[_PLACE["relation"]] * self.other_role
        for number in range(len(OPERATIONS)):
            has = (self.operations >> number & 1).astype(float)
            replaced = replaced + costs[_FIRST_OPERATION + number] * has
        replaced = replaced * weights
        replaced[self.kinds == _NO_MATCH] = np.inf
        return TreePair(
            first_leaves(self.text.parents),
            first_leaves(self.hypothesis.parents),
            costs[_PLACE["delete"]] * self.text_weights,
            weights
            * (
                costs[self.hypothesis_sorts] * (1 - self.elsewhere)
                + costs[_PLACE["move"]] * self.elsewhere
            ),
            replaced,
        )

    def edits(self, targets: Mapping[int, int], part: range) -> Reals:
        """How much of each edit there is, in weights of words: its sum by the costs is the cost.

        Args:
            targets: For each node of a tree of the hypothesis the text's node in its place, or -1.
            part: The text's nodes that are edited.
        """
        amounts = np.zeros(len(COST_NAMES))
        gone = sorted(set(part) - set(targets.values()))
        amounts[_PLACE["delete"]] += self.text_weights[gone].sum()
        for node, target in targets.items():
            weight = self.hypothesis_weights[node]
            if target < 0:
                elsewhere = self.elsewhere[node]
                amounts[self.hypothesis_sorts[node]] += weight * (1 - elsewhere)
                amounts[_PLACE["move"]] += weight * elsewhere
                continue
            if self.kinds[target, node] >= 0:
                amounts[self.kinds[target, node]] += weight * self.unlike[target, node]
            amounts[_PLACE["relation"]] += weight * self.other_role[target, node]
            for number in range(len(OPERATIONS)):
                if self.operations[target, node] >> number & 1:
                    amounts[_FIRST_OPERATION + number] += weight
        return amounts


_SAME, _NO_MATCH = -1, -2
_UNPRICED = {Match.SAME: _SAME, Match.NONE: _NO_MATCH}
_KINDS = np.array([(_UNPRICED | _MATCH_PLACES)[match] for match in Match])


Forms = Sequence[TreeComparison]
"""A text's trees beside a hypothesis's, in each form that this has."""


@dataclass(frozen=True, slots=True, eq=False)
class EditScript:
    """The cheapest edits from a part of a text to a hypothesis."""

    compared: TreeComparison
    targets: tuple[int, ...]
    """For each node of the hypothesis's forest the text's node in its place; -1 where inserted."""
    parts: tuple[range, ...]
    """For each tree of the hypothesis the nodes of the subtree that is edited; none where all of
    it is inserted."""
    cost: float
    most: float
    """What the hypothesis weighs: what it costs to insert all of it, each word at its weight."""
    amounts: Reals
    """How much of each edit there is."""


def cheapest_edits(
    compared: TreeComparison, pair: TreePair, distances: Reals, *, subtrees: bool
) -> EditScript:
    """The cheapest edits, each tree of the hypothesis from the part of the text that is nearest."""
    starts = pair.first_leaves
    candidates = np.arange(len(starts)) if subtrees else np.array(compared.text.roots, np.int64)
    targets = [-1] * len(compared.hypothesis.nodes)
    parts: list[range] = []
    amounts, cost = np.zeros(len(COST_NAMES)), 0.0
    for root in compared.hypothesis.roots:
        own = range(int(pair.second_leaves[root]), root + 1)
        part, best = range(0), float(pair.insertions[own.start : own.stop].sum())
        at = int(candidates[np.argmin(distances[candidates, root])]) if len(candidates) else -1
        if at >= 0 and distances[at, root] < best:
            best, part = float(distances[at, root]), range(int(starts[at]), at + 1)
            found = edit_targets(pair, distances, at, root)
            targets[own.start : own.stop] = found[own.start : own.stop]
        parts.append(part)
        cost += best
        amounts += compared.edits({node: targets[node] for node in own}, part)
    most = float(compared.hypothesis_weights.sum())
    return EditScript(compared, tuple(targets), tuple(parts), cost, most, amounts)


def compare_trees(
    pairs: Sequence[tuple[Graph, Graph]], settings: TreeEditSettings, *, lexicon: Lexicon
) -> list[Forms]:
    """For each pair the text's trees beside the hypothesis's, in each form that this has."""
    matched = match_nodes(pairs, AlignmentSettings(), lexicon=lexicon)
    graphs = list({id(graph): graph for pair in pairs for graph in pair}.values())
    rare = shared_rarities().of(graphs) if settings.weights else [[1.0] * len(g) for g in graphs]
    weights = dict(zip(map(id, graphs), map(np.array, rare), strict=True))
    forests = {
        id(text): text_forest(
            text, lexicon=lexicon, operations=settings.operations, written=settings.written
        )
        for text, _ in pairs
    }
    found: list[Forms] = []
    for (text, hypothesis), matches in zip(pairs, matched, strict=True):
        forms = hypothesis_forests(hypothesis, written=settings.written)
        forms = forms if settings.operations else forms[:1]
        kinds, unlike = _KINDS[matches.matches], 1 - matches.similarities
        unlike[matches.matches == Match.ANTONYM.number] = 1.0  # aligned, but not as true
        found.append(
            [
                _comparison(
                    (text, forests[id(text)], weights[id(text)]),
                    (hypothesis, form, weights[id(hypothesis)]),
                    kinds,
                    unlike,
                )
                for form in forms
            ]
        )
    return found


Weighted = tuple[Graph, EditForest, Reals]


def _comparison(
    text: Weighted, hypothesis: Weighted, kinds: NDArray[np.int64], unlike: Reals
) -> TreeComparison:
    rows, columns = (np.array(side[1].nodes, np.int64) for side in (text, hypothesis))
    kinds, unlike = kinds[np.ix_(rows, columns)], unlike[np.ix_(rows, columns)]
    flags = [np.array(side[1].operations, np.int64) for side in (text, hypothesis)]
    operations = flags[0][:, None] ^ flags[1][None, :]
    # what a nominalization says in its noun is no other word beside
    named = (operations & Operation.NOMINALIZATION > 0) & (kinds == _MATCH_PLACES[Match.DERIVATION])
    # a word that is denied where it stands is not said elsewhere
    is_said = operations & (Operation.NEGATION | Operation.OPENNESS) == 0
    likeness = np.where((kinds == _NO_MATCH) | ~is_said, 0.0, 1 - unlike)
    return TreeComparison(
        text[1],
        hypothesis[1],
        text[2][rows],
        hypothesis[2][columns],
        np.array([_SORT_PLACES[text[0].sorts[node]] for node in text[1].nodes], np.int64),
        np.array(
            [_SORT_PLACES[hypothesis[0].sorts[node]] for node in hypothesis[1].nodes], np.int64
        ),
        kinds,
        np.where(named, 0.0, unlike),
        _other_roles(text[1].relations, hypothesis[1].relations),
        operations,
        likeness.max(axis=0, initial=0.0),
    )


def _other_roles(relations: Sequence[str], others: Sequence[str]) -> NDArray[np.bool_]:
    """For each two nodes whether they hang on something, and in different roles."""
    first, second = sorted(set(relations)), sorted(set(others))
    differ = np.array(
        [[_ROOT not in (a, b) and not same_roles(a, b) for b in second] for a in first], np.bool_
    ).reshape(len(first), len(second))
    rows = [first.index(each) for each in relations]
    columns = [second.index(each) for each in others]
    return differ[np.ix_(rows, columns)]
