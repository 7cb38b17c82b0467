"""Many threads and forks that ask one recognizer, for the tests of contracts."""

import random
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from multiprocessing import get_context
from typing import Any

from ensue.pairs import Pair, Verdict
from ensue.recognizers import Explanation, Recognizer

N_THREADS = 8
_PATIENCE = 300
"""Seconds after which a child hangs, on whatever machine."""
_days = count(1)


def unseen(pairs: Sequence[Pair], n: int) -> list[Pair]:
    """Pairs that nobody has analyzed: these with another day in each text."""
    return [
        replace(pair, id=str(i), text=f"{pair.text} That was on day {next(_days)}.")
        for i, pair in enumerate(pairs[:n])
    ]


def judged_by_threads(recognizer: Recognizer, pairs: Sequence[Pair]) -> list[Verdict]:
    """What threads say that begin at once, each of half of the pairs in an order of its own."""

    def judge(own: Sequence[Pair]) -> list[Verdict]:
        return [recognizer.judge([pair])[0] for pair in own]

    shares = [random.Random(k).sample(pairs, len(pairs) // 2) for k in range(N_THREADS)]
    return [verdict for said in _by_threads(judge, shares) for verdict in said]


def explained_by_threads(recognizer: Recognizer, pairs: Sequence[Pair]) -> list[Explanation]:
    """The explanations of as many pairs as there are threads, one by each."""
    return _by_threads(recognizer.explain, pairs[:N_THREADS])


def _by_threads(work: Callable[[Any], Any], shares: Sequence[Any]) -> list[Any]:
    barrier = threading.Barrier(len(shares))

    def begin(share: Any) -> Any:
        barrier.wait()
        return work(share)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)  # so that they get in each other's way where they can
    try:
        with ThreadPoolExecutor(len(shares)) as pool:
            return list(pool.map(begin, shares))
    finally:
        sys.setswitchinterval(before)


@contextmanager
def judging(recognizer: Recognizer, pairs: Sequence[Pair]) -> Iterator[None]:
    """Two threads that judge what nobody has analyzed, until the block is over."""
    over = threading.Event()

    def judge() -> None:
        while not over.is_set():
            recognizer.judge(unseen(pairs, 2))

    threads = [threading.Thread(target=judge) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def in_fork(work: Callable[[], Any]) -> Any:
    """What a fork of this process returns, which has all objects as they are here."""
    fork = get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: sender.send(work()))
    child.start()
    sender.close()
    try:
        assert receiver.poll(_PATIENCE), "the fork hangs"
        return receiver.recv()
    finally:
        child.kill()
        child.join()
        child.close()
        receiver.close()
