"""Where what can be made again is kept across runs: the first folder that can be written."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "ENSUE_CACHE"
"""The variable that names the folder."""


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """A folder that can be written."""

    path: Path
    why: str
    """Why it is this one, as in `ENSUE_CACHE names it`."""


def cache_folder() -> CacheFolder | None:
    """The folder of caches, made where it is not there; None where none can be written.

    The one that `ENSUE_CACHE` names, else `ensue` in the user's caches, else one of the user's own
    among temporary files. It is looked for when it is needed, since a program may set all of them.
    """
    refused = ""
    for path, why in _candidates():
        if _is_written(path):
            return CacheFolder(path, f"{why}{refused}")
        refused = f"; {path} cannot be written"
    temporary = _temporary_folder()
    if temporary is not None:
        return CacheFolder(temporary, f"a temporary folder, and its files may go{refused}")
    return None


def wanted_folder() -> Path:
    """The folder of caches as it is asked for, whether it can be written or not."""
    return next(path for path, _ in _candidates())


def _candidates() -> Iterator[tuple[Path, str]]:
    named = os.environ.get(VARIABLE)
    if named:
        yield Path(named).expanduser(), f"{VARIABLE} names it"
    caches = os.environ.get("XDG_CACHE_HOME")
    if caches:
        yield Path(caches) / "ensue", "the user's folder of caches"
    else:
        yield Path("~/.cache/ensue").expanduser(), "the user's folder of caches"


def _is_written(folder: Path) -> bool:
    """Whether files can be written there: permissions do not tell of read-only file systems."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except (OSError, RuntimeError):
        return False


def _temporary_folder() -> Path | None:
    """A folder of this user alone; None where somebody else has made it, or could write to it."""
    with suppress(OSError):
        parent = Path(tempfile.gettempdir())
        if parent == Path.cwd() or not hasattr(os, "getuid"):
            return None  # what Python falls back to; and elsewhere each user has a place
        folder = parent / f"ensue-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()  # not through a link: kernels that are loaded are code
        is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
        if is_ours and not found.st_mode & 0o077 and _is_written(folder):
            return folder
    return None
