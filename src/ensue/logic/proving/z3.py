"""The prover Z3 (de Moura and Bjørner, TACAS 2008): SMT-LIB scripts in, models out.

Each question has a context of its own, which costs a millisecond: in a shared one, the number of
steps depends on what was asked before. That something has a model is mostly seen without Z3, by a
guess, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import product
from typing import Any, TypeVar

from ensue.errors import EnsueError
from ensue.installation import pip_install
from ensue.logic.chase import guess_model
from ensue.logic.deadline import Deadline, TimeOver
from ensue.logic.formulas import (
    TRUE,
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
from ensue.logic.proving.questions import (
    BUDGET,
    Budget,
    Model,
    Premise,
    ProofQuestion,
    ProofResult,
    Satisfiability,
    SatisfiabilityCheck,
)

# Questions as SMT-LIB 2.6 scripts.

SORT = "Thing"
_ORDERS = {"more ": ">", "as ": ">="}
"""Relations of degree, with what they are between two numbers."""

_Name = TypeVar("_Name")


class Script:
    """A script in the making: names are numbered as they come, so that no name needs quoting."""

    def __init__(self) -> None:
        self.predicates: dict[tuple[str, int], str] = {}
        """Each predicate and the number of its terms, with its symbol."""
        self.constants: dict[str, str] = {}
        """Each constant with its symbol."""
        self.degrees: dict[str, str] = {}
        """Each quality that things have more or less of, with the symbol of its measure."""
        self.orders: dict[str, None] = {}
        """The relations of degree that are spoken of."""
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
        declared += [f"(declare-fun {each} ({SORT}) Real)" for each in self.degrees.values()]
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
        degree = degree_of(predicate, len(terms))
        if degree is not None:
            order, quality = degree
            self.orders[predicate] = None
            measure = numbered(self.degrees, quality, "d")
            sides = " ".join([f"({measure} {self._term(term)})" for term in terms])
            return f"({order} {sides})"
        symbol = numbered(self.predicates, (predicate, len(terms)), "p")
        if not terms:
            return symbol
        return f"({symbol} {' '.join([self._term(term) for term in terms])})"

    def _term(self, term: Term) -> str:
        if isinstance(term, Constant):
            return numbered(self.constants, term.name, "c")
        return numbered(self._variables, term.name, "x")


def degree_of(predicate: str, n_terms: int) -> tuple[str, str] | None:
    """The order that a relation is, and of what: *more tall* is > of tallness; None for others.

    So what follows of who is taller than whom is linear arithmetic, which Z3 decides, where the
    axioms of an order would have to be tried for every three things.
    """
    for start, order in _ORDERS.items():
        if n_terms == 2 and predicate.startswith(start) and ":" not in predicate:
            return order, predicate[len(start) :]
    return None


def is_about_order(formula: Formula) -> bool:
    """Whether a formula only says that degrees of one quality are an order, as numbers are anyhow."""
    found = [(degree_of(each.predicate, len(each.terms)), each) for each in atoms(formula)]
    qualities = {degree[1] for degree, _ in found if degree is not None}
    if not isinstance(formula, ForAll) or not isinstance(formula.formula, Implies):
        return False
    return len(qualities) == 1 and all(degree is not None for degree, _ in found)


def numbered(symbols: dict[_Name, str], name: _Name, letter: str) -> str:
    """The symbol of a name, which is the next one where it has none yet."""
    symbol = symbols.get(name)
    if symbol is None:
        symbol = symbols[name] = f"{letter}{len(symbols)}"
    return symbol


# Z3's models as ours.

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
        for predicate in self._script.orders:
            facts += [(predicate, (names[i], names[j])) for i, j in self._ordered(predicate, n)]
        constants = tuple((name, things[thing]) for name, thing in denoted.items())
        return Model(tuple(names), tuple(facts), constants)

    def _denoted(self, symbol: str) -> str:
        if not self._found.num_sorts():
            return str(self._elements[0].decl().name())
        constant = self._z3.Const(symbol, self._sort)
        return str(self._found.eval(constant, model_completion=True).decl().name())

    def _ordered(self, predicate: str, n: int) -> Iterator[tuple[int, int]]:
        """The places of the elements of which the first has a larger degree, or as large a one."""
        order, quality = degree_of(predicate, 2) or ("", "")
        function = self._functions.get(self._script.degrees[quality])
        degrees = [
            self._found.eval(function(each), model_completion=True).as_fraction() if function else 0
            for each in self._elements
        ]
        for i, j in product(range(n), repeat=2):
            if degrees[i] > degrees[j] or (order == ">=" and degrees[i] == degrees[j]):
                yield i, j

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


# The prover Z3 (de Moura and Bjørner, TACAS 2008), in this process.

_RESERVE = 0.02
"""Seconds that Z3 may need to notice that its time is over; of short times, a fifth."""
_LONGEST_TIME = 2.0**31
"""Milliseconds that Z3 can be given; it counts them in 32 bits."""


class Z3Prover:
    """Answers by Z3; what was asked before has no influence on an answer."""

    name = "z3"

    def __init__(self) -> None:
        self.version = str(_load().get_version_string())

    def ask(
        self,
        premises: Sequence[Premise],
        goal: Formula,
        *,
        refutable: Formula | None = None,
        budget: Budget = BUDGET,
        deadline: Deadline | None = None,
        explain: bool = False,
    ) -> ProofResult:
        """Whether a goal, or its negation, follows from premises; see `Prover.ask`."""
        refutable = goal if refutable is None else refutable
        question = _Z3Question(_load(), premises, goal, refutable, budget, deadline)
        return question.answer(explain=explain)


class _Z3Question(ProofQuestion):
    """Formulas are known to one solver, each under the condition that it is assumed."""

    def __init__(
        self,
        z3: Any,
        premises: Sequence[Premise],
        goal: Formula,
        refutable: Formula,
        budget: Budget,
        deadline: Deadline | None,
    ) -> None:
        super().__init__(premises, goal, refutable, budget, deadline)
        self._z3 = z3
        self._script = Script()
        self._solver: Any = None

    def check(self, numbers: Sequence[int], *, share: float = 1.0) -> SatisfiabilityCheck:
        """Whether formulas contradict each other: by a guess, then by Z3."""
        try:
            model = guess_model([self.formulas[i] for i in numbers], deadline=self.deadline)
            if model is not None:
                return SatisfiabilityCheck(Satisfiability.MODEL, model=model)
            return self._prove(numbers, share)
        except TimeOver:
            return SatisfiabilityCheck(Satisfiability.UNDECIDED, reason="seconds")
        except self._z3.Z3Exception as error:
            return SatisfiabilityCheck(
                Satisfiability.UNDECIDED, reason=f"z3 failed: {_message(error)}"
            )

    def _prove(self, numbers: Sequence[int], share: float) -> SatisfiabilityCheck:
        z3, solver = self._z3, self._opened()
        steps = int((self.budget.steps - self.steps) * share)
        seconds = self.deadline.left * share
        milliseconds = int(min((seconds - min(_RESERVE, seconds / 5)) * 1000, _LONGEST_TIME))
        if steps <= 0 or milliseconds <= 0:
            return SatisfiabilityCheck(
                Satisfiability.UNDECIDED, reason="steps" if steps <= 0 else "seconds"
            )
        solver.set(rlimit=steps, timeout=milliseconds)
        guards = [z3.Bool(f"f{i}", solver.ctx) for i in numbers]
        found = solver.check(*guards)  # other threads go on meanwhile
        before, self.steps = self.steps, _steps(solver)
        if found == z3.unsat:
            core = frozenset(int(each.decl().name()[1:]) for each in solver.unsat_core())
            return SatisfiabilityCheck(Satisfiability.CONTRADICTION, core=core)
        if found == z3.sat:
            wanted = self.negated in numbers  # no other model is one against the goal
            model = read_model(z3, solver.model(), self._script) if wanted else None
            return SatisfiabilityCheck(Satisfiability.MODEL, model=model)
        over = self.steps - before >= steps
        return SatisfiabilityCheck(
            Satisfiability.UNDECIDED, reason=_reason(solver.reason_unknown(), over)
        )

    def _opened(self) -> Any:
        """A solver that knows all formulas, each under the condition that it is assumed."""
        if self._solver is None:
            script = Script()
            for i, formula in enumerate(self.formulas):
                self.deadline.check()
                script.guard(f"f{i}", TRUE if is_about_order(formula) else formula)
            solver = self._z3.SimpleSolver(ctx=self._z3.Context())
            # ours to handle: Z3 would take an interrupt for the end of its budget
            solver.set(ctrl_c=False)
            solver.from_string(script.text())
            self._solver, self._script = solver, script
        return self._solver


def _steps(solver: Any) -> int:
    return int(solver.statistics().get_key_value("rlimit count"))


def _reason(words: str, over: bool) -> str:
    """Which limit was met, or Z3's own words where none was."""
    if over or "resource" in words:
        return "steps"
    return "seconds" if words in ("canceled", "timeout") else f"z3 gave up: {words}"


def _message(error: Any) -> str:
    value = error.value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _load() -> Any:
    try:
        return import_module("z3")
    except ImportError:
        raise EnsueError(
            "prover-not-installed",
            "the prover Z3 is not installed",
            hint=f"run: {pip_install('z3-solver')}",
        ) from None
