"""Grammars of test suites: patterns, predicates and example strings, read from XML and checked."""

from ensue.suites.grammar.model import (
    MANNER,
    Category,
    Distribution,
    Grammar,
    Number,
    Pattern,
    Phrase,
    PhraseKind,
    Piece,
    PieceKind,
    Predicate,
    SemanticType,
    Tense,
    Voice,
)
from ensue.suites.grammar.reading import ENGLISH, read_grammar
from ensue.suites.grammar.validation import check_grammar

__all__ = [
    "ENGLISH",
    "MANNER",
    "Category",
    "Distribution",
    "Grammar",
    "Number",
    "Pattern",
    "Phrase",
    "PhraseKind",
    "Piece",
    "PieceKind",
    "Predicate",
    "SemanticType",
    "Tense",
    "Voice",
    "check_grammar",
    "read_grammar",
]
