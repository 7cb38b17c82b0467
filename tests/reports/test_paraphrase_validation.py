from dataclasses import replace

import pytest

from ensue.pairs import Signature
from ensue.paraphrase.quality.entailment import Combination, Grade
from ensue.paraphrase.quality.validation import (
    AutomaticAgreement,
    Decisions,
    QualityBin,
    QualityFigures,
    QualityTrial,
)
from ensue.reports.page import render_page
from ensue.reports.paraphrase.agreement import (
    validation_picture,
    validation_report,
    validation_tables,
)
from ensue.reports.text import tables_to_json
from ensue.statistics.resampling import Estimate, Resampling, wilson_interval


def around(value):
    return Estimate(value, value - 0.05, value + 0.05)


def made_up(recognizer="overlap", name="rules.csv"):
    return AutomaticAgreement(
        name=name,
        signature=Signature(recognizer, "0.1.0"),
        grade=Grade.SOFT,
        combination=Combination.PRODUCT,
        was_chosen=True,
        trials=(
            QualityTrial(Grade.SOFT, Combination.PRODUCT, 0.65, 0.22),
            QualityTrial(Grade.HARD, Combination.PRODUCT, None, None, "people say the same of all"),
        ),
        n_choosing=90,
        n_undecided=4,
        figures=QualityFigures(
            n_instances=80,
            n_rules=60,
            share_right=0.4,
            area=around(0.64),
            brier=around(0.23),
            brier_of_share=around(0.24),
            own=Decisions(None, around(0.55), around(0.1), around(0.5), around(0.8)),
            tuned=Decisions(
                float("-inf"),
                around(0.6),
                Estimate(None, reason="one label throughout"),
                around(0.4),
                around(0.9),
            ),
            majority=around(0.6),
            pearson=around(0.25),
            spearman=Estimate(None, reason="constant"),
            bins=(QualityBin(0.0, 0.3, 50, 0.2, 0.3), QualityBin(0.4, 1.0, 30, 0.6, 0.5)),
        ),
    )


@pytest.fixture(scope="module")
def tables():
    return {table.name: table for table in validation_tables([made_up(), made_up("features")])}


def records(table):
    return tables_to_json([table])[table.name]["rows"]


def test_automatic_table_has_a_row_for_each_recognizer(tables):
    rows = records(tables["automatic"])
    assert [row["recognizer"] for row in rows] == ["overlap", "features"]
    row = rows[0]
    assert (row["grade"], row["combination"], row["chosen"]) == ("soft", "product", True)
    assert (row["n"], row["undecided"], row["rules"], row["share_right"]) == (80, 4, 60, 0.4)
    assert [row[key]["value"] for key in ("area", "brier", "brier_of_share", "pearson")] == [
        0.64,
        0.23,
        0.24,
        0.25,
    ]
    assert row["area"]["low"] == 0.64 - 0.05
    assert row["spearman"]["value"] is None
    assert "overlap, features: constant" in tables["automatic"].notes


def test_decisions_table_has_own_tuned_and_majority(tables):
    own, tuned, majority, *_ = records(tables["decisions"])
    assert [row["decisions"] for row in (own, tuned, majority)] == ["own", "tuned", "majority"]
    assert (own["cutoff"], tuned["cutoff"]) == (None, None)
    assert "tuned, without a cutoff: always yes" in tables["decisions"].notes
    assert [own[key]["value"] for key in ("accuracy", "kappa", "precision", "recall")] == [
        0.55,
        0.1,
        0.5,
        0.8,
    ]
    assert tuned["kappa"]["value"] is None
    assert "overlap, tuned, features, tuned: one label throughout" in tables["decisions"].notes
    assert (majority["accuracy"]["value"], majority["kappa"]) == (0.6, None)


def test_trials_table_marks_what_was_taken(tables):
    taken, other, *_ = records(tables["trials"])
    assert (taken["area"], taken["brier"], taken["taken"]) == (0.65, 0.22, True)
    assert (other["grade"], other["area"], other["taken"]) == ("hard", None, False)
    assert "overlap, hard, features, hard: people say the same of all" in tables["trials"].notes


def test_bins_table_has_intervals(tables):
    row = records(tables["bins"])[0]
    low, high = wilson_interval(15, 50)  # 0.3 · 50
    assert (row["low"], row["high"], row["n"], row["mean_quality"]) == (0.0, 0.3, 50, 0.2)
    assert row["share_right"] == {"value": 0.3, "low": low, "high": high}


def test_people_see_two_tables():
    names = [table.name for table in validation_tables([made_up()], every=False)]
    assert names == ["automatic", "decisions"]


def test_two_of_one_recognizer_are_told_apart():
    table = validation_tables([made_up(), made_up(), made_up(name="other.csv")])[0]
    assert [(row[0], row[1]) for row in table.rows] == [
        ("rules.csv", "overlap"),
        ("rules.csv", "overlap (2)"),
        ("other.csv", "overlap"),
    ]


def test_picture_has_a_line_a_recognizer_and_the_diagonal():
    picture = validation_picture([made_up(), made_up("features")])
    points = picture.spec["data"]["values"]
    assert [(row["series"], row["x"], row["y"], row["size"]) for row in points] == [
        ("overlap", 0.2, 0.3, 50),
        ("overlap", 0.6, 0.5, 30),
        ("features", 0.2, 0.3, 50),
        ("features", 0.6, 0.5, 30),
    ]
    assert picture.spec["layer"][0]["data"]["values"] == [{"x": 0, "y": 0}, {"x": 1, "y": 1}]


def test_picture_has_a_panel_for_each_set_of_instances():
    picture = validation_picture([made_up(), made_up(name="other.csv")])
    assert [panel["title"] for panel in picture.spec["concat"]] == ["rules.csv", "other.csv"]


def test_report_has_the_signatures():
    report = validation_report(
        [replace(made_up(), was_chosen=False)], resampling=Resampling(draws=7, seed=3)
    )
    assert report.title == "Automatic quality against people: rules.csv"
    assert "recognizer: overlap|version:0.1.0" in report.signature
    assert "seed: 3, draws: 7, level: 0.95" in report.signature


def test_page_renders():
    page = render_page(validation_report([made_up(), made_up(name="other.csv")]))
    assert "Are qualities at the right height?" in page
    assert "nan" not in page.lower().split()


def test_answer_says_whether_qualities_are_better_than_a_guess():
    assert validation_report([made_up()]).answer == (
        "overlap puts right instances of rules.csv above wrong ones with an area under the ROC"
        " curve of 0.640 (95 % interval 0.590 to 0.690), better than a guess (0.5)."
    )


@pytest.mark.parametrize(
    ("area", "said"),
    [
        (Estimate(0.52, 0.4, 0.6), "0.520 (95 % interval 0.400 to 0.600), not told apart from a"),
        (Estimate(0.3, 0.2, 0.4), "0.300 (95 % interval 0.200 to 0.400), worse than a guess (0.5)"),
        (Estimate(0.6), "0.600, where a guess has (0.5)."),
        (Estimate(None, reason="people say the same of all"), "undefined: people say the same of"),
    ],
)
def test_answer_minds_the_interval_of_the_area(area, said):
    found = made_up()
    found = replace(found, figures=replace(found.figures, area=area))
    assert said in validation_report([found]).answer
