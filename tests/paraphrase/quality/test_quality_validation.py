import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.paraphrase.formats.instances import read_instances
from ensue.paraphrase.quality.entailment import Combination, Grade
from ensue.paraphrase.quality.validation import automatic_agreement, rules_of
from ensue.statistics.linear_models import random_half
from ensue.statistics.resampling import Resampling

N = 40
SOFT_FORWARD = {"grade": Grade.SOFT, "combination": Combination.FORWARD}


@pytest.fixture
def instances(make_instances):
    """Rules of two instances each; those of even number are right."""
    rows = [
        (f"t{i}", f"p{i}", f"{j} t{i}", f"{j} p{i}", i % 2 == 0) for i in range(N) for j in range(2)
    ]
    return make_instances(rows)


def _knows(text, hypothesis):
    return 0.9 if int(text.split()[1][1:]) % 2 == 0 else 0.1


def test_agreement_of_a_perfect_recognizer_is_perfect(told, instances):
    found = automatic_agreement(instances, told(_knows), resampling=Resampling(draws=20))
    assert found.figures.area.value == found.figures.area.low == 1
    assert found.figures.own.accuracy.value == found.figures.tuned.accuracy.value == 1
    assert (
        found.figures.own.kappa.value
        == found.figures.pearson.value
        == found.figures.spearman.value
        == 1
    )
    assert found.figures.tuned.cutoff == 0.0  # hard: the lowest cutoff that gets all right
    assert found.figures.brier.value == 0


def test_agreement_of_a_constant_recognizer_is_chance(told, instances):
    found = automatic_agreement(
        instances, told(lambda *_: 0.7), grade=Grade.SOFT, resampling=Resampling(draws=20)
    )
    assert (found.figures.area.value, found.figures.area.low, found.figures.area.high) == (
        0.5,
        0.5,
        0.5,
    )
    assert found.figures.own.kappa.value == 0
    assert found.figures.own.accuracy.value == found.figures.share_right
    assert found.figures.pearson.value is None
    assert "same for all rules" in found.figures.pearson.reason
    (only,) = found.figures.bins
    assert only.n == found.figures.n_instances


def test_agreement_of_a_recognizer_that_knows_the_contrary_is_zero(told, instances):
    contrary = told(lambda text, hypothesis: 1 - _knows(text, hypothesis))
    found = automatic_agreement(instances, contrary, resampling=Resampling(draws=0))
    assert found.figures.area.value == 0
    assert found.figures.area.low is None
    assert found.figures.pearson.value == -1


def test_agreement_reports_the_other_half(told, instances):
    found = automatic_agreement(instances, told(_knows), resampling=Resampling(draws=0))
    assert (found.n_choosing, found.figures.n_instances, found.figures.n_rules) == (N, N, N // 2)
    assert found.name == "made"
    assert found.signature.recognizer == "told"


def test_agreement_chooses_what_is_nearest_to_people(told, instances):
    # forward knows, backward is no to all: what counts both ways finds nothing right
    judging = told(lambda text, h: _knows(text, h) if "t" in text else 0.3)
    found = automatic_agreement(
        instances, judging, grade=Grade.SOFT, resampling=Resampling(draws=0)
    )
    briers = {trial.combination: trial.brier for trial in found.trials}
    assert found.was_chosen
    assert briers[Combination.FORWARD] == pytest.approx(0.1**2)
    assert found.combination is min(briers, key=briers.__getitem__) is Combination.FORWARD


def test_agreement_takes_what_is_given(told, instances):
    given_ones = {"grade": Grade.HARD, "combination": Combination.BACKWARD}
    found = automatic_agreement(
        instances, told(lambda *_: 0.9), **given_ones, resampling=Resampling(draws=0)
    )
    assert (found.grade, found.combination) == (Grade.HARD, Combination.BACKWARD)
    assert not found.was_chosen
    assert len(found.trials) == 1


def test_agreement_asks_for_a_yes_in_every_way_that_counts(told, instances):
    judging = told(lambda text, h: 0.9 if "t" in text else 0.1)
    for combination in (Combination.PRODUCT, Combination.LEAST, Combination.MEAN):
        found = automatic_agreement(
            instances, judging, combination=combination, resampling=Resampling(draws=0)
        )
        assert found.figures.own.recall.value == 0
    found = automatic_agreement(
        instances, judging, combination=Combination.FORWARD, resampling=Resampling(draws=0)
    )
    assert found.figures.own.recall.value == 1


def test_agreement_is_hard_without_confidences(told, instances):
    found = automatic_agreement(instances, told(_knows, sure=False), resampling=Resampling(draws=0))
    assert found.grade is Grade.HARD
    reasons = [trial.reason for trial in found.trials if trial.grade is Grade.SOFT]
    assert all("no confidence" in reason for reason in reasons)
    with pytest.raises(UndefinedError, match="no confidence"):
        automatic_agreement(instances, told(_knows, sure=False), grade=Grade.SOFT)


def test_agreement_counts_what_is_not_decided(told, instances):
    judging = told(lambda text, h: None if text.startswith("1") else _knows(text, h))
    found = automatic_agreement(instances, judging, resampling=Resampling(draws=0))
    assert (found.figures.n_instances, found.n_undecided) == (N // 2, N // 2)


def test_agreement_needs_decisions(told, instances):
    with pytest.raises(UndefinedError, match="can be chosen: the recognizer decides about no"):
        automatic_agreement(instances, told(lambda *_: None))
    with pytest.raises(UndefinedError, check=coded("no-instance-reporting-half")):
        automatic_agreement(instances, told(lambda *_: None), **SOFT_FORWARD)


CHOOSING, REPORTING = [(0.6, False)] * 2 + [(0.8, True)] * 8, [(0.2, False)] * 7 + [(0.4, True)] * 3
"""Probabilities and what people say: the two halves have next to nothing in common."""


@pytest.fixture
def halves(told, make_instances):
    """Makes instances and a recognizer of two halves, each of (probability, is right), a rule each."""

    def make(choosing, reporting):
        n = len(choosing) + len(reporting)
        half, rest = iter(choosing), iter(reporting)
        each = [
            next(half if is_in else rest) for is_in in random_half(np.arange(n), seed=0).tolist()
        ]
        rows = [
            (f"t{i}", "p", f"{i} t", f"{i} p", is_right) for i, (_, is_right) in enumerate(each)
        ]
        return make_instances(rows), told(lambda text, _: each[int(text.split()[0])][0])

    return make


def test_agreement_learns_on_the_choosing_half_alone(halves):
    found = automatic_agreement(
        *halves(CHOOSING, REPORTING), **SOFT_FORWARD, resampling=Resampling(draws=0)
    )
    figures = found.figures
    assert figures.share_right == 3 / 10
    # 0.6 parts the choosing half (0.2 would part the other), and is above all of the other half
    assert figures.tuned.cutoff == pytest.approx(0.6)
    assert figures.tuned.accuracy.value == pytest.approx(7 / 10)
    # 8 of 10 are right on the choosing half: yes is the majority there, and 0.8 the usual Q
    assert figures.majority.value == pytest.approx(3 / 10)
    expected = (3 * (0.8 - 1) ** 2 + 7 * (0.8 - 0) ** 2) / 10
    assert figures.brier_of_share.value == pytest.approx(expected)


def test_agreement_tries_on_the_choosing_half_alone(halves):
    found = automatic_agreement(
        *halves(CHOOSING, REPORTING), **SOFT_FORWARD, resampling=Resampling(draws=0)
    )
    (trial,) = found.trials
    assert trial.brier == pytest.approx((2 * 0.6**2 + 8 * (1 - 0.8) ** 2) / 10)
    assert trial.area == 1
    assert found.figures.brier.value == pytest.approx((7 * 0.2**2 + 3 * (1 - 0.4) ** 2) / 10)


@pytest.mark.parametrize("given_ones", [{}, SOFT_FORWARD])
def test_agreement_goes_on_where_people_say_one_thing_of_the_choosing_half(halves, given_ones):
    found = automatic_agreement(
        *halves([(0.8, True)] * 10, REPORTING), **given_ones, resampling=Resampling(draws=0)
    )
    trial = next(
        each
        for each in found.trials
        if (each.grade, each.combination) == (Grade.SOFT, Combination.FORWARD)
    )
    assert (trial.area, trial.brier) == (None, pytest.approx((1 - 0.8) ** 2))
    assert trial.reason == "people say one and the same of all instances"
    assert found.figures.area.value is not None
    assert found.figures.majority.value == pytest.approx(3 / 10)


def test_agreement_has_no_area_where_people_say_one_thing_throughout(told, make_instances):
    same = make_instances([(f"t{i}", "p", f"0 t{i}", "p", True) for i in range(6)])
    found = automatic_agreement(same, told(lambda *_: 0.9), resampling=Resampling(draws=0))
    assert found.figures.area.value is None
    assert found.figures.area.reason == "people say one and the same of all instances"
    assert found.figures.own.accuracy.value == 1


def test_agreement_goes_on_without_a_choosing_half_where_nothing_is_to_be_chosen(halves):
    judged = halves([(None, True)] * 10, REPORTING)
    found = automatic_agreement(*judged, **SOFT_FORWARD, resampling=Resampling(draws=0))
    reason = "the recognizer decides about no instance of the choosing half"
    assert (found.n_choosing, found.trials[0].reason) == (0, reason)
    assert found.figures.area.value == 1
    assert found.figures.tuned.cutoff is None
    for figure in (
        found.figures.tuned.accuracy,
        found.figures.brier_of_share,
        found.figures.majority,
    ):
        assert (figure.value, figure.reason) == (None, reason)
    with pytest.raises(UndefinedError, match=reason):
        automatic_agreement(*judged)


def test_agreement_of_one_rule_needs_what_is_to_be_taken(told, make_instances):
    one = make_instances([("t", "p", f"{i} t", f"{i} p", i > 0) for i in range(3)])
    found = automatic_agreement(
        one, told(lambda *_: 0.9), **SOFT_FORWARD, resampling=Resampling(draws=0)
    )
    assert (found.figures.n_rules, found.figures.n_instances) == (1, 3)
    with pytest.raises(UndefinedError, check=coded("no-way-make-quality")):
        automatic_agreement(one, told(lambda *_: 0.9))


def test_trials_are_compared_on_what_all_of_them_decide(told, instances):
    # forward is better on the first instance of each rule, and wrong on the second, of which
    # backward says nothing
    def probability(text, hypothesis):
        is_forward, is_first = "t" in text, text.startswith("0")
        knows = _knows(text, hypothesis)
        if is_forward:
            return knows if is_first else 1 - knows
        return abs(knows - 0.1) if is_first else None

    found = automatic_agreement(
        instances, told(probability), grade=Grade.SOFT, resampling=Resampling(draws=0)
    )
    briers = {trial.combination: trial.brier for trial in found.trials}
    assert briers[Combination.FORWARD] == pytest.approx(0.1**2)
    # 0.8 where people say yes, 0 where they say no
    share = instances.is_right[random_half(rules_of(instances), seed=0)].mean()
    assert briers[Combination.BACKWARD] == pytest.approx(share * 0.2**2)
    assert found.combination is Combination.FORWARD


def test_trials_that_decide_nothing_keep_no_other_from_being_compared(told, instances):
    forward = told(lambda text, h: _knows(text, h) if "t" in text else None)
    found = automatic_agreement(instances, forward, resampling=Resampling(draws=0))
    assert found.combination is Combination.FORWARD
    reasons = {each.reason for each in found.trials if each.combination is not found.combination}
    assert reasons == {"the recognizer decides about no instance of the choosing half"}


def test_trials_without_an_instance_in_common_cannot_be_compared(told, instances):
    apart = told(lambda text, h: 0.9 if ("t" in text) == text.startswith("0") else None)
    with pytest.raises(UndefinedError, match="has a quality in all ways to make one"):
        automatic_agreement(instances, apart)


def test_agreement_refuses_no_bins(told, instances):
    with pytest.raises(SettingError, match="0 bins"):
        automatic_agreement(instances, told(_knows), bins=0)


def test_rules_are_told_apart_by_the_order_of_arguments(make_instances):
    rows = [("beat", p, "a", "b", True) for p in ("defeat", "Defeat", "defeat", "rout")]
    instances = make_instances(rows, is_inverse=[False, False, True, False])
    assert rules_of(instances).tolist() == [0, 0, 1, 2]


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(0, 99))
def test_halves_keep_rules_whole(rules, seed):
    rule = np.unique(rules, return_inverse=True)[1]
    half = random_half(rule, seed=seed)
    assert all(len(set(half[rule == each].tolist())) == 1 for each in set(rule.tolist()))
    assert len(set(rule[half].tolist())) == len(set(rule.tolist())) // 2


@pytest.mark.data
def test_agreement_of_overlap_with_people_is_small_but_there(shared_data):
    instances = read_instances(shared_data / "paraphrase-rules" / "zeichner.txt")
    found = automatic_agreement(instances, "overlap", resampling=Resampling(draws=100))
    assert (found.grade, found.combination) == (Grade.SOFT, Combination.PRODUCT)
    assert 0.55 < found.figures.area.low < found.figures.area.value < 0.7
