"""Texts as graphs of their content words, and what the words mean."""

from ensue.language.analysis import CachedAnalyzer, Sentence, cache_file, load_analyzer
from ensue.language.contexts import Contexts, find_contexts
from ensue.language.graphs import Graph, Sort, build_graphs
from ensue.language.lexicon import (
    Lemma,
    Lexicon,
    Measure,
    PartOfSpeech,
    Relation,
    load_lexicon,
    read_lexicon,
)
from ensue.language.values import Value, agreement, find_values

__all__ = [
    "CachedAnalyzer",
    "Contexts",
    "Graph",
    "Lemma",
    "Lexicon",
    "Measure",
    "PartOfSpeech",
    "Relation",
    "Sentence",
    "Sort",
    "Value",
    "agreement",
    "build_graphs",
    "cache_file",
    "find_contexts",
    "find_values",
    "load_analyzer",
    "load_lexicon",
    "read_lexicon",
]
