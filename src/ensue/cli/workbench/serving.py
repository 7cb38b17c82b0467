"""`ensue serve`, with its people and its backups."""

from __future__ import annotations

import click

from ensue.cli.workbench.keeping import backup_command, restore_command
from ensue.cli.workbench.opening import DATABASE, HOME, open_named
from ensue.cli.workbench.people import people_command


@click.group(
    "serve",
    invoke_without_command=True,
    epilog="Example: ensue serve --help",
)
@click.option(
    "--home",
    metavar="DIR",
    help=f"Where the database is kept; {HOME}, or ~/.local/share/ensue.",
)
@click.option(
    "--database",
    metavar="URL",
    help=f"Another database: sqlite:///FILE or postgresql://…; {DATABASE} keeps passwords off"
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
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy of yours, or its network: what it says of where requests come from is believed,"
    " so that limits by address are its visitors'; repeatable.",
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
    proxies: tuple[str, ...],
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
    workbench = open_named(context)
    from ensue.web.logging import log_to_stderr
    from ensue.web.serving import Place, serve
    from ensue.web.settings import WebSettings

    settings = WebSettings(
        has_accounts=accounts,
        is_secure=https,
        hosts=names,
        proxies=proxies,
        recognizers=recognizers,
    )
    log_to_stderr(as_json=log_format == "json", quiet=quiet)
    serve(workbench, settings, Place(host, port), on_ready=_tell_ready)


def _tell_ready(address: str) -> None:
    click.echo(f"the workbench is at {address}", err=True)


for _command in (people_command, backup_command, restore_command):
    serve_command.add_command(_command)
