from .tables import (
    FeatureFamily as FeatureFamily,
    FeatureSet as FeatureSet,
    FeatureSummary as FeatureSummary,
    FeatureTable as FeatureTable,
    Meter as Meter,
    batches as batches,
    covering_sets as covering_sets,
    feature_definitions as feature_definitions,
    feature_names as feature_names,
    fingerprint as fingerprint,
    joined as joined,
    measure as measure,
)
