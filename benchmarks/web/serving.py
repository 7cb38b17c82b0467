"""The server as a process under load from another, with its memory watched."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import SplitResult, urlsplit

import psutil

from benchmarks.web.filling import Filled
from ensue.workbench.accounts import add_token

_WARMING = 5
"""Seconds of the same load before anything is measured."""
_TOLD = "the workbench is at "


@dataclass(frozen=True, slots=True)
class Held:
    """What came of the load."""

    seconds: list[float]
    """Of each answer, from the moment that its request was due, in order."""
    failures: dict[str, int]
    rate: float
    """Answers a second, until the last one."""
    cpu: float
    """Seconds of processor time that the server took."""
    memory: list[float]
    """MiB that the server had in memory, each second."""

    @property
    def n_answered(self) -> int:
        """Requests that were answered as they should be."""
        return len(self.seconds)

    def quantile(self, q: float) -> float:
        """Seconds in which this share of the requests was answered."""
        last = len(self.seconds) - 1
        return self.seconds[min(last, int(q * len(self.seconds)))] if self.seconds else 0.0

    def thirds(self) -> tuple[float, float]:
        """The median memory of the first third of the time, and of the last."""
        n = max(1, len(self.memory) // 3)
        return median(self.memory[:n]), median(self.memory[-n:])


def held(folder: Path, made: Filled, *, rate: int, seconds: int) -> Held:
    """Serve a workbench, and ask for its long board at a rate."""
    token = add_token(made.workbench, made.participant, "load")
    path = f"/challenges/{made.long}"
    with _served(folder) as (server, address):
        target = [str(address.hostname), str(address.port), path, token, str(rate)]
        _asked([*target, str(_WARMING)])
        before = _processor_time(server)
        with _watched(server) as memory:
            found = _asked([*target, str(seconds)])
        cpu = _processor_time(server) - before
    return Held(found["seconds"], found["failures"], found["answered"] / found["took"], cpu, memory)


@contextmanager
def _served(folder: Path) -> Iterator[tuple[psutil.Process, SplitResult]]:
    command = [sys.executable, "-m", "ensue.cli", "serve", "--accounts", "--port", "0", "-q"]
    process = subprocess.Popen([*command, "--home", str(folder)], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        if not line.startswith(_TOLD):
            sys.exit(line + process.stderr.read())
        yield psutil.Process(process.pid), urlsplit(line.removeprefix(_TOLD).strip())
    finally:
        process.terminate()
        process.communicate()


def _asked(arguments: list[str]) -> dict[str, Any]:
    """What the load generator, a process of its own, says."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.web.load", *arguments],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _processor_time(process: psutil.Process) -> float:
    taken = process.cpu_times()
    return float(taken.user + taken.system)


@contextmanager
def _watched(process: psutil.Process) -> Iterator[list[float]]:
    """Fill a list with MiB in memory, each second."""
    memory: list[float] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(1.0):
            memory.append(process.memory_info().rss / 2**20)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield memory
    finally:
        ended.set()
        watcher.join()
