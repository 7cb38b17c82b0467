"""What chance reaches under each way to treat ties."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.translation.judgments import FloorPolicy, consistency_floors, preferences
from ensue.translation.systems import TranslationJudgments


def floors(judgments, **settings):
    found = consistency_floors(preferences(judgments), **{"draws": 20, **settings})
    return {each.policy: each for each in found}


def expected(judgments, **settings):
    return {policy: each.expected for policy, each in floors(judgments, **settings).items()}


@pytest.fixture(scope="session")
def one_tie_of_three(ranked):
    return ranked(("1", "ada", {"u": 1, "v": 2, "w": 2}))


def test_floor_expects_what_the_formulas_say(one_tie_of_three):
    # t = 1/3, k = 4
    assert expected(one_tie_of_three, n_ranks=4) == pytest.approx(
        {
            FloorPolicy.COMPLETE: 1 / 2,
            FloorPolicy.COMPLETE_ALL: 1 / 2 * 2 / 3,
            FloorPolicy.RANKS: 1 / 2 * 3 / 4,
            FloorPolicy.RANKS_ALL: 2 / 3 * (1 / 2 * 3 / 4) + 1 / 3 * 1 / 4,
            FloorPolicy.UNIFORM_ANSWERS: 1 / 3,
            FloorPolicy.HUMAN_ANSWERS: (1 / 3) ** 2 + 2 * (1 / 3) ** 2,
        }
    )


def consistency(found, scores, counts_ties):
    """Of one metric, read plainly."""
    margin = np.sign(scores[found.better] - scores[found.worse])
    right = margin == np.where(found.is_tie, 0, 1)
    return right.mean() if counts_ties else right[~found.is_tie].mean()


@given(data=st.data())
def test_floor_of_complete_rankings_is_the_mean_over_all_of_them(ranked, data):
    ranks = data.draw(st.fixed_dictionaries({system: st.integers(1, 3) for system in "uvwx"}))
    assume(len(set(ranks.values())) > 1)
    judgments = ranked(("1", "ada", ranks))
    found, floor = preferences(judgments), expected(judgments)
    orders = [np.array(order) for order in permutations(range(4))]
    for policy in (FloorPolicy.COMPLETE, FloorPolicy.COMPLETE_ALL):
        mean = np.mean([consistency(found, order, policy.keeps_ties) for order in orders])
        assert floor[policy] == pytest.approx(mean)


@given(data=st.data())
def test_floor_of_ranks_is_the_mean_over_all_of_them(ranked, data):
    ranks = data.draw(st.fixed_dictionaries({system: st.integers(1, 3) for system in "uvw"}))
    assume(len(set(ranks.values())) > 1)
    judgments = ranked(("1", "ada", ranks))
    found, floor = preferences(judgments), expected(judgments, n_ranks=3)
    drawn = [np.array(scores) for scores in product(range(3), repeat=3)]
    for policy in (FloorPolicy.RANKS, FloorPolicy.RANKS_ALL):
        mean = np.mean([consistency(found, scores, policy.keeps_ties) for scores in drawn])
        assert floor[policy] == pytest.approx(mean)


def test_floor_that_is_simulated_agrees_with_the_expected(ranked):
    rng = np.random.default_rng(2)
    judgments = ranked(
        *(
            (str(i), "ada", dict(zip("uvwxy", rng.integers(1, 6, 5).tolist(), strict=True)))
            for i in range(100)
        )
    )
    draws = 400
    for floor in floors(judgments, draws=draws, seed=4).values():
        error = floor.spread / np.sqrt(draws)
        assert abs(floor.simulated - floor.expected) < 4 * error


def test_floor_counts_what_the_policy_counts(one_tie_of_three):
    found = floors(one_tie_of_three)
    assert {policy: floor.n_comparisons for policy, floor in found.items()} == {
        policy: 3 if policy.keeps_ties else 2 for policy in FloorPolicy
    }


def test_floor_says_what_it_means(one_tie_of_three):
    found = floors(one_tie_of_three).values()
    assert [floor.policy for floor in found] == list(FloorPolicy)
    assert len({floor.meaning for floor in found}) == len(FloorPolicy)


def test_floor_is_the_same_with_the_same_seed(one_tie_of_three):
    assert floors(one_tie_of_three, seed=1) == floors(one_tie_of_three, seed=1)
    assert floors(one_tie_of_three, seed=1) != floors(one_tie_of_three, seed=2)


def test_floor_of_ties_is_undefined(ranked):
    with pytest.raises(UndefinedError, check=coded("no-preferences-ties-no")):
        floors(ranked(("1", "ada", {"u": 1, "v": 1})))


def test_floor_of_nothing_is_undefined():
    with pytest.raises(UndefinedError, check=coded("no-preferences-ties-no")):
        floors(TranslationJudgments())


def test_floor_needs_ranks_and_draws(one_tie_of_three):
    with pytest.raises(SettingError, match="0 ranks and 20 draws make no sense"):
        floors(one_tie_of_three, n_ranks=0)


@given(data=st.data())
def test_floor_of_complete_rankings_is_never_below_half_without_ties(any_rankings, data):
    judgments = data.draw(any_rankings)
    assume(len(preferences(judgments).decided()))
    found = expected(judgments)
    assert found[FloorPolicy.COMPLETE] == 1 / 2
    assert all(found[policy] < 1 / 2 for policy in (FloorPolicy.RANKS, FloorPolicy.RANKS_ALL))
    assert found[FloorPolicy.COMPLETE_ALL] <= 1 / 2


@pytest.mark.data
def test_floor_of_wmt08_is_well_below_half_only_with_ties(wmt08):
    found = floors(wmt08, draws=50)
    assert found[FloorPolicy.COMPLETE].simulated == pytest.approx(0.5, abs=0.005)
    assert found[FloorPolicy.COMPLETE_ALL].expected == pytest.approx(0.4133, abs=5e-5)
    assert found[FloorPolicy.RANKS].expected == 0.4
    assert found[FloorPolicy.RANKS_ALL].expected == pytest.approx(0.3653, abs=5e-5)
    assert found[FloorPolicy.HUMAN_ANSWERS].expected == pytest.approx(0.3717, abs=5e-5)
