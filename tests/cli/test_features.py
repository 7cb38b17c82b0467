"""`ensue features`, and `--workers`, as a user calls them."""

import csv
import gzip
import io
import json

import pyarrow.parquet as pq
import pytest

import ensue
from ensue.cli.app import run
from ensue.features import FEATURES, GROUPS, NAMES
from ensue.features.extraction import open_reader


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, use_cache):
    """The analyses, in a directory of their own."""
    use_cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def expected(examples, tmp_path_factory):
    reader = open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")
    pairs = list(ensue.read_pairs(examples))
    return reader.features([(pair.text, pair.hypothesis) for pair in pairs])


def test_features_go_to_parquet(examples, expected, tmp_path, capsys):
    target = tmp_path / "features.parquet"
    assert run(["features", str(examples), "-o", str(target)]) == 0
    table = pq.read_table(target)
    assert table.column_names == ["id", "gold", "task", *NAMES]
    pairs = list(ensue.read_pairs(examples))
    assert table.column("id").to_pylist() == [pair.id for pair in pairs]
    assert table.column("gold").to_pylist() == [pair.gold.value for pair in pairs]
    assert table.column("task").to_pylist() == [pair.task for pair in pairs]
    for i, name in enumerate(NAMES):
        assert table.column(name).to_pylist() == expected[:, i].tolist()
    assert capsys.readouterr() == ("", f"measured {len(pairs)} pairs\n")


def test_features_go_to_standard_output_as_csv(examples, expected, capsysbinary):
    assert run(["features", str(examples), "-q"]) == 0
    captured = capsysbinary.readouterr()
    heading, *rows = csv.reader(io.StringIO(captured.out.decode()))
    assert heading[:4] == ["id", "gold", "task", NAMES[0]]
    assert [list(map(float, row[3:])) for row in rows] == expected.tolist()
    assert captured.err == b""


def test_features_go_both_ways_as_jsonl(examples, capsysbinary):
    arguments = ["features", str(examples), "--format", "jsonl", "--direction", "both"]
    assert run([*arguments, "-q"]) == 0
    records = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    pairs = list(ensue.read_pairs(examples))
    assert [(each["id"], each["direction"]) for each in records] == [
        (pair.id, direction) for pair in pairs for direction in ("forward", "backward")
    ]


def test_backward_is_forward_with_the_sides_exchanged(tmp_path):
    one, other = "A dog barks at night.", "A dog barks."
    files = []
    for direction, (text, hypothesis) in (("forward", (other, one)), ("backward", (one, other))):
        pairs, target = tmp_path / f"{direction}.jsonl", tmp_path / f"{direction}.csv"
        pairs.write_text(json.dumps({"id": "1", "text": text, "hypothesis": hypothesis}))
        options = ["-o", str(target), "--direction", direction, "-q"]
        assert run(["features", str(pairs), *options]) == 0
        files.append(target.read_text())
    assert files[0] == files[1]


def test_cells_are_empty_where_a_side_has_no_words(tmp_path):
    pairs, target = tmp_path / "pairs.csv", tmp_path / "features.csv.gz"
    pairs.write_text("id,text,hypothesis\n1,A dog barks.,…\n2,A dog barks.,A dog barks.\n")
    assert run(["features", str(pairs), "-o", str(target), "-q"]) == 0
    assert target.read_bytes()[:2] == b"\x1f\x8b"
    rows = list(csv.reader(io.StringIO(gzip.decompress(target.read_bytes()).decode())))
    assert rows[1] == ["1", *[""] * (len(NAMES) + 2)]
    assert "" not in rows[2][3:]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["pairs.xml", "--list"],
        ["pairs.xml", "--format", "json"],
        ["--list", "--format", "doc"],
        ["pairs.xml", "--format", "parquet"],
        ["pairs.xml", "--direction", "sideways"],
        ["pairs.xml", "--workers", "0"],
    ],
)
def test_features_used_wrongly_exits_with_two(arguments):
    assert run(["features", *arguments]) == 2


def test_features_go_to_a_folder_of_shards(examples, expected, tmp_path, capsys):
    target = tmp_path / "features"
    options = ["-o", f"{target}/", "--shard-size", "10"]
    assert run(["features", str(examples), *options]) == 0
    parts = sorted(target.glob("part-*.parquet"))
    assert len(parts) == -(-len(expected) // 10)
    found = [value for part in parts for value in pq.read_table(part).column(NAMES[0]).to_pylist()]
    assert found == expected[:, 0].tolist()
    assert json.loads((target / "_manifest.json").read_text())["rows"] == len(expected)
    assert run(["features", str(examples), *options]) == 3
    assert "a finished run is in" in capsys.readouterr().err


def test_folder_of_features_is_of_parquet(examples, tmp_path, capsys):
    arguments = ["features", str(examples), "-o", f"{tmp_path}/", "--format", "csv"]
    assert run(arguments) == 2
    assert "a folder of shards is of Parquet, not csv" in capsys.readouterr().err


def test_features_of_a_folder_are_of_all_its_files(tmp_path, capsysbinary):
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text(f"id,text,hypothesis\n{name},A dog barks.,A dog.\n")
    assert run(["features", str(tmp_path), "-q"]) == 0
    rows = list(csv.reader(io.StringIO(capsysbinary.readouterr().out.decode())))
    assert [row[0] for row in rows] == ["id", "a", "b"]


def test_features_refuses_a_name_that_says_no_format(examples, tmp_path, capsys):
    assert run(["features", str(examples), "-o", str(tmp_path / "features.txt")]) == 3
    assert "hint: end the name in .tsv, .csv, .jsonl or .parquet" in capsys.readouterr().err


def test_features_does_not_overwrite_its_input(tmp_path, capsys):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("id,text,hypothesis\n1,A dog barks.,A dog.\n")
    assert run(["features", str(pairs), "-o", str(pairs)]) == 3
    assert "is read by the same command" in capsys.readouterr().err


def test_features_of_a_broken_file_leave_nothing_behind(tmp_path, capsys):
    pairs, target = tmp_path / "pairs.jsonl", tmp_path / "features.csv"
    pairs.write_text('{"id": "1", "text": "A dog.", "hypothesis": "A dog."}\n{"id": \n')
    assert run(["features", str(pairs), "-o", str(target)]) == 3
    assert "pairs.jsonl:2" in capsys.readouterr().err
    assert [each.name for each in tmp_path.glob("*features*")] == []


def test_features_of_no_file_say_so(tmp_path, capsys):
    assert run(["features", str(tmp_path / "nobody.xml")]) == 3
    captured = capsys.readouterr()
    assert "there is no file" in captured.err
    assert captured.out == ""


def test_features_of_an_empty_file_say_so(tmp_path, capsys):
    (tmp_path / "empty.xml").write_bytes(b"")
    assert run(["features", str(tmp_path / "empty.xml")]) == 3
    assert "the file is empty" in capsys.readouterr().err


def test_list_shows_every_feature_wrapped(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["features", "--list"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 60
    for group in GROUPS:
        assert f"{group.title} ({len(group.features)})\n" in shown
    flat = " ".join(shown.split())
    for each in FEATURES:
        assert f"{each.name}, {each.range} {each.definition}" in flat
        assert " → ".join(each.example) in flat


def test_list_is_a_table_for_programs(tmp_path):
    target = tmp_path / "features.json"
    assert run(["features", "--list", "--format", "json", "-o", str(target)]) == 0
    rows = json.loads(target.read_text("utf-8"))["features"]["rows"]
    assert [row["name"] for row in rows] == list(NAMES)
    first = FEATURES[0]
    assert rows[0] == {
        "name": first.name,
        "group": first.group,
        "range": first.range,
        "definition": first.definition,
        "text": first.example[0],
        "hypothesis": first.example[1],
    }


def generated(n):
    """Small pairs, no two with the same text."""
    subjects = ["The dog", "A minister", "Our neighbor", "Anna", "The old bridge"]
    deeds = ["may not leave", "sold two boats in", "was seen near", "never praised", "closed"]
    for i in range(n):
        text = f"{subjects[i % 5]} {deeds[i // 5 % 5]} house number {i} and left."
        gold = "entailment" if i % 2 else "not-entailment"
        hypothesis = f"{subjects[i % 5 if i % 2 else (i + 1) % 5]} left house {i}."
        yield {"id": str(i), "text": text, "hypothesis": hypothesis, "gold": gold}


@pytest.mark.slow
def test_results_are_the_same_for_any_number_of_workers(tmp_path, use_cache):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text("".join(json.dumps(each) + "\n" for each in generated(600)))
    for workers in ("1", "2"):
        use_cache(tmp_path / f"cache{workers}")
        options = ["--workers", workers, "-q"]
        features, kept = str(tmp_path / f"features{workers}.csv"), str(tmp_path / f"kept{workers}")
        judged = str(tmp_path / f"run{workers}.txt")
        assert run(["features", str(pairs), "-o", features, *options]) == 0
        setting = ["-s", "strength=0.01"]
        assert run(["train", str(pairs), "-r", "features", *setting, "-o", kept, *options]) == 0
        plain = ["--format", "plain", "-o", judged]
        assert run(["judge", str(pairs), "-r", kept, *plain, *options]) == 0
    for one, other in (("features1.csv", "features2.csv"), ("run1.txt", "run2.txt")):
        assert (tmp_path / one).read_bytes() == (tmp_path / other).read_bytes()
    weights = [(tmp_path / f"kept{workers}" / "weights.json").read_bytes() for workers in "12"]
    assert weights[0] == weights[1]


def test_judge_takes_workers_for_recognizers_that_cannot_use_them(examples, capsysbinary):
    outputs = []
    for options in ([], ["--workers", "2"]):
        arguments = ["judge", str(examples), "-r", "overlap", "--format", "plain", "-q"]
        assert run([*arguments, *options]) == 0
        outputs.append(capsysbinary.readouterr().out)
    assert outputs[0] == outputs[1]
