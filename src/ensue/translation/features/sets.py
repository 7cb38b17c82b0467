"""The sets of features that a metric can be made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256

from ensue.translation.features import entailment, surface
from ensue.translation.matching import DEFINITIONS as LEXICAL_DEFINITIONS
from ensue.translation.matching import NAMES as LEXICAL_NAMES


class FeatureFamily(StrEnum):
    """What a set is made of."""

    SURFACE = "surface"
    ENTAILMENT = "entailment"
    LEXICAL = "lexical"


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

    @property
    def families(self) -> tuple[FeatureFamily, ...]:
        """What it is made of, in the order of its columns."""
        return _FAMILIES[self]

    @property
    def needs_analyzer(self) -> bool:
        """Whether outputs have to be parsed for it."""
        return FeatureFamily.ENTAILMENT in self.families

    def covers(self, other: FeatureSet) -> bool:
        """Whether it has all features of another set."""
        return set(other.families) <= set(self.families)


_FAMILIES = {
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


_DEFINITIONS: dict[FeatureFamily, Callable[[], Mapping[str, str]]] = {
    FeatureFamily.SURFACE: lambda: surface.DEFINITIONS,
    FeatureFamily.ENTAILMENT: entailment.definitions,
    FeatureFamily.LEXICAL: lambda: LEXICAL_DEFINITIONS,
}


def definitions(feature_set: FeatureSet) -> dict[FeatureFamily, Mapping[str, str]]:
    """What each feature of a set is, by family."""
    return {family: _DEFINITIONS[family]() for family in feature_set.families}


def feature_names(feature_set: FeatureSet) -> tuple[str, ...]:
    """The names of a set's features, in the order of its columns."""
    return tuple(name for family in feature_set.families for name in _NAMES[family])


def fingerprint(feature_set: FeatureSet) -> str:
    """Changes when the definition of a feature does, costs of edits included."""
    said = "\n".join(
        f"{name}: {meaning}"
        for of_family in definitions(feature_set).values()
        for name, meaning in of_family.items()
    )
    return sha256(said.encode()).hexdigest()[:16]


def covering_sets(wanted: Sequence[FeatureSet]) -> list[FeatureSet]:
    """The fewest sets to measure so that each of those wanted is part of one.

    >>> [each.value for each in covering_sets([FeatureSet.RTE, FeatureSet.COMB])]
    ['comb']
    """
    distinct = list(dict.fromkeys(wanted))
    return [
        each
        for each in distinct
        if not any(other.covers(each) for other in distinct if other is not each)
    ]
