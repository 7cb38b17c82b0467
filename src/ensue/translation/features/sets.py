"""The sets of features that a metric can be made from."""

from __future__ import annotations

from enum import StrEnum

from ensue.translation.features import entailment, surface
from ensue.translation.matching import NAMES as LEXICAL_NAMES


class FeatureSet(StrEnum):
    """Those of Padó et al. (2009), and the one that they wish for."""

    TRADMT = "tradmt"
    """84 surface features: BLEU, NIST and TER in many settings."""
    RTE = "rte"
    """The 74 entailment features in both directions."""
    COMB = "comb"
    """TradMT and RTE."""
    TRADMT_LEXICAL = "tradmt+lexical"
    """TradMT and matches of words: exact, by stem, by synonym."""


class FeatureFamily(StrEnum):
    """What a set is made of."""

    SURFACE = "surface"
    ENTAILMENT = "entailment"
    LEXICAL = "lexical"


FAMILIES = {
    FeatureSet.TRADMT: (FeatureFamily.SURFACE,),
    FeatureSet.RTE: (FeatureFamily.ENTAILMENT,),
    FeatureSet.COMB: (FeatureFamily.SURFACE, FeatureFamily.ENTAILMENT),
    FeatureSet.TRADMT_LEXICAL: (FeatureFamily.SURFACE, FeatureFamily.LEXICAL),
}

_NAMES = {
    FeatureFamily.SURFACE: surface.NAMES,
    FeatureFamily.ENTAILMENT: entailment.NAMES,
    FeatureFamily.LEXICAL: LEXICAL_NAMES,
}


def feature_names(feature_set: FeatureSet) -> tuple[str, ...]:
    """The names of a set's features, in the order of its columns."""
    return tuple(name for family in FAMILIES[feature_set] for name in _NAMES[family])
