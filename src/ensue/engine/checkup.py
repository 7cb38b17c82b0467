"""What ensue needs on a machine, what of it is there, and how to mend the rest.

Nothing is loaded that takes long: packages are looked up and not imported, and models not opened.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

import ensue
from ensue.errors import EnsueError
from ensue.pairs.outputs import writable

_PACKAGE = Path(__file__).parents[1]
_EXTRAS = {
    "dask": ("distributed",),
    "logic": ("z3",),
    "sacrebleu": ("sacrebleu",),
    "transformers": ("torch", "transformers"),
}
_DISTRIBUTIONS = {"z3": "z3-solver"}
"""Packages that are installed by another name."""
_REINSTALL = "run: pip install --force-reinstall ensue"
_CLEAR = "run: ensue doctor --clear-cache; what was in it is made again when it is needed"
_PATIENCE = 0.4
"""Seconds for the analyses that are kept: a large file is not read to its end."""


class Health(StrEnum):
    """How a part is."""

    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Check:
    """What was found out about one part."""

    part: str
    health: Health
    found: str
    """What is there, or what is wrong."""
    place: Path | None = None
    size: int | None = None
    """In bytes."""
    hint: str | None = None
    """How to mend it."""
    needed: bool = True
    """Whether ensue does less than it should without it."""

    @property
    def is_bad(self) -> bool:
        """Whether something is to be mended: broken, or missing and needed."""
        return self.health is Health.BROKEN or (self.needed and self.health is Health.MISSING)


def checkup(
    *, models: Sequence[str] | None = None, table: Path | None = None, cache: Path | None = None
) -> list[Check]:
    """Check every part.

    Args:
        models: The pipelines of which one is needed; the analyzer's own where it is None.
        table: The lexicon; the shipped one where it is None.
        cache: The file with the analyses that are kept; the user's own where it is None.
    """
    checks: list[Callable[[], Check]] = [
        _python,
        _ensue,
        _dependencies,
        partial(_model, models),
        partial(_lexicon, table),
        _kernels,
        partial(_analyses, cache),
        *(partial(_extra, name) for name in _EXTRAS),
        _cores,
        _memory,
    ]
    return [check() for check in checks]


def clear_analyses(path: Path) -> int:
    """Remove the analyses that are kept, damaged ones put aside too, and say how many bytes.

    Raises:
        OutputError: they cannot be removed.
    """
    removed = 0
    for part in _parts_of(path):
        with writable(part):
            removed += part.stat().st_size
            part.unlink()
    return removed


def shown_size(size: int) -> str:
    """A number of bytes as people read it.

    >>> shown_size(4_200_000), shown_size(812)
    ('4.2 MB', '812 bytes')
    """
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def _python() -> Check:
    found = ".".join(map(str, sys.version_info[:3]))
    return Check("python", Health.OK, found, Path(sys.executable))


def _ensue() -> Check:
    return Check("ensue", Health.OK, ensue.__version__, _PACKAGE)


def _dependencies() -> Check:
    """Every package that ensue declares, but for the model, which may be one of two."""
    try:
        declared = [line for line in requires("ensue") or [] if "extra ==" not in line]
    except PackageNotFoundError:
        return Check(
            "packages",
            Health.BROKEN,
            "ensue is not installed, so its components are not found",
            hint="run: pip install ensue, or pip install --editable . in a checkout",
        )
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in declared]
    names = [name for name in names if not name.startswith("en-core-web")]
    absent = [name for name in names if _version(name) is None]
    if absent:
        hint = f"run: pip install {' '.join(absent)}"
        return Check("packages", Health.MISSING, f"not there: {', '.join(absent)}", hint=hint)
    return Check("packages", Health.OK, f"all {len(names)} are there")


def _model(models: Sequence[str] | None) -> Check:
    try:
        from ensue.language.analysis import INSTALL, MODELS
    except ImportError as error:
        return _not_importable("model", error)
    wanted = MODELS if models is None else models
    for name in wanted:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            spacy = _version("spacy")
            found = f"{name} {_version(name) or ''}".rstrip()
            return Check("model", Health.OK, f"{found}, spacy {spacy}", Path(spec.origin).parent)
    none = f"neither {' nor '.join(wanted)} is installed" if wanted else "none is named"
    return Check("model", Health.MISSING, none, hint=f"run: {INSTALL}")


def _lexicon(table: Path | None) -> Check:
    try:
        from ensue.language.lexicon.loading import TABLE
        from ensue.language.lexicon.table import read_table
    except ImportError as error:
        return _not_importable("lexicon", error)
    path = TABLE if table is None else table
    if not path.is_file():
        return Check("lexicon", Health.MISSING, "it is not there", path, hint=_REINSTALL)
    size = path.stat().st_size
    try:
        about = read_table(path).about
    except EnsueError as error:
        return Check("lexicon", Health.BROKEN, error.message, path, size, _REINSTALL)
    named = f"{about.get('source', 'a lexicon')} {about.get('version', '')}".rstrip()
    return Check("lexicon", Health.OK, f"{named}, {shown_size(size)}", path, size)


def _kernels() -> Check:
    """Where numba keeps what it compiled: where its setting says, beside the source, at home."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numba"
    places = [Path(named)] if named else [_PACKAGE, home]
    place = next((each for each in places if _is_writable(each)), None)
    if place is None:
        return Check(
            "kernels",
            Health.MISSING,
            "no place to keep them can be written, so each process compiles anew",
            places[0],
            hint="set NUMBA_CACHE_DIR to a directory that you may write to",
            needed=False,
        )
    kept = [file.stat().st_size for file in place.rglob("*.nb[ci]")]
    found = f"{len(kept)} files, {shown_size(sum(kept))}" if kept else "none compiled yet"
    return Check("kernels", Health.OK, found, place, sum(kept))


def _analyses(cache: Path | None) -> Check:
    try:
        from ensue.language.analysis import cache_file
    except ImportError as error:
        return _not_importable("analyses", error)
    path = cache_file() if cache is None else cache
    if not _is_writable(path.parent):
        return Check(
            "analyses",
            Health.MISSING,
            "none can be kept here, so each run analyzes anew",
            path,
            hint="set ENSUE_CACHE to a directory that you may write to",
            needed=False,
        )
    if not path.exists():
        return Check("analyses", Health.OK, "none kept yet", path, 0)
    size = sum(part.stat().st_size for part in _parts_of(path))
    try:
        n = _n_analyses(path)
    except (sqlite3.Error, OSError) as error:
        return Check("analyses", Health.BROKEN, f"damaged: {error}", path, size, _CLEAR)
    counted = "many" if n is None else f"{n:,}"
    return Check("analyses", Health.OK, f"{counted} kept, {shown_size(size)}", path, size)


def _n_analyses(path: Path) -> int | None:
    """How many there are; None where there are too many to count at once.

    Raises:
        sqlite3.Error: the file is damaged or cannot be read.
    """
    end = time.monotonic() + _PATIENCE
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        database.execute("SELECT key, analysis FROM analyses LIMIT 1").fetchone()
        database.set_progress_handler(lambda: time.monotonic() > end, 10_000)
        try:
            (n,) = database.execute("SELECT count(*) FROM analyses").fetchone()
            (state,) = database.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                return None
            raise
    if state != "ok":
        raise sqlite3.DatabaseError(state)
    return int(n)


def _extra(name: str) -> Check:
    packages = _EXTRAS[name]
    if all(find_spec(package) for package in packages):
        found = ", ".join(
            f"{package} {_version(_DISTRIBUTIONS.get(package, package)) or ''}".rstrip()
            for package in packages
        )
        return Check(name, Health.OK, found, needed=False)
    hint = f"optional; run: pip install 'ensue[{name}]'"
    return Check(name, Health.MISSING, "not installed", hint=hint, needed=False)


def _cores() -> Check:
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Check("cores", Health.OK, str(ours or "unknown"))


def _memory() -> Check:
    try:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):  # not every system says
        return Check("memory", Health.OK, "unknown")
    return Check("memory", Health.OK, shown_size(size), size=size)


def _not_importable(part: str, error: ImportError) -> Check:
    return Check(part, Health.BROKEN, f"cannot be imported: {error}", hint=_REINSTALL)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _is_writable(directory: Path) -> bool:
    """Whether files can be written there, also where it has to be made first."""
    there = next(each for each in (directory, *directory.absolute().parents) if each.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _parts_of(path: Path) -> Iterator[Path]:
    """The database, what SQLite lays beside it, and damaged ones that were put aside."""
    for aside in ("", ".damaged"):
        for ending in ("", "-wal", "-shm", "-journal"):
            part = path.with_name(f"{path.name}{aside}{ending}")
            if part.is_file():
                yield part
