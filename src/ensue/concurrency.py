"""Threads and forks: what is made by one thread for all, and what no fork may cut in two."""

from __future__ import annotations

import logging  # noqa: F401 - its hook at forks, which takes a lock, is to run after ours
import os
import threading
import time
from collections.abc import Callable
from contextlib import ContextDecorator
from functools import cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def made_once(function: Callable[P, T]) -> Callable[P, T]:
    """`functools.cache`, but of several threads that ask first one calls the function.

    For what is large or may exist once only, as a pipeline does; the other threads wait for it.
    """
    kept = cache(function)
    lock = threading.RLock()

    @wraps(kept)
    def found(*args: P.args, **kwargs: P.kwargs) -> T:
        with no_fork, lock:
            return kept(*args, **kwargs)  # type: ignore[arg-type]

    return found


class ForkGate(ContextDecorator):
    """A block during which no other thread can fork this process.

    A fork copies every lock as it stands, and a lock that another thread holds is never released in
    the child: those of modules that are being imported, of a compiler, of a prover, of the standard
    library's caches, and ours. So a fork waits until all threads are out of such blocks, and threads
    wait at their beginning until the fork is done. A thread may be in several at once, and may fork
    itself in one. Keep them to the work of one batch or proof: a fork waits that long.
    """

    patience = 60.0
    """Seconds after which a fork no longer waits: somebody inside may be waiting for the child."""

    def __init__(self) -> None:
        self._inside: dict[int, int] = {}
        self._begin()
        os.register_at_fork(
            before=self._close, after_in_parent=self._open, after_in_child=self._reopen
        )

    def __enter__(self) -> None:
        thread = threading.get_ident()
        depth = self._inside.get(thread, 0)  # which no other thread changes
        if not depth:
            with self._changed:
                while self._n_forks:
                    self._changed.wait()
                self._inside[thread] = 1
        else:
            self._inside[thread] = depth + 1

    def __exit__(self, *_: object) -> None:
        thread = threading.get_ident()
        depth = self._inside[thread]
        if depth > 1:
            self._inside[thread] = depth - 1
            return
        with self._changed:
            del self._inside[thread]
            if self._n_forks:
                self._changed.notify_all()

    def _begin(self) -> None:
        self._changed = threading.Condition()
        self._n_forks = 0
        self._forking: dict[int, int] = {}

    def _close(self) -> None:
        """Before a fork: wait for all who are inside, but not for those who fork as well."""
        thread = threading.get_ident()
        deadline = time.monotonic() + self.patience
        with self._changed:
            self._n_forks += 1
            self._forking[thread] = self._inside.pop(thread, 0)
            self._changed.notify_all()
            while self._inside and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(left)

    def _open(self) -> None:
        """After a fork, in the parent."""
        thread = threading.get_ident()
        with self._changed:
            self._n_forks -= 1
            self._changed.notify_all()
            if depth := self._forking.pop(thread, 0):
                while self._n_forks:
                    self._changed.wait()
                self._inside[thread] = depth

    def _reopen(self) -> None:
        """After a fork, in the child, where this thread is the only one."""
        thread = threading.get_ident()
        depth = self._forking.get(thread, 0)
        self._inside = {thread: depth} if depth else {}
        self._begin()


no_fork = ForkGate()
"""The gate of this process: `with no_fork:`, or `@no_fork` on a function."""
