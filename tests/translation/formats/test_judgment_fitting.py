"""Judgments and outputs together."""

from __future__ import annotations

import pytest

from ensue.errors import DataError
from ensue.translation.formats.sets import open_set

HEADER = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n"
WMT08 = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B\n"


@pytest.fixture
def opened(written, findings):
    """Open two systems of two segments with judgments."""

    def open_with(rows: str, names=("x.de-en.ours", "x.de-en.theirs.7"), name="j.csv"):
        return open_set(
            [written(each, "a\nb\n") for each in names],
            references=[written("ref", "c\nd\n")],
            judgments=[written(name, rows)],
            on_finding=findings.append,
        ).judgments

    return open_with


@pytest.mark.parametrize("called", ["theirs.7", "theirs", "x.de-en.theirs.7"])
def test_system_goes_by_its_names(opened, called):
    found = opened(f"{HEADER}German,English,2,j,ours,{called},1,2\n").rankings
    assert [dict(each.ranks) for each in found] == [{"ours": 1, "theirs.7": 2}]


def test_pairs_that_are_not_at_hand_are_counted(opened, findings):
    rows = "German,English,2,j,ours,theirs,1,2\n" + 3 * "English,German,9,j,p,q,1,2\n"
    assert len(opened(HEADER + rows).rankings) == 1
    assert [each.message for each in findings] == [
        "3 judgments of en-de are left out: no outputs of it at hand"
    ]


def test_old_code_of_a_language_is_the_same_language(opened):
    names = ("x.cz-en.ours", "x.cz-en.theirs")
    found = opened(f"{HEADER}Czech,English,2,j,ours,theirs,1,2\n", names).rankings
    assert [each.language_pair for each in found] == ["cz-en"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("German,English,2,j,ours,thiers,1,2", "j.csv:2: no system is called 'thiers' in x de-en"),
        ("German,English,3,j,ours,theirs,1,2", "j.csv:2: there is no segment '3' in x de-en"),
        ("German,English,2,j,theirs,theirs.7,1,2", "system 'theirs.7' has the ranks 1 and 2"),
        ("English,German,2,j,ours,theirs,1,2", "no overlap between judgments and outputs"),
    ],
)
def test_judgments_of_something_else_are_refused(opened, row, message):
    with pytest.raises(DataError, match=message):
        opened(f"{HEADER}{row}\n")


def test_unknown_system_is_told_the_nearest(opened):
    with pytest.raises(DataError) as caught:
        opened(f"{HEADER}German,English,2,j,our,theirs,1,2\n")
    assert caught.value.hint == "did you mean 'ours'?"


def test_files_without_pair_take_judgments_of_one_pair(opened):
    found = opened(f"{HEADER}German,English,2,j,ours,theirs,1,2\n", ("ours", "theirs")).rankings
    assert [(each.language_pair, each.segment) for each in found] == [("", "2")]


def test_rows_without_pair_take_the_pair_at_hand(opened):
    found = opened('{"segment": 1, "ranks": {"ours": 1}}\n', name="j.jsonl").rankings
    assert [each.language_pair for each in found] == ["de-en"]


def test_domain_at_hand_is_taken_and_the_other_counted(opened, findings):
    rows = "".join(
        f"WMT08 French-English {domain},RANK,0,3,60,a,{rank},,b,1,\n"
        for domain, rank in (("News", 3), ("Europarl", 2))
    )
    names = ("newstest2008.fr-en.a", "newstest2008.fr-en.b")
    found = opened(WMT08 + rows, names).rankings
    assert [(each.segment, dict(each.ranks)) for each in found] == [("1", {"a": 3, "b": 1})]
    assert [each.message for each in findings] == [
        "1 judgments of test2008 fr-en are left out: no outputs of it at hand"
    ]


def test_domain_that_nobody_names_is_refused(opened):
    rows = "".join(
        f"WMT08 French-English {domain},RANK,0,3,60,a,1,,b,2,\n" for domain in ("News", "Europarl")
    )
    with pytest.raises(DataError, match="may be of any of newstest2008, test2008"):
        opened(WMT08 + rows, ("mine.fr-en.a", "mine.fr-en.b"))
