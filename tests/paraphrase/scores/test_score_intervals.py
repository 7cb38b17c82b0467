"""Intervals by resampling judges and terms, and differences between methods."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.errors import SettingError, UnknownNameError
from ensue.paraphrase.lists import NOT_JUDGED, RankedLists, Strictness
from ensue.paraphrase.scores import (
    PatternMeasure,
    ScoreSettings,
    Short,
    Unjudged,
    intervals,
    score,
    score_intervals,
    values_at,
)
from ensue.paraphrase.scores.intervals import counted_interval, judge_draws
from ensue.statistics import resampling
from ensue.statistics.resampling import Resampling

EP, EPR, DIMPLE = PatternMeasure
K = 2


def several(judged, n_judges=3, n_terms=6, seed=5):
    rng = np.random.default_rng(seed)
    names = [f"word{i}" for i in range(40)]
    plain = {}
    for term, method in product(range(n_terms), "ab"):
        chances = 0.8 if method == "a" else 0.3
        plain[f"term{term}", method] = [
            (str(rng.choice(names)) + f" {i}", tuple((rng.random(n_judges) < chances).astype(int)))
            for i in range(3)
        ]
    return judged(plain)


@pytest.fixture
def scored(judged):
    return score(several(judged), ScoreSettings(ks=(1, K)))


def all_means(found):
    return [
        found.of_method(method, measure, k)
        for method, measure, k in product(("a", "b", None), PatternMeasure, (1, K))
    ]


def test_three_judges_have_ten_outcomes(scored):
    draws = judge_draws(scored, 5000, np.random.default_rng(0))
    assert len(draws.outcomes) == 1 + 10  # as they are, and C(5, 3) multisets of three
    assert draws.counts[0] == 0
    assert draws.counts.sum() == 5000


def test_outcomes_are_the_scores_of_the_judges_drawn(judged):
    # judges say (yes, no): drawn twice, the first gives Q = 1, the second 0, both 1/2
    lists = judged({("killed", "a"): [("shot", (1, 0))]})
    draws = judge_draws(score(lists, ScoreSettings(ks=(1,))), 500, np.random.default_rng(0))
    values = draws.all_values()
    assert sorted(values[1:, 0, 0, 0].tolist()) == [0, 1 / 2, 1]
    # DIMPLE is no line in Q: 2^(3/2) − 1 over 7 in the middle
    assert sorted(values[1:, 0, 2, 0].tolist()) == pytest.approx([0, (2**1.5 - 1) / 7, 1])


def test_outcomes_of_some_lists_are_theirs_among_all(judged):
    # of different lengths, with patterns that repeat words or stems and have no credit
    plain = {
        ("killed", "a"): [("shot", (1, 0, 1))],
        ("killed", "b"): [("killing", (1, 1, 0)), ("slain", (0, 1, 1)), ("was slain", (1, 0, 0))],
        ("told", "a"): [],
        ("told", "b"): [("said", (1, 0, 0)), ("telling", (0, 1, 1))],
        ("took", "a"): [("took over", (0, 0, 1)), ("seized", (1, NOT_JUDGED, NOT_JUDGED))],
    }
    draws = judge_draws(
        score(judged(plain), ScoreSettings(ks=(1, K))), 100, np.random.default_rng(0)
    )
    for start, end in ((0, 2), (1, 4), (4, 5)):
        some = draws.of_lists(start, end).all_values()
        assert some.tolist() == draws.all_values()[:, start:end].tolist()


def test_interval_of_a_list_is_that_of_draws_one_by_one(scored):
    found = score_intervals(scored, resampling=Resampling(draws=400, seed=3))
    rng = np.random.default_rng(3)
    labels = scored.lists.judgments.labels[Strictness.STRICT]
    values = []
    for counts in rng.multinomial(3, np.full(3, 1 / 3), size=400):
        quality = (labels * counts).sum(axis=1) / 3
        values.append(values_at(scored, (1, K), quality))
    expected = np.quantile(np.stack(values), [0.025, 0.975], axis=0)
    np.testing.assert_allclose(found.low, expected[0], atol=1e-12)
    np.testing.assert_allclose(found.high, expected[1], atol=1e-12)


def test_interval_of_a_mean_is_that_of_draws_one_by_one(scored):
    found = score_intervals(scored, resampling=Resampling(draws=200, seed=3))
    rng = np.random.default_rng(3)
    labels = scored.lists.judgments.labels[Strictness.STRICT]
    judges = rng.multinomial(3, np.full(3, 1 / 3), size=200)
    judges = judges[np.lexsort(judges.T[::-1])]  # outcomes stand together
    terms = rng.integers(0, 6, size=(200, 6))
    means = []
    for counts, drawn in zip(judges, terms, strict=True):
        values = values_at(scored, (K,), (labels * counts).sum(axis=1) / 3)[:, 2, 0]
        means.append(np.mean([values[2 * term] for term in drawn]))  # the lists of method a
    estimate = found.of_method("a", DIMPLE, K)
    assert [estimate.low, estimate.high] == pytest.approx(np.quantile(means, [0.025, 0.975]))
    assert estimate.value == pytest.approx(scored.mean(DIMPLE, K, "a").value)


def test_lists_in_blocks_of_one_have_the_same_intervals(scored, monkeypatch):
    together = score_intervals(scored, resampling=Resampling(draws=200))
    monkeypatch.setattr(intervals, "_MOST_NUMBERS", 1)
    apart = score_intervals(scored, resampling=Resampling(draws=200))
    assert apart.low.tolist() == together.low.tolist()
    assert apart.high.tolist() == together.high.tolist()


def test_means_are_the_same_where_terms_are_drawn_in_blocks(scored, monkeypatch):
    together = score_intervals(scored, resampling=Resampling(draws=200, seed=3))
    monkeypatch.setattr(resampling, "_CELLS", 7 * 6)  # seven draws of six terms at once
    apart = score_intervals(scored, resampling=Resampling(draws=200, seed=3))
    for one, other in zip(all_means(apart), all_means(together), strict=True):
        found = [one.value, one.low, one.high]
        assert found == pytest.approx([other.value, other.low, other.high], abs=1e-12)


def test_mean_of_all_lists_has_an_interval(scored):
    estimate = score_intervals(scored, resampling=Resampling(draws=200)).of_method(None, EP, K)
    assert estimate.value == pytest.approx(scored.values[:, 0, 1].mean())
    assert estimate.low < estimate.value < estimate.high


def test_same_seed_gives_the_same_intervals(scored):
    first, second = (
        score_intervals(scored, resampling=Resampling(draws=50, seed=1)) for _ in range(2)
    )
    assert first.low.tolist() == second.low.tolist()
    assert first.of_method("a", EP, 1) == second.of_method("a", EP, 1)


def test_differences_are_paired_over_terms(scored):
    found = score_intervals(scored, resampling=Resampling(draws=300))
    (difference,) = [each for each in found.differences if (each.measure, each.k) == (EP, K)]
    assert (difference.first, difference.second, difference.n_terms) == ("a", "b", 6)
    rng = np.random.default_rng(0)
    labels = scored.lists.judgments.labels[Strictness.STRICT]
    judges = rng.multinomial(3, np.full(3, 1 / 3), size=300)
    judges = judges[np.lexsort(judges.T[::-1])]  # outcomes stand together
    drawn = []
    for counts, terms in zip(judges, rng.integers(0, 6, size=(300, 6)), strict=True):
        values = values_at(scored, (K,), (labels * counts).sum(axis=1) / 3)[:, 0, 0]
        drawn.append(np.mean(values[2 * terms] - values[2 * terms + 1]))  # methods a and b
    expected = np.quantile(drawn, [0.025, 0.975])
    assert difference.difference.value == pytest.approx(
        scored.mean(EP, K, "a").value - scored.mean(EP, K, "b").value
    )
    assert [difference.difference.low, difference.difference.high] == pytest.approx(expected)
    assert difference.difference.p < 0.05


def test_every_two_methods_are_compared_by_every_measure_and_rank(scored):
    differences = score_intervals(scored, resampling=Resampling(draws=20)).differences
    assert [(each.measure, each.k) for each in differences] == list(product(PatternMeasure, (1, K)))


def test_p_is_corrected_for_the_number_of_pairs(judged):
    yes, no = (1, 1, 1), (0, 0, 0)
    plain = {
        (f"term{i}", method): [(f"word{i}", votes)]
        for i in range(8)
        for method, votes in (("a", yes), ("b", yes if i % 3 else no), ("c", no))
    }
    found = score_intervals(
        score(judged(plain), ScoreSettings(ks=(1,))), resampling=Resampling(draws=200)
    ).differences
    of_ep = [each for each in found if each.measure is EP]
    assert [(each.first, each.second) for each in of_ep] == [("a", "b"), ("a", "c"), ("b", "c")]
    smallest = min(each.difference.p for each in of_ep)
    assert min(each.p_holm for each in of_ep) == pytest.approx(min(1, 3 * smallest))


def test_difference_is_over_terms_that_both_methods_have(judged):
    yes, no = (1, 1), (0, 0)
    plain = {
        ("killed", "a"): [("shot", yes)],
        ("told", "a"): [("said", no)],
        ("told", "b"): [("informed", yes)],
        ("took", "b"): [("seized", no)],
    }
    found = score_intervals(
        score(judged(plain), ScoreSettings(ks=(1,))), resampling=Resampling(draws=50)
    ).differences[0]
    assert found.n_terms == 1
    assert found.difference.value == 0 - 1


def test_methods_without_a_common_term_have_no_difference(judged):
    plain = {("killed", "a"): [("shot", (1, 1))], ("told", "b"): [("said", (1, 1))]}
    found = score_intervals(
        score(judged(plain), ScoreSettings(ks=(1,))), resampling=Resampling(draws=50)
    ).differences[0]
    assert found.difference.value is None
    assert "no term in common" in found.difference.reason
    assert found.p_holm is None


def test_pattern_that_no_judge_drawn_has_judged_keeps_its_share(judged):
    lists = judged(
        {("killed", "a"): [("shot", (1, NOT_JUDGED)), ("hit", (0, 1)), ("slain", (NOT_JUDGED, 0))]}
    )
    draws = judge_draws(score(lists, ScoreSettings(ks=(1,))), 200, np.random.default_rng(0))
    assert draws.all_values()[:, 0, 0, 0].tolist() == [1, 1, 1, 1]


def test_unjudged_pattern_taken_as_wrong_stays_wrong_in_all_draws(judged):
    lists = judged({("killed", "a"): [("shot", (NOT_JUDGED, NOT_JUDGED)), ("hit", (1, 0))]})
    scored = score(lists, ScoreSettings(ks=(1,), unjudged=Unjudged.WRONG))
    found = score_intervals(scored, resampling=Resampling(draws=50)).of_list(0, EP, 1)
    assert (found.value, found.low, found.high) == (0, 0, 0)


def test_one_judge_leaves_lists_without_intervals(judged):
    lists = several(judged, n_judges=1)
    found = score_intervals(score(lists, ScoreSettings(ks=(K,))), resampling=Resampling(draws=100))
    estimate = found.of_list(0, EP, K)
    assert estimate.value is not None
    assert (estimate.low, estimate.high) == (None, None)
    assert estimate.reason == "there is one judge only, so that no others can be drawn"
    mean = found.of_method("a", EP, K)
    assert mean.low < mean.value < mean.high


def test_judge_who_said_nothing_is_none_to_draw(judged):
    lists = judged({(term, "a"): [("shot", (1, NOT_JUDGED))] for term in ("killed", "hit")})
    found = score_intervals(score(lists, ScoreSettings(ks=(1,))), resampling=Resampling(draws=50))
    assert found.lists_reason == "there is one judge only, so that no others can be drawn"


def test_quality_not_by_judges_draws_terms_only(judged):
    lists = several(judged)
    columns = {"q": np.linspace(0, 1, lists.n_patterns)}
    lists = type(lists)(lists.name, lists.keys, lists.offsets, lists.paraphrases, columns=columns)
    found = score_intervals(
        score(lists, ScoreSettings(ks=(K,)), "column:q"), resampling=Resampling(draws=100)
    )
    assert found.of_list(0, EP, K).reason == "Q is not by judges, so that none can be drawn"
    assert found.of_method("a", EP, K).low < found.of_method("a", EP, K).high


def test_one_term_leaves_means_without_intervals(judged):
    lists = several(judged, n_terms=1)
    found = score_intervals(score(lists, ScoreSettings(ks=(K,))), resampling=Resampling(draws=100))
    mean = found.of_method("a", EP, K)
    assert mean.value is not None
    assert mean.low is None
    assert mean.reason == "the lists are of one term only, so that no others can be drawn"
    assert found.differences[0].difference.p is None
    assert found.of_list(0, EP, K).low is not None


def test_no_draws_leave_the_values(scored):
    found = score_intervals(scored, resampling=Resampling(draws=0))
    assert found.of_list(0, EP, K) == scored.estimate(0, EP, K)
    assert found.of_method("a", EP, K).value == pytest.approx(scored.mean(EP, K, "a").value)
    assert found.of_method("a", EP, K).low is None
    assert found.differences[0].difference.p is None


@pytest.mark.parametrize("draws", [0, 50])
@pytest.mark.parametrize("n_judges", [0, 2])
def test_no_lists_have_no_mean(judged, n_judges, draws):
    lists = judged({("killed", "a"): [("shot", (1,) * n_judges)]} if n_judges else {})
    scored = score(lists.chosen_lists([]), ScoreSettings(ks=(1, K)))
    found = score_intervals(scored, resampling=Resampling(draws=draws))
    mean = found.of_method(None, EP, K)
    assert (mean.value, mean.reason) == (None, "no list defines it")
    assert found.low.shape == (0, 3, 2)
    assert found.differences == ()


def test_no_lists_without_judges_have_no_mean():
    lists = RankedLists.of({}, columns={"q": np.empty(0)})
    found = score_intervals(
        score(lists, ScoreSettings(ks=(1,)), "column:q"), resampling=Resampling(draws=50)
    )
    assert found.of_method(None, EP, 1).reason == "no list defines it"


def test_undefined_list_has_its_reason(judged):
    lists = judged({("killed", "a"): [], ("told", "a"): [("said", (1, 0))]})
    scored = score(lists, ScoreSettings(ks=(1,), short=Short.AVAILABLE))
    found = score_intervals(scored, resampling=Resampling(draws=50))
    assert found.of_list(0, EP, 1).reason == "the list has no pattern"
    assert found.of_method("a", EP, 1).value == 1 / 2
    assert found.of_method("a", EP, 1).n_undefined > 0


def test_quality_that_is_not_the_judges_is_an_error(judged):
    lists = several(judged)
    scored = score(lists, ScoreSettings(ks=(K,)))
    other = type(scored)(
        **{name: getattr(scored, name) for name in scored.__slots__} | {"quality": np.zeros(36)}
    )
    with pytest.raises(SettingError, match="Q is not the share of the strict judges"):
        score_intervals(other, resampling=Resampling(draws=10))


def test_method_that_is_none_is_an_error(scored):
    with pytest.raises(UnknownNameError, match="no method is called 'c'"):
        score_intervals(scored, resampling=Resampling(draws=10)).of_method("c", EP, K)


def test_level_that_makes_no_sense_is_an_error(scored):
    with pytest.raises(SettingError, match="level 2 is not between 0 and 1"):
        score_intervals(scored, resampling=Resampling(level=2))


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9)), min_size=1, max_size=8).filter(
        lambda rows: any(count for _, count in rows)
    ),
    st.sampled_from([0.5, 0.9, 0.95]),
)
def test_counted_interval_is_that_of_the_draws(rows, level):
    values, counts = (np.array(each) for each in zip(*rows, strict=True))
    expected = np.quantile(np.repeat(values, counts), [(1 - level) / 2, (1 + level) / 2])
    found = counted_interval(values.astype(float)[:, None], counts, level)
    np.testing.assert_allclose([found[0][0], found[1][0]], expected, atol=1e-12)
