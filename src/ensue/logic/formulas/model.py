"""First-order formulas, as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    """What a quantifier binds."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """One particular thing or event."""

    name: str


Term = Variable | Constant


@dataclass(frozen=True, slots=True)
class Atom:
    """That a predicate holds of terms: `man(x)`, `agent(e, x)`."""

    predicate: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """That two terms are the same thing."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not:
    """That something does not hold."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class And:
    """That all of these hold; true where there are none."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """That one of these holds; false where there are none."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Implies:
    """That one thing holds where another does."""

    condition: Formula
    consequence: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    """That something holds of some."""

    variables: tuple[Variable, ...]
    formula: Formula


@dataclass(frozen=True, slots=True)
class ForAll:
    """That something holds of all."""

    variables: tuple[Variable, ...]
    formula: Formula


Formula = Atom | Equal | Not | And | Or | Implies | Exists | ForAll

TRUE = And(())
FALSE = Or(())


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """All of these, without nesting; the only one itself."""
    found: list[Formula] = []
    for formula in formulas:
        if isinstance(formula, And):
            found.extend(formula.formulas)
        else:
            found.append(formula)
    distinct = tuple(dict.fromkeys(found))
    return distinct[0] if len(distinct) == 1 else And(distinct)


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """One of these, without nesting; the only one itself."""
    found: list[Formula] = []
    for formula in formulas:
        if isinstance(formula, Or):
            found.extend(formula.formulas)
        else:
            found.append(formula)
    distinct = tuple(dict.fromkeys(found))
    return distinct[0] if len(distinct) == 1 else Or(distinct)


def exists(variables: Iterable[Variable], formula: Formula) -> Formula:
    """That a formula holds of some; the formula itself where there is nothing to bind."""
    bound = tuple(variables)
    if not bound:
        return formula
    if isinstance(formula, Exists):
        return Exists((*bound, *formula.variables), formula.formula)
    return Exists(bound, formula)


def for_all(variables: Iterable[Variable], formula: Formula) -> Formula:
    """That a formula holds of all; the formula itself where there is nothing to bind."""
    bound = tuple(variables)
    if not bound:
        return formula
    if isinstance(formula, ForAll):
        return ForAll((*bound, *formula.variables), formula.formula)
    return ForAll(bound, formula)


def atoms(formula: Formula) -> Iterator[Atom]:
    """Every atom of a formula, in the order of writing."""
    match formula:
        case Atom():
            yield formula
        case Not(inner) | Exists(_, inner) | ForAll(_, inner):
            yield from atoms(inner)
        case And(many) | Or(many):
            for each in many:
                yield from atoms(each)
        case Implies(condition, consequence):
            yield from atoms(condition)
            yield from atoms(consequence)


def constants(formula: Formula) -> Iterator[Constant]:
    """Every constant of a formula, in the order of writing, as often as it is written."""
    match formula:
        case Atom(_, terms):
            yield from (term for term in terms if isinstance(term, Constant))
        case Equal(left, right):
            yield from (term for term in (left, right) if isinstance(term, Constant))
        case Not(inner) | Exists(_, inner) | ForAll(_, inner):
            yield from constants(inner)
        case And(many) | Or(many):
            for each in many:
                yield from constants(each)
        case Implies(condition, consequence):
            yield from constants(condition)
            yield from constants(consequence)


def free_variables(formula: Formula) -> frozenset[Variable]:
    """The variables that no quantifier binds."""
    match formula:
        case Atom(_, terms):
            return frozenset(term for term in terms if isinstance(term, Variable))
        case Equal(left, right):
            return frozenset(term for term in (left, right) if isinstance(term, Variable))
        case Not(inner):
            return free_variables(inner)
        case And(many) | Or(many):
            return frozenset[Variable]().union(*(free_variables(each) for each in many))
        case Implies(condition, consequence):
            return free_variables(condition) | free_variables(consequence)
        case Exists(variables, inner) | ForAll(variables, inner):
            return free_variables(inner) - frozenset(variables)


def substituted(formula: Formula, terms: Mapping[Variable, Term]) -> Formula:
    """A formula with other terms for some of its free variables; these must not be bound in it."""
    match formula:
        case Atom(predicate, old):
            return Atom(predicate, tuple(_instead(term, terms) for term in old))
        case Equal(left, right):
            return Equal(_instead(left, terms), _instead(right, terms))
        case Not(inner):
            return Not(substituted(inner, terms))
        case And(many):
            return And(tuple(substituted(each, terms) for each in many))
        case Or(many):
            return Or(tuple(substituted(each, terms) for each in many))
        case Implies(condition, consequence):
            return Implies(substituted(condition, terms), substituted(consequence, terms))
        case Exists(variables, inner):
            return Exists(variables, substituted(inner, _without(terms, variables)))
        case ForAll(variables, inner):
            return ForAll(variables, substituted(inner, _without(terms, variables)))


def _instead(term: Term, terms: Mapping[Variable, Term]) -> Term:
    return terms.get(term, term) if isinstance(term, Variable) else term


def _without(
    terms: Mapping[Variable, Term], variables: tuple[Variable, ...]
) -> dict[Variable, Term]:
    return {variable: term for variable, term in terms.items() if variable not in variables}
