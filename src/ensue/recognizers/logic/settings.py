"""What the answers of the logical recognizer depend on."""

from __future__ import annotations

from dataclasses import dataclass

from ensue.errors import SettingError
from ensue.logic.knowledge import KnowledgeSettings
from ensue.logic.proving import BUDGET, Budget
from ensue.logic.reasoning import ReasoningSettings


@dataclass(frozen=True, slots=True)
class LogicSettings:
    """With what is proved, and for how long."""

    knowledge: bool = True
    """Whether what the lexicon says of the words of a pair is taken for granted."""
    grammar: bool = True
    """Whether a grammar is asked for a second opinion on the parser's analyses."""
    prover: str = "z3"
    """`z3`, `eprover`, or `tptp:COMMAND {file} {seconds}` for any other."""
    seconds: float = BUDGET.seconds
    """What one pair may take; those of the parse do not count."""
    steps: int = BUDGET.steps
    """What one pair may take in the prover's own counting, where it counts."""

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("steps", self.steps)):
            if not 0 < value < float("inf"):
                raise SettingError(
                    f"setting {name!r} cannot be {value!r}", hint="it takes a number above 0"
                )

    @property
    def reasoning(self) -> ReasoningSettings:
        """The same, for the reasoner."""
        knowledge = KnowledgeSettings() if self.knowledge else None
        return ReasoningSettings(knowledge, self.grammar, Budget(self.seconds, self.steps))
