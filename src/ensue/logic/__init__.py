"""Normalize, then prove: from dependency graphs to first-order logic and a theorem prover."""

from ensue.logic.meaning import Meaning, meaning_of
from ensue.logic.reasoning import Argument, Outcome, Reasoner, ReasoningSettings

__all__ = ["Argument", "Meaning", "Outcome", "Reasoner", "ReasoningSettings", "meaning_of"]
