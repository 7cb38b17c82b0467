from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from tests.errors import coded

from ensue.errors import DataError, SettingError
from ensue.translation.output_orders import OrderMethod, OrderObjective, order, order_value, orders

SIZES = st.integers(0, 5)
CYCLE = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])
"""Each is better than the next, the last than the first."""


def complementary(upper):
    above = np.triu(upper, k=1)
    return above + np.tril(1 - above.T, k=-1) + np.eye(len(upper)) / 2


@st.composite
def matrices(draw, sizes=SIZES):
    n = draw(sizes)
    return complementary(draw(arrays(np.float64, (n, n), elements=st.floats(0.01, 0.99))))


def from_utilities(utilities):
    utilities = np.asarray(utilities, dtype=float)
    return 1 / (1 + np.exp(utilities[None, :] - utilities[:, None]))


def noisy(rng, n_segments, n):
    utilities = rng.normal(size=(n_segments, n))
    log_odds = utilities[:, :, None] - utilities[:, None, :]
    log_odds += rng.normal(size=log_odds.shape)
    return np.stack([complementary(1 / (1 + np.exp(-one))) for one in log_odds])


def greedy_by_log_odds(probabilities):
    margin = np.log(probabilities / probabilities.T)
    left, found = list(range(len(margin))), []
    while left:
        potential = [margin[i, left].sum() for i in left]
        found.append(left.pop(int(np.argmax(potential))))
    return found


def test_order_value_is_the_log_likelihood():
    probabilities = complementary(np.array([[0, 0.9, 0.6], [0, 0, 0.2], [0, 0, 0]]))
    # 0 before 2 before 1: P(0, 2) = 0.6, P(0, 1) = 0.9, P(2, 1) = 1 - 0.2
    assert order_value(probabilities, [0, 2, 1]) == pytest.approx(np.log(0.6 * 0.9 * 0.8))


def test_order_value_is_the_agreement_where_asked():
    probabilities = complementary(np.array([[0, 0.9, 0.6], [0, 0, 0.2], [0, 0, 0]]))
    found = order_value(probabilities, [0, 2, 1], OrderObjective.AGREEMENT)
    assert found == pytest.approx(0.6 + 0.9 + 0.8)


def test_order_value_of_a_contradicted_certainty_is_minus_infinity():
    assert order_value(np.array([[0.5, 1], [0, 0.5]]), [1, 0]) == -np.inf


def test_order_value_refuses_what_is_no_order():
    with pytest.raises(SettingError, match=r"\[0, 0, 1\] is not an order of 3 outputs"):
        order_value(CYCLE, [0, 0, 1])


def test_greedy_order_is_worked_by_hand():
    # potentials, each 2 * (sum of a row off the diagonal) - 3:
    # 0: 2 * (0.6 + 0.6 + 0.6) - 3 = 0.6;  1: 2 * (0.4 + 0.9 + 0.9) - 3 = 1.4 -> 1 first
    # without 1: 0: 2 * (0.6 + 0.6) - 2 = 0.4;  2: 2 * (0.4 + 0.8) - 2 = 0.4 -> a tie, 0 first
    # without 0: 2: 2 * 0.8 - 1 = 0.6;  3: -0.6
    probabilities = complementary(
        np.array([[0, 0.6, 0.6, 0.6], [0, 0, 0.9, 0.9], [0, 0, 0, 0.8], [0, 0, 0, 0]])
    )
    assert order(probabilities, OrderMethod.GREEDY).tolist() == [1, 0, 2, 3]
    # exactly: 0 before 1 costs nothing elsewhere and has 0.6 for 0.4
    assert order(probabilities, OrderMethod.EXACT).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("method", OrderMethod)
def test_order_of_a_cycle_begins_with_the_first(method):
    assert order(CYCLE, method).tolist() == [0, 1, 2]


@pytest.mark.parametrize("method", OrderMethod)
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_order_of_equals_is_that_of_their_places(method, n):
    assert order(np.full((n, n), 0.5), method).tolist() == list(range(n))


@pytest.mark.parametrize("method", OrderMethod)
def test_order_follows_certainties(method):
    certain = np.array([[0.5, 0, 0], [1, 0.5, 0], [1, 1, 0.5]])
    assert order(certain, method).tolist() == [2, 1, 0]


def test_exact_order_contradicts_as_few_certainties_as_it_can():
    # 0 > 1 > 2 > 0 for certain: three orders contradict one of them, and 0, 1, 2 is the first
    certain = np.array([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
    assert order(certain, OrderMethod.EXACT).tolist() == [0, 1, 2]


@given(matrices())
@pytest.mark.parametrize("objective", OrderObjective)
def test_exact_order_is_the_best_of_all_permutations(objective, probabilities):
    found = order(probabilities, OrderMethod.EXACT, objective=objective)
    best = max(
        order_value(probabilities, list(one), objective)
        for one in permutations(range(len(probabilities)))
    )
    assert order_value(probabilities, found, objective) == pytest.approx(best)


@given(matrices(st.integers(0, 7)))
def test_greedy_order_agrees_at_least_half_as_much_as_the_best(probabilities):
    greedy = order(probabilities, OrderMethod.GREEDY)
    best = order(probabilities, OrderMethod.EXACT, objective=OrderObjective.AGREEMENT)
    reached = order_value(probabilities, greedy, OrderObjective.AGREEMENT)
    assert reached >= order_value(probabilities, best, OrderObjective.AGREEMENT) / 2 - 1e-9


@given(matrices(st.integers(0, 7)))
def test_exact_order_is_at_least_as_likely_as_the_greedy_one(probabilities):
    greedy, exact = (
        order(probabilities, method) for method in (OrderMethod.GREEDY, OrderMethod.EXACT)
    )
    assert order_value(probabilities, exact) >= order_value(probabilities, greedy) - 1e-9


@given(st.lists(st.integers(-20_000, 20_000), max_size=10))
@pytest.mark.parametrize("method", OrderMethod)
def test_order_by_utilities_is_their_sort(method, thousandths):
    utilities = np.array(thousandths, dtype=float) / 1000
    expected = np.argsort(-utilities, kind="stable")
    assert order(from_utilities(utilities), method).tolist() == expected.tolist()


@given(matrices(st.integers(1, 6)), st.randoms(use_true_random=False))
def test_exact_order_has_the_same_value_however_outputs_are_numbered(probabilities, random):
    places = list(range(len(probabilities)))
    random.shuffle(places)
    moved = probabilities[np.ix_(places, places)]
    values = [order_value(one, order(one, OrderMethod.EXACT)) for one in (probabilities, moved)]
    assert values[0] == pytest.approx(values[1])


def test_greedy_orders_by_probabilities_are_more_likely_than_by_log_odds():
    many = noisy(np.random.default_rng(5), 300, 8)
    by_probabilities = [
        order_value(one, found)
        for one, found in zip(many, orders(many, OrderMethod.GREEDY), strict=True)
    ]
    by_log_odds = [order_value(one, greedy_by_log_odds(one)) for one in many]
    assert np.mean(by_probabilities) > np.mean(by_log_odds)


@given(st.lists(matrices(), max_size=6))
@pytest.mark.parametrize("method", OrderMethod)
def test_orders_of_many_segments_are_those_of_each(method, many):
    together = [one.tolist() for one in orders(many, method)]
    assert together == [order(one, method).tolist() for one in many]


def test_orders_in_parts_are_those_of_each(monkeypatch):
    many = noisy(np.random.default_rng(1), 7, 4)
    expected = [order(one, OrderMethod.EXACT).tolist() for one in many]
    monkeypatch.setattr("ensue.translation.output_orders._CELLS", 3 * (4 << 4))
    assert [one.tolist() for one in orders(many, OrderMethod.EXACT)] == expected


@pytest.mark.parametrize(("n", "same_as"), [(8, OrderMethod.EXACT), (9, OrderMethod.GREEDY)])
def test_auto_is_exact_up_to_eight_outputs(n, same_as):
    many = noisy(np.random.default_rng(2), 20, n)
    found = {method: np.stack(orders(many, method)) for method in OrderMethod}
    assert (found[OrderMethod.AUTO] == found[same_as]).all()
    assert (found[OrderMethod.EXACT] != found[OrderMethod.GREEDY]).any()


def test_order_does_not_look_at_the_diagonal():
    probabilities = np.array([[np.nan, 0.2], [0.8, 0.0]])
    assert order(probabilities).tolist() == [1, 0]


@pytest.mark.parametrize("wrong", [np.nan, -0.1, 1.1, np.inf])
def test_orders_refuse_what_is_no_probability(wrong):
    with pytest.raises(DataError, match=r"matrix 1, row 0, column 1: .* is no probability"):
        orders([CYCLE, np.array([[0.5, wrong], [0.5, 0.5]])])


def test_orders_refuse_probabilities_that_do_not_sum_to_1():
    with pytest.raises(DataError, match=r"matrix 0: .* are 0.7 and 0.4, which do not sum to 1"):
        order(np.array([[0.5, 0.7], [0.4, 0.5]]))


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 2, 2)])
def test_order_refuses_what_is_not_square(shape):
    with pytest.raises(SettingError, check=coded("probabilities-shape-not-square")):
        order(np.full(shape, 0.5))


def test_exact_order_refuses_more_than_twelve_outputs():
    assert order(from_utilities(range(12)), OrderMethod.EXACT).tolist() == list(range(11, -1, -1))
    with pytest.raises(SettingError, match="13 outputs are too many"):
        order(np.full((13, 13), 0.5), OrderMethod.EXACT)
