"""Features of any source: the same bytes however they are measured, and nothing lost."""

import csv
import gzip
import io
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.errors import coded

from ensue.engine import RunOptions
from ensue.errors import EngineError, RunError
from ensue.features import NAMES, jobs as job_module
from ensue.features.extraction import PairDirection
from ensue.features.jobs import measure_source
from ensue.files import RowFormat


class Lengths:
    """Gives the lengths of both sides as the first two features; some texts make it fail."""

    def __init__(self, poison=None, batches=1000):
        self.poison = poison
        self.batches = batches

    def features(self, pairs):
        self.batches -= 1
        if self.batches < 0:
            raise KeyboardInterrupt
        if any(self.poison in pair for pair in pairs):
            raise ZeroDivisionError("poison")
        rows = [[len(a), len(b) / 8] + [0.0] * (len(NAMES) - 2) for a, b in pairs]
        return np.array(rows).reshape(len(pairs), len(NAMES))


@pytest.fixture
def reader(monkeypatch):
    """Measure with lengths, in this process."""
    found = Lengths()
    monkeypatch.setattr(job_module, "open_reader", lambda: found)
    return found


@pytest.fixture
def measure(source, tmp_path):
    def run(name, *, shard_size=None, resume=False, restart=False, **others):
        target = tmp_path / name
        options = RunOptions(shard_size=shard_size, resume=resume, restart=restart)
        kind = RowFormat(name.removesuffix(".gz").rpartition(".")[2] if "." in name else "parquet")
        output = str(target) if "." in name else f"{target}/"
        return measure_source(str(source), output, format=kind, options=options, **others), target

    return run


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.csv.gz"])
def test_features_do_not_depend_on_shards(reader, measure, name):
    found = {measure(f"{size}{name}", shard_size=size)[1].read_bytes() for size in (90, 300, 1000)}
    assert len(found) == 1


def test_features_are_in_the_order_of_the_pairs(reader, measure):
    account, target = measure("a.csv", shard_size=64)
    heading, *rows = csv.reader(io.StringIO(target.read_text()))
    assert heading[:4] == ["id", "gold", "task", NAMES[0]]
    assert [row[0] for row in rows] == [f"p{i}" for i in range(500)]
    assert (account.n_items, account.n_rows) == (500, 500)
    assert account.counts == {"status": {"measured": 500}}


def test_parquet_of_one_file_is_the_rows_of_all_shards(reader, measure):
    _, whole = measure("a.parquet", shard_size=100)
    _, folder = measure("folder", shard_size=100)
    parts = sorted(folder.glob("part-*.parquet"))
    assert len(parts) == 5
    rows = [row for part in parts for row in pq.read_table(part).to_pylist()]
    assert pq.read_table(whole).to_pylist() == rows


def test_manifest_says_what_the_rows_are(reader, measure):
    _, folder = measure("folder", shard_size=200, directions=list(PairDirection))
    manifest = json.loads((folder / "_manifest.json").read_text())
    assert manifest["kind"] == "features"
    assert manifest["directions"] == ["forward", "backward"]
    assert manifest["rows"] == 1000
    assert [shard["rows"] for shard in manifest["shards"]] == [400, 400, 200]
    assert manifest["counts"] == {"status": {"measured": 500}}


def test_interrupted_features_are_resumed_with_the_same_bytes(reader, measure, tmp_path):
    _, whole = measure("whole.csv", shard_size=50)
    reader.batches = 4
    with pytest.raises(KeyboardInterrupt):
        measure("a.csv", shard_size=50)
    assert not (tmp_path / "a.csv").exists()
    reader.batches = 1000
    account, target = measure("a.csv", resume=True)
    assert account.n_resumed == 200  # four shards of a batch each
    assert target.read_bytes() == whole.read_bytes()
    assert not (tmp_path / "a.csv.partial").exists()


def test_resumed_features_have_to_be_of_the_same_directions(reader, measure):
    reader.batches = 1
    with pytest.raises(KeyboardInterrupt):
        measure("a.csv", shard_size=50)
    with pytest.raises(RunError, match="begun with directions"):
        measure("a.csv", resume=True, directions=[PairDirection.BACKWARD])


def test_pair_that_fails_has_empty_cells_and_is_told(reader, measure):
    reader.poison = "word77 is here today"
    account, target = measure("a.csv")
    rows = {row[0]: row[3:] for row in csv.reader(io.StringIO(target.read_text()))}
    assert rows["p77"] == [""] * len(NAMES)
    assert sum(cells == [""] * len(NAMES) for cells in rows.values()) == 1
    assert account.failures == (("p77", "ZeroDivisionError: poison"),)
    assert account.counts == {"status": {"measured": 499, "failed": 1}}


def test_pairs_of_a_folder_are_measured_file_by_file(reader, tmp_path):
    folder = tmp_path / "pairs"
    folder.mkdir()
    for name in ("b", "a"):
        (folder / f"{name}.csv").write_text(f"id,text,hypothesis\n{name}1,x y,x\n")
    target = tmp_path / "out.jsonl"
    measure_source(str(folder), str(target), format=RowFormat.JSONL)
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == ["a1", "b1"]


@pytest.mark.parametrize("is_packed", [False, True], ids=["located", "fed"])
@pytest.mark.parametrize("format", RowFormat)
def test_no_pairs_are_a_file_without_rows(reader, tmp_path, format, is_packed):
    source, target = tmp_path / "none.csv", tmp_path / f"none.{format.value}"
    content = b"id,text,hypothesis\n"
    source.write_bytes(gzip.compress(content) if is_packed else content)
    account = measure_source(str(source), str(target), format=format)
    assert account.n_items == 0
    if format is RowFormat.PARQUET:
        table = pq.read_table(target)
        assert (table.num_rows, table.column_names[3:]) == (0, list(NAMES))
    else:
        assert target.read_text().count("\n") == (format is not RowFormat.JSONL)


def test_worker_with_other_features_is_refused():
    job = job_module.FeaturesJob((PairDirection.FORWARD,), RowFormat.CSV, "features|version:0", {})
    with pytest.raises(EngineError, check=coded("worker-measures-other-features")):
        job.load()
