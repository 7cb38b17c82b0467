"""`ensue mt train`, as a user calls it."""

import csv
import io
import json

import pytest

from ensue.cli.app import run
from ensue.translation.features import FeatureSet, feature_names
from ensue.translation.features.families import SURFACE_NAMES

TEXTS = ["--reference", "ref.txt", "good", "bad"]
PLAIN = [*TEXTS, "--judgments", "ranks.jsonl", "--feature-set", "tradmt"]
SEGMENTS = [str(i) for i in range(1, 7)]


def direct(system, scores):
    return [
        {"segment": segment, "system": system, "judge": "", "score": score}
        for segment, score in zip(SEGMENTS, scores, strict=True)
    ]


def test_train_keeps_a_metric_and_shows_its_weights(small, capsys):
    assert run(["mt", "train", *PLAIN, "-o", "metric"]) == 0
    shown = capsys.readouterr().out
    assert "pair-tradmt, trained" in shown
    assert "not cross-validated: there are too few segments to leave some out" in shown
    assert f"the largest 20 of {len(SURFACE_NAMES)}; all are in JSON and CSV" in shown
    record = json.loads((small / "metric" / "metric.json").read_text("utf-8"))
    assert (record["model"], record["feature_set"]) == ("pair", "tradmt")
    assert record["trained_on"] == {
        "name": "good",
        "judgments": "preferences",
        "comparisons": 6,
        "contests": 6,
        "tie_share": 0.0,
    }
    assert [row["name"] for row in record["features"]] == list(feature_names(FeatureSet.TRADMT))


def test_train_gives_all_weights_to_programs(small, answer):
    found = answer("train", *PLAIN, "-o", "metric")
    assert len(found["weights"]["rows"]) == len(SURFACE_NAMES)
    (row,) = found["training"]["rows"]
    assert (row["metric"], row["comparisons"]) == ("pair-tradmt", 6)


def test_train_is_written_as_csv(small, capsys):
    assert run(["mt", "train", *PLAIN, "-o", "metric", "--format", "csv"]) == 0
    _, training, weights = capsys.readouterr().out.split("# ")
    assert next(csv.DictReader(io.StringIO(training.split("\n", 1)[1])))["model"] == "pair"
    assert len(weights.strip().splitlines()) == 2 + len(SURFACE_NAMES)


def test_train_of_the_shipped_directory_cross_validates(directory, tmp_path, answer):
    target = str(tmp_path / "metric")
    options = ["--feature-set", "tradmt", "--model", "abs", "--strength", "0.01", "-q"]
    (row,) = answer("train", directory, *options, "-o", target)["training"]["rows"]
    # two of the 216 outputs were ranked by nobody
    assert (row["judgments"], row["outputs"], row["strength"]) == ("ranks", 214, 0.01)
    assert row["pearson"] > 0.5


def test_train_writes_a_page_with_tables_and_picture(small, capsys):
    assert run(["mt", "train", *PLAIN, "-o", "metric", "--report", "training.html"]) == 0
    page = (small / "training.html").read_text("utf-8")
    assert page.count("<svg") == 1
    assert "pair-tradmt, trained" in page
    assert "Weights, the largest first" in page


def test_train_learns_from_direct_assessments(small, judged, answer):
    said = judged(direct("good", range(60, 66)) + direct("bad", range(20, 26)))
    found = answer(
        "train", *TEXTS, *said, "--feature-set", "tradmt", "--model", "abs", "-o", "metric"
    )
    (row,) = found["training"]["rows"]
    assert (row["judgments"], row["outputs"]) == ("direct", 12)


def test_train_replaces_an_older_metric(small, capsys):
    for strength in ("0.1", "0.5"):
        assert run(["mt", "train", *PLAIN, "-o", "metric", "--strength", strength]) == 0
    assert json.loads((small / "metric" / "metric.json").read_text())["strength"] == 0.5


def test_train_does_not_replace_what_is_no_metric(small, refused):
    (small / "folder").mkdir()
    (small / "folder" / "letter.txt").write_text("dear reader\n")
    said = refused("train", *PLAIN, "-o", "folder")
    assert "'folder'" in said
    assert "hint:" in said
    assert [path.name for path in (small / "folder").iterdir()] == ["letter.txt"]


def test_train_is_the_same_each_time(small, capsys):
    for target in ("one", "two"):
        assert run(["mt", "train", *PLAIN, "-o", target]) == 0
    assert (small / "one/metric.json").read_bytes() == (small / "two/metric.json").read_bytes()


def test_train_without_judgments_is_refused(small, refused):
    said = refused("train", *TEXTS, "--feature-set", "tradmt", "-o", "metric")
    assert "nobody has judged these outputs" in said
    assert "hint: name a file of judgments with --judgments" in said
    assert not (small / "metric").exists()


def test_train_pair_learns_from_scores_of_several_outputs(small, judged, answer):
    said = judged(direct("good", range(60, 66)) + direct("bad", range(20, 26)))
    found = answer("train", *TEXTS, *said, "--feature-set", "tradmt", "-o", "metric")
    assert found["training"]["rows"][0]["comparisons"] == 6


def test_train_pair_needs_comparisons(small, judged, refused):
    said = judged(direct("good", range(60, 66)))
    shown = refused("train", *TEXTS, *said, "--feature-set", "tradmt", "-o", "metric")
    assert "no judge compared two outputs of one segment, which pair learns from" in shown
    assert "hint: train abs on absolute scores: --model abs" in shown
    assert not (small / "metric").exists()


def test_train_learns_nothing_from_equal_scores(small, judged, refused):
    said = judged(direct("good", [50] * 6))
    arguments = ["--feature-set", "tradmt", "--model", "abs", "-o", "metric"]
    shown = refused("train", *TEXTS, *said, *arguments)
    assert "all outputs have the same human score, so nothing can be learned" in shown


def test_train_learns_nothing_from_judges_who_cancel(small, judged, refused):
    said = judged(
        {"segment": segment, "judge": judge, "ranks": ranks}
        for segment in SEGMENTS
        for judge, ranks in (("anna", {"good": 1, "bad": 2}), ("bert", {"good": 2, "bad": 1}))
    )
    shown = refused("train", *TEXTS, *said, "--feature-set", "tradmt", "-o", "metric")
    assert "there is no preference between two outputs with words" in shown
    assert "hint: votes for either output cancel" in shown


def test_train_learns_nothing_of_silent_systems(small, judged, refused):
    said = judged(
        {"segment": segment, "judge": "anna", "ranks": {"silent": 2, "good": 1}}
        for segment in SEGMENTS
    )
    texts = ["--reference", "ref.txt", "good", "silent"]
    shown = refused("train", *texts, *said, "--feature-set", "tradmt", "-o", "metric")
    assert "there is no preference between two outputs with words" in shown


@pytest.mark.parametrize("strength", ["0", "-1", "nan", "1e99"])
def test_train_refuses_a_strength_out_of_range(small, refused, strength):
    said = refused("train", *PLAIN, f"--strength={strength}", "-o", "metric")
    assert "the strength cannot be" in said
    assert "hint: it is a number from 1e-09 to 1e+09" in said


def test_train_needs_a_place_for_the_metric(small, refused):
    assert "--output" in refused("train", *PLAIN, code=2)


def test_train_says_where_a_judge_contradicts_themselves(small, judged, capsys):
    said = judged(
        {"segment": segment, "judge": judge, "ranks": ranks}
        for segment in SEGMENTS
        for judge, ranks in (
            ("anna", {"good": 1, "bad": 2}),
            ("bert", {"good": 1, "bad": 2}),
            ("bert", {"good": 2, "bad": 1}),
        )
    )
    options = ["--feature-set", "tradmt", "-o", "metric", "--format", "json"]
    assert run(["mt", "train", *TEXTS, *said, *options]) == 0
    captured = capsys.readouterr()
    assert captured.err == (
        "warning: judgments.jsonl:3: 6 of 6 repeated comparisons are contradicted by the same"
        " judge; both votes are kept, and cancel [contradicting-ranks]\n"
    )
    # what bert says cancels, and anna decides all six contests
    (row,) = json.loads(captured.out)["training"]["rows"]
    assert (row["comparisons"], row["contests"]) == (18, 6)
