"""Formulas in a finite world: whether they hold, of which things, and how nearly."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

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
    Term,
    Variable,
    conjuncts,
    free_variables,
)
from ensue.logic.proving.questions import Model

# A world, and the truth of a formula in it.

Fact = tuple[str, tuple[str, ...]]
"""A predicate with the things that it holds of."""
Binding = dict[str, str]
"""The thing of a world that each variable stands for."""


class SpentEffort(Exception):
    """More was looked at than the effort allows."""


class World:
    """Things and facts about them, in which formulas are evaluated.

    Facts may be added and removed; what is not a fact is false.
    """

    def __init__(
        self, model: Model, effort: float = math.inf, deadline: Deadline | None = None
    ) -> None:
        self.things = dict.fromkeys(model.things)
        self._deadline = deadline or Deadline()
        self.effort = effort
        """Formulas, facts and things that may still be looked at."""
        self._names = dict(model.constants)
        self._facts: dict[tuple[str, int], dict[tuple[str, ...], None]] = {}
        for fact in model.facts:
            self.add(fact)
        # by the formulas' own addresses: they outlive this world, or are kept in their plans
        self._plans: dict[tuple[int, bool], _Plan] = {}

    def __contains__(self, fact: Fact) -> bool:
        predicate, things = fact
        return things in self._facts.get((predicate, len(things)), ())

    @property
    def facts(self) -> Iterator[Fact]:
        """All facts, predicate by predicate."""
        return ((name, each) for (name, _), held in self._facts.items() for each in held)

    def add(self, fact: Fact) -> bool:
        """Make a fact true; whether it was not."""
        predicate, things = fact
        held = self._facts.setdefault((predicate, len(things)), {})
        if things in held:
            return False
        held[things] = None
        return True

    def remove(self, fact: Fact) -> None:
        """Make a fact false."""
        predicate, things = fact
        del self._facts[predicate, len(things)][things]

    def model(self) -> Model:
        """The world as it is now."""
        return Model(tuple(self.things), tuple(self.facts), tuple(self._names.items()))

    def spend(self, n: int = 1) -> None:
        """Count what is looked at.

        Raises:
            SpentEffort: it is more than was allowed.
            TimeOver: the deadline has passed.
        """
        self._deadline.check()
        self.effort -= n
        if self.effort < 0:
            raise SpentEffort

    def ground(self, atom: Atom, known: Binding) -> Fact:
        """The fact that an atom is of the things that its variables stand for."""
        return atom.predicate, tuple([self._thing(each, known) for each in atom.terms])

    def _thing(self, term: Term, known: Binding) -> str:
        """What a term stands for; a constant that the world does not know stands for itself."""
        if isinstance(term, Constant):
            return self._names.get(term.name, term.name)
        return known[term.name]

    def holds(self, formula: Formula, known: Binding) -> bool:
        """Whether a formula is true of the things that its variables stand for."""
        self.spend()
        match formula:
            case Atom(predicate, terms):
                held = self._facts.get((predicate, len(terms)))
                things = tuple([self._thing(each, known) for each in terms])
                return held is not None and things in held
            case Equal(left, right):
                return self._thing(left, known) == self._thing(right, known)
            case Not(inner):
                return not self.holds(inner, known)
            case And(parts):
                return all(self.holds(part, known) for part in parts)
            case Or(parts):
                return any(self.holds(part, known) for part in parts)
            case Implies(condition, consequence):
                return not self.holds(condition, known) or self.holds(consequence, known)
            case Exists(variables, inner):
                return any(True for _ in self.bindings(variables, inner, known))
            case ForAll(variables, inner):
                return not any(True for _ in self.bindings(variables, inner, known, negated=True))

    def bindings(
        self,
        variables: Sequence[Variable],
        formula: Formula,
        known: Binding,
        *,
        negated: bool = False,
    ) -> Iterator[Binding]:
        """The things that variables may stand for so that a formula, or its negation, holds."""
        plan = self._plans.get((id(formula), negated))
        if plan is None:
            plan = _Plan(negation(formula) if negated else formula, formula)
            self._plans[id(formula), negated] = plan
        names = list(dict.fromkeys([each.name for each in variables]))
        if known:
            known = {name: thing for name, thing in known.items() if name not in names}
        for found in self.matches(plan.atoms, known):
            for full in self._filled([each for each in names if each not in found], found):
                if all(self.holds(other, full) for other in plan.others):
                    yield full

    def matches(self, atoms: Sequence[Atom], known: Binding) -> Iterator[Binding]:
        """The ways in which all of some atoms are facts; those with fewest come first."""
        if not atoms:
            yield known
            return
        self.spend(len(atoms))
        costs = [self._cost(atom, known) for atom in atoms]
        at = costs.index(min(costs))
        atom, rest = atoms[at], [*atoms[:at], *atoms[at + 1 :]]
        if not costs[at]:
            if self.holds(atom, known):
                yield from self.matches(rest, known)
            return
        for things in list(self._facts.get((atom.predicate, len(atom.terms)), ())):
            self.spend()
            found = self._unified(atom.terms, things, known)
            if found is not None:
                yield from self.matches(rest, found)

    def _cost(self, atom: Atom, known: Binding) -> int:
        if all(isinstance(each, Constant) or each.name in known for each in atom.terms):
            return 0
        return 1 + len(self._facts.get((atom.predicate, len(atom.terms)), ()))

    def _unified(
        self, terms: Sequence[Term], things: Sequence[str], known: Binding
    ) -> Binding | None:
        """What is known and what terms stand for where they are those of a fact."""
        found = known
        for term, thing in zip(terms, things, strict=True):
            if isinstance(term, Constant):
                if self._names.get(term.name, term.name) != thing:
                    return None
            elif term.name not in found:
                found = found | {term.name: thing}
            elif found[term.name] != thing:
                return None
        return found

    def _filled(self, names: Sequence[str], known: Binding) -> Iterator[Binding]:
        """The ways in which further variables stand for whatever there is."""
        if not names:
            yield known
            return
        for thing in list(self.things):
            self.spend()
            yield from self._filled(names[1:], known | {names[0]: thing})


class _Plan:
    """How to look for what a conjunction holds of: its atoms first, then the others."""

    # facts that an atom matches are few, while a negation or a disjunction has to be tried of
    # every thing: after the atoms are matched, few variables are left to try

    __slots__ = ("atoms", "kept", "others")

    def __init__(self, formula: Formula, kept: Formula) -> None:
        self.atoms: list[Atom] = []
        self.others: list[Formula] = []
        self.kept = kept
        for part in conjuncts(formula):
            if isinstance(part, Atom):
                self.atoms.append(part)
            else:
                self.others.append(part)


def negation(formula: Formula) -> Formula:
    """That a formula does not hold, with negations as far in as they go."""
    match formula:
        case Not(inner):
            return inner
        case And(parts):
            return Or(tuple([negation(part) for part in parts]))
        case Or(parts):
            return And(tuple([negation(part) for part in parts]))
        case Implies(condition, consequence):
            return And((condition, negation(consequence)))
        case Exists(variables, inner):
            return ForAll(variables, negation(inner))
        case ForAll(variables, inner):
            return Exists(variables, negation(inner))
        case _:
            return Not(formula)


# How nearly conditions can be true in a world, and what a world can do without.

_FIT_EFFORT = 30_000
"""What may be looked at to find the best that variables may stand for."""
_LEAN_EFFORT = 100_000
"""What may be looked at to find facts that are not needed."""
_MOST_FACTS, _MOST_THINGS = 200, 10


@dataclass(frozen=True, slots=True)
class Fit:
    """How conditions come nearest to being true in a world."""

    binding: Binding
    false: tuple[int, ...]
    """The numbers of the conditions that are not."""


def best_fit(
    world: World,
    variables: Sequence[Variable],
    conditions: Sequence[Formula],
    weights: Sequence[int] = (),
) -> Fit:
    """What variables must stand for so that as many conditions as possible are true.

    The search is given up after a fixed effort; then it is the best that was found.

    Args:
        world: Where they are to be true.
        variables: What is free in the conditions.
        conditions: What is to be true.
        weights: How much each condition counts; all the same where none are given.
    """
    names = list(dict.fromkeys(each.name for each in variables))
    search = _Search(world, names, conditions, weights)
    world.effort = _FIT_EFFORT
    with suppress(SpentEffort):
        search.go(0, {}, ())
    world.effort = math.inf
    return search.best or Fit({}, tuple(range(len(conditions))))


@dataclass(slots=True)
class _Search:
    """A search for things that leave fewer conditions false than the best so far."""

    world: World
    names: list[str]
    conditions: Sequence[Formula]
    weights: Sequence[int] = ()
    most: int = sys.maxsize
    """How much of what is false is too much."""
    best: Fit | None = None
    levels: list[list[int]] = field(init=False)
    """The conditions that can be looked at when so many variables are bound."""

    def __post_init__(self) -> None:
        free = [
            frozenset(variable.name for variable in free_variables(condition))
            for condition in self.conditions
        ]
        if len(self.names) > 1:
            self.names = _in_order(self.names, free)
        self.weights = self.weights or [1] * len(self.conditions)
        self.levels = [[] for _ in range(len(self.names) + 1)]
        for number, own in enumerate(free):
            last = max((at + 1 for at, name in enumerate(self.names) if name in own), default=0)
            self.levels[last].append(number)

    def go(self, level: int, known: Binding, false: tuple[int, ...]) -> None:
        """Bind one variable more in every way that may become the best."""
        here = self.levels[level]
        false += tuple(n for n in here if not self.world.holds(self.conditions[n], known))
        cost = sum(self.weights[n] for n in false)
        if cost >= self.most:
            return
        if level == len(self.names):
            self.best, self.most = Fit(known, tuple(sorted(false))), cost
            return
        for thing in self.world.things:
            if not self.most:
                return
            self.go(level + 1, {**known, self.names[level]: thing}, false)


def _in_order(names: Sequence[str], free: Sequence[frozenset[str]]) -> list[str]:
    """Variables so that conditions can be looked at early: each next to those it is said with."""
    found: list[str] = []
    while len(found) < len(names):
        waiting = [name for name in names if name not in found]
        known = frozenset(found) | (frozenset().union(*free) - frozenset(names))
        found.append(max(waiting, key=lambda name: _ties(name, known, free)))
    return found


def _ties(name: str, known: frozenset[str], free: Sequence[frozenset[str]]) -> tuple[int, int]:
    """How many conditions can be looked at with a variable, and how many have it."""
    own = [each for each in free if name in each]
    return sum(each <= known | {name} for each in own), len(own)


def lean(
    model: Model,
    premises: Sequence[Formula],
    goal: Formula,
    deadline: Deadline | None = None,
) -> Model:
    """A world without facts that are needed neither to make premises true nor a goal false.

    Provers give worlds with whatever else holds in them. One that is too large is left as it is.
    """
    if len(model.facts) > _MOST_FACTS or len(model.things) > _MOST_THINGS:
        return model
    world, wanted = World(model, _LEAN_EFFORT, deadline), [*premises, Not(goal)]
    try:
        if not all(world.holds(each, {}) for each in wanted):
            return model
        for fact in reversed(model.facts):
            world.remove(fact)
            if not all(world.holds(each, {}) for each in wanted):
                world.add(fact)
    except SpentEffort:
        return model
    return replace(model, facts=tuple(fact for fact in model.facts if fact in world))
