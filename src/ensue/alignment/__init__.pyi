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
from .tree_edits import (
    NodeMatches as NodeMatches,
    TreePair as TreePair,
    edit_targets as edit_targets,
    first_leaves as first_leaves,
    match_nodes as match_nodes,
    same_roles as same_roles,
    tree_distances as tree_distances,
)
