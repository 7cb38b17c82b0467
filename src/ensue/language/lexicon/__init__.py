"""WordNet's words and relations: synonyms, hypernyms, antonyms …, and how alike meanings are.

`load_lexicon()` maps the shipped table into memory; everything else is asked of it.
"""

from ensue.language.lexicon.lexicon import Lexicon
from ensue.language.lexicon.loading import load_lexicon, read_lexicon
from ensue.language.lexicon.meanings import Lemma, Meanings
from ensue.language.lexicon.measures import Measure
from ensue.language.lexicon.parts import PartOfSpeech, Relation

__all__ = [
    "Lemma",
    "Lexicon",
    "Meanings",
    "Measure",
    "PartOfSpeech",
    "Relation",
    "load_lexicon",
    "read_lexicon",
]
