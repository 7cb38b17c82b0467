"""Signing in and out, tokens, and for organizers: who may come in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import Form, Query

from ensue.errors import AccessError
from ensue.web.access import SESSION_COOKIE, Asking, Id, Who, address_of
from ensue.web.pages import Content, Done, OneTimePage, Pages
from ensue.workbench import (
    Limiter,
    Role,
    add_person,
    add_token,
    check_known,
    close_person,
    people,
    remove_token,
    set_password,
    sign_in,
    sign_out,
    tokens,
)

PAGES = Pages("accounts")

Name = Annotated[str, Form(max_length=80)]
Password = Annotated[str, Form(max_length=200)]


def own_path(path: str) -> str:
    """A path of ours that a query names, or the first page."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_ours and path.isprintable() else "/"


@PAGES.page("/sign-in", "sign_in.html", who=Who.ANYBODY)
def signing_in(asked: Asking, next: Annotated[str, Query(max_length=2000)] = "/") -> Content:
    """Ask for a name and a password."""
    return {"next": own_path(next), "person": asked.visitor}


@PAGES.action("/sign-in", who=Who.ANYBODY)
def begin_session(
    asked: Asking,
    name: Name,
    password: Password,
    next: Annotated[str, Form(max_length=2000)] = "/",
) -> Done:
    """Let a browser in."""
    if not asked.settings.has_accounts:
        raise AccessError("no-accounts", "there are no accounts here")
    with _tried(asked, name):
        person, secret = sign_in(asked.workbench, name, password)
    return Done(own_path(next), {"person": person}, {SESSION_COOKIE: secret})


@contextmanager
def _tried(asked: Asking, name: str) -> Iterator[None]:
    """Count a password before it is looked at, also by others at once; a right one is forgiven."""
    limiter: Limiter = asked.request.app.state.sign_ins
    keys = (f"name {name}", f"address {address_of(asked.request)}")
    limiter.take(*keys)
    yield
    limiter.forgive(*keys)


@PAGES.action("/sign-out", who=Who.ANYBODY)
def end_session(asked: Asking) -> Done:
    """Let a browser in no more."""
    secret = asked.request.cookies.get(SESSION_COOKIE)
    if secret:
        sign_out(asked.workbench, secret)
    return Done("/", {}, {SESSION_COOKIE: None})


@PAGES.page("/account", "account.html", who=Who.SIGNED_IN)
def account(asked: Asking) -> Content:
    """Show who one is, and the tokens of one's programs."""
    return {"person": asked.person, "tokens": _tokens(asked)}


@PAGES.action("/account/tokens", who=Who.SIGNED_IN)
def make_token(asked: Asking, name: Name) -> OneTimePage:
    """Make a token and show it, once."""
    secret = add_token(asked.workbench, asked.person, name)
    return OneTimePage(
        "account.html", {"person": asked.person, "tokens": _tokens(asked), "made": secret}
    )


@PAGES.action("/account/tokens/{token_id:int}/remove", who=Who.SIGNED_IN)
def unmake_token(asked: Asking, token_id: Id) -> Done:
    """Let a program in no more."""
    remove_token(asked.workbench, asked.person, token_id)
    return Done("/account")


@PAGES.action("/account/password", who=Who.SIGNED_IN)
def change_password(asked: Asking, old: Password, new: Password) -> Done:
    """Take another password; all browsers are signed out."""
    with _tried(asked, asked.person.name):
        check_known(asked.workbench, asked.person.name, old)
    set_password(asked.workbench, asked.person.name, new, by=asked.person)
    return Done("/sign-in", {}, {SESSION_COOKIE: None})


@PAGES.page("/people", "people.html", who=Who.ORGANIZER)
def everybody(asked: Asking) -> Content:
    """Show who may come in."""
    found = [
        {"name": each.name, "role": each.role, "created": each.created, "is_closed": each.is_closed}
        for each in people(asked.workbench)
    ]
    return {"people": found, "roles": [role.value for role in Role]}


@PAGES.action("/people", who=Who.ORGANIZER)
def let_in(asked: Asking, name: Name, password: Password, role: Annotated[Role, Form()]) -> Done:
    """Let somebody in from now on."""
    person = add_person(asked.workbench, name, role, password, by=asked.person)
    return Done("/people", {"person": person})


@PAGES.action("/people/close", who=Who.ORGANIZER)
def keep_out(asked: Asking, name: Name) -> Done:
    """Let somebody in no more."""
    if name == asked.person.name:
        raise AccessError(
            "nobody-closes-own-account",
            "nobody closes their own account",
            hint="ask another organizer",
        )
    close_person(asked.workbench, name, by=asked.person)
    return Done("/people")


def _tokens(asked: Asking) -> list[dict[str, object]]:
    return [
        {"id": each.id, "name": each.name, "created": each.created, "used": each.used}
        for each in tokens(asked.workbench, asked.person)
    ]
