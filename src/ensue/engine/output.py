"""The output of a run: shards as a folder, one file or a stream, and its account."""

from __future__ import annotations

import json
import shutil
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import partial
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import numpy as np

from ensue.engine.job import Input, Job, ShardAccount
from ensue.engine.progress import RunState, Snapshot
from ensue.engine.run import MOST_KEYS, OnSnapshot, RunAccount, RunOptions, run_shards
from ensue.engine.store import (
    MANIFEST,
    PLAN,
    STATUS,
    Folder,
    LocalFolder,
    RunPlan,
    open_folder,
    read_journal,
    write_record,
)
from ensue.errors import DataError, EnsueError, OutputError, RunError, SettingError
from ensue.files import (
    STANDARD,
    check_output,
    is_directory,
    is_file,
    is_there,
    is_url,
    open_output,
    writable,
)

# Where a run goes: a folder of shards as they are, one file, or standard output.

_WORTH = 60.0
"""Seconds of work that are kept even where the input cannot be read on: it may be the network."""

PARQUET = ".parquet"
_BLOCK = 1 << 20


def run_to_output(
    job: Job,
    given: Input,
    output: str,
    options: RunOptions,
    *,
    what: str,
    loaded: Any | None = None,
    on_snapshot: OnSnapshot | None = None,
) -> RunAccount:
    """Run a job and put its output where it is wanted; the arguments are those of `run_shards`.

    Raises:
        EnsueError: as `run_shards`, or the output cannot be written.
    """
    run = partial(run_shards, job, given, what=what, loaded=loaded, on_snapshot=on_snapshot)
    if output == STANDARD or _is_device(output):
        return _to_stream(run, job, given, output, options)
    if is_folder(output):
        return _to_folder(run, job, given, open_folder(output), options)
    return _to_file(run, job, given, output, options)


def is_folder(output: str) -> bool:
    """Whether an output is a folder of shards: a URL, or a name that ends so or is one."""
    return output != STANDARD and (is_url(output) or output.endswith("/") or is_directory(output))


def _is_device(output: str) -> bool:
    """Whether there is a pipe or a device: nothing is kept beside it."""
    return is_there(output) and not is_file(output) and not is_directory(output)


def partial_folder(output: str) -> Folder:
    """Where the shards of one file are kept until it is whole."""
    return open_folder(f"{output}.partial")


def plan_digest(job: Job, given: Input) -> str:
    """The hash by which a finished file is known to be of this job and input."""
    said = json.dumps([dict(job.identity), given.digest], sort_keys=True)
    return sha256(said.encode()).hexdigest()


def _to_folder(
    run: Callable[..., RunAccount], job: Job, given: Input, folder: Folder, options: RunOptions
) -> RunAccount:
    with folder.lock():
        is_new = PLAN not in folder.names()
        try:
            account = run(folder, options)
        except EnsueError:
            if is_new and not read_journal(folder):  # nothing to go on with
                for name in (STATUS, PLAN):
                    folder.remove(name)
            raise
        if not (len(account.done_before) == len(account.shards) and MANIFEST in folder.names()):
            write_record(folder, MANIFEST, _manifest(account, job, given))
    return replace(account, is_finished_before=0 < account.n_items == account.n_resumed)


def _manifest(account: RunAccount, job: Job, given: Input) -> dict[str, Any]:
    shards = [
        {
            "file": each.file,
            "rows": each.n_rows,
            "bytes": each.n_bytes,
            "sha256": each.sha256,
            "seconds": each.seconds,
        }
        for each in account.shards
    ]
    return {
        "ensue_folder": 1,
        **job.facts(given, account),
        "input": dict(given.record),
        "finished": account.last.updated,
        "shard_size": account.plan.shard_size,
        "rows": sum(each.n_rows for each in account.shards),
        "shards": shards,
    }


def _to_file(
    run: Callable[..., RunAccount], job: Job, given: Input, output: str, options: RunOptions
) -> RunAccount:
    check_output(output)
    _check_parent(output)
    folder = partial_folder(output)
    if options.resume and not folder.is_there() and Path(output).is_file():
        n_items = job.finished(output, plan_digest(job, given))
        if n_items is not None:
            return _finished_before(job, given, output, n_items)
        raise RunError(
            "no-unfinished-run-resume-not-say",
            "there is no unfinished run to resume, and what is there does not say that it is this"
            " run",
            place=output,
            hint="run anew with --restart, or name another output",
        )
    if not (options.resume or options.restart):
        job.check_target(output, plan_digest(job, given))
    with folder.lock():
        is_new = PLAN not in folder.names()
        try:
            account = run(folder, options)
        except BaseException as error:
            done = read_journal(folder)
            seconds = sum(each.seconds for each in done.values())
            is_other = isinstance(error, DataError)  # the input has to be mended
            if (is_other and seconds < _WORTH) or (is_new and not done):
                folder.remove_all()  # nothing that the next run would have to be told about
            raise
        _clear_unfinished(output)
        with _noted(folder, account), open_output(output) as file:
            file.write(job.head(given, account))
            _join(job, folder, account.shards, file)
        folder.remove_all()
    return account


def _finished_before(job: Job, given: Input, output: str, n_items: int) -> RunAccount:
    """The account of a file that the same plan made before."""
    plan = RunPlan(dict(job.identity), given.digest or "-", n_items, job.suffix, "")
    shards = (ShardAccount(0, output, n_items, n_items, 0, "", 0.0),)
    last = Snapshot(RunState.FINISHED, given.name, n_items=n_items, n_done=n_items)
    return RunAccount(plan, shards, frozenset({0}), last, 0.0, is_finished_before=True)


@contextmanager
def _noted(folder: Folder, account: RunAccount) -> Iterator[None]:
    """Say in the status how the last step ended, where it did not do so well."""
    try:
        yield
    except BaseException as error:
        is_interrupted = isinstance(error, KeyboardInterrupt)
        state = RunState.INTERRUPTED if is_interrupted else RunState.FAILED
        last = replace(account.last, state=state, reason=None if is_interrupted else str(error))
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
    run: Callable[..., RunAccount], job: Job, given: Input, output: str, options: RunOptions
) -> RunAccount:
    if job.suffix == PARQUET:
        raise SettingError(
            "parquet-cannot-written-stream",
            "Parquet cannot be written to a stream",
            hint="name a file or a folder",
        )
    with tempfile.TemporaryDirectory(prefix="ensue-") as made:
        folder = LocalFolder(Path(made))
        with open_output(output) as file:
            ordered = _InOrder(folder, file, job, given)
            account = run(folder, replace(options, resume=False), on_shard=ordered)
            ordered.begin()
    return account


class _InOrder:
    """Writes shards in their order, each as soon as it and those before it are done."""

    def __init__(self, folder: Folder, file: IO[bytes], job: Job, given: Input) -> None:
        self._folder, self._file, self._job, self._given = folder, file, job, given
        self._waiting: dict[int, ShardAccount] = {}
        self._next = 0

    def __call__(self, account: ShardAccount) -> None:
        self._waiting[account.number] = account
        while self._next in self._waiting:
            ready = self._waiting.pop(self._next)
            self.begin()
            _join(self._job, self._folder, [ready], self._file)
            self._file.flush()
            self._folder.remove(ready.file)
            self._next += 1

    def begin(self) -> None:
        """Write the head, before the first shard."""
        if self._next == 0:
            self._file.write(self._job.head(self._given, None))


def _join(job: Job, folder: Folder, accounts: Sequence[ShardAccount], target: IO[bytes]) -> None:
    """Write shards one after the other, as text or as one table."""
    files = (open_shard(folder, each) for each in accounts)
    if job.suffix != PARQUET:
        for opened in files:
            with opened as file:
                shutil.copyfileobj(file, target, _BLOCK)
    elif accounts:
        _join_tables(files, target)
    else:
        target.write(job.write([]))


def _join_tables(files: Iterator[IO[bytes]], target: IO[bytes]) -> None:
    """Put Parquet files of one schema into one, a file at a time."""
    import pyarrow.parquet as pq

    writer = None
    try:
        for opened in files:
            with opened as file:
                table = pq.read_table(file)
            writer = writer or pq.ParquetWriter(target, table.schema)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def open_shard(folder: Folder, account: ShardAccount) -> IO[bytes]:
    """Open the file of a finished shard.

    Raises:
        OutputError: it cannot be read.
    """
    name = account.file
    try:
        return folder.open(name)
    except OSError as error:
        raise OutputError(
            "shard-cannot-read",
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


# What a run took, for its output.


def run_cost(account: RunAccount, items: str) -> dict[str, Any]:
    """What a run took since it was begun or last resumed.

    Args:
        account: What it came to.
        items: What its items are called, e.g. `pairs`.
    """
    now = [each for each in account.shards if each.number not in account.done_before]
    done, seconds = sum(each.n_items for each in now), account.seconds
    figures: Counter[str] = Counter()
    for each in now:
        figures.update(each.figures)
    return {
        items: done,
        "seconds": round(seconds, 3),
        f"{items}_per_second": round(done / seconds, 1) if seconds > 0 else None,
        "worker_seconds": round(sum(each.seconds for each in now), 3),
        "engine": account.last.engine,
        "deaths": account.last.deaths,
        **figures,
    }


def row_facts(
    kind: str, items: str, said: Mapping[str, Any], account: RunAccount
) -> Mapping[str, Any]:
    """What the manifest of a folder of rows says.

    Args:
        kind: What the rows are.
        items: What was done, e.g. `pairs`.
        said: How they were made.
        account: What it came to.
    """
    return {
        "kind": kind,
        **said,
        "started": account.plan.started,
        "cost": run_cost(account, items),
        "counts": {kind: dict(counts) for kind, counts in account.last.counts.items()},
    }
