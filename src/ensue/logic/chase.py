"""The least world that formulas describe, built by adding what is missing.

Where formulas say only what there is and what follows from that, as most sentences do, everything
that follows is found step by step (the restricted chase of Fagin, Kolaitis, Miller and Popa, TCS
2005). It serves two ends: a model of formulas is guessed before a prover is asked for one, and the
reasons of an answer are read off the steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ensue.logic.deadline import Deadline
from ensue.logic.formulas import (
    And,
    Atom,
    Constant,
    Equal,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Or,
    conjuncts,
    constants,
)
from ensue.logic.proving.questions import Model, Premise
from ensue.logic.worlds import Binding, SpentEffort, World, negation


class _Growth:
    """A world while it is added to what formulas say."""

    mark = ""
    """Stands between the name and the number of things that are made up."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.grown = False
        """Whether anything was new."""

    def add(self, formula: Formula, known: Binding) -> None:
        """Make a formula true, as far as adding can."""
        self.world.spend()
        match formula:
            case Atom():
                self.add_fact(formula, known)
            case And(parts):
                for part in parts:
                    self.add(part, known)
            case Exists(variables, inner):
                # a thing that is there already serves: a new one for each rule and round would
                # never come to an end
                if not self.has(formula, known):
                    fresh = {each.name: self.new(each.name) for each in variables}
                    self.add(inner, known | fresh)
            case _:
                self.add_other(formula, known)

    def add_fact(self, atom: Atom, known: Binding) -> None:
        """Make an atom true."""
        self.grown |= self.world.add(self.world.ground(atom, known))

    def add_other(self, formula: Formula, known: Binding) -> None:
        """Do something about a formula that does not just say what there is."""
        raise NotImplementedError

    def has(self, formula: Formula, known: Binding) -> bool:
        """Whether nothing has to be added for a formula."""
        return self.world.holds(formula, known)

    def new(self, name: str) -> str:
        """Make up a thing."""
        self.world.spend()
        number = 1
        while f"{name}{self.mark}{number}" in self.world.things:
            number += 1
        self.grown = True
        self.world.things[f"{name}{self.mark}{number}"] = None
        return f"{name}{self.mark}{number}"


# A model of formulas, guessed.

GUESS_EFFORT = 10_000
"""Formulas, facts and things that may be looked at for one guess: some ten milliseconds."""
_EFFORT_PER_PAIR = 150
"""What comes on top for each pair of names."""


def guess_model(
    formulas: Sequence[Formula],
    *,
    effort: int = 0,
    deadline: Deadline | None = None,
) -> Model | None:
    """A model of closed formulas, where the least world that they could hold in is one.

    What formulas say beyond what can be added is not built but checked: a world is a model only if
    every formula is true in it. So a guess is right or there is none.
    """
    names = dict.fromkeys(each.name for formula in formulas for each in constants(formula))
    # of a list of twenty names, each is looked at beside each
    effort = effort or GUESS_EFFORT + _EFFORT_PER_PAIR * len(names) ** 2
    world = World(Model(tuple(names), (), tuple((name, name) for name in names)), effort, deadline)
    try:
        _Guess(world).grow(formulas)
        true = all(world.holds(formula, {}) for formula in formulas)
    except SpentEffort:
        return None
    return world.model() if true else None


class _Guess(_Growth):
    """Adds something for every kind of formula, the first that comes where there is a choice."""

    def grow(self, formulas: Sequence[Formula]) -> None:
        """Add facts and things until formulas hold, as far as adding can make them."""
        for formula in formulas:
            self.add(formula, {})
        if not self.world.things:
            self.new("thing")  # there is no logic of the empty world
        rest = [formula for formula in formulas if not _is_fact(formula)]
        while self.grown:
            self.grown = False
            for formula in rest:
                self.add(formula, {})

    def add_other(self, formula: Formula, known: Binding) -> None:
        """Make a disjunction, a rule or a negation true, where adding can."""
        match formula:
            case Or(parts):
                addable = (part for part in parts if not _is_denial(part))
                chosen = None if self.has(formula, known) else next(addable, None)
                if chosen is not None:
                    self.add(chosen, known)
            case Implies(condition, consequence):
                if self.has(condition, known):
                    self.add(consequence, known)
            case ForAll(variables, inner):
                for found in list(self.world.bindings(variables, inner, known, negated=True)):
                    self.add(inner, found)
            case Not(inner) if not isinstance(inner, Atom | Equal | Not):
                self.add(negation(inner), known)
            case Not(Not(inner)):
                self.add(inner, known)


def _is_denial(formula: Formula) -> bool:
    """Whether nothing that is added can make a formula true."""
    denied = isinstance(formula, Not) and isinstance(formula.formula, Atom | Equal)
    return denied or isinstance(formula, Equal)


def _is_fact(formula: Formula) -> bool:
    return all(isinstance(part, Atom) for part in conjuncts(formula))


# What plainly follows from premises, and from which of them: the chase, with its tracks.

_CLOSURE_EFFORT = 100_000
"""What is looked at before nothing more is derived."""


@dataclass(frozen=True, slots=True)
class Track:
    """Where an atom comes from."""

    premise: str
    """The name of the premise that says it, or that leads to it."""
    sources: tuple[Atom, ...] = ()
    """The atoms from which the premise leads to it."""


@dataclass(frozen=True, slots=True)
class _Rule:
    premise: str
    conditions: tuple[Atom, ...]
    consequence: Formula


class Closure(_Growth):
    """Ground atoms with their tracks."""

    # marked, since these things are spoken of beside the text's own, whose names end in numbers
    mark = "~"

    def __init__(self, deadline: Deadline | None = None) -> None:
        super().__init__(World(Model((), ()), _CLOSURE_EFFORT, deadline))
        self.tracks: dict[Atom, Track] = {}
        self.is_whole = True
        """Whether all that follows from the premises is here."""
        self._track = Track("")

    def premises(self, wanted: Iterable[Atom]) -> list[str]:
        """The names of all premises that atoms come from, those of the first steps first."""
        found: dict[str, None] = {}
        for atom in wanted:
            track = self.tracks[atom]
            found |= dict.fromkeys([*self.premises(track.sources), track.premise])
        return list(found)

    def roots(self, atom: Atom) -> list[tuple[Atom, str]]:
        """The atoms that are said outright and from which an atom comes, with their premises."""
        track = self.tracks[atom]
        if not track.sources:
            return [(atom, track.premise)]
        return [root for source in track.sources for root in self.roots(source)]

    def needed(self, formula: Formula, known: Binding) -> list[Atom] | None:
        """The atoms by which a formula is true here; None where it is not, or not by atoms alone.

        That there is no such atom proves no negation: what the premises leave open is not here.
        """
        match formula:
            case Atom():
                ground = self._ground(formula, known)
                return [ground] if ground in self.tracks else None
            case And(parts):
                found = [self.needed(part, known) for part in parts]
                if any(each is None for each in found):
                    return None
                return [atom for each in found if each is not None for atom in each]
            case Or(parts):
                return _first(self.needed(part, known) for part in parts)
            case Exists(variables, inner):
                ways = self.world.bindings(variables, inner, known)
                return _first(self.needed(inner, way) for way in ways)
        return None

    def has(self, formula: Formula, known: Binding) -> bool:
        """Whether a formula is true here by atoms alone."""
        return self.needed(formula, known) is not None

    def say(self, formula: Formula, known: Binding, track: Track) -> None:
        """Add what a formula says."""
        self._track = track
        self.add(formula, known)

    def add_fact(self, atom: Atom, known: Binding) -> None:
        """Make an atom true, and note where it comes from."""
        super().add_fact(atom, known)
        ground = self._ground(atom, known)
        self.world.things |= dict.fromkeys(term.name for term in ground.terms)
        self.tracks.setdefault(ground, self._track)

    def add_other(self, _formula: Formula, _known: Binding) -> None:
        """Leave a formula out: of *a cat or a fox* neither follows."""
        self.is_whole = False

    def apply(self, rule: _Rule) -> None:
        """Add what a rule leads to."""
        for binding in list(self.world.matches(rule.conditions, {})):
            sources = tuple(self._ground(atom, binding) for atom in rule.conditions)
            self.say(rule.consequence, binding, Track(rule.premise, sources))

    def _ground(self, atom: Atom, known: Binding) -> Atom:
        predicate, things = self.world.ground(atom, known)
        return Atom(predicate, tuple([Constant(thing) for thing in things]))


def closure_of(premises: Sequence[Premise], deadline: Deadline | None = None) -> Closure:
    """All that plainly follows from premises."""
    found = Closure(deadline)
    rules = [rule for premise in premises if (rule := _rule(premise)) is not None]
    try:
        for premise in premises:
            if _rule(premise) is None:
                found.say(premise.formula, {}, Track(premise.name))
        _close(found, rules)
    except SpentEffort:
        found.is_whole = False
    found.world.effort = math.inf
    return found


def _close(found: Closure, rules: Sequence[_Rule]) -> None:
    """Apply rules until nothing is new."""
    found.grown = True
    while found.grown:
        found.grown = False
        for rule in rules:
            found.apply(rule)


def _rule(premise: Premise) -> _Rule | None:
    """A premise as a rule, where it says what follows from atoms that name all of its variables."""
    formula = premise.formula
    inner = formula.formula if isinstance(formula, ForAll) else formula
    if not isinstance(inner, Implies):
        return None
    parts = inner.condition.formulas if isinstance(inner.condition, And) else (inner.condition,)
    atoms = tuple(part for part in parts if isinstance(part, Atom))
    bound = {term.name for atom in atoms for term in atom.terms}
    free = isinstance(formula, ForAll) and {each.name for each in formula.variables} - bound
    if len(atoms) < len(parts) or free:
        return None
    return _Rule(premise.name, atoms, inner.consequence)


def _first(ways: Iterator[list[Atom] | None]) -> list[Atom] | None:
    return next((way for way in ways if way is not None), None)
