"""`ensue serve people`: who may sign in."""

from __future__ import annotations

import sys

import click

from ensue.cli.workbench.opening import open_named


@click.group("people", epilog="Example: ensue serve people --help")
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
    workbench = open_named(context)
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
    workbench = open_named(context)
    from ensue.workbench.accounts.people import set_password

    set_password(workbench, name, password, by=None)
    click.echo(f"{name} has another password", err=True)


@people_command.command("list", epilog="Example: ensue serve people list --help")
@click.pass_context
def list_command(context: click.Context) -> None:
    """List who may sign in."""
    workbench = open_named(context)
    from ensue.workbench.accounts.people import people

    for each in people(workbench):
        click.echo(f"{each.name}\t{each.role}{' (closed)' if each.is_closed else ''}")


def _password() -> str:
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return typed
    return sys.stdin.readline().rstrip("\n")
