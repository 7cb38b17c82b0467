"""Z3's models as ours."""

from __future__ import annotations

from itertools import product
from typing import Any

from ensue.logic.proving.model import Model
from ensue.logic.proving.smtlib import SORT, Script

_LARGEST = 5_000
"""Atoms that a model is asked for at most; a larger one explains nothing to anybody."""
_LONGEST = 500
"""Atoms that are evaluated one by one at most, at some 50 microseconds each."""


def read_model(z3: Any, found: Any, script: Script) -> Model | None:
    """The model that Z3 found for a script, or None where it is too large or cannot be read.

    That there is a model is an answer already; no failure to read it takes that away.
    """
    try:
        return _Reading(z3, found, script).model()
    except z3.Z3Exception:
        return None


class _Reading:
    def __init__(self, z3: Any, found: Any, script: Script) -> None:
        self._z3 = z3
        self._found = found
        self._script = script
        self._sort = z3.DeclareSort(SORT, found.ctx)
        universe = found.get_universe(self._sort) if found.num_sorts() else None
        self._elements = list(universe or [z3.Const("thing", self._sort)])
        # what has no meaning in the model may mean anything; to ask for it is an error
        self._functions = {each.name(): each for each in found.decls()}
        self._evaluated = 0

    def model(self) -> Model | None:
        n = len(self._elements)
        if sum(n**n_terms for _, n_terms in self._script.predicates) > _LARGEST:
            return None
        denoted = {name: self._denoted(each) for name, each in self._script.constants.items()}
        things = _named([element.decl().name() for element in self._elements], denoted)
        names = list(things.values())
        facts: list[tuple[str, tuple[str, ...]]] = []
        for (predicate, n_terms), symbol in self._script.predicates.items():
            held = self._held(symbol, n_terms)
            if self._evaluated > _LONGEST:
                return None
            facts += [(predicate, tuple([names[i] for i in places])) for places in held]
        constants = tuple((name, things[thing]) for name, thing in denoted.items())
        return Model(tuple(names), tuple(facts), constants)

    def _denoted(self, symbol: str) -> str:
        if not self._found.num_sorts():
            return str(self._elements[0].decl().name())
        constant = self._z3.Const(symbol, self._sort)
        return str(self._found.eval(constant, model_completion=True).decl().name())

    def _held(self, symbol: str, n_terms: int) -> list[tuple[int, ...]]:
        """The places of the elements that a predicate holds of."""
        z3, found = self._z3, self._found
        function = self._functions.get(symbol)
        if function is None:
            return []
        every = list(product(range(len(self._elements)), repeat=n_terms))
        meaning = found[function]
        always = meaning if not n_terms else self._constant(meaning)
        if always is not None:
            return every if z3.is_true(always) else []
        self._evaluated += len(every)
        if self._evaluated > _LONGEST:
            return []
        return [places for places in every if self._is_true(function, places)]

    def _constant(self, meaning: Any) -> Any:
        """The truth value that a predicate has of everything, where it is one."""
        value = None if meaning.num_entries() else meaning.else_value()
        return value if self._z3.is_true(value) or self._z3.is_false(value) else None

    def _is_true(self, function: Any, places: tuple[int, ...]) -> bool:
        atom = function(*[self._elements[i] for i in places])
        return bool(self._z3.is_true(self._found.eval(atom, model_completion=True)))


def _named(elements: list[str], denoted: dict[str, str]) -> dict[str, str]:
    """Each element with the first constant that denotes it, or a name of its own."""
    names: dict[str, str] = {}
    for name, element in denoted.items():
        names.setdefault(element, name)
    number = 0
    for element in elements:
        while element not in names:
            number += 1
            if f"thing{number}" not in denoted:
                names[element] = f"thing{number}"
    return {element: names[element] for element in elements}
