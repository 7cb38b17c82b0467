"""Questions to provers and their answers; how an answer comes of satisfiability checks."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Protocol

from ensue.errors import EnsueError
from ensue.logic.deadline import Deadline
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

# Questions to provers and their answers, as values.


@dataclass(frozen=True, slots=True)
class Premise:
    """A formula that is taken for granted."""

    name: str
    """Its own among the premises of a question; proofs name what they use by it."""
    formula: Formula


@dataclass(frozen=True, slots=True)
class Budget:
    """What one question may cost, all of its checks together."""

    seconds: float = 1.0
    steps: int = 200_000
    """Of the prover's own counting: the same question takes the same on every machine."""


BUDGET = Budget()
"""What a question may cost unless its asker says otherwise."""


class ProofStatus(StrEnum):
    """What became of a question."""

    PROVED = "proved"
    """The goal follows from the premises."""
    REFUTED = "refuted"
    """The negation of the goal follows from them."""
    OPEN = "open"
    """Neither does, and that is certain."""
    EXHAUSTED = "exhausted"
    """The budget was over first."""
    INCONSISTENT = "inconsistent"
    """The premises contradict each other, so that everything would follow."""


@dataclass(frozen=True, slots=True)
class Model:
    """A finite world: things, and all that is true of them."""

    things: tuple[str, ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    """Each predicate with the things that it holds of; it holds of no others."""
    constants: tuple[tuple[str, str], ...] = ()
    """Each constant with the thing that it names."""


@dataclass(frozen=True, slots=True)
class ProofResult:
    """An answer with its reasons and its cost."""

    answer: ProofStatus
    core: tuple[str, ...] = ()
    """The premises that the proof, refutation or contradiction uses, in their order."""
    needed: tuple[str, ...] = ()
    """The same without what can be left out, where the question was to be explained."""
    countermodel: Model | None = None
    """A world in which the premises are true and the goal is false, where one was found."""
    steps: int = 0
    """What the answer took; not what it took to explain it."""
    seconds: float = field(default=0.0, compare=False)
    reason: str = ""
    """Which limit was met, or what else kept the prover from an answer."""


class Prover(Protocol):
    """Whatever answers questions about what follows."""

    name: str
    version: str

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
        """Whether a goal, or its negation, follows from premises.

        Args:
            premises: What is taken for granted, each under a name of its own.
            goal: What is to be proved.
            refutable: What is to be refuted instead of the goal, where that is another formula.
            budget: What the question may cost.
            deadline: When it must be answered, where that may come before its seconds are over.
            explain: Also find out what of the core is not needed.
        """
        ...


# A question: that it can be asked, and how its answer comes of checks for contradictions.

_FIRST_SHARE = 0.5
"""How much of the budget the first check may take, so that there is some left for the second."""


class Satisfiability(Enum):
    """What can become of formulas that are assumed together."""

    MODEL = "model"
    CONTRADICTION = "contradiction"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class SatisfiabilityCheck:
    """What became of formulas that were assumed together."""

    state: Satisfiability
    core: frozenset[int] = frozenset()
    """The numbers of the formulas that contradict each other."""
    model: Model | None = None
    reason: str = ""
    """Why it was not decided."""


class ProofQuestion(ABC):
    """One question while it is answered: formulas by number, the premises first."""

    def __init__(
        self,
        premises: Sequence[Premise],
        goal: Formula,
        refutable: Formula,
        budget: Budget,
        deadline: Deadline | None,
    ) -> None:
        self._start = time.perf_counter()
        self.deadline = (deadline or Deadline()).within(budget.seconds)
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

    @abstractmethod
    def check(self, numbers: Sequence[int], *, share: float = 1.0) -> SatisfiabilityCheck:
        """Whether formulas contradict each other, for at most a share of what is left."""

    def answer(self, *, explain: bool) -> ProofResult:
        """Try the goal's negation, then what is to be refuted, then the premises alone."""
        premises = range(len(self.premises))
        first = self.check((*premises, self.negated), share=_FIRST_SHARE)
        if first.state is Satisfiability.CONTRADICTION:
            return self._settled(ProofStatus.PROVED, first, self.negated, explain)
        second = self.check((*premises, self.refutable))
        if second.state is Satisfiability.CONTRADICTION and first.state is Satisfiability.MODEL:
            return self._concluded(
                ProofStatus.REFUTED, second, self.refutable, explain, model=first.model
            )
        if second.state is Satisfiability.CONTRADICTION:
            return self._settled(ProofStatus.REFUTED, second, self.refutable, explain)
        reason = first.reason or second.reason
        decided = first.state is second.state is Satisfiability.MODEL
        answer = ProofStatus.OPEN if decided else ProofStatus.EXHAUSTED
        return self._finding(answer, model=first.model, reason=reason)

    def _settled(
        self, answer: ProofStatus, check: SatisfiabilityCheck, goal: int, explain: bool
    ) -> ProofResult:
        """That answer, unless everything would follow from the premises."""
        alone = self.check(range(len(self.premises))) if goal in check.core else check
        if alone.state is Satisfiability.CONTRADICTION:
            return self._concluded(ProofStatus.INCONSISTENT, alone, None, explain)
        reason = alone.reason and f"whether the premises are consistent is open: {alone.reason}"
        return self._concluded(answer, check, goal, explain, reason=reason)

    def _concluded(
        self,
        answer: ProofStatus,
        check: SatisfiabilityCheck,
        goal: int | None,
        explain: bool,
        *,
        model: Model | None = None,
        reason: str = "",
    ) -> ProofResult:
        """An answer that rests on a contradiction, with the premises that it uses."""
        core = check.core - {goal}
        found = self._finding(answer, core, model, reason)
        if not explain:
            return found
        return replace(found, needed=self._names(self._needed(check.core, goal)))

    def _needed(self, core: frozenset[int], goal: int | None) -> frozenset[int]:
        """What a contradiction cannot do without, as far as there is time to find out."""
        for i in sorted(core - {goal}, reverse=True):
            if i in core and self.deadline.left > 0:
                less = self.check(sorted(core - {i}))
                core = less.core if less.state is Satisfiability.CONTRADICTION else core
        return core - {goal}

    def _finding(
        self,
        answer: ProofStatus,
        core: Iterable[int] = (),
        model: Model | None = None,
        reason: str = "",
    ) -> ProofResult:
        names = self._names(core)
        seconds = time.perf_counter() - self._start
        return ProofResult(answer, names, names, model, self.steps, seconds, reason)

    def _names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.premises[i].name for i in sorted(numbers))


def check_question(premises: Sequence[Premise], goals: Iterable[Formula]) -> None:
    """Make sure that premises have names of their own and that all variables are bound.

    Raises:
        EnsueError: two premises share a name, or a formula has a free variable.
    """
    seen: set[str] = set()
    for premise in premises:
        if premise.name in seen:
            raise EnsueError(
                "two-premises-called",
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
                "variable-no-quantifier-binds",
                f"{place} has the variable {term.name!r}, which no quantifier binds",
                hint="bind it by `exists` or `for_all`, or make it a constant",
            )
