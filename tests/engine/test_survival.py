"""Runs with real processes: whoever dies, and whatever is spoiled, each pair is judged once."""

import fcntl
import json
import os
import resource
import signal
import subprocess
import termios

import pytest

from ensue.pairs import read_run


def ids(lab, output="run.jsonl"):
    return [verdict.pair_id for verdict in read_run(lab.path / output).verdicts]


def failed(lab, output="run.jsonl"):
    """The reasons of the pairs that failed, by id."""
    verdicts = read_run(lab.path / output).verdicts
    return {each.pair_id: each.reason for each in verdicts if each.label is None}


def undisturbed(n):
    """The verdict lines that the laboratory's recognizer gives if nothing happens."""
    return [
        json.dumps(
            {
                "pair_id": f"p{i}",
                "label": "entailment" if i % 7 / 7 > 0.4 else "not-entailment",
                "score": i % 7 / 7,
                "confidence": None,
                "status": "decided",
                "reason": None,
            }
        )
        for i in range(n)
    ]


def resumed(lab, n, *more, done, **options):
    """Go on, and see that every pair is there once and that nothing was done again."""
    lab.open_gate()
    found = lab.judge("--resume", *more, **options)
    assert found.returncode == 0, found.stderr
    assert f"judged {n} pairs, {done} of them before" in found.stderr
    assert lab.verdicts() == undisturbed(n)
    assert not (lab.path / "run.jsonl.partial").exists()


def test_worker_that_is_killed_costs_no_pair(lab):
    lab.pairs(60, {25: "hold"})
    process = lab.begin(done=5, workers=2)
    for worker in lab.workers():  # one holds, the other has nothing to do any more
        worker.kill()
    lab.open_gate()
    _, message = process.communicate(timeout=60)
    assert process.returncode == 0, message
    assert lab.verdicts() == undisturbed(60)
    assert "1 process died and was started again" in message
    header = json.loads((lab.path / "run.jsonl").read_text().splitlines()[0])
    assert header["cost"]["deaths"] == 1


def test_killed_driver_takes_its_workers_along_and_is_resumed(lab, wait_until):
    lab.pairs(60, {25: "hold", 55: "hold"})
    process = lab.begin(done=4, workers=2)
    process.kill()
    process.communicate()
    wait_until(lambda: not lab.workers(), "the end of the workers")
    assert not (lab.path / "run.jsonl").exists()
    resumed(lab, 60, done=40)


def test_shards_that_are_done_are_not_touched_again(lab):
    lab.pairs(40, {25: "hold"})
    process = lab.begin(done=2, output="run/")
    process.kill()
    process.communicate()
    before = {path.name: path.stat() for path in (lab.path / "run").glob("part-*")}
    assert sorted(before) == ["part-000000.parquet", "part-000001.parquet"]
    lab.open_gate()
    found = lab.judge("--resume", output="run/")
    assert "judged 40 pairs, 20 of them before" in found.stderr
    for name, stat in before.items():
        now = (lab.path / "run" / name).stat()
        assert (now.st_ino, now.st_mtime_ns) == (stat.st_ino, stat.st_mtime_ns)
    assert ids(lab, "run") == [f"p{i}" for i in range(40)]
    assert json.loads((lab.path / "run" / "_manifest.json").read_text())["rows"] == 40


@pytest.mark.parametrize(
    ("how", "to_all", "code"),
    [
        (signal.SIGINT, False, 130),
        (signal.SIGINT, True, 130),
        (signal.SIGTERM, False, 143),
        (signal.SIGHUP, True, 129),
    ],
)
def test_interrupted_run_says_how_to_go_on(lab, how, to_all, code):
    lab.pairs(30, {15: "hold"})
    process = lab.begin(done=1)
    (os.killpg if to_all else os.kill)(process.pid, how)
    _, message = process.communicate(timeout=60)
    assert process.returncode == code
    assert "what is done is kept; go on with --resume" in message
    assert "Traceback" not in message
    assert lab.workers() == []
    status = json.loads((lab.path / "run.jsonl.partial" / "_status.json").read_text())
    assert status["state"] == "interrupted"
    resumed(lab, 30, done=10)


def test_lost_terminal_interrupts_a_run(lab, wait_until):
    lab.pairs(30, {15: "hold"})
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        lab.arguments(),
        cwd=lab.path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    lab.begun.append(process)
    os.close(theirs)
    wait_until(lambda: lab.journal("run.jsonl.partial"), "a shard")
    os.close(ours)
    assert process.wait(60) == 129
    assert lab.workers() == []
    status = json.loads((lab.path / "run.jsonl.partial" / "_status.json").read_text())
    assert status["state"] == "interrupted"
    resumed(lab, 30, done=10)


def test_run_that_is_not_to_hear_of_the_terminal_goes_on_without_it(lab):
    lab.pairs(30, {15: "hold"})
    hear = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        process = lab.begin(done=1)
    finally:
        signal.signal(signal.SIGHUP, hear)
    process.send_signal(signal.SIGHUP)
    lab.open_gate()
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_interrupted_run_ends_the_program_of_its_recognizer(lab, wait_until):
    lab.pairs(30)
    script = "import pathlib, time; pathlib.Path('begun').touch(); time.sleep(60)"
    (lab.path / "program.py").write_text(script)
    process = lab.begin("-r", "command:python program.py")
    wait_until((lab.path / "begun").exists, "the program")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130  # and the fixture sees to it that nothing is left


@pytest.mark.parametrize(
    ("n", "deeds", "shard_size"),
    [
        (30, {13: "crash"}, 10),  # in the middle
        (8, {0: "exit", 7: "exit"}, 8),  # first and last, two in one shard
        (3, {1: "exit"}, 1),  # alone in its shard
    ],
)
def test_poison_pair_fails_alone(lab, n, deeds, shard_size):
    lab.pairs(n, deeds)
    found = lab.judge(shard_size=shard_size, batch_size=4)
    assert found.returncode == 0, found.stderr
    reasons = {"exit": "its process exited with 3", "crash": "its process was killed by SIGSEGV"}
    assert failed(lab) == {f"p{i}": reasons[deed] for i, deed in deeds.items()}
    lines = lab.verdicts()
    assert [line for i, line in enumerate(lines) if i not in deeds] == [
        line for i, line in enumerate(undisturbed(n)) if i not in deeds
    ]
    for i, deed in deeds.items():
        assert found.stderr.count(f"'p{i}' failed: {reasons[deed]}") == 1
    assert f"{len(deeds)} failed" in found.stderr
    assert "warning" not in found.stderr  # they are told by name


def test_only_pair_may_be_poison(lab):
    lab.pairs(1, {0: "exit"})
    assert lab.judge(workers=None).returncode == 1  # which would do others in its own process
    assert failed(lab) == {"p0": "its process exited with 3"}


def test_pair_that_raises_an_exception_fails_alone(lab):
    lab.pairs(30, {4: "fail", 13: "interrupt", 22: "leave"})
    found = lab.judge()
    assert found.returncode == 0, found.stderr
    reasons = failed(lab)
    assert reasons.pop("p13").startswith("KeyboardInterrupt")
    assert reasons == {"p4": "ValueError: of all things", "p22": "SystemExit: enough"}


def test_recognizer_that_always_dies_is_an_error(lab):
    lab.pairs(12, dict.fromkeys(range(12), "exit"))
    found = lab.judge(shard_size=12, batch_size=2)
    assert found.returncode == 3
    assert "the worker died of every item of shard 0 that it was given alone" in found.stderr
    assert "its process exited with 3" in found.stderr
    assert not (lab.path / "run.jsonl").exists()


@pytest.mark.parametrize("n", [120, 40])
def test_limit_of_file_size_is_an_error_and_costs_nothing(lab, n):
    # 120 pairs make a journal that is too large, 40 only a run that is
    lab.pairs(n)
    (lab.path / "run.jsonl").write_text("older")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    found = lab.judge("--force", limited=limited)
    assert found.returncode == 3
    which = "run.jsonl.partial/_journal.jsonl" if n == 120 else "run.jsonl"
    assert f"{which}': File too large" in found.stderr
    assert "Traceback" not in found.stderr
    assert (lab.path / "run.jsonl").read_text() == "older"
    lines = (lab.path / "run.jsonl.partial" / "_journal.jsonl").read_bytes()
    assert lines.endswith(b"\n") == (n == 40)
    resumed(lab, n, done=10 * lines.count(b"\n"))


@pytest.fixture
def stopped(lab):
    """A laboratory in which three of four shards are done."""
    lab.pairs(40, {35: "hold"})
    process = lab.begin(done=3)
    process.kill()
    process.communicate()
    return lab


def spoil_truncated(path):
    path.write_bytes(path.read_bytes()[:-5])


def spoil_garbage(path):
    path.write_bytes(b"\x00" * path.stat().st_size)


@pytest.mark.parametrize("spoil", [spoil_truncated, spoil_garbage, os.unlink])
def test_spoiled_shard_is_done_again(stopped, spoil):
    spoil(stopped.path / "run.jsonl.partial" / "part-000001.jsonl")
    resumed(stopped, 40, done=20)


def test_journal_that_was_cut_off_is_mended(stopped):
    journal = stopped.path / "run.jsonl.partial" / "_journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])
    resumed(stopped, 40, done=20)


def test_what_cannot_be_mended_is_a_clear_error(stopped):
    partial = stopped.path / "run.jsonl.partial"
    stopped.open_gate()
    shard = partial / "part-000001.jsonl"
    shard.unlink()
    shard.mkdir()
    found = stopped.judge("--resume")
    assert found.returncode == 3
    assert "part-000001.jsonl': Is a directory" in found.stderr
    shard.rmdir()
    (partial / "_plan.json").write_text('{"ensue_plan"')
    found = stopped.judge("--resume")
    assert found.returncode == 3
    assert "run.jsonl.partial/_plan.json: broken" in found.stderr
    assert "hint: begin anew with --restart" in found.stderr
    found = stopped.judge("--restart")
    assert found.returncode == 0, found.stderr
    assert stopped.verdicts() == undisturbed(40)


def test_shard_that_disappears_from_a_finished_folder_is_made_again(lab):
    lab.pairs(40)
    assert lab.judge(output="run/").returncode == 0
    folder = lab.path / "run"
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    content = (folder / "part-000002.parquet").read_bytes()
    (folder / "part-000002.parquet").unlink()
    found = lab.judge("--resume", output="run/")
    assert "judged 40 pairs, 30 of them before" in found.stderr
    after = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    assert [name for name in sorted(after) if after[name] != before[name]] == [
        "part-000002.parquet"
    ]
    assert (folder / "part-000002.parquet").read_bytes() == content
    found = lab.judge("--resume", output="run/")
    assert "nothing to do, run/ is finished, with 40 pairs" in found.stderr


def test_second_run_into_one_place_is_refused_at_once(lab):
    lab.pairs(30, {15: "hold"})
    process = lab.begin(done=1)
    for option in ([], ["--resume"], ["--restart"]):
        found = lab.judge(*option)
        assert found.returncode == 3
        assert "another process is working in" in found.stderr
    lab.open_gate()
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert lab.verdicts() == undisturbed(30)


def test_run_interrupted_before_anything_is_done_leaves_nothing_behind(lab):
    lab.pairs(30, {0: "hold"})
    process = lab.begin("--workers", "1")
    os.kill(process.pid, signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "what is done is kept" not in message
    assert not (lab.path / "run.jsonl.partial").exists()
