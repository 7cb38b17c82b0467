"""What plainly follows from premises, and from which of them: the chase, with its tracks.

Of premises that say only what there is, and what follows from what there is, everything that follows
is found step by step (Fagin, Kolaitis, Miller and Popa, TCS 2005). What other premises add is left
to the prover.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ensue.logic.formulas import (
    And,
    Atom,
    Constant,
    Exists,
    ForAll,
    Formula,
    Implies,
    Or,
    Term,
    Variable,
)
from ensue.logic.proving import Model, Premise

_EFFORT = 50_000
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
    effort: int = _EFFORT
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
