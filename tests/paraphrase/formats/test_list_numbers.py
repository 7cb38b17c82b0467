from __future__ import annotations

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError
from ensue.paraphrase.formats.lists import read_list_numbers
from ensue.paraphrase.lists import ListKey


@pytest.fixture
def written(tmp_path):
    def made(content, name="numbers.csv"):
        path = tmp_path / name
        path.write_text(content, "utf-8")
        return path

    return made


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("n.csv", "term,method,one,two\nkilled,A,0.5,\nbroke,B,1,2\n"),
        ("n.tsv", "term\tmethod\tone\ttwo\nkilled\tA\t0.5\t\nbroke\tB\t1\t2\n"),
        (
            "n.jsonl",
            '{"term": "killed", "method": "A", "one": 0.5}\n'
            '{"term": "broke", "method": "B", "one": 1, "two": 2}\n',
        ),
        ("numbers", "term,method,one,two\nkilled,A,0.5,\nbroke,B,1,2\n"),
    ],
)
def test_list_numbers_are_read_from_every_format(written, name, content):
    keys, columns = read_list_numbers(written(content, name))
    assert keys == (ListKey("killed", "A"), ListKey("broke", "B"))
    assert columns["one"].tolist() == [0.5, 1.0]
    assert np.isnan(columns["two"][0])
    assert columns["two"][1] == 2.0


def test_list_numbers_refuse_a_list_that_comes_again(written):
    path = written("term,method,one\nkilled,A,1\nkilled,A,2\n")
    with pytest.raises(DataError, match=r"'killed' by 'A' is at .*numbers\.csv:2 already") as error:
        read_list_numbers(path)
    assert error.value.place == f"{path}:3"


def test_list_numbers_refuse_what_is_no_number(written):
    with pytest.raises(DataError, match="no finite number: 'high'") as error:
        read_list_numbers(written("term,method,one\nkilled,A,1\nbroke,A,high\n"))
    assert (error.value.place or "").endswith("numbers.csv:3")


def test_list_numbers_leave_out_columns_of_texts(written):
    findings = []
    path = written("term,method,quality,one\nkilled,A,strict,1\n")
    _, columns = read_list_numbers(path, on_finding=findings.append)
    assert list(columns) == ["one"]
    assert [each.code for each in findings] == ["column-left-out"]
    assert "quality" in findings[0].message


def test_list_numbers_refuse_a_file_without_numbers(written):
    with pytest.raises(DataError, check=coded("file-no-numbers-lists")) as error:
        read_list_numbers(written("term,method\nkilled,A\n"))
    assert "one for each score or task" in (error.value.hint or "")
