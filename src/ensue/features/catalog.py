"""All features, in the fifteen groups of Table 1 of Padó et al. (2009), in its order."""

from __future__ import annotations

from ensue.features.comparison import Feature, FeatureGroup
from ensue.features.groups import (
    alignment,
    contexts,
    modifiers,
    relatedness,
    structure,
    times,
)

GROUPS: tuple[FeatureGroup, ...] = (
    alignment.ALIGNMENT,
    alignment.UNALIGNED,
    modifiers.ADJUNCTS,
    modifiers.APPOSITION,
    contexts.MODALITY,
    contexts.FACTIVES,
    contexts.POLARITY,
    contexts.QUANTIFIERS,
    times.TENSE,
    times.DATES,
    alignment.ROOT,
    alignment.RELATIONS,
    relatedness.RELATEDNESS,
    structure.GROUP,
    relatedness.COMPATIBILITY,
)

FEATURES: tuple[Feature, ...] = tuple(feature for group in GROUPS for feature in group.features)

NAMES: tuple[str, ...] = tuple(feature.name for feature in FEATURES)
