"""Paraphrases learned from plain text, for given terms, by the contexts they share with them."""

from ensue.paraphrase.learning.learned import LEAST, MOST, Learned, learn
from ensue.paraphrase.learning.settings import Method, NgramSettings, NounPhraseSettings, Overlap

__all__ = [
    "LEAST",
    "MOST",
    "Learned",
    "Method",
    "NgramSettings",
    "NounPhraseSettings",
    "Overlap",
    "learn",
]
