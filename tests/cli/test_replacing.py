"""What took work is not lost by surprise: asked for on a terminal, refused elsewhere."""

import json

import pytest

from ensue.cli.app import run
from ensue.pairs import read_run

TWO = "id,text,hypothesis,gold\n1,A dog barks.,A dog barks.,entailment\n2,A cat,A cat,entailment\n"


@pytest.fixture
def terminal(monkeypatch):
    """Somebody who gives an answer, and what they were asked."""
    asked = []

    def at_terminal(answer):
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
        monkeypatch.setattr("click.confirm", lambda question, **_: asked.append(question) or answer)
        return asked

    return at_terminal


def judged(examples, target, *more, recognizer="overlap"):
    return run(["judge", str(examples), "-r", recognizer, "-o", str(target), "-q", *more])


def recognizer_of(target):
    return read_run(target).header.signature.recognizer


def test_run_of_another_recognizer_is_not_replaced(examples, tmp_path, capsys):
    target = tmp_path / "run.jsonl"
    assert judged(examples, target) == 0
    assert judged(examples, target, recognizer="bleu") == 3
    message = capsys.readouterr().err
    assert "run.jsonl' holds another run, overlap|" in message
    assert "hint: replace it with --force, or name another output" in message
    assert recognizer_of(target) == "overlap"
    assert not target.with_name("run.jsonl.partial").exists()


@pytest.mark.parametrize("option", ["--force", "--restart"])
def test_run_of_another_recognizer_is_replaced_where_that_is_said(examples, tmp_path, option):
    target = tmp_path / "run.jsonl"
    assert judged(examples, target) == 0
    assert judged(examples, target, option, recognizer="bleu") == 0
    assert recognizer_of(target) == "bleu"


@pytest.mark.parametrize(("answer", "code", "left"), [(True, 0, "bleu"), (False, 3, "overlap")])
def test_somebody_at_a_terminal_is_asked(examples, tmp_path, terminal, answer, code, left):
    target = tmp_path / "run.jsonl"
    assert judged(examples, target) == 0
    asked = terminal(answer)
    assert judged(examples, target, recognizer="bleu") == code
    assert recognizer_of(target) == left
    assert len(asked) == 1
    assert asked[0].endswith("which would be lost. Replace it?")


def test_same_run_is_made_again_without_a_question(examples, tmp_path):
    target = tmp_path / "run.jsonl"
    assert [judged(examples, target), judged(examples, target)] == [0, 0]


def test_data_set_is_not_replaced_by_a_run(examples, tmp_path, capsys):
    target = tmp_path / "pairs.jsonl"
    target.write_text('{"id": "1", "text": "A dog barks.", "hypothesis": "A dog barks."}\n')
    before = target.read_text()
    assert judged(examples, target) == 3
    assert "holds something that is not known to be this run" in capsys.readouterr().err
    assert target.read_text() == before


def test_empty_file_is_filled(examples, tmp_path):
    target = tmp_path / "run.jsonl"
    target.touch()
    assert judged(examples, target) == 0


def test_validation_does_not_replace_another_run(examples, tmp_path, capsys):
    target = tmp_path / "run.jsonl"
    assert judged(examples, target) == 0
    command = ["validate", str(examples), "-r", "overlap", "-o", str(target), "-q", "--folds", "2"]
    assert run(command) == 3
    assert "holds another run" in capsys.readouterr().err
    assert run([*command, "--force"]) == 0
    assert run(command) == 0  # the same once more


def test_training_does_not_replace_another_recognizer(examples, tmp_path, capsys):
    target = str(tmp_path / "trained")
    assert run(["train", str(examples), "-r", "overlap", "-o", target, "-q"]) == 0
    assert run(["train", str(examples), "-r", "overlap", "-o", target, "-q"]) == 0
    assert run(["train", str(examples), "-r", "bleu", "-o", target, "-q"]) == 3
    assert "holds another recognizer, overlap|" in capsys.readouterr().err
    assert run(["train", str(examples), "-r", "bleu", "-o", target, "-q", "--force"]) == 0


FAILING = """
import sys
for line in sys.stdin:
    print('{"label": null, "status": "failed", "reason": "no"}', flush=True)
"""


def test_judge_exits_1_where_every_pair_failed(examples, tmp_path, capsys):
    program = tmp_path / "failing.py"
    program.write_text(FAILING)
    command = ["judge", str(examples), "-r", f"command:python {program}", "-s", "guard=no"]
    assert run([*command, "-o", str(tmp_path / "run.jsonl"), "-q"]) == 1
    assert "every pair failed, 56 of 56" in capsys.readouterr().err


def test_cutoff_that_says_always_yes_is_reported_as_that(tmp_path, capsys):
    pairs, trained = tmp_path / "two.csv", tmp_path / "trained"
    pairs.write_text(TWO)
    assert run(["train", str(pairs), "-r", "overlap", "-o", str(trained), "-q"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "every pair is called entailment: the cutoff is -inf, because no other cutoff on 2 pairs is"
        " more accurate than to say yes always"
    ) in shown
    record = json.loads((trained / "recognizer.json").read_text(), parse_constant=pytest.fail)
    assert record["signature"]["cutoff"] == "-inf"
    assert run(["explain", "A dog barks.", "A cat sleeps.", "-r", str(trained)]) == 0
    assert "whatever the score, the cutoff is -inf: entailment" in capsys.readouterr().out
    target = tmp_path / "run.jsonl"
    assert run(["judge", str(pairs), "-r", str(trained), "-o", str(target), "-q"]) == 0
    assert run(["cutoff", str(pairs), str(target)]) == 0
    assert "every pair is called entailment" in " ".join(capsys.readouterr().out.split())
