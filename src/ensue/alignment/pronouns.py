"""What pronouns may stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.flattening import Word
from ensue.alignment.kernels.candidates import IS_PRONOUN
from ensue.language.graphs import Sort

_PERSON, _THING = 1, 2

_REFERENTS = {
    **dict.fromkeys(("he", "him", "his", "himself", "she", "her", "hers", "herself"), _PERSON),
    **dict.fromkeys(("i", "me", "my", "mine", "myself", "we", "us", "our", "ours"), _PERSON),
    **dict.fromkeys(("you", "your", "yours", "yourself", "who", "whom", "whose"), _PERSON),
    **dict.fromkeys(("it", "its", "itself", "which", "this", "that"), _THING),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), _PERSON | _THING),
    **dict.fromkeys(("these", "those"), _PERSON | _THING),
}
"""Other pronouns, as *some* and *another*, stand for nothing that is named elsewhere."""


def referents(words: Sequence[Word], are_persons: NDArray[np.bool_]) -> NDArray[np.int32]:
    """What each word may stand for or be meant by, as bits.

    Args:
        words: Distinct ones.
        are_persons: Which of them mean persons as common nouns.
    """
    found = np.zeros(len(words), np.int32)
    for i, (word, is_person) in enumerate(zip(words, are_persons.tolist(), strict=True)):
        if word.sort is Sort.PRONOUN:
            of_pronoun = _REFERENTS.get(word.lemma, 0)
            found[i] = of_pronoun | IS_PRONOUN if of_pronoun else 0
        elif word.sort is Sort.NOUN:
            found[i] = _PERSON if is_person else _THING
        elif word.sort is Sort.NAME:
            by_kind = _PERSON if word.kind == "PERSON" else _THING
            found[i] = by_kind if word.kind else _PERSON | _THING
    return found
