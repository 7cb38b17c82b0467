import csv
import io
import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from ensue.features import NAMES
from ensue.features.rows import FileFormat
from ensue.features.writing import (
    Direction,
    FeaturePair,
    columns,
    write_features,
)

PAIRS = [
    FeaturePair("1", "entailment", "QA", "A dog barks at night.", "A dog barks."),
    FeaturePair("2", None, None, "Anna left, “early”.", "Anna stayed."),
    FeaturePair("3", "not-entailment", None, "…", "Anna stayed."),
]
BOTH = tuple(Direction)


class Counting:
    """Gives the lengths of both sides as the first two features, and notes the batches."""

    def __init__(self):
        self.sizes = []

    def features(self, pairs):
        self.sizes.append(len(pairs))
        rows = [
            [len(text) / 64, len(hypothesis) / 64] + [0.0] * (len(NAMES) - 2)
            for text, hypothesis in pairs
        ]
        return np.array(rows).reshape(len(pairs), len(NAMES))


def written(pairs, format, **options):
    file = io.BytesIO()
    n_pairs = write_features(file, pairs, Counting(), format=format, **options)
    return n_pairs, file.getvalue()


def test_columns_are_what_stands_beside_and_the_features():
    assert columns([Direction.FORWARD]) == ["id", "gold", "task", *NAMES]
    assert columns(BOTH) == ["id", "gold", "task", "direction", *NAMES]


def test_csv_has_a_row_a_pair():
    n_pairs, content = written(PAIRS, FileFormat.CSV)
    heading, *rows = csv.reader(io.StringIO(content.decode()))
    assert n_pairs == 3
    assert heading == columns([Direction.FORWARD])
    assert rows[0][:5] == ["1", "entailment", "QA", str(21 / 64), str(12 / 64)]
    assert rows[0][5:] == ["0"] * 72


def test_csv_leaves_cells_empty_where_nothing_is_measured():
    _, content = written(PAIRS, FileFormat.CSV)
    rows = list(csv.reader(io.StringIO(content.decode())))
    assert rows[2][:3] == ["2", "", ""]
    assert rows[3] == ["3", "not-entailment", "", *[""] * 74]


def test_jsonl_has_null_where_nothing_is_measured():
    _, content = written(PAIRS, FileFormat.JSONL)
    records = [json.loads(line) for line in content.splitlines()]
    assert records[1]["gold"] is None
    assert records[0][NAMES[0]] == 21 / 64
    assert {records[2][name] for name in NAMES} == {None}


def test_parquet_has_numbers_and_nulls():
    _, content = written(PAIRS, FileFormat.PARQUET)
    table = pq.read_table(io.BytesIO(content))
    assert table.column_names == columns([Direction.FORWARD])
    assert table.column("id").to_pylist() == ["1", "2", "3"]
    assert table.column(NAMES[1]).to_pylist() == [12 / 64, 12 / 64, None]


def test_backward_takes_the_hypothesis_for_the_text():
    _, content = written(PAIRS[:1], FileFormat.JSONL, directions=[Direction.BACKWARD])
    record = json.loads(content)
    assert "direction" not in record
    assert (record[NAMES[0]], record[NAMES[1]]) == (12 / 64, 21 / 64)


def test_both_directions_give_two_rows_a_pair():
    n_pairs, content = written(PAIRS[:2], FileFormat.JSONL, directions=BOTH)
    records = [json.loads(line) for line in content.splitlines()]
    assert n_pairs == 2
    assert [(each["id"], each["direction"]) for each in records] == [
        ("1", "forward"),
        ("1", "backward"),
        ("2", "forward"),
        ("2", "backward"),
    ]


@pytest.mark.parametrize("format", FileFormat)
def test_rows_do_not_depend_on_the_batch(format):
    one, many = (written(PAIRS, format, batch_size=size)[1] for size in (1, 100))
    if format is FileFormat.PARQUET:
        one, many = (pq.read_table(io.BytesIO(each)) for each in (one, many))
    assert one == many


def test_batches_are_measured_as_they_come():
    reader, done = Counting(), []
    write_features(
        io.BytesIO(), iter(PAIRS), reader, format=FileFormat.CSV, batch_size=2, progress=done.append
    )
    assert (reader.sizes, done) == ([2, 0], [2, 1])  # the third has a side without words


@pytest.mark.parametrize("format", FileFormat)
def test_no_pairs_give_a_file_without_rows(format):
    n_pairs, content = written([], format)
    assert n_pairs == 0
    if format is FileFormat.PARQUET:
        assert pq.read_table(io.BytesIO(content)).num_rows == 0
    elif format is FileFormat.CSV:
        assert content.decode().count("\n") == 1
    else:
        assert content == b""
