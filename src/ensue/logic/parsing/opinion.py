"""A second opinion on a sentence: its analysis by the grammar that is nearest to the parser's."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ensue.language.analysis import ROOT, Sentence
from ensue.language.lexicon import Lexicon
from ensue.logic.parsing.chart import Chart, fill_chart
from ensue.logic.parsing.grammar import load_grammar
from ensue.logic.parsing.kinds import Reading, readings
from ensue.logic.parsing.preferences import arc_costs

LONGEST = 60
"""Sentences of more tokens are not looked at."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A sentence as the grammar reads it."""

    sentence: Sentence
    cost: float


def second_opinion(sentence: Sentence, *, lexicon: Lexicon) -> Opinion | None:
    """The analysis of one sentence by the grammar; none where the grammar does not reach."""
    n = len(sentence)
    if not 1 < n <= LONGEST:
        return None
    grammar = load_grammar()
    options = readings(sentence, lexicon)
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

    def __init__(self, sentence: Sentence, options: list[list[Reading]], chart: Chart) -> None:
        self.sentence = sentence
        self.options = options
        _, self.chart_heads, self.rules, self.cuts = chart
        n = len(sentence)
        self.heads = [-1] * n
        self.relations = [ROOT] * n
        self.chosen: list[Reading | None] = [None] * n
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
