"""Files of ranked lists: orders, labels, findings, formats, and what is refused where."""

from __future__ import annotations

import gzip
import io
import json
import sys

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, LabelError
from ensue.paraphrase.formats.lists import read_lists
from ensue.paraphrase.lists import ListKey, Strictness

STRICT, LENIENT = Strictness.STRICT, Strictness.LENIENT


@pytest.fixture
def read(tmp_path):
    """Write a text to a file of that name, read it, and keep the findings."""

    def call(text: str, name: str = "lists.tsv", **settings):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        findings = []
        lists = read_lists(path, on_finding=findings.append, **settings)
        return lists, findings

    return call


def tsv(*rows: str) -> str:
    """Rows with commas for tabs."""
    return "".join(row.replace(",", "\t") + "\n" for row in rows)


def paraphrases_of(lists, term: str, method: str = "") -> list[str]:
    k = lists.keys.index(ListKey(term, method))
    return list(lists.paraphrases[lists.offsets[k] : lists.offsets[k + 1]])


def error_of(read, text: str, name: str = "lists.tsv", kind=DataError):
    with pytest.raises(kind) as caught:
        read(text, name)
    return caught.value


def test_lists_are_in_the_order_of_ranks(read):
    lists, findings = read(
        tsv("term,method,rank,paraphrase", "kill,pd,2,murder", "kill,pd,1,slay", "kill,pd,3,shoot")
    )
    assert paraphrases_of(lists, "kill", "pd") == ["slay", "murder", "shoot"]
    assert findings == []


def test_lists_are_in_the_order_of_confidences_without_ranks(read):
    lists, _ = read(tsv("term,paraphrase,confidence", "kill,a,0.1", "kill,b,-3", "kill,c,1e3"))
    assert paraphrases_of(lists, "kill") == ["c", "a", "b"]
    assert lists.columns["confidence"].tolist() == [1000, 0.1, -3]


def test_lists_are_in_the_order_of_the_file_without_either(read):
    lists, _ = read(tsv("term,paraphrase", "kill,b", "kill,a"))
    assert paraphrases_of(lists, "kill") == ["b", "a"]


def test_rank_counts_where_confidence_is_given_too(read):
    lists, _ = read(tsv("term,paraphrase,rank,confidence", "kill,b,2,0.9", "kill,a,1,0.1"))
    assert paraphrases_of(lists, "kill") == ["a", "b"]


def test_one_list_may_be_ranked_and_another_by_confidence(read):
    lists, _ = read(
        tsv("term,paraphrase,rank,confidence", "a,x,2,0.9", "b,u,,0.1", "a,y,1,", "b,v,,0.2")
    )
    assert paraphrases_of(lists, "a") == ["y", "x"]
    assert paraphrases_of(lists, "b") == ["v", "u"]


def test_rows_of_a_list_need_not_stand_together(read):
    lists, _ = read(tsv("term,paraphrase", "a,x", "b,u", "a,y", "b,v"))
    assert lists.keys == (ListKey("a", ""), ListKey("b", ""))
    assert list(lists.paraphrases) == ["x", "y", "u", "v"]
    assert lists.ranks.tolist() == [1, 2, 1, 2]


def test_places_follow_the_patterns(read, tmp_path):
    lists, _ = read(tsv("term,paraphrase,rank", "a,x,2", "", "a,y,1"))
    assert [lists.place(i) for i in range(2)] == [f"{tmp_path / 'lists.tsv'}:{n}" for n in (4, 2)]


def test_synonyms_of_columns_are_read_in_any_case(read):
    lists, _ = read(tsv("Source Term,Pattern,METHOD", "kill,slay,pd"))
    assert lists.keys == (ListKey("kill", "pd"),)


@pytest.mark.parametrize("mark", [".", "_", ":"])
def test_judges_are_seen_by_the_end_of_a_columns_name(read, mark):
    lists, _ = read(tsv(f"term,paraphrase,ann_b{mark}strict,ann_b{mark}Lenient", "a,x,0,1"))
    assert lists.judgments.judges == ("ann_b",)
    assert lists.judgments.labels[STRICT].tolist() == [[0]]
    assert lists.judgments.labels[LENIENT].tolist() == [[1]]


@pytest.mark.parametrize(
    ("yes", "no"), [("1", "0"), ("yes", "no"), ("TRUE", "False"), ("y", "N"), ("T", "f")]
)
def test_labels_are_read_in_any_way(read, yes, no):
    lists, _ = read(tsv("term,paraphrase,a.strict", f"k,x,{yes}", f"k,y,{no}", "k,z,"))
    assert lists.judgments.labels[STRICT].tolist() == [[1], [0], [-1]]
    assert np.array_equal(lists.judgments.shares(STRICT), [1, 0, np.nan], equal_nan=True)


def test_strictness_that_nobody_used_is_not_there(read):
    lists, _ = read(tsv("term,paraphrase,a.strict,a.lenient,b.strict", "k,x,1,,0"))
    assert set(lists.judgments.labels) == {STRICT}
    assert lists.judgments.judges == ("a", "b")


def test_empty_columns_of_judges_are_no_judgments(read):
    lists, _ = read(tsv("term,paraphrase,a.strict", "k,x,"))
    assert lists.judgments is None


def test_numbers_of_other_columns_are_kept(read):
    lists, findings = read(tsv("term,paraphrase,rank,n_contexts", "k,x,2,7", "k,y,1,"))
    assert np.array_equal(lists.columns["n_contexts"], [np.nan, 7], equal_nan=True)
    assert findings == []


@pytest.mark.parametrize("cell", ["good", "nan", "inf"])
def test_column_of_texts_is_left_out_with_a_finding(read, tmp_path, cell):
    lists, (finding,) = read(tsv("term,paraphrase,note", "k,x,7", f"k,y,{cell}", "k,z,worse"))
    assert lists.columns == {}
    assert (finding.code, finding.place) == ("column-left-out", f"{tmp_path / 'lists.tsv'}:3")
    assert "'note'" in finding.message
    assert repr(cell) in finding.message


def test_sentences_are_kept(read):
    lists, _ = read(tsv("term,paraphrase,sentence", "k,x,They k.", "k,y,"))
    assert lists.sentences == ["They k.", None]


def test_columns_of_sentences_that_are_empty_are_none(read):
    assert read(tsv("term,paraphrase,sentence", "k,x,"))[0].sentences is None


def test_gaps_of_ranks_are_a_finding_and_the_order_counts(read, tmp_path):
    lists, (finding,) = read(
        tsv("term,paraphrase,rank", "k,x,1", "k,z,4", "k,y,2", "m,u,1", "m,v,2")
    )
    assert paraphrases_of(lists, "k") == ["x", "y", "z"]
    assert (finding.code, finding.place) == ("rank-gaps", f"{tmp_path / 'lists.tsv'}:3")
    assert "1 of 2 lists" in finding.message
    assert finding.details["n_lists"] == 1


def test_list_that_begins_behind_rank_one_has_a_gap(read):
    _, (finding,) = read(tsv("term,paraphrase,rank", "k,x,2", "k,y,3"))
    assert finding.code == "rank-gaps"


def test_ties_of_ranks_are_broken_by_the_file_with_a_finding(read, tmp_path):
    lists, (finding,) = read(tsv("term,paraphrase,rank", "k,b,1", "k,z,2", "k,a,2", "k,c,3"))
    assert paraphrases_of(lists, "k") == ["b", "z", "a", "c"]
    assert (finding.code, finding.place) == ("tied-ranks", f"{tmp_path / 'lists.tsv'}:4")


def test_ties_of_confidences_are_broken_by_the_file_with_a_finding(read):
    lists, (finding,) = read(
        tsv("term,paraphrase,confidence", "k,b,0.5", "k,a,0.5", "m,a,0", "m,b,-0.5")
    )
    assert paraphrases_of(lists, "k") == ["b", "a"]
    assert finding.code == "tied-confidences"
    assert "1 of 2 lists" in finding.message


def test_judge_who_contradicts_is_a_finding_with_both_places(read, tmp_path):
    lists, (finding,) = read(
        tsv("term,method,paraphrase,a.strict,b.strict", "k,m,x y,1,0", "k,n,X  y,0,0")
    )
    assert lists.judgments.labels[STRICT].tolist() == [[1, 0], [0, 0]]
    assert finding.code == "judge-contradicts"
    assert "'a'" in finding.message
    path = tmp_path / "lists.tsv"
    assert finding.details["places"] == [[f"{path}:2", f"{path}:3"]]
    assert f"yes at {path}:2, no at {path}:3" in finding.message


def test_strict_yes_with_lenient_no_is_a_finding_and_taken_as_it_is(read):
    lists, (finding,) = read(tsv("term,paraphrase,a.strict,a.lenient", "k,x,1,0", "k,y,0,1"))
    assert lists.judgments.labels[STRICT].tolist() == [[1], [0]]
    assert finding.code == "strict-not-lenient"
    assert finding.details["n_labels"] == 1


def test_several_files_are_read_as_one(tmp_path):
    first, second = tmp_path / "one.tsv", tmp_path / "two.csv"
    first.write_text(tsv("term,method,paraphrase,a.strict", "k,m,x,1"))
    second.write_text("method,term,paraphrase,b.strict,n\nn,k,y,0,3\n")
    lists = read_lists([first, second])
    assert lists.keys == (ListKey("k", "m"), ListKey("k", "n"))
    assert lists.judgments.labels[STRICT].tolist() == [[1, -1], [-1, 0]]
    assert np.array_equal(lists.columns["n"], [np.nan, 3], equal_nan=True)
    assert lists.places[1] == f"{second}:2"


def test_list_in_several_files_is_a_finding(tmp_path):
    paths = [tmp_path / "one.tsv", tmp_path / "two.tsv"]
    for path in paths:
        path.write_text(tsv("term,paraphrase", f"k,{path.stem}"))
    findings = []
    lists = read_lists(paths, on_finding=findings.append)
    assert list(lists.paraphrases) == ["one", "two"]
    assert [finding.code for finding in findings] == ["list-in-several-files"]


def test_jsonl_holds_labels_by_judge(read):
    records = [
        {"term": "k", "paraphrase": "x", "rank": 2, "labels": {"a": {"strict": True}}},
        {"term": "k", "paraphrase": "y", "rank": 1, "labels": {"b": {"strict": 0}}, "n": 4},
        {"term": "k", "paraphrase": 3, "rank": 3, "a.strict": "no", "n": None},
    ]
    lists, _ = read("".join(json.dumps(each) + "\n" for each in records), "lists.jsonl")
    assert list(lists.paraphrases) == ["y", "x", "3"]
    assert lists.judgments.judges == ("a", "b")
    assert lists.judgments.labels[STRICT].tolist() == [[-1, 0], [1, -1], [0, -1]]
    assert np.array_equal(lists.columns["n"], [4, np.nan, np.nan], equal_nan=True)


@pytest.mark.parametrize("size", [1, 2, 100])
def test_chunks_of_any_size_give_the_same(read, size):
    text = tsv(
        "term,paraphrase,rank,a.strict,n",
        "k,x,3,1,1",
        "m,u,1,0,",
        "k,y,1,,2",
        "k,z,2,1,",
        "m,v,2,,",
    )
    lists, _ = read(text, size=size)
    assert list(lists.paraphrases) == ["y", "z", "x", "u", "v"]
    assert lists.judgments.labels[STRICT].ravel().tolist() == [-1, 1, 1, 0, -1]
    expected = [2, np.nan, 1, np.nan, np.nan]
    assert np.array_equal(lists.columns["n"], expected, equal_nan=True)


def test_column_of_jsonl_that_comes_late_is_filled_up(read):
    text = '{"term": "k", "paraphrase": "x"}\n{"term": "k", "paraphrase": "y", "n": 1, "sentence": "k!"}\n'
    lists, _ = read(text, "lists.jsonl", size=1)
    assert np.array_equal(lists.columns["n"], [np.nan, 1], equal_nan=True)
    assert lists.sentences == [None, "k!"]


@pytest.mark.parametrize(
    "text",
    [
        "term\tparaphrase\nk\tx, y\n",
        'term,paraphrase\nk,"x, y"\n',
        '{"term": "k", "paraphrase": "x, y"}\n',
    ],
)
def test_format_is_seen_by_the_first_line_where_no_name_tells_it(read, monkeypatch, text):
    assert list(read(text, "lists.txt")[0].paraphrases) == ["x, y"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    lists = read_lists("-")
    assert list(lists.paraphrases) == ["x, y"]
    assert lists.places[0].startswith("<standard input>:")


def test_gzip_is_unpacked(tmp_path):
    path = tmp_path / "lists.tsv.gz"
    path.write_bytes(gzip.compress(tsv("term,paraphrase", "k,x").encode()))
    assert list(read_lists(path).paraphrases) == ["x"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_byte_order_mark_tells_the_encoding(tmp_path, encoding):
    path = tmp_path / "lists"
    path.write_bytes(tsv("term,paraphrase", "k,señalar").encode(encoding))
    assert list(read_lists(path).paraphrases) == ["señalar"]


def test_encoding_can_be_named(tmp_path):
    path = tmp_path / "lists.tsv"
    path.write_bytes(tsv("term,paraphrase", "k,señalar").encode("latin-1"))
    assert list(read_lists(path, encoding="latin-1").paraphrases) == ["señalar"]


def test_wrong_encoding_is_refused_with_the_line(tmp_path):
    path = tmp_path / "lists.tsv"
    path.write_bytes(tsv("term,paraphrase", "k,señalar").encode("latin-1"))
    with pytest.raises(DataError, match="not utf-8") as caught:
        read_lists(path)
    assert caught.value.place == f"{path}:2"
    assert "--read encoding=" in caught.value.hint


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
@pytest.mark.parametrize("name", ["lists.tsv", "lists.jsonl", "lists"])
def test_empty_file_is_refused(read, text, name):
    assert "the file is empty" in str(error_of(read, text, name))


def test_file_without_rows_is_refused(read):
    error = error_of(read, tsv("term,paraphrase"))
    assert "holds no patterns" in error.message
    assert error.place.endswith("lists.tsv")


def test_no_files_are_refused():
    with pytest.raises(DataError, check=coded("no-file-lists-read")):
        read_lists([])


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(DataError, check=coded("no-file")):
        read_lists(tmp_path / "none.tsv")


def test_missing_column_is_refused_with_the_nearest(read):
    error = error_of(read, tsv("trem,paraphrase", "k,x"))
    assert error.message == "no column is called 'term'"
    assert error.place.endswith("lists.tsv:1")
    assert error.hint == "did you mean 'trem'?"


def test_missing_column_is_refused_with_the_others(read):
    error = error_of(read, tsv("term,method,score", "k,x,1"))
    assert error.message == "no column is called 'paraphrase'"
    assert error.hint == "the others are: score"


@pytest.mark.parametrize("header", ["term,source,paraphrase", "term,paraphrase,a.strict,a_strict"])
def test_two_columns_for_one_thing_are_refused(read, header):
    cells = ",".join("1" for _ in header.split(","))
    assert "are the same thing" in error_of(read, tsv(header, cells)).message


def test_two_columns_of_one_name_are_refused(read):
    error = error_of(read, tsv("term,paraphrase,n,n", "k,x,1,2"))
    assert "two columns are called 'n'" in error.message


def test_csv_called_tsv_is_refused_with_a_hint(read):
    assert ".csv" in error_of(read, "term,paraphrase\nk,x\n").hint


@pytest.mark.parametrize(("row", "column"), [("k, ", "paraphrase"), (",x", "term")])
def test_empty_term_or_paraphrase_is_refused(read, row, column):
    error = error_of(read, tsv("term,paraphrase", "k,x", row))
    assert error.message == f"this row has no {column!r}"
    assert error.place.endswith("lists.tsv:3")


def test_line_of_jsonl_without_a_paraphrase_is_refused(read):
    text = '{"term": "k", "paraphrase": "x"}\n{"term": "k"}\n'
    error = error_of(read, text, "lists.jsonl")
    assert error.message == "this row has no 'paraphrase'"
    assert error.place.endswith("lists.jsonl:2")


@pytest.mark.parametrize("label", ["maybe", "2", "-1"])
def test_label_that_is_none_is_refused(read, label):
    error = error_of(
        read, tsv("term,paraphrase,ann.strict", "k,x,1", f"k,y,{label}"), kind=LabelError
    )
    assert error.message == f"this is no label of the judge 'ann': {label!r}"
    assert error.place.endswith("lists.tsv:3")
    assert "yes or no" in error.hint


@pytest.mark.parametrize("labels", ["[]", '{"a": 1}', '{"a": {"strict": [1]}}'])
def test_labels_of_jsonl_that_are_none_are_refused(read, labels):
    text = '{"term": "k", "paraphrase": "x", "labels": ' + labels + "}\n"
    assert error_of(read, text, "lists.jsonl").place.endswith("lists.jsonl:1")


@pytest.mark.parametrize("rank", ["0", "-1", "1.5", "first", "nan", "1e400"])
def test_rank_that_is_no_positive_integer_is_refused(read, rank):
    error = error_of(read, tsv("term,paraphrase,rank", "k,x,1", f"k,y,{rank}"))
    assert error.message == f"the rank is no positive integer: {rank!r}"
    assert error.place.endswith("lists.tsv:3")
    assert "confidence" in error.hint


@pytest.mark.parametrize("confidence", ["sure", "inf", "nan"])
def test_confidence_that_is_no_finite_number_is_refused(read, confidence):
    error = error_of(read, tsv("term,paraphrase,confidence", "k,x,1", f"k,y,{confidence}"))
    assert error.message == f"the confidence is no finite number: {confidence!r}"
    assert error.place.endswith("lists.tsv:3")


@pytest.mark.parametrize("column", ["rank", "confidence"])
def test_list_with_ranks_or_confidences_in_some_rows_is_refused(read, column):
    error = error_of(read, tsv(f"term,paraphrase,{column}", "k,x,1", "m,u,1", "k,y,"))
    assert f"no {column}" in error.message
    assert error.place.endswith("lists.tsv:4")


def test_truth_is_no_number(read):
    text = '{"term": "k", "paraphrase": "x", "confidence": true}\n'
    assert "no finite number: True" in error_of(read, text, "lists.jsonl").message


@pytest.mark.parametrize("cells", ["k", "k,x,1,2"])
def test_row_with_too_few_or_too_many_fields_is_refused(read, cells):
    error = error_of(read, tsv("term,paraphrase,rank", "k,x,1", cells))
    assert error.message == f"{len(cells.split(','))} fields in this row, 3 in the header"
    assert error.place.endswith("lists.tsv:3")


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_line_that_is_no_object_is_refused(read, text):
    error = error_of(read, '{"term": "k", "paraphrase": "x"}\n' + text, "lists.jsonl")
    assert error.place.endswith("lists.jsonl:2")


def test_half_a_character_is_refused(read):
    text = r'{"term": "k", "paraphrase": "\ud800"}'
    assert "half of a character" in error_of(read, text, "lists.jsonl").message


def test_value_that_is_no_text_is_refused(read):
    text = '{"term": "k", "paraphrase": ["x"]}'
    assert "'paraphrase' is no text: ['x']" in error_of(read, text, "lists.jsonl").message


def test_label_that_a_line_gives_twice_is_refused(read):
    text = '{"term": "k", "paraphrase": "x", "a.strict": 1, "labels": {"a": {"strict": 1}}}'
    assert "'a.strict' is there twice" in error_of(read, text, "lists.jsonl").message


def test_empty_lines_of_jsonl_are_passed_over(read):
    lists, _ = read('\n{"term": "k", "paraphrase": "x"}\n\n', "lists.jsonl")
    assert lists.places[0].endswith("lists.jsonl:2")


def test_column_left_out_is_told_once_for_all_chunks(read):
    _, findings = read(tsv("term,paraphrase,note", "k,x,good", "k,y,bad"), size=1)
    assert [finding.code for finding in findings] == ["column-left-out"]


def test_column_without_a_name_is_left_out_with_a_finding(read):
    lists, (finding,) = read(tsv(",term,paraphrase", "0,k,x"))
    assert lists.columns == {}
    assert "it has no name" in finding.message


def test_places_can_be_cut(read):
    lists, _ = read(tsv("term,paraphrase", "k,x", "k,y", "k,z"))
    assert [place[-2:] for place in lists.places[1:]] == [":3", ":4"]
    assert len(lists.places) == 3


def test_text_of_one_column_is_refused(read):
    assert "neither TSV nor CSV" in error_of(read, "killed\nslain\n", "lists.txt").message


def test_examples_are_read_with_nothing_but_a_contradiction(root):
    findings = []
    lists = read_lists(root / "examples" / "paraphrase" / "lists.tsv", on_finding=findings.append)
    assert (len(lists.terms), len(lists.methods), lists.n_patterns) == (4, 3, 72)
    assert [finding.code for finding in findings] == ["judge-contradicts"]
    assert set(lists.judgments.labels) == {STRICT, LENIENT}
    assert not np.isnan(lists.judgments.shares(STRICT)).any()
