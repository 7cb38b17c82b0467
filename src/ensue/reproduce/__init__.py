"""Published figures as data, and their recomputation on the user's copy of the data."""

from ensue.reproduce.model import Figure, Reproduction, ReproductionKind

__all__ = ["Figure", "Reproduction", "ReproductionKind"]
