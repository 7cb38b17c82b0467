"""A question: that it can be asked, and how its answer comes of checks for contradictions."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from ensue.errors import EnsueError
from ensue.logic.formulas import (
    And,
    Atom,
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
from ensue.logic.proving.model import Answer, Budget, Finding, Model, Premise

_FIRST_SHARE = 0.5
"""How much of the budget the first check may take, so that there is some left for the second."""


class State(Enum):
    """What can become of formulas that are assumed together."""

    MODEL = "model"
    CONTRADICTION = "contradiction"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Check:
    """What became of formulas that were assumed together."""

    state: State
    core: frozenset[int] = frozenset()
    """The numbers of the formulas that contradict each other."""
    model: Model | None = None
    reason: str = ""
    """Why it was not decided."""


class Question(ABC):
    """One question while it is answered: formulas by number, the premises first."""

    def __init__(
        self, premises: Sequence[Premise], goal: Formula, refutable: Formula, budget: Budget
    ) -> None:
        check_question(premises, (goal, refutable))
        self.premises = premises
        self.formulas = [*(premise.formula for premise in premises), Not(goal), refutable]
        self.negated = len(premises)
        """The number of the goal's negation."""
        self.refutable = len(premises) + 1
        """The number of what is to be refuted."""
        self.budget = budget
        self.steps = 0
        """What was spent so far."""
        self._start = time.perf_counter()

    @abstractmethod
    def check(self, numbers: Sequence[int], *, share: float = 1.0) -> Check:
        """Whether formulas contradict each other, for at most a share of what is left."""

    @property
    def elapsed(self) -> float:
        """The seconds that the question took so far."""
        return time.perf_counter() - self._start

    def answer(self, *, explain: bool) -> Finding:
        """Try the goal's negation, then what is to be refuted, then the premises alone."""
        premises = range(len(self.premises))
        first = self.check((*premises, self.negated), share=_FIRST_SHARE)
        if first.state is State.CONTRADICTION:
            return self._settled(Answer.PROVED, first, self.negated, explain)
        second = self.check((*premises, self.refutable))
        if second.state is State.CONTRADICTION and first.state is State.MODEL:
            core = self._core(second, self.refutable, explain)
            return self._finding(Answer.REFUTED, core, first.model)
        if second.state is State.CONTRADICTION:
            return self._settled(Answer.REFUTED, second, self.refutable, explain)
        reason = first.reason or second.reason
        decided = first.state is second.state is State.MODEL
        answer = Answer.OPEN if decided else Answer.EXHAUSTED
        return self._finding(answer, model=first.model, reason=reason)

    def _settled(self, answer: Answer, check: Check, goal: int, explain: bool) -> Finding:
        """That answer, unless everything would follow from the premises."""
        alone = self.check(range(len(self.premises))) if goal in check.core else check
        if alone.state is State.CONTRADICTION:
            return self._finding(Answer.INCONSISTENT, self._core(alone, None, explain))
        reason = alone.reason and f"whether the premises are consistent is open: {alone.reason}"
        return self._finding(answer, self._core(check, goal, explain), reason=reason)

    def _core(self, check: Check, goal: int | None, explain: bool) -> list[int]:
        """The premises that a contradiction uses; where it is explained, none in vain."""
        core = check.core
        for i in sorted(core - {goal}, reverse=True) if explain else ():
            if i in core and self.elapsed < self.budget.seconds:
                less = self.check(sorted(core - {i}))
                core = less.core if less.state is State.CONTRADICTION else core
        return sorted(core - {goal})

    def _finding(
        self,
        answer: Answer,
        core: Iterable[int] = (),
        model: Model | None = None,
        reason: str = "",
    ) -> Finding:
        names = tuple(self.premises[i].name for i in core)
        return Finding(answer, names, model, self.steps, self.elapsed, reason)


def check_question(premises: Sequence[Premise], goals: Iterable[Formula]) -> None:
    """Make sure that premises have names of their own and that all variables are bound.

    Raises:
        EnsueError: two premises share a name, or a formula has a free variable.
    """
    seen: set[str] = set()
    for premise in premises:
        if premise.name in seen:
            raise EnsueError(
                f"two premises are called {premise.name!r}",
                hint="a proof names the premises that it uses: give each a name of its own",
            )
        seen.add(premise.name)
        _check_closed(premise.formula, frozenset(), f"the premise {premise.name!r}")
    for goal in goals:
        _check_closed(goal, frozenset(), "the goal")


def _check_closed(formula: Formula, bound: frozenset[str], place: str) -> None:
    match formula:
        case Atom(_, terms):
            _check_terms(terms, bound, place)
        case Equal(left, right):
            _check_terms((left, right), bound, place)
        case Not(inner):
            _check_closed(inner, bound, place)
        case And(parts) | Or(parts):
            for part in parts:
                _check_closed(part, bound, place)
        case Implies(condition, consequence):
            _check_closed(condition, bound, place)
            _check_closed(consequence, bound, place)
        case Exists(variables, inner) | ForAll(variables, inner):
            _check_closed(inner, bound.union([each.name for each in variables]), place)


def _check_terms(terms: Sequence[Term], bound: frozenset[str], place: str) -> None:
    for term in terms:
        if isinstance(term, Variable) and term.name not in bound:
            raise EnsueError(
                f"{place} has the variable {term.name!r}, which no quantifier binds",
                hint="bind it by `exists` or `for_all`, or make it a constant",
            )
