from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import precision_recall_curve
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.curves import cutoff_band, run_cutoffs, scored
from ensue.pairs.cutoffs import cutoff_curve
from ensue.statistics.resampling import Resampling

scored_gold = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.2, 0.30000000000000004, 0.3, 1.0]), st.booleans()),
    min_size=1,
    max_size=30,
)


def _arrays(rows):
    scores, yes = zip(*rows, strict=True)
    return np.array(scores), np.array(yes)


def test_cutoff_curve_has_minus_infinity_and_every_distinct_score():
    curve = cutoff_curve([0.3, 0.30000000000000004, 0.3, 0.0], [True, False, True, False])
    assert curve.cutoffs.tolist() == [-math.inf, 0.0, 0.3, 0.30000000000000004]


def test_cutoff_curve_says_yes_only_above_the_cutoff():
    curve = cutoff_curve([0.2, 0.2, 0.8], [False, True, True])
    # -inf: both entailments; 0.2: one of each; 0.8: only the other pair
    assert curve.right_yes.tolist() == [2, 1, 0]
    assert curve.right_no.tolist() == [0, 1, 1]
    assert curve.accuracy.tolist() == [2 / 3, 2 / 3, 1 / 3]


def test_cutoff_curve_tunes_to_the_lowest_of_the_best_and_lists_them_all():
    curve = cutoff_curve([0.2, 0.2, 0.8], [False, True, True])
    assert curve.best.tolist() == [-math.inf, 0.2]
    assert curve.tuned == -math.inf


def test_cutoff_curve_gives_what_any_cutoff_gives():
    curve = cutoff_curve([0.2, 0.5, 0.8], [False, True, True])
    point = curve.at(0.6)
    assert (point.cutoff, point.right_yes, point.right_no) == (0.6, 1, 1)
    assert point.precision == 1
    assert point.recall == 1 / 2
    assert point.f == pytest.approx(2 / (1 / 1 + 2 / 1))
    assert curve.accuracy_at(0.6) == 2 / 3
    assert curve.accuracy_at(5.0) == 1 / 3


def test_cutoff_curve_has_no_precision_where_it_never_says_yes():
    point = cutoff_curve([0.2, 0.5], [False, True]).at(0.5)
    assert (point.precision, point.recall, point.f) == (None, 0, 0)


def test_cutoff_curve_finds_the_best_f():
    curve = cutoff_curve([0.1, 0.2, 0.3, 0.4], [False, True, False, True])
    # -inf: 2·2/(4+2), 0.1: 2·2/(3+2), 0.2: 2·1/(2+2), 0.3: 2·1/(1+2)
    assert curve.best_f().cutoff == 0.1
    assert curve.best_f().f == pytest.approx(4 / 5)


def test_cutoff_curve_finds_the_lowest_cutoff_with_a_wanted_precision():
    curve = cutoff_curve([0.1, 0.2, 0.3, 0.4], [False, True, False, True])
    # precisions 2/4, 2/3, 1/2, 1/1
    assert curve.for_precision(0.6).cutoff == 0.1
    assert curve.for_precision(0.9).cutoff == 0.3


def test_cutoff_curve_says_what_precision_it_can_reach():
    curve = cutoff_curve([0.1, 0.4], [True, False])
    with pytest.raises(UndefinedError) as error:
        curve.for_precision(0.9)
    assert error.value.message == (
        "no cutoff reaches a precision of 0.9; the highest is 0.5, at cutoff -inf"
    )


@pytest.mark.parametrize("wanted", [0, 1.2, 80])
def test_cutoff_curve_refuses_a_precision_that_is_none(wanted):
    with pytest.raises(SettingError, check=coded("precision-not")):
        cutoff_curve([0.1], [True]).for_precision(wanted)


def test_cutoff_curve_has_no_best_f_without_entailments():
    with pytest.raises(UndefinedError, check=coded("no-pair-entailment-undefined")):
        cutoff_curve([0.1], [False]).best_f()


def test_cutoff_curve_refuses_what_it_cannot_use():
    with pytest.raises(UndefinedError, check=coded("cutoff-needs-scores-none")):
        cutoff_curve([], [])
    with pytest.raises(UndefinedError, match="1 of 2 scores are not numbers"):
        cutoff_curve([0.1, math.nan], [True, False])
    with pytest.raises(SettingError, match="cutoff nan is not a number"):
        cutoff_curve([0.1], [True]).at(math.nan)


@given(scored_gold)
def test_cutoff_curve_equals_deciding_pair_by_pair(rows):
    scores, yes = _arrays(rows)
    curve = cutoff_curve(scores, yes)
    for i, cutoff in enumerate(curve.cutoffs):
        said = scores > cutoff
        assert curve.right_yes[i] == (said & yes).sum()
        assert curve.right_no[i] == (~said & ~yes).sum()
        assert curve.n_said_yes[i] == said.sum()


@given(scored_gold, st.floats(-1, 2))
def test_cutoff_curve_is_beaten_by_no_other_cutoff(rows, cutoff):
    scores, yes = _arrays(rows)
    curve = cutoff_curve(scores, yes)
    accuracy = ((scores > cutoff) == yes).mean()
    assert curve.accuracy_at(cutoff) == pytest.approx(accuracy)
    assert accuracy <= curve.accuracy_at(curve.tuned) + 1e-12


@given(scored_gold)
def test_cutoff_curve_agrees_with_sklearns_precision_recall_curve(rows):
    scores, yes = _arrays(rows)
    if not yes.any():
        return
    curve = cutoff_curve(scores, yes)
    # sklearn says yes at and above each score: its i-th point is our cutoff before that score
    precision, recall, _ = precision_recall_curve(yes, scores)
    np.testing.assert_allclose(curve.precision[:-1], precision[:-1])
    np.testing.assert_allclose(curve.recall, recall)


def test_run_cutoffs_take_entailment_against_the_rest(make_judged):
    curve = run_cutoffs(make_judged("ECU", "EEU", score=[0.9, 0.5, 0.1]))
    assert (curve.n_yes, curve.n_no) == (1, 2)
    assert curve.tuned == 0.5


def test_run_cutoffs_use_the_pairs_with_a_score_decided_or_not(make_judged):
    judged = make_judged("YNY", "Y-.", score=[0.9, 0.1, None])
    assert scored(judged).n_pairs == 2
    assert run_cutoffs(judged).n_pairs == 2


def test_run_cutoffs_need_scores(make_judged):
    with pytest.raises(UndefinedError) as error:
        run_cutoffs(make_judged("YN", "YN", [0.5, 0.5]))
    assert error.value.message == "the run has no scores, so there is no cutoff to choose"
    assert error.value.place == "run"


def test_cutoff_band_holds_the_accuracy_of_the_curve():
    rng = np.random.default_rng(0)
    scores, yes = rng.random(200), rng.random(200) < 0.5
    grid = np.linspace(-0.1, 1.1, 25)
    band = cutoff_band(scores, yes, grid)
    curve = cutoff_curve(scores, yes)
    assert band.accuracy.tolist() == pytest.approx([curve.accuracy_at(c) for c in grid])
    assert (band.low <= band.accuracy).all()
    assert (band.accuracy <= band.high).all()


def test_cutoff_band_agrees_with_resampling_pair_by_pair():
    rng = np.random.default_rng(1)
    scores, yes = rng.random(150), rng.random(150) < 0.5
    picks = rng.integers(0, 150, size=(3000, 150))
    accuracy = ((scores[picks] > 0.4) == yes[picks]).mean(axis=1)
    band = cutoff_band(scores, yes, [0.4])
    assert band.low[0] == pytest.approx(np.quantile(accuracy, 0.025), abs=0.01)
    assert band.high[0] == pytest.approx(np.quantile(accuracy, 0.975), abs=0.01)


def test_cutoff_band_takes_a_score_at_the_cutoff_as_no():
    band = cutoff_band([0.5], [False], [0.5], resampling=Resampling(draws=10))
    assert band.accuracy.tolist() == [1.0]


def test_cutoff_band_without_draws_is_the_curve():
    band = cutoff_band([0.5, 0.2], [True, True], [0.3], resampling=Resampling(draws=0))
    assert band.low.tolist() == band.high.tolist() == [1 / 2]
