"""The hand's own side: take calls from standard input, answer, and never outlive the driver.

It is run as `python -m ensue.engine.hands.serving`. What a recognizer prints goes to standard
error: standard output is for answers.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import traceback
from typing import IO

from ensue.engine.hands.messages import IDLE, Call, Kind, Message, receive, send
from ensue.errors import EnsueError

_PATIENCE = 60.0
"""Seconds without work after which a hand ends, unless the environment says otherwise."""


def main() -> None:
    """Serve until the driver closes the pipe, dies, or has had nothing to do for long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's to deal with
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    calls: queue.Queue[Call] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, calls), daemon=True).start()
    patience = float(os.environ.get(IDLE) or _PATIENCE)
    while True:
        try:
            call = calls.get(timeout=patience)
        except queue.Empty:
            os._exit(0)
        _answer(call, answers)


def _listen(file: IO[bytes], calls: queue.Queue[Call]) -> None:
    """Take in calls; the end of the pipe is the end of this process, whatever it is doing."""
    try:
        while True:
            calls.put(receive(file))
    except EOFError:
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _answer(call: Call, answers: IO[bytes]) -> None:
    sys.path[:] = [*call.path, *(each for each in sys.path if each not in call.path)]
    try:
        found = call.function(*call.arguments, lambda note: send(answers, Message(Kind.NOTE, note)))
        message = Message(Kind.RESULT, found)
    except BaseException as error:
        message = Message(Kind.ERROR, _sent(error))
    send(answers, message)


def _sent(error: BaseException) -> BaseException:
    """An error as it can be sent: ours as it is, others with the place where they came up."""
    if isinstance(error, EnsueError):
        return error
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" ({each.filename}:{each.lineno})" for each in last)
    return RuntimeError(f"{type(error).__name__}: {error}{place}")


if __name__ == "__main__":
    main()
