import csv
import io
import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from ensue.features import FEATURES, NAMES
from ensue.features.extraction import (
    FeaturePair,
    PairDirection,
    columns,
    empty_rows,
    feature_bytes,
    feature_rows,
    is_measured,
)
from ensue.files import RowFormat, head_bytes, write_rows

PAIRS = [
    FeaturePair("1", "entailment", "QA", "A dog barks at night.", "A dog barks."),
    FeaturePair("2", None, None, "Anna left, “early”.", "Anna stayed."),
    FeaturePair("3", "not-entailment", None, "…", "Anna stayed."),
]
BOTH = tuple(PairDirection)


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


def written(pairs, format, directions=(PairDirection.FORWARD,)):
    """A file of the rows of pairs, as its head and one part."""
    found = feature_rows(pairs, Counting(), directions)
    rows = [row for of_pair in found for row in of_pair]
    return head_bytes(columns(directions), format) + feature_bytes(rows, directions, format)


def test_columns_are_what_stands_beside_and_the_features():
    assert columns([PairDirection.FORWARD]) == ["id", "gold", "task", *NAMES]
    assert columns(BOTH) == ["id", "gold", "task", "direction", *NAMES]


def test_csv_has_a_row_a_pair():
    content = written(PAIRS, RowFormat.CSV)
    heading, *rows = csv.reader(io.StringIO(content.decode()))
    assert heading == columns([PairDirection.FORWARD])
    assert rows[0][:5] == ["1", "entailment", "QA", str(21 / 64), str(12 / 64)]
    assert rows[0][5:] == ["0"] * 72


def test_csv_leaves_cells_empty_where_nothing_is_measured():
    content = written(PAIRS, RowFormat.CSV)
    rows = list(csv.reader(io.StringIO(content.decode())))
    assert rows[2][:3] == ["2", "", ""]
    assert rows[3] == ["3", "not-entailment", "", *[""] * len(FEATURES)]


def test_jsonl_has_null_where_nothing_is_measured():
    content = written(PAIRS, RowFormat.JSONL)
    records = [json.loads(line) for line in content.splitlines()]
    assert records[1]["gold"] is None
    assert records[0][NAMES[0]] == 21 / 64
    assert {records[2][name] for name in NAMES} == {None}


def test_parquet_has_numbers_and_nulls():
    content = written(PAIRS, RowFormat.PARQUET)
    table = pq.read_table(io.BytesIO(content))
    assert table.column_names == columns([PairDirection.FORWARD])
    assert table.column("id").to_pylist() == ["1", "2", "3"]
    assert table.column(NAMES[1]).to_pylist() == [12 / 64, 12 / 64, None]


def test_backward_takes_the_hypothesis_for_the_text():
    content = written(PAIRS[:1], RowFormat.JSONL, directions=[PairDirection.BACKWARD])
    record = json.loads(content)
    assert "direction" not in record
    assert (record[NAMES[0]], record[NAMES[1]]) == (12 / 64, 21 / 64)


def test_both_directions_give_two_rows_a_pair():
    content = written(PAIRS[:2], RowFormat.JSONL, directions=BOTH)
    records = [json.loads(line) for line in content.splitlines()]
    assert [(each["id"], each["direction"]) for each in records] == [
        ("1", "forward"),
        ("1", "backward"),
        ("2", "forward"),
        ("2", "backward"),
    ]


@pytest.mark.parametrize("format", [RowFormat.CSV, RowFormat.JSONL])
def test_parts_behind_the_head_are_the_file_that_is_written_at_once(format):
    rows = [row for pair in PAIRS for row in feature_rows([pair], Counting(), BOTH)[0]]
    file = io.BytesIO()
    write_rows(file, columns(BOTH), rows, format=format, numbers=set(NAMES))
    parts = b"".join(feature_bytes(rows[i : i + 1], BOTH, format) for i in range(len(rows)))
    assert head_bytes(columns(BOTH), format) + parts == file.getvalue()


def test_sides_without_words_are_not_measured():
    reader = Counting()
    feature_rows(PAIRS, reader, [PairDirection.FORWARD])
    assert reader.sizes == [2]


def test_empty_rows_are_not_measured():
    (forward, backward) = empty_rows(PAIRS[0], BOTH)
    assert forward[:4] == ["1", "entailment", "QA", "forward"]
    assert not is_measured(forward)
    assert not is_measured(backward)
    assert is_measured(feature_rows(PAIRS[:1], Counting(), BOTH)[0][1])


@pytest.mark.parametrize("format", RowFormat)
def test_no_pairs_give_a_file_without_rows(format):
    content = written([], format)
    if format is RowFormat.PARQUET:
        assert pq.read_table(io.BytesIO(content)).num_rows == 0
    elif format in (RowFormat.CSV, RowFormat.TSV):
        assert content.decode().count("\n") == 1
    else:
        assert content == b""
