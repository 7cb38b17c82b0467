"""Meaning: from normalized graphs to first-order formulas."""

from ensue.logic.meaning.making import Meaning, meaning_of, names_of_persons, referents, resolved
from ensue.logic.meaning.state import MOOD

__all__ = ["MOOD", "Meaning", "meaning_of", "names_of_persons", "referents", "resolved"]
