"""First-order formulas as values, and as text: the usual notation and that of the TPTP.

TPTP: Sutcliffe, "The TPTP Problem Library and Associated Infrastructure", JAR 2017; the syntax is
that of its first-order form (`fof`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ensue.logic.proving.questions import Premise

# First-order formulas, as values.


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


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """What a conjunction consists of."""
    if isinstance(formula, And):
        for part in formula.formulas:
            yield from conjuncts(part)
    else:
        yield formula


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


def has_equation(formula: Formula) -> bool:
    """Whether a formula says anywhere of two terms that they are the same thing."""
    match formula:
        case Equal():
            return True
        case Not(inner) | Exists(_, inner) | ForAll(_, inner):
            return has_equation(inner)
        case And(many) | Or(many):
            return any(has_equation(each) for each in many)
        case Implies(condition, consequence):
            return has_equation(condition) or has_equation(consequence)
    return False


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


# Formulas as text: in the usual notation, and in that of the TPTP, which provers read.

_IMPLIES, _OR, _AND, _UNARY = range(4)
"""How tightly what a formula is made with binds."""
_WORD = re.compile(r"\w[\w'’.-]*\Z")
_LOWER_WORD = re.compile(r"[a-z][a-zA-Z0-9_]*\Z")
_MARK = "__"


def to_text(formula: Formula) -> str:
    """Write a formula in the usual notation, with no more parentheses than it needs.

    >>> x = Variable("x")
    >>> to_text(ForAll((x,), Implies(Atom("dog", (x,)), Not(Atom("cat", (x,))))))
    '∀x (dog(x) → ¬cat(x))'
    """
    return _text(formula, _IMPLIES)


def _text(formula: Formula, place: int) -> str:
    """A formula where something at least so tight must stand."""
    match formula:
        case Atom(predicate, terms):
            inside = ", ".join([_name(term.name) for term in terms])
            return f"{_name(predicate)}({inside})" if terms else _name(predicate)
        case Equal(left, right):
            return f"{_name(left.name)} = {_name(right.name)}"
        case Not(Equal(left, right)):
            return f"{_name(left.name)} ≠ {_name(right.name)}"
        case Not(inner):
            return f"¬{_operand(inner)}"
        case And(()):
            return "⊤"
        case Or(()):
            return "⊥"
        case And((only,)) | Or((only,)):
            return _text(only, place)
        case And(parts):
            return _within(" ∧ ".join([_text(part, _AND + 1) for part in parts]), _AND, place)
        case Or(parts):
            return _within(" ∨ ".join([_text(part, _OR + 1) for part in parts]), _OR, place)
        case Implies(condition, consequence):
            text = f"{_text(condition, _IMPLIES + 1)} → {_text(consequence, _IMPLIES)}"
            return _within(text, _IMPLIES, place)
        case Exists(variables, inner):
            return f"∃{' '.join([_name(each.name) for each in variables])} {_operand(inner)}"
        case ForAll(variables, inner):
            return f"∀{' '.join([_name(each.name) for each in variables])} {_operand(inner)}"


def _operand(formula: Formula) -> str:
    """What a negation or a quantifier is put before; equations have a sign that they could miss."""
    text = _text(formula, _UNARY)
    return f"({text})" if _is_equation(formula) else text


def _is_equation(formula: Formula) -> bool:
    match formula:
        case Equal() | Not(Equal()):
            return True
        case And((only,)) | Or((only,)):
            return _is_equation(only)
        case _:
            return False


def _within(text: str, binding: int, place: int) -> str:
    return text if binding >= place else f"({text})"


def _name(name: str) -> str:
    return name if _WORD.match(name) else repr(name)


def tptp_problem(premises: Sequence[Premise], goal: Formula | None = None) -> str:
    """Write premises as axioms and a goal, where there is one, as the conjecture."""
    lines = [to_tptp(premise.name, "axiom", premise.formula) for premise in premises]
    if goal is not None:
        lines.append(to_tptp(goal_name(premises), "conjecture", goal))
    return "".join(f"{line}\n" for line in lines)


def goal_name(premises: Iterable[Premise]) -> str:
    """What the goal of a problem is called: as no premise is."""
    taken = {premise.name for premise in premises}
    number, name = 1, "goal"
    while name in taken:
        number += 1
        name = f"goal{number}"
    return name


def to_tptp(name: str, role: str, formula: Formula) -> str:
    """Write a formula as one annotated formula of the TPTP.

    Names that are not words of small letters are quoted. The same name may be that of a constant
    and of predicates with one, two or no terms, which some provers do not tell apart; so all but
    predicates with one term bear a mark.

    >>> x = Variable("x")
    >>> to_tptp("t1", "axiom", Exists((x,), Atom("in", (x, Constant("New York")))))
    "fof(t1, axiom, ? [X] : in__2(X,'New York__c'))."
    """
    return f"fof({tptp_name(name)}, {role}, {_tptp(formula, {})})."


def tptp_name(name: str, mark: str = "") -> str:
    """The word or the quoted text that stands for a name with a mark, and for no other."""
    # ASCII alone, and nothing unprintable; that way back leads, too: no two names become one
    text = name.encode("unicode_escape").decode("ascii")
    if _MARK in text or text.endswith("_"):
        text = text.replace("_", r"\x5f")
    text = f"{text or chr(92)}{mark and _MARK}{mark}"
    if _LOWER_WORD.match(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _tptp(formula: Formula, variables: Mapping[str, str]) -> str:
    match formula:
        case Atom(predicate, terms):
            return _tptp_atom(predicate, terms, variables)
        case Equal(left, right):
            return f"({_tptp_term(left, variables)} = {_tptp_term(right, variables)})"
        case Not(inner):
            return f"~ {_tptp(inner, variables)}"
        case And(parts):
            return _tptp_many(" & ", parts, variables) if parts else "$true"
        case Or(parts):
            return _tptp_many(" | ", parts, variables) if parts else "$false"
        case Implies(condition, consequence):
            return f"({_tptp(condition, variables)} => {_tptp(consequence, variables)})"
        case Exists(bound, inner):
            return _tptp_quantified("?", bound, inner, variables)
        case ForAll(bound, inner):
            return _tptp_quantified("!", bound, inner, variables)


def _tptp_atom(predicate: str, terms: Sequence[Term], variables: Mapping[str, str]) -> str:
    if not terms:
        return tptp_name(predicate, "0")
    inside = ",".join([_tptp_term(term, variables) for term in terms])
    return f"{tptp_name(predicate, '' if len(terms) == 1 else str(len(terms)))}({inside})"


def _tptp_many(sign: str, parts: Sequence[Formula], variables: Mapping[str, str]) -> str:
    text = sign.join([_tptp(part, variables) for part in parts])
    return text if len(parts) == 1 else f"({text})"


def _tptp_quantified(
    sign: str, bound: Sequence[Variable], inner: Formula, variables: Mapping[str, str]
) -> str:
    known = dict(variables)
    for variable in bound:
        known[variable.name] = _tptp_variable(variable.name, known)
    names = ",".join(dict.fromkeys([known[variable.name] for variable in bound]))
    text = _tptp(inner, known)
    return f"{sign} [{names}] : {text}" if names else text


def _tptp_term(term: Term, variables: Mapping[str, str]) -> str:
    if isinstance(term, Constant):
        return tptp_name(term.name, "c")
    return variables.get(term.name) or _tptp_variable(term.name, variables)


def _tptp_variable(name: str, known: Mapping[str, str]) -> str:
    """A variable's name in capitals, and a number where that is taken."""
    if name in known:
        return known[name]
    plain = re.sub("[^A-Z0-9]", "", name.upper()) if name.isascii() else ""
    stem = plain if plain[:1].isalpha() else f"X{plain}"
    taken = set(known.values())
    number, found = 1, stem
    while found in taken:
        number += 1
        found = f"{stem}_{number}"
    return found
