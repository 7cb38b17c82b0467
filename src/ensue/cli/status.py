"""`ensue status`."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.parts.options import format_option
from ensue.cli.parts.progress import Display

if TYPE_CHECKING:
    from ensue.engine.folders.standing import Standing

_EVERY = 2.0
"""Seconds between two looks; runs renew their status as often."""


@click.command("status", epilog="Example: ensue status demo/bleu.jsonl")
@click.argument("run", metavar="DIR")
@format_option("table", "json")
@click.option("--watch", is_flag=True, help="Look on until the run ends.")
def status_command(run: str, output_format: str, watch: bool) -> int:
    """Say where a run stands: DIR is its folder, or the file that it becomes; a URL is as good.

    Exits with 0 where it runs or is finished, with 1 where it was interrupted or killed or has
    failed: then the same command goes on with --resume.
    """
    from ensue.engine.folders.standing import standing_of

    if watch and output_format != "table":
        raise click.UsageError("--watch is for people, so it takes no --format")
    standing = _watched(run) if watch else standing_of(run)
    _write(standing, output_format)
    return 0 if standing.is_well else EXIT_NO


def _watched(run: str) -> Standing:
    """Look on until the run does no more: a display on a terminal, else a line at each change."""
    from ensue.engine.folders.standing import standing_of
    from ensue.engine.watching import State
    from ensue.reports.contents.engine import progress_line

    standing, renewed = standing_of(run), ""
    display = Display(standing.snapshot.what, verbose=True) if sys.stderr.isatty() else None
    try:
        while standing.state is State.RUNNING:
            if display:
                display.show(standing.snapshot)
            elif standing.snapshot.updated != renewed:
                renewed = standing.snapshot.updated
                click.echo(progress_line(standing.snapshot), err=True)
            time.sleep(_EVERY)
            standing = standing_of(run)
    finally:
        if display:
            display.close()
    return standing


def _write(standing: Standing, output_format: str) -> None:
    from ensue.reports.contents.engine import status_tables
    from ensue.reports.tables import write_tables

    if output_format == "json":
        click.echo(json.dumps(standing.to_json(), indent=2, ensure_ascii=False))
    else:
        write_tables(status_tables(standing))
