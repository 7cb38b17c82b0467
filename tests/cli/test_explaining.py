import json
import subprocess
import sys

import pytest

from ensue.cli.app import run

PAIR = ["A dog barks at night.", "A dog barks."]


@pytest.mark.parametrize(("name", "start"), [("why.html", "<!doctype html>"), ("why.svg", "<svg ")])
def test_explain_writes_a_page_or_a_picture(name, start, tmp_path, capsys):
    path = tmp_path / name
    assert run(["explain", *PAIR, "-o", str(path)]) == 0
    assert path.read_text("utf-8").startswith(start)
    assert capsys.readouterr() == ("", f"the explanation is in {path}\n")


def test_explain_refuses_another_name_before_anything_is_done(capsys):
    assert run(["explain", *PAIR, "-r", "nobody", "-o", "why.pdf"]) == 3
    assert "cannot write an explanation to 'why.pdf'" in capsys.readouterr().err


def test_explain_does_not_overwrite_its_pairs(tmp_path, capsys):
    pairs = tmp_path / "pairs.html"
    pairs.write_text('{"id": "1", "text": "A dog barks.", "hypothesis": "A dog barks."}\n')
    arguments = ["--pairs", str(pairs), "--id", "1", "--read", "format=jsonl"]
    assert run(["explain", *arguments, "-o", str(pairs)]) == 3
    assert "is read by the same command" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "options"), [("why.json", []), ("why.txt", ["--format", "json"])])
def test_explain_writes_json_to_a_file(name, options, tmp_path):
    path = tmp_path / name
    assert run(["explain", *PAIR, "-o", str(path), *options]) == 0
    assert json.loads(path.read_text("utf-8"))["text"] == PAIR[0]


def test_explain_takes_no_text_with_pairs(examples, capsys):
    assert run(["explain", "A dog barks.", "--pairs", str(examples), "--id", "1"]) == 2
    assert "give TEXT and HYPOTHESIS, or --pairs PAIRS and --id ID" in capsys.readouterr().err


def test_explain_that_nobody_reads_exits_with_141():
    command = f"set -o pipefail; {sys.executable} -m ensue.cli explain a b -r overlap | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (141, "")
