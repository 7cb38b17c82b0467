"""`ensue serve backup` and `ensue serve restore`."""

from __future__ import annotations

from pathlib import Path

import click

from ensue.cli.workbench.opening import open_named


@click.command("backup", epilog="Example: ensue serve backup --help")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def backup_command(context: click.Context, file: Path) -> None:
    """Write everything that is kept to FILE, while the workbench may go on."""
    workbench = open_named(context)
    from ensue.workbench.keeping import backup

    click.echo(f"{backup(workbench, file):,} rows are in {file}", err=True)


@click.command("restore", epilog="Example: ensue serve restore --help")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def restore_command(context: click.Context, file: Path) -> None:
    """Fill an empty workbench from a backup, of this kind of database or of another."""
    workbench = open_named(context)
    from ensue.workbench.keeping import restore

    click.echo(f"{restore(workbench, file):,} rows are restored", err=True)
