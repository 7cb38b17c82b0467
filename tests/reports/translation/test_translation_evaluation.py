import json
import math

import pytest

from ensue.reports.page import render_page, write_page
from ensue.reports.text import tables_to_json, write_tables
from ensue.reports.translation.evaluation import evaluation_report, metric_answer, metric_tables
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.metric_evaluation import EvaluationSettings, evaluate_metrics
from ensue.translation.judgments.bounds import judge_summary
from ensue.translation.systems import HumanRanking, OutputKey, TranslationJudgments


@pytest.fixture(scope="module")
def people(judgments):
    return judge_summary(judgments, resampling=Resampling(draws=20))


@pytest.fixture(scope="module")
def ranked_tables(ranked, people, named):
    return named(metric_tables(ranked, people, every=True))


@pytest.fixture(scope="module")
def scored_tables(scored, named):
    return named(metric_tables(scored, every=True))


def test_preferences_table_counts_right_wrong_and_ties(ranked_tables, records):
    some, flat = records(ranked_tables["preferences"])
    assert (some["right"], some["wrong"], some["ties"]) == (7, 2, 2)
    assert some["share"] == pytest.approx(7 / 11)
    assert (flat["right"], flat["wrong"], flat["ties"], flat["share"]) == (0, 0, 11, 0)


def test_preferences_table_has_language_pairs_and_their_mean(ranked_tables, records):
    some, _ = records(ranked_tables["preferences"])
    assert some["cs-en"] == pytest.approx(6 / 8)
    assert some["de-en"] == pytest.approx(1 / 3)
    assert some["mean"] == pytest.approx((6 / 8 + 1 / 3) / 2)


def test_preferences_table_says_how_ties_count(ranked_tables):
    notes = ranked_tables["preferences"].notes
    assert (
        "preferences of people: 11 of 12 comparisons, 1 human ties left out;"
        " a tie of the metric is not right" in notes
    )
    assert "in brackets: 95 % bootstrap intervals over segments (20 draws, seed 0)" in notes


def test_preferences_table_of_one_language_pair_does_not_repeat_it(make_metric):
    outputs = [OutputKey("", "1", system) for system in "AB"]
    judgments = TranslationJudgments((HumanRanking("", "1", "ada", {"A": 1, "B": 2}),))
    evaluation = evaluate_metrics(
        judgments,
        [make_metric("one", [2, 1], outputs)],
        EvaluationSettings(resampling=Resampling(draws=0)),
    )
    table = metric_tables(evaluation)[0]
    assert [column.name for column in table.columns] == [
        "metric",
        "right",
        "wrong",
        "ties",
        "share",
    ]


def test_tau_table_has_the_variants(ranked_tables, records):
    some, _ = records(ranked_tables["tau"])
    assert some["wmt12"] == pytest.approx((7 - 2 - 2) / 11)
    assert some["wmt13"] == pytest.approx((7 - 2) / 9)
    assert some["wmt14"] == pytest.approx((7 - 2) / 11)
    assert some["mean_wmt14"] == pytest.approx((6 / 8 + (1 - 2) / 3) / 2)


def test_tau_that_is_undefined_is_a_dash_with_the_reason(ranked_tables, records):
    _, flat = records(ranked_tables["tau"])
    assert flat["wmt13"] is None
    assert any(note.startswith("flat: wmt13: the metric") for note in ranked_tables["tau"].notes)


def test_tau_by_pair_has_a_row_a_metric_and_pair(ranked_tables, records):
    rows = records(ranked_tables["tau_by_pair"])
    assert [(row["metric"], row["language_pair"]) for row in rows] == [
        ("some", "cs-en"),
        ("some", "de-en"),
        ("flat", "cs-en"),
        ("flat", "de-en"),
    ]
    assert rows[1]["wmt12"] == pytest.approx((1 - 2) / 3)


def test_calibrated_table_has_the_accuracy_of_the_best_interval(ranked, ranked_tables, records):
    some, flat = records(ranked_tables["calibrated"])
    assert some["accuracy"] == ranked.metrics[0].calibrated_accuracy.accuracy
    assert (flat["metric_ties"], flat["human_ties"], flat["comparisons"]) == (12, 1, 12)


def test_systems_table_has_each_method_and_dashes_where_a_metric_orders_nothing(
    ranked_tables, records
):
    some, flat = records(ranked_tables["systems"])
    assert {name for name in some if name != "metric"} == {
        f"{method}_{name}"
        for method in ("basic", "with-ties", "mean")
        for name in ("spearman", "pearson")
    }
    assert flat["mean_spearman"] is None
    assert any(
        note.startswith("flat (basic), flat (with-ties), flat (mean): ")
        for note in ranked_tables["systems"].notes
    )


def test_systems_by_pair_has_ranks_worked_by_hand(ranked_tables, records):
    # in de-en people have B before A before C, `some` has A before C before B
    (row,) = [
        row
        for row in records(ranked_tables["systems_by_pair"])
        if (row["metric"], row["method"], row["language_pair"]) == ("some", "mean", "de-en")
    ]
    assert row["systems"] == 3
    assert row["spearman"] == pytest.approx(1 - 6 * (1 + 4 + 1) / (3 * 8))


def test_preference_tests_are_first_minus_second(ranked_tables, records):
    (test,) = records(ranked_tables["preference_tests"])
    assert (test["first"], test["second"]) == ("some", "flat")
    assert test["difference"] == pytest.approx(7 / 11)
    assert 0 < test["p"] <= test["p_holm"] <= 1


def test_preference_clusters_hold_every_metric(ranked_tables, records):
    rows = records(ranked_tables["preference_clusters"])
    assert {row["metric"] for row in rows} == {"some", "flat"}


def test_tests_of_many_metrics_are_those_of_the_best_for_people(judgments, make_metric, named):
    values = [0.9, 0.5, 0.4, 0.2, 0.4, 0.1, 0.3, 0.1, 0.2]
    metrics = [
        make_metric(f"m{i}", [v if j > i else 0 for j, v in enumerate(values)]) for i in range(7)
    ]
    settings = EvaluationSettings(resampling=Resampling(draws=0), permutations=10)
    evaluation = evaluate_metrics(judgments, metrics, settings)
    shown = named(metric_tables(evaluation, every=False))["preference_tests"]
    assert len(shown.rows) == 6
    assert shown.notes[-1].endswith("with each other metric; all 21 tests are in JSON and CSV")
    assert len(named(metric_tables(evaluation, every=True))["preference_tests"].rows) == 21


def test_single_metric_is_compared_with_none(judgments, make_metric, named):
    settings = EvaluationSettings(resampling=Resampling(draws=0), permutations=10)
    evaluation = evaluate_metrics(judgments, [make_metric("one", range(9))], settings)
    assert not {"preference_tests", "preference_clusters"} & named(metric_tables(evaluation)).keys()


def test_correlation_table_has_means_over_pairs(scored_tables, records):
    twice, other = records(scored_tables["correlation"])
    assert twice["pearson"] == twice["spearman"] == twice["kendall"] == pytest.approx(1.0)
    # of 5 ranks, `other` swaps one neighboring couple in cs-en and two in de-en
    assert other["spearman"] == pytest.approx((1 - 6 * 2 / 120 + 1 - 6 * 4 / 120) / 2)


def test_correlation_tables_have_each_pair(scored_tables, records):
    _, other = records(scored_tables["spearman"])
    assert other["cs-en"] == pytest.approx(1 - 6 * 2 / (5 * 24))
    assert other["de-en"] == pytest.approx(1 - 6 * 4 / (5 * 24))
    assert {"pearson", "kendall"} <= scored_tables.keys()


def test_correlation_for_people_is_pearson_by_pair_only(scored, named):
    tables = named(metric_tables(scored, every=False))
    assert "pearson" in tables
    assert not {"spearman", "kendall", "systems_by_pair"} & tables.keys()


def test_williams_table_has_a_row_a_language_pair(scored_tables, records):
    rows = records(scored_tables["williams"])
    assert [(row["language_pair"], row["n"]) for row in rows] == [("cs-en", 5), ("de-en", 5)]
    assert rows[0]["first_pearson"] == pytest.approx(1.0)
    assert rows[0]["between"] == pytest.approx(rows[0]["second_pearson"]) == pytest.approx(0.9)


def test_places_table_ends_with_the_papers_numbers(ranked_tables, records):
    *_, rte, tradmt = records(ranked_tables["places"])
    assert (rte["source"], rte["difference"]) == ("paper", 0.015)
    assert (tradmt["source"], tradmt["difference"]) == ("paper", -0.02)


def test_places_table_has_shares_worked_by_hand(ranked_tables, records):
    # first against lower: 2 + 2 + 2 right in cs-en, 2 wrong in de-en
    # last against higher: A>C right, B>C tied; A>B right, C>B tied; 2 right; A>C right, B>C wrong
    some = records(ranked_tables["places"])[0]
    assert some["top"] == pytest.approx(6 / 8)
    assert some["bottom"] == pytest.approx(5 / 8)
    assert some["difference"] == pytest.approx(1 / 8)


def test_margins_table_has_margins_worked_by_hand(ranked_tables, records):
    # best minus second: 0.9 − 0.5 twice and 0.4 − 0.2 right, 0.3 − 0.2 wrong
    some, flat, rte, tradmt = records(ranked_tables["margins"])
    assert (some["n_right"], some["n_wrong"]) == (3, 1)
    assert some["right"] == pytest.approx((0.4 + 0.4 + 0.2) / 3)
    assert some["ratio"] == pytest.approx((0.4 + 0.4 + 0.2) / 3 / 0.1)
    assert flat["right"] is None
    assert rte["ratio"] == pytest.approx(0.30 / 0.16)
    assert tradmt["ratio"] == pytest.approx(0.17 / 0.13)


def test_disagreements_table_says_who_prefers_what(ranked_tables, records):
    worst = records(ranked_tables["disagreements"])[0]
    assert (worst["metric"], worst["language_pair"], worst["segment"]) == ("some", "de-en", "1")
    assert (worst["preferred"], worst["other"], worst["votes"]) == ("B", "A", 1)
    assert worst["margin"] == pytest.approx(0.3 - 0.1)


def test_disagreements_of_a_metric_without_any_are_said_to_be_none(ranked_tables):
    notes = ranked_tables["disagreements"].notes
    assert "flat: never orders two outputs against the majority of people" in notes


def test_disagreements_for_people_are_few_and_without_empty_columns(judgments, make_metric, named):
    settings = EvaluationSettings(resampling=Resampling(draws=0), permutations=1)
    evaluation = evaluate_metrics(judgments, [make_metric("worst", [0, 1, 2] * 3)], settings)
    shown = named(metric_tables(evaluation, every=False))["disagreements"]
    everything = named(metric_tables(evaluation, every=True))["disagreements"]
    assert len(shown.rows) == 5 < len(everything.rows)
    assert shown.columns[-1].name == "severity"
    assert everything.columns[-1].name == "probability"


def test_judged_table_says_what_is_not_there_and_why(ranked_tables, scored_tables):
    assert "correlation" not in ranked_tables
    assert (
        "no correlation: there are rankings only, and no absolute human scores"
        in ranked_tables["judged"].notes
    )
    assert "preferences" not in scored_tables
    assert any(note.startswith("no consistency: ") for note in scored_tables["judged"].notes)


def test_judged_table_says_why_systems_are_not_ordered(scored_tables):
    assert "systems" not in scored_tables
    assert any(note.startswith("no system level: ") for note in scored_tables["judged"].notes)


def test_judged_table_counts_the_judgments(ranked_tables, records):
    (row,) = records(ranked_tables["judged"])
    assert (row["pairs"], row["rankings"], row["comparisons"]) == ("cs-en, de-en", 4, 12)
    assert (row["human_ties"], row["assessments"], row["human_scores"]) == (1, 0, None)


def test_metrics_table_has_the_signatures(ranked_tables, records):
    assert records(ranked_tables["metrics"])[0] == {"metric": "some", "signature": "some|made-up"}


@pytest.mark.parametrize("every", [True, False])
def test_tables_are_strict_json(ranked, scored, people, every):
    for evaluation in (ranked, scored):
        found = tables_to_json(metric_tables(evaluation, people, every=every))
        assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("format", ["table", "json", "jsonl", "csv"])
def test_tables_can_be_written(ranked, people, tmp_path, format):
    path = tmp_path / "evaluation"
    write_tables(metric_tables(ranked, people), output=str(path), format=format)
    assert "nan" not in path.read_text("utf-8").lower()


def test_numbers_of_tables_are_finite(ranked_tables, scored_tables, records):
    for table in [*ranked_tables.values(), *scored_tables.values()]:
        for row in records(table):
            assert all(math.isfinite(cell) for cell in row.values() if isinstance(cell, float))


def test_report_draws_agreement_over_all_and_by_pair(ranked, people):
    report = evaluation_report(ranked, people, judged="small")
    pictures = [part for part in report.sections[0].parts if hasattr(part, "spec")]
    assert [picture.name for picture in pictures] == ["preferences", "preferences-by-pair"]
    assert "two judges" in pictures[0].caption


def test_report_draws_the_lines_of_chance_and_ceiling(ranked, people):
    page = render_page(evaluation_report(ranked, people, judged="small"))
    for name in ("chance", "two judges", "bound"):
        assert page.count(f">{name}</text>") == 3  # over all, and in two language pairs


def test_report_of_scores_draws_pearson(scored):
    report = evaluation_report(scored, judged="small")
    names = [part.name for section in report.sections for part in section.parts]
    assert names[:2] == ["pearson", "pearson-by-pair"]


def test_report_is_a_page_that_says_how_to_repeat_it(ranked, people, tmp_path):
    write_page(tmp_path / "page.html", evaluation_report(ranked, people, judged="small"))
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("<svg") == 2
    assert "metric: some: some|made-up" in page
    assert "ties of a metric: wrong" in page


PLAIN = EvaluationSettings(resampling=Resampling(draws=0), permutations=20)


def test_answer_names_the_metric_that_agrees_most_often(ranked):
    # `some` is right on 7 of the 11 preferences, `flat` on none
    said = metric_answer(ranked)
    assert said.startswith("some agrees best, with people in 63.6 % of 11 preferences (95 % int")
    assert said.endswith("; flat is not significantly worse.")


def test_answer_of_a_single_metric_calls_it_nothing(judgments, make_metric):
    flat = evaluate_metrics(judgments, [make_metric("flat", [0.0] * 9)], PLAIN)
    assert metric_answer(flat) == "flat agrees with people in 0.0 % of 11 preferences."


def test_answer_is_of_correlation_where_people_score(scored):
    said = metric_answer(scored)
    assert said.startswith(
        "twice agrees best, with people's scores by a Pearson's r of 1.000 (95 %"
    )


def test_answer_says_that_people_prefer_nothing(make_metric):
    ties = TranslationJudgments((HumanRanking("cs-en", "1", "ada", {"A": 1, "B": 1}),))
    keys = [OutputKey("cs-en", "1", system) for system in "AB"]
    found = evaluate_metrics(ties, [make_metric("some", [1, 2], keys)], PLAIN)
    assert metric_answer(found).startswith("The judgments say nothing of the metrics")
