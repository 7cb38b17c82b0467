"""`ensue status`."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from ensue.cli import diagnostics as status
from ensue.cli.app import run
from ensue.engine.store import LocalFolder
from ensue.pairs import Pair, write_pairs

SLOW = """
import time

def judge(pairs):
    time.sleep(0.05 * len(pairs))
    return ["entailment"] * len(pairs)
"""


@pytest.fixture
def finished(examples, tmp_path):
    """The folder of a finished run."""
    target = f"{tmp_path / 'run'}/"
    assert run(["judge", str(examples), "-r", "modified-bleu", "-o", target, "-q"]) == 0
    return tmp_path / "run"


def forget_the_end(folder, state="running"):
    (folder / "_manifest.json").unlink()
    record = json.loads((folder / "_status.json").read_text())
    record["state"] = state
    (folder / "_status.json").write_text(json.dumps(record))


def test_status_of_a_finished_run(finished, capsys):
    assert run(["status", str(finished)]) == 0
    shown = capsys.readouterr().out
    assert str(finished) in shown
    assert "finished" in shown
    assert "by status" in shown
    assert "--resume" not in shown


def test_status_of_a_file(examples, tmp_path, capsys):
    target = str(tmp_path / "run.jsonl")
    assert run(["judge", str(examples), "-r", "modified-bleu", "-o", target, "-q"]) == 0
    assert run(["status", target]) == 0
    assert "pairs with modified-bleu" in capsys.readouterr().out


@pytest.mark.parametrize("state", ["running", "failed", "interrupted"])
def test_status_of_a_run_that_needs_somebody_exits_with_one(finished, state, capsys):
    forget_the_end(finished, state)
    assert run(["status", str(finished)]) == 1
    shown = capsys.readouterr().out
    assert ("killed" if state == "running" else state) in shown
    assert "go on with the same command and --resume" in shown


def test_status_for_programs_is_one_object(finished, capsys):
    assert run(["status", str(finished), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["state"], found["place"]) == ("finished", str(finished))
    assert found["n_done"] == found["n_items"] == sum(found["counts"]["status"].values())


def test_status_while_it_runs_shows_workers(finished, capsys):
    forget_the_end(finished)
    with LocalFolder(finished).lock():
        assert run(["status", str(finished)]) == 0
    shown = capsys.readouterr().out
    assert "running" in shown
    assert "Workers" in shown


def test_status_watches_until_the_end(finished, monkeypatch, capsys):
    manifest = finished / "_manifest.json"
    kept = manifest.read_text()
    forget_the_end(finished)
    lock = LocalFolder(finished).lock()
    lock.__enter__()

    def sleep(seconds):
        lock.__exit__(None, None, None)
        manifest.write_text(kept)

    monkeypatch.setattr(status, "time", type("Clock", (), {"sleep": staticmethod(sleep)}))
    assert run(["status", str(finished), "--watch"]) == 0
    shown = capsys.readouterr()
    assert len(shown.err.splitlines()) == 1
    assert "finished" in shown.out


def test_status_of_what_is_no_run_says_what_to_name(tmp_path, capsys):
    assert run(["status", str(tmp_path)]) == 3
    message = capsys.readouterr().err
    assert "there is no run in this folder" in message
    assert "hint: name the folder or the file that was given to --output" in message


def test_status_used_wrongly_exits_with_two(finished):
    assert run(["status", str(finished), "--watch", "--format", "json"]) == 2
    assert run(["status"]) == 2


def test_status_of_a_driver_that_was_killed(tmp_path, capsys):
    (tmp_path / "slow.py").write_text(SLOW)
    write_pairs(tmp_path / "pairs.jsonl", (Pair(str(i), "a b", "a") for i in range(400)))
    command = "judge pairs.jsonl -r python:slow:judge -s guard=no -o run.jsonl -q"
    options = "--shard-size 10 --batch-size 5"
    driver = subprocess.Popen(
        [sys.executable, "-m", "ensue.cli", *command.split(), *options.split()], cwd=tmp_path
    )
    target = str(tmp_path / "run.jsonl")
    try:
        end = time.monotonic() + 30
        journal = tmp_path / "run.jsonl.partial" / "_journal.jsonl"
        while not (journal.exists() and journal.stat().st_size) and time.monotonic() < end:
            time.sleep(0.05)
        assert run(["status", target]) == 0
        assert "running" in capsys.readouterr().out
    finally:
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
    assert run(["status", target]) == 1
    shown = capsys.readouterr().out
    assert "killed" in shown
    assert "of 400" in shown
    shutil.rmtree(f"{target}.partial")
    assert run(["status", target]) == 3


def test_status_of_a_url_that_no_package_knows_speaks_of_no_writing(capsys):
    assert run(["status", "nobody://bucket/run"]) == 3
    message = capsys.readouterr().err
    assert "cannot reach 'nobody://bucket/run'" in message
    assert "cannot write" not in message


@pytest.mark.parametrize("name", ["_plan.json", "_status.json", "_manifest.json"])
def test_status_of_a_damaged_run_says_which_command_takes_restart(finished, name, capsys):
    (finished / name).write_text("{")
    assert run(["status", str(finished)]) == 3
    message = capsys.readouterr().err
    assert name in message
    assert "hint: begin it anew with the command that made it, and --restart" in message


def test_status_of_a_run_that_cannot_be_read_speaks_of_no_resume(finished, monkeypatch, capsys):
    def read_bytes(path):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("pathlib.Path.read_bytes", read_bytes)
    assert run(["status", str(finished)]) == 3
    message = capsys.readouterr().err
    assert "Input/output error" in message
    assert "--resume" not in message


def test_status_of_a_store_that_fails_is_an_error_and_no_bug(monkeypatch, capsys):
    from fsspec.implementations.memory import MemoryFileSystem

    def failing(*arguments, **options):
        raise error

    monkeypatch.setattr(MemoryFileSystem, "cat_file", failing)
    monkeypatch.setattr(MemoryFileSystem, "ls", failing)
    for error in (RuntimeError("no credentials"), PermissionError(13, "Permission denied")):
        assert run(["status", "memory://store/run"]) == 3
        assert error.args[-1] in capsys.readouterr().err


def test_status_shows_the_hint_of_a_reason_apart(finished, capsys):
    forget_the_end(finished, "failed")
    record = json.loads((finished / "_status.json").read_text())
    record["reason"] = "cannot write 'x': no space left on device\nhint: make room"
    (finished / "_status.json").write_text(json.dumps(record))
    assert run(["status", str(finished)]) == 1
    shown = [line.split(None, 1) for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert ["reason", "cannot write 'x': no space left on device"] in shown
    assert ["hint", "make room"] in shown
