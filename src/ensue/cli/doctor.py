"""`ensue doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.parts.options import format_option

if TYPE_CHECKING:
    from ensue.engine.checkup import Check
    from ensue.reports import Table


@click.command("doctor", epilog="Example: ensue doctor")
@click.option(
    "--clear-cache",
    is_flag=True,
    help="Remove the analyses that are kept between runs; they are made again when needed.",
)
@format_option("table", "json")
def doctor_command(clear_cache: bool, output_format: str) -> int:
    """Check models, tables, kernels and caches: what is there, where, and how to mend the rest.

    Exits with 1 where something is broken, or missing and needed.
    """
    from ensue.engine.checkup import checkup
    from ensue.reports.tables import write_tables

    if clear_cache:
        _clear()
    checks = checkup()
    table = _checkup_table(checks, for_programs=output_format == "json")
    write_tables([table], format=output_format)
    return EXIT_NO if any(check.is_bad for check in checks) else 0


def _clear() -> None:
    from ensue.engine.checkup import clear_analyses, shown_size
    from ensue.language.analysis import cache_file

    path = cache_file()
    click.echo(f"removing the analyses in {path}", err=True)
    click.echo(f"removed {shown_size(clear_analyses(path))}", err=True)


def _checkup_table(checks: Sequence[Check], *, for_programs: bool) -> Table:
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
