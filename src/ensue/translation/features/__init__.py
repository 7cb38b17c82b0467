"""What is measured of an output beside its references: surface, entailment, lexical matches."""

from ensue.translation.features.measuring import Meter, batches, measure
from ensue.translation.features.sets import (
    FeatureFamily,
    FeatureSet,
    covering_sets,
    definitions,
    feature_names,
    fingerprint,
)
from ensue.translation.features.table import FeatureTable, joined
from ensue.translation.features.writing import FeatureSummary, write_output_features

__all__ = [
    "FeatureFamily",
    "FeatureSet",
    "FeatureSummary",
    "FeatureTable",
    "Meter",
    "batches",
    "covering_sets",
    "definitions",
    "feature_names",
    "fingerprint",
    "joined",
    "measure",
    "write_output_features",
]
