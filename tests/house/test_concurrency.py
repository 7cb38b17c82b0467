"""What is made once for all threads, and forks that wait."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.recognizers.threads import in_fork

from ensue.concurrency import ForkGate, made_once

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


def test_what_is_made_once_is_made_by_one_of_many_threads():
    calls = []
    asked = threading.Barrier(8)

    @made_once
    def make(name):
        calls.append(name)
        time.sleep(0.05)
        return object()

    def ask(_):
        asked.wait()
        return make("it")

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(8)))) == 1
    assert calls == ["it"]


def test_what_is_made_once_is_made_for_each_argument():
    double = made_once(lambda number: [number, number])
    assert (double(1), double(2)) == ([1, 1], [2, 2])
    assert double(1) is double(1)


class Held:
    """A thread that is in a block of a gate, and holds a lock there, until it is let go."""

    def __init__(self, gate):
        self.lock = threading.Lock()
        self.leaving = threading.Event()
        inside = threading.Event()

        def stay():
            with gate, self.lock:
                inside.set()
                self.leaving.wait()

        self.thread = threading.Thread(target=stay)
        self.thread.start()
        inside.wait()


@pytest.fixture
def gate():
    return ForkGate()


def test_fork_waits_until_no_lock_is_held(gate):
    held = Held(gate)
    threading.Timer(0.05, held.leaving.set).start()
    assert in_fork(lambda: held.lock.acquire(timeout=1))
    held.thread.join()


def test_fork_does_not_wait_for_its_own_thread(gate):
    def judge():
        with gate:
            return True

    with gate, gate:
        assert in_fork(judge)
    assert in_fork(judge)


def test_fork_waits_no_longer_than_its_patience(gate):
    gate.patience = 0.05
    held = Held(gate)
    assert in_fork(os.getpid) != os.getpid()
    held.leaving.set()
    held.thread.join()


def test_threads_go_on_after_a_fork(gate):
    held = Held(gate)
    forked = threading.Thread(target=in_fork, args=(os.getpid,))
    forked.start()
    entered = []

    def enter():
        with gate:
            entered.append(True)

    later = threading.Thread(target=enter)
    later.start()
    held.leaving.set()
    for thread in (held.thread, forked, later):
        thread.join()
    assert entered


def test_threads_that_fork_inside_do_not_wait_for_each_other(gate):
    ready = threading.Barrier(2)

    def fork(_):
        with gate:
            ready.wait()
            return in_fork(os.getpid)

    with ThreadPoolExecutor(2) as pool:
        assert len(set(pool.map(fork, range(2)))) == 2
