"""The log of a run."""

import json
import logging

import pytest
from tests.errors import coded

from ensue.engine import RunOptions
from ensue.engine.job import ShardAccount
from ensue.engine.progress import (
    LOG,
    LogFormat,
    ProgressMonitor,
    RunState,
    WorkerEvent,
    WorkerEventKind,
    log_death,
    log_ended,
    log_shard,
    logging_to,
)
from ensue.errors import EngineError, OutputError
from ensue.recognizers.jobs import judge_source


def account(**others):
    return ShardAccount(3, "part-000003.jsonl", 8, 8, 5, "0", 1.5, **others)


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def log(tmp_path):
    return tmp_path / "run.log"


def test_log_in_text_has_time_level_message_and_fields(log):
    with logging_to(str(log)):
        log_death(WorkerEvent("worker 0", WorkerEventKind.DIED, 4, "its process exited with 1", 77))
    time, rest = log.read_text().split(" ", 1)
    assert time.endswith("+00:00")
    assert rest == (
        'warning: a worker died: its process exited with 1 worker="worker 0" shard=4 process=77\n'
    )


def test_log_in_json_has_an_object_a_line(log):
    with logging_to(str(log), LogFormat.JSON):
        log_shard(account())
    (told,) = lines(log)
    assert told.pop("time").endswith("+00:00")
    assert told == {
        "level": "info",
        "message": "shard 3 done",
        "event": "shard-done",
        "shard": 3,
        "items": 8,
        "seconds": 1.5,
    }


def test_log_names_failed_items_and_not_what_is_in_them(log):
    failed = (("7", "ValueError: cannot read 'a secret text'"), ("8", "its process was killed"))
    with logging_to(str(log)):
        log_shard(account(blamed=failed))
    text = log.read_text()
    assert "'7' failed: ValueError shard=3 item=7\n" in text
    assert "'8' failed: its process was killed shard=3 item=8\n" in text
    assert "secret" not in text


def test_log_tells_why_a_run_failed_on_one_line(log):
    last = ProgressMonitor(None, "x", "embedded").snapshot(RunState.FAILED)
    error = EngineError("no-workers", "no workers\nare there", place="somewhere", hint="wait")
    with logging_to(str(log)):
        log_ended(error, last, is_interrupted=False)
    assert "error: run failed: no workers are there place=somewhere items=0" in log.read_text()
    assert len(log.read_text().splitlines()) == 1


def test_log_is_written_behind_what_is_there(log):
    log.write_text("before\n")
    with logging_to(str(log)):
        log_shard(account())
    assert log.read_text().startswith("before\n2")


def test_log_goes_to_standard_error(capsys):
    with logging_to("-"):
        log_shard(account())
    assert "shard 3 done" in capsys.readouterr().err


def test_log_that_cannot_be_written_is_refused(tmp_path):
    with (
        pytest.raises(OutputError, check=coded("cannot-write")),
        logging_to(str(tmp_path / "no" / "log")),
    ):
        pass


def test_log_that_breaks_is_complained_of_once(log, capsys):
    with logging_to(str(log)):
        (handler,) = LOG.handlers
        handler._file.close()
        log_shard(account())
        log_shard(account())
    assert capsys.readouterr().err.count("the log cannot be written any more") == 1


@pytest.mark.parametrize("target", [None, "-", "file"])
def test_log_leaves_nothing_set(target, log):
    before = LOG.level, list(LOG.handlers)
    with logging_to(str(log) if target == "file" else target):
        assert LOG.level == logging.INFO
    assert (LOG.level, LOG.handlers) == before


def test_no_log_prints_no_warnings_either(capsys):
    with logging_to(None):
        log_death(WorkerEvent("worker 0", WorkerEventKind.DIED, 4, "its process exited with 1", 77))
    assert capsys.readouterr().err == ""


def test_log_of_a_run_tells_how_it_begins_and_ends(source, tmp_path, log):
    target = str(tmp_path / "run.jsonl")
    with logging_to(str(log), LogFormat.JSON):
        judge_source(str(source), target, "modified-bleu", options=RunOptions(shard_size=200))
    begun, *shards, finished = lines(log)
    assert [each["event"] for each in shards] == ["shard-done"] * 3
    assert (begun["event"], finished["event"]) == ("run-begun", "run-finished")
    assert begun["source"] == str(source)
    assert (begun["output"], begun["shard_size"], begun["engine"]) == (
        f"{target}.partial",
        200,
        "embedded",
    )
    assert begun["job"]["signature"]["recognizer"] == "modified-bleu"
    assert (finished["items"], finished["status"]) == (500, {"decided": 500})
    assert "word1 is here" not in log.read_text()


def test_log_of_a_run_that_goes_on_tells_how_much_was_done(source, tmp_path, log):
    target = str(tmp_path / "run") + "/"
    judge_source(str(source), target, "modified-bleu", options=RunOptions(shard_size=200))
    next((tmp_path / "run").glob("part-000001.*")).unlink()
    with logging_to(str(log), LogFormat.JSON):
        judge_source(str(source), target, "modified-bleu", options=RunOptions(resume=True))
    resumed = lines(log)[1]
    assert (resumed["event"], resumed["shards"], resumed["items"]) == ("run-resumed", 2, 300)
    assert lines(log)[-1]["resumed"] == 300
