"""Measures and dates in formulas: *two hours*, *more than 3 kg*, *May 1950*.

Each is one predicate of the thing that is measured, named by its words. Whether one makes another
true is not for the prover to find out: the values of the two sides are compared one by one, and what
comes of it is an axiom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from ensue.language.values import Value, ValueAgreement, ValueKind, agreement
from ensue.logic.formulas import (
    Atom,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Variable,
    atoms,
    conjunction,
    conjuncts,
    exists,
)
from ensue.logic.knowledge import FactKind, WordFact

if TYPE_CHECKING:
    from ensue.logic.meaning.interpretation import Meaning

_X, _Y, _E, _F, _S = (Variable(name) for name in "xyefs")
_SUFFIX = ":measure"
_BORNE_OUT = (ValueAgreement.SAME, ValueAgreement.FOLLOWS)
_LASTING = ("last:v", "weigh:v", "measure:v", "span:v")
"""Verbs of which one thing has one measure."""
_ONCE = ("bear:v", "die:v", "found:v", "assassinate:v", "invent:v")
"""Verbs of what happens to one thing once."""
_MEASURED = ("patient", "npadvmod", "for")


def measured(values: Sequence[Value]) -> dict[int, Value]:
    """The measures with units and the dates with a year, by each of their tokens."""
    return {
        token: value
        for value in values
        if not value.approximate and (value.kind is ValueKind.MEASURE or value.year_low is not None)
        for token in range(value.first, value.last)
    }


def measure_predicate(lemmas: Sequence[str], value: Value) -> str:
    """What is said of something that has a measure, or of a time that has a date."""
    return " ".join(lemmas[value.first : value.last]) + _SUFFIX


def measure_facts(text: Meaning, hypothesis: Meaning, predicates: set[str]) -> Iterator[WordFact]:
    """Which measures of the text make those of the hypothesis true, and which exclude them.

    Args:
        text: What is said.
        hypothesis: What is asked.
        predicates: Those of both sides.
    """
    sides = [
        {
            measure_predicate(side.graph.parse.lemmas, value): value
            for value in measured(side.values).values()
        }
        for side in (text, hypothesis)
    ]
    for (said, one), (asked, other) in product(*(side.items() for side in sides)):
        if said == asked or not {said, asked} <= predicates:
            continue
        agreed = agreement(one, other)
        here, there = (each.removesuffix(_SUFFIX) for each in (said, asked))
        if agreed in _BORNE_OUT:
            formula = ForAll((_X,), Implies(Atom(said, (_X,)), Atom(asked, (_X,))))
            yield WordFact(FactKind.RELATION, formula, f"{here} is {there}", ())
        elif agreed is ValueAgreement.DIFFERENT:
            for each in _exclusions(said, asked, predicates):
                yield WordFact(FactKind.RELATION, each, f"{here} is not {there}", ())


def timeless_facts(text: Meaning, hypothesis: Meaning) -> Iterator[WordFact]:
    """*did not approve it in 2019*: did not approve it, where the hypothesis speaks of no other time.

    Only of verbs that the text has once: what did not happen in one year may have happened in another.
    """
    dates = [value for value in measured(text.values).values() if value.year_low is not None]
    if not dates or any(value.year_low is not None for value in hypothesis.values):
        return
    said = Counter(atom.predicate for each in text.conditions for atom in atoms(each))
    for condition in text.conditions:
        if not (isinstance(condition, Not) and isinstance(condition.formula, Exists)):
            continue
        parts = tuple(conjuncts(condition.formula.formula))
        times = {
            atom.terms[0]
            for atom in parts
            if isinstance(atom, Atom) and atom.predicate.endswith(_SUFFIX)
        }
        kept = [each for each in parts if not (isinstance(each, Atom) and times & {*each.terms})]
        verbs = [
            each.predicate
            for each in kept
            if isinstance(each, Atom) and each.predicate.endswith(":v")
        ]
        if len(kept) < len(parts) and verbs and all(said[each] == 1 for each in verbs):
            bound = tuple(each for each in condition.formula.variables if each not in times)
            formula = Not(exists(bound, conjunction(kept)))
            words = "what did not happen then did not happen, where no other time is spoken of"
            yield WordFact(FactKind.RELATION, formula, words, ())


def _exclusions(said: str, asked: str, predicates: set[str]) -> Iterator[Formula]:
    """That nothing is measured in both ways, lasts for both, or happens at both times."""
    measures = Atom(said, (_X,)), Atom(asked, (_Y,))
    yield ForAll((_X,), Not(conjunction((Atom(said, (_X,)), Atom(asked, (_X,))))))
    ways = [each for each in predicates if each.startswith("npadvmod ")]
    for way in sorted(ways):
        both = (Atom(way, (_S, _X)), Atom(way, (_S, _Y)), *measures)
        yield ForAll((_S, _X, _Y), Not(conjunction(both)))
    for verbs, owner, roles in (
        (_LASTING, "agent", _MEASURED),
        (_ONCE, "patient", ("in", "on")),
        (_ONCE, "agent", ("in", "on")),
    ):
        for verb, one, other in product(verbs, roles, roles):
            if {verb, owner, one, other} <= predicates:
                events = (Atom(verb, (_E,)), Atom(verb, (_F,)))
                owned = (Atom(owner, (_E, _S)), Atom(owner, (_F, _S)))
                taken = (Atom(one, (_E, _X)), Atom(other, (_F, _Y)))
                both = (*events, *owned, *taken, *measures)
                yield ForAll((_E, _F, _S, _X, _Y), Not(conjunction(both)))
