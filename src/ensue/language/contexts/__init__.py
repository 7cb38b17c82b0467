"""In which contexts the words of a sentence stand: negated, quantified, possible, past, embedded."""

from ensue.language.contexts.finding import find_contexts
from ensue.language.contexts.model import (
    Commitment,
    Contexts,
    Embedding,
    Modality,
    Monotonicity,
    Quantity,
    Tense,
)
from ensue.language.contexts.quantity import quantity_follows

__all__ = [
    "Commitment",
    "Contexts",
    "Embedding",
    "Modality",
    "Monotonicity",
    "Quantity",
    "Tense",
    "find_contexts",
    "quantity_follows",
]
