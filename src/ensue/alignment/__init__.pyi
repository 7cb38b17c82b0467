from .aligner import Alignment as Alignment, align as align
from .settings import (
    AlignmentSettings as AlignmentSettings,
    EdgeMatch as EdgeMatch,
    EdgeSimilarities as EdgeSimilarities,
    Match as Match,
    MatchSimilarities as MatchSimilarities,
    NodeWeights as NodeWeights,
    SearchMethod as SearchMethod,
)
