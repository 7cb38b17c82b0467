"""Propositions as predicates: what may be, what is said, believed or wanted.

First-order logic has no propositions. One is written as a predicate here, whose name is the formula
and whose terms are the things from outside that it speaks of. So two of them are the same if they are
written alike, which is sound, and says nothing of what follows inside them.
"""

from __future__ import annotations

from collections.abc import Mapping

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
    atoms,
)


def proposition(kind: str, formula: Formula, *terms: Term) -> Atom:
    """That something is the case in a way that says nothing of whether it is the case."""
    writer = _Writer()
    written = writer.write(formula, {})
    return Atom(f"{kind}: {written}", (*terms, *writer.outside))


def _key(formula: Formula) -> str:
    """What formulas are sorted by: what they say, whatever they say it of."""
    return " ".join(sorted(atom.predicate for atom in atoms(formula)))


class _Writer:
    """Writes formulas so that the names of variables do not matter, nor the order of conditions."""

    def __init__(self) -> None:
        self.outside: dict[Term, str] = {}
        """The things from outside, with their names here."""
        self.n_bound = 0

    def write(self, formula: Formula, bound: Mapping[Variable, str]) -> str:
        match formula:
            case Atom(predicate, terms):
                return f"{predicate}({','.join(self._term(term, bound) for term in terms)})"
            case Equal(left, right):
                return f"{self._term(left, bound)}={self._term(right, bound)}"
            case Not(inner):
                return f"not {self.write(inner, bound)}"
            case And(many):
                ordered = sorted(many, key=_key)
                return "[" + " & ".join(self.write(each, bound) for each in ordered) + "]"
            case Or(many):
                return "[" + " | ".join(self.write(each, bound) for each in many) + "]"
            case Implies(condition, consequence):
                return f"[{self.write(condition, bound)} > {self.write(consequence, bound)}]"
            case Exists(variables, inner):
                return f"some {self._inside(variables, inner, bound)}"
            case ForAll(variables, inner):
                return f"all {self._inside(variables, inner, bound)}"

    def _inside(
        self, variables: tuple[Variable, ...], inner: Formula, bound: Mapping[Variable, str]
    ) -> str:
        names = dict(bound)
        for variable in variables:
            self.n_bound += 1
            names[variable] = f"v{self.n_bound}"
        return self.write(inner, names)

    def _term(self, term: Term, bound: Mapping[Variable, str]) -> str:
        if isinstance(term, Variable) and term in bound:
            return bound[term]
        if isinstance(term, Constant) and "#" not in term.name:
            return term.name
        return self.outside.setdefault(term, f"${len(self.outside) + 1}")
