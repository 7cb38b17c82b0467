"""What words mean: a lexicon of relations between them."""

from ensue.language.lexicon import (
    Lemma,
    Lexicon,
    Measure,
    PartOfSpeech,
    Relation,
    load_lexicon,
    read_lexicon,
)

__all__ = [
    "Lemma",
    "Lexicon",
    "Measure",
    "PartOfSpeech",
    "Relation",
    "load_lexicon",
    "read_lexicon",
]
