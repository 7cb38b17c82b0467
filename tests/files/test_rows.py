"""One reader and one writer for rows of any format."""

import io

import pytest
from tests.errors import coded

from ensue.errors import DataError, OutputError, SettingError
from ensue.files import (
    Row,
    RowFormat,
    output_format,
    read_chunks,
    read_columns,
    read_rows,
    write_rows,
)

NAMES = ("id", "text", "score")
ROWS = [("1", "a, “b”", 0.5), ("2", "", 2.0), ("3", "c", None)]


@pytest.fixture
def made(tmp_path):
    """Write the rows in a format, and give the file."""

    def make(format, name=None):
        path = tmp_path / (name or f"rows.{format}")
        with path.open("wb") as file:
            write_rows(file, NAMES, ROWS, format=format, numbers={"score"})
        return path

    return make


@pytest.mark.parametrize("format", RowFormat)
def test_rows_come_back_from_every_format(made, format):
    rows = list(read_rows(made(format)))
    found = [(row.text("id"), row.text("text"), row.number("score")) for row in rows]
    assert found == [(id_, text, number) for id_, text, number in ROWS]


@pytest.mark.parametrize("format", RowFormat)
def test_columns_come_back_from_every_format(made, format):
    (chunk,) = read_chunks(made(format))
    assert list(chunk.columns) == list(NAMES)
    assert list(chunk.cells("id")) == ["1", "2", "3"]


@pytest.mark.parametrize("format", RowFormat)
def test_format_is_seen_where_no_name_tells_it(made, format):
    rows = list(read_rows(made(format, "rows")))
    assert [row.text("id") for row in rows] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("format", "lines"),
    [("jsonl", [1, 2, 3]), ("csv", [2, 3, 4]), ("tsv", [2, 3, 4]), ("parquet", [1, 2, 3])],
)
def test_rows_know_their_places(made, format, lines):
    path = made(RowFormat(format))
    assert [row.place for row in read_rows(path)] == [f"{path}:{line}" for line in lines]
    (chunk,) = read_chunks(path)
    assert [chunk.place(i) for i in range(3)] == [f"{path}:{line}" for line in lines]


@pytest.mark.parametrize("format", RowFormat)
def test_columns_are_named_before_the_rows_are_read(made, format):
    expected = [] if format is RowFormat.JSONL else list(NAMES)
    assert read_columns(made(format), format) == expected


def test_lacking_column_is_suggested_a_near_one(made):
    (chunk,) = read_chunks(made(RowFormat.PARQUET))
    with pytest.raises(DataError, match="no column is called 'scores'") as caught:
        chunk.cells("scores")
    assert caught.value.hint == "did you mean 'score'?"


def test_broken_parquet_is_said_to_be(tmp_path):
    (tmp_path / "rows.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(DataError, match=r"rows\.parquet: not Parquet"):
        list(read_rows(tmp_path / "rows.parquet"))


def test_number_of_a_row_is_finite():
    with pytest.raises(DataError, match="a:1: the score is no finite number: 'inf'"):
        Row("a:1", {"score": "inf"}).number("score")


@pytest.mark.parametrize("text", ["a\rb", 'a\r"b"', "a\r\nb"])
def test_csv_quotes_carriage_returns(tmp_path, text):
    with (tmp_path / "rows.csv").open("wb") as file:
        write_rows(file, ["text", "x"], [[text, "y"]], format=RowFormat.CSV)
    (row,) = read_rows(tmp_path / "rows.csv")
    assert row.values["text"] == text


@pytest.mark.parametrize("format", [RowFormat.CSV, RowFormat.TSV, RowFormat.JSONL])
def test_half_a_character_is_not_written(format):
    with pytest.raises(OutputError, check=coded("nul-half-character-row")):
        write_rows(io.BytesIO(), ["text", "x"], [["\ud800", ""]], format=format)


def test_named_format_goes_before_the_name():
    assert output_format("rows.csv", "jsonl", what="rows") is RowFormat.JSONL
    assert output_format("rows.CSV.gz", None, what="rows") is RowFormat.CSV
    assert output_format("-", None, what="rows", standard=RowFormat.JSONL) is RowFormat.JSONL


@pytest.mark.parametrize("name", ["rows.csv.zst", "rows.doc", "rows"])
def test_format_of_an_output_is_not_guessed(name):
    with pytest.raises(SettingError, match="no format of rows is known by the end"):
        output_format(name, None, what="rows")


def test_parquet_is_not_for_standard_output():
    with pytest.raises(SettingError, check=coded("parquet-not-standard-output")):
        output_format("-", "parquet", what="rows")
