"""Strings as arrays: tokenizers, n-gram statistics and the measures made from them."""

from ensue.surface.bleu import BleuScorer, Mean
from ensue.surface.ngrams import NgramStatistics, ngram_statistics
from ensue.surface.tokenizers import Tokenizer
from ensue.surface.tokens import Tokens, tokenize, tokenize_sides

__all__ = [
    "BleuScorer",
    "Mean",
    "NgramStatistics",
    "Tokenizer",
    "Tokens",
    "ngram_statistics",
    "tokenize",
    "tokenize_sides",
]
