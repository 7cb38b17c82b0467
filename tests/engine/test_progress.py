"""Where a run stands, told by itself and seen from outside."""

import json
import os
import time
from dataclasses import asdict
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.engine import progress
from ensue.engine.job import ShardAccount
from ensue.engine.progress import (
    ProgressMonitor,
    RunState,
    WorkerEvent,
    WorkerEventKind,
    snapshot_from_json,
)
from ensue.engine.status import run_status
from ensue.engine.store import MANIFEST, STATUS, LocalFolder, RunPlan, open_folder, write_record
from ensue.errors import OutputError, RunError
from ensue.pairs import RunHeader, Signature, write_run


def account(number, n_items=10, **others):
    return ShardAccount(number, f"part-{number:06d}.jsonl", n_items, n_items, 5, "0", 1.0, **others)


def batch(worker, shard, n):
    return WorkerEvent(worker, WorkerEventKind.BATCH, shard, n, 77)


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes when it is told to."""
    time = SimpleNamespace(at=100.0, monotonic=lambda: time.at)
    monkeypatch.setattr(progress, "time", time)
    return time


@pytest.fixture
def folder(tmp_path):
    return LocalFolder(tmp_path)


@pytest.fixture
def monitor(folder, clock):
    made = ProgressMonitor(folder, "pairs with bleu", "embedded")
    made.n_items, made.n_shards = 40, 4
    return made


def test_progress_counts_what_workers_have_begun(monitor):
    monitor.done(account(0))
    monitor.on_event(batch("worker 0", 1, 4))
    monitor.on_event(batch("worker 1", 2, 3))
    snapshot = monitor.snapshot()
    assert (snapshot.n_done, snapshot.shards_done) == (10 + 4 + 3, 1)


def test_progress_counts_a_shard_once_that_two_workers_are_at(monitor):
    monitor.on_event(batch("worker 0", 1, 4))
    monitor.on_event(batch("worker 1", 1, 6))
    assert monitor.snapshot().n_done == 6
    assert monitor.done(account(1))
    assert not monitor.done(account(1))
    assert monitor.snapshot().n_done == 10


@pytest.mark.parametrize("state", [RunState.INTERRUPTED, RunState.FAILED])
def test_progress_counts_only_what_is_kept_once_the_run_has_ended(monitor, state):
    monitor.done(account(0))
    monitor.on_event(batch("worker 0", 1, 4))
    snapshot = monitor.snapshot(state)
    assert (snapshot.n_done, snapshot.n_items, snapshot.remaining) == (10, 40, None)


def test_progress_takes_blank_lines_for_no_items_at_the_end(monitor):
    for number in range(4):
        monitor.done(account(number, 9))
    snapshot = monitor.snapshot(RunState.FINISHED)
    assert (snapshot.n_done, snapshot.n_items, snapshot.n_shards) == (36, 36, 4)


def test_progress_leaves_the_start_of_workers_out_of_the_rate(monitor, clock):
    assert monitor.snapshot().rate is None
    clock.at += 8  # nothing yet: they load what they need
    assert monitor.snapshot().rate is None
    clock.at += 2
    monitor.done(account(0))
    snapshot = monitor.snapshot()
    assert snapshot.rate == 10 / 2
    assert snapshot.remaining == (40 - 10) / 5


def test_progress_leaves_what_was_done_before_out_of_the_rate(monitor, clock):
    monitor.resumed(account(0))
    monitor.snapshot()
    clock.at += 4
    monitor.done(account(1))
    snapshot = monitor.snapshot()
    assert (snapshot.n_done, snapshot.n_resumed) == (20, 10)
    assert snapshot.rate == round(10 / 4, 3)


def test_progress_takes_the_rate_of_the_last_minute(monitor, clock):
    for number in range(4):
        clock.at += 40
        monitor.done(account(number, 10 * (number + 1)))
        rate = monitor.snapshot().rate
    # after 80, 120 and 160 seconds 30, 60 and 100 are done; what lies further back is forgotten
    assert rate == round((100 - 60) / 40, 3)


def test_progress_gives_the_rate_of_the_whole_run_at_its_end(monitor, clock):
    monitor.resumed(account(0))
    clock.at += 10
    monitor.done(account(1))
    clock.at += 10
    assert monitor.snapshot(RunState.FINISHED).rate == 10 / 20


def test_progress_adds_up_what_shards_tell(monitor):
    one = {"counts": {"status": {"decided": 9, "failed": 1}}, "figures": {"texts": 5}}
    monitor.done(account(0, **one))
    monitor.done(account(1, **one))
    snapshot = monitor.snapshot()
    assert snapshot.counts == {"status": {"decided": 18, "failed": 2}}
    assert (snapshot.figures, snapshot.n_failed) == ({"texts": 10}, 2)


def test_progress_knows_its_workers(monitor, clock):
    monitor.on_event(batch("worker 0", 3, 0))
    clock.at += 2
    monitor.on_event(
        WorkerEvent("worker 0", WorkerEventKind.DIED, 3, "its process exited with 1", 78)
    )
    monitor.on_event(batch("worker 0", 3, 8))
    (worker,) = monitor.snapshot().workers
    assert (worker.process, worker.shard, worker.in_shard, worker.deaths) == (77, 3, 8, 1)
    assert worker.rate == 8 / 2
    monitor.on_event(WorkerEvent("worker 0", WorkerEventKind.DONE, 3, account(3), 77))
    (worker,) = monitor.snapshot().workers
    assert (worker.shard, worker.n_done) == (None, 10)


def test_progress_has_the_memory_of_driver_and_workers(monitor):
    alone = monitor.snapshot().memory
    assert alone > 10_000_000  # of this process
    for number in range(2):
        event = WorkerEvent(f"worker {number}", WorkerEventKind.BATCH, number, 0, 77, 10**12)
        monitor.on_event(event)
    assert [each.memory for each in monitor.snapshot().workers] == [10**12, 10**12]
    assert monitor.snapshot().memory // 10**12 == 2


def test_progress_is_seen_although_the_status_cannot_be_written(tmp_path):
    seen = []
    monitor = ProgressMonitor(LocalFolder(tmp_path / "nowhere"), "x", "embedded", seen.append)
    with pytest.raises(OutputError, check=coded("cannot-write")):
        monitor.begin()
    assert [each.state for each in seen] == [RunState.RUNNING]


def test_progress_renews_the_lock_of_its_folder(monkeypatch, wait_until):
    monkeypatch.setattr(progress, "_EVERY", 0.01)
    folder = open_folder("memory://watched/run")
    with folder.lock():
        folder.write(".lock", b"0")  # long ago
        assert not folder.is_locked()
        monitor = ProgressMonitor(folder, "x", "embedded")
        monitor.begin()
        wait_until(folder.is_locked, "a lock that is renewed")
        monitor.end(RunState.FINISHED)
    folder.remove_all()


def test_progress_writes_the_end_into_the_status(folder):
    monitor = ProgressMonitor(folder, "pairs with bleu", "embedded")
    monitor.begin()
    monitor.end(RunState.FAILED, "no more room")
    status = json.loads(folder.read(STATUS))
    assert (status["state"], status["reason"]) == ("failed", "no more room")
    assert status["process"] == os.getpid()


class Unlucky(LocalFolder):
    """A folder whose lock cannot be renewed at first."""

    n_renewed = 0

    def renew(self):
        Unlucky.n_renewed += 1
        if Unlucky.n_renewed == 1:
            raise RuntimeError("of its own kind")


def test_progress_goes_on_whatever_comes_up_on_the_way(tmp_path, monkeypatch, caplog):
    def onlooker(snapshot):
        seen.append(snapshot)
        if len(seen) > 1:
            raise OSError(5, "the terminal is gone")

    seen = []
    monkeypatch.setattr(progress, "_EVERY", 0.001)
    monkeypatch.setattr(Unlucky, "n_renewed", 0)
    monitor = ProgressMonitor(Unlucky(tmp_path), "x", "embedded", onlooker)
    monitor.begin()
    end = time.monotonic() + 10
    while len(seen) < 4 and time.monotonic() < end:
        time.sleep(0.001)
    monitor.end(RunState.FINISHED)
    assert len(seen) >= 5
    assert Unlucky.n_renewed >= 3
    assert json.loads(LocalFolder(tmp_path).read(STATUS))["state"] == "finished"
    assert [record.getMessage() for record in caplog.records] == [
        "the status cannot be shown: RuntimeError"
    ]


@given(
    st.sampled_from(RunState),
    st.integers(0, 100),
    st.dictionaries(st.text(), st.integers(0, 9)),
    st.none() | st.text(),
)
def test_snapshot_survives_json(state, n_done, counts, reason):
    monitor = ProgressMonitor(LocalFolder("unused"), "x", "embedded")
    monitor.on_event(batch("worker 0", 1, n_done))
    monitor.done(account(0, n_done, counts={"status": counts}))
    snapshot = monitor.snapshot(state, reason)
    assert snapshot_from_json(json.loads(json.dumps(asdict(snapshot)))) == snapshot


@pytest.fixture
def begun(folder, monitor):
    """The folder of a run with a plan, half of it done."""
    RunPlan({"job": "judge"}, "digest", 10, ".jsonl", "2026-01-02T03:04:05+00:00").write(folder)
    for number in range(2):
        monitor.done(account(number))
        folder.enter(account(number).to_line())
    monitor.on_event(batch("worker 0", 2, 5))
    return folder


def show(folder, monitor, state, reason=None):
    write_record(folder, STATUS, asdict(monitor.snapshot(state, reason)))


def test_status_of_a_run_that_goes_on(begun, monitor):
    show(begun, monitor, RunState.RUNNING)
    with begun.lock():
        standing = run_status(begun.name)
    assert (standing.state, standing.snapshot.n_done) == (RunState.RUNNING, 25)
    assert (standing.is_well, standing.hint) == (True, None)


def test_status_of_a_killed_run_counts_what_is_kept(begun, monitor):
    show(begun, monitor, RunState.RUNNING)
    begun.enter(b'{"number": 2, "n_it')
    standing = run_status(begun.name)
    assert (standing.state, standing.snapshot.n_done) == (RunState.KILLED, 20)
    assert not standing.is_well
    assert "--resume" in standing.hint


@pytest.mark.parametrize("state", [RunState.INTERRUPTED, RunState.FAILED])
def test_status_of_a_run_that_ended_before_its_time(begun, monitor, state):
    show(begun, monitor, state, "a reason")
    standing = run_status(begun.name)
    assert (standing.state, standing.snapshot.reason) == (state, "a reason")
    assert not standing.is_well


def test_status_of_a_run_that_is_taken_up_again_is_running(begun, monitor):
    show(begun, monitor, RunState.FAILED, "a reason")
    with begun.lock():
        standing = run_status(begun.name)
    assert (standing.state, standing.snapshot.reason) == (RunState.RUNNING, None)


def test_status_of_shards_that_were_never_put_together_is_killed(begun, monitor):
    show(begun, monitor, RunState.FINISHED)
    with begun.lock():
        assert run_status(begun.name).state is RunState.RUNNING
    assert run_status(begun.name).state is RunState.KILLED


def test_status_of_a_finished_folder(begun, monitor):
    show(begun, monitor, RunState.FINISHED)
    write_record(begun, MANIFEST, {"ensue_folder": 1})
    standing = run_status(begun.name)
    assert (standing.state, standing.snapshot.n_done) == (RunState.FINISHED, 20)


def test_status_of_a_folder_that_has_only_its_manifest(folder):
    manifest = {
        "ensue_folder": 1,
        "signature": {"recognizer": "bleu"},
        "data": {"name": "pairs"},
        "cost": {"pairs": 7, "seconds": 2.0, "pairs_per_second": 3.5, "texts": 4, "analyzed": 3},
        "statuses": {"decided": 10},
        "shards": [{"rows": 6}, {"rows": 4}],
        "finished": "2026-01-02T03:04:05+00:00",
    }
    write_record(folder, MANIFEST, manifest)
    found = run_status(folder.name).snapshot
    assert (found.state, found.what) == (RunState.FINISHED, "pairs with bleu")
    assert (found.n_done, found.n_resumed, found.shards_done, found.rate) == (10, 3, 2, 3.5)
    assert found.counts == {"status": {"decided": 10}}
    assert found.figures == {"texts": 4, "analyzed": 3}


def test_status_of_a_plan_alone(begun):
    with begun.lock():
        assert run_status(begun.name).state is RunState.RUNNING
    assert run_status(begun.name).state is RunState.KILLED


def test_status_of_the_file_that_is_being_made(tmp_path, monitor):
    partial = LocalFolder(tmp_path / "run.jsonl.partial")
    with partial.lock():
        RunPlan({"job": "judge"}, "digest", 10, ".jsonl", "").write(partial)
        show(partial, monitor, RunState.RUNNING)
        standing = run_status(str(tmp_path / "run.jsonl"))
    assert (standing.state, standing.place) == (RunState.RUNNING, partial.name)


def test_status_of_the_file_that_was_made(tmp_path):
    data = {"name": "pairs", "pairs": 10}
    cost = {"pairs": 4, "seconds": 2.0, "engine": "embedded", "deaths": 1}
    target = tmp_path / "run.jsonl"
    write_run(target, RunHeader(Signature("bleu", "1"), data, "2026-01-02", cost), [])
    found = run_status(str(target)).snapshot
    assert (found.state, found.n_done, found.n_resumed) == (RunState.FINISHED, 10, 6)
    assert (found.engine, found.deaths, found.started) == ("embedded", 1, "2026-01-02")


def test_status_is_seen_behind_a_url(monitor):
    folder = open_folder("memory://standing/run")
    with folder.lock():
        RunPlan({"job": "judge"}, "digest", 10, ".parquet", "").write(folder)
        show(folder, monitor, RunState.RUNNING)
        assert run_status("memory://standing/run/").state is RunState.RUNNING
    assert run_status("memory://standing/run").state is RunState.KILLED
    folder.remove_all()


def test_status_of_what_is_no_run_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("words")
    with pytest.raises(RunError, check=coded("no-run-folder")):
        run_status(str(tmp_path))
    with pytest.raises(RunError, match="there is no such run"):
        run_status(str(tmp_path / "elsewhere"))
    with pytest.raises(RunError, check=coded("file-not-say-made")):
        run_status(str(tmp_path / "notes.txt"))


def test_status_of_another_version_is_refused(begun):
    write_record(begun, STATUS, {"state": "dreaming", "workers": []})
    with pytest.raises(RunError, match=r"status\.json: not the status of a run: 'dreaming'"):
        run_status(begun.name)
