"""Texts as dependency graphs: an analyzer behind one adapter, and a cache of what it made."""

from ensue.language.analysis.analyzer import INSTALL, MODELS, Analyzer, load_analyzer
from ensue.language.analysis.caching import CachedAnalyzer
from ensue.language.analysis.sentence import (
    ROOT,
    Sentence,
    empty_sentence,
    sentence_from_bytes,
    sentence_to_bytes,
)

__all__ = [
    "INSTALL",
    "MODELS",
    "ROOT",
    "Analyzer",
    "CachedAnalyzer",
    "Sentence",
    "empty_sentence",
    "load_analyzer",
    "sentence_from_bytes",
    "sentence_to_bytes",
]
