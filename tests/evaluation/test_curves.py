from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_auc_score, roc_curve
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.curves import reliability, risk_coverage, roc
from ensue.evaluation.measures import ACCURACY, COVERAGE, CWS
from ensue.pairs.cutoffs import cutoff_curve

rows = st.lists(
    st.tuples(st.sampled_from("YN"), st.sampled_from("YN-"), st.integers(0, 5)), min_size=1
).filter(lambda drawn: any(answer != "-" for _, answer, _ in drawn))


def _columns(drawn):
    gold, answers, confidence = zip(*drawn, strict=True)
    return "".join(gold), "".join(answers), [c / 5 for c in confidence]


def test_risk_coverage_has_a_point_after_each_confidence(make_judged):
    # right at 0.9; right and wrong at 0.5; one pair unanswered
    curve = risk_coverage(make_judged("YYNY", "YYY-", [0.9, 0.5, 0.5, None]))
    assert curve.confidence.tolist() == [0.9, 0.5]
    assert curve.coverage.tolist() == [1 / 4, 3 / 4]
    assert curve.risk.tolist() == pytest.approx([0, 1 / 3])


@given(drawn=rows)
def test_risk_coverage_area_is_one_minus_cws(make_judged, drawn):
    judged = make_judged(*_columns(drawn))
    assert risk_coverage(judged).area == pytest.approx(1 - CWS(judged), abs=1e-12)


@given(drawn=rows)
def test_risk_coverage_ends_at_the_accuracy_and_the_coverage(make_judged, drawn):
    judged = make_judged(*_columns(drawn))
    curve = risk_coverage(judged)
    assert curve.risk[-1] == pytest.approx(1 - ACCURACY(judged), abs=1e-12)
    assert curve.coverage[-1] == COVERAGE(judged)
    assert (np.diff(curve.coverage) > 0).all()


def test_risk_coverage_needs_confidences(make_judged):
    with pytest.raises(UndefinedError) as error:
        risk_coverage(make_judged("YN", "YN"))
    assert str(error.value) == (
        "run: no risk-coverage curve without confidences: the run has no confidences\n"
        "hint: add them to the run"
    )


def test_reliability_is_worked_out(make_judged):
    # (0, 1/2]: confidences 0.2 and 0.4, one right; (1/2, 1]: 0.9, right
    result = reliability(make_judged("YYY", "YNY", [0.2, 0.4, 0.9]), bins=2)
    assert [each.n for each in result.bins] == [2, 1]
    assert result.bins[0].confidence == pytest.approx(0.3)
    assert result.bins[0].accuracy == 1 / 2
    assert result.error == pytest.approx(2 / 3 * abs(1 / 2 - 0.3) + 1 / 3 * abs(1 - 0.9))


def test_reliability_reads_confidences_from_its_floor_up(make_judged):
    result = reliability(make_judged("YY", "YN", [0.0, 0.5]), bins=4, floor=0.5)
    # 0 is read as 1/2, in (1/4, 1/2]; 0.5 as 3/4, in (1/2, 3/4]
    assert [each.n for each in result.bins] == [0, 1, 1, 0]
    assert result.error == pytest.approx((abs(1 - 0.5) + abs(0 - 0.75)) / 2)


def test_reliability_of_empty_bins_is_none(make_judged):
    result = reliability(make_judged("Y", "Y", [1.0]))
    assert (result.bins[0].confidence, result.bins[0].accuracy) == (None, None)
    assert result.error == 0


def test_reliability_agrees_with_sklearns_calibration_curve(make_judged):
    rng = np.random.default_rng(3)
    gold, answers = ("".join(rng.choice(list("YN"), 300)) for _ in range(2))
    confidence = rng.random(300)
    judged = make_judged(gold, answers, confidence.tolist())
    accuracy, mean = calibration_curve(judged.right, confidence, n_bins=10)
    filled = [each for each in reliability(judged).bins if each.n]
    assert [each.accuracy for each in filled] == pytest.approx(accuracy.tolist())
    assert [each.confidence for each in filled] == pytest.approx(mean.tolist())


@given(drawn=rows, bins=st.integers(1, 12), floor=st.floats(0, 0.9))
def test_reliability_keeps_every_answer_and_its_error_in_range(make_judged, drawn, bins, floor):
    judged = make_judged(*_columns(drawn))
    result = reliability(judged, bins=bins, floor=floor)
    assert sum(each.n for each in result.bins) == judged.n_answered == result.n
    assert 0 <= result.error <= 1
    for each in result.bins:
        if each.confidence is not None:
            assert each.low - 1e-12 <= each.confidence <= each.high + 1e-12


def test_reliability_refuses_settings_that_make_no_sense(make_judged):
    judged = make_judged("Y", "Y", [1.0])
    with pytest.raises(SettingError, match="0 bins hold nothing"):
        reliability(judged, bins=0)
    with pytest.raises(SettingError, match=r"floor 1 is not in \[0, 1\)"):
        reliability(judged, floor=1)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2))
def test_roc_agrees_with_sklearn(drawn):
    scores, yes = (np.array(column) for column in zip(*drawn, strict=True))
    if yes.all() or not yes.any():
        return
    ours = roc(cutoff_curve(scores, yes))
    assert ours.auc == pytest.approx(roc_auc_score(yes, scores), abs=1e-12)
    false, true, _ = roc_curve(yes, scores, drop_intermediate=False)
    np.testing.assert_allclose(ours.false_positive_rate, false, atol=1e-12)
    np.testing.assert_allclose(ours.true_positive_rate, true, atol=1e-12)


def test_roc_needs_both_kinds_of_pairs():
    with pytest.raises(UndefinedError, check=coded("roc-curve-needs-entailments")):
        roc(cutoff_curve([0.1, 0.2], [True, True]))
