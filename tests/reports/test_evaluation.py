import json

import pytest

from ensue.evaluation import evaluate
from ensue.pairs import Label, Pair, Run, Verdict
from ensue.reports import tables_to_json
from ensue.reports.evaluation import EvaluationExtras, evaluation_report, evaluation_tables
from ensue.reports.model import Picture
from ensue.reports.page import render_page
from ensue.statistics.resampling import Resampling

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT


@pytest.fixture(scope="module")
def tables(evaluation):
    return tables_to_json(
        evaluation_tables(evaluation, EvaluationExtras(precision=0.75, groups=True))
    )


def row(tables, name, **where):
    found = [
        each
        for each in tables[name]["rows"]
        if all(each[key] == value for key, value in where.items())
    ]
    assert len(found) == 1
    return found[0]


def test_evaluation_tables_are_strict_json(tables):
    json.dumps(tables, allow_nan=False)


def test_runs_table_counts_and_measures(tables):
    scored = row(tables, "runs", run="scored")
    assert (scored["pairs"], scored["answered"]) == (8, 8)
    assert scored["accuracy"]["value"] == 5 / 8


def test_runs_table_counts_the_unanswered_against_accuracy_on_all(tables):
    bare = row(tables, "runs", run="bare")
    assert bare["accuracy"]["value"] == 6 / 6
    assert bare["accuracy-all"]["value"] == 6 / 8
    assert bare["coverage"]["value"] == 6 / 8


def test_runs_table_says_why_a_measure_is_undefined(tables):
    assert row(tables, "runs", run="bare")["cws"]["value"] is None
    note = "bare: cws, average-precision are undefined: the run has no confidences"
    assert note in tables["runs"]["notes"]


def test_runs_table_says_how_intervals_were_made(tables):
    assert "in brackets: 95 % bootstrap intervals (50 draws, seed 0)" in tables["runs"]["notes"]


def test_runs_table_leaves_coverage_out_where_all_is_answered(single):
    runs = evaluation_tables(single)[0]
    assert not {"accuracy-all", "coverage"} & {column.name for column in runs.columns}


def test_unanswered_table_tells_missing_from_abstained(tables):
    bare = row(tables, "unanswered", run="bare")
    assert (bare["unanswered"], bare["missing"], bare["abstained"]) == (2, 1, 1)


def test_chance_table_leaves_undefined_measures_out(tables):
    measures = [(each["run"], each["measure"]) for each in tables["chance"]["rows"]]
    assert measures == [("scored", "accuracy"), ("scored", "cws"), ("bare", "accuracy")]


def test_chance_table_gives_the_exact_binomial(tables):
    # at least 5 of 8 coins: (56 + 28 + 8 + 1) / 2^8
    assert row(tables, "chance", run="scored", measure="accuracy")["p"] == pytest.approx(93 / 256)


def test_chance_table_says_why_there_is_no_p(single):
    table = next(table for table in evaluation_tables(single) if table.name == "chance")
    assert "scored: cws: no simulation was asked for" in table.notes


def test_labels_table_gives_precision_recall_and_f(tables):
    found = row(tables, "labels", run="scored", label="entailment")
    # yes is said of 1, 2 and 5, of which 1 and 2 are right; 4 are so in the gold
    assert (found["gold"], found["answered"], found["right"]) == (4, 3, 2)
    assert found["precision"]["value"] == 2 / 3
    assert found["recall"]["value"] == 2 / 4
    assert found["f"]["value"] == pytest.approx(2 * 2 / (3 + 4))


def test_confusion_table_counts_the_unanswered(tables):
    found = row(tables, "confusion", run="bare", gold="not-entailment")
    assert (found["entailment"], found["not-entailment"], found["unanswered"]) == (0, 2, 2)


def test_tasks_table_has_a_row_for_each_task_and_run(tables):
    places = [(each["task"], each["run"]) for each in tables["tasks"]["rows"]]
    assert places == [("IE", "scored"), ("IE", "bare"), ("QA", "scored"), ("QA", "bare")]


def test_prior_table_gives_accuracy_under_another_share(tables):
    # of the entailments 2 of 4 are found, of the others 3 of 4
    found = row(tables, "prior", run="scored")
    assert found["accuracy"]["value"] == pytest.approx(0.25 * 2 / 4 + 0.75 * 3 / 4)


def test_comparisons_table_counts_who_alone_is_right(tables):
    (found,) = tables["comparisons"]["rows"]
    # scored alone is right on 7 and 8, bare alone on 3, 4 and 5
    assert (found["only_first"], found["only_second"]) == (2, 3)
    assert found["accuracy-all"]["value"] == pytest.approx(5 / 8 - 6 / 8)
    assert found["differs"] is False


def test_clusters_table_puts_the_best_first(tables):
    assert [each["run"] for each in tables["clusters"]["rows"]] == ["bare", "scored"]


def test_calibration_table_leaves_runs_without_confidences_out(tables):
    assert [each["run"] for each in tables["calibration"]["rows"]] == ["scored"]


def test_operating_table_finds_the_wanted_precision(tables):
    found = row(tables, "operating_points", aim="precision ≥ 0.75")
    # above 0.3 are 0.9 0.8 0.7 0.4: three of four are entailments; lower cutoffs give at most 4/7
    assert (found["cutoff"], found["precision"], found["recall"]) == (0.3, 3 / 4, 3 / 4)


def test_operating_table_says_which_run_has_no_scores(tables):
    notes = tables["operating_points"]["notes"]
    assert "bare: the run has no scores, so there is no cutoff to choose" in notes


def test_operating_table_is_there_only_where_it_is_wished(single):
    assert "operating_points" not in {table.name for table in evaluation_tables(single)}


def test_group_tables_rank_the_texts_of_a_hypothesis(tables):
    found = row(tables, "group_scores", run="scored", group="claim 0")
    assert (found["texts"], found["entailing"]) == (4, 2)
    assert row(tables, "groups", run="scored")["groups"] == 2


@pytest.fixture(scope="module")
def of_groups():
    """Thirty groups of two texts with long names, in which the i-th text is found at rank one or
    two; one group without an entailment; three groups of one text."""
    pairs, verdicts = [], []
    for i in range(34):
        for j in range(2 if i < 31 else 1):
            gold = YES if j == 0 and i != 30 else NO
            pairs.append(Pair(f"{i}-{j}", "text", f"{i:02d} {'claim ' * 20}", gold))
            verdicts.append(Verdict(f"{i}-{j}", YES, confidence=0.9 if (i + j) % 2 == 0 else 0.1))
    return evaluate(pairs, [Run("run", tuple(verdicts))], resampling=Resampling(draws=0))


def group_tables_of(evaluation, every):
    tables = evaluation_tables(evaluation, EvaluationExtras(groups=True), every=every)
    return {table.name: table for table in tables}


@pytest.mark.parametrize("every", [True, False])
def test_group_tables_leave_groups_of_one_text_out_and_count_them(of_groups, every):
    tables = group_tables_of(of_groups, every)
    # of the 30 groups with an entailment every other one has it first: (15 + 15 / 2) / 30
    assert list(tables["groups"].rows[0]) == ["run", 31, 0.0, 30, 0.75, 0.75]
    note = "groups of one text, in which there is nothing to rank, left out: 3"
    assert note in tables["groups"].notes


def test_group_tables_say_nothing_of_groups_of_one_text_where_there_are_none(tables):
    assert not [note for note in tables["groups"]["notes"] if "one text" in note]


def test_group_scores_table_has_every_group_for_programs(of_groups):
    table = group_tables_of(of_groups, every=True)["group_scores"]
    assert [row[1] for row in table.rows] == [f"{i:02d} {'claim ' * 20}" for i in range(31)]
    assert table.notes == []


def test_group_scores_table_shows_people_the_lowest(of_groups):
    table = group_tables_of(of_groups, every=False)["group_scores"]
    assert [row[5] for row in table.rows] == [1 / 2] * 15 + [1] * 5
    assert all(len(row[1]) == 60 and row[1].endswith("…") for row in table.rows)
    assert table.notes == [
        "the 20 lowest of 31 by average precision",
        "names are cut",
        "JSON, JSONL and CSV have all in full",
    ]


def test_group_scores_table_shows_people_a_few_as_they_are(single):
    table = group_tables_of(single, every=False)["group_scores"]
    assert {row[1] for row in table.rows} == {"claim 0", "claim 1"}
    assert table.notes == []


def test_signatures_table_gives_each_run_its_recipe(tables):
    assert tables["signatures"]["rows"] == [
        {"run": "scored", "signature": "overlap|version:0.1.0"},
        {"run": "bare", "signature": None},
    ]


def test_signatures_table_is_there_for_people_too(single):
    assert "signatures" in {table.name for table in evaluation_tables(single, every=False)}


def test_risk_coverage_table_has_a_row_for_each_confidence(tables):
    found = tables["risk_coverage"]["rows"]
    assert {each["run"] for each in found} == {"scored"}
    # the surest is pair 8 with 1, which is right; then 1 and 4 with 0.8, of which 4 is wrong
    points = [(each["coverage"], each["risk"], each["confidence"]) for each in found]
    assert points[0] == (1 / 8, 0, 1)
    assert points[1] == pytest.approx((3 / 8, 1 / 3, 0.8))
    assert points[-1] == pytest.approx((8 / 8, 3 / 8, 0.2))


def test_reliability_table_has_a_row_for_each_bin(tables):
    found = tables["reliability"]["rows"]
    assert [each["high"] for each in found] == pytest.approx([i / 10 for i in range(1, 11)])
    assert sum(each["n"] for each in found) == 8
    assert (found[0]["n"], found[0]["confidence"], found[0]["accuracy"]) == (0, None, None)
    last = found[-1]
    assert (last["n"], last["confidence"], last["accuracy"]) == (1, 1, 1)


def test_curve_tables_are_not_for_people(evaluation):
    names = {table.name for table in evaluation_tables(evaluation, every=False)}
    assert "calibration" in names
    assert not {"risk_coverage", "reliability"} & names


def test_curve_tables_are_left_out_where_no_run_has_confidences(pairs, bare_run):
    names = {
        table.name
        for table in evaluation_tables(evaluate(pairs, [bare_run], resampling=Resampling(draws=0)))
    }
    assert not {"calibration", "risk_coverage", "reliability"} & names


def test_evaluation_of_one_run_compares_nothing(single):
    names = {table.name for table in evaluation_tables(single)}
    assert not {"comparisons", "clusters"} & names


def test_evaluation_report_has_a_section_for_whatever_there_is(evaluation):
    report = evaluation_report(
        evaluation, gold="pairs", wishes=EvaluationExtras(precision=0.75, groups=True)
    )
    assert [section.title for section in report.sections] == [
        "Runs",
        "Labels",
        "Tasks",
        "Comparison",
        "Confidence",
        "Cutoffs",
        "Groups",
        "Findings",
    ]


def test_evaluation_report_leaves_empty_sections_out(pairs, bare_run):
    report = evaluation_report(
        evaluate(pairs, [bare_run], resampling=Resampling(draws=0)), gold="pairs"
    )
    assert [section.title for section in report.sections] == ["Runs", "Labels", "Findings"]


def test_evaluation_report_says_how_to_get_it_again(evaluation):
    signature = evaluation_report(evaluation, gold="pairs").signature
    assert "gold: pairs, 8 pairs" in signature
    assert "run: scored: overlap|version:0.1.0" in signature
    assert "view: 2-way, seed: 0, draws: 50, level: 0.95" in signature


def test_evaluation_report_becomes_a_page_with_all_its_pictures(evaluation):
    report = evaluation_report(evaluation, gold="pairs")
    pictures = [
        part for section in report.sections for part in section.parts if isinstance(part, Picture)
    ]
    assert len({picture.name for picture in pictures}) == len(pictures)
    assert render_page(report).count("<svg ") == len(pictures)
