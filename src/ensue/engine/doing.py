"""What an executor is given to do, on this machine or another: some shards, by the hand of its thread."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ensue.engine.careful import Careful, Stopped
from ensue.engine.folders import Folder
from ensue.engine.hands import Hand
from ensue.engine.model import Job, Shard, ShardAccount
from ensue.engine.working import do_shard


class EventKind(StrEnum):
    """What can be told of a worker."""

    BATCH = "batch"
    """The value is how many items of the shard are done."""
    DIED = "died"
    """The value is the reason."""
    DONE = "done"
    """The value is the account of the shard."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a worker."""

    worker: str
    kind: EventKind
    shard: int
    value: Any
    process: int | None = None
    """The hand's, where there is one."""


Listener = Callable[[Event], None]

_listeners: dict[str, Listener] = {}
_hands: dict[str, list[Hand]] = {}
_directories: dict[str, str] = {}
_ended: set[str] = set()
_changing = threading.Lock()
"""Held while a hand is added or all are ended, so that none comes after the end."""
_mine = threading.local()


def do_shards(
    run: str, job: Job, folder: Folder, shards: Sequence[Shard], isolated: bool
) -> list[ShardAccount]:
    """Do shards one after the other.

    Args:
        run: What the run is called among those that this process works for.
        job: What to do.
        folder: Where the files go.
        shards: Which.
        isolated: Whether in a process of its own, so that nothing here dies of an item.

    Raises:
        EnsueError: as `do_shard` and `Careful.do`.
        Stopped: the run is over.
    """
    return [_done(run, job, folder, shard, isolated) for shard in shards]


def _done(run: str, job: Job, folder: Folder, shard: Shard, isolated: bool) -> ShardAccount:
    hand = hand_of(run) if isolated else None

    def tell(kind: EventKind, value: Any) -> None:
        _tell(run, Event(_worker(), kind, shard.number, value, hand.pid if hand else os.getpid()))

    tell(EventKind.BATCH, 0)
    if hand is None:
        account = do_shard(job, folder, shard, {}, lambda span: tell(EventKind.BATCH, span[0]))
    else:
        account = Careful(
            hand,
            job,
            folder,
            on_batch=lambda span: tell(EventKind.BATCH, span[0]),
            on_death=lambda reason: tell(EventKind.DIED, reason),
            is_stopped=lambda: run in _ended,
        ).do(shard)
    tell(EventKind.DONE, account)
    return account


def hand_of(run: str) -> Hand:
    """This thread's hand; another run's is ended.

    Raises:
        Stopped: the run is over.
    """
    with _changing:
        if run in _ended:
            raise Stopped
        if getattr(_mine, "run", None) != run:
            if hasattr(_mine, "hand"):
                _mine.hand.close()
            _mine.run, _mine.hand = run, Hand(_directories.get(run))
            _hands.setdefault(run, []).append(_mine.hand)
    hand: Hand = _mine.hand
    return hand


def work_in(run: str, directory: str) -> None:
    """Let hands of a run work in a directory, and not in that of this process."""
    _directories[run] = directory


def end_hands(run: str) -> None:
    """End all processes that work for a run here; what they were doing is dropped."""
    with _changing:
        _ended.add(run)
        _directories.pop(run, None)
        hands = _hands.pop(run, [])
    for hand in hands:
        hand.end()


def listen(run: str, listener: Listener) -> None:
    """Hear what happens at the workers of this process."""
    _listeners[run] = listener


def stop_listening(run: str) -> None:
    """Hear nothing more."""
    _listeners.pop(run, None)


def _tell(run: str, event: Event) -> None:
    listener = _listeners.get(run)
    if listener is not None:
        listener(event)
        return
    from ensue.engine.engines.worker_side import tell_driver

    tell_driver(run, event)


def _worker() -> str:
    """What a worker is called: its thread, and where that is not the driver's, its machine."""
    thread = threading.current_thread()
    number = thread.name.rpartition("_")[2] if "_" in thread.name else thread.name
    if _listeners:
        return f"worker {number}"
    return f"{socket.gethostname()}/{os.getpid()}/{number}"
