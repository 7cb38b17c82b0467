"""A run that is not finished: verdicts kept beside the place where the run will be.

The file `RUN.partial` has a first line that says what is being judged with what, then a line for
each verdict, in the order of the pairs. Whoever goes on cuts off a line that was not finished and
knows from the number of lines how many pairs are done. One process at a time holds the file.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, Any

from ensue.errors import OutputError, RunError
from ensue.pairs import Signature, Verdict, open_input
from ensue.pairs.outputs import writable
from ensue.pairs.runs import verdict_from_json, verdict_line

_VERSION = 1
_COPIED = 1 << 20
_HINT = "begin anew with --restart, or name another output"


@dataclass(frozen=True, slots=True)
class Task:
    """What is judged with what: two runs of the same task have the same verdicts."""

    signature: Signature
    input_sha256: str
    """The hash of the input's bytes."""
    reading: Mapping[str, Any]
    """How the input is read: format, columns, labels, encoding."""

    def to_json(self) -> dict[str, Any]:
        """The task in values that JSON can hold."""
        made = {
            "signature": self.signature.to_json(),
            "input_sha256": self.input_sha256,
            "reading": dict(self.reading),
        }
        return json.loads(json.dumps(made))  # type: ignore[no-any-return]

    def sha256(self) -> str:
        """The hash by which a finished run is known to be of this task."""
        return sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PartialRun:
    """The open file beside the target that holds what is done so far."""

    path: Path
    file: IO[bytes]

    def begin(self, task: Task, started: str) -> None:
        """Write the first line."""
        record = {"ensue_partial": _VERSION, **task.to_json(), "started": started}
        self._write(json.dumps(record) + "\n")

    def is_begun(self) -> bool:
        """Whether there is anything in the file."""
        return self.path.stat().st_size > 0

    def check(self, task: Task) -> str:
        """See that the unfinished run is this task; give when it was begun.

        Raises:
            RunError: other settings, other data, other reading, or not a partial run.
        """
        record = self._first_record()
        wanted = task.to_json()
        if record["signature"] != wanted["signature"]:
            before = _shown(record["signature"])
            raise self._refused(f"was begun with {before}, not with {task.signature}")
        if record["input_sha256"] != wanted["input_sha256"]:
            raise self._refused("was begun on other pairs: the file has changed since")
        if record["reading"] != wanted["reading"]:
            raise self._refused(
                f"was begun reading the pairs with {record['reading']}, not {wanted['reading']}"
            )
        return str(record["started"])

    def mend(self) -> int:
        """Cut off a line that was not finished; give how many verdicts are left."""
        n_lines, end = 0, 0
        self.file.seek(0)
        for line in self.file:
            if line.endswith(b"\n"):
                n_lines += 1
                end += len(line)
        self.file.truncate(end)
        return max(n_lines - 1, 0)

    def append(self, verdicts: Iterable[Verdict]) -> None:
        """Add verdicts; when this returns, no kill of the process can lose them."""
        self._write("".join(map(verdict_line, verdicts)))

    def verdicts(self) -> Iterator[Verdict]:
        """What is done so far.

        Raises:
            RunError: a line is not a verdict.
        """
        with self.path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if number == 1:
                    continue
                place = f"{self.path}:{number}"
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError):
                    raise RunError("a broken line", place=place, hint=_HINT) from None
                yield verdict_from_json(record, place=place)

    def copy_to(self, file: IO[bytes]) -> None:
        """Copy the lines of all verdicts as they are."""
        self.file.seek(0)
        self.file.readline()
        shutil.copyfileobj(self.file, file, _COPIED)

    def remove(self) -> None:
        """Forget the unfinished run."""
        with suppress(FileNotFoundError):
            os.unlink(self.path)  # noqa: PTH108 - as in pairs.files

    def _write(self, text: str) -> None:
        with writable(self.path):
            self.file.seek(0, os.SEEK_END)
            self.file.write(text.encode())
            self.file.flush()

    def _first_record(self) -> dict[str, Any]:
        self.file.seek(0)
        try:
            record: Any = json.loads(self.file.readline())
            known = record["ensue_partial"] == _VERSION
        except (ValueError, KeyError, TypeError, RecursionError):
            known = False
        if not known or not {"signature", "input_sha256", "reading", "started"} <= set(record):
            raise RunError("not an unfinished run", place=f"{self.path}:1", hint=_HINT)
        return dict(record)

    def _refused(self, why: str) -> RunError:
        return RunError(f"the unfinished run {why}", place=str(self.path), hint=_HINT)


def partial_path(target: str | Path) -> Path:
    """Where the unfinished run of a target is kept."""
    path = Path(target)
    return path.with_name(f"{path.name}.partial")


@contextmanager
def open_partial(target: str | Path, *, resume: bool, restart: bool) -> Iterator[PartialRun]:
    """Open the partial run of a target and hold it against other processes.

    Raises:
        OutputError: another process holds it, it cannot be written, or there is an unfinished run
            and neither to resume nor to restart was asked.
    """
    path = partial_path(target)
    with writable(path):
        path.touch()
        file = path.open("r+b")
    with file:
        if not _held(path, file):
            raise OutputError(
                f"another process is judging into {str(target)!r}",
                hint="wait for it, or name another output",
            )
        partial = PartialRun(path, file)
        if restart:
            file.truncate(0)
        if partial.is_begun() and not resume:
            raise OutputError(
                f"an unfinished run is in {str(path)!r}",
                hint="go on with --resume, or begin anew with --restart",
            )
        yield partial


def _held(path: Path, file: IO[bytes]) -> bool:
    """Take the lock; False where another process has it, or had it and has removed the file."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(file.fileno()).st_ino == path.stat().st_ino
    except OSError:
        return False


def input_sha256(source: str | Path) -> str:
    """The hash of a file's bytes, unpacked."""
    with open_input(source) as file:
        return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def _shown(signature: Any) -> str:
    try:
        return str(Signature.from_json(signature))
    except (AttributeError, KeyError, TypeError, ValueError):
        return "other settings"
