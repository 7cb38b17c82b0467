"""`ensue serve` with its people and its backups, `ensue submit`, and `ensue mcp`."""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
import urllib.error
import urllib.request
from contextlib import redirect_stdout
from functools import wraps
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ensue import __version__
from ensue.cli.app import CommandGroup
from ensue.cli.options import quiet_option, recognizer_options
from ensue.concurrency import made_once
from ensue.errors import AccessError, ConflictError, EnsueError, OutputError, SettingError
from ensue.installation import install_extra, missing_packages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp.server.mcpserver import MCPServer

    from ensue.recognizers import Recognizer
    from ensue.workbench import Workbench

# The workbench that a command is about.

HOME = "ENSUE_HOME"
DATABASE = "ENSUE_DATABASE"


def _url(home: str | None, database: str | None) -> str:
    """The database that is meant; a password in it comes by the environment, not by an option."""
    from ensue.workbench import default_url

    named = database or os.environ.get(DATABASE)
    if named:
        return named
    folder = home or os.environ.get(HOME) or str(Path.home() / ".local" / "share" / "ensue")
    return default_url(Path(folder))


def open_named(context: click.Context) -> Workbench:
    """Open the workbench that `ensue serve` was told of; it is closed with the command."""
    absent = missing_packages("web")
    if absent:
        raise SettingError(
            "workbench-needs-package-not",
            f"the workbench needs packages that are not there: {', '.join(absent)}",
            hint=f"run: {install_extra('web')}",
        )
    from ensue.workbench import open_workbench

    workbench = open_workbench(_url(context.obj["home"], context.obj["database"]))
    context.call_on_close(workbench.close)
    return workbench


# `ensue serve people`: who may sign in.


@click.command("people", epilog="Example: ensue serve people --help")
@click.argument("name", required=False)
@click.option(
    "--role",
    type=click.Choice(["organizer", "participant", "annotator"]),
    default="organizer",
    show_default=True,
    help="What NAME may do.",
)
@click.option("--password", "renewed", is_flag=True, help="NAME is known, and gets another one.")
@click.pass_context
def people_command(context: click.Context, name: str | None, role: str, renewed: bool) -> None:
    """Let NAME sign in; without NAME, list who may.

    The password is asked for, or read from standard input.
    """
    if name in ("add", "list", "password"):
        raise click.UsageError(f"{name} is no command any more; see ensue serve people --help")
    if name is None:
        if renewed:
            raise click.UsageError("--password needs the NAME of a person")
        _list_people(open_named(context))
        return
    password = _password()
    workbench = open_named(context)
    from ensue.workbench import Role, add_person, set_password

    if renewed:
        set_password(workbench, name, password, by=None)
        click.echo(f"{name} has another password", err=True)
    else:
        add_person(workbench, name, Role(role), password)
        click.echo(f"{name} may sign in", err=True)


def _list_people(workbench: Workbench) -> None:
    from ensue.workbench import people

    for each in people(workbench):
        click.echo(f"{each.name}	{each.role}{' (closed)' if each.is_closed else ''}")


def _password() -> str:
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return typed
    return sys.stdin.readline().rstrip("\n")


# `ensue serve backup`.


@click.command("backup", epilog="Example: ensue serve backup --help")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--restore",
    is_flag=True,
    help="Fill an empty workbench from FILE, of this kind of database or of another.",
)
@click.pass_context
def backup_command(context: click.Context, file: Path, restore: bool) -> None:
    """Write everything that is kept to FILE, while the workbench may go on; or restore it."""
    if restore and not file.exists():
        raise click.UsageError(f"there is no file {str(file)!r}")
    workbench = open_named(context)
    from ensue.workbench import backup, restore as restore_from

    if restore:
        click.echo(f"{restore_from(workbench, file):,} rows are restored", err=True)
    else:
        click.echo(f"{backup(workbench, file):,} rows are in {file}", err=True)


# `ensue serve`, with its people and its backups.


@click.group(
    "serve",
    cls=CommandGroup,
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
    metavar="NAME|DIR",
    help="A recognizer to try; all installed ones where none is given.",
)
@click.option("--log-format", type=click.Choice(["plain", "json"]), default="plain")
@quiet_option
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
    from ensue.web import ListenAddress, WebSettings, log_to_stderr, serve

    settings = WebSettings(
        has_accounts=accounts,
        is_secure=https,
        hosts=names,
        proxies=proxies,
        recognizers=recognizers,
    )
    log_to_stderr(as_json=log_format == "json", quiet=quiet)
    serve(workbench, settings, ListenAddress(host, port), on_ready=_tell_ready)


def _tell_ready(address: str) -> None:
    click.echo(f"the workbench is at {address}", err=True)


for _command in (people_command, backup_command):
    serve_command.add_command(_command)


# `ensue submit`.

_TOKEN = "ENSUE_TOKEN"
_PATIENCE = 120.0
_PAGE = re.compile(r"https?://[^/?#]+(/[^?#]*)?/challenges/[0-9]+(?![^/?#.])")
_CONFLICT = 409
"""How a server answers where the run is there already, or the challenge is not open."""


@click.command("submit", epilog="Example: ensue submit --help")
@click.argument("run", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--server",
    required=True,
    metavar="URL",
    help="The challenge's page, e.g. https://entail.example.org/challenges/3.",
)
@click.option("--name", default="", help="What the run is called; the file's name otherwise.")
@quiet_option
def submit_command(run: Path, server: str, name: str, quiet: bool) -> None:
    """Hand RUN in to a challenge, and print its scores as JSON.

    The token of your account is taken from the variable ENSUE_TOKEN. Where no answer came, hand the
    same file in again: it counts once, and what became of it is printed.
    """
    token = os.environ.get(_TOKEN)
    if not token:
        raise SettingError(
            "not-set", f"{_TOKEN} is not set", hint="make a token on your account's page"
        )
    address, again = _checked(server), ""
    try:
        found = _sent(f"{address}/runs", token, run, name)["submission"]
    except ConflictError:
        before = _handed_in(address, token, run)
        if before is None:
            raise
        found, again = before, "; it was handed in before, and counts once"
    if not quiet:
        state = f"run {found['number']} of {found['team']} is {found['state']}{again}"
        click.echo(state, err=True)
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))


def _handed_in(address: str, token: str, run: Path) -> dict[str, Any] | None:
    """The same file among the runs of one's team, where it is there already."""
    page = urllib.request.Request(f"{address}.json", headers=_headers(token))
    digest = sha256(run.read_bytes()).hexdigest()
    return next((each for each in _answer(page)["runs"] if each["digest"] == digest), None)


def _checked(server: str) -> str:
    """The address of a challenge, whatever part of its page the one that is given leads to."""
    found = _PAGE.match(server)
    if found is None:
        raise SettingError(
            "no-page-challenge",
            f"{server!r} is no page of a challenge",
            hint="e.g. https://entail.example.org/challenges/3",
        )
    return found.group()


def _sent(address: str, token: str, run: Path, name: str) -> dict[str, Any]:
    boundary = secrets.token_hex(16)
    request = urllib.request.Request(
        address,
        data=_form(boundary, run, name),
        headers={
            **_headers(token),
            "content-type": f"multipart/form-data; boundary={boundary}",
        },
    )
    return _answer(request)


def _headers(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", "accept": "application/json"}


def _answer(request: urllib.request.Request) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            record: dict[str, Any] = json.load(answer)
            return record
    except urllib.error.HTTPError as error:
        raise _refused(error) from None
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise OutputError(
            "not-answer",
            f"{request.full_url} does not answer: {reason}",
            hint="is the workbench running there? a run that is sent again counts once",
        ) from None


def _form(boundary: str, run: Path, name: str) -> bytes:
    shown = "".join(each if each.isprintable() and each not in '"\\' else "_" for each in run.name)
    head = (
        f'--{boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\n{name}\r\n'
        f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{shown}"\r\n\r\n'
    )
    return head.encode() + run.read_bytes() + f"\r\n--{boundary}--\r\n".encode()


def _refused(error: urllib.error.HTTPError) -> EnsueError:
    kind = ConflictError if error.code == _CONFLICT else AccessError
    try:
        said = json.load(error)
        code = str(said.get("code") or "refused")
        return kind(code, str(said["error"]), place=said.get("place"), hint=said.get("hint"))
    except (ValueError, KeyError, TypeError):
        return kind("refused", f"it was refused with {error.code}")


# `ensue mcp`: the same for agents, over standard streams.

_INSTRUCTIONS = (
    "Checks, without a network and the same way every time, whether statements follow from texts."
    " Use `check` before you pass an answer on that rests on a source: it says which sentence is not"
    " supported, by which passage, and what differs. Places are characters from 0."
)


class EntailmentTools:
    """The tools of the server; the recognizer is loaded when the first is called."""

    def __init__(self, recognizer: str, settings: Mapping[str, object]) -> None:
        """Serve by a recognizer: a client cannot name one, since some are programs."""
        self._name, self._settings = recognizer, settings

    def check(self, source: str, claims: str) -> dict[str, Any]:
        """Check each sentence of a text against a source that is taken to be true.

        Gives for each its status (supported, contradicted, not-found, nothing-to-check), the
        probability that it is supported, and the nearest passages with what differs there: numbers,
        units, dates, names, roles, negation, modality, quantifiers.
        """
        from ensue.claims import check

        return check(source, claims, self._recognizer).to_json()

    def judge(self, text: str, hypothesis: str) -> dict[str, Any]:
        """Judge whether a hypothesis follows from a text: entailment, contradiction or unknown."""
        from ensue.pairs import Pair, verdict_to_json

        recognizer = self._recognizer
        (verdict,) = recognizer.judge([Pair("1", text, hypothesis)])
        return {**verdict_to_json(verdict), "signature": str(recognizer.signature)}

    def explain(self, text: str, hypothesis: str) -> dict[str, Any]:
        """Say why a hypothesis follows from a text or does not, in words, and the verdict."""
        from ensue.pairs import Pair, verdict_to_json
        from ensue.reports import explanation_text

        found = self._recognizer.explain(Pair("1", text, hypothesis))
        return {**verdict_to_json(found.verdict), "explanation": explanation_text(found)}

    def propositions(self, text: str) -> dict[str, Any]:
        """Cut the sentences of a text into statements that can be read by themselves, with places."""
        from ensue.claims import propositions

        return {"propositions": [each.to_json() for each in propositions(text)]}

    @property
    def _recognizer(self) -> Recognizer:
        from ensue.recognizers import load

        return _loaded_once(load, self._name, tuple(self._settings.items()))


@made_once
def _loaded_once(
    load: Callable[..., Recognizer], name: str, settings: tuple[tuple[str, object], ...]
) -> Recognizer:
    return load(name, dict(settings))


def tool_server(recognizer: str, settings: Mapping[str, object]) -> MCPServer:
    """The MCP server with the tools check, judge, explain and propositions.

    Raises:
        SettingError: the SDK is not installed.
    """
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError:
        raise SettingError(
            "mcp-not-installed",
            "an MCP server needs the package 'mcp' from version 2, which is not installed",
            hint=f"run: {install_extra('mcp')}",
        ) from None
    server: MCPServer = MCPServer("ensue", instructions=_INSTRUCTIONS, version=__version__)
    tools = EntailmentTools(recognizer, settings)
    reading = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for tool in (tools.check, tools.judge, tools.explain, tools.propositions):
        server.add_tool(_told(tool), annotations=reading, structured_output=True)
    return server


def _told(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """A tool whose expected failures are told to the client, and which prints nothing."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def told(*args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            with redirect_stdout(sys.stderr):  # standard output is the protocol's
                return tool(*args, **kwargs)
        except EnsueError as error:
            raise ToolError(str(error)) from None

    return told


@click.command("mcp", epilog="Example: ensue mcp --help")
@recognizer_options("What judges: a name or the directory of a trained recognizer.")
def mcp_command(recognizer: str, settings: Mapping[str, str]) -> None:
    """Serve agents over standard streams, by the Model Context Protocol.

    The tools are check, judge, explain and propositions. The server is started by its client, whose
    settings name this command; it ends with it.
    """
    tool_server(recognizer, settings).run("stdio")
