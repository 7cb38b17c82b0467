"""`ensue submit`."""

from __future__ import annotations

import json
import os
import re
import secrets
import urllib.error
import urllib.request
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any

import click

from ensue.errors import AccessError, ConflictError, EnsueError, OutputError, SettingError

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
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def submit_command(run: Path, server: str, name: str, quiet: bool) -> None:
    """Hand RUN in to a challenge, and print its scores as JSON.

    The token of your account is taken from the variable ENSUE_TOKEN. Where no answer came, hand the
    same file in again: it counts once, and what became of it is printed.
    """
    token = os.environ.get(_TOKEN)
    if not token:
        raise SettingError(f"{_TOKEN} is not set", hint="make a token on your account's page")
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
        return kind(str(said["error"]), place=said.get("place"), hint=said.get("hint"))
    except (ValueError, KeyError, TypeError):
        return kind(f"it was refused with {error.code}")
