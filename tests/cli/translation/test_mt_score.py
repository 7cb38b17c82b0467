"""`ensue mt score`, as a user calls it."""

import csv
import io
import json
import sys

import pyarrow.parquet as pq
import pytest

from ensue.cli.app import run
from ensue.cli.translation import SCORE_FORMATS
from ensue.installation import install_extra
from ensue.translation.formats import SCORE_FORMATS as LIBRARY_FORMATS

PLAIN = ["--reference", "ref.txt", "good", "bad"]


def tables(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_score_formats_are_those_of_the_library():
    assert list(LIBRARY_FORMATS) == list(SCORE_FORMATS)


def test_scores_go_to_standard_output_as_tsv(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-m", "ter"]) == 0
    captured = capsys.readouterr()
    found = tables(captured.out)
    assert [(row["segment"], row["system"]) for row in found[:3]] == [
        ("1", "good"),
        ("1", "bad"),
        ("2", "good"),
    ]
    assert len(found) == 12
    # one word of six is another
    assert float(found[0]["ter"]) == pytest.approx(-100 * 1 / 6)
    assert captured.err == ""


def test_shipped_metric_scores_where_none_is_named(small, capsys):
    assert run(["mt", "score", *PLAIN, "--format", "jsonl"]) == 0
    header, *records = map(json.loads, capsys.readouterr().out.splitlines())
    assert header["metrics"][0]["name"] == "pair-comb"
    scores = {(each["segment"], each["system"]): each["score"] for each in records}
    assert all(scores[str(i), "good"] > scores[str(i), "bad"] for i in range(1, 7))


def test_scores_of_one_metric_are_in_the_column_score(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "language_pair\tsegment\tsystem\tscore"


def test_metric_named_twice_is_scored_once(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-m", "bleu"]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("\tscore")


def test_scores_of_directory_and_rows_are_the_same(directory, rows, capsys):
    found = []
    for data in ([directory], rows[:1]):
        assert run(["mt", "score", *data, "-m", "bleu", "-m", "nist", "-m", "ter", "-q"]) == 0
        found.append(sorted(capsys.readouterr().out.splitlines()))
    assert found[0] == found[1]
    assert len(found[0]) == 1 + 9 * 24


def test_scores_go_to_a_file_and_systems_to_a_table(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-m", "chrf", "-o", "scores.csv"]) == 0
    with open(small / "scores.csv", encoding="utf-8", newline="") as file:  # noqa: PTH123
        assert list(next(csv.DictReader(file))) == [
            "language_pair",
            "segment",
            "system",
            "bleu",
            "chrf",
        ]
    shown = capsys.readouterr().out
    assert "Scores of systems" in shown
    assert "bleu, corpus" in shown
    assert "without a corpus score, since segments do not sum: chrf" in shown


def test_scores_are_written_as_jsonl_with_signatures(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-m", "chrf", "--format", "jsonl"]) == 0
    header, *records = map(json.loads, capsys.readouterr().out.splitlines())
    assert [each["name"] for each in header["metrics"]] == ["bleu", "chrf"]
    assert header["metrics"][1]["signature"].startswith("chrf|nrefs:1|")
    assert set(records[0]) == {"language_pair", "segment", "system", "bleu", "chrf"}


def test_scores_are_written_as_wmt_has_them(directory, capsys):
    assert run(["mt", "score", directory, "-m", "bleu", "--format", "wmt", "-q"]) == 0
    cells = capsys.readouterr().out.splitlines()[0].split("\t")
    assert cells[:5] == ["bleu", "de-en", "-", "fluent", "1"]
    float(cells[5])


def test_scores_are_written_packed(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-o", "scores.tsv.gz"]) == 0
    assert (small / "scores.tsv.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_scores_of_several_references_are_told_in_the_signature(small, capsys):
    two = ["--reference", "ref.txt", "--reference", "twin", "bad"]
    assert run(["mt", "score", *two, "-m", "chrf", "--format", "jsonl"]) == 0
    header = json.loads(capsys.readouterr().out.splitlines()[0])
    assert "nrefs:2" in header["metrics"][0]["signature"]


def test_second_reference_is_looked_at(small, capsys):
    two = ["--reference", "ref.txt", "--reference", "twin", "good"]
    assert run(["mt", "score", *two, "-m", "ter"]) == 0
    assert {row["score"] for row in tables(capsys.readouterr().out)} == {"0.0"}


def test_score_writes_a_page_with_a_picture_for_each_metric(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-m", "ter", "--report", "s.html"]) == 0
    page = (small / "s.html").read_text("utf-8")
    assert page.count("<svg") == 2
    assert "Scores of systems" in page
    assert "metric: ter: ter|white space" in page


def test_trained_metric_scores_by_its_directory(small, trained, capsys):
    name = trained["pair-comb"]
    assert run(["mt", "score", *PLAIN, "-m", name, "-m", "bleu"]) == 0
    scores = {}
    for row in tables(capsys.readouterr().out):
        scores.setdefault(row["system"], []).append(float(row["pair-comb"]))
    assert all(a > b for a, b in zip(scores["good"], scores["bad"], strict=True))


def test_trained_metric_in_the_working_directory_has_its_name(small, trained, capsys, monkeypatch):
    monkeypatch.chdir(trained["pair-tradmt"])
    texts = ["--reference", str(small / "ref.txt"), str(small / "good")]
    assert run(["mt", "score", *texts, "-m", ".", "-m", "bleu"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split("\t")[3:] == ["pair-tradmt", "bleu"]


def test_two_metrics_of_one_name_are_refused(small, trained, refused, capsys):
    (small / "again").mkdir()
    copied = small / "again" / "pair-tradmt"
    copied.mkdir()
    record = f"{trained['pair-tradmt']}/metric.json"
    with open(record, "rb") as file:  # noqa: PTH123
        (copied / "metric.json").write_bytes(file.read())
    said = refused("score", *PLAIN, "-m", trained["pair-tradmt"], "-m", str(copied))
    assert "two metrics are called 'pair-tradmt'" in said


def test_huge_line_is_scored(small, capsys):
    (small / "huge").write_text("word " * 100_000 + "\n", encoding="utf-8")
    (small / "short.txt").write_text("one word here\n", encoding="utf-8")
    metrics = ["-m", "bleu", "-m", "nist", "-m", "ter", "-m", "lexical"]
    assert run(["mt", "score", "--reference", "short.txt", "huge", *metrics]) == 0
    (row,) = tables(capsys.readouterr().out)
    # one of three words is there; the others are edits, or words too many
    assert float(row["ter"]) == -101
    assert 0 < float(row["bleu"]) < 0.01


@pytest.mark.parametrize("name", ["sacrebleu", "sacrebleu-ter", "chrf", "chrf++"])
def test_metric_of_sacrebleu_says_how_to_install_it(small, refused, monkeypatch, name):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    said = refused("score", *PLAIN, "-m", name)
    assert f"metric {name!r} needs sacreBLEU, which is not installed" in said
    assert f"hint: run: {install_extra('sacrebleu')}" in said


def test_rows_come_from_standard_input(small, monkeypatch, capsys):
    row = {"segment": "1", "system": "a", "output": "a cat", "reference": "a cat"}
    content = io.TextIOWrapper(io.BytesIO((json.dumps(row) + "\n").encode()))
    monkeypatch.setattr(sys, "stdin", content)
    assert run(["mt", "score", "-", "-m", "bleu"]) == 0
    (found,) = tables(capsys.readouterr().out)
    assert float(found["score"]) == 100


def test_empty_second_reference_says_nothing(small, capsys):
    (small / "empty.txt").write_text("\n" * 6, encoding="utf-8")
    options = ["mt", "score", *PLAIN, "-m", "bleu", "-m", "ter", "-q"]
    assert run(options) == 0
    alone = capsys.readouterr().out
    assert run([*options, "--reference", "empty.txt"]) == 0
    assert capsys.readouterr().out == alone


def test_scores_go_to_a_folder_of_shards(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-o", "scores/", "--shard-size", "4"]) == 0
    rows = [
        row
        for path in sorted((small / "scores").glob("part-*.parquet"))
        for row in pq.read_table(path).to_pylist()
    ]
    assert [(row["segment"], row["system"]) for row in rows[:2]] == [("1", "good"), ("1", "bad")]
    assert len(rows) == 12
    assert "Scores of systems" in capsys.readouterr().out


def test_folder_of_scores_takes_no_format(small, refused):
    said = refused("score", *PLAIN, "-m", "bleu", "-o", "scores/", "--format", "csv", code=2)
    assert "a folder of shards is of Parquet" in said


def test_run_of_scores_is_told_where_everything_is_asked_for(small, capsys):
    assert run(["mt", "score", *PLAIN, "-m", "bleu", "-o", "scores.csv", "-v"]) == 0
    assert capsys.readouterr().err.startswith("scored 12 outputs in ")


def test_finished_scores_are_not_resumed(small, refused, capsys):
    command = ["score", *PLAIN, "-m", "bleu", "-o", "scores.csv"]
    assert run(["mt", *command]) == 0
    capsys.readouterr()
    assert "there is no unfinished run to resume" in refused(*command, "--resume")
