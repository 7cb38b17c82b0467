"""Uploaded files: kept apart, and their size checked before they are read."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from ensue.errors import DataError, EnsueError, LimitError
from ensue.files import PARQUET_MAGIC, RowFormat, looks_like_xml, open_input, row_format
from ensue.pairs import Pair
from ensue.workbench.workbench import Limits

# How large a file of strangers is, before it is taken in: packed files are bombs until weighed.

_READ_BLOCK = 1 << 20
_WORKER_MODULE = "ensue.workbench.upload_worker"
_PATIENCE = 120.0
"""Seconds that a Parquet file gets to be weighed."""


def check_size(path: Path, limits: Limits, *, most_lines: int | None = None) -> None:
    """See that a file stays small when it is unpacked and read.

    Args:
        path: The file.
        limits: What is too much.
        most_lines: How many lines it may have, where each of them is something to keep.

    Raises:
        LimitError: it does not.
        DataError: it is broken.
    """
    if path.stat().st_size > limits.upload_bytes:
        raise LimitError(
            "file-more-than-bytes",
            f"the file has more than {limits.upload_bytes:,} bytes",
            hint="the command line takes larger ones",
        )
    if _is_parquet(path, _unpacked(path, limits, most_lines)):
        _check_in_worker(path, limits)


def within(located: Iterable[tuple[int, Pair]], limits: Limits) -> Iterator[Pair]:
    """Pass pairs on, as long as they are not too many or too long.

    Raises:
        LimitError: they are.
    """
    size = 0
    for number, (_, pair) in enumerate(located, 1):
        size += len(pair.text) + len(pair.hypothesis) + sum(map(_length, pair.meta.values()))
        if number > limits.pairs:
            raise LimitError(
                "file-more-than-pairs", f"the file has more than {limits.pairs:,} pairs"
            )
        if size > limits.unpacked_bytes:
            raise LimitError(
                "file-more-than-characters",
                f"the file has more than {limits.unpacked_bytes:,} characters",
            )
        yield pair


def _length(value: object) -> int:
    return len(value) if isinstance(value, str) else 0


def _unpacked(path: Path, limits: Limits, most_lines: int | None) -> bytes:
    """Pass over what is in a file, and give its beginning."""
    head, size, n_lines, begun = b"", 0, 0, 0
    with open_input(path) as file:
        while block := file.read(_READ_BLOCK):
            head = head or block[:1024]
            size += len(block)
            n_lines += block.count(b"\n")
            longest, begun = _lines(begun, block)
            has_lines = most_lines is not None or _has_lines(path, head)
            over = _over(size, n_lines, longest if has_lines else 0, limits, most_lines)
            if over:
                raise LimitError(
                    "file-unpacked", f"the file has {over} when it is unpacked", place=str(path)
                )
    return head


def _has_lines(path: Path, head: bytes) -> bool:
    """Whether a file is read line by line, and not as XML or as rows."""
    if _is_parquet(path, head):
        return False
    return row_format(path) is not None or not looks_like_xml(head)


def _is_parquet(path: Path, head: bytes) -> bool:
    """Whether it may be read as Parquet, which is known by its end as well as by its beginning."""
    return head.startswith(PARQUET_MAGIC) or row_format(path) is RowFormat.PARQUET


def _lines(begun: int, block: bytes) -> tuple[int, int]:
    """The length of the longest line up to the end of a block, and of the one that goes on there."""
    pieces = block.split(b"\n")
    lengths = [begun + len(pieces[0]), *map(len, pieces[1:])]
    return max(lengths), lengths[-1]


def _over(
    size: int, n_lines: int, longest: int, limits: Limits, most_lines: int | None
) -> str | None:
    if size > limits.unpacked_bytes:
        return f"more than {limits.unpacked_bytes:,} bytes"
    if longest > limits.line_bytes:
        return f"a line of more than {limits.line_bytes:,} bytes"
    if most_lines is not None and n_lines > most_lines:
        return f"more than {most_lines:,} lines"
    return None


def _check_in_worker(path: Path, limits: Limits) -> None:
    """Read a Parquet file in a process that may take so much memory, and no more.

    Nothing that such a file says of itself is to be believed: a page may unpack to a thousand times
    what its index promises, and a word that is written once may stand in each of a million rows.
    """
    asked = [sys.executable, "-m", _WORKER_MODULE, str(path), json.dumps(asdict(limits))]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise LimitError(
            "file-takes-too-long", "the file takes too long to read", place=str(path)
        ) from None
    if done.returncode != 0:
        raise LimitError(
            "file-takes-too-much",
            "the file takes too much memory when it is unpacked",
            place=str(path),
        )
    told = json.loads(done.stdout)
    if told["error"]:
        kind = LimitError if told["is_limit"] else DataError
        raise kind(told["code"], told["error"], place=told["place"], hint=told["hint"])


# Files of strangers: kept apart, measured before they are read, and named as they were.

_ODD = re.compile(r"[^\w.-]+")
_LONGEST = 100
"""Bytes of a name."""
_HEADING = 100
"""Lines of a run that are no verdicts."""
_COPY_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sent."""

    name: str
    """As they call it; nothing is kept under this name."""
    content: IO[bytes]

    @property
    def shown(self) -> str:
        """The name as messages show it: no path, nothing odd, no longer than file systems take."""
        last = self.name.replace("\\", "/").rpartition("/")[2]
        cut = _ODD.sub("_", last).encode()[-_LONGEST:].decode(errors="ignore")
        return cut.strip("._-") or "upload"


@contextmanager
def kept(upload: Upload, limits: Limits, *, most_lines: int | None = None) -> Iterator[Path]:
    """The file in a folder of its own, as long as it is read; errors name it as its sender does.

    Args:
        upload: The file.
        limits: What is too much.
        most_lines: How many lines it may have; any number where it is None.

    Raises:
        LimitError: it is too large, or would be when it is unpacked.
        EnsueError: whatever its reader raises.
    """
    with tempfile.TemporaryDirectory(prefix="ensue-") as folder:
        path = Path(folder) / upload.shown
        try:
            with path.open("wb") as file:
                shutil.copyfileobj(upload.content, file, _COPY_BLOCK)
            check_size(path, limits, most_lines=most_lines)
            yield path
        except EnsueError as error:
            error.message = error.message.replace(f"{folder}/", "")
            error.place = error.place.replace(f"{folder}/", "") if error.place else None
            error.hint = error.hint.replace(f"{folder}/", "") if error.hint else None
            raise


def kept_run(upload: Upload, limits: Limits) -> AbstractContextManager[Path]:
    """The same for a run, each line of which is a verdict or a word about them.

    Raises:
        LimitError: as `kept`, and where there are more lines than a data set may have pairs.
    """
    return kept(upload, limits, most_lines=limits.pairs + _HEADING)
