"""Judgments in each format, without the texts."""

from __future__ import annotations

import pytest

from ensue.errors import DataError
from ensue.translation.formats.judgments import read_judgments
from ensue.translation.systems import AssessmentKind

WMT12 = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
WMT08 = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B\n"


def test_rankings_keep_ties_and_leave_gaps(written):
    path = written("j.csv", f"{WMT12}Czech,English,5,me,a,b,c,1,1,-1\nces,eng,6,me,a,b,,2,1,\n")
    first, second = read_judgments(path).rankings
    assert (first.language_pair, first.segment, first.judge) == ("cs-en", "5", "me")
    assert (first.place, dict(first.ranks)) == (f"{path}:2", {"a": 1, "b": 1})
    assert (second.language_pair, dict(second.ranks)) == ("cs-en", {"a": 2, "b": 1})


def test_rankings_may_be_tsv(written):
    rows = f"{WMT12}Czech,English,5,me,a,b,c,1,2,3\n".replace(",", "\t")
    assert dict(read_judgments(written("j.tsv", rows)).rankings[0].ranks) == {
        "a": 1,
        "b": 2,
        "c": 3,
    }


def test_blank_ranking_is_left_out_and_reported(written, findings):
    path = written("j.csv", f"{WMT12}Czech,English,5,me,a,b,c,-1,-1,-1\n")
    assert read_judgments(path, on_finding=findings.append).rankings == ()
    assert [(each.code, each.details["n_judgments"]) for each in findings] == [
        ("blank-judgment", 1)
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("Czech,English,5,me,a,b,c,1,x,2", "j.csv:2: the rank is no number: 'x'"),
        ("Czech,English,5,me,a,b,c,1,0,2", "j.csv:2: 0 is no rank"),
        ("Czech,English,5,me,a,b,a,1,2,2", "j.csv:2: system 'a' has the ranks 1 and 2 in one"),
        ("Elvish,English,5,me,a,b,c,1,2,3", "j.csv:2: no language is called 'Elvish'"),
        ("Czech,English,0,me,a,b,c,1,2,3", "j.csv:2: there is no segment 0"),
        ("Czech,English,five,me,a,b,c,1,2,3", "j.csv:2: the segment is no number: 'five'"),
        ("Czech,English,5,me,a,,c,1,2,3", "j.csv:2: this row has no 'system2id'"),
    ],
)
def test_rankings_that_make_no_sense_are_refused(written, row, message):
    with pytest.raises(DataError, match=message):
        read_judgments(written("j.csv", f"{WMT12}{row}\n"))


def test_system_twice_with_one_rank_is_reported(written, findings):
    path = written("j.csv", f"{WMT12}Czech,English,5,me,a,b,a,1,2,1\n")
    judgments = read_judgments(path, on_finding=findings.append)
    assert dict(judgments.rankings[0].ranks) == {"a": 1, "b": 2}
    assert [(each.code, each.place) for each in findings] == [("repeated-system", f"{path}:2")]


def test_ranks_of_2008_stay_and_those_of_2007_turn(written):
    rows = "".join(
        f"WMT{year} French-English Europarl,RANK,7,3,60,a,5,,b,2,\n" for year in ("07", "08")
    )
    of_2007, of_2008 = read_judgments(written("j.csv", WMT08 + rows)).rankings
    assert (of_2007.segment, dict(of_2007.ranks)) == ("test2007:8", {"a": 6 - 5, "b": 6 - 2})
    assert (of_2008.segment, dict(of_2008.ranks)) == ("test2008:8", {"a": 5, "b": 2})


def test_scores_of_2007_are_adequacy_and_fluency(written, findings):
    path = written("j.csv", f"{WMT08}WMT07 French-English Europarl,NIST,0,3,60,a,4,2,b,-,1\n")
    found = read_judgments(path, on_finding=findings.append).assessments
    assert [(each.system, each.kind, each.score) for each in found] == [
        ("a", AssessmentKind.ADEQUACY, 4),
        ("a", AssessmentKind.FLUENCY, 2),
        ("b", AssessmentKind.FLUENCY, 1),
    ]
    assert [(each.code, each.details["n_judgments"]) for each in findings] == [
        ("score-not-given", 1)
    ]


def test_domains_are_told_apart_and_all_english_is_a_pair_of_its_own(written):
    rows = (
        "WMT08 French-English News,RANK,7,3,60,a,1,,b,2,\n"
        "WMT08 French-English Europarl,RANK,7,3,60,a,1,,b,2,\n"
        "WMT08 All-English News,RANK,7,3,60,a_fr,1,,b_de,2,\n"
    )
    found = read_judgments(written("j.csv", WMT08 + rows)).rankings
    assert [(each.language_pair, each.segment) for each in found] == [
        ("fr-en", "newstest2008:8"),
        ("fr-en", "test2008:8"),
        ("xx-en", "newstest2008:8"),
    ]


def test_constituents_are_apart(written, findings):
    rows = (
        "WMT08 French-English News,CONSTITUENT,9,3,60,a,1,,b,2,\n"
        "WMT08 French-English News,CONSTITUENT_ACCEPT,9,3,60,a,1,,b,2,\n"
    )
    path = written("j.csv", WMT08 + rows)
    assert read_judgments(path, on_finding=findings.append).rankings == ()
    assert [each.message for each in findings] == [
        "1 judgments of the type CONSTITUENT are left out",
        "1 judgments of the type CONSTITUENT_ACCEPT are left out",
    ]
    (ranking,) = read_judgments(path, constituents=True).rankings
    assert ranking.segment == "newstest2008:constituent-9"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("WMT06 French-English Europarl,RANK,7,3,60,a,1,", "j.csv:2: the task 'WMT06 French"),
        (
            "WMT08 French-English Europarl,GUESS,7,3,60,a,1,",
            "no type of judgment is called 'GUESS'",
        ),
        ("WMT08 French-English Europarl,RANK,7,3,60,a,6,", "the rank 6 is not from 1 to 5"),
        ("WMT08 French-English Europarl,RANK,7,3,60,a,1", "j.csv:2: 7 fields in this row"),
        ("WMT08 French-English Europarl,RANK,x,3,60,a,1,", "the ITEM_ID is no number: 'x'"),
    ],
)
def test_campaigns_that_make_no_sense_are_refused(written, row, message):
    with pytest.raises(DataError, match=message):
        read_judgments(written("j.csv", f"{WMT08}{row}\n"))


def test_pair_list_is_rankings_of_two(written):
    found = read_judgments(written("cs-en.rank", "12\tcs-en\ta\tcs-en\tb\n")).rankings
    assert [(each.segment, dict(each.ranks)) for each in found] == [("12", {"a": 1, "b": 2})]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("12\tcs-en\ta\tb", r"cs-en\.rank:1: 4 fields in this line, not 5"),
        ("12\tcs-en\ta\tde-en\tb", "an output of 'cs-en' is compared with one of 'de-en'"),
        ("12\tcs-en\ta\tcs-en\ta", "system 'a' is compared with itself"),
        ("", "the file is empty"),
    ],
)
def test_pair_lists_that_make_no_sense_are_refused(written, line, message):
    with pytest.raises(DataError, match=message):
        read_judgments(written("cs-en.rank", f"{line}\n"))


def test_rows_of_jsonl_rank_or_score(written):
    rows = (
        '{"segment": 1, "judge": "x", "ranks": {"a": 1, "b": -1, "c": 1}}\n'
        '{"segment": 1, "judge": "x", "system": "a", "score": 70}\n'
    )
    found = read_judgments(written("j.jsonl", rows))
    assert [dict(each.ranks) for each in found.rankings] == [{"a": 1, "c": 1}]
    assert [(each.kind, each.score) for each in found.assessments] == [(AssessmentKind.DIRECT, 70)]


def test_row_without_judgment_is_refused(written):
    with pytest.raises(DataError, match=r"j\.jsonl:1: this row holds no judgment"):
        read_judgments(written("j.jsonl", '{"segment": 1, "system": "a"}\n'))


@pytest.mark.parametrize(
    ("name", "message"),
    [("j.csv", "the file is empty"), ("j.txt", "cannot tell the format of these judgments")],
)
def test_other_files_are_refused(written, name, message):
    with pytest.raises(DataError, match=message):
        read_judgments(written(name, ""))
