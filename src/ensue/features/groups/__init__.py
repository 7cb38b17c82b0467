"""All features, in the fifteen groups of Table 1 of Padó et al. (2009), in its order."""

from __future__ import annotations

from ensue.features.comparison import Feature, FeatureGroup
from ensue.features.groups import (
    adjuncts,
    alignment,
    apposition,
    compatibility,
    dates,
    factives,
    modality,
    polarity,
    quantifiers,
    relatedness,
    relations,
    structure,
    tense,
    unaligned,
)

GROUPS: tuple[FeatureGroup, ...] = (
    alignment.GROUP,
    unaligned.GROUP,
    adjuncts.GROUP,
    apposition.GROUP,
    modality.GROUP,
    factives.GROUP,
    polarity.GROUP,
    quantifiers.GROUP,
    tense.GROUP,
    dates.GROUP,
    relations.ROOT,
    relations.GROUP,
    relatedness.GROUP,
    structure.GROUP,
    compatibility.GROUP,
)

FEATURES: tuple[Feature, ...] = tuple(feature for group in GROUPS for feature in group.features)

NAMES: tuple[str, ...] = tuple(feature.name for feature in FEATURES)
