"""The worker process: takes calls from standard input, answers, ends with its driver.

It is run as `python -P -m ensue.engine.worker`. What a recognizer prints goes to standard
error: standard output is for answers, standard input for calls.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from typing import IO

from ensue.engine.processes import IDLE, MessageKind, end_descendants, receive, send
from ensue.errors import EnsueError

_PATIENCE = 60.0
"""Seconds without a call after which a worker ends, unless the environment says otherwise."""

PackedCall = tuple[tuple[str, ...], bytes]


def main() -> None:
    """Serve until the driver closes the pipe, dies, or has had nothing to do for long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's to deal with
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # a program that reads there finds nothing
    os.dup2(2, 1)
    calls: queue.Queue[PackedCall] = queue.Queue()
    threading.Thread(target=_listen, args=(asked, calls), daemon=True).start()
    patience = float(os.environ.get(IDLE) or _PATIENCE)
    while True:
        try:
            call = calls.get(timeout=patience)
        except queue.Empty:
            os._exit(0)
        _answer(call, answers)


def _listen(file: IO[bytes], calls: queue.Queue[PackedCall]) -> None:
    """Take in calls; the end of the pipe is the end of this process, whatever it is doing."""
    try:
        while True:
            calls.put(receive(file))
    except EOFError:
        end_descendants(os.getpid())
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _answer(call: PackedCall, answers: IO[bytes]) -> None:
    try:
        path, packed = call
        sys.path[:] = [*path, *(each for each in sys.path if each not in path)]
        function, arguments = pickle.loads(packed)
        found = function(*arguments, lambda note: _send(answers, MessageKind.NOTE, note))
        _send(answers, MessageKind.RESULT, found)
    except BaseException as error:
        _send(answers, MessageKind.ERROR, _sendable(error))


def _send(answers: IO[bytes], kind: MessageKind, content: object) -> None:
    try:
        send(answers, (kind, content))
    except BrokenPipeError:
        os._exit(0)  # the driver has ended


def _sendable(error: BaseException) -> BaseException:
    """An error as it can be sent: ours as it is, others with the place where they came up."""
    if isinstance(error, EnsueError):
        return error
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" ({each.filename}:{each.lineno})" for each in last)
    return RuntimeError(f"{type(error).__name__}: {error}{place}")


if __name__ == "__main__":
    main()
