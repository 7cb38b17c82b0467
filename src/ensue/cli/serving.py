"""`ensue serve`, with its people and its backups."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ensue.errors import SettingError

if TYPE_CHECKING:
    from ensue.workbench import Workbench

_HOME = "ENSUE_HOME"
_DATABASE = "ENSUE_DATABASE"


def _url(home: str | None, database: str | None) -> str:
    """The database that is meant; a password in it comes by the environment, not by an option."""
    from ensue.workbench.workbench import default_url

    named = database or os.environ.get(_DATABASE)
    if named:
        return named
    folder = home or os.environ.get(_HOME) or str(Path.home() / ".local" / "share" / "ensue")
    return default_url(Path(folder))


def _open(context: click.Context) -> Workbench:
    try:
        from ensue.workbench import open_workbench
    except ImportError as error:
        raise SettingError(
            f"the workbench needs a package that is not there: {error.name}",
            hint="pip install 'ensue[web]'",
        ) from None
    workbench = open_workbench(_url(context.obj["home"], context.obj["database"]))
    context.call_on_close(workbench.close)
    return workbench


@click.group(
    "serve",
    invoke_without_command=True,
    epilog="Example: ensue serve --help",
)
@click.option(
    "--home",
    metavar="DIR",
    help=f"Where the database is kept; {_HOME}, or ~/.local/share/ensue.",
)
@click.option(
    "--database",
    metavar="URL",
    help=f"Another database: sqlite:///FILE or postgresql://…; {_DATABASE} keeps passwords off"
    " the command line.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8700, show_default=True, help="0 is any."
)
@click.option("--accounts", is_flag=True, help="Let people sign in; needed beyond this machine.")
@click.option("--https", is_flag=True, help="It is reached by HTTPS, through a proxy of yours.")
@click.option(
    "--name", "names", multiple=True, metavar="HOST", help="A name it is reached by; repeatable."
)
@click.option(
    "-r",
    "--recognizer",
    "recognizers",
    multiple=True,
    help="A recognizer to try; all installed ones where none is given.",
)
@click.option("--log-format", type=click.Choice(["plain", "json"]), default="plain")
@click.option("-q", "--quiet", is_flag=True, help="Log warnings only.")
@click.pass_context
def serve_command(
    context: click.Context,
    home: str | None,
    database: str | None,
    host: str,
    port: int,
    accounts: bool,
    https: bool,
    names: tuple[str, ...],
    recognizers: tuple[str, ...],
    log_format: str,
    quiet: bool,
) -> None:
    """Serve the workbench to browsers: try, look at data, compare runs, hold challenges.

    On this machine one person needs no account. Ctrl-C or SIGTERM finishes what was begun.
    """
    context.obj = {"home": home, "database": database}
    if context.invoked_subcommand is not None:
        return
    workbench = _open(context)
    from ensue.web.logging import log_to_stderr
    from ensue.web.serving import Place, serve
    from ensue.web.settings import WebSettings

    settings = WebSettings(
        has_accounts=accounts, is_secure=https, hosts=names, recognizers=recognizers
    )
    log_to_stderr(as_json=log_format == "json", quiet=quiet)
    serve(workbench, settings, Place(host, port), on_ready=_tell_ready)


def _tell_ready(address: str) -> None:
    click.echo(f"the workbench is at {address}", err=True)


@serve_command.group("people", epilog="Example: ensue serve people --help")
def people_command() -> None:
    """Say who may sign in."""


@people_command.command("add", epilog="Example: ensue serve people add --help")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["organizer", "participant", "annotator"]),
    default="organizer",
    show_default=True,
)
@click.pass_context
def add_command(context: click.Context, name: str, role: str) -> None:
    """Let NAME sign in. The password is asked for, or read from standard input."""
    password = _password()
    workbench = _open(context)
    from ensue.workbench import Role
    from ensue.workbench.accounts.people import add_person

    add_person(workbench, name, Role(role), password)
    click.echo(f"{name} may sign in", err=True)


@people_command.command("password", epilog="Example: ensue serve people password --help")
@click.argument("name")
@click.pass_context
def password_command(context: click.Context, name: str) -> None:
    """Give NAME another password, asked for or read from standard input."""
    password = _password()
    workbench = _open(context)
    from ensue.workbench.accounts.people import set_password

    set_password(workbench, name, password, by=None)
    click.echo(f"{name} has another password", err=True)


@people_command.command("list", epilog="Example: ensue serve people list --help")
@click.pass_context
def list_command(context: click.Context) -> None:
    """List who may sign in."""
    workbench = _open(context)
    from ensue.workbench.accounts.people import people

    for each in people(workbench):
        click.echo(f"{each.name}\t{each.role}{' (closed)' if each.is_closed else ''}")


@serve_command.command("backup", epilog="Example: ensue serve backup --help")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def backup_command(context: click.Context, file: Path) -> None:
    """Write everything that is kept to FILE, while the workbench may go on."""
    workbench = _open(context)
    from ensue.workbench.keeping import backup

    click.echo(f"{backup(workbench, file):,} rows are in {file}", err=True)


@serve_command.command("restore", epilog="Example: ensue serve restore --help")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def restore_command(context: click.Context, file: Path) -> None:
    """Fill an empty workbench from a backup, of this kind of database or of another."""
    workbench = _open(context)
    from ensue.workbench.keeping import restore

    click.echo(f"{restore(workbench, file):,} rows are restored", err=True)


def _password() -> str:
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return typed
    return sys.stdin.readline().rstrip("\n")
