"""Strings as arrays: tokenizers, n-gram and edit statistics and the measures made from them."""

from ensue.surface.bleu import BleuScorer, Mean
from ensue.surface.columns import bleu_columns, edit_columns, nist_columns, surface_columns
from ensue.surface.edits import (
    COST_SETTINGS,
    UNIFORM,
    EditCosts,
    EditStatistics,
    edit_statistics,
)
from ensue.surface.information import Information, count_information
from ensue.surface.ngrams import NgramStatistics, ngram_statistics, segment_statistics
from ensue.surface.nist import NistStatistics, ngram_and_nist_statistics, nist_statistics
from ensue.surface.segments import SegmentTokens, tokenize_segments
from ensue.surface.tokenizers import Tokenizer
from ensue.surface.tokens import Tokens, tokenize, tokenize_sides

__all__ = [
    "COST_SETTINGS",
    "UNIFORM",
    "BleuScorer",
    "EditCosts",
    "EditStatistics",
    "Information",
    "Mean",
    "NgramStatistics",
    "NistStatistics",
    "SegmentTokens",
    "Tokenizer",
    "Tokens",
    "bleu_columns",
    "count_information",
    "edit_columns",
    "edit_statistics",
    "ngram_and_nist_statistics",
    "ngram_statistics",
    "nist_columns",
    "nist_statistics",
    "segment_statistics",
    "surface_columns",
    "tokenize",
    "tokenize_segments",
    "tokenize_sides",
]
