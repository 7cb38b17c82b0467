"""`ensue evaluate`, `cutoff` and `power` on folders, whatever their number."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ensue.cli.app import run
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
def many_pairs(few_are_many, monkeypatch):
    few_are_many(monkeypatch)


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
def test_many_pairs_print_what_few_do(folder, capsys, request, arguments):
    held = json.loads(printed(capsys, *arguments))
    request.getfixturevalue("many_pairs")
    found = json.loads(printed(capsys, *arguments))
    assert without_drawn(found) == without_drawn(held)


@pytest.mark.usefixtures("many_pairs")
def test_evaluation_of_many_pairs_prints_all_intervals(folder, capsys):
    found = json.loads(printed(capsys, "evaluate", "gold.parquet", "one", "--draws", "50"))
    (row,) = found["runs"]["rows"]
    for name in ("accuracy", "cws", "average-precision"):
        assert row[name]["low"] < row[name]["value"] < row[name]["high"]


@pytest.mark.usefixtures("many_pairs")
def test_evaluation_of_many_pairs_has_a_page(folder, capsys):
    assert run(["evaluate", "gold.parquet", "one", "--report", "page.html", "-q"]) == 0
    page = (folder / "page.html").read_text("utf-8")
    assert "Errors among the answers when only the surest are given." in page
    assert "What every cutoff of the score would give" in page


@pytest.mark.usefixtures("many_pairs")
def test_evaluation_of_many_pairs_fails_under_its_gates(folder, capsys):
    assert run(["evaluate", "gold.parquet", "one", "--fail-under", "cws=0.99"]) == 1
    assert "cws" in capsys.readouterr().err
