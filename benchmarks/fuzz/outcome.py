"""One call of a command or a function: how it ended, and what is wrong with that."""

from __future__ import annotations

import io
import json
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from ensue.cli.app import run
from ensue.errors import MOST

ENDS = {
    0: "answered",
    1: "answered with no",
    2: "told that it is used wrongly",
    3: "refused with an error",
}
"""The exit codes that a command may end with."""


LONGEST = 3 * MOST + 200
"""Characters of an error: of its place, its message and its hint."""
WAITING = 10
"""How many times as long as it may work a call may wait: the machine has other things to do."""


class TimeLimitError(BaseException):
    """A call took too long; nothing in the library catches this."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitError` in what takes so much of the processor's time, or waits too long."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        raise TimeLimitError

    clocks = {
        signal.SIGPROF: (signal.ITIMER_PROF, seconds),
        signal.SIGALRM: (signal.ITIMER_REAL, seconds * WAITING),
    }
    before = {number: signal.signal(number, stop) for number in clocks}
    for clock, amount in clocks.values():
        signal.setitimer(clock, amount)
    try:
        yield
    finally:
        for number, (clock, _) in clocks.items():
            signal.setitimer(clock, 0)
            signal.signal(number, before[number])


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    arguments: Sequence[str]
    code: int | None
    """The exit code; None where the time was over."""
    out: bytes
    err: str
    seconds: float

    @property
    def is_answer(self) -> bool:
        """Whether it did what it was asked."""
        return self.code in (0, 1)

    def json(self) -> Any:
        """Standard output as JSON in the strict sense: no NaN, no Infinity."""
        return strict_json(self.out.decode("utf-8"))


def strict_json(text: str) -> Any:
    """Read JSON; numbers that JSON does not have are errors."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def run_command(
    arguments: Sequence[str], folder: Path, *, limit: float, given: bytes = b""
) -> Ended:
    """Run a command in a folder, in this process."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", write_through=True)
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given), "utf-8")
    began = time.perf_counter()
    try:
        with chdir(folder), redirect_stdout(out), redirect_stderr(err), time_limit(limit):
            code: int | None = run(arguments)
    except TimeLimitError:
        code = None
    except BaseException:  # what `run` lets through is a defect as well
        code = 70
        traceback.print_exc(file=err)
    finally:
        sys.stdin = before
    seconds = time.perf_counter() - began
    told = err.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]
    return Ended(arguments, code, out.buffer.getvalue(), told, seconds)  # type: ignore[attr-defined]


def complaints_of_ending(ended: Ended, files: Sequence[str]) -> Iterator[str]:
    """What no command may do, whatever it is given.

    Args:
        ended: How it ended.
        files: What it was given, one of which an error has to name.
    """
    if ended.code is None:
        yield f"it took more than {ended.seconds:.0f} s"
        return
    if ended.code not in ENDS:
        yield f"exit code {ended.code}: {_last_line(ended.err)}"
    elif "Traceback" in ended.err:
        yield "a traceback on standard error"
    if ended.code == 2 and "Usage:" not in ended.err and "Error:" not in ended.err:
        yield "it was used wrongly, and is not told how"
    if ended.code == 3:
        yield from _complaints_of_error(ended, files)


def _complaints_of_error(ended: Ended, files: Sequence[str]) -> Iterator[str]:
    _, is_error, message = ended.err.partition("error: ")
    if not is_error:
        yield "an error without a message"
    elif "\nhint: " not in message and not any(name in message for name in files):
        yield f"an error with neither place nor hint: {_last_line(message)}"
    if len(message) > LONGEST:
        yield f"an error of {len(message):,} characters"
    if ended.out:
        yield "an error, and data on standard output"


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip() and "this is a bug" not in line]
    return lines[-1][:300] if lines else "nothing is said"


def called(work: Callable[[], Any], limit: float) -> tuple[Any, BaseException | None]:
    """What a call returns, or what it raises."""
    try:
        with time_limit(limit):
            return work(), None
    except (Exception, TimeLimitError) as error:
        return None, error
