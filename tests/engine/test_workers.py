"""Hands do what they are told, say how they die, and never outlive whoever called them."""

import importlib
import os
import signal
import subprocess
import sys

import psutil
import pytest
from tests.engine.conftest import is_alive

from ensue.engine.processes import IDLE, WorkerDied, WorkerProcess
from ensue.errors import DataError

CALLS = """
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from ensue.errors import DataError

def echo(value, tell):
    tell("first")
    tell(("second", 2))
    return value

def own_pid(tell):
    return os.getpid()

def refuse(tell):
    raise DataError("no-such-pair", "no such pair", place="pairs.xml:3", hint="mend it")

def divide(tell):
    return 1 / 0

def unsendable(tell):
    return lambda: None

def talk(tell):
    print("to whom it may concern")
    os.write(1, b"and so on")
    subprocess.run([sys.executable, "-c", "print('a child')"], check=True)
    return sys.stdin.read(), os.read(0, 10)

def interrupt(tell):
    os.kill(os.getpid(), signal.SIGINT)
    return "still here"

def exit(code, tell):
    os._exit(code)

def die(number, tell):
    os.kill(os.getpid(), number)
    time.sleep(60)

def hang(place, tell):
    program = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True
    )
    Path(place).with_suffix(".new").write_text(f"{os.getpid()} {program.pid}")
    Path(place).with_suffix(".new").rename(place)
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """A module that workers can find only because the caller does."""
    folder = tmp_path_factory.mktemp("calls")
    (folder / "called_by_worker.py").write_text(CALLS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module("called_by_worker")
    del sys.modules["called_by_worker"]


@pytest.fixture(scope="module")
def steady():
    """A worker that no test ends."""
    worker = WorkerProcess()
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def mortal():
    """A worker that tests may end."""
    worker = WorkerProcess()
    yield worker
    worker.close()


@pytest.fixture
def worker(mark):
    """A worker of the test's own."""
    own = WorkerProcess()
    yield own
    own.close()


def test_worker_gives_the_result_and_tells_on_the_way(steady, calls):
    told = []
    assert steady.call(calls.echo, {"a": (1, None)}, on_note=told.append) == {"a": (1, None)}
    assert told == ["first", ("second", 2)]


def test_worker_takes_more_than_a_pipe_holds(steady, calls):
    large = [f"sentence {i}" for i in range(200_000)]
    assert steady.call(calls.echo, large) == large


def test_worker_is_one_other_process_for_all_calls(steady, calls):
    assert steady.call(calls.own_pid) == steady.call(calls.own_pid) == steady.pid != os.getpid()
    assert steady.n_started == 1


def test_worker_gives_back_our_errors_whole(steady, calls):
    with pytest.raises(DataError) as caught:
        steady.call(calls.refuse)
    error = caught.value
    assert (error.message, error.place, error.hint) == ("no such pair", "pairs.xml:3", "mend it")


def test_worker_gives_back_other_errors_with_their_place(steady, calls):
    line = CALLS.splitlines().index("    return 1 / 0") + 1
    with pytest.raises(RuntimeError) as caught:
        steady.call(calls.divide)
    assert str(caught.value) == f"ZeroDivisionError: division by zero ({calls.__file__}:{line})"


def test_worker_lives_after_a_result_that_cannot_be_sent(steady, calls):
    with pytest.raises(RuntimeError, match="pickle"):
        steady.call(calls.unsendable)
    assert steady.call(calls.echo, 1) == 1


def test_worker_is_not_disturbed_by_what_a_function_prints_and_reads(steady, calls):
    assert steady.call(calls.talk) == ("", b"")
    assert steady.n_started == 1


def test_worker_ignores_ctrl_c(steady, calls):
    assert steady.call(calls.interrupt) == "still here"


def test_worker_sends_nothing_that_cannot_be_packed(steady, calls):
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        steady.call(calls.echo, lambda: None)
    assert steady.call(calls.echo, 1) == 1


@pytest.mark.parametrize(
    ("deed", "value", "reason"),
    [
        ("exit", 7, "its process exited with 7"),
        ("die", signal.SIGKILL, "its process was killed by SIGKILL"),
        ("die", signal.SIGSEGV, "its process was killed by SIGSEGV"),
    ],
)
def test_worker_that_dies_says_how_and_is_started_again(mortal, calls, deed, value, reason):
    before = mortal.call(calls.own_pid)
    with pytest.raises(WorkerDied) as caught:
        mortal.call(getattr(calls, deed), int(value))
    assert caught.value.reason == reason
    assert mortal.pid is None
    assert mortal.call(calls.own_pid) not in (before, os.getpid())


def test_worker_that_was_killed_between_calls_is_started_again(mortal, calls, wait_until):
    before = mortal.call(calls.own_pid)
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: has_ended(before), "its end")
    assert mortal.call(calls.own_pid) != before


def test_worker_ends_when_it_has_nothing_to_do_for_long(worker, calls, wait_until, monkeypatch):
    monkeypatch.setenv(IDLE, "1")
    process = worker.call(calls.own_pid)
    wait_until(lambda: has_ended(process), "its end")


def test_worker_that_was_ended_is_not_started_again(worker, calls):
    process = psutil.Process(worker.call(calls.own_pid))
    worker.end()
    assert not process.is_running()
    with pytest.raises(WorkerDied, match="was ended"):
        worker.call(calls.echo, 1)
    assert worker.n_started == 1


def test_worker_finds_no_modules_that_its_caller_does_not(worker, calls, tmp_path, monkeypatch):
    (tmp_path / "queue.py").write_text("raise RuntimeError('not this one')")
    monkeypatch.chdir(tmp_path)
    assert worker.call(calls.echo, "well") == "well"


def test_worker_ends_with_its_parent_and_takes_what_it_started_along(calls, tmp_path, wait_until):
    place = tmp_path / "place"
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import called_by_worker\n"
        "from ensue.engine.processes import WorkerProcess\n"
        "WorkerProcess().call(called_by_worker.hang, sys.argv[2])\n"
    )
    folder = os.path.dirname(calls.__file__)  # noqa: PTH120
    parent = subprocess.Popen([sys.executable, "-c", script, folder, os.fspath(place)])
    wait_until(place.exists, "the worker to be at it")
    pids = [int(each) for each in place.read_text().split()]
    parent.kill()
    parent.wait()
    wait_until(lambda: not any(map(is_alive, pids)), "the end of both")


def has_ended(pid):
    """Whether a child has ended with all its threads, and is there only to be asked how."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
