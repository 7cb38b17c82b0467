from .generation import (
    balanced as balanced,
    contrasts as contrasts,
    situation_pairs as situation_pairs,
)
