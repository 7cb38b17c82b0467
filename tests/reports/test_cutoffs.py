import math
from dataclasses import replace

import pytest
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.evaluation import line_up
from ensue.reports import tables_to_json
from ensue.reports.cutoffs import (
    banded_line,
    cutoff_report,
    cutoff_study,
    cutoff_study_picture,
    cutoff_tables,
)
from ensue.reports.page import render_page
from ensue.statistics.resampling import Resampling


@pytest.fixture(scope="module")
def judged(pairs, scored_run):
    return line_up(pairs, [scored_run]).judged[0]


@pytest.fixture(scope="module")
def study(judged):
    return cutoff_study(judged, judged, tasks=True, precision=0.75)


def rows(study, name, **where):
    tables = tables_to_json(cutoff_tables(study))
    return [
        each
        for each in tables[name]["rows"]
        if all(each[key] == value for key, value in where.items())
    ]


def test_cutoff_study_tunes_on_development(study):
    # yes: 0.9 0.8 0.4 0.1, no: 0.7 0.3 0.2 0.0; above 0.3 are three yes and one no: 6 of 8 right
    assert study.tuned == 0.3


def test_cutoff_study_says_that_a_run_has_no_scores(pairs, bare_run):
    with pytest.raises(UndefinedError, check=coded("run-no-scores-no")):
        cutoff_study(line_up(pairs, [bare_run]).judged[0])


def test_sets_table_lists_each_set_whole_and_by_task(study):
    places = [(each["set"], each["task"], each["pairs"]) for each in rows(study, "sets")]
    assert places == [
        ("development", "(all)", 8),
        ("development", "IE", 4),
        ("development", "QA", 4),
        ("test", "(all)", 8),
        ("test", "IE", 4),
        ("test", "QA", 4),
    ]


def test_sets_table_gives_the_area_under_roc(study):
    # of 16 yes-no couples the yes is higher in 4 + 4 + 3 + 1
    found = rows(study, "sets", set="development", task="(all)")[0]
    assert found["auc"] == pytest.approx(12 / 16)


def test_points_table_tries_the_tuned_cutoff_everywhere(study):
    tuned = rows(study, "points", chosen="tuned")
    assert [each["cutoff"] for each in tuned] == [0.3] * 6
    assert tuned[0]["right"] == 6


def test_points_table_lists_all_that_tie(judged):
    study = cutoff_study(judged)
    right = {each["cutoff"]: each["right"] for each in rows(study, "cutoffs")}
    best = [cutoff for cutoff, n in right.items() if n == max(right.values())]
    shown = [each["cutoff"] for each in rows(study, "points") if "tie" in each["chosen"]]
    assert [study.tuned, *shown] == best == [0.3, 0.7]


def test_points_table_says_that_no_cutoff_is_so_precise(judged):
    worse = judged.subset(judged.score < 0.75)  # the highest score left is no entailment
    table = cutoff_tables(cutoff_study(worse, precision=0.9))[1]
    assert any("no cutoff reaches a precision of 0.9" in note for note in table.notes)


def test_curve_table_has_every_cutoff_from_minus_infinity(judged):
    cutoffs = [each["cutoff"] for each in rows(cutoff_study(judged), "cutoffs")]
    assert cutoffs == ["-inf", 0.0, 0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9]


def test_curve_table_stands_for_all_with_a_few(pairs, scored_run):
    many = [replace(pairs[i % 8], id=str(i)) for i in range(400)]
    verdicts = [replace(scored_run.verdicts[0], pair_id=str(i), score=i / 400) for i in range(400)]
    run = replace(scored_run, verdicts=tuple(verdicts))
    study = cutoff_study(line_up(many, [run]).judged[0])
    table = cutoff_tables(study, every=False)[2]
    assert len(table.rows) <= 24
    assert table.notes == [f"{len(table.rows)} of 401 cutoffs, peaks and lows included"]
    best = max(row[4] for row in cutoff_tables(study)[2].rows)
    assert max(row[4] for row in table.rows) == best


def test_cutoff_study_picture_shows_both_sets_in_one_panel(judged):
    picture = cutoff_study_picture(cutoff_study(judged, judged), resampling=Resampling(draws=20))
    assert {row["series"] for row in picture.spec["data"]["values"]} == {"development", "test"}


def test_cutoff_study_picture_makes_a_panel_of_all_tasks_and_of_each(study):
    picture = cutoff_study_picture(study, resampling=Resampling(draws=20))
    panels = picture.spec["concat"]
    assert [panel["title"] for panel in panels] == ["(all)", "IE", "QA"]
    for panel in panels:
        assert {row["series"] for row in panel["data"]["values"]} == {"development", "test"}


def test_banded_line_keeps_accuracy_within_its_band(judged):
    line = banded_line("run", cutoff_study(judged).parts[0].curve, resampling=Resampling(draws=200))
    assert all(low <= y <= high for low, y, high in zip(line.low, line.y, line.high, strict=True))
    assert line.x[0] == -math.inf


def test_banded_line_has_no_band_without_draws(judged):
    assert (
        banded_line("run", cutoff_study(judged).parts[0].curve, resampling=Resampling(draws=0)).low
        is None
    )


def test_cutoff_report_becomes_a_page(study):
    picture = cutoff_study_picture(study, resampling=Resampling(draws=20))
    page = render_page(cutoff_report(study, picture, signature=["gold: pairs"]))
    assert "Cutoffs of scored" in page
    assert "gold: pairs" in page
