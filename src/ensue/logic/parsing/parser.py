"""The parse of a text: the grammar's where it reaches, else the parser's, repaired.

The grammar is weighted: of its analyses the chart parser takes the one nearest to the statistical
parser's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.language import ROOT, Sentence
from ensue.language.lexicon import Lexicon
from ensue.logic.deadline import Deadline
from ensue.logic.parsing import repairs
from ensue.logic.parsing.categories import TokenReading, is_transitive, readings, word_of
from ensue.logic.parsing.repairs import Repair, sentence_of, tree_of

# The grammar of the second opinion, read from its file into arrays.

_FORMS = "fbng"


@dataclass(frozen=True, slots=True, eq=False)
class WeightedGrammar:
    """Binary and unary rules over numbered symbols."""

    symbols: dict[str, int]
    relations: tuple[str, ...]
    binary: NDArray[np.int32]
    """Rows of parent, left, right, whether the right one is the head, and the relation's number."""
    binary_costs: NDArray[np.float64]
    starts: NDArray[np.int32]
    """For each symbol, where the binary rules begin that have it on the left; one more for the end."""
    unary: NDArray[np.int32]
    """Rows of parent and child, each after those that make its child."""
    unary_costs: NDArray[np.float64]


@cache
def load_grammar() -> WeightedGrammar:
    """The grammar that comes along."""
    text = resources.files(__package__).joinpath("rules.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return _grammar([each for line in lines for each in _spelled_out(line)])


def _spelled_out(line: str) -> list[str]:
    return [line.replace("$", form) for form in _FORMS] if "$" in line else [line]


def _grammar(lines: list[str]) -> WeightedGrammar:
    symbols: dict[str, int] = {}
    relations: dict[str, int] = {}
    binary, binary_costs, unary, unary_costs = [], [], [], []
    for line in lines:
        rule, _, rest = line.partition(" : ")
        names = [name for name in rule.split() if name != "="]
        numbers = [symbols.setdefault(name, len(symbols)) for name in names]
        if len(numbers) == 2:
            unary.append(numbers)
            unary_costs.append(float(rest))
        else:
            head, relation, cost = rest.split(", ")
            number = relations.setdefault(relation, len(relations))
            binary.append([*numbers, int(head == ">"), number])
            binary_costs.append(float(cost))
    order = _children_first(unary)
    by_left = sorted(range(len(binary)), key=lambda i: (binary[i][1], i))
    lefts = [binary[i][1] for i in by_left]
    return WeightedGrammar(
        symbols,
        tuple(relations),
        np.array([binary[i] for i in by_left], np.int32),
        np.array([binary_costs[i] for i in by_left]),
        np.searchsorted(lefts, range(len(symbols) + 1)).astype(np.int32),
        np.array([unary[i] for i in order], np.int32),
        np.array([unary_costs[i] for i in order]),
    )


def _children_first(unary: list[list[int]]) -> list[int]:
    """The order in which one pass over the unary rules applies all of them."""
    depths: dict[int, int] = {}

    def depth(symbol: int) -> int:
        if symbol not in depths:
            depths[symbol] = 0
            below = [depth(child) + 1 for parent, child in unary if parent == symbol]
            depths[symbol] = max(below, default=0)
        return depths[symbol]

    return sorted(range(len(unary)), key=lambda i: (depth(unary[i][0]), i))


# The cheapest analysis by a grammar: a chart of all spans, filled from the short to the long.

Costs = NDArray[np.float64]
Numbers = NDArray[np.int32]
Chart = tuple[Costs, Numbers, Numbers, Numbers]
"""Costs, heads, rules and cuts: start × end × symbol."""


@compiled(over=("arcs",))
def fill_chart(
    words: Costs,
    arcs: Costs,
    binary: Numbers,
    binary_costs: Costs,
    starts: Numbers,
    unary: Numbers,
    unary_costs: Costs,
) -> Chart:
    """Costs, heads and origins of every symbol over every span.

    An origin is the rule that made it and where the span was cut: binary rules count from 0, unary
    ones from -2 downwards, and -1 is a word. Cocke, Younger and Kasami's algorithm, over the symbols
    that each span has. One function, since it is compiled as one.

    Args:
        words: The cost of each kind of word for each token: tokens × symbols.
        arcs: The cost of each token's depending on each other: dependent × head.
        binary: The grammar's rules of two, sorted by the left symbol.
        binary_costs: Their costs.
        starts: Where the rules of each left symbol begin.
        unary: The rules of one, each after those that make its child.
        unary_costs: Their costs.
    """
    n, n_symbols = words.shape
    costs = np.full((n, n + 1, n_symbols), np.inf)
    heads = np.full((n, n + 1, n_symbols), -1, np.int32)
    rules = np.full((n, n + 1, n_symbols), -1, np.int32)
    cuts = np.full((n, n + 1, n_symbols), -1, np.int32)
    present = np.zeros((n, n + 1, n_symbols), np.int32)
    counts = np.zeros((n, n + 1), np.int32)
    for length in range(1, n + 1):
        for start in range(n - length + 1):
            end = start + length
            if length == 1:
                for symbol in range(n_symbols):
                    if words[start, symbol] < np.inf:
                        costs[start, end, symbol] = words[start, symbol]
                        heads[start, end, symbol] = start
            for cut in range(start + 1, end):
                if counts[cut, end] == 0:
                    continue
                for at in range(counts[start, cut]):
                    symbol = present[start, cut, at]
                    left = costs[start, cut, symbol]
                    for rule in range(starts[symbol], starts[symbol + 1]):
                        right = costs[cut, end, binary[rule, 2]]
                        if right == np.inf:
                            continue
                        parent = binary[rule, 0]
                        head = heads[start, cut, symbol]
                        other = heads[cut, end, binary[rule, 2]]
                        if binary[rule, 3]:
                            head, other = other, head
                        cost = left + right + binary_costs[rule] + arcs[other, head]
                        if cost < costs[start, end, parent] - 1e-9:
                            costs[start, end, parent] = cost
                            heads[start, end, parent] = head
                            rules[start, end, parent] = rule
                            cuts[start, end, parent] = cut
            for rule in range(unary.shape[0]):
                cost = costs[start, end, unary[rule, 1]] + unary_costs[rule]
                parent = unary[rule, 0]
                if cost < costs[start, end, parent] - 1e-9:
                    costs[start, end, parent] = cost
                    heads[start, end, parent] = heads[start, end, unary[rule, 1]]
                    rules[start, end, parent] = -2 - rule
                    cuts[start, end, parent] = -1
            for symbol in range(n_symbols):
                if costs[start, end, symbol] < np.inf:
                    present[start, end, counts[start, end]] = symbol
                    counts[start, end] += 1
    return costs, heads, rules, cuts


# Which words like to depend on which: what the parser says, and what the lexicon knows of
# verbs.

_DISAGREEMENT = 0.1
"""The cost of each token that depends on another one than the parser says."""
_OF_VERB = -0.7
"""What *of* gains with a verb that may have one: *accuse somebody of theft*."""
_OF_PERSON = 0.4
"""The cost of its belonging to the person there instead."""
_OF_NAME = 0.8
"""The cost of *of* after a name: *reminded Mary of the debt*."""


def arc_costs(
    sentence: Sentence, options: list[list[TokenReading]], lexicon: Lexicon
) -> NDArray[np.float64]:
    """The cost of each token's depending on each other: dependent × head."""
    n = len(sentence)
    arcs = np.full((n, n), _DISAGREEMENT)
    inside = np.flatnonzero(sentence.heads >= 0)
    arcs[inside, sentence.heads[inside]] = 0
    forms = sentence.forms
    for token, form in enumerate(forms):
        if form == "of" and token:
            _place_of(arcs, token, forms, options, lexicon)
    return arcs


def _place_of(
    arcs: NDArray[np.float64],
    of: int,
    forms: tuple[str, ...],
    options: list[list[TokenReading]],
    lexicon: Lexicon,
) -> None:
    """Let *of* belong to a verb that has somebody of something rather than to the somebody."""
    verbs = [token for token in range(of) if _takes_of(options[token], lexicon)]
    arcs[of, verbs] += _OF_VERB
    for token in range(of):
        if any(way.kind == "pn" for way in options[token]) and not _is_title(forms, of + 1):
            arcs[of, token] += _OF_NAME
        elif verbs and token not in verbs and any(way.kind == "nh" for way in options[token]):
            arcs[of, token] += _OF_PERSON


def _takes_of(ways: list[TokenReading], lexicon: Lexicon) -> bool:
    lemmas = {way.lemma for way in ways if way.kind.startswith("v")}
    return any(each.takes_of for lemma in lemmas for each in word_of(lemma, lexicon).verbs)


def _is_title(forms: tuple[str, ...], token: int) -> bool:
    """Whether a name goes on: *Bank of England*."""
    return token < len(forms) and forms[token][:1].isupper()


# A second opinion on a sentence: its analysis by the grammar that is nearest to the parser's.

LONGEST = 60
"""Sentences of more tokens are not looked at."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A sentence as the grammar reads it."""

    sentence: Sentence
    cost: float


def second_opinion(
    sentence: Sentence, *, lexicon: Lexicon, deadline: Deadline | None = None
) -> Opinion | None:
    """The analysis of one sentence by the grammar; none where the grammar does not reach."""
    n = len(sentence)
    if not 1 < n <= LONGEST:
        return None
    grammar = load_grammar()
    options = readings(sentence, lexicon, deadline or Deadline())
    words = np.full((n, len(grammar.symbols)), np.inf)
    for token, ways in enumerate(options):
        for way in ways:
            number = grammar.symbols[way.kind]
            words[token, number] = min(words[token, number], way.cost)
    chart = fill_chart(
        words,
        arc_costs(sentence, options, lexicon),
        grammar.binary,
        grammar.binary_costs,
        grammar.starts,
        grammar.unary,
        grammar.unary_costs,
    )
    top = grammar.symbols["TOP"]
    cost = float(chart[0][0, n, top])
    if cost == np.inf:
        return None
    return Opinion(_Tree(sentence, options, chart).sentence_of(top), cost)


class _Tree:
    """Reads an analysis off a chart."""

    def __init__(self, sentence: Sentence, options: list[list[TokenReading]], chart: Chart) -> None:
        self.sentence = sentence
        self.options = options
        _, self.chart_heads, self.rules, self.cuts = chart
        n = len(sentence)
        self.heads = [-1] * n
        self.relations = [ROOT] * n
        self.chosen: list[TokenReading | None] = [None] * n
        self.grammar = load_grammar()
        self.names = {number: name for name, number in self.grammar.symbols.items()}

    def sentence_of(self, top: int) -> Sentence:
        """The sentence with the heads, relations and tags of the analysis."""
        self._walk(0, len(self.sentence), top)
        self._name_relations()
        chosen = [way or ways[0] for way, ways in zip(self.chosen, self.options, strict=True)]
        return replace(
            self.sentence,
            heads=np.array(self.heads, np.int32),
            relations=tuple(self.relations),
            tags=tuple(way.tag for way in chosen),
            parts=tuple(way.part for way in chosen),
            lemmas=tuple(way.lemma for way in chosen),
        )

    def _walk(self, start: int, end: int, symbol: int) -> None:
        rule = int(self.rules[start, end, symbol])
        if rule == -1:
            kind = self.names[symbol]
            ways = [way for way in self.options[start] if way.kind == kind]
            self.chosen[start] = min(ways, key=lambda way: way.cost)
            return
        if rule < -1:
            self._walk(start, end, int(self.grammar.unary[-2 - rule, 1]))
            return
        _, left, right, is_right, relation = self.grammar.binary[rule].tolist()
        cut = int(self.cuts[start, end, symbol])
        head = int(self.chart_heads[start, cut, left])
        other = int(self.chart_heads[cut, end, right])
        if is_right:
            head, other = other, head
        self.heads[other] = head
        self.relations[other] = self.grammar.relations[relation]
        self._walk(start, cut, left)
        self._walk(cut, end, right)

    def _name_relations(self) -> None:
        """Give the names that the parser gives where the grammar's rule does not say which."""
        for token, relation in enumerate(self.relations):
            head = self.heads[token]
            joins = relation == "cc" or (relation == "punct" and token < head)
            if joins and self.relations[head] == "conj":
                self.heads[token] = self.heads[head]
            elif relation == "advmod" and self.sentence.relations[token] == "neg":
                self.relations[token] = "neg"


# What is said of times and figures.

_FINITE = frozenset(("MD", "VBD", "VBP", "VBZ"))


def _raise_figures(tree: repairs.EditableParse) -> None:
    """*raised the age for riding a moped from 15 to 16 in 2019*: figures go with what happened."""
    for token, relation in enumerate(tree.relations):
        gerund = tree.heads[token]
        if relation != "prep" or gerund < 0 or tree.relations[gerund] != "pcomp":
            continue
        figure = tree.child(token, "pobj")
        above = tree.heads[gerund]
        while above >= 0 and tree.tags[above] not in _FINITE:
            above = tree.heads[above]
        if figure >= 0 and tree.tags[figure] == "CD" and above >= 0:
            tree.attach(token, above, "prep")


def _find_habits(tree: repairs.EditableParse) -> None:
    """*used to smoke*: an auxiliary, of what is past."""
    for used, word in enumerate(tree.words):
        verb = tree.child(used, "xcomp") if word == "used" else -1
        if verb < 0 or tree.words[used + 1] != "to" or tree.child(used, "dobj", "auxpass") >= 0:
            continue
        tree.put_in_place_of(verb, used)
        for each in tree.children(used):
            tree.attach(each, verb, tree.relations[each])
        tree.heads[used], tree.relations[used] = verb, "aux"
        tree.changes.append("used: an auxiliary")


def _find_ends(tree: repairs.EditableParse) -> None:
    """*Tom no longer smokes*: a verb, though it may be a plural."""
    for longer in range(2, len(tree.words) - 1):
        if tree.words[longer - 1 : longer + 1] != ["no", "longer"]:
            continue
        verb, subject = longer + 1, longer - 2
        if tree.tags[verb] in ("NN", "NNS") and (lemma := tree.verb_lemma(verb)):
            tree.retag(verb, "VBZ", "VERB", lemma)
            tree.attach(longer, verb, "advmod")
            if tree.heads[subject] == verb:
                tree.attach(subject, verb, "nsubj")


ENDS = Repair(
    "end",
    "N npadvmod(Tom) advmod(longer) → V nsubj(Tom) advmod(longer)",
    _find_ends,
    ("Tom no longer smokes.",),
)
HABITS = Repair(
    "habit", "used xcomp(V) → V aux(used)", _find_habits, ("Ann used to smoke in Paris.",)
)
FIGURES = Repair(
    "attachment",
    "V prep(for pcomp(W prep(in pobj(2019)))) → V prep(for pcomp(W)) prep(in pobj(2019))",
    _raise_figures,
    ("Paul was fined for riding a moped in 2019.",),
)


# The parse of a text.

REPAIRS: tuple[Repair, ...] = (*repairs.PREDICATE_REPAIRS, *repairs.ATTACHMENT_REPAIRS)
"""What is put right in the parser's analysis."""
TRANSFORMATIONS: tuple[Repair, ...] = (
    repairs.PORTION_VERBS,
    repairs.PORTIONS,
    repairs.OCCASIONS,
    FIGURES,
    HABITS,
    ENDS,
    repairs.REPLACEMENTS,
    repairs.CONTENTS,
    *repairs.CLEFT_REPAIRS,
    repairs.GERUNDS,
    repairs.PARTICLES,
    repairs.NAMES,
)
"""What is put together in whichever analysis is read."""
_STRANGE, _STRANGER = 0.5, 0.25
"""The cost of an analysis that is still believed: of any, and more for each token."""
_ENDS = frozenset('.!?;:"”')
_VERBLESS = 3.0
"""How much more it may cost where the parser finds no finite verb."""
_HELPING = frozenset(("be", "do", "have"))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text as it is read."""

    sentence: Sentence
    changes: tuple[tuple[str, str], ...]
    """What was changed in the parser's analysis: by which mend, and what."""


def parse(
    sentence: Sentence,
    *,
    lexicon: Lexicon,
    grammar: bool = True,
    deadline: Deadline | None = None,
) -> Parsed:
    """The best analysis of a text, sentence by sentence.

    Args:
        sentence: As the parser analyzed it.
        lexicon: What words may be.
        grammar: Whether the grammar is asked; else the parser's analysis is read, mended.
        deadline: When it must be done; never where there is none.
    """
    deadline = deadline or Deadline()
    heads = sentence.heads.tolist()
    parts: list[Sentence] = []
    changes: list[tuple[str, str]] = []
    for start, end in _spans(heads, sentence.forms):
        part = _cut(sentence, start, end)
        opinion = second_opinion(part, lexicon=lexicon, deadline=deadline) if grammar else None
        if opinion is not None and _is_believed(part, opinion, lexicon):
            changes += _differences(part, opinion.sentence)
            tree, mends = tree_of(opinion.sentence, lexicon), TRANSFORMATIONS
        else:
            tree, mends = tree_of(part, lexicon), (*REPAIRS, *TRANSFORMATIONS)
        for mend in mends:
            deadline.check()
            known = len(tree.changes)
            mend.apply(tree)
            changes += [(mend.name, change) for change in tree.changes[known:]]
        parts.append(sentence_of(tree))
    return Parsed(_joined(sentence, parts), tuple(changes))


def _is_believed(sentence: Sentence, opinion: Opinion, lexicon: Lexicon) -> bool:
    """Whether the grammar's analysis is taken rather than the parser's."""
    if opinion.cost > _strangest(sentence):
        return False
    found = opinion.sentence
    for token, relation in enumerate(sentence.relations):
        # *it is a myth that she left*: the clause says what the noun is about, and lacks nothing;
        # *the baker, the judge said, left*: the grammar knows no asides
        is_content = relation in ("acl", "relcl") and any(
            sentence.heads[each] == token and sentence.relations[each] == "mark"
            for each in range(len(sentence))
        )
        if is_content and found.relations[token] != "acl":
            return False
        # *he has only seen Rome*: what helps another verb is no noun
        if sentence.parts[token] == "AUX" and found.parts[token] == "NOUN":
            return False
        helps = relation == "aux" and sentence.lemmas[token] in _HELPING
        if helps and found.relations[token] in ("relcl", "conj", "ccomp"):
            return False
        if relation == "parataxis" and found.relations[token] in ("acl", "appos", "relcl"):
            return False
    return not any(
        # *the map complained* is no map to which something was done
        found.relations[token] == "acl"
        and tag == "VBN"
        and (_is_bare(sentence, token) or not is_transitive(found.lemmas[token], lexicon))
        for token, tag in enumerate(found.tags)
    )


def _is_bare(sentence: Sentence, token: int) -> bool:
    """*the sailor sold the map waited*: a verb in the past tense, for the parser, and nothing behind it."""
    following = [form for form in sentence.forms[token + 1 :] if any(map(str.isalnum, form))]
    return sentence.tags[token] == "VBD" and not following


def _strangest(sentence: Sentence) -> float:
    """The cost of the strangest analysis that is still better than the parser's."""
    most = _STRANGE + _STRANGER * len(sentence)
    has_verb = any(tag in _FINITE for tag in sentence.tags)
    return most if has_verb else most + _VERBLESS


def _spans(heads: Sequence[int], forms: Sequence[str]) -> list[tuple[int, int]]:
    """Where each sentence begins and ends, in tokens: what hangs on one root, up to its full stop."""
    roots = []
    for token in range(len(heads)):
        at = token
        while heads[at] >= 0:
            at = heads[at]
        roots.append(at)
    last = {root: token for token, root in enumerate(roots)}
    spans: list[tuple[int, int]] = []
    end = 0
    for token, root in enumerate(roots):
        if token >= end and (not spans or forms[token - 1] in _ENDS):
            spans.append((token, token))
        end = max(end, last[root] + 1)
        spans[-1] = (spans[-1][0], end)
    return spans


def _cut(sentence: Sentence, start: int, end: int) -> Sentence:
    if (start, end) == (0, len(sentence)):
        return sentence
    heads = sentence.heads[start:end]
    return Sentence(
        sentence.text,
        sentence.starts[start:end],
        sentence.ends[start:end],
        np.where(heads < 0, -1, heads - start).astype(np.int32),
        sentence.lemmas[start:end],
        sentence.tags[start:end],
        sentence.parts[start:end],
        sentence.relations[start:end],
        sentence.entities[start:end],
    )


def _joined(whole: Sentence, parts: Sequence[Sentence]) -> Sentence:
    if len(parts) == 1:
        return parts[0]
    heads: list[int] = []
    for part in parts:
        at = len(heads)
        heads += [head if head < 0 else head + at for head in part.heads.tolist()]
    return replace(
        whole,
        heads=np.array(heads, np.int32),
        lemmas=tuple(lemma for part in parts for lemma in part.lemmas),
        tags=tuple(tag for part in parts for tag in part.tags),
        parts=tuple(each for part in parts for each in part.parts),
        relations=tuple(relation for part in parts for relation in part.relations),
    )


def _differences(before: Sentence, after: Sentence) -> list[tuple[str, str]]:
    """What the grammar sees otherwise."""
    forms = before.forms
    found = []
    for token, form in enumerate(forms):
        if before.parts[token] != after.parts[token]:
            found.append(f"{form}: {before.tags[token]} → {after.tags[token]}")
        was, now = int(before.heads[token]), int(after.heads[token])
        if was != now and before.relations[token] != "punct":
            found.append(
                f"{form}: {before.relations[token]} of {forms[was] if was >= 0 else 'nothing'}"
                f" → {after.relations[token]} of {forms[now] if now >= 0 else 'nothing'}"
            )
    return [("grammar", each) for each in found]
