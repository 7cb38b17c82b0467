"""`ensue mt features`, as a user calls it."""

import csv
import gzip
import io
import json

import pyarrow.parquet as pq
import pytest

from ensue.cli.app import run
from ensue.cli.translation_metrics import FEATURE_SETS, MODELS
from ensue.translation.features import FeatureSet, feature_names
from ensue.translation.metrics.linear_models import ModelKind

PLAIN = ["--reference", "ref.txt", "good", "bad"]
KEYS = ["language_pair", "segment", "system"]


def test_choices_are_those_of_the_library():
    assert set(FEATURE_SETS) == {each.value for each in FeatureSet}
    assert set(MODELS) == {each.value for each in ModelKind}


def test_features_of_a_directory_go_to_parquet(directory, tmp_path, capsys):
    target = tmp_path / "features.parquet"
    assert run(["mt", "features", directory, "--feature-set", "tradmt", "-o", str(target)]) == 0
    table = pq.read_table(target)
    assert table.column_names == [*KEYS, *feature_names(FeatureSet.TRADMT)]
    assert len(table) == 9 * 24
    assert set(table.column("language_pair").to_pylist()) == {"de-en", "fr-en"}
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("measured 216 outputs\n")


def test_features_of_directory_and_rows_are_the_same(directory, rows, capsys):
    found = []
    for data in ([directory], rows[:1]):
        assert run(["mt", "features", *data, "--feature-set", "tradmt", "-q"]) == 0
        found.append(sorted(capsys.readouterr().out.splitlines()))
    assert found[0] == found[1]


def test_features_of_plain_files_go_to_standard_output_as_csv(small, capsys):
    assert run(["mt", "features", *PLAIN, "--feature-set", "tradmt", "-q"]) == 0
    captured = capsys.readouterr()
    header, *rows = csv.reader(io.StringIO(captured.out))
    assert header == [*KEYS, *feature_names(FeatureSet.TRADMT)]
    assert [row[:3] for row in rows[:2]] == [["", "1", "good"], ["", "1", "bad"]]
    assert captured.err == ""


def test_features_go_to_jsonl_packed(small, capsys):
    assert (
        run(["mt", "features", *PLAIN, "--feature-set", "tradmt+lexical", "-o", "f.jsonl.gz"]) == 0
    )
    with gzip.open(small / "f.jsonl.gz", "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    assert len(records) == 12
    assert list(records[0]) == [*KEYS, *feature_names(FeatureSet.TRADMT_LEXICAL)]


def test_output_format_goes_before_the_name_of_the_file(small, capsys):
    target = ["-o", "features.csv", "--format", "jsonl"]
    assert run(["mt", "features", *PLAIN, "--feature-set", "tradmt", *target]) == 0
    json.loads((small / "features.csv").read_text("utf-8").splitlines()[0])


def test_features_of_comb_are_232_and_all_there(small, trained, capsys):
    assert run(["mt", "features", *PLAIN, "--feature-set", "comb", "-q"]) == 0
    header, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert len(header) == 3 + 232
    assert all(cell for row in rows for cell in row[1:])


@pytest.mark.parametrize("feature_set", FEATURE_SETS)
def test_features_are_listed(answer, feature_set):
    rows = answer("features", "--list", "--feature-set", feature_set)["features"]["rows"]
    assert [row["name"] for row in rows] == list(feature_names(FeatureSet(feature_set)))
    assert all(row["meaning"] for row in rows)


def test_list_goes_to_a_file(small, capsys):
    assert run(["mt", "features", "--list", "--format", "csv", "-o", "list.csv"]) == 0
    assert (small / "list.csv").read_text("utf-8").startswith("family,name,meaning\n")


def test_features_need_data_or_a_list(small, refused):
    assert "give DATA, or --list" in refused("features", code=2)
    assert "give DATA, or --list" in refused("features", *PLAIN, "--list", code=2)


def test_format_of_a_list_is_not_for_data(small, refused):
    said = refused("features", *PLAIN, "--feature-set", "tradmt", "--format", "json", code=2)
    assert "rows are written as tsv, csv, jsonl, parquet, not as json" in said


def test_broken_data_leave_no_file(small, refused):
    (small / "bad").write_text("one line\n", encoding="utf-8")
    said = refused("features", *PLAIN, "--feature-set", "tradmt", "-o", "features.csv")
    assert "bad:2: 1 segments here, 6 in 'ref.txt'" in said
    assert not (small / "features.csv").exists()


def test_features_of_outputs_go_to_a_folder_of_shards(small, capsys):
    options = ["--feature-set", "tradmt", "-o", "features/", "--shard-size", "4"]
    assert run(["mt", "features", *PLAIN, *options]) == 0
    parts = sorted((small / "features").glob("part-*.parquet"))
    assert [pq.read_table(part).num_rows for part in parts] == [8, 4]
    assert capsys.readouterr().err == "measured 12 outputs\n"
