from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError
from ensue.evaluation.measures import ACCURACY_ALL, PRECISION, RECALL, F, replicates
from ensue.evaluation.run_scores import prior_measures, prior_scores
from ensue.statistics.resampling import Resampling


def _scores(judged, prior, draws=200):
    (drawn,) = replicates([judged], prior_measures(prior), resampling=Resampling(draws=draws))
    return prior_scores(judged, prior, drawn)


def test_prior_scores_are_worked_out(make_judged):
    # of 4 entailments 3 are found; of 2 others 1 is right and 1 taken for a yes
    scores = _scores(make_judged("YYYYNN", "YYYNNY"), 0.1)
    recall, right, false = 3 / 4, 1 / 2, 1 / 2
    precision = recall * 0.1 / (recall * 0.1 + false * 0.9)
    assert scores.accuracy.value == pytest.approx(recall * 0.1 + right * 0.9)
    assert scores.precision.value == pytest.approx(precision)
    assert scores.recall.value == pytest.approx(recall)
    assert scores.f.value == pytest.approx(2 / (1 / precision + 1 / recall))
    assert scores.accuracy.low <= scores.accuracy.value <= scores.accuracy.high


def test_prior_accuracy_takes_unanswered_as_not_right(make_judged):
    # of 2 entailments 1 is found; of 2 others 1 is right
    scores = _scores(make_judged("YYNN", "Y-N."), 0.3)
    assert scores.accuracy.value == pytest.approx(0.3 / 2 + 0.7 / 2)
    assert scores.precision.value == 1


def test_prior_accuracy_asks_for_the_very_label_in_the_3_way_view(make_judged):
    scores = _scores(make_judged("ECU", "EUU"), 0.5)
    assert scores.accuracy.value == pytest.approx(1 * 0.5 + 1 / 2 * 0.5)


@given(rows=st.lists(st.tuples(st.sampled_from("YN"), st.sampled_from("YN-")), min_size=1))
def test_prior_of_the_data_gives_the_plain_measures(make_judged, rows):
    gold, answers = ("".join(column) for column in zip(*rows, strict=True))
    judged = make_judged(gold, answers)
    share = gold.count("Y") / len(gold)
    if 0 < share < 1:
        measures = prior_measures(share)
        for ours, plain in zip(measures, (ACCURACY_ALL, PRECISION, RECALL, F), strict=True):
            assert ours(judged) == pytest.approx(plain(judged), abs=1e-12)


@pytest.mark.parametrize(
    ("gold", "answers", "prior", "measure", "reason"),
    [
        ("NN", "YN", 0.5, 0, "no pair is an entailment in the gold"),
        ("YY", "YN", 0.5, 0, "all pairs are entailments in the gold"),
        ("YN", "NN", 0.5, 1, "the run never answers entailment"),
        ("YN", "YN", 0.0, 1, "without entailments there is nothing to find"),
    ],
)
def test_prior_measures_say_why_they_are_undefined(
    make_judged, gold, answers, prior, measure, reason
):
    judged = make_judged(gold, answers)
    chosen = prior_measures(prior)[measure]
    assert chosen(judged) is None
    assert chosen.gap(judged) == reason


@pytest.mark.parametrize("prior", [-0.1, 1.1, 50])
def test_prior_measures_refuse_what_is_no_share(prior):
    with pytest.raises(SettingError, check=coded("prior-not")):
        prior_measures(prior)
