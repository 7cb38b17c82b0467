"""What goes between a driver and a hand: pickles, each behind its length."""

from __future__ import annotations

import pickle
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import IO, Any

IDLE = "ENSUE_IDLE"
"""The variable that says after how many seconds without work a hand ends."""

_LENGTH = struct.Struct(">Q")


class Kind(StrEnum):
    """What a hand has to say."""

    NOTE = "note"
    """Something on the way: how far it is."""
    RESULT = "result"
    ERROR = "error"
    """An exception, as it is or as text where it cannot be pickled."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a hand is to do: call a function of a module, with a function to tell notes to."""

    packed: bytes
    """The function and its arguments; a pickle of its own, as it takes the path to open it."""
    path: tuple[str, ...] = ()
    """Where the caller finds its modules."""

    @classmethod
    def of(cls, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Call:
        """Pack a call.

        Raises:
            Exception: whatever pickling raises.
        """
        return cls(pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL), tuple(sys.path))

    def opened(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The function and its arguments, from the modules that the caller has."""
        sys.path[:] = [*self.path, *(each for each in sys.path if each not in self.path)]
        function, arguments = pickle.loads(self.packed)
        return function, arguments


@dataclass(frozen=True, slots=True)
class Message:
    """What a hand answers."""

    kind: Kind
    content: Any


def send(file: IO[bytes], content: object) -> None:
    """Write one pickle, whole.

    Raises:
        Exception: whatever pickling raises; nothing was written then.
    """
    packed = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    file.write(_LENGTH.pack(len(packed)) + packed)
    file.flush()


def receive(file: IO[bytes]) -> Any:
    """Read one pickle.

    Raises:
        EOFError: whoever wrote has gone, maybe in the middle of it.
    """
    (length,) = _LENGTH.unpack(_exactly(file, _LENGTH.size))
    return pickle.loads(_exactly(file, length))


def _exactly(file: IO[bytes], size: int) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise EOFError
    return content
