"""Folders of runs, local or behind a URL: plan, journal of shards, manifest."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Protocol

from ensue.engine.job import ShardAccount
from ensue.errors import OutputError, RunError
from ensue.files import check_name, is_directory, is_url, local_name, without_password, writable

# Folders on a local disk and behind any URL that fsspec knows, with files written whole or not.

JOURNAL = "_journal.jsonl"
PLAN = "_plan.json"
_LOCK = ".lock"
_PIECE = ".piece-"
_TEMPORARY = ".tmp-"
_NO_FILE = (FileNotFoundError, IsADirectoryError, NotADirectoryError)
_STALE = 60.0
"""Seconds after which a lock that nobody renews, on a file system without locks, is nobody's."""


class Folder(Protocol):
    """A place for files; a small value that goes to other processes."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file, which appears whole or not at all.

        Raises:
            OutputError: it cannot be written.
        """

    def enter(self, line: bytes) -> None:
        """Add a line to the journal, the one file that is added to.

        Raises:
            OutputError: it cannot be written; some of it may be.
        """

    def read(self, name: str) -> bytes | None:
        """The content of a file; None where there is no such file.

        Raises:
            OutputError: there may be one, but it cannot be read now; what it says is not lost yet.
        """

    def open(self, name: str) -> IO[bytes]:
        """Open a file for reading.

        Raises:
            OSError: it cannot be read.
        """

    def names(self) -> list[str]:
        """The files in it."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def remove_all(self) -> None:
        """Remove the folder with everything in it."""

    def is_there(self) -> bool:
        """Whether there is such a folder."""

    def lock(self) -> Any:
        """Make the folder and hold it against other processes, as a context.

        Raises:
            OutputError: another process holds it, or it cannot be made.
        """

    def renew(self) -> None:
        """Say that this process still holds it, where the system cannot tell."""

    def is_locked(self) -> bool:
        """Whether a process holds it."""


@dataclass(frozen=True, slots=True)
class LocalFolder:
    """A folder on this machine, or on a file system that all machines share."""

    path: Path

    @property
    def name(self) -> str:
        """Its path."""
        return str(self.path)

    def write(self, name: str, content: bytes) -> None:
        """Write under another name and rename."""
        temporary = self.path / f"{_TEMPORARY}{uuid.uuid4().hex}-{name}"
        with writable(self.path / name):
            try:
                with temporary.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(self.path / name)
            except BaseException:
                with suppress(OSError):
                    temporary.unlink()
                raise

    def enter(self, line: bytes) -> None:
        """Add to the end."""
        with writable(self.path / JOURNAL), (self.path / JOURNAL).open("ab") as file:
            file.write(line)

    def read(self, name: str) -> bytes | None:
        """Read the whole file."""
        with _readable(self.path / name), suppress(*_NO_FILE):
            return (self.path / name).read_bytes()
        return None

    def open(self, name: str) -> IO[bytes]:
        """Open for reading."""
        return (self.path / name).open("rb")

    def names(self) -> list[str]:
        """What is in the folder."""
        return sorted(each.name for each in self.path.iterdir()) if self.path.is_dir() else []

    def remove(self, name: str) -> None:
        """Unlink."""
        with writable(self.path / name), suppress(FileNotFoundError):
            (self.path / name).unlink()

    def remove_all(self) -> None:
        """Remove the tree, the plan last: as long as it is there, the rest is known to be a run's."""
        for name in self.names():
            if name != PLAN:
                with suppress(OSError):
                    (self.path / name).unlink()
        shutil.rmtree(self.path, ignore_errors=True)

    def is_there(self) -> bool:
        """Whether it is a directory."""
        return is_directory(self.path)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the lock file, which the system lets go when the process ends, however it does."""
        was_there = is_directory(self.path)
        with writable(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / _LOCK).open("ab")
        with file:
            if not _held(self.path / _LOCK, file):
                raise _taken(self.name)
            self._clear_temporary()
            try:
                yield
            finally:
                self._clear_temporary()
                with suppress(OSError):
                    (self.path / _LOCK).unlink()
                if not was_there:
                    with suppress(OSError):
                        self.path.rmdir()  # where nothing came of it

    def renew(self) -> None:
        """Nothing: the system knows."""

    def is_locked(self) -> bool:
        """Try the lock."""
        try:
            with (self.path / _LOCK).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    def _clear_temporary(self) -> None:
        """Remove what processes left that were killed while they wrote."""
        for each in self.path.glob(f"{_TEMPORARY}*"):
            with suppress(OSError):
                each.unlink()


def _held(path: Path, file: IO[bytes]) -> bool:
    """Take the lock; False where another process has it, or had it and has removed the file."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(file.fileno()).st_ino == path.stat().st_ino
    except OSError:
        return False


@contextmanager
def _readable(path: str | Path) -> Iterator[None]:
    """Turn the system's errors while a path is read into an OutputError that says so."""
    try:
        yield
    except OSError as error:
        raise OutputError(
            "cannot-read",
            f"cannot read {str(path)!r}: {error.strerror or error}",
            hint="see that it can be read, and try again",
        ) from None


def _taken(name: str) -> OutputError:
    return OutputError(
        "another-process-working",
        f"another process is working in {name!r}",
        hint="wait for it, or name another output",
    )


@dataclass(frozen=True, slots=True)
class RemoteFolder:
    """A folder behind a URL, e.g. `s3://bucket/run`."""

    url: str

    @property
    def name(self) -> str:
        """The URL, as it may be shown."""
        return without_password(self.url)

    def write(self, name: str, content: bytes) -> None:
        """Write under another name and move."""
        system, path = self._at(name)
        _, temporary = self._at(f"{_TEMPORARY}{uuid.uuid4().hex}-{name}")
        with writable(f"{self.name}/{name}"):
            system.pipe_file(temporary, content)
            system.mv(temporary, path)
        if name == JOURNAL:
            self._remove_pieces()

    def enter(self, line: bytes) -> None:
        """Write another piece, which `read` puts behind the others: objects cannot be added to."""
        self.write(f"{JOURNAL}{_PIECE}{time.time_ns():020d}", line)

    def read(self, name: str) -> bytes | None:
        """Fetch the whole file; the journal with the pieces that were added to it."""
        pieces = self._pieces() if name == JOURNAL else []
        found = [self._read(each) for each in (name, *pieces)]
        return b"".join(filter(None, found)) if pieces else found[0]

    def _read(self, name: str) -> bytes | None:
        system, path = self._at(name)
        with _readable(f"{self.name}/{name}"), suppress(*_NO_FILE):
            return bytes(system.cat_file(path))
        return None

    def open(self, name: str) -> IO[bytes]:
        """Open for reading."""
        system, path = self._at(name)
        file: IO[bytes] = system.open(path, "rb")
        return file

    def names(self) -> list[str]:
        """What is in the folder."""
        system, path = self._at("")
        try:
            found = system.ls(path, detail=False)
        except FileNotFoundError:
            return []
        return sorted(str(each).rstrip("/").rsplit("/", 1)[-1] for each in found)

    def remove(self, name: str) -> None:
        """Delete, with all pieces."""
        system, path = self._at(name)
        with writable(f"{self.name}/{name}"), suppress(FileNotFoundError):
            system.rm_file(path)
        if name == JOURNAL:
            self._remove_pieces()

    def _pieces(self) -> list[str]:
        return [each for each in self.names() if each.startswith(f"{JOURNAL}{_PIECE}")]

    def _remove_pieces(self) -> None:
        for each in self._pieces():
            self.remove(each)

    def remove_all(self) -> None:
        """Delete everything below."""
        system, path = self._at("")
        with suppress(OSError):
            system.rm(path, recursive=True)

    def is_there(self) -> bool:
        """Whether anything is in it."""
        return bool(self.names())

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Write a lock file with the time in it, which the monitor of a run renews."""
        if self.is_locked():
            raise _taken(self.name)
        system, path = self._at("")
        with writable(self.name):
            system.makedirs(path, exist_ok=True)
        self.renew()
        try:
            yield
        finally:
            self.remove(_LOCK)

    def renew(self) -> None:
        """Write the time into the lock."""
        self.write(_LOCK, str(time.time()).encode())

    def is_locked(self) -> bool:
        """Whether it was renewed a short time ago."""
        written = self.read(_LOCK)
        with suppress(TypeError, ValueError):
            return written is not None and time.time() - float(written) < _STALE
        return False

    def _at(self, name: str) -> tuple[Any, str]:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(self.url)
        return system, f"{path.rstrip('/')}/{name}" if name else path.rstrip("/")


def open_folder(target: str | Path) -> Folder:
    """The folder of a path or a URL; nothing is made yet.

    Raises:
        OutputError: no installed package knows such URLs, or nothing can be called so.
    """
    if not is_url(target):
        check_name(target)
        return LocalFolder(Path(local_name(target)).absolute())
    folder = RemoteFolder(str(target).rstrip("/"))
    try:
        folder._at("")
    except (ImportError, ValueError) as error:
        raise OutputError(
            "cannot-write",
            f"cannot write {str(target)!r}: {error}",
            hint="install the fsspec package for it, e.g. s3fs for s3://",
        ) from None
    return folder


# The records of a run: its plan, the journal of finished shards, its manifest.

STATUS = "_status.json"
MANIFEST = "_manifest.json"
_VERSION = 1
_HINT = "begin anew with --restart, or name another output"


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What is done with what: two runs of the same plan have the same output."""

    job: Mapping[str, Any] = field(hash=False)
    """The job's identity."""
    input: str
    """The digest of the input."""
    shard_size: int
    suffix: str
    """Of the shards' files."""
    started: str
    """When it was begun, as an ISO 8601 time."""

    def write(self, folder: Folder) -> None:
        """Write it, before anything is done."""
        write_record(folder, PLAN, {"ensue_plan": _VERSION, **asdict(self)})

    def check(self, wanted: RunPlan, folder: Folder) -> None:
        """See that what was begun is what is wanted now.

        Raises:
            RunError: another job, other settings, other input or other shards; it says which.
        """
        for what, before, now in _differences(self, wanted):
            raise RunError(
                "run-begun-not",
                f"the run that is there was begun with {what} {before}, not {now}",
                place=folder.name,
                hint=_HINT,
            )

    @classmethod
    def read(cls, folder: Folder) -> RunPlan | None:
        """The plan of a folder; None where there is none.

        Raises:
            RunError: it is broken, or of another version.
        """
        record = read_record(folder, PLAN)
        if record is None:
            return None
        try:
            if record.pop("ensue_plan") != _VERSION:
                raise ValueError("another version")
            return cls(**record)
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(
                "not-plan-run",
                f"not the plan of a run: {error}",
                place=f"{folder.name}/{PLAN}",
                hint=_HINT,
            ) from None


def is_of_run(folder: Folder) -> bool:
    """Whether the plan in a folder is one of ours, even if it is broken."""
    if STATUS in folder.names():
        return True
    return b'"ensue_plan"' in (folder.read(PLAN) or b"")


def _differences(before: RunPlan, now: RunPlan) -> list[tuple[str, str, str]]:
    """What differs, the most telling first."""
    found = []
    keys = [*before.job, *(key for key in now.job if key not in before.job)]
    for key in keys:
        old, new = before.job.get(key), now.job.get(key)
        if json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True):
            found.append(_told(key, old, new))
    if before.input != now.input:
        found.append(
            ("other input:", before.input[:12], f"{now.input[:12]} (it has changed since)")
        )
    if before.shard_size != now.shard_size:
        found.append(("shards of", f"{before.shard_size:,}", f"{now.shard_size:,}"))
    if before.suffix != now.suffix:
        found.append(("files in", before.suffix, now.suffix))
    return found


def _told(name: str, old: Any, new: Any) -> tuple[str, str, str]:
    """What something is called, and its two values; of two objects, the first that differs."""
    if isinstance(old, dict) and isinstance(new, dict):
        key = next(key for key in {**old, **new} if old.get(key) != new.get(key))
        return _told(f"{name}.{key}", old.get(key), new.get(key))
    return name, repr(old), repr(new)


def read_journal(folder: Folder) -> dict[int, ShardAccount]:
    """The finished shards whose files are as they were written; a line that was cut off is none."""
    found: dict[int, ShardAccount] = {}
    for line in (folder.read(JOURNAL) or b"").splitlines():
        try:
            account = ShardAccount.from_json(json.loads(line))
        except (KeyError, TypeError, ValueError, RecursionError):
            continue
        found[account.number] = account
    return {number: account for number, account in found.items() if _is_whole(folder, account)}


def _is_whole(folder: Folder, account: ShardAccount) -> bool:
    """Whether the file of a shard is there as it was written."""
    content = folder.read(account.file)
    return content is not None and sha256(content).hexdigest() == account.sha256


def read_record(folder: Folder, name: str) -> dict[str, Any] | None:
    """A JSON object; None where there is no such file.

    Raises:
        RunError: it is no JSON object.
    """
    content = folder.read(name)
    if content is None:
        return None
    try:
        record = json.loads(content)
        if not isinstance(record, dict):
            raise ValueError("no object")
    except (ValueError, RecursionError) as error:
        raise RunError(
            "broken-data", f"broken: {error}", place=f"{folder.name}/{name}", hint=_HINT
        ) from None
    return record


def write_record(folder: Folder, name: str, record: Mapping[str, Any]) -> None:
    """Write a JSON object, whole or not at all."""
    folder.write(name, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())
