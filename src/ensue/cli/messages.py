"""What commands write to standard error: findings, progress, logs, the summary of a run."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ensue.cli.app import be_quiet, was_interrupted
from ensue.errors import EngineError, OutputError, brief
from ensue.files import OTHER_WORK, STANDARD, check_outputs
from ensue.pairs import Finding

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from ensue.engine import RunAccount, RunOptions, Snapshot

# How findings are told on standard error: a few of each kind, and how many more there are.

AS_OFTEN = 3
"""How many findings of one kind are told."""


@contextmanager
def finding_messages(quiet: bool) -> Iterator[Callable[[Finding], None]]:
    """Give a function that says findings: `warning: file:line: message [code]`."""
    told: Counter[str] = Counter()

    def tell_one(finding: Finding) -> None:
        told[finding.code] += 1
        if not quiet and told[finding.code] <= AS_OFTEN:
            place = f"{finding.place}: " if finding.place else ""
            message = brief(finding.message)
            click.echo(f"{finding.severity}: {place}{message} [{finding.code}]", err=True)

    try:
        yield tell_one
    finally:
        for code, n in told.items():
            if not quiet and n > AS_OFTEN:
                click.echo(f"and {n - AS_OFTEN:,} more [{code}]", err=True)


def tell(findings: Iterable[Finding], quiet: bool) -> None:
    """Say findings that are all there."""
    with finding_messages(quiet) as tell_one:
        for finding in findings:
            tell_one(finding)


# Progress on standard error: bars on a terminal, once something takes over two seconds; or
# lines.

PATIENCE = 2.0
"""Seconds before anything is shown."""
EVERY = 30.0
"""Seconds between two lines, where lines are shown."""


@contextmanager
def progress_bar(
    what: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """Give a function to call with how many more are done, and show a bar meanwhile."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=total)
    began = time.monotonic()

    def advance(n: int) -> None:
        bar.advance(task, n)
        if not bar.live.is_started and time.monotonic() - began > PATIENCE:
            bar.start()

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()


class ProgressListener:
    """Called with snapshots of a run; shows nothing."""

    def __init__(self, what: str, source: str | None = None, *, verbose: bool = False) -> None:
        self.what, self.source, self.verbose = what, source, verbose
        self.has_kept = False
        """Whether anything is done that a resumed run need not do again."""

    def __call__(self, snapshot: Snapshot) -> None:
        """See where the run stands."""
        self.has_kept = snapshot.shards_done > 0
        self.show(snapshot)

    def show(self, snapshot: Snapshot) -> None:
        """Show it."""

    def survey(self, n_bytes: int) -> None:
        """See that more bytes of the input were looked through before the run."""

    def close(self) -> None:
        """Take away what was shown."""


class Lines(ProgressListener):
    """Shows a line from time to time, so that the log of a batch system has signs of life."""

    def __init__(self, what: str, source: str | None = None, *, verbose: bool = False) -> None:
        super().__init__(what, source, verbose=verbose)
        self._next = EVERY

    def show(self, snapshot: Snapshot) -> None:
        """Write a line, by the run's own clock."""
        if snapshot.seconds < self._next:
            return
        from ensue.reports import progress_line

        self._next = snapshot.seconds + EVERY
        click.echo(f"{self.what}: {progress_line(snapshot)}", err=True)


class Display(ProgressListener):
    """Shows a bar with figures below it on a terminal, and with verbose a line for each worker."""

    def __init__(self, what: str, source: str | None = None, *, verbose: bool = False) -> None:
        super().__init__(what, source, verbose=verbose)
        self._began = time.monotonic()
        self._live: Live | None = None
        self._snapshot: Snapshot | None = None
        self._bytes = 0
        self._all_bytes: int | None = None

    def show(self, snapshot: Snapshot) -> None:
        """Show a snapshot, instead of the one before."""
        self._snapshot = snapshot
        self._start()

    def survey(self, n_bytes: int) -> None:
        """Show how much of the input was looked through."""
        self._bytes += n_bytes
        self._start()

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._live is not None:
            self._live.stop()

    def _start(self) -> None:
        if self._live is not None or time.monotonic() - self._began < PATIENCE:
            return
        from rich.console import Console
        from rich.live import Live

        self._all_bytes = n_bytes_of(self.source) if self._snapshot is None else None
        console = Console(stderr=True)
        self._live = Live(console=console, transient=True, get_renderable=self.rendered)
        self._live.start()

    def rendered(self) -> RenderableType:
        """What is shown now."""
        if self._snapshot is None:
            return self._rendered_before()
        from ensue.reports import progress_line, worker_lines

        lines = [progress_line(self._snapshot)]
        if self.verbose:
            lines += worker_lines(self._snapshot)
        return _bar(self.what, self._snapshot.n_done, self._snapshot.n_items, lines)

    def _rendered_before(self) -> RenderableType:
        """What is shown where no run has begun."""
        from ensue.reports import shown_size

        of_all = f" of {shown_size(self._all_bytes)}" if self._all_bytes else ""
        done = f"{shown_size(self._bytes)}{of_all}"
        return _bar("looking through the input", self._bytes, self._all_bytes, [done])


def progress_listener(
    what: str, source: str | None, *, quiet: bool, verbose: bool
) -> ProgressListener:
    """A display on a terminal; elsewhere lines with --verbose, and nothing without."""
    if quiet:
        return ProgressListener(what)
    if sys.stderr.isatty():
        return Display(what, source, verbose=verbose)
    return Lines(what) if verbose else ProgressListener(what)


def n_bytes_of(source: str | None) -> int | None:
    """The size of the local files that a source stands for; None where it cannot be told."""
    from ensue.errors import EnsueError
    from ensue.pairs import expand

    if source is None:
        return None
    with suppress(EnsueError, OSError):
        return sum(Path(each).stat().st_size for each in expand(source))
    return None


def _bar(what: str, done: int, total: int | None, lines: list[str]) -> RenderableType:
    """A bar with lines below it; one without an end moves."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    line = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=total, completed=done, width=40, pulse=total is None)
    share = f"{done / total:.0%}" if total else ""
    line.add_row(Text(what), bar, Text(share))
    return Group(line, *(Text(f"  {each}", no_wrap=True, overflow="ellipsis") for each in lines))


# What is seen of a large run while it goes on: progress, talk, logs, and how to go on.


@dataclass(frozen=True, slots=True)
class RunDisplay:
    """How much of a run is shown, and where."""

    quiet: bool
    verbose: bool
    log: str | None

    @contextmanager
    def run(self, what: str, output: str, source: str | None = None) -> Iterator[ProgressListener]:
        """Show a run; give what is to be told where it stands, and of bytes by its `survey`.

        Args:
            what: The work, as in "judging".
            output: Where the run goes.
            source: What it goes over, where that is files.

        Raises:
            OutputError: the log cannot be written, or is the input or the output.
        """
        from ensue.engine import LogFormat, logging_to

        self._check(output, source)
        with logging_to(self.log, LogFormat.JSON if self._logs_json else LogFormat.TEXT):
            listener = progress_listener(what, source, quiet=self.quiet, verbose=self.verbose)
            try:
                yield listener
            except (KeyboardInterrupt, SystemError, EngineError) as error:
                is_over = isinstance(error, EngineError) or was_interrupted(error)
                if is_over and output != STANDARD and listener.has_kept:
                    listener.close()
                    click.echo("what is done is kept; go on with --resume", err=True)
                raise
            finally:
                listener.close()

    @property
    def _logs_json(self) -> bool:
        return self.log is not None and self.log.lower().endswith((".json", ".jsonl"))

    def _check(self, output: str, source: str | None) -> None:
        """See that the log goes nowhere else; a folder is no file that it could be."""
        from ensue.engine import is_folder

        if self.log is not None:
            others = [] if is_folder(output) else [output]
            check_outputs([*others, self.log], [] if source is None else [source])


def display_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`-q`, `-v` and `--log`, as one argument `display`."""

    @wraps(command)
    def display_command(
        *arguments: Any, quiet: bool, verbose: bool, log: str | None, **others: Any
    ) -> Any:
        if quiet and verbose:
            raise click.UsageError("--quiet and --verbose exclude each other")
        return command(*arguments, display=RunDisplay(quiet, verbose, log), **others)

    for option in reversed(
        [
            click.option(
                "-q", "--quiet", is_flag=True, callback=be_quiet, help="No progress, no talk."
            ),
            click.option(
                "-v",
                "--verbose",
                is_flag=True,
                help="Show each worker, too; where there is no terminal, a line every half minute.",
            ),
            click.option(
                "--log",
                metavar="FILE",
                help="Log what happens behind what is in this file, as JSON where its name ends in"
                " .jsonl; - is standard error.",
            ),
        ]
    ):
        display_command = option(display_command)
    return display_command


# What a run came to, said on standard error.

_SHOWN = 5
"""Items that failed and are named."""


def tell_account(account: RunAccount, did: str, items: str, display: RunDisplay) -> None:
    """Say what a run came to.

    Args:
        account: What it came to.
        did: What was done with how many, e.g. `measured 12 pairs`.
        items: What the items are called.
        display: How much is said.
    """
    tell(account.findings, display.quiet)
    if not display.quiet:
        for line in _lines(account, did, items, display.verbose):
            click.echo(line, err=True)


def has_more_to_tell(account: RunAccount, display: RunDisplay) -> bool:
    """Whether a run was not as usual, or everything is to be told."""
    unusual = account.n_resumed or account.deaths or account.failures or account.findings
    return bool(unusual or display.verbose)


def _lines(account: RunAccount, did: str, items: str, verbose: bool) -> Iterator[str]:
    resumed = f", {account.n_resumed:,} {items} of them before" if account.n_resumed else ""
    timed = f" in {account.seconds:.1f} s" if verbose else ""
    yield f"{did}{resumed}{',' * bool(resumed and timed)}{timed}"
    yield from told_lines(account, items, verbose)


def told_lines(account: RunAccount, items: str, verbose: bool) -> Iterator[str]:
    """What is to be known of any run: analyses, where all is told, deaths and failures."""
    figures = account.figures
    if verbose and figures["texts"]:
        remembered = figures["texts"] - figures["analyzed"] - figures["found"]
        yield (
            f"texts: {figures['analyzed']:,} analyzed, {figures['found']:,} from the cache,"
            f" {remembered:,} again in one process"
        )
    if account.deaths == 1:
        yield "1 process died and was started again"
    elif account.deaths:
        yield f"{account.deaths:,} processes died and were started again"
    for key, reason in account.failures[:_SHOWN]:
        yield f"{key!r} failed: {reason}"
    if len(account.failures) > _SHOWN:
        yield f"and {len(account.failures) - _SHOWN:,} {items} more"


# What took work and would be lost: asked for on a terminal, else only by `--force`.


def may_replace(error: OutputError) -> bool:
    """Whether somebody at a terminal says that what a result would replace may be lost."""
    is_asked = error.code == OTHER_WORK and sys.stdin.isatty() and sys.stderr.isatty()
    return is_asked and click.confirm(f"{error.message}. Replace it?", err=True)


def asked(command: Callable[..., Any], options: RunOptions) -> Any:
    """Run a command, and once more where somebody says that what it would replace may be lost."""
    try:
        return command(options=options)
    except OutputError as error:
        if not may_replace(error):
            raise
    return command(options=replace(options, restart=True))


def force_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--force`, for commands whose output may take the place of another's work."""
    return click.option(
        "--force",
        is_flag=True,
        help="Replace another's result; asked on a terminal, refused elsewhere.",
    )(command)


def check_replaced(force: bool, check: Callable[..., None], *arguments: Any, **named: Any) -> None:
    """Call what looks for work that would be lost, and ask, unless it may be."""
    if force:
        return
    try:
        check(*arguments, **named)
    except OutputError as error:
        if not may_replace(error):
            raise
