"""Aligned pairs as 74 named numbers in fifteen groups."""

from ensue.features.catalog import FEATURES, GROUPS, NAMES
from ensue.features.comparison import Comparison
from ensue.features.measuring import Comparer, TextPair, has_words, measured
from ensue.features.mismatches import Mismatch, MismatchKind, mismatches
from ensue.features.model import TERMS, Feature, FeatureGroup

__all__ = [
    "FEATURES",
    "GROUPS",
    "NAMES",
    "TERMS",
    "Comparer",
    "Comparison",
    "Feature",
    "FeatureGroup",
    "Mismatch",
    "MismatchKind",
    "TextPair",
    "has_words",
    "measured",
    "mismatches",
]
