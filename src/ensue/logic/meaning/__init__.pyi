from .discourse import MOOD as MOOD
from .interpretation import (
    Meaning as Meaning,
    meaning_of as meaning_of,
    names_of_persons as names_of_persons,
    referents as referents,
    resolved as resolved,
)
