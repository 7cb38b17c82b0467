from .discourse import MOOD as MOOD
from .interpretation import (
    Meaning as Meaning,
    meaning_of as meaning_of,
    referents as referents,
    resolved as resolved,
)
