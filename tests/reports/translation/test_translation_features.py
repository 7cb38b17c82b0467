import pytest

from ensue.features import FEATURES
from ensue.reports.translation.weights import feature_list_table
from ensue.translation.features import FeatureSet, feature_names
from ensue.translation.features.families import DIRECTED_NAMES, SURFACE_NAMES


@pytest.mark.parametrize("feature_set", FeatureSet)
def test_feature_list_has_a_row_a_feature_in_the_order_of_the_columns(feature_set, records):
    table = feature_list_table(feature_set)
    rows = records(table)
    names = feature_names(feature_set)
    assert [row["name"] for row in rows] == list(names)
    assert all(row["meaning"] for row in rows)
    assert table.title == f"The {len(names)} features of {feature_set.value}"


def test_feature_list_says_the_family_of_each(records):
    rows = records(feature_list_table(FeatureSet.COMB))
    families = [row["family"] for row in rows]
    assert families == ["surface"] * len(SURFACE_NAMES) + ["entailment"] * len(DIRECTED_NAMES)


def test_feature_list_says_the_direction(records):
    meanings = {row["name"]: row["meaning"] for row in records(feature_list_table(FeatureSet.RTE))}
    first = FEATURES[0]
    assert meanings[f"forward.{first.name}"] == (
        f"{first.definition} (from the output to the reference)"
    )
    assert meanings[f"backward.{first.name}"].endswith("(from the reference to the output)")


def test_feature_list_of_surface_features_says_costs(records):
    rows = records(feature_list_table(FeatureSet.TRADMT))
    meanings = {row["name"]: row["meaning"] for row in rows}
    assert meanings["ter.uniform"] == (
        "TER with costs of insertion 1, deletion 1, substitution 1, shift 1"
    )
