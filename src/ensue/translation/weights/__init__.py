"""What a metric looks at: weights by group of features, and the directions that the paper reports."""

from ensue.translation.weights.directions import (
    Claim,
    Comparison,
    Direction,
    Outcome,
    compare_directions,
    published_directions,
)
from ensue.translation.weights.groups import (
    TITLES,
    GroupWeight,
    ModelWeights,
    Way,
    Weight,
    parted,
    weights_by_group,
)

__all__ = [
    "TITLES",
    "Claim",
    "Comparison",
    "Direction",
    "GroupWeight",
    "ModelWeights",
    "Outcome",
    "Way",
    "Weight",
    "compare_directions",
    "parted",
    "published_directions",
    "weights_by_group",
]
