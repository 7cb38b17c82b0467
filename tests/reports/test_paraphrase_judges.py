import numpy as np
import pytest

from ensue.paraphrase.evaluation import judge_agreement
from ensue.paraphrase.lists import ListKey, PatternJudgments, RankedLists, Strictness
from ensue.reports.paraphrase.agreement import judge_tables
from ensue.reports.text import tables_to_json
from ensue.statistics.resampling import Resampling

LISTS = {
    ListKey("ended", "one"): ["stopped", "closed"],
    ListKey("ended", "two"): ["stopped"],
    ListKey("grew", "one"): ["rose"],
}
STRICT = [[1, 1], [0, 1], [0, 1], [1, 1]]
LENIENT = [[1, 1], [1, 1], [0, 1], [0, 1]]


def agreement(strict=STRICT, lenient=LENIENT, content=LISTS, judges=("ann", "bob"), draws=20):
    labels = {Strictness.STRICT: np.array(strict, np.int8)}
    if lenient is not None:
        labels[Strictness.LENIENT] = np.array(lenient, np.int8)
    lists = RankedLists.of(content, judgments=PatternJudgments(judges, labels))
    return judge_agreement(lists, resampling=Resampling(draws=draws))


@pytest.fixture(scope="module")
def tables():
    return {table.name: table for table in judge_tables(agreement())}


def records(table):
    return tables_to_json([table])[table.name]["rows"]


def row_of(table, **wanted):
    (row,) = [r for r in records(table) if all(r[key] == wanted[key] for key in wanted)]
    return row


def test_agreement_table_has_all_judges_together(tables):
    row = row_of(tables["agreement"], strictness="strict")
    assert (row["judges"], row["patterns"], row["by_all"]) == (2, 4, 4)
    assert row["raw"]["value"] == 2 / 4
    # six of eight labels are yes: (1/2 − 5/8) / (1 − 5/8)
    assert row["fleiss"]["value"] == pytest.approx((1 / 2 - 5 / 8) / (1 - 5 / 8))
    assert row["raw"]["low"] is not None


def test_couples_table_has_every_two_judges(tables):
    row = row_of(tables["couples"], strictness="strict")
    assert (row["first"], row["second"], row["patterns"]) == ("ann", "bob", 4)
    assert row["raw"]["value"] == 2 / 4
    assert row["kappa"]["value"] == 0  # bob always says yes


def test_judges_table_has_shares_of_yes_and_repeats(tables):
    ann = row_of(tables["judges"], strictness="strict", judge="ann")
    assert (ann["patterns"], ann["yes"]["value"]) == (4, 2 / 4)
    assert (ann["repeats"], ann["with_self"]["value"]) == (1, 0)  # stopped: yes, then no
    bob = row_of(tables["judges"], strictness="strict", judge="bob")
    assert bob["with_self"]["value"] == 1


def test_strict_table_holds_strict_against_lenient(tables):
    rows = records(tables["strict_of_lenient"])
    assert [
        (r["judge"], r["lenient_yes"], r["strict"]["value"], r["strict_only"]) for r in rows
    ] == [
        ("all", 6, 5 / 6, 1),
        ("ann", 2, 1 / 2, 1),  # grew: a strict yes and a lenient no
        ("bob", 4, 4 / 4, 0),
    ]


def test_one_strictness_makes_no_strict_table():
    assert [table.name for table in judge_tables(agreement(lenient=None))] == [
        "agreement",
        "couples",
        "judges",
    ]


def test_undefined_agreement_is_a_dash_with_a_reason():
    tables = {
        t.name: t for t in judge_tables(agreement([[1, -1], [1, -1], [-1, 1], [-1, 1]], None))
    }
    assert records(tables["couples"])[0]["kappa"]["value"] is None
    assert "ann and bob, strict: no pattern was judged by both" in tables["couples"].notes
    assert "strict: no pattern was judged by all" in tables["agreement"].notes
    assert "bob, strict: the judge judged no pattern twice" in " ".join(tables["judges"].notes)


def test_single_judge_has_no_couples():
    tables = {t.name: t for t in judge_tables(agreement([[1]] * 4, None, judges=("ann",)))}
    assert list(tables["couples"].rows) == []
    assert "strict: there is one judge only" in tables["agreement"].notes


def test_single_term_has_no_intervals_and_says_so():
    content = {ListKey("ended", "one"): ["stopped", "closed", "shut", "over"]}
    for table in judge_tables(agreement(content=content)):
        assert "no intervals: there is one term only, so that no others can be drawn" in table.notes


def test_many_couples_are_cut_for_people_and_say_so():
    judges = tuple(f"j{i}" for i in range(10))
    found = agreement([[1, 0] * 5] * 4, None, judges=judges, draws=0)
    people = {table.name: table for table in judge_tables(found, every=False)}
    assert len(people["couples"].rows) == 40
    assert people["couples"].notes[-1] == "the first 40 of 45 couples; all are in JSON and CSV"
    assert len({t.name: t for t in judge_tables(found)}["couples"].rows) == 45
