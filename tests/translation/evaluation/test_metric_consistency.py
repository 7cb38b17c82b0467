from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.pairwise_accuracy import (
    COEFFICIENTS,
    TauVariant,
    TiePolicy,
    consistency,
    tau,
)
from ensue.translation.judgments import preferences as preferences_of
from ensue.translation.systems import (
    HumanRanking,
    MetricScores,
    OutputKey,
    Preferences,
    TranslationJudgments,
)


@pytest.fixture
def five(make_preferences):
    """Five preferences and a tie of people."""
    return make_preferences(
        "1:A > 1:B", "1:A > 1:C", "1:B > 1:C", "2:A > 2:B", "2:C > 2:A", "2:B = 2:C"
    )


@pytest.fixture
def metric(make_scores):
    """Right on 1:A > 1:B and 1:A > 1:C, wrong on 2:A > 2:B, ties 1:B with 1:C and 2:A with 2:C."""
    return make_scores(_1_A=3, _1_B=1, _1_C=1, _2_A=1, _2_B=2, _2_C=1)


def test_consistency_counts_right_wrong_and_ties(five, metric):
    overall = consistency(five, metric).overall
    counts = (overall.right, overall.wrong, overall.ties, overall.total, overall.n_human_ties)
    assert counts == (2, 1, 2, 5, 1)
    assert overall.n_segments == 2


@pytest.mark.parametrize(
    ("policy", "share"),
    [
        (TiePolicy.WRONG, 2 / 5),
        (TiePolicy.HALF, (2 + 2 / 2) / 5),
        (TiePolicy.LEFT_OUT, 2 / (2 + 1)),
    ],
)
def test_consistency_treats_ties_as_the_policy_says(policy, share, five, metric):
    assert consistency(five, metric, policy=policy).overall.share.value == pytest.approx(share)


@pytest.mark.parametrize(
    ("variant", "value"),
    [
        (TauVariant.WMT12, (2 - (1 + 2)) / (2 + 1 + 2)),
        (TauVariant.WMT13, (2 - 1) / (2 + 1)),
        (TauVariant.WMT14, (2 - 1) / (2 + 1 + 2)),
    ],
)
def test_tau_is_worked_out(variant, value, five, metric):
    assert consistency(five, metric).overall.taus[variant].value == pytest.approx(value)


def test_every_variant_of_tau_has_coefficients():
    assert set(COEFFICIENTS) == set(TauVariant)


counts = st.tuples(*[st.integers(0, 50)] * 3).filter(lambda each: each[0] + each[1] > 0)


@given(counts)
def test_tau_is_twice_the_share_minus_one_under_the_policy_that_goes_with_it(found):
    right, wrong, ties = found
    rows = np.array([found], float)
    total = right + wrong + ties
    assert tau(rows, TauVariant.WMT12)[0] == pytest.approx(2 * right / total - 1)
    assert tau(rows, TauVariant.WMT13)[0] == pytest.approx(2 * right / (right + wrong) - 1)
    assert tau(rows, TauVariant.WMT14)[0] == pytest.approx(2 * (right + ties / 2) / total - 1)


def test_consistency_has_a_mean_over_language_pairs(make_preferences, make_scores):
    given = make_preferences(
        "cs-en:1:A > cs-en:1:B", "cs-en:2:A > cs-en:2:B", "cs-en:3:B > cs-en:3:A",
        "de-en:1:B > de-en:1:A",
    )  # fmt: skip
    scores = make_scores(
        **{f"cs-en_{i}_{s}": v for i in (1, 2, 3) for s, v in (("A", 2), ("B", 1))},
        **{"de-en_1_A": 2, "de-en_1_B": 1},
    )
    found = consistency(given, scores)
    assert found.by_pair["cs-en"].share.value == pytest.approx(2 / 3)
    assert found.by_pair["de-en"].share.value == 0
    assert found.overall.share.value == pytest.approx(2 / 4)
    assert found.mean.value == pytest.approx((2 / 3 + 0) / 2)
    assert found.mean_taus[TauVariant.WMT14].value == pytest.approx((1 / 3 - 1) / 2)


def test_consistency_of_a_language_pair_without_preferences_is_undefined(
    make_preferences, make_scores
):
    given = make_preferences("cs-en:1:A > cs-en:1:B", "de-en:1:A = de-en:1:B")
    found = consistency(
        given, make_scores(**{f"{p}_1_{s}": ord(s) for p in ("cs-en", "de-en") for s in "AB"})
    )
    assert found.by_pair["de-en"].share.value is None
    assert found.by_pair["de-en"].n_human_ties == 1
    assert found.overall.share.value == 0
    assert found.mean.value is None
    assert found.mean.reason == "de-en: people prefer neither output in any comparison"


def test_consistency_of_a_constant_metric_without_its_ties_is_undefined(five, make_scores):
    constant = make_scores(**{f"_{i}_{s}": 1 for i in (1, 2) for s in "ABC"})
    found = consistency(five, constant, policy=TiePolicy.LEFT_OUT).overall
    assert found.share.value is None
    assert "ties are left out" in found.share.reason
    assert found.taus[TauVariant.WMT14].value == 0


def test_consistency_without_preferences_is_undefined(make_preferences, make_scores):
    with pytest.raises(UndefinedError, check=coded("no-comparisons-two-outputs")):
        consistency(make_preferences("1:A = 1:B"), make_scores(_1_A=1, _1_B=2))


def test_consistency_refuses_a_level_that_is_none(five, metric):
    with pytest.raises(SettingError, match=r"level 95 is not between 0 and 1"):
        consistency(five, metric, resampling=Resampling(level=95))


def test_interval_of_a_single_segment_has_no_width(make_preferences, make_scores):
    given = make_preferences("1:A > 1:B", "1:A > 1:C", "1:C > 1:B")
    share = consistency(
        given, make_scores(_1_A=3, _1_B=2, _1_C=1), resampling=Resampling(draws=50)
    ).overall.share
    assert share.low == share.value == share.high == pytest.approx(2 / 3)


def test_interval_does_not_shrink_where_segments_have_more_of_the_same(make_noisy):
    given, quality = make_noisy()
    often = given.chosen(np.tile(np.arange(len(given)), 9))
    once, again = (
        consistency(each, quality, resampling=Resampling(draws=200)).overall.share
        for each in (given, often)
    )
    assert (once.low, once.high) == pytest.approx((again.low, again.high))


def test_interval_agrees_with_a_bootstrap_written_out(make_noisy):
    given, quality = make_noisy(pairs=("cs-en",))
    values = dict(zip(quality.outputs, quality.values, strict=True))
    by_segment = {}
    decided = given.decided()
    for i, j in zip(decided.better, decided.worse, strict=True):
        right = values[given.outputs[i]] > values[given.outputs[j]]
        by_segment.setdefault(given.outputs[i].segment, []).append(right)
    segments = list(by_segment.values())
    rng = np.random.default_rng(1)
    shares = [
        np.concatenate([segments[k] for k in rng.integers(0, len(segments), len(segments))]).mean()
        for _ in range(3000)
    ]
    share = consistency(given, quality, resampling=Resampling(draws=3000)).overall.share
    assert share.low == pytest.approx(np.quantile(shares, 0.025), abs=0.01)
    assert share.high == pytest.approx(np.quantile(shares, 0.975), abs=0.01)


def test_language_pairs_are_drawn_independently(make_noisy):
    one, quality = make_noisy(n_segments=100, pairs=("cs-en",))
    keys = tuple(key._replace(language_pair=p) for p in ("cs-en", "de-en") for key in one.outputs)
    both = Preferences(
        keys,
        *(np.concatenate([each, each + len(one.outputs)]) for each in (one.better, one.worse)),
        np.tile(one.is_tie, 2),
        one.judges,
        np.tile(one.judge, 2),
    )
    twice = MetricScores("twice", keys, np.tile(quality.values, 2))
    alone, found = (consistency(*each) for each in ((one, quality), (both, twice)))
    widths = [each.high - each.low for each in (alone.mean, found.mean)]
    # the mean of two independent shares has half the variance
    assert widths[0] / widths[1] == pytest.approx(np.sqrt(2), abs=0.15)


def test_consistency_without_draws_has_no_interval(five, metric):
    share = consistency(five, metric, resampling=Resampling(draws=0)).overall.share
    assert (share.low, share.high) == (None, None)


@st.composite
def judged(draw):
    """Some comparisons within a few segments, and whole scores with ties."""
    n_segments = draw(st.integers(1, 4))
    keys = [("", str(i), s) for i in range(n_segments) for s in "ABC"]
    outputs = tuple(OutputKey(*key) for key in keys)
    places = st.tuples(st.integers(0, n_segments - 1), st.permutations(range(3)), st.booleans())
    rows = draw(st.lists(places, min_size=1, max_size=12))
    better = np.array([3 * segment + order[0] for segment, order, _ in rows])
    worse = np.array([3 * segment + order[1] for segment, order, _ in rows])
    tie = np.array([is_tie for _, _, is_tie in rows])
    tie[0] = False
    judge = np.zeros(len(rows), np.int64)
    values = np.array(draw(st.lists(st.integers(-5, 5), min_size=len(keys), max_size=len(keys))))
    preferences = Preferences(outputs, better, worse, tie, ("judge",), judge)
    return preferences, MetricScores("metric", outputs, values.astype(float))


def _changed(scores, change):
    return MetricScores(scores.name, scores.outputs, change(scores.values))


@given(judged(), st.sampled_from(TiePolicy))
def test_consistency_is_unchanged_by_a_monotone_transform(case, policy):
    given_preferences, scores = case
    one, other = (
        consistency(given_preferences, each, policy=policy, resampling=Resampling(draws=20))
        for each in (scores, _changed(scores, lambda x: np.exp(x / 3)))
    )
    assert one.overall == other.overall


@given(judged())
def test_negated_scores_turn_right_into_wrong(case):
    given_preferences, scores = case
    one = consistency(given_preferences, scores, resampling=Resampling(draws=0)).overall
    other = consistency(
        given_preferences, _changed(scores, np.negative), resampling=Resampling(draws=0)
    ).overall
    assert (other.right, other.wrong, other.ties) == (one.wrong, one.right, one.ties)
    assert other.share.value == pytest.approx(1 - one.share.value - one.ties / one.total)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5).filter(lambda r: len(set(r)) > 1))
def test_a_metric_that_is_the_judge_is_always_right(ranks):
    ranking = HumanRanking("cs-en", "1", "judge", {f"S{i}": rank for i, rank in enumerate(ranks)})
    metric = MetricScores("judge", tuple(ranking.output_keys()), -np.array(ranks, float))
    found = consistency(
        preferences_of(TranslationJudgments((ranking,))), metric, resampling=Resampling(draws=0)
    ).overall
    assert found.share.value == 1
    assert all(each.value == 1 for each in found.taus.values())


@pytest.mark.data
def test_wmt12_into_english_has_the_known_number_of_preferences(wmt12_rankings):
    given = preferences_of(TranslationJudgments(wmt12_rankings))
    first = MetricScores("order", given.outputs, -np.arange(len(given.outputs), dtype=float))
    found = consistency(given, first, resampling=Resampling(draws=0)).overall
    assert (found.total, found.n_human_ties) == (44_345, 7_676)
