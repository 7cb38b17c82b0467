"""Provers: what follows from what, by programs that know logic."""

from ensue.logic.proving.model import BUDGET, Answer, Budget, Finding, Model, Premise, Prover
from ensue.logic.proving.opening import open_prover
from ensue.logic.proving.tptp import TptpProver
from ensue.logic.proving.z3 import Z3Prover

__all__ = [
    "BUDGET",
    "Answer",
    "Budget",
    "Finding",
    "Model",
    "Premise",
    "Prover",
    "TptpProver",
    "Z3Prover",
    "open_prover",
]
