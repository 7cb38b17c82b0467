"""Gold and runs as the evaluating commands read them, and what they say meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import click

from ensue.cli.messages import PATIENCE, finding_messages, progress_bar, tell
from ensue.errors import UndefinedError
from ensue.files import STANDARD, check_outputs, is_directory, is_file
from ensue.pairs import Pair, ReadKeywords, dataset_name, load_pairs
from ensue.progress import Advance, Stages

if TYPE_CHECKING:
    from ensue.evaluation import RunCutoffs


def check_files(inputs: Sequence[str | Path], outputs: Sequence[str | None]) -> None:
    """See early that standard input is read once, and nothing overwritten that the command uses.

    Args:
        inputs: Everything that is read.
        outputs: Everything that is written; None is what was not asked for.

    Raises:
        click.UsageError: standard input is named twice.
        OutputError: an output is an input, another output, or a directory.
    """
    if sum(str(each) == STANDARD for each in inputs) > 1:
        raise click.UsageError("standard input can be read only once; name a file for the others")
    check_outputs([each for each in outputs if each is not None], inputs)


def files_of(named: str) -> list[Path]:
    """The files that a name stands for: those of a directory, the file itself, or none.

    For what may be a component's name or a path, so that no output replaces it.
    """
    path = Path(named)
    if is_directory(path):
        return [each for each in path.rglob("*") if each.is_file()]
    return [path] if is_file(path) else []


def observed_runs(
    runs: tuple[str, str, str], reading: ReadKeywords, quiet: bool
) -> tuple[float, float]:
    """The disagreement of two runs, and the distance of their accuracies on all pairs."""
    from ensue.evaluation import evaluate_sources
    from ensue.statistics import Resampling

    gold, *both = runs
    with finding_messages(quiet) as tell_one:
        evaluation = evaluate_sources(
            gold,
            both,
            reading=reading,
            on_finding=tell_one,
            measures=[],
            resampling=Resampling(draws=0),
            cutoffs=False,
        )
    tell(evaluation.findings, quiet)
    (compared,) = evaluation.comparisons
    if compared.disagreement == 0:
        raise UndefinedError(
            "two-runs-get-same",
            "the two runs get the same pairs right: no number of pairs tells them apart",
            hint="say how often they would: --disagreement R",
        )
    return compared.disagreement, abs(compared.differences["accuracy-all"].value or 0.0)


def load_gold(source: str, reading: ReadKeywords, quiet: bool) -> list[Pair]:
    """Read all pairs of a file, and tell what is found."""
    with finding_messages(quiet) as tell_one:
        return load_pairs(source, **reading, on_finding=tell_one)


def load_gold_of(
    sources: Sequence[str], reading: ReadKeywords, quiet: bool
) -> tuple[list[Pair], str]:
    """Read all pairs of several files, and say what they are called together."""
    pairs = [pair for source in sources for pair in load_gold(source, reading, quiet)]
    return pairs, "+".join(map(dataset_name, sources))


def load_cutoffs(
    gold: str,
    run: str,
    reading: ReadKeywords,
    quiet: bool,
    *,
    tasks: bool,
) -> RunCutoffs:
    """Read gold and a run and compute what every cutoff gives; see `source_cutoffs`."""
    from ensue.evaluation import source_cutoffs

    with finding_messages(quiet) as tell_one:
        cutoffs, findings = source_cutoffs(
            gold,
            run,
            reading=reading,
            on_finding=tell_one,
            tasks=tasks,
        )
    tell(findings, quiet)
    return cutoffs


def shown_stages(quiet: bool) -> Stages:
    """Show the stages of a call: with a bar where items are counted."""

    @contextmanager
    def stage(what: str, total: int | None = None, /) -> Iterator[Advance]:
        if total is not None:
            with progress_bar(what, total=total, quiet=quiet) as advance:
                yield advance
            return
        with busy_status(what, quiet):
            yield lambda _: None

    return stage


@contextmanager
def busy_status(what: str, quiet: bool) -> Iterator[None]:
    """Show that work goes on, on a terminal, once it takes over two seconds."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    status = Console(stderr=True).status(f"{what} …")
    timer = Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()
