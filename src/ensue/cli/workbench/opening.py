"""The workbench that a command is about."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ensue.errors import SettingError

if TYPE_CHECKING:
    from ensue.workbench import Workbench

HOME = "ENSUE_HOME"
DATABASE = "ENSUE_DATABASE"


def _url(home: str | None, database: str | None) -> str:
    """The database that is meant; a password in it comes by the environment, not by an option."""
    from ensue.workbench.workbench import default_url

    named = database or os.environ.get(DATABASE)
    if named:
        return named
    folder = home or os.environ.get(HOME) or str(Path.home() / ".local" / "share" / "ensue")
    return default_url(Path(folder))


def open_named(context: click.Context) -> Workbench:
    """Open the workbench that `ensue serve` was told of; it is closed with the command."""
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
