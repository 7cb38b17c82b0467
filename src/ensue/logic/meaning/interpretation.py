"""Interpretation of a text: its parse, its normalized graph and its formulas together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ensue.language import Sentence
from ensue.language.contexts import Contexts, find_contexts
from ensue.language.lexicon import Lexicon
from ensue.language.values import Value, find_values
from ensue.logic.deadline import Deadline
from ensue.logic.formulas import (
    Atom,
    Constant,
    Formula,
    conjunction,
    exists,
    free_variables,
    substituted,
)
from ensue.logic.meaning.clauses import Reader
from ensue.logic.meaning.discourse import Box, Referent, described, is_single, unread
from ensue.logic.parsing.parser import Parsed, parse
from ensue.logic.rewriting.cascade import Normalized, normalize


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """What one side of a pair says."""

    parsed: Parsed
    graph: Normalized
    contexts: Contexts
    values: tuple[Value, ...]
    box: Box
    """What is spoken of, and the conditions on it; of a text the things are constants."""

    @property
    def conditions(self) -> tuple[Formula, ...]:
        """What is said, each condition by itself; of a text, where nothing is left to bind."""
        return tuple(self.box.conditions)

    @property
    def formula(self) -> Formula:
        """All of it."""
        return exists(self.box.variables, conjunction(self.box.conditions))


def referents(meaning: Meaning) -> dict[str, Referent]:
    """What each noun stands for in a text, where there is one such thing only."""
    found: dict[str, set[Constant]] = {}
    for condition in meaning.conditions:
        if isinstance(condition, Atom) and condition.predicate.endswith(":n"):
            (term,) = condition.terms
            if isinstance(term, Constant) and "#" in term.name:
                found.setdefault(condition.predicate[:-2], set()).add(term)
    alone = {noun: next(iter(terms)) for noun, terms in found.items() if len(terms) == 1}
    tokens = {noun: int(term.name.rpartition("#")[2]) for noun, term in alone.items()}
    return {
        noun: (term, described(meaning.graph, tokens[noun]))
        for noun, term in alone.items()
        if is_single(meaning.graph, meaning.contexts, tokens[noun])
    }


def resolved(
    meaning: Meaning, referents: Mapping[str, Referent], deadline: Deadline | None = None
) -> Formula:
    """What a hypothesis asks of the things that a text speaks of by the same nouns."""
    reader = Reader(
        meaning.graph,
        meaning.contexts,
        asserted=False,
        values=meaning.values,
        referents=referents,
        deadline=deadline,
    )
    return _closed(reader.read(), asserted=False).formula()


def meaning_of(
    sentence: Sentence,
    *,
    lexicon: Lexicon,
    asserted: bool,
    grammar: bool = True,
    deadline: Deadline | None = None,
) -> Meaning:
    """What a text says, where it is asserted, or a hypothesis asks.

    Raises:
        TimeOver: the deadline passed before it was found out.
    """
    deadline = deadline or Deadline()
    parsed = parse(sentence, lexicon=lexicon, grammar=grammar, deadline=deadline)
    deadline.check()
    graph = normalize(parsed.sentence, lexicon=lexicon, deadline=deadline)
    contexts, values = find_contexts(parsed.sentence), find_values(parsed.sentence)
    deadline.check()
    reader = Reader(graph, contexts, asserted=asserted, values=values, deadline=deadline)
    box = _closed(reader.read(), asserted=asserted)
    return Meaning(parsed, graph, contexts, values, _named(box) if asserted else box)


def _closed(box: Box, *, asserted: bool) -> Box:
    """A box without conditions on things that are out of reach: what they say counts as not read."""
    bound = frozenset(box.variables)
    said = [each for each in box.conditions if free_variables(each) <= bound]
    if len(said) < len(box.conditions):
        said.append(unread("reference", asserted=asserted))
    return Box(box.variables, said)


def _named(box: Box) -> Box:
    """A box whose things have names, since a text says that they are there."""
    if not box.variables:
        return box
    names = {each: Constant(f"{each.name[0]}#{each.name[1:]}") for each in box.variables}
    return Box([], [substituted(each, names) for each in box.conditions])
