"""Meaning: from normalized graphs to first-order formulas."""

from ensue.logic.meaning.making import Meaning, meaning_of, names_of_persons, referents, resolved

__all__ = ["Meaning", "meaning_of", "names_of_persons", "referents", "resolved"]
