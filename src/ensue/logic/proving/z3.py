"""The prover Z3 (de Moura and Bjørner, TACAS 2008), in this process.

Each question has a context of its own, which costs a millisecond: in a shared one, the number of
steps depends on what was asked before. That something has a model is mostly seen without Z3, by a
guess, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ensue.errors import EnsueError
from ensue.logic.formulas import Formula
from ensue.logic.proving.guessing import guess_model
from ensue.logic.proving.model import BUDGET, Budget, Finding, Premise
from ensue.logic.proving.question import Check, Question, State
from ensue.logic.proving.smtlib import Script
from ensue.logic.proving.worlds import read_model

_RESERVE = 0.02
"""Seconds that Z3 may need to notice that its time is over; of short times, a fifth."""


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
        explain: bool = False,
    ) -> Finding:
        """Whether a goal, or its negation, follows from premises; see `Prover.ask`."""
        refutable = goal if refutable is None else refutable
        question = _Z3Question(_load(), premises, goal, refutable, budget)
        return question.answer(explain=explain)


class _Z3Question(Question):
    """Formulas are known to one solver, each under the condition that it is assumed."""

    def __init__(
        self,
        z3: Any,
        premises: Sequence[Premise],
        goal: Formula,
        refutable: Formula,
        budget: Budget,
    ) -> None:
        super().__init__(premises, goal, refutable, budget)
        self._z3 = z3
        self._script = Script()
        self._solver: Any = None

    def check(self, numbers: Sequence[int], *, share: float = 1.0) -> Check:
        """Whether formulas contradict each other: by a guess, then by Z3."""
        model = guess_model([self.formulas[i] for i in numbers])
        if model is not None:
            return Check(State.MODEL, model=model)
        try:
            return self._prove(numbers, share)
        except self._z3.Z3Exception as error:
            return Check(State.UNDECIDED, reason=f"z3 failed: {_message(error)}")

    def _prove(self, numbers: Sequence[int], share: float) -> Check:
        z3, solver = self._z3, self._opened()
        steps = int((self.budget.steps - self.steps) * share)
        seconds = (self.budget.seconds - self.elapsed) * share
        milliseconds = int((seconds - min(_RESERVE, seconds / 5)) * 1000)
        if steps <= 0 or milliseconds <= 0:
            return Check(State.UNDECIDED, reason="steps" if steps <= 0 else "seconds")
        solver.set(rlimit=steps, timeout=milliseconds)
        guards = [z3.Bool(f"f{i}", solver.ctx) for i in numbers]
        found = solver.check(*guards)
        before, self.steps = self.steps, _steps(solver)
        if found == z3.unsat:
            core = frozenset(int(str(each)[1:]) for each in solver.unsat_core())
            return Check(State.CONTRADICTION, core=core)
        if found == z3.sat:
            wanted = self.negated in numbers  # no other model is one against the goal
            model = read_model(z3, solver.model(), self._script) if wanted else None
            return Check(State.MODEL, model=model)
        over = self.steps - before >= steps
        return Check(State.UNDECIDED, reason=_reason(solver.reason_unknown(), over))

    def _opened(self) -> Any:
        """A solver that knows all formulas, each under the condition that it is assumed."""
        if self._solver is None:
            script = Script()
            for i, formula in enumerate(self.formulas):
                script.guard(f"f{i}", formula)
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
            "the prover Z3 is not installed", hint='run: pip install "ensue[logic]"'
        ) from None
