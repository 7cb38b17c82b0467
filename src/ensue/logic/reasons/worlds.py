"""Formulas in a finite world: whether they hold there, and how near they come to it."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

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
    conjunction,
    free_variables,
)
from ensue.logic.proving import Model

_EFFORT = 30_000
"""Formulas that are looked at to find the best that variables may stand for."""
_EFFORT_LEANING = 100_000

_MOST_FACTS, _MOST_THINGS = 200, 10

Binding = Mapping[str, str]
"""The thing of a world that each variable stands for."""


class _Over(Exception):
    """The effort is spent."""


class World:
    """A model in which formulas are looked up."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.things = model.things
        self.facts = set(model.facts)
        self._constants = dict(model.constants)
        self.effort: float = math.inf
        """Formulas that may still be looked at."""

    @property
    def model(self) -> Model:
        """The world as it is now, its facts in the order of the model that it was made of."""
        return replace(self._model, facts=tuple(f for f in self._model.facts if f in self.facts))

    def holds(self, formula: Formula, known: Binding) -> bool:
        """Whether a formula is true of the things that its variables stand for."""
        self.effort -= 1
        if self.effort < 0:
            raise _Over
        match formula:
            case Atom(predicate, terms):
                return (predicate, tuple([self.thing(each, known) for each in terms])) in self.facts
            case Equal(left, right):
                return self.thing(left, known) == self.thing(right, known)
            case Not(inner):
                return not self.holds(inner, known)
            case And(parts):
                return all(self.holds(part, known) for part in parts)
            case Or(parts):
                return any(self.holds(part, known) for part in parts)
            case Implies(condition, consequence):
                return not self.holds(condition, known) or self.holds(consequence, known)
            case Exists(variables, inner):
                return self._some(variables, inner, known)
            case ForAll(variables, Implies(condition, consequence)):
                return not self._some(variables, conjunction([condition, Not(consequence)]), known)
            case ForAll(variables, inner):
                return not self._some(variables, Not(inner), known)

    def thing(self, term: Term, known: Binding) -> str:
        """What a term stands for; a constant that the world does not know stands for itself."""
        if isinstance(term, Constant):
            return self._constants.get(term.name, term.name)
        return known[term.name]

    def _some(self, variables: Sequence[Variable], formula: Formula, known: Binding) -> bool:
        """Whether there are things of which a formula holds."""
        parts = formula.formulas if isinstance(formula, And) else (formula,)
        names = list(dict.fromkeys(variable.name for variable in variables))
        outside = {name: thing for name, thing in known.items() if name not in names}
        search = _Search(self, names, parts, most=1)
        search.go(0, outside, ())
        return search.best is not None


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
    world.effort = _EFFORT
    with suppress(_Over):
        search.go(0, {}, ())
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


def lean(model: Model, premises: Sequence[Formula], goal: Formula) -> Model:
    """A world without facts that are needed neither to make premises true nor a goal false.

    Provers give worlds with whatever else holds in them. One that is too large is left as it is.
    """
    world = World(model)
    if len(model.facts) > _MOST_FACTS or len(model.things) > _MOST_THINGS:
        return model
    wanted = [*premises, Not(goal)]
    world.effort = _EFFORT_LEANING
    try:
        if not all(world.holds(each, {}) for each in wanted):
            return model
        for fact in reversed(model.facts):
            world.facts.discard(fact)
            if not all(world.holds(each, {}) for each in wanted):
                world.facts.add(fact)
    except _Over:
        return model
    return world.model
