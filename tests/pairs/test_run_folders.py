"""Runs as folders of shards: what is read, and what is refused."""

from __future__ import annotations

import json

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.errors import coded

from ensue.errors import RunError
from ensue.pairs import Label, Signature, Status, Verdict, read_run
from ensue.pairs.run_folders import open_run_folder
from ensue.pairs.runs import COLUMNS

ROWS = {
    "pair_id": ["1", "2", "3", "4", "5"],
    "label": ["entailment", "not-entailment", None, None, "entailment"],
    "score": [0.8, 0.1, None, None, 1.0],
    "confidence": [0.5, None, None, None, 1.0],
    "status": ["decided", "decided", "failed", "abstained", "decided"],
    "reason": [None, None, "no parse", None, None],
}
VERDICTS = (
    Verdict("1", Label.ENTAILMENT, 0.8, 0.5),
    Verdict("2", Label.NOT_ENTAILMENT, 0.1, None),
    Verdict("3", None, None, None, Status.FAILED, "no parse"),
    Verdict("4", None, None, None, Status.ABSTAINED),
    Verdict("5", Label.ENTAILMENT, 1.0, 1.0),
)


def manifest(listed, changed):
    signature = Signature("overlap", "0.1.0").to_json()
    return {
        "ensue_run": 1,
        "ensue_folder": 1,
        "kind": "verdicts",
        "signature": signature,
        "data": {"name": "dev", "pairs": 5},
        "started": "2005-04-11T10:00:00+00:00",
        "cost": {"seconds": 1.5},
        "shards": listed,
        **changed,
    }


@pytest.fixture
def made(tmp_path):
    """Make a run's folder of two shards; cells and the manifest may be others."""

    def make(about=None, **columns):
        folder = tmp_path / "run"
        folder.mkdir()
        table = pa.table({**ROWS, **columns})
        shards = []
        for k, part in enumerate((table.slice(0, 3), table.slice(3))):
            file = folder / f"part-{k:06d}.parquet"
            pq.write_table(part, file)
            n_bytes = file.stat().st_size
            shards.append({"file": file.name, "rows": len(part), "bytes": n_bytes, "sha256": ""})
        (folder / "_manifest.json").write_text(json.dumps(manifest(shards, about or {})))
        return folder

    return make


def test_run_folder_is_read_as_a_run(made):
    folder = made()
    run = read_run(folder)
    assert (run.name, run.verdicts, run.ranked) == (str(folder), VERDICTS, False)
    assert run.header.signature == Signature("overlap", "0.1.0")
    assert (run.header.data["pairs"], run.header.cost) == (5, {"seconds": 1.5})
    assert run.place(3) == f"{folder}:4"


def test_run_folder_says_where_a_verdict_stands(made):
    folder = made()
    opened = open_run_folder(folder)
    assert opened.n_rows == 5
    places = [opened.place(i) for i in (0, 2, 3, 4)]
    first, second = folder / "part-000000.parquet", folder / "part-000001.parquet"
    assert places == [f"{first}:1", f"{first}:3", f"{second}:1", f"{second}:2"]


def test_batches_of_a_run_folder_have_the_columns_asked_for(made):
    opened = open_run_folder(made())
    batches = list(opened.batches(["pair_id", "label"], rows=2))
    assert [len(batch) for batch in batches] == [2, 1, 2]
    assert batches[0].schema.names == ["pair_id", "label"]
    assert batches[0].column("label").to_pylist() == ["entailment", "not-entailment"]


def test_run_folder_behind_a_url_is_read(made):
    folder, remote = made(), fsspec.filesystem("memory")
    for file in folder.iterdir():
        remote.pipe_file(f"/runs/one/{file.name}", file.read_bytes())
    assert read_run("memory://runs/one").verdicts == VERDICTS
    remote.rm("/runs/one/part-000001.parquet")
    with pytest.raises(RunError, check=coded("shard-gone")):
        read_run("memory://runs/one")


def test_run_folder_without_a_manifest_is_not_finished(made):
    folder = made()
    (folder / "_manifest.json").unlink()
    with pytest.raises(RunError, check=coded("run-not-finished-no")) as raised:
        read_run(folder)
    assert raised.value.place == str(folder)
    assert "--resume" in raised.value.hint


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"kind": "features"}, "a folder of 'features', not of verdicts"),
        ({"ensue_folder": 2, "kind": None}, "not the manifest of a run"),
        ({"ensue_run": 9}, "run format 9 is not known here"),
        ({"signature": {}}, "broken header"),
        ({"shards": [{"file": "part-000000.parquet"}]}, "broken manifest: KeyError: 'rows'"),
        ({"shards": None}, "broken manifest"),
    ],
)
def test_manifest_of_something_else_is_refused(made, about, message):
    folder = made(about)
    with pytest.raises(RunError, match=message) as raised:
        read_run(folder)
    assert raised.value.place == str(folder / "_manifest.json")


@pytest.mark.parametrize("content", ["", "{", "[]"])
def test_broken_manifest_is_refused(made, content):
    folder = made()
    (folder / "_manifest.json").write_text(content)
    with pytest.raises(RunError, match="manifest"):
        read_run(folder)


def damaged(folder, how):
    """Damage the second shard, and say what the manifest has to know of it."""
    file = folder / "part-000001.parquet"
    if how == "gone":
        file.unlink()
        return
    if how == "shorter":
        file.write_bytes(file.read_bytes()[:-1])
        return
    if how == "no Parquet":
        file.write_bytes(b"x" * 100)
    elif how == "broken":
        content = bytearray(file.read_bytes())
        content[4:200] = b"\xff" * 196
        file.write_bytes(content)
    elif how == "no column":
        pq.write_table(pq.read_table(file).drop_columns(["score"]), file)
    elif how == "texts":
        table = pq.read_table(file)
        place = COLUMNS.index("score")
        pq.write_table(table.set_column(place, "score", pa.array(["x", "y"])), file)
    elif how == "rows":
        pq.write_table(pq.read_table(file).slice(1), file)
    about = json.loads((folder / "_manifest.json").read_text())
    about["shards"][1]["bytes"] = file.stat().st_size
    (folder / "_manifest.json").write_text(json.dumps(about))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("gone", "the shard is gone"),
        ("shorter", r"the shard has [\d,]+ bytes where the manifest says"),
        ("no Parquet", "broken Parquet"),
        ("broken", "broken Parquet"),
        ("no column", "the shard has no column 'score'"),
        ("texts", "the column 'score' of the shard holds string"),
        ("rows", "the shard has 1 rows where the manifest says 2"),
    ],
)
def test_damaged_shard_is_refused_by_its_name(made, how, message):
    folder = made()
    damaged(folder, how)
    with pytest.raises(RunError, match=message) as raised:
        read_run(folder)
    assert raised.value.place == str(folder / "part-000001.parquet")
    assert "--resume" in raised.value.hint


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"pair_id": ["1", "2", "3", None, "5"]}, "verdict on None: there is no pair_id"),
        ({"confidence": [None, None, None, None, 1.5]}, "confidence 1.5 is not in"),
        ({"score": [None, None, None, float("nan"), None]}, "score is not a finite number"),
        ({"label": [*ROWS["label"][:4], "maybe"]}, "'maybe' is not a valid Label"),
        ({"status": [*ROWS["status"][:4], "asleep"]}, "'asleep' is not a valid Status"),
        ({"status": [*ROWS["status"][:3], "decided", "decided"]}, "does not go with status"),
    ],
)
def test_verdict_out_of_range_is_refused_where_it_stands(made, columns, message):
    folder = made(**columns)
    with pytest.raises(RunError, match=message) as raised:
        read_run(folder)
    assert raised.value.place.startswith(str(folder / "part-000001.parquet"))


def test_pair_twice_in_a_folder_is_refused(made):
    folder = made(pair_id=["1", "2", "3", "2", "5"])
    with pytest.raises(
        RunError, match="pair '2' is judged a second time; the first is at"
    ) as raised:
        read_run(folder)
    assert raised.value.place == f"{folder}:4"
