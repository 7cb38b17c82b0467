"""`ensue evaluate`, `cutoff` and `power` on folders, held and streamed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ensue.cli.app import run
from ensue.evaluation.large import sources as cutoffs, sources as evaluating
from ensue.evaluation.large.sources import MemoryLimits
from ensue.pairs import RunHeader, Signature, write_pairs, write_run


@pytest.fixture
def folder(make_pairs, make_run, write_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    gold = "".join(rng.choice(list("YN"), 50))
    write_pairs("gold.parquet", make_pairs(gold, ["QA", "IE"] * 25))
    header = RunHeader(Signature("overlap", "0.1.0"))
    for name in ("one", "two"):
        scores = np.round(rng.random(50), 2).tolist()
        answers = "".join("Y" if score > 0.5 else "N" for score in scores)
        made = make_run(answers, [abs(2 * score - 1) for score in scores], scores)
        write_folder(tmp_path / name, made)
        write_run(f"{name}.jsonl", header, made.verdicts)
    return tmp_path


@pytest.fixture
def streamed(monkeypatch):
    for module in (evaluating, cutoffs):
        monkeypatch.setattr(module, "MemoryLimits", lambda: MemoryLimits(0, 9, 13))


def printed(capsys, *arguments):
    assert run([*arguments, "--format", "json"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "gold.parquet", "one", "two", "--by", "task", "--draws", "20"],
        [
            "evaluate",
            "gold.parquet",
            "one",
            "--by",
            "group",
            "--precision",
            "0.6",
            "--prior",
            "0.1",
        ],
        ["cutoff", "gold.parquet", "one", "--by", "task", "--test", "gold.parquet", "two"],
        ["power", "--runs", "gold.parquet", "one", "two"],
    ],
)
def test_folder_and_file_of_a_run_print_the_same(folder, capsys, arguments):
    of_folders = printed(capsys, *arguments)
    files = [f"{each}.jsonl" if each in ("one", "two") else each for each in arguments]
    assert printed(capsys, *files).replace(".jsonl", "") == of_folders


def without_drawn(said):
    """What a command prints, but for what is drawn: intervals and the p of the cws."""
    if isinstance(said, list):
        return [without_drawn(each) for each in said]
    if not isinstance(said, dict):
        return round(said, 9) if isinstance(said, float) else said
    drawn = {"low", "high", "accuracy-all_p", "notes"}
    drawn |= {"p", "method"} if said.get("measure") == "cws" else set()
    return {name: without_drawn(each) for name, each in said.items() if name not in drawn}


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "gold.parquet", "one", "two", "--by", "task", "--prior", "0.1"],
        ["evaluate", "gold.parquet", "one", "--precision", "0.6", "--view", "2-way"],
        ["cutoff", "gold.parquet", "one", "--by", "task", "--test", "gold.parquet", "two"],
        ["cutoff", "gold.parquet", "one", "--precision", "0.6"],
        ["power", "--runs", "gold.parquet", "one", "two"],
    ],
)
def test_streamed_pairs_print_what_held_ones_do(folder, capsys, request, arguments):
    held = json.loads(printed(capsys, *arguments))
    request.getfixturevalue("streamed")
    found = json.loads(printed(capsys, *arguments))
    assert without_drawn(found) == without_drawn(held)


def test_streamed_evaluation_prints_intervals_of_what_is_not_ranked(folder, capsys, streamed):
    found = json.loads(printed(capsys, "evaluate", "gold.parquet", "one", "--draws", "50"))
    (row,) = found["runs"]["rows"]
    assert row["accuracy"]["low"] < row["accuracy"]["value"] < row["accuracy"]["high"]
    assert row["cws"]["low"] is None


def test_streamed_evaluation_has_a_page(folder, capsys, streamed):
    assert run(["evaluate", "gold.parquet", "one", "--report", "page.html", "-q"]) == 0
    assert (
        "no interval of cws, average-precision: more than 200,000 pairs" in capsys.readouterr().out
    )
    page = (folder / "page.html").read_text("utf-8")
    assert "Errors among the answers when only the surest are given." in page
    assert "What every cutoff of the score would give" in page


def test_streamed_evaluation_fails_under_its_gates(folder, capsys, streamed):
    assert run(["evaluate", "gold.parquet", "one", "--fail-under", "cws=0.99"]) == 1
    assert "cws" in capsys.readouterr().err


def test_groups_of_streamed_pairs_are_refused(folder, capsys, streamed):
    assert run(["evaluate", "gold.parquet", "one", "--by", "group"]) == 3
    assert "the groups of more than 200,000 pairs are not ranked" in capsys.readouterr().err
