import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from ensue.files import RowFormat, head_bytes
from ensue.translation.features import (
    FeatureSet,
    Meter,
    batches,
    feature_names,
    measure,
    tables as writing,
)
from ensue.translation.features.families import SURFACE_NAMES
from ensue.translation.systems import Segment

SEGMENTS = [
    Segment("cs-en", "1", ("a red house",), {"A": "a red house", "B": ""}),
    Segment("cs-en", "2", ("the dog barks",), {"A": "a dog, barks", 'B "two"': "dog"}),
]
NAMES = feature_names(FeatureSet.TRADMT)
HEADER = ["language_pair", "segment", "system", *NAMES]


@pytest.fixture
def meter():
    return Meter(FeatureSet.TRADMT).informed([each.references for each in SEGMENTS])


@pytest.fixture
def written(meter):
    """The bytes of the segments' features, written as the job does, some segments at a time."""

    def write(format, segments=SEGMENTS, size=2):
        parts = [segments[i : i + size] for i in range(0, len(segments), size)] or [[]]
        rows = [writing.output_rows(meter.table(part)) if part else [] for part in parts]
        written = [writing.output_bytes(each, FeatureSet.TRADMT, format) for each in rows]
        return b"".join([head_bytes(HEADER, format), *written])

    return write


@pytest.fixture
def expected(meter):
    """The rows, None for what is not there."""
    table = meter.table(SEGMENTS)
    return [
        [*key, *(row if key.segment == "2" or key.system == "A" else [None] * len(SURFACE_NAMES))]
        for key, row in zip(table.outputs, table.values.tolist(), strict=True)
    ]


def test_features_are_written_as_csv(written, expected):
    header, *rows = csv.reader(io.StringIO(written(RowFormat.CSV).decode()))
    assert header == HEADER
    found = [[*row[:3], *(float(cell) if cell else None for cell in row[3:])] for row in rows]
    assert found == expected


def test_features_are_written_as_jsonl(written, expected):
    records = [json.loads(line) for line in written(RowFormat.JSONL).splitlines()]
    assert [list(record) for record in records] == [HEADER] * 4
    assert [list(record.values()) for record in records] == expected


def test_features_are_written_as_parquet(written, expected):
    table = pq.read_table(io.BytesIO(written(RowFormat.PARQUET)))
    assert table.column_names == HEADER
    assert [list(record.values()) for record in table.to_pylist()] == expected
    assert {str(table.schema.field(name).type) for name in NAMES} == {"double"}


@pytest.mark.parametrize("format", [RowFormat.CSV, RowFormat.JSONL, RowFormat.PARQUET])
def test_file_of_nothing_has_columns_and_no_rows(written, format):
    content = written(format, [])
    if format is RowFormat.PARQUET:
        assert pq.read_table(io.BytesIO(content)).column_names == HEADER
    else:
        assert content.decode() == ("" if format is RowFormat.JSONL else ",".join(HEADER) + "\n")


@pytest.mark.parametrize("format", [RowFormat.CSV, RowFormat.JSONL])
def test_file_is_the_same_however_it_is_cut(written, format):
    assert written(format, size=1) == written(format)


def test_progress_is_told_of_every_output(meter, monkeypatch):
    monkeypatch.setattr(writing, "batches", lambda segments: batches(segments, 1))
    told = []
    measure(meter, SEGMENTS, progress=told.append)
    assert told == [2, 2]


def test_summary_says_what_the_features_were_like():
    segments = [
        Segment("de-en", "1", ("a b c d",), {"same": "a b c d", "half": "a b", "silent": ""}),
    ]
    meter = Meter(FeatureSet.TRADMT).informed([segment.references for segment in segments])
    seen = writing.SeenFeatures(len(NAMES))
    seen.add(meter.table(segments))
    found = seen.summary(NAMES)
    assert (found.n_outputs, found.n_worded) == (3, 2)
    column = found.names.index("bleu.precision.1")
    assert found.means[column] == (1 + 1) / 2
    column = found.names.index("ter.uniform")
    # TER of "a b" against "a b c d" is two insertions of four words
    assert found.means[column] == pytest.approx((0 + 2 / 4) / 2)
    assert found.deviations[column] == pytest.approx(0.25)
    assert (found.least[column], found.most[column]) == (0.0, 0.5)


def test_sums_of_parts_are_merged(meter):
    whole, merged = (writing.SeenFeatures(len(NAMES)) for _ in range(2))
    silent = Segment("cs-en", "3", ("a red house",), {"A": "", "B": "…"})
    for segment in (*SEGMENTS, silent):
        part = writing.SeenFeatures(len(NAMES))
        part.add(meter.table([segment]))
        merged.extend(json.loads(json.dumps(part.state())))
    whole.add(meter.table([*SEGMENTS, silent]))
    one, other = whole.summary(NAMES), merged.summary(NAMES)
    assert (one.n_outputs, one.n_worded) == (other.n_outputs, other.n_worded) == (6, 3)
    for name in ("means", "deviations", "least", "most"):
        found = getattr(other, name).tolist()
        assert getattr(one, name).tolist() == pytest.approx(found, rel=1e-9, abs=1e-12)
