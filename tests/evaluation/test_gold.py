"""Gold as columns: what is read of Parquet is what the pairs would be."""

from __future__ import annotations

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.errors import coded

from ensue.errors import DataError, LabelError
from ensue.evaluation.gold import LABELS, NO_TASK, read_gold
from ensue.pairs import Label, Pair, read_pairs, write_pairs

SIDES = {"text": ["a text", "a text", "a text"], "hypothesis": ["a text", "a text", "a text"]}
MSRPC = {"#1 String": SIDES["text"], "#2 String": SIDES["text"]}
HUB = {"premise": SIDES["text"], "hypothesis": SIDES["text"]}


def rows(gold):
    """Ids, labels and tasks that gold holds."""
    tasks = [gold.tasks.names[code] for code in gold.tasks.codes]
    return [
        (gold.ids.text(i), gold.label(i), None if task == NO_TASK else task)
        for i, task in enumerate(tasks)
    ]


@pytest.fixture(autouse=True)
def every_pair_is_one_too_many(few_are_many, monkeypatch):
    few_are_many(monkeypatch)


def expected(source, **reading):
    return [(pair.id, pair.gold, pair.task) for pair in read_pairs(source, **reading)]


@pytest.fixture
def written(tmp_path):
    def write(columns, name="gold.parquet", metadata=None):
        table = pa.table(columns)
        if metadata:
            table = table.replace_schema_metadata(metadata)
        pq.write_table(table, tmp_path / name)
        return tmp_path / name

    return write


@pytest.mark.parametrize(
    "columns",
    [
        {"id": ["a", "b", "c"], **SIDES, "gold": ["yes", None, "no"], "task": ["QA", None, ""]},
        {"id": ["a", "b", "c"], **SIDES},
        {**SIDES, "gold": ["yes", "", " "]},
        {"id": [3, 1, 2], **SIDES, "gold": ["YES", "yes", "Yes"]},
        {"id": [1.5, 2.0, 3.0], **SIDES, "task": [1, 2, 1]},
        {"id": [" a", "b ", "\u00a0c"], **SIDES, "gold": ["unknown", "contradiction", "yes"]},
        {"#1 ID": [1, 2, 3], "#2 ID": ["x", "y", " z"], **MSRPC, "Quality": [1, 0, 1]},
        {"id": pa.array(["a", "b", "c"]).dictionary_encode(), **SIDES},
        {"id": pa.array(["a", "b", "c"], pa.large_string()), **SIDES, "gold": [True, False, True]},
    ],
)
def test_gold_columns_are_what_pairs_say(written, columns):
    source = written(columns)
    found = read_gold(source)
    assert rows(found) == expected(source)
    assert found.n_rows == 3
    assert found.digest() is None  # no text is read


def test_numbered_labels_have_the_names_of_their_schema(written, tmp_path):
    feature = {"label": {"_type": "ClassLabel", "names": ["entailment", "neutral"]}}
    about = json.dumps({"info": {"features": feature}})
    columns = {"idx": [0, 1, 2], **HUB, "label": [1, 0, -1]}
    source = written(columns, metadata={"huggingface": about})
    found = rows(read_gold(source))
    assert found == [("0", Label.UNKNOWN, None), ("1", Label.ENTAILMENT, None), ("2", None, None)]
    assert found == expected(source)


def test_columns_and_labels_of_the_user_hold(written, tmp_path):
    source = written(
        {"nr": ["a", "b", "c"], "t": SIDES["text"], "h": SIDES["text"], "l": [1, 0, 1]}
    )
    reading = {
        "columns": {"id": "nr", "text": "t", "hypothesis": "h", "gold": "l"},
        "labels": {"1": Label.ENTAILMENT, "0": None},
    }
    found = rows(read_gold(source, reading=reading))
    assert found == expected(source, **reading)
    assert [gold for _, gold, _ in found] == [Label.ENTAILMENT, None, Label.ENTAILMENT]


def test_several_files_have_ids_by_their_names(written, tmp_path):
    written(SIDES, "a.parquet")
    written(SIDES, "b.parquet")
    found = read_gold(tmp_path / "*.parquet")
    assert [pair_id for pair_id, _, _ in rows(found)] == [
        f"{stem}:{i}" for stem in "ab" for i in (1, 2, 3)
    ]


@pytest.mark.parametrize("name", ["gold.jsonl", "gold.csv", "gold.parquet"])
def test_gold_of_every_format_is_the_same(tmp_path, name):
    pairs = [
        Pair(f"p{i}", "a text", "a text", [Label.ENTAILMENT, None][i % 2], ["QA", None][i // 2])
        for i in range(4)
    ]
    write_pairs(tmp_path / name, pairs)
    found = read_gold(tmp_path / name)
    assert rows(found) == [(pair.id, pair.gold, pair.task) for pair in pairs]
    assert found.n_rows == 4


@pytest.mark.parametrize("doubled", ["p", "r"])
def test_place_of_a_doubled_id_is_its_file_and_line(tmp_path, doubled):
    pair = Pair("p", "a text", "a text")
    write_pairs(tmp_path / "a.jsonl", [pair, replace(pair, id="q")])
    write_pairs(tmp_path / "b.csv", [replace(pair, id="r"), replace(pair, id=doubled)])
    with pytest.raises(DataError) as raised:
        read_gold(tmp_path / "[ab].*")
    first = f"{tmp_path}/a.jsonl:1" if doubled == "p" else f"{tmp_path}/b.csv:2"
    assert raised.value.message == f"two pairs have the id {doubled!r}; the first is at {first}"
    assert raised.value.place == f"{tmp_path}/b.csv:3"


def test_place_of_a_doubled_id_in_parquet_is_its_file_and_row(written, tmp_path):
    written({"id": ["a", "b", "c"], **SIDES}, "1.parquet")
    written({"id": ["d", "b", "b"], **SIDES}, "2.parquet")
    with pytest.raises(DataError, match=r"the first is at .*1\.parquet:2") as raised:
        read_gold(tmp_path / "*.parquet")
    assert raised.value.place == f"{tmp_path}/2.parquet:2"


def test_labels_without_gold_are_told_once(written, tmp_path):
    columns = {"pairID": ["a", "b", "c"], "sentence1": SIDES["text"], "sentence2": SIDES["text"]}
    source = written({**columns, "gold_label": ["-", "neutral", "-"]})
    told = []
    found = read_gold(source, on_finding=told.append)
    assert found.labels.tolist() == [-1, LABELS.index(Label.UNKNOWN), -1]
    assert [(each.code, each.place, each.pair_ids) for each in told] == [
        ("no-gold", f"{source}:1", ("a",)),
        ("no-gold", f"{source}:3", ("c",)),
    ]


@pytest.mark.parametrize(
    ("columns", "message", "row"),
    [
        ({"id": ["a", None, "c"], **SIDES}, "a pair has no id", 2),
        ({"id": ["a", "b", " "], **SIDES}, "a pair has no id", 3),
        ({**SIDES, "gold": ["yes", "maybe", "no"]}, "unknown label 'maybe'", 2),
        ({**SIDES, "gold": ["no", "yes", "unknown"]}, "'no' and 'unknown' in one file", 3),
    ],
)
def test_gold_that_pairs_would_refuse_is_refused(written, tmp_path, columns, message, row):
    source = written(columns)
    with pytest.raises(DataError, match=message) as raised:
        rows(read_gold(source))
    assert raised.value.place == f"{source}:{row}"
    with pytest.raises((DataError, LabelError), match=message):
        list(read_pairs(source))


def test_broken_gold_is_an_error_with_its_name(written, tmp_path):
    source = written({"id": ["a", "b", "c"], **SIDES})
    content = source.read_bytes()
    source.write_bytes(content[:-20])
    with pytest.raises(DataError, check=coded("not-parquet")) as raised:
        read_gold(source)
    assert raised.value.place == str(source)
