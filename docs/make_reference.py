"""Write the reference pages from the code: `docs/cli.md` from `--help`, `docs/components.md`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from ensue import registry
from ensue.cli.app import ensue

FOLDER = Path(__file__).parent
NOTE = "<!-- made by docs/make_reference.py; run `make docs` after a change -->"
WIDTH = 100


def commands(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every command with its help text, groups before what is in them."""
    context = click.Context(group, info_name=" ".join(path), max_content_width=WIDTH)
    context.terminal_width = WIDTH
    yield " ".join(path), group.get_help(context)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif command is not None:
            inner = click.Context(command, info_name=" ".join((*path, name)))
            inner.terminal_width = WIDTH
            yield " ".join((*path, name)), command.get_help(inner)


def cli_page() -> str:
    """The page of the command line."""
    parts = ["# The command line", NOTE]
    for name, text in commands(ensue, ("ensue",)):
        parts += [f"## `{name}`", f"```text\n{text}\n```"]
    return "\n\n".join(parts) + "\n"


def components_page() -> str:
    """The page of all registered components."""
    parts = [
        "# Components",
        NOTE,
        "Each is found by name through an entry point; a package of your own can add to them.",
    ]
    for kind, group in registry.GROUPS.items():
        rows = [
            f"| `{name}` | {registry.find(kind, name).summary} |" for name in registry.names(kind)
        ]
        parts.append(f"## {kind.capitalize()}s (`{group}`)")
        parts.append("\n".join(["| name | what it is |", "| --- | --- |", *rows]))
    return "\n\n".join(parts) + "\n"


PAGES = {"cli.md": cli_page, "components.md": components_page}
"""Each page and the function that makes it."""


if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
