"""Progress on standard error: bars on a terminal, once something takes over two seconds; or lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from ensue.engine import Snapshot

PATIENCE = 2.0
"""Seconds before anything is shown."""
EVERY = 30.0
"""Seconds between two lines, where lines are shown."""


@contextmanager
def progress_bar(
    what: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """Give a function that is told how many more are done, and show a bar while it is."""
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


class Onlooker:
    """Is told where a run stands, and shows nothing."""

    def __init__(self, what: str, source: str | None = None, *, verbose: bool = False) -> None:
        self.what, self.source, self.verbose = what, source, verbose
        self.has_seen = False
        """Whether the run was begun: before, there is nothing to go on with."""

    def __call__(self, snapshot: Snapshot) -> None:
        """See where the run stands."""
        self.has_seen = True
        self.show(snapshot)

    def show(self, snapshot: Snapshot) -> None:
        """Show it."""

    def survey(self, n_bytes: int) -> None:
        """See that more bytes of the input were looked through before the run."""

    def sample(self, n_items: int) -> None:
        """See that more items of a sample are done, where there is no run."""

    def close(self) -> None:
        """Take away what was shown."""


class Lines(Onlooker):
    """Shows a line from time to time, so that the log of a batch system has signs of life."""

    def __init__(self, what: str, source: str | None = None, *, verbose: bool = False) -> None:
        super().__init__(what, source, verbose=verbose)
        self._next = EVERY

    def show(self, snapshot: Snapshot) -> None:
        """Write a line, by the run's own clock."""
        if snapshot.seconds < self._next:
            return
        from ensue.reports.contents.engine import progress_line

        self._next = snapshot.seconds + EVERY
        click.echo(f"{self.what}: {progress_line(snapshot)}", err=True)


class Display(Onlooker):
    """Shows a bar with figures below it on a terminal, and with verbose a line for each worker."""

    def __init__(self, what: str, source: str | None = None, *, verbose: bool = False) -> None:
        super().__init__(what, source, verbose=verbose)
        self._began = time.monotonic()
        self._live: Live | None = None
        self._snapshot: Snapshot | None = None
        self._bytes = 0
        self._all_bytes: int | None = None
        self._sampled = 0

    def show(self, snapshot: Snapshot) -> None:
        """Show a snapshot, instead of the one before."""
        self._snapshot = snapshot
        self._start()

    def survey(self, n_bytes: int) -> None:
        """Show how much of the input was looked through."""
        self._bytes += n_bytes
        self._start()

    def sample(self, n_items: int) -> None:
        """Show how large the sample is by now."""
        self._sampled += n_items
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
        from ensue.reports.contents.engine import progress_line, worker_lines

        lines = [progress_line(self._snapshot)]
        if self.verbose:
            lines += worker_lines(self._snapshot)
        return _bar(self.what, self._snapshot.n_done, self._snapshot.n_items, lines)

    def _rendered_before(self) -> RenderableType:
        """What is shown where no run has begun."""
        from ensue.engine.checkup import shown_size

        if self._sampled:
            return _bar("measuring a sample", 0, None, [f"{self._sampled:,} done"])
        of_all = f" of {shown_size(self._all_bytes)}" if self._all_bytes else ""
        done = f"{shown_size(self._bytes)}{of_all}"
        return _bar("looking through the input", self._bytes, self._all_bytes, [done])


def onlooker(what: str, source: str | None, *, quiet: bool, verbose: bool) -> Onlooker:
    """Who looks on: a display on a terminal; elsewhere lines, where much is to be told."""
    if quiet:
        return Onlooker(what)
    if sys.stderr.isatty():
        return Display(what, source, verbose=verbose)
    return Lines(what) if verbose else Onlooker(what)


def n_bytes_of(source: str | None) -> int | None:
    """The size of the local files that a source stands for; None where it cannot be told."""
    from ensue.errors import EnsueError
    from ensue.pairs.sources import expand

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
