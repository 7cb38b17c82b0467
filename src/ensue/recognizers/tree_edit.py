"""Tree edit distance: what it costs to turn a part of the text's tree into the hypothesis's.

Kouylekov and Magnini (2005, "Recognizing textual entailment with tree edit distance algorithms"):
a hypothesis follows where the cheapest edits that make its dependency tree of the text's, deletion,
insertion and substitution of nodes, cost little. Raina et al. (2005) match graphs with learned
costs. Here

    score = 1 - cost / Σ weight(h)    over the nodes h of the hypothesis

is 1 where the hypothesis's tree is somewhere in the text's and 0 where all of it has to be
inserted. The trees are those of `ensue.language.graphs`: content words, with prepositions in the
relations. The hypothesis may match any subtree, and any tree that an operation of syntax makes of
the text: *Ada, the owner, left* has a tree of *Ada is the owner* too. Operations have costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ensue.alignment import (
    TreePair,
    tree_distances,
)
from ensue.concurrency import no_fork
from ensue.features import has_words, shared_reader
from ensue.language import installed_model, load_lexicon
from ensue.language.graphs import Graph, Sort, build_graphs
from ensue.language.lexicon import Lexicon
from ensue.pairs import Label, Pair
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    EvidenceSection,
    Link,
    Side,
    Span,
    Step,
    Weight,
)
from ensue.recognizers.cutoff import CutoffKind, PairScores
from ensue.recognizers.edit_trees import (
    COST_NAMES,
    CostSource,
    EditForest,
    EditScript,
    Forms,
    Operation,
    Reals,
    TreeComparison,
    TreeEditSettings,
    cheapest_edits,
    compare_trees,
    costs_by_hand,
)
from ensue.statistics import fit_bounded

# Score pairs by the share of the hypothesis that edits cost.

_CHUNK = 128
_LARGEST = 4_000_000
"""Pairs of nodes beyond which a text and a hypothesis are not compared: it would take minutes."""
_ROUNDS = 4
"""How often costs are learned, and the cheapest edits found anew."""
_HOLD = 3.0
"""How strongly learned costs are held to those set by hand."""


@dataclass(frozen=True, slots=True)
class TreeEditScorer:
    """Score pairs by what is left of the hypothesis's weight after the cost of the edits."""

    chosen: TreeEditSettings
    learned: tuple[float, ...] | None = None
    """The costs, by `COST_NAMES`."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value, and what analyzes."""
        costs = {"costs": self.chosen.costs.value}
        return {**asdict(self.chosen), **costs, "analyzer": installed_model()}

    @property
    def ready(self) -> bool:
        """False where costs are to be learned and are not yet."""
        return self.chosen.costs is CostSource.SET or self.learned is not None

    @property
    def costs(self) -> Reals:
        """What each edit costs."""
        by_hand = self.learned is None
        return costs_by_hand(self.chosen) if by_hand else np.array(self.learned)

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """One less the cost of the edits by the hypothesis's weight."""
        values = np.zeros(len(pairs))
        reasons: dict[int, str] = {}
        for i, script in enumerate(self.scripts(pairs)):
            if isinstance(script, str):
                reasons[i] = script
            else:
                values[i] = _score(script)
        return PairScores(values, reasons)

    def scripts(self, pairs: Sequence[Pair]) -> Iterator[EditScript | str]:
        """The cheapest edits of each pair, or why there are none."""
        for start in range(0, len(pairs), _CHUNK):
            yield from self.cheapest(self.compared(pairs[start : start + _CHUNK]))

    def compared(self, pairs: Sequence[Pair]) -> list[Forms | str]:
        """Both sides of each pair as trees, or why they cannot be compared."""
        with no_fork:
            lexicon = load_lexicon()
            graphs = graphs_of(pairs, lexicon)
            sides = [(graphs.get(pair.text), graphs.get(pair.hypothesis)) for pair in pairs]
            reasons = [_reason(*each) for each in sides]
            asked = [
                (text, hypothesis)
                for (text, hypothesis), reason in zip(sides, reasons, strict=True)
                if reason is None and text is not None and hypothesis is not None
            ]
            found = iter(compare_trees(asked, self.chosen, lexicon=lexicon))
            return [next(found) if reason is None else reason for reason in reasons]

    def cheapest(self, compared: Sequence[Forms | str]) -> Iterator[EditScript | str]:
        """Of each pair the cheapest edits of all its forms."""
        costs, subtrees = self.costs, self.chosen.subtrees
        forms = [form for each in compared if not isinstance(each, str) for form in each]
        priced = [form.priced(costs) for form in forms]
        distances = iter(zip(priced, tree_distances(priced), strict=True))
        for each in compared:
            if isinstance(each, str):
                yield each
                continue
            scripts = [cheapest_edits(form, *next(distances), subtrees=subtrees) for form in each]
            yield min(scripts, key=lambda script: script.cost / script.most)

    def evidence(self, pair: Pair) -> Evidence:
        """The edit script, the words that stand for others, and both trees."""
        script = next(self.scripts([pair]))
        assert not isinstance(script, str)
        graphs = graphs_of([pair], load_lexicon())
        text, hypothesis = graphs[pair.text], graphs[pair.hypothesis]
        costs = self.costs
        weights = [
            Weight(name, amount, cost, -amount * cost, 0.0)
            for name, amount, cost in zip(
                COST_NAMES, (script.amounts / script.most).tolist(), costs.tolist(), strict=True
            )
            if amount > 0
        ]
        how = f"1 - {script.cost:.4g} / {script.most:.4g}"
        steps = [
            Step("cost of the edits", " + ".join(_terms(script, costs)) or "0", script.cost),
            Step("weight of the hypothesis", "", script.most),
            Step("what need not be edited", how, _score(script)),
        ]
        spans, links = _linked(script, text, hypothesis)
        sections = [
            _edits_section(script, text, hypothesis, script.compared.priced(costs)),
            *_tree_sections(script, text, hypothesis),
        ]
        return Evidence(spans, links, steps, weights, sections)

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> TreeEditScorer:  # noqa: ARG002
        """Learn the costs, if they are not set by hand.

        The cheapest edits by the costs so far are counted in each pair, and a logistic regression
        says what each edit takes from entailment, never less than nothing and held to the costs set
        by hand; then the edits are found anew.
        """
        if self.chosen.costs is CostSource.SET:
            return self
        prior = TreeEditScorer(self.chosen, tuple(costs_by_hand(self.chosen).tolist()))
        scorer = prior
        compared = [
            each
            for start in range(0, len(pairs), _CHUNK)
            for each in self.compared(pairs[start : start + _CHUNK])
        ]
        for _ in range(_ROUNDS):
            found = [
                (script.amounts / script.most, pair.gold is Label.ENTAILMENT)
                for pair, script in zip(pairs, scorer.cheapest(compared), strict=True)
                if not isinstance(script, str)
            ]
            if not found:
                return prior
            values = np.array([amounts for amounts, _ in found])
            gold = np.array([is_entailed for _, is_entailed in found])
            costs = fit_bounded(values, gold, prior.costs, strength=_HOLD)
            scorer = TreeEditScorer(self.chosen, tuple((costs / _largest(costs)).tolist()))
        return scorer

    def arrays(self) -> Arrays:
        """The learned costs, each under its name."""
        if self.learned is None:
            return {}
        return {
            f"cost of {name}": np.array(cost)
            for name, cost in zip(COST_NAMES, self.learned, strict=True)
        }


# Why: the script in words, and the trees.


def _terms(script: EditScript, costs: Reals) -> Iterator[str]:
    for name, amount, cost in zip(COST_NAMES, script.amounts.tolist(), costs.tolist(), strict=True):
        if amount > 0:
            yield f"{name} {amount:.3g}·{cost:.3g}"


def _linked(script: EditScript, text: Graph, hypothesis: Graph) -> tuple[list[Span], list[Link]]:
    """The words of the hypothesis with those of the text in whose place they are."""
    spans: list[Span] = []
    links: list[Link] = []
    compared = script.compared
    for node, target in enumerate(script.targets):
        place = hypothesis.span(compared.hypothesis.nodes[node])
        if target < 0:
            spans.append(Span(Side.HYPOTHESIS, *place, "unaligned", 0.0))
            continue
        kind, alike = _kind(compared, target, node), 1 - float(compared.unlike[target, node])
        spans.append(Span(Side.HYPOTHESIS, *place, kind, alike))
        spans.append(Span(Side.TEXT, *text.span(compared.text.nodes[target]), kind, alike))
        links.append(Link(len(spans) - 2, len(spans) - 1, kind))
    return spans, links


def _kind(compared: TreeComparison, target: int, node: int) -> str:
    """The match of two nodes, as links call it."""
    place = int(compared.kinds[target, node])
    return "same" if place < 0 else COST_NAMES[place].partition(".")[2]


def _edits_section(
    script: EditScript, text: Graph, hypothesis: Graph, priced: TreePair
) -> EvidenceSection:
    """The edit script: what goes, what is replaced, what is moved or inserted, at what cost."""
    compared, used = script.compared, set(script.targets)
    rows = []
    for node in (node for part in script.parts for node in part if node not in used):
        word = text.lemmas[compared.text.nodes[node]]
        rows.append(("delete", word, "", "", f"{priced.deletions[node]:.3f}"))
    for node, target in enumerate(script.targets):
        word = hypothesis.lemmas[compared.hypothesis.nodes[node]]
        if target < 0:
            edit = "move" if compared.elsewhere[node] > 0 else "insert"
            rows.append((edit, "", word, "", f"{priced.insertions[node]:.3f}"))
            continue
        flags = Operation(int(compared.operations[target, node]))
        why = [str(flag.name).lower() for flag in flags]
        why += ["relation"] if compared.other_role[target, node] else []
        kind = _kind(compared, target, node)
        original = text.lemmas[compared.text.nodes[target]]
        edit = "keep" if kind == "same" and not why else "replace" if kind != "same" else "turn"
        why = [kind, *why] if edit == "replace" else why
        cost = priced.substitutions[target, node]
        rows.append((edit, original, word, ", ".join(why), f"{cost:.3f}"))
    columns = ("edit", "text", "hypothesis", "by", "cost")
    return EvidenceSection("edits", "the cheapest edits", columns, rows)


def _tree_sections(script: EditScript, text: Graph, hypothesis: Graph) -> Iterator[EvidenceSection]:
    """The part of the text that is edited, and the hypothesis, as trees."""
    compared = script.compared
    used = set(script.targets)
    parts = [node for part in script.parts for node in sorted(part, reverse=True)]
    marks = {node: "" if node in used else "deleted" for node in parts}
    yield EvidenceSection(
        "text-tree",
        "the part of the text that is edited, as a tree",
        ("word", "relation", "edit"),
        list(_tree_rows(compared.text, text, parts, marks)),
    )
    nodes = list(range(len(script.targets)))
    marks = {node: "" if script.targets[node] >= 0 else "inserted" for node in nodes}
    yield EvidenceSection(
        "hypothesis-tree",
        "the hypothesis as a tree",
        ("word", "relation", "edit"),
        list(_tree_rows(compared.hypothesis, hypothesis, nodes[::-1], marks)),
    )


def _tree_rows(
    forest: EditForest, graph: Graph, nodes: Sequence[int], marks: Mapping[int, str]
) -> Iterator[tuple[str, ...]]:
    """A row a node, each below what it hangs on and farther in."""
    shown = set(nodes)
    below: dict[int, list[int]] = {}
    for node in sorted(shown):
        parent = forest.parents[node]
        below.setdefault(parent if parent in shown else -1, []).append(node)
    stack = [(node, 0) for node in below.get(-1, ())[::-1]]
    while stack:
        node, depth = stack.pop()
        word = graph.lemmas[forest.nodes[node]]
        indent = "· " * depth
        yield f"{indent}{word}", forest.relations[node] if depth else "", marks[node]
        stack += [(child, depth + 1) for child in below.get(node, ())[::-1]]


def _largest(costs: Reals) -> float:
    """The greatest cost of an insertion, which is to be 1; 1 where all are free."""
    inserted = max(costs[COST_NAMES.index(f"insert.{sort.value}")] for sort in Sort)
    return float(inserted) if inserted > 0 else 1.0


def _score(script: EditScript) -> float:
    return min(max(1 - script.cost / script.most, 0.0), 1.0) if script.most > 0 else 0.0


def _reason(text: Graph | None, hypothesis: Graph | None) -> str | None:
    for side, graph in (("text", text), ("hypothesis", hypothesis)):
        if graph is None or not len(graph):
            return f"the {side} has no content words"
    if text is not None and hypothesis is not None and len(text) * len(hypothesis) > _LARGEST:
        return f"trees of {len(text)} and {len(hypothesis)} nodes are too large to compare"
    return None


def graphs_of(pairs: Sequence[Pair], lexicon: Lexicon) -> dict[str, Graph]:
    """The graph of every text and hypothesis that has words."""
    texts = dict.fromkeys(text for pair in pairs for text in (pair.text, pair.hypothesis))
    asked = [text for text in texts if has_words(text)]
    built = build_graphs(shared_reader().analyze(asked), lexicon=lexicon)
    return dict(zip(asked, built, strict=True))


def _restored(settings: TreeEditSettings, arrays: Arrays) -> TreeEditScorer:
    if not arrays:
        return TreeEditScorer(settings)
    return TreeEditScorer(settings, tuple(float(arrays[f"cost of {name}"]) for name in COST_NAMES))


TREE_EDIT = CutoffKind(
    "tree-edit",
    "what it costs to edit a part of the text's dependency tree into the hypothesis's",
    TreeEditSettings,
    TreeEditScorer,
    _restored,
    0.593,  # tuned on RTE's three development sets together
    described=("analyzer",),
)
