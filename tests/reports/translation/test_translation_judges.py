import pytest

from ensue.reports.translation.agreement import people_tables
from ensue.statistics.resampling import Resampling
from ensue.translation.judgments.bounds import judge_summary
from ensue.translation.systems import HumanRanking, TranslationJudgments


@pytest.fixture(scope="module")
def tables(judgments, named):
    return named(people_tables(judge_summary(judgments, resampling=Resampling(draws=20))))


def test_judges_table_has_all_and_each_pair_between_and_within_judges(tables, records):
    rows = records(tables["judges"])
    assert [(row["language_pair"], row["judges"]) for row in rows] == [
        ("all", "inter"),
        ("all", "intra"),
        ("cs-en", "inter"),
        ("cs-en", "intra"),
        ("de-en", "inter"),
        ("de-en", "intra"),
    ]


def test_judges_table_has_both_kappas_worked_by_hand(tables, records):
    # two judges answer about A and B, A and C, B and C of one segment, and agree on two of three;
    # 1 of 12 answers is a tie
    inter = records(tables["judges"])[0]
    chance = (1 / 12) ** 2 + (11 / 12) ** 2 / 2
    assert inter["couples"] == 3
    assert inter["agreement"] == pytest.approx(2 / 3)
    assert inter["kappa_uniform"] == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))
    assert inter["kappa_empirical"] == pytest.approx((2 / 3 - chance) / (1 - chance))
    assert inter["tie_share"] == pytest.approx(1 / 12)


def test_judges_who_never_meet_get_a_dash_and_the_reason(tables, records):
    table = tables["judges"]
    assert records(table)[4]["agreement"] is None
    assert any("de-en (inter)" in note and "by different judges" in note for note in table.notes)


def test_judges_of_one_language_pair_are_not_shown_twice(named, records):
    judgments = TranslationJudgments((HumanRanking("cs-en", "1", "ada", {"A": 1, "B": 2}),))
    tables = named(people_tables(judge_summary(judgments, resampling=Resampling(draws=0))))
    assert len(records(tables["judges"])) == 2


def test_judges_table_counts_contradictions(named):
    ranks = ({"A": 1, "B": 2}, {"A": 2, "B": 1})
    judgments = TranslationJudgments(
        tuple(HumanRanking("cs-en", "1", "ada", each) for each in ranks)
    )
    tables = named(people_tables(judge_summary(judgments, resampling=Resampling(draws=0))))
    wanted = "1 of 1 comparisons that a judge repeated contradict each other"
    assert wanted in tables["judges"].notes


def test_ceiling_table_has_the_bounds_worked_by_hand(tables, records):
    bounds = {row["bound"]: row for row in records(tables["ceiling"])}
    assert bounds["two-judges"]["share"] == pytest.approx(2 / 3)
    assert bounds["independent-bound"]["share"] == pytest.approx((1 + (1 / 3) ** 0.5) / 2)
    assert bounds["oracle"]["share"] == pytest.approx(
        10 / 11
    )  # one of two votes on B and C is lost
    assert bounds["oracle"]["n"] == 11
    assert set(bounds) >= {"leave-one-out", "oracle-repeated"}


def test_floor_table_has_a_row_a_policy(tables, records):
    floors = {row["policy"]: row for row in records(tables["floor"])}
    assert floors["complete"]["expected"] == 0.5
    assert floors["complete-all"]["expected"] == pytest.approx((1 - 1 / 12) / 2)
    assert floors["complete"]["comparisons"] == 11


def test_first_place_table_counts_rankings_and_segments(tables, records):
    by_unit = {row["unit"]: row for row in records(tables["first_place"])}
    assert (by_unit["ranking"]["tied"], by_unit["ranking"]["n"]) == (1, 4)
    assert (by_unit["segment"]["tied"], by_unit["segment"]["n"]) == (1, 3)


def test_people_who_rank_nothing_are_none():
    assert judge_summary(TranslationJudgments()) is None


def test_people_who_only_tie_have_no_floor_and_a_reason(named):
    judgments = TranslationJudgments((HumanRanking("cs-en", "1", "ada", {"A": 1, "B": 1}),))
    people = judge_summary(judgments, resampling=Resampling(draws=0))
    tables = named(people_tables(people))
    assert people.chance is None
    assert "floor" not in tables
    assert any("no preferences but ties" in note for note in tables["judges"].notes)
