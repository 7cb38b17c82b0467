from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import brier_score_loss, cohen_kappa_score, roc_auc_score

from ensue.paraphrase.quality.validation import (
    Rated,
    area,
    brier,
    decisions,
    quality_bins,
    roc_areas,
    rule_correlation,
)
from ensue.statistics.correlation import Coefficient
from ensue.statistics.resampling import Resampling

YES, NO = True, False


def _rated(quality, is_right, rule=None, *, draws=0):
    rule = range(len(quality)) if rule is None else rule
    rated = Rated(np.array(is_right, bool), np.array(rule, np.int64), Resampling(draws))
    return rated, np.array(quality, float)


_QUALITIES = st.lists(
    st.tuples(st.integers(0, 6).map(lambda n: n / 6), st.booleans(), st.integers(0, 4)),
    min_size=2,
    max_size=30,
)


def test_area_counts_couples_in_the_right_order():
    # right: 0.9, 0.4; wrong: 0.6, 0.4: two of four couples in order, one tie, one not
    assert area(*_rated([0.9, 0.4, 0.6, 0.4], [YES, YES, NO, NO])).value == (2 + 1 / 2) / 4


def test_area_is_undefined_where_people_say_one_thing():
    found = area(*_rated([0.9, 0.4], [YES, YES]))
    assert found.value is None
    assert found.reason == "people say one and the same of all instances"


def test_area_resamples_whole_rules():
    # two rules, each of them perfect by itself: a draw of either or both is perfect
    rated = _rated([0.9, 0.1, 0.9, 0.1], [YES, NO, YES, NO], [0, 0, 1, 1], draws=50)
    found = area(*rated)
    assert (found.value, found.low, found.high, found.n_undefined) == (1, 1, 1, 0)
    # the same instances one by one: some draws have one label only
    assert area(*_rated([0.9, 0.1], [YES, NO], draws=50)).n_undefined > 0


@given(_QUALITIES, st.data())
def test_roc_areas_agree_with_scikit_learn(rows, data):
    quality, is_right, _ = map(np.array, zip(*rows, strict=True))
    counts = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    )
    drawn = counts > 0
    assume(0 < is_right[drawn].sum() < drawn.sum())
    expected = roc_auc_score(is_right[drawn], quality[drawn], sample_weight=counts[drawn])
    assert roc_areas(quality, is_right, counts[None, :])[0] == pytest.approx(expected)


@given(_QUALITIES)
def test_roc_area_sees_the_order_alone(rows):
    quality, is_right, _ = map(np.array, zip(*rows, strict=True))
    once = np.ones((1, len(rows)), np.int64)
    found = roc_areas(quality, is_right, once)
    assert np.array_equal(found, roc_areas(quality**3, is_right, once), equal_nan=True)
    assert found == pytest.approx(1 - roc_areas(-quality, is_right, once), nan_ok=True)


def test_decisions_worked_by_hand():
    # 3 hits, 1 alarm, 2 misses, 4 rest
    says = np.array([YES] * 4 + [NO] * 6)
    right = [YES] * 3 + [NO] + [YES] * 2 + [NO] * 4
    found = decisions(_rated([0.5] * 10, right)[0], says, 0.5)
    chance = (4 / 10) * (5 / 10) + (6 / 10) * (5 / 10)
    assert found.accuracy.value == pytest.approx(7 / 10)
    assert found.kappa.value == pytest.approx((7 / 10 - chance) / (1 - chance))
    assert found.precision.value == pytest.approx(3 / 4)
    assert found.recall.value == pytest.approx(3 / 5)


def test_decisions_without_a_yes_have_no_precision():
    found = decisions(_rated([0.1, 0.2], [YES, NO])[0], np.array([NO, NO]), None)
    assert found.precision.value is None
    assert found.precision.reason == "no instance gets a yes"
    assert found.kappa.value == 0


def test_decisions_of_one_label_throughout_have_no_kappa():
    found = decisions(_rated([0.1, 0.2], [NO, NO])[0], np.array([NO, NO]), None)
    assert found.kappa.value is None
    assert found.recall.reason == "people find no instance right"


@given(_QUALITIES)
def test_kappa_agrees_with_scikit_learn(rows):
    quality, is_right, rule = map(np.array, zip(*rows, strict=True))
    says = quality > 0.5
    assume(len({*says.tolist(), *is_right.tolist()}) == 2)
    found = decisions(_rated(quality, is_right, _numbered(rule))[0], says, 0.5)
    assert found.kappa.value == pytest.approx(cohen_kappa_score(is_right, says))


@given(_QUALITIES)
def test_brier_agrees_with_scikit_learn(rows):
    quality, is_right, rule = map(np.array, zip(*rows, strict=True))
    found = brier(*_rated(quality, is_right, _numbered(rule)))
    assert found.value == pytest.approx(brier_score_loss(is_right, quality, pos_label=True))


@pytest.mark.parametrize(
    ("coefficient", "theirs"), [(Coefficient.PEARSON, pearsonr), (Coefficient.SPEARMAN, spearmanr)]
)
def test_rule_correlation_is_of_means_and_shares(coefficient, theirs):
    # rule 0: 0.8 and 0.6, one of two right; rule 1: 0.3, wrong; rule 2: 0.9, right; rule 3: 0.2, right
    rated = _rated([0.8, 0.6, 0.3, 0.9, 0.2], [YES, NO, NO, YES, YES], [0, 0, 1, 2, 3])
    expected = theirs([0.7, 0.3, 0.9, 0.2], [1 / 2, 0, 1, 1]).statistic
    assert rule_correlation(*rated, coefficient).value == pytest.approx(expected)


def test_rule_correlation_of_a_constant_is_none_with_a_reason():
    found = rule_correlation(*_rated([0.5] * 3, [YES, NO, YES]), Coefficient.PEARSON)
    assert found.value is None
    assert found.reason == "one of the two is the same for all rules"


def test_rule_correlation_takes_means_of_equal_qualities_as_equal():
    rated = _rated([0.7] * 9, [YES, NO, NO] * 3, [0, 0, 0, 0, 0, 0, 1, 2, 2])
    assert rule_correlation(*rated, Coefficient.SPEARMAN).value is None


def test_rule_correlation_needs_three_rules():
    found = rule_correlation(*_rated([0.5, 0.6], [YES, NO]), Coefficient.PEARSON)
    assert found.reason == "2 rules define no correlation"


def test_quality_bins_are_of_about_equal_size():
    low, high = quality_bins(*_rated([0.1, 0.4, 0.2, 0.9], [NO, YES, NO, YES]), 2)
    assert (low.low, low.high, low.n, low.share_right) == (0.1, 0.2, 2, 0 / 2)
    assert (high.low, high.high, high.n, high.share_right) == (0.4, 0.9, 2, 2 / 2)
    assert high.mean_quality == pytest.approx((0.4 + 0.9) / 2)


@pytest.mark.parametrize(
    ("quality", "n_bins", "spans"),
    [
        # the edge of two parts of three is the middle one, which belongs below
        ([0.3, 0.1, 0.2], 2, [(0.1, 0.2, 2), (0.3, 0.3, 1)]),
        # the edge is 0.2, and all that equal it stay together
        ([0.2, 0.2, 0.8, 0.2], 2, [(0.2, 0.2, 3), (0.8, 0.8, 1)]),
        # edges 0.3, 0.5 and 0.7: nothing lies between them
        ([0.1, 0.9], 4, [(0.1, 0.1, 1), (0.9, 0.9, 1)]),
        # edges 0.25, 0.5 and 0.75 are qualities themselves
        ([0, 0.25, 0.5, 0.75, 1], 4, [(0, 0.25, 2), *[(q, q, 1) for q in (0.5, 0.75, 1)]]),
        ([0.4, 0.4], 10, [(0.4, 0.4, 2)]),
        ([0.9, 0.1], 1, [(0.1, 0.9, 2)]),
    ],
)
def test_quality_bins_have_edges_by_quantiles(quality, n_bins, spans):
    bins = quality_bins(*_rated(quality, [YES] * len(quality)), n_bins)
    assert [(each.low, each.high, each.n) for each in bins] == spans


@given(_QUALITIES, st.integers(1, 12))
def test_quality_bins_hold_every_instance_once_and_keep_ties_together(rows, n_bins):
    quality, is_right, _ = map(np.array, zip(*rows, strict=True))
    bins = quality_bins(*_rated(quality, is_right), n_bins)
    assert sum(each.n for each in bins) == len(rows)
    assert len(bins) <= n_bins
    assert all(one.high < other.low for one, other in pairwise(bins))


def _numbered(rule):
    return np.unique(rule, return_inverse=True)[1]
