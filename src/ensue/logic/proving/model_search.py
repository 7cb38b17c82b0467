"""Search for a least model of formulas, tried before a prover.

Where formulas say only what there is and what follows from that, as most sentences do, their least
world is built by adding what is missing until nothing is (the restricted chase of Fagin, Kolaitis,
Miller and Popa, TCS 2005). What else they say is not built but checked: a world is a model only
if every formula is true in it. So a guess is right or there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    constants,
)
from ensue.logic.proving.questions import Model

EFFORT = 10_000
"""Formulas, facts and things that may be looked at for one guess: some ten milliseconds."""

_Things = dict[str, str]
"""The things that variables stand for."""


class _Over(Exception):
    """The effort is spent."""


def guess_model(formulas: Sequence[Formula], *, effort: int = EFFORT) -> Model | None:
    """A model of closed formulas, where the least world that they could hold in is one."""
    world = _World(formulas, effort)
    try:
        world.grow(formulas)
        true = all(world.holds(formula, {}) for formula in formulas)
    except _Over:
        return None
    return world.model() if true else None


class _Plan:
    """How to look for what a conjunction holds of: its atoms first, then the others."""

    __slots__ = ("atoms", "kept", "others")

    def __init__(self, formula: Formula, kept: Formula) -> None:
        self.atoms: list[Atom] = []
        self.others: list[Formula] = []
        self.kept = kept
        for part in _parts(formula):
            if isinstance(part, Atom):
                self.atoms.append(part)
            else:
                self.others.append(part)


class _World:
    def __init__(self, formulas: Sequence[Formula], effort: int) -> None:
        names = (constant.name for formula in formulas for constant in constants(formula))
        self._constants = tuple(dict.fromkeys(names))
        self._things = dict.fromkeys(self._constants)
        self._facts: dict[tuple[str, int], dict[tuple[str, ...], None]] = {}
        self._effort = effort
        self._grown = False
        # by the formulas' own addresses: they outlive this world, or are kept here
        self._plans: dict[tuple[int, bool], _Plan] = {}

    def model(self) -> Model:
        return Model(
            tuple(self._things),
            tuple((name, each) for (name, _), held in self._facts.items() for each in held),
            tuple((name, name) for name in self._constants),
        )

    def grow(self, formulas: Sequence[Formula]) -> None:
        """Add facts and things until formulas hold, as far as adding can make them."""
        for formula in formulas:
            self._add(formula, {})
        if not self._things:
            self._new("thing")  # there is no logic of the empty world
        rest = [formula for formula in formulas if not _is_fact(formula)]
        while self._grown:
            self._grown = False
            for formula in rest:
                self._add(formula, {})

    def _add(self, formula: Formula, known: _Things) -> None:
        self._spend()
        match formula:
            case Atom(predicate, terms):
                held = self._facts.setdefault((predicate, len(terms)), {})
                fact = tuple([_thing(term, known) for term in terms])
                if fact not in held:
                    held[fact] = None
                    self._grown = True
            case And(parts):
                for part in parts:
                    self._add(part, known)
            case Or(parts):
                self._add_one_of(parts, formula, known)
            case Implies(condition, consequence):
                if self.holds(condition, known):
                    self._add(consequence, known)
            case Exists(variables, inner):
                if not self.holds(formula, known):
                    fresh = {each.name: self._new(each.name) for each in variables}
                    self._add(inner, known | fresh)
            case ForAll(variables, inner):
                for found in list(self._found(variables, inner, known, negated=True)):
                    self._add(inner, found)
            case Not(inner) if not isinstance(inner, Atom | Equal | Not):
                self._add(_negation(inner), known)
            case Not(Not(inner)):
                self._add(inner, known)

    def _add_one_of(self, parts: Sequence[Formula], formula: Formula, known: _Things) -> None:
        """Make the first part true that adding can make so, unless one is."""
        if self.holds(formula, known):
            return
        for part in parts:
            if not isinstance(part, Equal) and not (
                isinstance(part, Not) and isinstance(part.formula, Atom | Equal)
            ):
                self._add(part, known)
                return

    def _new(self, name: str) -> str:
        self._spend()
        number = 1
        while f"{name}{number}" in self._things:
            number += 1
        self._things[f"{name}{number}"] = None
        self._grown = True
        return f"{name}{number}"

    def holds(self, formula: Formula, known: _Things) -> bool:
        """Whether a formula is true of the things that its variables stand for."""
        self._spend()
        match formula:
            case Atom(predicate, terms):
                held = self._facts.get((predicate, len(terms)))
                return held is not None and tuple([_thing(each, known) for each in terms]) in held
            case Equal(left, right):
                return _thing(left, known) == _thing(right, known)
            case Not(inner):
                return not self.holds(inner, known)
            case And(parts):
                return all(self.holds(part, known) for part in parts)
            case Or(parts):
                return any(self.holds(part, known) for part in parts)
            case Implies(condition, consequence):
                return not self.holds(condition, known) or self.holds(consequence, known)
            case Exists(variables, inner):
                return any(True for _ in self._found(variables, inner, known))
            case ForAll(variables, inner):
                return not any(True for _ in self._found(variables, inner, known, negated=True))

    def _found(
        self,
        variables: Sequence[Variable],
        formula: Formula,
        known: _Things,
        *,
        negated: bool = False,
    ) -> Iterator[_Things]:
        """The things that variables may stand for so that a formula, or its negation, holds."""
        plan = self._plans.get((id(formula), negated))
        if plan is None:
            plan = _Plan(_negation(formula) if negated else formula, formula)
            self._plans[id(formula), negated] = plan
        names = list(dict.fromkeys([each.name for each in variables]))
        if known:
            known = {name: thing for name, thing in known.items() if name not in names}
        for found in self._matched(plan.atoms, known):
            for full in self._filled([each for each in names if each not in found], found):
                if all(self.holds(other, full) for other in plan.others):
                    yield full

    def _matched(self, atoms: list[Atom], known: _Things) -> Iterator[_Things]:
        """The ways in which all of some atoms are facts; those with fewest come first."""
        if not atoms:
            yield known
            return
        self._spend(len(atoms))
        costs = [self._cost(atom, known) for atom in atoms]
        at = costs.index(min(costs))
        atom, rest = atoms[at], atoms[:at] + atoms[at + 1 :]
        if not costs[at]:
            if self.holds(atom, known):
                yield from self._matched(rest, known)
            return
        for fact in list(self._facts.get((atom.predicate, len(atom.terms)), ())):
            self._spend()
            found = _unified(atom.terms, fact, known)
            if found is not None:
                yield from self._matched(rest, found)

    def _cost(self, atom: Atom, known: _Things) -> int:
        if all(isinstance(each, Constant) or each.name in known for each in atom.terms):
            return 0
        return 1 + len(self._facts.get((atom.predicate, len(atom.terms)), ()))

    def _filled(self, names: Sequence[str], known: _Things) -> Iterator[_Things]:
        """The ways in which further variables stand for whatever there is."""
        if not names:
            yield known
            return
        for thing in list(self._things):
            self._spend()
            yield from self._filled(names[1:], known | {names[0]: thing})

    def _spend(self, n: int = 1) -> None:
        self._effort -= n
        if self._effort < 0:
            raise _Over


def _thing(term: Term, known: _Things) -> str:
    return term.name if isinstance(term, Constant) else known[term.name]


def _unified(terms: Sequence[Term], fact: Sequence[str], known: _Things) -> _Things | None:
    """What is known and what terms stand for where they are those of a fact."""
    found = known
    for term, thing in zip(terms, fact, strict=True):
        if isinstance(term, Constant):
            if term.name != thing:
                return None
        elif term.name not in found:
            found = found | {term.name: thing}
        elif found[term.name] != thing:
            return None
    return found


def _negation(formula: Formula) -> Formula:
    """That a formula does not hold, with the negation one step further in."""
    match formula:
        case Not(inner):
            return inner
        case And(parts):
            return Or(tuple([_negation(part) for part in parts]))
        case Or(parts):
            return And(tuple([_negation(part) for part in parts]))
        case Implies(condition, consequence):
            return And((condition, _negation(consequence)))
        case Exists(variables, inner):
            return ForAll(variables, _negation(inner))
        case ForAll(variables, inner):
            return Exists(variables, _negation(inner))
        case _:
            return Not(formula)


def _is_fact(formula: Formula) -> bool:
    return all(isinstance(part, Atom) for part in _parts(formula))


def _parts(formula: Formula) -> Iterator[Formula]:
    """What a conjunction consists of."""
    if isinstance(formula, And):
        for part in formula.formulas:
            yield from _parts(part)
    else:
        yield formula
