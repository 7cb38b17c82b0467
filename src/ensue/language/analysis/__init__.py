"""Texts as dependency graphs: an analyzer behind one adapter, and a cache of what it made."""

from ensue.language.analysis.analyzer import (
    INSTALL,
    MODELS,
    Analyzer,
    installed_model,
    load_analyzer,
)
from ensue.language.analysis.caching import (
    Analyzing,
    CachedAnalyzer,
    analysis_counts,
    cache_file,
)
from ensue.language.analysis.sentence import (
    ROOT,
    Sentence,
    empty_sentence,
    sentence_from_bytes,
    sentence_spans,
    sentence_to_bytes,
)

__all__ = [
    "INSTALL",
    "MODELS",
    "ROOT",
    "Analyzer",
    "Analyzing",
    "CachedAnalyzer",
    "Sentence",
    "analysis_counts",
    "cache_file",
    "empty_sentence",
    "installed_model",
    "load_analyzer",
    "sentence_from_bytes",
    "sentence_spans",
    "sentence_to_bytes",
]
