"""Formulas in a finite world: whether they hold, how nearly, and what follows plainly.

Of premises that say only what there is, and what follows from what there is, everything that follows
is found step by step (Fagin, Kolaitis, Miller and Popa, TCS 2005). What other premises add is left
to the prover.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from ensue.logic.proving.questions import Model, Premise

# What plainly follows from premises, and from which of them: the chase, with its tracks.

_CLOSURE_EFFORT = 50_000
"""Atoms that are looked at before nothing more is derived."""

Terms = Mapping[str, Constant]
"""What variables stand for."""


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


@dataclass(slots=True)
class Closure:
    """Ground atoms with their tracks."""

    tracks: dict[Atom, Track] = field(default_factory=dict)
    is_whole: bool = True
    """Whether all that follows from the premises is here."""
    _by_predicate: dict[tuple[str, int], list[Atom]] = field(default_factory=dict)
    _n_new: int = 0
    effort: int = _CLOSURE_EFFORT
    """What may still be looked at while it grows."""

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

    def model(self) -> Model:
        """The least world in which all of this is true."""
        names = dict.fromkeys(term.name for atom in self.tracks for term in atom.terms)
        facts = [(atom.predicate, tuple(term.name for term in atom.terms)) for atom in self.tracks]
        return Model(tuple(names), tuple(facts), tuple((name, name) for name in names))

    def needed(self, formula: Formula, known: Terms) -> list[Atom] | None:
        """The atoms by which a formula is true here; None where it is not, or not by atoms alone."""
        match formula:
            case Atom():
                ground = _ground(formula, known)
                return [ground] if ground in self.tracks else None
            case And(parts):
                found = [self.needed(part, known) for part in parts]
                if any(each is None for each in found):
                    return None
                return [atom for each in found if each is not None for atom in each]
            case Or(parts):
                ways = (self.needed(part, known) for part in parts)
                return next((way for way in ways if way is not None), None)
            case Exists(variables, inner):
                return self._needed_by_some(variables, inner, known)
        return None

    def _needed_by_some(
        self, variables: Sequence[Variable], inner: Formula, known: Terms
    ) -> list[Atom] | None:
        own = {variable.name for variable in variables}
        outside = {name: term for name, term in known.items() if name not in own}
        parts = inner.formulas if isinstance(inner, And) else (inner,)
        plain = [part for part in parts if isinstance(part, Atom)]
        for binding in self.matches(plain, outside):
            if own <= binding.keys():
                found = self.needed(inner, binding)
                if found is not None:
                    return found
        return None

    def matches(self, atoms: Sequence[Atom], known: Terms) -> Iterator[Terms]:
        """The ways in which all of some atoms are here."""
        if not atoms:
            yield known
            return
        first = max(atoms, key=lambda atom: _n_bound(atom, known))
        rest = [atom for atom in atoms if atom is not first]
        for atom in list(self._by_predicate.get((first.predicate, len(first.terms)), ())):
            self.effort -= 1
            found = _unified(first.terms, atom.terms, known)
            if found is not None:
                yield from self.matches(rest, found)

    def say(self, formula: Formula, known: Terms, track: Track) -> bool:
        """Add what a formula says; whether anything was new."""
        match formula:
            case Atom():
                atom = _ground(formula, known)
                if atom in self.tracks:
                    return False
                self.tracks[atom] = track
                self._by_predicate.setdefault((atom.predicate, len(atom.terms)), []).append(atom)
                return True
            case And(parts):
                new = [self.say(part, known, track) for part in parts]
                return any(new)
            case Exists(variables, inner):
                if self.needed(formula, known) is not None:
                    return False
                fresh = {variable.name: self._new(variable) for variable in variables}
                return self.say(inner, {**known, **fresh}, track)
        self.is_whole = False
        return False

    def _new(self, variable: Variable) -> Constant:
        self._n_new += 1
        return Constant(f"{variable.name}~{self._n_new}")


def closure_of(premises: Sequence[Premise]) -> Closure:
    """All that plainly follows from premises."""
    found = Closure()
    rules: list[_Rule] = []
    for premise in premises:
        rule = _rule(premise)
        if rule is not None:
            rules.append(rule)
        else:
            found.say(premise.formula, {}, Track(premise.name))
    new = True
    while new and found.effort > 0:
        new = sum(_apply(rule, found) for rule in rules) > 0
    found.is_whole &= not new
    return found


def _rule(premise: Premise) -> _Rule | None:
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


def _apply(rule: _Rule, found: Closure) -> bool:
    """Add what a rule leads to; whether anything was new."""
    new = False
    for binding in list(found.matches(rule.conditions, {})):
        if found.effort <= 0:
            return True  # there may be more
        sources = tuple(_ground(atom, binding) for atom in rule.conditions)
        new |= found.say(rule.consequence, binding, Track(rule.premise, sources))
    return new


def _ground(atom: Atom, known: Terms) -> Atom:
    return Atom(atom.predicate, tuple(known.get(term.name, term) for term in atom.terms))


def _n_bound(atom: Atom, known: Terms) -> int:
    return sum(isinstance(term, Constant) or term.name in known for term in atom.terms)


def _unified(terms: Sequence[Term], others: Sequence[Term], known: Terms) -> Terms | None:
    found = dict(known)
    for term, other in zip(terms, others, strict=True):
        if isinstance(term, Constant):
            if term != other:
                return None
        elif found.setdefault(term.name, _constant(other)) != other:
            return None
    return found


def _constant(term: Term) -> Constant:
    return Constant(term.name)


# Formulas in a finite world: whether they hold there, and how near they come to it.

_FIT_EFFORT = 30_000
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
    world.effort = _FIT_EFFORT
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
