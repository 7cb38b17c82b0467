"""Ending what a process has started, so that nothing outlives a run."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path


def stop(child: int) -> None:
    """Hold a child of this process until it is killed; it may have ended just now."""
    with suppress(OSError):
        os.kill(child, signal.SIGSTOP)
        os.waitid(os.P_PID, child, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def end_descendants(process: int) -> None:
    """Kill what a process has started, e.g. the program of a recognizer, and what that has.

    Programs have sessions of their own and would go on with the pair that they are at. Where the
    system does not say who started whom, they still end when their input does.
    """
    for each in _descendants(process):
        with suppress(OSError):
            os.kill(each, signal.SIGKILL)


def _descendants(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for each in Path(f"/proc/{process}/task").glob("*/children"):
            for child in map(int, each.read_text(encoding="ascii").split()):
                found += [child, *_descendants(child)]
    return found
