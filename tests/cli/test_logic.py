"""`-r logic` on the command line, with bad input too."""

import json
import sys

import pytest

from ensue.cli.app import run
from ensue.installation import pip_install

TEXT, HYPOTHESIS = "John sent a book to Mary.", "A book was sent by John."

PAIRS = [
    ("yes", TEXT, HYPOTHESIS, "entailment"),
    ("no", "No dog barks.", "A dog barks.", "contradiction"),
    ("unknown", TEXT, "Mary read a book.", "unknown"),
    ("contradictory", "Mary left. Mary did not leave.", "A dog barks.", "unknown"),
    ("wordless", "???", "A dog barks.", "unknown"),
]


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.jsonl"
    rows = [dict(zip(("id", "text", "hypothesis", "gold"), row, strict=True)) for row in PAIRS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def judged(pairs, *settings):
    target = pairs.with_name("run.jsonl")
    arguments = [part for setting in settings for part in ("-s", setting)]
    assert run(["judge", str(pairs), "-r", "logic", *arguments, "-o", str(target)]) == 0
    return target


def test_judge_counts_each_outcome(pairs, capsys):
    judged(pairs)
    assert "(1 entailment, 1 contradiction, 1 unknown, 2 failed)" in capsys.readouterr().err


def test_judge_counts_a_spent_budget_by_itself(pairs, capsys):
    judged(pairs, "steps=1")
    assert "1 unknown, 3 budget-exhausted, 1 failed)" in capsys.readouterr().err


def test_evaluate_counts_each_outcome(pairs, capsys):
    target = judged(pairs)
    arguments = ["--format", "json", "--table", "outcomes"]
    assert run(["evaluate", str(pairs), str(target), *arguments]) == 0
    (row,) = json.loads(capsys.readouterr().out)["outcomes"]["rows"]
    assert [row[name] for name in ("entailment", "contradiction", "unknown")] == [1, 1, 1]
    assert (row["budget_exhausted"], row["failed"]) == (0, 2)


def test_evaluate_counts_a_spent_budget_by_itself(pairs, capsys):
    target = judged(pairs, "steps=1")
    arguments = ["--format", "json", "--table", "outcomes"]
    assert run(["evaluate", str(pairs), str(target), *arguments]) == 0
    (row,) = json.loads(capsys.readouterr().out)["outcomes"]["rows"]
    assert (row["budget_exhausted"], row["failed"]) == (3, 1)


def test_explain_shows_meanings_and_proof(capsys):
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "logic"]) == 0
    shown = capsys.readouterr().out
    assert "send: agent John, patient a book, recipient Mary" in shown
    assert "How the hypothesis follows" in shown
    assert "verdict: entailment, score 1.0000, confidence 1.0000" in shown
    assert "fof(" not in shown


def test_explain_shows_the_trace_where_it_is_asked_for(capsys):
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "logic", "--trace"]) == 0
    shown = capsys.readouterr().out
    assert "How it was rewritten" in shown
    assert "∃" in shown


def test_explain_prints_the_problem_for_provers(capsys):
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "logic", "--format", "tptp"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("fof(") and line.endswith(").") for line in lines)
    assert lines[-1].startswith("fof(goal, conjecture, ")


def test_explain_has_no_problem_of_what_is_not_proved(capsys):
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "overlap", "--format", "tptp"]) == 3
    assert "there is no problem for a prover" in capsys.readouterr().err


def test_explain_writes_what_is_folded_away_as_such(tmp_path):
    page = tmp_path / "page.html"
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "logic", "-o", str(page)]) == 0
    html = page.read_text("utf-8")
    assert html.index("How the hypothesis follows") < html.index("<details>")
    assert html.index("<details>") < html.index("fof(goal")


def test_explain_says_so_where_a_text_contradicts_itself(capsys):
    text = "Mary left. Mary did not leave."
    assert run(["explain", text, "A dog barks.", "-r", "logic"]) == 0
    shown = capsys.readouterr().out
    assert "What contradicts itself" in shown
    assert "verdict: failed: the text contradicts itself" in shown


def test_explain_says_so_where_there_is_nothing_to_read(capsys):
    assert run(["explain", "???", "A dog barks.", "-r", "logic"]) == 0
    assert "verdict: failed: the text has no words" in capsys.readouterr().out


def test_prover_that_dies_is_named_in_the_verdict(capsys):
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "logic", "-s", "prover=tptp:false"]) == 0
    assert "verdict: failed: the prover `false {file}` gave no" in capsys.readouterr().out


def test_prover_that_is_missing_is_an_error(capsys):
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "logic", "-s", "prover=tptp:no-such"]) == 3
    assert "cannot start the prover 'no-such'" in capsys.readouterr().err


def test_recognizers_are_listed_without_z3(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "z3", None)
    assert run(["list", "recognizers"]) == 0
    assert "logic" in capsys.readouterr().out


def test_missing_z3_is_an_error_with_what_to_run(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "z3", None)
    assert run(["explain", TEXT, HYPOTHESIS, "-r", "logic"]) == 3
    assert f"hint: run: {pip_install('z3-solver')}" in capsys.readouterr().err
