"""A run that is not finished: verdicts kept beside the place where the run will be.

The file `RUN.partial` has a first line that says what is being judged with what, then a line for
each verdict, in the order of the pairs. Whoever goes on cuts off a line that was not finished and
knows from the number of lines how many pairs are done.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any

from ensue.errors import OutputError, RunError
from ensue.pairs import Signature, Verdict, open_input
from ensue.pairs.runs import verdict_from_json, verdict_line

_VERSION = 1
_COPIED = 1 << 20


@dataclass(frozen=True, slots=True)
class PartialRun:
    """The file beside the target that holds what is done so far."""

    path: Path

    @classmethod
    def beside(cls, target: str | Path) -> PartialRun:
        """The partial run of a target."""
        path = Path(target)
        return cls(path.with_name(f"{path.name}.partial"))

    def exists(self) -> bool:
        """Whether somebody began."""
        return self.path.exists()

    def begin(self, signature: Signature, input_hash: str, started: str) -> None:
        """Write the first line of a new file.

        Raises:
            OutputError: the file is there already, or cannot be written.
        """
        record = {
            "ensue_partial": _VERSION,
            "signature": signature.to_json(),
            "input_sha256": input_hash,
            "started": started,
        }
        try:
            with self.path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(record) + "\n")
        except FileExistsError:
            raise OutputError(
                f"an unfinished run is in {str(self.path)!r}",
                hint="go on with --resume, or begin anew with --restart",
            ) from None
        except OSError as error:
            raise _cannot_write(self.path, error) from None

    def check(self, signature: Signature, input_hash: str) -> str:
        """See that the unfinished run is this one; give when it was begun.

        Raises:
            RunError: other settings, other data, or not a partial run.
        """
        hint = "begin anew with --restart, or name another output"
        with self.path.open("rb") as file:
            first = file.readline()
        try:
            record: Any = json.loads(first)
            version, began = record["ensue_partial"], record["signature"]
            hashed, started = record["input_sha256"], record["started"]
        except (ValueError, KeyError, TypeError):
            raise RunError("not an unfinished run", place=f"{self.path}:1", hint=hint) from None
        if version != _VERSION:
            raise RunError(f"unknown version {version!r}", place=f"{self.path}:1", hint=hint)
        if began != json.loads(json.dumps(signature.to_json())):
            before = Signature.from_json(began)
            raise RunError(
                f"the unfinished run was begun with {before}, not with {signature}",
                place=str(self.path),
                hint=hint,
            )
        if hashed != input_hash:
            raise RunError(
                "the pairs have changed since this run was begun", place=str(self.path), hint=hint
            )
        return str(started)

    def mend(self) -> int:
        """Cut off a line that was not finished; give how many verdicts are left."""
        n_lines, end = 0, 0
        with self.path.open("rb+") as file:
            for line in file:
                if line.endswith(b"\n"):
                    n_lines += 1
                    end += len(line)
            file.truncate(end)
        return max(n_lines - 1, 0)

    def append(self, verdicts: Iterable[Verdict]) -> None:
        """Add verdicts; they are in the file when this returns."""
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write("".join(map(verdict_line, verdicts)))
        except OSError as error:
            raise _cannot_write(self.path, error) from None

    def copy_to(self, file: IO[bytes]) -> None:
        """Copy the lines of all verdicts as they are."""
        with self.path.open("rb") as source:
            source.readline()
            shutil.copyfileobj(source, file, _COPIED)

    def verdicts(self) -> Iterator[Verdict]:
        """What is done so far."""
        with self.path.open(encoding="utf-8") as file:
            next(file)
            for number, line in enumerate(file, 2):
                yield verdict_from_json(json.loads(line), place=f"{self.path}:{number}")

    def remove(self) -> None:
        """Forget the unfinished run."""
        with suppress(FileNotFoundError):
            os.unlink(self.path)  # noqa: PTH108 - as in pairs.files


def input_sha256(source: str | Path) -> str:
    """The hash of a file's bytes, unpacked."""
    with open_input(source) as file:
        return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def _cannot_write(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"cannot write {str(path)!r}: {error.strerror or error}",
        hint="check that the directory exists and that you may write there",
    )
