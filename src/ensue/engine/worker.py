"""The worker process: takes calls from standard input, answers, ends with its driver.

It is run as `python -P -m ensue.engine.worker`. What a recognizer prints goes to standard
error: standard output is for answers, standard input for calls.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import traceback
from typing import IO

from ensue.engine.processes import (
    IDLE,
    Message,
    MessageKind,
    PackedCall,
    end_descendants,
    receive,
    send,
)
from ensue.errors import EnsueError

_PATIENCE = 60.0
"""Seconds without work after which a hand ends, unless the environment says otherwise."""


def main() -> None:
    """Serve until the driver closes the pipe, dies, or has had nothing to do for long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's to deal with
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # whoever reads there finds nothing
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
        function, arguments = call.opened()
        found = function(*arguments, lambda note: _say(answers, MessageKind.NOTE, note))
        _say(answers, MessageKind.RESULT, found)
    except BaseException as error:
        _say(answers, MessageKind.ERROR, _sent(error))


def _say(answers: IO[bytes], kind: MessageKind, content: object) -> None:
    try:
        send(answers, Message(kind, content))
    except BrokenPipeError:
        os._exit(0)  # the driver has gone


def _sent(error: BaseException) -> BaseException:
    """An error as it can be sent: ours as it is, others with the place where they came up."""
    if isinstance(error, EnsueError):
        return error
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" ({each.filename}:{each.lineno})" for each in last)
    return RuntimeError(f"{type(error).__name__}: {error}{place}")


if __name__ == "__main__":
    main()
