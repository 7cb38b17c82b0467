from itertools import combinations

import pytest

from ensue.features import NAMES as ENTAILMENT_NAMES
from ensue.translation.features import FeatureFamily, FeatureSet, covering_sets, feature_names
from ensue.translation.features.families import DIRECTED_NAMES, LEXICAL_NAMES, SURFACE_NAMES

TRADMT, RTE, COMB, LEXICAL = (
    FeatureSet.TRADMT,
    FeatureSet.RTE,
    FeatureSet.COMB,
    FeatureSet.TRADMT_LEXICAL,
)


@pytest.mark.parametrize(
    ("feature_set", "n"),
    [
        (TRADMT, 18 + 16 + 50),
        (RTE, len(DIRECTED_NAMES)),
        (COMB, len(SURFACE_NAMES) + len(DIRECTED_NAMES)),
        (LEXICAL, len(SURFACE_NAMES) + len(LEXICAL_NAMES)),
    ],
)
def test_set_has_so_many_features_with_names_of_their_own(feature_set, n):
    names = feature_names(feature_set)
    assert len(names) == len(set(names)) == n


def test_tradmt_is_of_bleu_nist_and_ter():
    names = feature_names(TRADMT)
    counts = [sum(name.startswith(f"{of}.") for name in names) for of in ("bleu", "nist", "ter")]
    assert counts == [18, 16, 50]


def test_rte_is_the_entailment_features_both_ways():
    names = feature_names(RTE)
    assert names[: len(ENTAILMENT_NAMES)] == tuple(f"forward.{name}" for name in ENTAILMENT_NAMES)
    assert names[len(ENTAILMENT_NAMES) :] == tuple(f"backward.{name}" for name in ENTAILMENT_NAMES)


def test_comb_is_tradmt_before_rte():
    assert feature_names(COMB) == feature_names(TRADMT) + feature_names(RTE)


@pytest.mark.parametrize("feature_set", FeatureSet)
def test_analyzer_is_needed_for_entailment_only(feature_set):
    is_entailment = FeatureFamily.ENTAILMENT in feature_set.families
    assert feature_set.needs_analyzer == is_entailment == (feature_set in (RTE, COMB))


@pytest.mark.parametrize("first", FeatureSet)
@pytest.mark.parametrize("second", FeatureSet)
def test_set_covers_what_it_has_the_features_of(first, second):
    has_all = set(feature_names(second)) <= set(feature_names(first))
    assert first.covers(second) == has_all


@pytest.mark.parametrize(
    ("wanted", "measured"),
    [
        ([], []),
        ([TRADMT], [TRADMT]),
        ([TRADMT, TRADMT], [TRADMT]),
        ([RTE, COMB, TRADMT], [COMB]),
        ([TRADMT, RTE], [TRADMT, RTE]),
        ([LEXICAL, TRADMT, COMB], [LEXICAL, COMB]),
    ],
)
def test_fewest_sets_are_measured(wanted, measured):
    assert covering_sets(wanted) == measured


def test_every_wanted_set_is_part_of_one_that_is_measured():
    for n in range(1, 5):
        for wanted in combinations(FeatureSet, n):
            measured = covering_sets(wanted)
            assert all(any(each.covers(one) for each in measured) for one in wanted)
