"""`ensue submit`."""

from __future__ import annotations

import json
import os
import secrets
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from ensue.errors import AccessError, OutputError, SettingError

_TOKEN = "ENSUE_TOKEN"
_PATIENCE = 120.0


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

    The token of your account is taken from the variable ENSUE_TOKEN.
    """
    token = os.environ.get(_TOKEN)
    if not token:
        raise SettingError(f"{_TOKEN} is not set", hint="make a token on your account's page")
    found = _sent(f"{_checked(server)}/runs", token, run, name)["submission"]
    if not quiet:
        click.echo(f"run {found['number']} of {found['team']} is {found['state']}", err=True)
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))


def _checked(server: str) -> str:
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or "/challenges/" not in parts.path:
        raise SettingError(
            f"{server!r} is no page of a challenge",
            hint="e.g. https://entail.example.org/challenges/3",
        )
    return server.rstrip("/")


def _sent(address: str, token: str, run: Path, name: str) -> dict[str, Any]:
    boundary = secrets.token_hex(16)
    request = urllib.request.Request(
        address,
        data=_form(boundary, run, name),
        headers={
            "authorization": f"Bearer {token}",
            "accept": "application/json",
            "content-type": f"multipart/form-data; boundary={boundary}",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            record: dict[str, Any] = json.load(answer)
            return record
    except urllib.error.HTTPError as error:
        raise _refused(error) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise OutputError(
            f"{address} does not answer: {reason}", hint="is the workbench running there?"
        ) from None


def _form(boundary: str, run: Path, name: str) -> bytes:
    shown = "".join(each if each.isprintable() and each not in '"\\' else "_" for each in run.name)
    head = (
        f'--{boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\n{name}\r\n'
        f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{shown}"\r\n\r\n'
    )
    return head.encode() + run.read_bytes() + f"\r\n--{boundary}--\r\n".encode()


def _refused(error: urllib.error.HTTPError) -> AccessError:
    try:
        said = json.load(error)
        return AccessError(str(said["error"]), place=said.get("place"), hint=said.get("hint"))
    except (ValueError, KeyError, TypeError):
        return AccessError(f"it was refused with {error.code}")
