"""Questions as SMT-LIB 2.6 scripts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

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
)

SORT = "Thing"

_Name = TypeVar("_Name")


class Script:
    """A script in the making: names are numbered as they come, so that no name needs quoting."""

    def __init__(self) -> None:
        self.predicates: dict[tuple[str, int], str] = {}
        """Each predicate and the number of its terms, with its symbol."""
        self.constants: dict[str, str] = {}
        """Each constant with its symbol."""
        self._variables: dict[str, str] = {}
        self._guards: list[str] = []
        self._lines: list[str] = []

    def guard(self, symbol: str, formula: Formula) -> None:
        """Have a formula hold where a symbol of truth is assumed."""
        self._guards.append(symbol)
        self._lines.append(f"(assert (=> {symbol} {self._write(formula)}))")

    def text(self) -> str:
        """The script: declarations, then assertions."""
        declared = [f"(declare-sort {SORT} 0)"]
        declared += [f"(declare-const {symbol} Bool)" for symbol in self._guards]
        declared += [f"(declare-const {symbol} {SORT})" for symbol in self.constants.values()]
        for (_, n_terms), symbol in self.predicates.items():
            sorts = " ".join([SORT] * n_terms)
            declared.append(f"(declare-fun {symbol} ({sorts}) Bool)")
        return "\n".join((*declared, *self._lines))

    def _write(self, formula: Formula) -> str:
        match formula:
            case Atom(predicate, terms):
                return self._atom(predicate, terms)
            case Equal(left, right):
                return f"(= {self._term(left)} {self._term(right)})"
            case Not(inner):
                return f"(not {self._write(inner)})"
            case And(parts):
                return self._many("and", parts) if parts else "true"
            case Or(parts):
                return self._many("or", parts) if parts else "false"
            case Implies(condition, consequence):
                return f"(=> {self._write(condition)} {self._write(consequence)})"
            case Exists(variables, inner):
                return self._binding("exists", variables, inner)
            case ForAll(variables, inner):
                return self._binding("forall", variables, inner)

    def _many(self, operator: str, parts: Iterable[Formula]) -> str:
        return f"({operator} {' '.join([self._write(part) for part in parts])})"

    def _binding(
        self,
        quantifier: str,
        variables: tuple[Variable, ...],
        inner: Formula,
    ) -> str:
        symbols = list(dict.fromkeys([self._term(variable) for variable in variables]))
        body = self._write(inner)
        if not symbols:
            return body
        return f"({quantifier} ({' '.join([f'({each} {SORT})' for each in symbols])}) {body})"

    def _atom(self, predicate: str, terms: tuple[Term, ...]) -> str:
        symbol = numbered(self.predicates, (predicate, len(terms)), "p")
        if not terms:
            return symbol
        return f"({symbol} {' '.join([self._term(term) for term in terms])})"

    def _term(self, term: Term) -> str:
        if isinstance(term, Constant):
            return numbered(self.constants, term.name, "c")
        return numbered(self._variables, term.name, "x")


def numbered(symbols: dict[_Name, str], name: _Name, letter: str) -> str:
    """The symbol of a name, which is the next one where it has none yet."""
    symbol = symbols.get(name)
    if symbol is None:
        symbol = symbols[name] = f"{letter}{len(symbols)}"
    return symbol
