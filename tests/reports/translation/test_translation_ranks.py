from dataclasses import replace

import numpy as np
import pytest

from ensue.reports.page import write_page
from ensue.reports.translation.ranks import rank_answer, rank_report, rank_tables
from ensue.statistics.resampling import Estimate, Resampling
from ensue.translation.ranks import SystemRank, SystemRanking, rank_systems
from ensue.translation.systems import (
    MetricScores,
    OutputKey,
    SystemKey,
    SystemMethod,
    TieInterval,
    tie_interval,
)

SOME = MetricScores("some", (), np.empty(0), "some|made-up")
RANKS = (
    SystemRank("cs-en", "A", Estimate(0.6, 0.5, 0.7), 10, 1, 1, 1, 1, 0.99, 0.01),
    SystemRank("cs-en", "B", Estimate(0.3, 0.2, 0.4), 10, 2, 2, 3, 2, 0.75, 0.5),
    SystemRank("cs-en", "C", Estimate(0.1, 0.0, 0.2), 10, 3, 2, 3, 2, None, None),
    SystemRank("de-en", "D", Estimate(None, reason="alone"), 0, None, None, None, None, None, None),
)
INTERVAL = TieInterval(0.25, 0.3, 0.4, 20)
PEOPLE = {
    SystemKey("cs-en", "A"): 0.7,
    SystemKey("cs-en", "B"): 0.2,
    SystemKey("cs-en", "C"): 0.4,
    SystemKey("cs-en", "E"): 0.9,
}


def ranking(ranks=RANKS, method=SystemMethod.WITH_TIES, interval=INTERVAL, **more):
    return SystemRanking(tuple(ranks), SOME.name, SOME.signature, method, interval, **more)


def made(**more):
    return rank_tables(ranking(**more))


def test_rank_table_has_a_row_a_system(records):
    (table,) = made()
    first = records(table)[0]
    assert first == {
        "language_pair": "cs-en",
        "cluster": 1,
        "rank": 1,
        "best_rank": 1,
        "worst_rank": 1,
        "system": "A",
        "score": 0.6,
        "segments": 10,
        "wins": 0.99,
        "p": 0.01,
    }


def test_rank_table_gives_a_dash_and_the_reason(records):
    (table,) = made()
    last = records(table)[-1]
    assert (last["rank"], last["score"], last["cluster"]) == (None, None, None)
    assert "D (de-en): alone" in table.notes


def test_rank_table_says_the_tie_interval_and_what_it_reaches():
    (table,) = made()
    assert (
        "ε = 0.25 ties first place on 40.0 % of 20 segments; 30.0 % were asked for" in table.notes
    )


def test_rank_table_says_no_tie_interval_of_other_methods():
    (table,) = made(method=SystemMethod.BASIC, interval=None)
    assert not any("ε" in note for note in table.notes)
    assert "share of segments on which the system is ranked best" in table.notes[0]


def test_rank_table_says_draws_and_seed():
    (table,) = made(resampling=Resampling(draws=100, seed=3))
    assert "in brackets: 95 % bootstrap intervals over segments (100 draws, seed 3)" in table.notes


def test_rank_table_says_that_nothing_was_drawn():
    (table,) = made(resampling=Resampling(draws=0))
    assert table.notes[-1].startswith("nothing was drawn")


def test_rank_table_shows_shares_in_percent_and_means_as_they_are():
    assert made()[0].columns[6].percent
    assert not made(method=SystemMethod.MEAN)[0].columns[6].percent
    assert not made(method=SystemMethod.CORPUS)[0].columns[6].percent


def test_rank_table_knows_scores_of_whole_texts():
    (table,) = made(method=SystemMethod.CORPUS, interval=None)
    assert table.title == "Systems ranked by some (corpus)"
    assert table.notes[0] == "score: the score of all outputs of the system as one text"


def test_rank_table_has_a_column_of_people(records):
    ranked, _ = made(people=PEOPLE)
    assert [row["human"] for row in records(ranked)] == [0.7, 0.2, 0.4, None]


def test_rank_table_has_the_rank_among_all_that_people_judged(records):
    ranked, _ = made(people=PEOPLE)
    assert [row["human_rank"] for row in records(ranked)] == [2, 4, 3, None]


def test_people_table_has_spearman_worked_by_hand(records):
    # ranks 1, 2, 3 beside 1, 3, 2
    _, people = made(people=PEOPLE)
    (row,) = records(people)
    assert (row["language_pair"], row["systems"]) == ("cs-en", 3)
    assert row["spearman"] == pytest.approx(1 - 6 * (0 + 1 + 1) / (3 * 8))


def test_people_table_names_who_is_missing_on_either_side():
    _, people = made(people=PEOPLE)
    assert "judged, and not ranked: E (cs-en)" in people.notes
    assert "ranked, and not judged: D (de-en)" in people.notes


def test_people_table_without_common_systems_says_why(records):
    _, people = made(people={SystemKey("fr-en", "A"): 0.5})
    assert records(people) == []
    assert "there are no human scores of systems" in people.notes


def test_people_table_has_a_mean_of_several_pairs(records):
    ranks = [
        SystemRank(pair, name, Estimate(score), 5, None, None, None, None, None, None)
        for pair in ("cs-en", "de-en")
        for name, score in (("A", 0.5), ("B", 0.3), ("C", 0.2))
    ]
    people = {
        SystemKey("cs-en", "A"): 3,
        SystemKey("cs-en", "B"): 2,
        SystemKey("cs-en", "C"): 1,
        SystemKey("de-en", "A"): 1,
        SystemKey("de-en", "B"): 2,
        SystemKey("de-en", "C"): 3,
    }
    _, table = made(
        ranks=ranks,
        method=SystemMethod.MEAN,
        interval=None,
        people=people,
        resampling=Resampling(draws=0),
    )
    assert [row["spearman"] for row in records(table)] == pytest.approx([1, -1, 0])


def test_rank_tables_show_what_rank_systems_gives(make_metric, records):
    outputs = [OutputKey("", str(i), system) for i in range(8) for system in "AB"]
    metric = make_metric("some", [1, 0] * 8, outputs)
    ranks = rank_systems(metric, SystemMethod.BASIC, resampling=Resampling(draws=20))
    (table,) = made(
        ranks=ranks,
        method=SystemMethod.BASIC,
        interval=tie_interval(metric),
        resampling=Resampling(draws=20),
    )
    rows = records(table)
    assert [(row["system"], row["cluster"], row["score"]) for row in rows] == [
        ("A", 1, 1.0),
        ("B", 2, 0.0),
    ]
    assert rows[0]["language_pair"] is None


def test_rank_report_is_a_page_with_a_picture(tmp_path):
    report = rank_report(ranking(people=PEOPLE, name="small"))
    write_page(tmp_path / "ranks.html", report)
    page = (tmp_path / "ranks.html").read_text("utf-8")
    assert page.count("<svg") == 1
    assert "Systems of small ranked by some" in page
    assert "metric: some: some|made-up" in page
    assert "tie interval: 0.25" in page


def test_answer_names_the_first_of_each_language_pair():
    assert rank_answer(ranking()) == (
        "By some, A is first in cs-en, clearly before the others; no system is ranked in de-en."
    )


def test_answer_names_those_of_the_same_cluster():
    ranks = [replace(each, cluster=1) for each in RANKS[:3]]
    assert rank_answer(ranking(ranks)) == (
        "By some, A is first in cs-en, not told apart from B and C."
    )
    assert rank_answer(ranking([])) == "some ranks no system."
