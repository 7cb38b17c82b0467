"""A system that says nothing is the worst, whatever scores it."""

import pytest

from ensue.cli.app import run
from ensue.translation.features.families import SURFACE_NAMES

SILENT = ["--reference", "ref.txt", "silent", "good", "bad"]
QUICK = ["--draws", "20", "--workers", "1"]
METRICS = [
    "bleu",
    "nist",
    "ter",
    "lexical",
    "chrf",
    "chrf++",
    "sacrebleu",
    "sacrebleu-ter",
    "pair-tradmt",
    "abs-tradmt",
    "pair-comb",
    "abs-comb",
]


@pytest.fixture(params=METRICS)
def metric(request, trained):
    """A name, or the directory of one that was trained on the small set."""
    return trained.get(request.param, request.param)


@pytest.mark.parametrize("method", ["with-ties", "basic", "mean"])
def test_silent_system_is_ranked_last(small, answer, metric, method):
    found = answer("rank", *SILENT, "-m", metric, "--method", method, *QUICK, "-q")
    by_system = {row["system"]: row for row in found["ranks"]["rows"]}
    scores = {name: row["score"]["value"] for name, row in by_system.items()}
    assert scores["good"] > scores["bad"] >= scores["silent"]
    assert by_system["silent"]["rank"] == max(row["rank"] for row in by_system.values())
    assert by_system["good"]["rank"] == 1


def test_silent_system_has_the_lowest_mean(small, answer, metric):
    found = answer("rank", *SILENT, "-m", metric, "--method", "mean", *QUICK, "-q")
    _, worse, worst = found["ranks"]["rows"]
    assert worst["system"] == "silent"
    assert worse["score"]["value"] > worst["score"]["value"]


@pytest.mark.parametrize("metric_name", ["bleu", "nist", "ter", "lexical"])
def test_silent_system_is_no_better_as_a_whole_text(small, answer, metric_name):
    found = answer("rank", *SILENT, "-m", metric_name, "--method", "corpus", *QUICK, "-q")
    scores = {row["system"]: row["score"]["value"] for row in found["ranks"]["rows"]}
    assert scores["silent"] == min(scores.values()) < scores["good"]


def test_dots_and_dashes_say_nothing_either(small, answer, trained):
    (small / "dots").write_text("...\n-\n?!\n. .\n\n“ ”\n", encoding="utf-8")
    texts = ["--reference", "ref.txt", "silent", "dots", "bad"]
    options = ["-m", trained["pair-comb"], "--method", "mean", *QUICK, "-q"]
    ranks = {
        row["system"]: row["rank"] for row in answer("rank", *texts, *options)["ranks"]["rows"]
    }
    assert ranks == {"bad": 1, "silent": 2, "dots": 2}


def test_silent_systems_alone_tie(small, answer, trained):
    (small / "mute").write_text("\n" * 6, encoding="utf-8")
    texts = ["--reference", "ref.txt", "silent", "mute"]
    found = answer("rank", *texts, "-m", trained["abs-comb"], *QUICK, "-q")
    assert [row["rank"] for row in found["ranks"]["rows"]] == [1, 1]


def test_features_of_a_silent_system_are_empty_cells(small, capsys):
    texts = ["--reference", "ref.txt", "silent"]
    assert run(["mt", "features", *texts, "--feature-set", "tradmt", "-q"]) == 0
    _, *rows = capsys.readouterr().out.splitlines()
    assert rows == [f",{i},silent" + "," * len(SURFACE_NAMES) for i in range(1, 7)]
