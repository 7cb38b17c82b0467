"""The log of runs, as text for people or JSON lines for programs.

Logs name items by their keys and never hold their texts.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import IO, TYPE_CHECKING, Any

from ensue.engine.job import Input, Job, ShardAccount
from ensue.engine.shards import WorkerEvent
from ensue.errors import EnsueError
from ensue.files import STANDARD, writable

if TYPE_CHECKING:
    from ensue.engine.progress import Snapshot
    from ensue.engine.run import RunOptions
    from ensue.engine.store import Folder, RunPlan

LOG = logging.getLogger("ensue.engine")


class LogFormat(StrEnum):
    """How a log is written."""

    TEXT = "text"
    JSON = "json"


class LogEvent(StrEnum):
    """What programs that read a log can tell apart: the field `event`."""

    BEGUN = "run-begun"
    RESUMED = "run-resumed"
    SHARD = "shard-done"
    DIED = "worker-died"
    FAILED_ITEM = "item-failed"
    UNSHOWN = "status-failed"
    FINISHED = "run-finished"
    INTERRUPTED = "run-interrupted"
    FAILED = "run-failed"


@contextmanager
def logging_to(target: str | None, format: LogFormat = LogFormat.TEXT) -> Iterator[None]:
    """Write what happens in runs to a file, behind what is in it; afterwards nothing is left set.

    Args:
        target: The file's name; `-` for standard error; None for no log at all, not even of
            warnings, which Python would print by itself.
        format: Of its lines.

    Raises:
        OutputError: the file cannot be written.
    """
    if target is None:
        with _handled(logging.NullHandler()):
            yield
    elif target == STANDARD:
        with _handled(_Lines(None, format)):
            yield
    else:
        with writable(target):
            file = open(target, "a", encoding="utf-8")  # noqa: PTH123, SIM115
        with file, _handled(_Lines(file, format)):
            yield


@contextmanager
def _handled(handler: logging.Handler) -> Iterator[None]:
    before = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        LOG.setLevel(before)
        LOG.removeHandler(handler)
        handler.close()


class _Lines(logging.Handler):
    """Writes a line for each record; a log that breaks ends no run, and is complained of once."""

    def __init__(self, file: IO[str] | None, format: LogFormat) -> None:
        super().__init__()
        self._file = file
        self._is_broken = False
        self.setFormatter(JsonLines() if format is LogFormat.JSON else TextLines())

    def emit(self, record: logging.LogRecord) -> None:
        file = self._file or sys.stderr  # asked for anew: a progress bar puts itself in its place
        try:
            file.write(self.format(record) + "\n")
            file.flush()
        except (OSError, ValueError) as error:
            if not self._is_broken and self._file is not None:
                sys.stderr.write(f"the log cannot be written any more: {error}\n")
            self._is_broken = True


class TextLines(logging.Formatter):
    """Time, level, message, fields, on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        fields = "".join(f" {name}={_shown(value)}" for name, value in _fields(record).items())
        message = " ".join(record.getMessage().split())
        return f"{_time(record)} {record.levelname.lower()}: {message}{fields}"


class JsonLines(logging.Formatter):
    """One object: time, level, event, message, and the fields under their names."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        told = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", None),
            "message": record.getMessage(),
            **_fields(record),
        }
        return json.dumps(told, ensure_ascii=False, default=str)


def log_begun(
    what: str, job: Job, given: Input, folder: Folder, plan: RunPlan, spread: RunOptions
) -> None:
    """Log what is going to be done."""
    _log(
        LogEvent.BEGUN,
        "run begun: %s",
        what,
        source=given.record.get("source"),
        output=folder.name,
        engine=spread.engine,
        workers=spread.workers,
        shard_size=plan.shard_size,
        items=given.n_items,
        job=dict(job.identity),
    )


def log_resumed(done: Mapping[int, ShardAccount]) -> None:
    """Log how much was done before, where anything was."""
    items = sum(account.n_items for account in done.values())
    if done:
        _log(LogEvent.RESUMED, "resumed", shards=len(done), items=items)


def log_shard(account: ShardAccount) -> None:
    """Log a shard that is done, and its items that failed.

    Of an exception only the kind is told, as its message may hold texts; the output has all of it.
    """
    where = {"shard": account.number}
    _log(
        LogEvent.SHARD,
        "shard %d done",
        account.number,
        **where,
        items=account.n_items,
        seconds=account.seconds,
    )
    for key, reason in account.blamed:
        kind = reason.partition(":")[0]
        _log(LogEvent.FAILED_ITEM, "%r failed: %s", key, kind, **where, item=key)


def log_death(event: WorkerEvent) -> None:
    """Log that a process died."""
    where = {"worker": event.worker, "shard": event.shard, "process": event.process}
    _log(LogEvent.DIED, "a worker died: %s", event.value, **where)


def log_unshown(error: Exception) -> None:
    """Log that it cannot be shown where a run stands, which goes on."""
    said = error.message if isinstance(error, EnsueError) else type(error).__name__
    _log(LogEvent.UNSHOWN, "the status cannot be shown: %s", said)


def log_finished(last: Snapshot) -> None:
    """Log what a run came to."""
    _log(
        LogEvent.FINISHED,
        "run finished",
        items=last.n_done,
        resumed=last.n_resumed,
        shards=last.shards_done,
        seconds=last.seconds,
        rate=last.rate,
        deaths=last.deaths,
        **last.counts,
        figures=dict(last.figures),
    )


def log_ended(error: BaseException, last: Snapshot, *, is_interrupted: bool) -> None:
    """Log how a run ended that is not finished."""
    done = {"items": last.n_done, "shards": last.shards_done, "seconds": last.seconds}
    if is_interrupted:
        _log(LogEvent.INTERRUPTED, "run interrupted", **done)
    elif isinstance(error, EnsueError):
        _log(LogEvent.FAILED, "run failed: %s", error.message, place=error.place, **done)
    else:
        _log(LogEvent.FAILED, "run failed: %s", type(error).__name__, **done)


_LEVELS = {
    LogEvent.DIED: logging.WARNING,
    LogEvent.FAILED_ITEM: logging.WARNING,
    LogEvent.UNSHOWN: logging.WARNING,
    LogEvent.INTERRUPTED: logging.WARNING,
    LogEvent.FAILED: logging.ERROR,
}


def _log(event: LogEvent, message: str, *arguments: object, **fields: object) -> None:
    told = {name: value for name, value in fields.items() if value is not None}
    level = _LEVELS.get(event, logging.INFO)
    LOG.log(level, message, *arguments, extra={"event": event.value, "fields": told})


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What is told beside the message; no attributes of the record, which has names of its own."""
    fields: dict[str, Any] = getattr(record, "fields", {})
    return fields


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _shown(value: object) -> str:
    """A field for people: a word as it is, anything else as JSON."""
    if isinstance(value, str) and value and not any(c.isspace() or c in '"=' for c in value):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
