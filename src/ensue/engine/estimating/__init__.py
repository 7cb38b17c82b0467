"""What a run will take, before it is begun: hours, memory and disk."""

from ensue.engine.estimating.judging import estimate_judging
from ensue.engine.estimating.model import Cost, Estimate, Sample
from ensue.engine.estimating.sampling import SECONDS, estimate, peak_memory

__all__ = [
    "SECONDS",
    "Cost",
    "Estimate",
    "Sample",
    "estimate",
    "estimate_judging",
    "peak_memory",
]
