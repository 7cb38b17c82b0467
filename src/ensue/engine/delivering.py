"""Where a run goes: a folder of shards as they are, one file, or standard output."""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import partial
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from ensue.engine.folders import (
    MANIFEST,
    PLAN,
    STATUS,
    Folder,
    LocalFolder,
    open_folder,
    read_journal,
    write_record,
)
from ensue.engine.model import Input, Job, ShardAccount
from ensue.engine.running import MOST_KEYS, OnSnapshot, Outcome, Spread, run_shards
from ensue.engine.watching import State
from ensue.errors import DataError, EnsueError, OutputError, RunError, SettingError
from ensue.pairs import open_output
from ensue.pairs.files import STANDARD
from ensue.pairs.opening.remote import is_url
from ensue.pairs.outputs import check_output, writable

_WORTH = 60.0
"""Seconds of work that are kept even where the input cannot be read on: it may be the network."""

Opening = Callable[[], IO[bytes]]


class Assembly(Protocol):
    """How shards become one output."""

    def head(self, outcome: Outcome | None) -> bytes:
        """What stands before the first shard in one file; None before the run is done."""

    def join(self, files: Sequence[Opening], target: IO[bytes]) -> None:
        """Write the content of shards behind the head."""

    def facts(self, outcome: Outcome) -> Mapping[str, Any]:
        """What the manifest of a folder says beside the shards."""

    def finished(self, target: str) -> str | None:
        """The digest of the plan by which a finished file was made; None where it does not say."""


def deliver(
    job: Job,
    given: Input,
    output: str,
    spread: Spread,
    assembly: Assembly,
    *,
    what: str,
    on_snapshot: OnSnapshot | None = None,
) -> Outcome | None:
    """Run a job and put its output where it is wanted.

    Returns:
        What it came to; None where the finished run of this very plan is there already.

    Raises:
        EnsueError: as `run_shards`, or the output cannot be written.
    """
    run = partial(run_shards, job, given, what=what, on_snapshot=on_snapshot)
    if output == STANDARD or _is_device(output):
        return _to_stream(run, job, output, spread, assembly)
    if is_folder(output):
        return _to_folder(run, open_folder(output), given, spread, assembly)
    return _to_file(run, job, given, output, spread, assembly)


def is_folder(output: str) -> bool:
    """Whether an output is a folder of shards: a URL, or a name that ends so or is one."""
    return output != STANDARD and (is_url(output) or output.endswith("/") or Path(output).is_dir())


def _is_device(output: str) -> bool:
    """Whether there is a pipe or a device: nothing is kept beside it."""
    path = Path(output)
    return path.exists() and not path.is_file() and not path.is_dir()


def partial_folder(output: str) -> Folder:
    """Where the shards of one file are kept until it is whole."""
    return open_folder(f"{output}.partial")


def plan_digest(job: Job, given: Input) -> str:
    """The hash by which a finished file is known to be of this job and input."""
    said = json.dumps([dict(job.identity), given.digest], sort_keys=True)
    return sha256(said.encode()).hexdigest()


def _to_folder(
    run: Callable[..., Outcome], folder: Folder, given: Input, spread: Spread, assembly: Assembly
) -> Outcome:
    with folder.lock():
        outcome = run(folder, spread)
        if not (outcome.is_idle and MANIFEST in folder.names()):
            write_record(folder, MANIFEST, _manifest(outcome, given, assembly))
    return outcome


def _manifest(outcome: Outcome, given: Input, assembly: Assembly) -> dict[str, Any]:
    shards = [
        {
            "file": each.file,
            "rows": each.n_rows,
            "bytes": each.n_bytes,
            "sha256": each.sha256,
            "seconds": each.seconds,
        }
        for each in outcome.accounts
    ]
    return {
        "ensue_folder": 1,
        **assembly.facts(outcome),
        "input": dict(given.record),
        "finished": outcome.last.updated,
        "shard_size": outcome.plan.shard_size,
        "rows": sum(each.n_rows for each in outcome.accounts),
        "shards": shards,
    }


def _to_file(
    run: Callable[..., Outcome],
    job: Job,
    given: Input,
    output: str,
    spread: Spread,
    assembly: Assembly,
) -> Outcome | None:
    check_output(output)
    _check_parent(output)
    folder = partial_folder(output)
    if spread.resume and not folder.is_there() and Path(output).is_file():
        if assembly.finished(output) == plan_digest(job, given):
            return None
        raise RunError(
            "there is no unfinished run to resume, and what is there does not say that it is this"
            " run",
            place=output,
            hint="run anew with --restart, or name another output",
        )
    with folder.lock():
        is_new = PLAN not in folder.names()
        try:
            outcome = run(folder, spread)
        except EnsueError as error:
            seconds = sum(each.seconds for each in read_journal(folder).values())
            is_other = isinstance(error, DataError)  # the input has to be mended
            if (is_other and seconds < _WORTH) or (is_new and not seconds):
                folder.remove_all()
            raise
        _clear_unfinished(output)
        with _noted(folder, outcome), open_output(output) as file:
            file.write(assembly.head(outcome))
            assembly.join(_openings(folder, outcome.accounts), file)
        folder.remove_all()
    return outcome


@contextmanager
def _noted(folder: Folder, outcome: Outcome) -> Iterator[None]:
    """Say in the status how the last step ended, where it did not do so well."""
    try:
        yield
    except BaseException as error:
        is_interrupted = isinstance(error, KeyboardInterrupt)
        state = State.INTERRUPTED if is_interrupted else State.FAILED
        last = replace(outcome.last, state=state, reason=None if is_interrupted else str(error))
        with suppress(EnsueError):
            write_record(folder, STATUS, asdict(last))
        raise


def _clear_unfinished(output: str) -> None:
    """Remove what was left by a process that was killed while it put the file together."""
    path = Path(output).resolve()
    for each in path.parent.glob(f".{escape(path.name)}.????????"):
        with suppress(OSError):
            each.unlink()


def _check_parent(output: str) -> None:
    """See early that the file can be made, as the folder beside it would make its directory."""
    with writable(output):
        Path(output).resolve().parent.stat()


def _to_stream(
    run: Callable[..., Outcome], job: Job, output: str, spread: Spread, assembly: Assembly
) -> Outcome:
    if job.suffix == ".parquet":
        raise SettingError("Parquet cannot be written to a stream", hint="name a file or a folder")
    with tempfile.TemporaryDirectory(prefix="ensue-") as made:
        folder = LocalFolder(Path(made))
        with open_output(output) as file:
            ordered = _InOrder(folder, file, assembly)
            outcome = run(folder, replace(spread, resume=False), on_shard=ordered)
            ordered.begin()
    return outcome


class _InOrder:
    """Writes shards in their order, each as soon as it and those before it are done."""

    def __init__(self, folder: Folder, file: IO[bytes], assembly: Assembly) -> None:
        self._folder, self._file, self._assembly = folder, file, assembly
        self._waiting: dict[int, ShardAccount] = {}
        self._next = 0

    def __call__(self, account: ShardAccount) -> None:
        self._waiting[account.number] = account
        while self._next in self._waiting:
            ready = self._waiting.pop(self._next)
            self.begin()
            self._assembly.join(_openings(self._folder, [ready]), self._file)
            self._file.flush()
            self._folder.remove(ready.file)
            self._next += 1

    def begin(self) -> None:
        """Write the head, before the first shard."""
        if self._next == 0:
            self._file.write(self._assembly.head(None))


def _openings(folder: Folder, accounts: Sequence[ShardAccount]) -> list[Opening]:
    return [partial(_opened, folder, each.file) for each in accounts]


def _opened(folder: Folder, name: str) -> IO[bytes]:
    try:
        return folder.open(name)
    except OSError as error:
        raise OutputError(
            f"a shard cannot be read: {error.strerror or error}",
            place=f"{folder.name}/{name}",
            hint="make it again with --resume",
        ) from None


def n_doubled(accounts: Sequence[ShardAccount]) -> int:
    """How many items have the key of an earlier one; 0 where there are too many to look."""
    if sum(each.n_items for each in accounts) > MOST_KEYS:
        return 0
    keys = array("q")
    for each in accounts:
        keys.frombytes(each.keys)
    found = np.sort(np.frombuffer(keys, np.int64))  # many times as quick as `np.unique` here
    return int(np.count_nonzero(found[1:] == found[:-1]))
