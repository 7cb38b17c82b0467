"""Segments as rows of JSONL, CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest

from ensue.errors import DataError
from ensue.files import RowFormat, write_rows
from ensue.translation.formats.sets import open_set
from ensue.translation.systems import AssessmentKind

CSV = """segment,system,language_pair,output,reference,reference2,score,judge
1,ours,de-en,a,"b, c",d,0.5,x
2,ours,de-en,e,f,,,
1,theirs,de-en,g,"b, c",d,-1,x
"""


def jsonl(*records) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def row(segment="1", system="ours", output="a", **more):
    return {"segment": segment, "system": system, "output": output, "reference": "r", **more}


@pytest.mark.parametrize("packed", [False, True])
def test_rows_of_csv_are_gathered_by_segment(written, packed):
    name, content = ("s.csv.gz", gzip.compress(CSV.encode())) if packed else ("s.csv", CSV)
    opened = open_set([written(name, content)])
    first, second = opened.segments()
    assert (first.references, dict(first.outputs)) == (("b, c", "d"), {"ours": "a", "theirs": "g"})
    assert (second.references, dict(second.outputs)) == (("f",), {"ours": "e"})
    assert [(each.system, each.score) for each in opened.judgments.assessments] == [
        ("ours", 0.5),
        ("theirs", -1),
    ]


def test_rows_of_parquet_are_those_of_csv(written, tmp_path):
    content = io.BytesIO()
    names, *rows = csv.reader(io.StringIO(CSV))
    write_rows(content, names, rows, format=RowFormat.PARQUET)
    path = tmp_path / "s.parquet"
    path.write_bytes(content.getvalue())
    as_csv = open_set([written("s.csv", CSV)])
    opened = open_set([str(path)])
    assert list(opened.segments()) == list(as_csv.segments())
    assert [each.score for each in opened.judgments.assessments] == [0.5, -1]


def test_rows_of_tsv_are_not_quoted(written):
    opened = open_set([written("s.tsv", 'segment\tsystem\toutput\treference\n1\to\t"a\tb\n')])
    assert dict(next(opened.segments()).outputs) == {"o": '"a'}


def test_line_of_jsonl_may_be_a_segment(written):
    record = {"segment": 7, "references": ["a", "b"], "outputs": {"x": "c", "y": ""}}
    segment = next(open_set([written("s.jsonl", jsonl(record))]).segments())
    assert (segment.id, segment.references) == ("7", ("a", "b"))
    assert dict(segment.outputs) == {"x": "c", "y": ""}


def test_adequacy_and_fluency_are_told_apart(written):
    opened = open_set([written("s.jsonl", jsonl(row(adequacy=4, fluency=2)))])
    assert [(each.kind, each.score) for each in opened.judgments.assessments] == [
        (AssessmentKind.ADEQUACY, 4),
        (AssessmentKind.FLUENCY, 2),
    ]


def test_several_judges_repeat_the_output(written):
    rows = jsonl(row(score=1, judge="x"), row(score=2, judge="y"))
    opened = open_set([written("s.jsonl", rows)])
    assert [each.judge for each in opened.judgments.assessments] == ["x", "y"]
    assert len(list(opened.segments())) == 1


def test_unknown_columns_are_reported(written, findings):
    path = written("s.jsonl", jsonl(row(colour="red", meta={"a": 1})))
    open_set([path], on_finding=findings.append)
    assert [each.message for each in findings] == [
        "columns that mean nothing here are left out: colour"
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row(), row(output="b")], "s.jsonl:2: system 'ours' has a second output here"),
        ([row(), row()], "s.jsonl:2: system 'ours' has a second output here"),
        ([row(), row(system="x", reference="q")], "s.jsonl:2: segment '1' has other references"),
        ([{"segment": 1, "system": "x", "output": "a"}], "s.jsonl:1: segment '1' has no reference"),
        ([{"system": "x", "output": "a"}], "s.jsonl:1: this row has no 'segment'"),
        ([{"segment": 1, "output": "a", "reference": "r"}], "s.jsonl:1: this row has no 'system'"),
        ([{"segment": 1, "system": "x", "reference": "r"}], "s.jsonl:1: this row has no 'output'"),
        ([row(score="good")], "s.jsonl:1: the score is no finite number: 'good'"),
        ([{"segment": 1, "reference": "r", "outputs": ["a"]}], "'outputs' is no object of texts"),
        ([{"segment": 1, "references": "r", "outputs": {}}], "'references' is no list of texts"),
        ([], "s.jsonl: the file is empty"),
    ],
)
def test_rows_that_do_not_go_are_refused(written, rows, message):
    with pytest.raises(DataError, match=message):
        open_set([written("s.jsonl", jsonl(*rows))])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{\n", "s.jsonl:1: not JSON"),
        ("[1]\n", "s.jsonl:1: not an object"),
    ],
)
def test_lines_that_are_no_objects_are_refused(written, content, message):
    with pytest.raises(DataError, match=message):
        open_set([written("s.jsonl", content)])


def test_row_with_a_field_too_few_is_refused(written):
    with pytest.raises(DataError, match=r"s\.csv:2: 2 fields in this row, 4 in the header"):
        open_set([written("s.csv", "segment,system,output,reference\n1,a\n")])
