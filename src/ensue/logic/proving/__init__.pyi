from .provers import TptpProver as TptpProver, open_prover as open_prover
from .questions import (
    BUDGET as BUDGET,
    Budget as Budget,
    Model as Model,
    Premise as Premise,
    ProofResult as ProofResult,
    ProofStatus as ProofStatus,
    Prover as Prover,
)
from .z3 import Z3Prover as Z3Prover
