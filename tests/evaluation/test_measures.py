from __future__ import annotations

from fractions import Fraction
from itertools import groupby, permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.evaluation.measures import (
    ACCURACY,
    ACCURACY_ALL,
    AVERAGE_PRECISION,
    COVERAGE,
    CWS,
    MACRO_F,
    MEASURES,
    PRECISION,
    RECALL,
    F,
    Prepared,
    Resample,
    f_of,
    precision_of,
    recall_of,
)
from ensue.pairs import Label, View
from ensue.statistics.correlation import expected_average_precision, expected_cws, ranking

answered_runs = st.lists(
    st.tuples(st.sampled_from("YN"), st.sampled_from("YN"), st.integers(0, 4)),
    min_size=1,
    max_size=30,
)
partial_runs = st.lists(
    st.tuples(st.sampled_from("YN"), st.sampled_from("YN-."), st.integers(0, 4)),
    min_size=1,
    max_size=30,
)


def _columns(rows):
    gold, answers, confidence = zip(*rows, strict=True)
    return "".join(gold), "".join(answers), [c / 4 for c in confidence]


def _orders(keys):
    """All orders by decreasing key, every order of the ties once."""
    ranked = sorted(range(len(keys)), key=lambda i: -keys[i])
    orders = [[]]
    for _, tied in groupby(ranked, key=lambda i: keys[i]):
        tied = list(tied)
        orders = [[*head, *tail] for head in orders for tail in permutations(tied)]
    return orders


def _plain_cws(right):
    n = len(right)
    return sum(Fraction(sum(right[: i + 1]), i + 1) for i in range(n)) / n


def _plain_average_precision(yes):
    hits = [Fraction(sum(yes[: i + 1]), i + 1) for i in range(len(yes)) if yes[i]]
    return sum(hits) / len(hits)


def test_accuracy_is_over_the_answered(make_judged):
    judged = make_judged("YYNNY", "YNN-.")
    assert ACCURACY(judged) == 2 / 3
    assert ACCURACY_ALL(judged) == 2 / 5
    assert COVERAGE(judged) == 3 / 5


def test_accuracy_is_undefined_and_says_so_where_nothing_is_answered(make_judged):
    judged = make_judged("YN", "--")
    assert ACCURACY(judged) is None
    assert ACCURACY.gap(judged) == "no pair is answered"
    assert ACCURACY_ALL(judged) == 0
    assert COVERAGE(judged) == 0


def test_cws_is_the_challenges(make_judged):
    # by confidence: right, wrong, right, right
    judged = make_judged("YNYN", "YYYN", [0.9, 0.7, 0.5, 0.1])
    assert CWS(judged) == pytest.approx((1 / 1 + 1 / 2 + 2 / 3 + 3 / 4) / 4, abs=1e-15)


def test_cws_takes_ties_in_expectation(make_judged):
    # first a tie of one right and one wrong, then a right one: either order of the tie
    judged = make_judged("YNY", "YYY", [0.9, 0.9, 0.1])
    right_first = (1 / 1 + 1 / 2 + 2 / 3) / 3
    wrong_first = (0 / 1 + 1 / 2 + 2 / 3) / 3
    assert CWS(judged) == pytest.approx((right_first + wrong_first) / 2, abs=1e-15)


def test_cws_counts_a_right_no_as_right(make_judged):
    assert CWS(make_judged("NN", "NN", [1.0, 0.0])) == 1


def test_cws_is_over_the_answered(make_judged):
    judged = make_judged("YNY", "Y-N", [0.9, None, 0.1])
    assert CWS(judged) == pytest.approx((1 / 1 + 1 / 2) / 2)


def test_cws_is_undefined_and_says_so_without_confidences(make_judged):
    assert CWS(make_judged("YN", "YN")) is None
    assert CWS.gap(make_judged("YN", "YN")) == "the run has no confidences"
    some = make_judged("YNY", "YNY", [0.5, None, 0.2])
    assert CWS(some) is None
    assert CWS.gap(some) == "1 of 3 answers have no confidence"


def test_average_precision_ranks_by_confidence_that_entailment_holds(make_judged):
    # +0.9 yes, +0.2 no, -0.1 yes, -0.8 no
    judged = make_judged("YNYN", "YYNN", [0.9, 0.2, 0.1, 0.8])
    assert AVERAGE_PRECISION(judged) == pytest.approx((1 / 1 + 2 / 3) / 2)


def test_average_precision_of_a_ranked_run_goes_by_its_scores(make_judged):
    judged = make_judged("NYY", "YYY", score=[1.0, 0.6, 0.3], ranked=True)
    assert AVERAGE_PRECISION(judged) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert CWS(judged) is None


def test_average_precision_takes_ties_in_expectation(make_judged):
    judged = make_judged("YN", "YY", [0.5, 0.5])
    assert AVERAGE_PRECISION(judged) == pytest.approx((1 / 1 + 1 / 2) / 2)


def test_average_precision_counts_what_is_not_answered_among_what_is_to_be_found(make_judged):
    # one of five entailments is answered, and right: 1/5 · 1/1
    judged = make_judged("YYYYYNNNNN", "Y---------", [0.9] + [None] * 9)
    assert AVERAGE_PRECISION(judged) == 1 / 5


def test_average_precision_is_undefined_and_says_so(make_judged):
    assert AVERAGE_PRECISION.gap(make_judged("YN", "YN")) == "the run has no confidences"
    none = make_judged("NN", "YN", [0.5, 0.5])
    assert AVERAGE_PRECISION(none) is None
    assert AVERAGE_PRECISION.gap(none) == "no pair is an entailment"
    ranked = make_judged("YN", "YN", [0.5, 0.5], ranked=True)
    assert AVERAGE_PRECISION.gap(ranked) == "the run has no scores"


def test_precision_recall_and_f_are_those_of_entailment(make_judged):
    # 4 yes in gold, 3 said, 2 right
    judged = make_judged("YYYYNN", "YYN-YN")
    assert PRECISION(judged) == 2 / 3
    assert RECALL(judged) == 2 / 4
    assert F(judged) == pytest.approx(2 / (3 / 2 + 4 / 2))


def test_f_of_always_yes_on_balanced_pairs_is_two_thirds(make_judged):
    assert F(make_judged("YNYN", "YYYY")) == pytest.approx(2 / 3)


def test_precision_recall_and_f_say_why_they_are_undefined(make_judged):
    never = make_judged("YN", "NN")
    assert PRECISION(never) is None
    assert PRECISION.gap(never) == "the run never answers entailment"
    assert F(never) == 0
    absent = make_judged("NN", "NN")
    assert RECALL(absent) is None
    assert RECALL.gap(absent) == "no pair is entailment in the gold"
    assert F(absent) is None
    assert F.gap(absent) == "no pair is entailment in the gold, and no answer says so"


def test_macro_f_is_the_mean_over_the_labels_that_occur(make_judged):
    judged = make_judged("EECC", "ECCC")
    # entailment 2·1/(1 + 2), contradiction 2·2/(3 + 2), unknown does not occur
    assert MACRO_F(judged) == pytest.approx((2 / 3 + 4 / 5) / 2)


def test_label_measures_agree_with_sklearn_and_nltk(make_judged):
    from nltk.metrics import f_measure
    from sklearn.metrics import precision_recall_fscore_support

    rng = np.random.default_rng(1)
    gold, answers = ("".join(rng.choice(list("ECU"), 200)) for _ in range(2))
    judged = make_judged(gold, answers)
    wanted = precision_recall_fscore_support(list(gold), list(answers), labels=list("ECU"))
    for i, label in enumerate(View.THREE_WAY.labels):
        ours = [each(label, View.THREE_WAY)(judged) for each in (precision_of, recall_of, f_of)]
        assert ours == pytest.approx([wanted[0][i], wanted[1][i], wanted[2][i]], abs=1e-12)
        sets = [{k for k, letter in enumerate(s) if letter == "ECU"[i]} for s in (gold, answers)]
        assert ours[2] == pytest.approx(f_measure(*sets), abs=1e-12)
    assert MACRO_F(judged) == pytest.approx(float(np.mean(wanted[2])), abs=1e-12)


def test_average_precision_agrees_with_sklearn_without_ties(make_judged):
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(2)
    gold, answers = ("".join(rng.choice(list("YN"), 300)) for _ in range(2))
    confidence = rng.permutation(300) / 300
    judged = make_judged(gold, answers, confidence.tolist())
    signed = np.where(np.array(list(answers)) == "Y", confidence, -confidence)
    wanted = average_precision_score([letter == "Y" for letter in gold], signed)
    assert AVERAGE_PRECISION(judged) == pytest.approx(wanted, abs=1e-12)


@given(rows=answered_runs.filter(lambda rows: len(rows) <= 6))
def test_cws_equals_the_mean_over_all_orders_of_the_ties(make_judged, rows):
    gold, answers, confidence = _columns(rows)
    right = [g == a for g, a in zip(gold, answers, strict=True)]
    orders = _orders(confidence)
    wanted = sum(_plain_cws([right[i] for i in order]) for order in orders) / len(orders)
    assert CWS(make_judged(gold, answers, confidence)) == pytest.approx(float(wanted), abs=1e-12)


@given(rows=answered_runs.filter(lambda rows: len(rows) <= 6 and any(r[0] == "Y" for r in rows)))
def test_average_precision_equals_the_mean_over_all_orders_of_the_ties(make_judged, rows):
    gold, answers, confidence = _columns(rows)
    keys = [c if a == "Y" else -c for a, c in zip(answers, confidence, strict=True)]
    orders = _orders(keys)
    yes = [letter == "Y" for letter in gold]
    wanted = sum(_plain_average_precision([yes[i] for i in o]) for o in orders) / len(orders)
    ours = AVERAGE_PRECISION(make_judged(gold, answers, confidence))
    assert ours == pytest.approx(float(wanted), abs=1e-12)


@given(rows=partial_runs)
def test_every_measure_stays_in_its_range_or_says_why_not(make_judged, rows):
    judged = make_judged(*_columns(rows))
    for measure in (*MEASURES, MACRO_F):
        value = measure(judged)
        assert (value is None) == (measure.gap(judged) is not None)
        low, high = measure.range
        assert value is None or low - 1e-12 <= value <= high + 1e-12


@given(rows=partial_runs, seed=st.integers(0, 99))
def test_every_measure_ignores_the_order_of_the_pairs(make_judged, rows, seed):
    shuffled = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))]
    first, second = make_judged(*_columns(rows)), make_judged(*_columns(shuffled))
    for measure in (*MEASURES, MACRO_F):
        assert measure(first) == pytest.approx(measure(second), abs=1e-12)


@given(rows=answered_runs)
def test_cws_of_a_perfect_run_is_one(make_judged, rows):
    gold, _, confidence = _columns(rows)
    assert CWS(make_judged(gold, gold, confidence)) == pytest.approx(1, abs=1e-12)


@given(rows=answered_runs)
def test_cws_of_equal_confidences_is_the_accuracy(make_judged, rows):
    gold, answers, _ = _columns(rows)
    judged = make_judged(gold, answers, [0.5] * len(gold))
    assert CWS(judged) == pytest.approx(ACCURACY(judged), abs=1e-12)


@given(rows=answered_runs)
def test_cws_rewards_right_answers_that_come_first(make_judged, rows):
    gold, answers, confidence = _columns(rows)
    best = [float(g == a) for g, a in zip(gold, answers, strict=True)]
    top = CWS(make_judged(gold, answers, best))
    assert top >= CWS(make_judged(gold, answers, confidence)) - 1e-12


@given(rows=partial_runs, seed=st.integers(0, 99))
def test_every_measure_of_counts_is_that_of_repeated_pairs(make_judged, rows, seed):
    counts = np.random.default_rng(seed).integers(0, 3, size=len(rows))
    repeated = [row for row, n in zip(rows, counts, strict=True) for _ in range(n)]
    if not repeated:
        return
    judged, plain = make_judged(*_columns(rows)), make_judged(*_columns(repeated))
    resample = Resample(Prepared(judged), counts[None, :])
    for measure in (*MEASURES, MACRO_F):
        if measure.gap(judged) is None and measure.gap(plain) is None:
            drawn = float(measure.weighted(resample)[0])
            assert drawn == pytest.approx(measure(plain), abs=1e-12)


def test_ranking_groups_equal_keys():
    ranked = ranking(np.array([0.1, 0.9, 0.1, 0.5]), np.array([True, True, True, False]))
    assert ranked.order.tolist() == [1, 0, 2]
    assert ranked.starts.tolist() == [0, 1]


def test_rank_scores_of_a_draw_that_ranks_nothing_are_nan():
    empty = np.zeros((1, 2), dtype=np.int64)
    assert np.isnan(expected_cws(empty, empty)).all()
    assert np.isnan(expected_average_precision(np.ones((1, 2), int), empty, np.zeros(1))).all()


def test_measures_have_distinct_names_and_full_descriptions():
    names = [measure.name for measure in MEASURES]
    assert len(set(names)) == len(names) == 8
    for measure in MEASURES:
        assert all((measure.summary, measure.formula, measure.source))


def test_label_measures_are_named_by_their_label():
    assert precision_of(Label.ENTAILMENT, View.THREE_WAY).name == "precision"
    assert recall_of(Label.UNKNOWN, View.THREE_WAY).name == "recall-unknown"
