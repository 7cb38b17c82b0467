"""A hypothesis's graph aligned with its text's: where each of its words is met, and how."""

from ensue.alignment.aligning import align
from ensue.alignment.alignment import Alignment
from ensue.alignment.matches import EdgeMatch, Match, Search
from ensue.alignment.settings import (
    AlignmentSettings,
    EdgeSimilarities,
    MatchSimilarities,
    NodeWeights,
)

__all__ = [
    "Alignment",
    "AlignmentSettings",
    "EdgeMatch",
    "EdgeSimilarities",
    "Match",
    "MatchSimilarities",
    "NodeWeights",
    "Search",
    "align",
]
