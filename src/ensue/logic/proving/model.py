"""Questions to provers and their answers, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from ensue.logic.formulas import Formula


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


class Answer(StrEnum):
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
class Finding:
    """An answer with its reasons and its cost."""

    answer: Answer
    core: tuple[str, ...] = ()
    """The premises that the proof, refutation or contradiction uses, in their order."""
    countermodel: Model | None = None
    """A world in which the premises are true and the goal is false, where one was found."""
    steps: int = 0
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
        explain: bool = False,
    ) -> Finding:
        """Whether a goal, or its negation, follows from premises.

        Args:
            premises: What is taken for granted, each under a name of its own.
            goal: What is to be proved.
            refutable: What is to be refuted instead of the goal, where that is another formula.
            budget: What the question may cost.
            explain: Also leave out of the core what is not needed.
        """
        ...
