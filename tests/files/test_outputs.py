"""What is seen of outputs before there is any work for them."""

from __future__ import annotations

import pytest
from tests.errors import coded

from ensue.errors import OutputError
from ensue.files.outputs import check_outputs, check_outside, open_output


def test_output_that_is_in_a_folder_or_glob_of_inputs_is_refused(tmp_path):
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "a.csv"
    path.write_text("x")
    for source in (tmp_path / "data", f"{tmp_path}/data/*.csv", path, f"file://{path}"):
        with pytest.raises(OutputError, match=r"'.*a.csv' is read by the same command"):
            check_outputs([path], [source])
        check_outputs([tmp_path / "data" / "b.csv"], [source])


def test_output_may_be_a_folder_where_it_is_said(tmp_path):
    with pytest.raises(OutputError, check=coded("cannot-write-directory")):
        check_outputs([tmp_path])
    check_outputs([tmp_path], may_be_folders=True)


def test_output_in_the_folder_that_is_read_is_refused_where_that_is_asked(tmp_path):
    with pytest.raises(OutputError, check=coded("folder-files-read")):
        check_outside(tmp_path / "run.jsonl", tmp_path)
    with pytest.raises(OutputError, check=coded("folder-files-read")):
        check_outside(tmp_path / "deep" / "run.jsonl", f"file://{tmp_path}")
    for output, source in [
        (tmp_path / "run.jsonl", tmp_path / "data"),
        (tmp_path / "run.jsonl", tmp_path / "x.csv"),
        ("-", tmp_path),
        ("s3://bucket/run", tmp_path),
        (tmp_path / "run.jsonl", "s3://bucket/"),
    ]:
        check_outside(output, source)


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"], ids=["too long", "NUL"])
def test_name_that_no_file_can_have_is_refused(name, tmp_path):
    with pytest.raises(OutputError, check=coded("cannot-write")), open_output(tmp_path / name):
        pass
    assert list(tmp_path.iterdir()) == []
