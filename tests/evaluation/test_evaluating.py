from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from tests.errors import coded

import ensue.evaluation
from ensue.errors import RunError, SettingError, UnknownNameError
from ensue.evaluation import evaluate
from ensue.evaluation.evaluator import find_measures
from ensue.evaluation.measures import MEASURES
from ensue.pairs import Label, Pair, Run, RunHeader, Signature, Verdict, View
from ensue.statistics.resampling import Resampling


@pytest.fixture(scope="module")
def evaluation(make_pairs, make_run):
    gold = make_pairs("YYYYNNNN", ["QA", "IE"] * 4)
    confidence = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
    runs = [
        make_run("YYYNNNN-", confidence, name="first"),
        make_run("YNNNNYY.", confidence, name="second"),
    ]
    return evaluate(gold, runs, by_task=True, prior=0.2, resampling=Resampling(draws=200))


def test_evaluate_gives_every_measure_with_its_interval(evaluation):
    measures = evaluation.runs[0].scores.measures
    assert list(measures)[:8] == [measure.name for measure in MEASURES]
    assert measures["accuracy"].value == 6 / 7
    assert measures["accuracy-all"].value == 6 / 8
    assert measures["coverage"].value == 7 / 8
    assert all(each.low <= each.value <= each.high for each in measures.values())


def test_evaluate_counts_what_became_of_every_pair(evaluation):
    first, second = (run.scores.counts for run in evaluation.runs)
    assert (first.n_pairs, first.n_answered, first.n_abstained, first.n_missing) == (8, 7, 1, 0)
    assert (second.n_missing, second.n_unanswered) == (1, 1)


def test_evaluate_gives_the_confusion_with_its_unanswered(evaluation):
    confusion = evaluation.runs[0].scores.confusion
    assert confusion.labels == (Label.ENTAILMENT, Label.NOT_ENTAILMENT)
    assert confusion.counts == ((3, 1), (0, 3))
    assert confusion.unanswered == (0, 1)


def test_evaluate_scores_every_label(evaluation):
    yes, no = evaluation.runs[0].scores.labels
    assert (yes.n_gold, yes.n_answered, yes.n_right) == (4, 3, 3)
    assert (yes.precision.value, yes.recall.value) == (1, 3 / 4)
    assert (no.precision.value, no.recall.value) == (3 / 4, 3 / 4)
    assert yes.f.value == pytest.approx(2 * 3 / (3 + 4))
    assert no.f.value == pytest.approx(2 * 3 / (4 + 4))
    macro = evaluation.runs[0].scores.macro_f
    assert macro.value == pytest.approx((yes.f.value + no.f.value) / 2)


def test_evaluate_tests_against_chance(evaluation):
    accuracy, cws = evaluation.runs[0].scores.chance
    assert accuracy.p == pytest.approx((1 + 7) / 2**7)
    assert 0 < cws.p < 0.5


def test_evaluate_splits_by_task(evaluation):
    tasks = evaluation.runs[0].by_task
    assert list(tasks) == ["IE", "QA"]
    assert tasks["QA"].measures["accuracy"].value == 1
    assert tasks["IE"].measures["accuracy"].value == 2 / 3
    assert tasks["IE"].counts.n_pairs == 4


def test_evaluate_shows_the_prior_where_it_is_asked_for(evaluation):
    prior = evaluation.runs[0].scores.prior
    assert prior.prior == 0.2
    assert prior.accuracy.value == pytest.approx(3 / 4 * 0.2 + 3 / 4 * 0.8)


def test_evaluate_compares_and_clusters_runs(evaluation):
    (comparison,) = evaluation.comparisons
    assert (comparison.first, comparison.second) == ("first", "second")
    assert (comparison.only_first, comparison.only_second) == (4, 0)
    assert comparison.p == pytest.approx(2 / 2**4)
    assert evaluation.clusters == (("first", "second"),)


def test_evaluate_records_how_it_was_done(evaluation):
    assert (evaluation.view, evaluation.n_pairs) == (View.TWO_WAY, 8)
    assert evaluation.resampling == Resampling(draws=200, level=0.95, seed=0)
    assert [finding.code for finding in evaluation.findings] == ["not-judged"]


def test_evaluate_repeats_with_its_seed(make_pairs, make_run):
    gold, run = make_pairs("YNYN"), make_run("YNNN", [0.1, 0.2, 0.3, 0.4])
    first, again, other = (
        evaluate(gold, [run], resampling=Resampling(draws=100, seed=seed)).runs[0].scores.measures
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first["cws"].low != other["cws"].low or first["cws"].high != other["cws"].high


def test_evaluate_without_draws_gives_values_alone(make_pairs, make_run):
    runs = [make_run("YN", [0.5, 0.5], name=name) for name in "ab"]
    result = evaluate(make_pairs("YN"), runs, resampling=Resampling(draws=0))
    accuracy = result.runs[0].scores.measures["accuracy"]
    assert (accuracy.value, accuracy.low, accuracy.high) == (1, None, None)
    difference = result.comparisons[0].differences["accuracy"]
    assert (difference.value, difference.low, difference.p) == (0, None, None)
    assert result.comparisons[0].p == 1


def test_evaluate_of_one_run_has_no_comparisons(make_pairs, make_run):
    result = evaluate(make_pairs("YN"), [make_run("YN")], resampling=Resampling(draws=10))
    assert result.comparisons == ()
    assert result.clusters == (("run",),)
    assert result.runs[0].by_task == {}
    assert result.runs[0].scores.prior is None


def test_evaluate_without_confidences_says_why_cws_is_undefined(make_pairs, make_run):
    scores = (
        evaluate(make_pairs("YN"), [make_run("YN")], resampling=Resampling(draws=10)).runs[0].scores
    )
    for name in ("cws", "average-precision"):
        assert scores.measures[name].value is None
        assert scores.measures[name].reason == "the run has no confidences"
    assert scores.chance[1].reason == "the run has no confidences"


def test_evaluate_of_a_run_without_an_answer_defines_only_what_it_can(make_pairs, make_run):
    scores = (
        evaluate(make_pairs("YN"), [make_run("-.")], resampling=Resampling(draws=10), by_task=True)
        .runs[0]
        .scores
    )
    assert scores.measures["coverage"].value == 0
    assert scores.measures["accuracy"].value is None
    assert scores.chance[0].p is None


def test_evaluate_numbers_runs_of_the_same_name(make_pairs, make_run):
    result = evaluate(
        make_pairs("YN"), [make_run("YN"), make_run("NN")], resampling=Resampling(draws=10)
    )
    assert [run.name for run in result.runs] == ["run (1)", "run (2)"]
    assert result.comparisons[0].first == "run (1)"


def test_evaluate_gives_the_signature_of_a_run_with_a_header(make_pairs, make_run):
    signature = Signature("always", "1.0")
    run = Run("run", make_run("YY").verdicts, header=RunHeader(signature))
    result = evaluate(make_pairs("YN"), [run], resampling=Resampling(draws=10))
    assert result.runs[0].signature == str(signature)


def test_evaluate_computes_the_measures_that_are_asked_for(make_pairs, make_run):
    result = evaluate(
        make_pairs("YN"), [make_run("YN")], resampling=Resampling(draws=10), measures=["f"]
    )
    assert list(result.runs[0].scores.measures) == ["f"]


def test_evaluate_suggests_the_name_of_a_measure(make_pairs, make_run):
    with pytest.raises(UnknownNameError, match="no measure is called 'acuracy'"):
        evaluate(make_pairs("YN"), [make_run("YN")], measures=["acuracy"])


def test_evaluate_needs_a_run(make_pairs):
    with pytest.raises(SettingError, check=coded("no-run-evaluate")):
        evaluate(make_pairs("YN"), [])


def test_evaluate_refuses_a_run_for_other_data(make_run):
    gold = [Pair("a", "t", "h", Label.ENTAILMENT)]
    with pytest.raises(RunError, match="a run for other data"):
        evaluate(gold, [make_run("YN")])


def test_evaluate_works_in_the_3_way_view(make_pairs, make_run):
    result = evaluate(make_pairs("ECUU"), [make_run("ECCU")], resampling=Resampling(draws=50))
    scores = result.runs[0].scores
    assert result.view is View.THREE_WAY
    assert [each.label.value for each in scores.labels] == [
        "entailment",
        "contradiction",
        "unknown",
    ]
    assert scores.confusion.counts == ((1, 0, 0), (0, 1, 0), (0, 1, 1))
    assert scores.chance[0].chance == pytest.approx(1 / 3)


def test_find_measures_knows_every_built_in_measure():
    assert find_measures(["cws", "f"]) == (MEASURES[3], MEASURES[7])
    assert find_measures()[:8] == MEASURES


def test_evaluation_room_exports_what_it_names():
    assert all(hasattr(ensue.evaluation, name) for name in ensue.evaluation.__all__)


@pytest.mark.data
def test_always_yes_on_the_challenges_test_set_has_f_of_two_thirds(shared_data):
    root = ElementTree.parse(shared_data / "rte" / "rte1_test.xml").getroot()
    labels = {"TRUE": Label.ENTAILMENT, "FALSE": Label.NOT_ENTAILMENT}
    gold = [
        Pair(pair.attrib["id"], "t", "h", labels[pair.attrib["value"]], pair.attrib["task"])
        for pair in root.iter("pair")
    ]
    run = Run("always", tuple(Verdict(pair.id, Label.ENTAILMENT) for pair in gold))
    scores = evaluate(gold, [run], resampling=Resampling(draws=200)).runs[0].scores
    assert scores.measures["accuracy"].value == 400 / 800
    assert scores.measures["f"].value == pytest.approx(2 / 3)
    assert round(scores.measures["f"].value, 2) == 0.67


def test_evaluate_goes_through_many_pairs_in_several_pieces():
    rng = np.random.default_rng(0)
    gold = [
        Pair(str(i), "t", "h", Label.ENTAILMENT if yes else Label.NOT_ENTAILMENT)
        for i, yes in enumerate(rng.random(20_000) < 0.5)
    ]
    verdicts = tuple(Verdict(p.id, Label.ENTAILMENT, confidence=0.5) for p in gold)
    scores = (
        evaluate(gold, [Run("always", verdicts)], resampling=Resampling(draws=20)).runs[0].scores
    )
    assert scores.measures["cws"].value == pytest.approx(scores.measures["accuracy"].value)
