"""Directories by what is in them, and several of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ensue.errors import DataError
from ensue.translation.formats.sets import open_set
from ensue.translation.systems import AssessmentKind

HEADER = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n"


def direct(written, folder: str, test_set: str, pair: str = "cs-en") -> str:
    for kind, content in (
        ("mt-system", "a\nb\n"),
        ("reference", "c\nd\n"),
        ("source", "e\nf\n"),
        ("human", "0.5\n-1.25\n"),
    ):
        path = written(f"{folder}/DAseg.{test_set}.{kind}.{pair}", content)
    return str(Path(path).parent)


def texts(opened):
    return {
        (each.language_pair, each.id): (each.references, dict(each.outputs))
        for each in opened.segments()
    }


def ranks(opened):
    return [
        (each.language_pair, each.segment, each.judge, dict(each.ranks))
        for each in opened.judgments.rankings
    ]


def test_layout_of_wmt_is_seen(written, tmp_path, findings):
    written("set/system-outputs/de-en/x.de-en.ours", "a\n")
    written("set/system-outputs/de-en/x.de-en.theirs", "b\n")
    written("set/reference.en", "c\n")
    written("set/judgments.csv", f"{HEADER}German,English,1,j,ours,theirs,1,2\n")
    written("set/notes.doc", "?")
    written("set/README.md", "?")
    opened = open_set([str(tmp_path / "set")], on_finding=findings.append)
    assert opened.name == "x"
    assert opened.systems == {"de-en": ("ours", "theirs")}
    assert [dict(each.ranks) for each in opened.judgments.rankings] == [{"ours": 1, "theirs": 2}]
    assert [each.message for each in findings] == [
        "'notes.doc' is none of the files of this layout and is left out"
    ]


def test_language_pair_is_for_directories_too(written, tmp_path):
    written("set/system-outputs/ours", "a\n")
    written("set/reference", "c\n")
    opened = open_set([str(tmp_path / "set")], language_pair="de-en")
    assert opened.systems == {"de-en": ("ours",)}


def test_layout_of_direct_assessment_is_seen(written):
    opened = open_set([direct(written, "set", "newstest2016")])
    first = opened.judgments.assessments[0]
    assert [each.score for each in opened.judgments.assessments] == [0.5, -1.25]
    assert (first.kind, first.key) == (AssessmentKind.DIRECT, ("cs-en", "1", "mt-system"))
    assert next(opened.segments()).source == "e"


def test_layout_of_meteor_is_seen(written, tmp_path):
    for system, text in (("ours", "a"), ("theirs", "b"), ("ref", "c")):
        written(f"set/cs-en.{system}.sgm", f'<seg id="1">{text}</seg>\n')
    written("set/cs-en.rank", "1\tcs-en\ttheirs\tcs-en\tours\n")
    opened = open_set([str(tmp_path / "set")])
    segment = next(opened.segments())
    assert (segment.references, dict(segment.outputs)) == (("c",), {"ours": "a", "theirs": "b"})
    assert dict(opened.judgments.rankings[0].ranks) == {"theirs": 1, "ours": 2}


def test_test_sets_with_one_pair_are_not_mixed(written):
    folders = [direct(written, "one", "newstest2015"), direct(written, "two", "newstest2016")]
    opened = open_set(folders)
    ids = [segment.id for segment in opened.segments()]
    assert ids == ["newstest2015:1", "newstest2015:2", "newstest2016:1", "newstest2016:2"]
    assert [each.segment for each in opened.judgments.assessments] == ids
    assert opened.name == "newstest2015+newstest2016"


def test_source_given_twice_is_refused(written):
    folder = direct(written, "one", "newstest2015")
    with pytest.raises(DataError, match="two sources have outputs of newstest2015 cs-en"):
        open_set([folder, folder])


def test_scores_of_another_number_are_refused(written):
    folder = direct(written, "one", "newstest2015")
    written("one/DAseg.newstest2015.human.cs-en", "0.5\n")
    with pytest.raises(DataError, match="1 scores here, 2 segments in newstest2015 cs-en"):
        open_set([folder])


def test_score_that_is_no_number_is_refused(written):
    folder = direct(written, "one", "newstest2015")
    written("one/DAseg.newstest2015.human.cs-en", "0.5\nnan\n")
    with pytest.raises(DataError, match=r"cs-en:2: the score is no finite number: 'nan'"):
        open_set([folder])


def test_scores_can_be_named_beside_plain_files(written):
    folder = Path(direct(written, "one", "newstest2015"))
    opened = open_set(
        [str(folder / "DAseg.newstest2015.mt-system.cs-en")],
        references=[str(folder / "DAseg.newstest2015.reference.cs-en")],
        judgments=[str(folder / "DAseg.newstest2015.human.cs-en")],
    )
    assert len(opened.judgments.assessments) == 2


def test_directory_of_something_else_is_refused(written, tmp_path):
    written("set/notes.doc", "?")
    with pytest.raises(DataError, match="no outputs in the directory"):
        open_set([str(tmp_path / "set")])


def test_shipped_set_is_the_same_as_directory_and_as_rows(root):
    folder = root / "examples" / "translation"
    files = open_set([str(folder)])
    beside = folder.with_name("translation-rows")
    rows = open_set([str(beside / "segments.jsonl")], judgments=[str(beside / "judgments.jsonl")])
    assert texts(files) == texts(rows)
    assert ranks(files) == ranks(rows)
    assert len(files.judgments.rankings) == 95


def test_shipped_table_of_the_paper_is_read(root):
    opened = open_set([str(root / "examples" / "translation-rows" / "table3.jsonl")])
    assert [segment.output_keys()[0] for segment in opened.segments()] == [
        ("fr-en", "1357", "lium-systran"),
        ("fr-en", "686", "rbmt4"),
    ]
