"""Inter- and intra-annotator agreement: by hand, against scikit-learn and NLTK, and WMT's figures."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score

from ensue.errors import SettingError
from ensue.statistics.resampling import Resampling
from ensue.translation.judgments import agreement_by_language_pair, judge_agreement, preferences
from ensue.translation.systems import HumanRanking, TranslationJudgments

THIRD = 1 / 3


def measured(judgments, draws=0, seed=0):
    return judge_agreement(preferences(judgments), resampling=Resampling(draws, seed=seed))


def test_agreement_between_judges_by_hand(ranked):
    # u-v: > and >, agree; u-w: > and =, not; v-w: > and <, not
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2, "w": 3}), ("1", "ben", {"u": 1, "v": 2, "w": 1})
    )
    found = measured(judgments)
    assert (found.inter.n_agreeing, found.inter.n_couples) == (1, 3)
    assert found.inter.observed.value == pytest.approx(1 / 3)
    assert found.inter.kappa_uniform.value == pytest.approx((1 / 3 - THIRD) / (1 - THIRD))
    chance = (1 / 6) ** 2 + 2 * (5 / 12) ** 2  # one of six answers is a tie
    assert found.chance_empirical == pytest.approx(chance)
    assert found.inter.kappa_empirical.value == pytest.approx((1 / 3 - chance) / (1 - chance))


def test_agreement_counts_every_couple_of_answers(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2}),
        ("1", "ada", {"u": 2, "v": 1}),
        ("1", "ben", {"u": 1, "v": 2}),
        ("1", "cleo", {"u": 1, "v": 2}),
    )
    found = measured(judgments)
    # ada-ben and ada-cleo twice each, half of them agreeing, and ben-cleo
    assert (found.inter.n_agreeing, found.inter.n_couples) == (1 + 1 + 1, 2 + 2 + 1)
    assert (found.intra.n_agreeing, found.intra.n_couples) == (0, 1)


def test_agreement_with_oneself_is_apart(ranked):
    judgments = ranked(("1", "ada", {"u": 1, "v": 1}), ("1", "ada", {"v": 3, "u": 3}))
    found = measured(judgments)
    assert found.intra.observed.value == 1
    assert found.inter.observed.value is None
    assert found.inter.observed.reason == "no two outputs were compared twice by different judges"


def test_agreement_of_judges_who_only_tie_has_no_empirical_kappa(ranked):
    judgments = ranked(("1", "ada", {"u": 1, "v": 1}), ("1", "ben", {"u": 2, "v": 2}))
    found = measured(judgments).inter
    assert found.kappa_uniform.value == 1
    assert found.kappa_empirical.value is None
    assert "all answers are ties" in found.kappa_empirical.reason


def test_agreement_leaves_unnamed_judges_out(ranked):
    judgments = ranked(("1", "", {"u": 1, "v": 2}), ("1", "", {"u": 1, "v": 2}))
    found = measured(judgments)
    assert (found.n_answers, found.n_left_out) == (0, 2)
    assert found.inter.observed.value is None
    assert found.intra.observed.value is None


def test_agreement_of_nothing_says_so():
    found = measured(TranslationJudgments())
    assert found.tie_share is None
    assert found.chance_empirical is None
    assert found.inter.observed.reason is not None


def test_agreement_refuses_settings_that_make_no_sense(ranked):
    with pytest.raises(SettingError, match="-1 draws cannot be made"):
        measured(ranked(("1", "ada", {"u": 1, "v": 2})), draws=-1)


def test_agreement_has_intervals_around_it(ranked):
    agreeing = [(str(i), judge, {"u": 1, "v": 2}) for i in range(6) for judge in ("ada", "ben")]
    opposed = [(str(i), "ada", {"u": 1, "v": 2}) for i in range(6, 9)]
    judgments = ranked(*agreeing, *opposed, *[(s, "ben", {"u": 2, "v": 1}) for s, _, _ in opposed])
    found = measured(judgments, draws=500, seed=1).inter.observed
    assert found.value == pytest.approx(6 / 9)
    assert found.low < found.value < found.high
    assert found == measured(judgments, draws=500, seed=1).inter.observed


def test_agreement_by_language_pair_measures_each_for_itself(ranked):
    czech = ranked(("1", "ada", {"u": 1, "v": 2}), ("1", "ben", {"u": 1, "v": 2})).rankings
    german = (
        HumanRanking("de-en", "1", "ada", {"u": 1, "v": 1}),
        HumanRanking("de-en", "1", "ben", {"u": 1, "v": 2}),
    )
    found = agreement_by_language_pair(
        preferences(TranslationJudgments(czech + german)), resampling=Resampling(draws=0)
    )
    assert list(found) == ["cs-en", "de-en"]
    assert [each.inter.observed.value for each in found.values()] == [1, 0]
    assert [each.tie_share for each in found.values()] == [0, 1 / 2]


def answers(judgments):
    """All answers, as (contest, judge, answer), read plainly."""
    return [
        ((r.segment, u, v), r.judge, int(np.sign(r.ranks[v] - r.ranks[u])))
        for r in judgments.rankings
        for u, v in combinations(sorted(r.ranks), 2)
    ]


@given(data=st.data())
def test_agreement_equals_plain_counting(any_rankings, data):
    judgments = data.draw(any_rankings)
    couples = [
        (who == other, said == again)
        for (contest, who, said), (same, other, again) in combinations(answers(judgments), 2)
        if contest == same
    ]
    found = measured(judgments)
    for itself, agreement in ((False, found.inter), (True, found.intra)):
        agreeing = [agrees for same_judge, agrees in couples if same_judge is itself]
        assert (agreement.n_agreeing, agreement.n_couples) == (sum(agreeing), len(agreeing))


TWO_JUDGES = st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), min_size=1, max_size=30)


def both_ways(couples):
    """Two judges' answers about a segment each, and the same with the systems turned round."""
    ranks = {1: {"u": 1, "v": 2}, 0: {"u": 1, "v": 1}, -1: {"u": 2, "v": 1}}
    return TranslationJudgments(
        tuple(
            HumanRanking("cs-en", f"{i}{sign}", judge, ranks[sign * said])
            for sign in (1, -1)
            for i, couple in enumerate(couples)
            for judge, said in zip(("ada", "ben"), couple, strict=True)
        )
    )


@given(TWO_JUDGES)
def test_empirical_kappa_equals_scott_s_pi_of_nltk(couples):
    # with the answers turned round as well, P(A > B) = P(A < B) in the data, too
    judgments = both_ways(couples)
    rows = [(judge, segment, said) for segment, judge, said in answers(judgments)]
    found = measured(judgments).inter.kappa_empirical.value
    if found is None:
        assert {said for _, _, said in rows} == {0}
    else:
        assert found == pytest.approx(AnnotationTask(rows).pi())


@given(st.permutations([-1, 0, 1] * 4), st.permutations([-1, 0, 1] * 4))
def test_uniform_kappa_equals_scikit_learn_where_answers_are_uniform(one, other):
    couples = list(zip(one, other, strict=True))
    found = measured(both_ways(couples)).inter.kappa_uniform.value
    assert found == pytest.approx(cohen_kappa_score(one, other))


@given(data=st.data())
def test_agreement_does_not_depend_on_names(any_rankings, renamed, data):
    judgments = data.draw(any_rankings)
    assert measured(renamed(judgments)) == measured(judgments)


@given(data=st.data())
def test_agreement_is_the_same_on_twice_the_segments(any_rankings, doubled, data):
    judgments = data.draw(any_rankings)
    once, twice = measured(judgments), measured(doubled(judgments))
    assert twice.inter.n_couples == 2 * once.inter.n_couples
    for one, two in ((once.inter, twice.inter), (once.intra, twice.intra)):
        assert one.observed == two.observed
        assert one.kappa_uniform == two.kappa_uniform
        assert one.kappa_empirical == two.kappa_empirical


@given(data=st.data())
def test_kappa_is_at_most_the_observed_agreement(any_rankings, data):
    found = measured(data.draw(any_rankings))
    for agreement in (found.inter, found.intra):
        for kappa in (agreement.kappa_uniform, agreement.kappa_empirical):
            if kappa.value is not None:
                assert kappa.value <= agreement.observed.value + 1e-12 <= 1 + 1e-12


@pytest.mark.data
def test_agreement_between_judges_of_wmt08_is_as_published(wmt08):
    found = measured(wmt08)
    assert (found.inter.n_agreeing, found.inter.n_couples) == (5_080, 8_787)
    assert found.inter.observed.value == pytest.approx(0.578, abs=5e-4)
    assert found.inter.kappa_uniform.value == pytest.approx(0.367, abs=5e-4)
    assert found.inter.kappa_empirical.value == pytest.approx(0.3286, abs=5e-5)


@pytest.mark.data
def test_agreement_of_judges_of_wmt08_with_themselves(wmt08):
    found = measured(wmt08)
    assert (found.intra.n_agreeing, found.intra.n_couples) == (2_138, 3_092)
    assert found.intra.observed.value == pytest.approx(0.691, abs=5e-4)
    assert found.intra.kappa_uniform.value == pytest.approx(0.537, abs=5e-4)


@pytest.mark.data
def test_agreement_of_wmt08_into_english_is_a_little_lower(wmt08, into_english):
    found = measured(into_english(wmt08))
    assert (found.inter.n_agreeing, found.inter.n_couples) == (3_492, 6_153)
    assert (found.intra.n_agreeing, found.intra.n_couples) == (1_234, 1_784)


@pytest.mark.data
def test_agreement_of_wmt12_has_intervals_over_its_segments(wmt12, into_english):
    found = measured(into_english(wmt12), draws=2_000)
    assert found.n_segments == 3_793
    observed = found.inter.observed
    assert observed.value == pytest.approx(5_829 / 10_047)
    assert observed.value - observed.low == pytest.approx(0.015, abs=0.003)
