from .clauses import (
    Commitment as Commitment,
    Contexts as Contexts,
    Embedding as Embedding,
    Modality as Modality,
    Monotonicity as Monotonicity,
    Quantity as Quantity,
    Tense as Tense,
)
from .commitment import find_contexts as find_contexts
from .quantity import quantity_follows as quantity_follows
