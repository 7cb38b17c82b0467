"""Runs are written whole, go on where they stopped, and lose nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

import ensue
from ensue.engine import judge_file, judge_stream
from ensue.errors import DataError, OutputError, RunError, SettingError
from ensue.pairs import Pair, pairs_hash, read_pairs, read_run


@dataclass
class Stopping:
    """A recognizer that stops in the middle, as a kill or Ctrl-C would."""

    inner: object
    batches: int
    error: type[BaseException] = KeyboardInterrupt

    @property
    def signature(self):
        return self.inner.signature

    def judge(self, pairs):
        if self.batches == 0:
            raise self.error
        self.batches -= 1
        return self.inner.judge(pairs)


def judge(recognizer, source, target, **options):
    return judge_file(recognizer, read_pairs(source), source, target, batch_size=64, **options)


@pytest.fixture
def recognizer():
    return ensue.load("random")


@pytest.fixture
def stopped(recognizer, source, tmp_path):
    """A target beside which three batches are done."""
    target = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt):
        judge(Stopping(recognizer, 3), source, target)
    return target


def verdicts_of(recognizer, source):
    return tuple(recognizer.judge(list(read_pairs(source))))


def test_run_has_every_verdict_and_a_header(recognizer, source, tmp_path):
    account = judge(recognizer, source, tmp_path / "run.jsonl")
    run = read_run(tmp_path / "run.jsonl")
    assert run.verdicts == verdicts_of(recognizer, source)
    assert run.header.signature == recognizer.signature
    assert run.header.data == {
        "name": "pairs",
        "pairs": 500,
        "sha256": pairs_hash(read_pairs(source)),
        "task_sha256": run.header.data["task_sha256"],
    }
    assert run.header.cost["seconds"] >= 0
    assert (account.n_pairs, account.n_resumed, account.statuses) == (500, 0, {"decided": 500})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pairs.jsonl", "run.jsonl"]


def test_plain_run_has_every_verdict(recognizer, source, tmp_path):
    judge(recognizer, source, tmp_path / "run.txt", plain=True)
    run = read_run(tmp_path / "run.txt")
    expected = verdicts_of(recognizer, source)
    assert [v.label for v in run.verdicts] == [v.label for v in expected]
    assert [v.confidence for v in run.verdicts] == [v.confidence for v in expected]


def test_interrupted_run_leaves_no_run_but_what_is_done(stopped):
    assert not stopped.exists()
    assert len(stopped.with_name("run.jsonl.partial").read_text().splitlines()) == 1 + 3 * 64


def test_interrupted_run_leaves_an_older_run_as_it_was(recognizer, source, tmp_path):
    target = tmp_path / "run.jsonl"
    target.write_text("older")
    with pytest.raises(KeyboardInterrupt):
        judge(Stopping(recognizer, 1), source, target)
    assert target.read_text() == "older"


def test_resumed_run_loses_nothing_and_repeats_nothing(stopped, recognizer, source):
    counting = Stopping(recognizer, 100)
    account = judge(counting, source, stopped, resume=True)
    assert account.n_resumed == 3 * 64
    assert 100 - counting.batches == 5  # (500 - 192) / 64, rounded up
    assert read_run(stopped).verdicts == verdicts_of(recognizer, source)
    assert not stopped.with_name("run.jsonl.partial").exists()


def test_resumed_run_mends_a_line_that_was_cut_off(stopped, recognizer, source):
    partial = stopped.with_name("run.jsonl.partial")
    partial.write_bytes(partial.read_bytes()[:-20])
    assert judge(recognizer, source, stopped, resume=True).n_resumed == 3 * 64 - 1
    assert read_run(stopped).verdicts == verdicts_of(recognizer, source)


def test_resume_without_an_unfinished_run_begins(recognizer, source, tmp_path):
    assert judge(recognizer, source, tmp_path / "run.jsonl", resume=True).n_resumed == 0


def test_resume_of_a_finished_run_does_nothing(recognizer, source, tmp_path):
    target = tmp_path / "run.jsonl"
    judge(recognizer, source, target)
    before = target.read_bytes()
    account = judge(Stopping(recognizer, 0), source, target, resume=True)
    assert (account.n_pairs, account.n_resumed) == (500, 500)
    assert target.read_bytes() == before


@pytest.mark.parametrize("plain", [True, False])
def test_resume_refuses_a_finished_run_of_another_task(recognizer, source, tmp_path, plain):
    target = tmp_path / "run.jsonl"
    judge(ensue.load("random", {"seed": 1}), source, target, plain=plain)
    before = target.read_bytes()
    with pytest.raises(RunError, match="what is there is not this run"):
        judge(recognizer, source, target, resume=True)
    assert target.read_bytes() == before
    assert judge(recognizer, source, target, restart=True).n_resumed == 0


def test_cost_of_a_resumed_run_is_that_of_the_rest(stopped, recognizer, source):
    judge(recognizer, source, stopped, resume=True)
    assert read_run(stopped).header.cost["pairs"] == 500 - 3 * 64


def test_doubled_ids_are_a_finding(recognizer, source, tmp_path):
    source.write_text(source.read_text() + source.read_text().splitlines()[3] + "\n")
    account = judge(recognizer, source, tmp_path / "run.jsonl")
    (finding,) = account.findings
    assert finding.code == "duplicate-id"
    assert finding.message.startswith("1 pairs have the id of an earlier pair")


def test_unfinished_run_is_not_overwritten_unasked(stopped, recognizer, source):
    with pytest.raises(OutputError, match="an unfinished run is in") as caught:
        judge(recognizer, source, stopped)
    assert "--resume" in caught.value.hint
    assert judge(recognizer, source, stopped, restart=True).n_resumed == 0


def test_resume_refuses_another_recognizer(stopped, source):
    with pytest.raises(RunError, match="was begun with random"):
        judge(ensue.load("random", {"seed": 1}), source, stopped, resume=True)


def test_resume_refuses_other_pairs(stopped, recognizer, source):
    source.write_text(source.read_text().replace("word7 ", "word8 "))
    with pytest.raises(RunError, match="was begun on other pairs"):
        judge(recognizer, source, stopped, resume=True)


def test_resume_refuses_another_reading_of_the_pairs(recognizer, source, tmp_path):
    target = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt):
        judge(Stopping(recognizer, 3), source, target, reading={"encoding": None})
    with pytest.raises(RunError, match="was begun reading the pairs with"):
        judge(recognizer, source, target, resume=True, reading={"encoding": "latin-1"})


@pytest.mark.parametrize("line", ["{broken", "[]", '{"pair_id": 1, "label": "perhaps"}'])
def test_resume_refuses_a_broken_line(stopped, recognizer, source, line):
    partial = stopped.with_name("run.jsonl.partial")
    lines = partial.read_text().splitlines()
    lines[5] = line
    partial.write_text("\n".join(lines) + "\n")
    with pytest.raises(RunError) as caught:
        judge(recognizer, source, stopped, resume=True)
    assert caught.value.place == f"{partial}:6"


def test_second_process_is_refused_while_the_first_judges(recognizer, source, tmp_path):
    target = tmp_path / "run.jsonl"
    process = start_slow(source, target)
    for option in ({}, {"resume": True}, {"restart": True}):
        with pytest.raises(OutputError, match="another process is judging into"):
            judge(recognizer, source, target, **option)
    process.communicate()
    assert process.returncode == 0
    assert read_run(target).verdicts == verdicts_of(recognizer, source)


def test_recognizer_that_loses_a_pair_is_a_bug(recognizer, source, tmp_path):
    @dataclass
    class Losing(Stopping):
        def judge(self, pairs):
            return self.inner.judge(pairs)[1:]

    with pytest.raises(ValueError, match="does not give each pair its verdict"):
        judge(Losing(recognizer, 1), source, tmp_path / "run.jsonl")


def test_resume_refuses_what_is_not_an_unfinished_run(recognizer, source, tmp_path):
    (tmp_path / "run.jsonl.partial").write_text("something else\n")
    with pytest.raises(RunError, match="not an unfinished run"):
        judge(recognizer, source, tmp_path / "run.jsonl", resume=True)


def test_resume_refuses_standard_input(recognizer, tmp_path):
    with pytest.raises(SettingError, match="standard input cannot be resumed"):
        judge_file(recognizer, [], "-", tmp_path / "run.jsonl", resume=True)


def test_broken_pairs_leave_nothing_behind(recognizer, source, tmp_path):
    source.write_text(source.read_text() + '{"id": "cut')
    with pytest.raises(DataError):
        judge(recognizer, source, tmp_path / "run.jsonl")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pairs.jsonl"]


def test_unwritable_output_is_said(recognizer, source, tmp_path):
    with pytest.raises(OutputError, match="cannot write"):
        judge(recognizer, source, tmp_path / "nowhere" / "run.jsonl")


def test_stream_is_judged_batch_by_batch(recognizer):
    taken = []

    def pairs():
        for i in range(100):
            taken.append(i)
            yield Pair(str(i), "a", "b")

    told = []
    stream = judge_stream(recognizer, pairs(), batch_size=10, progress=told.append)
    assert next(stream).pair_id == "0"
    assert len(taken) == 10  # no more than a batch is held
    assert len(list(stream)) == 99
    assert told == [10] * 10


_SLOW = """
import sys, time
import ensue
from ensue.cli.app import main
from ensue.recognizers.random import RandomScorer
scores = RandomScorer.scores
def slow(self, pairs):
    time.sleep(0.05)
    return scores(self, pairs)
RandomScorer.scores = slow
main(sys.argv[1:])
"""


def start_slow(source, target, *more):
    arguments = ["judge", source, "-r", "random", "-o", target, "--batch-size", "10", *more]
    process = subprocess.Popen(
        [sys.executable, "-c", _SLOW, *map(str, arguments)], stderr=subprocess.PIPE, text=True
    )
    partial = target.with_name(target.name + ".partial")
    while not (partial.exists() and partial.read_text().count("\n") > 5):
        time.sleep(0.01)
        assert process.poll() is None
    return process


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_killed_process_can_be_resumed(how, recognizer, source, tmp_path):
    target = tmp_path / "run.jsonl"
    process = start_slow(source, target)
    os.kill(process.pid, how)
    message = process.communicate()[1]
    assert not target.exists()
    codes = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}
    assert process.returncode == codes[how]
    if how != signal.SIGKILL:
        assert "go on with --resume" in message
        assert "Traceback" not in message
    assert ensue_run("judge", source, "-r", "random", "-o", target, "--resume") == 0
    assert read_run(target).verdicts == verdicts_of(recognizer, source)


def ensue_run(*arguments):
    from ensue.cli.app import run

    return run([str(argument) for argument in arguments])


def test_verdict_lines_are_the_documented_ones(recognizer, source, tmp_path):
    judge(recognizer, source, tmp_path / "run.jsonl")
    header, first, *_ = (tmp_path / "run.jsonl").read_text().splitlines()
    assert list(json.loads(header)) == ["ensue_run", "signature", "data", "started", "cost"]
    assert list(json.loads(first)) == [
        "pair_id",
        "label",
        "score",
        "confidence",
        "status",
        "reason",
    ]
