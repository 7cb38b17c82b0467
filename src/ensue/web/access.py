"""Who asks for a page, and whether they may: a session's cookie, a program's token, or nobody."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Depends, Form, Path, Query, Request, UploadFile
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from ensue.errors import AccessError, EnsueError
from ensue.web.server import WebSettings
from ensue.workbench import Limiter, Person, Upload, Workbench, bearer, signed_in, the_only_person

SESSION_COOKIE = "ensue_session"
CSRF_COOKIE = "ensue_csrf"
CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"
CALLS = "/api/"
"""How the paths begin that programs post JSON to."""
SAFE = ("GET", "HEAD", "OPTIONS")


class Who(StrEnum):
    """For whom a page is."""

    ANYBODY = "anybody"
    """Also those who are not signed in."""
    SIGNED_IN = "signed in"
    ORGANIZER = "organizer"


class SignInNeeded(AccessError):
    """Nobody is signed in."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What a page is asked with."""

    request: Request
    workbench: Workbench
    settings: WebSettings
    visitor: Person | None
    csrf: str
    """What forms have to say, so that no other site can send them."""
    is_program: bool
    """Whether it came with a token."""

    @property
    def person(self) -> Person:
        """Who is signed in.

        Raises:
            SignInNeeded: nobody is.
        """
        if self.visitor is None:
            raise SignInNeeded(
                "nobody-signed", "nobody is signed in", hint="sign in, or send a token"
            )
        return self.visitor

    def require(self, who: Who) -> None:
        """See that a page is for this person; whose things they are is the library's to say.

        Raises:
            AccessError: it is not.
        """
        if who is Who.ANYBODY:
            return
        if not self.person.is_organizer and who is Who.ORGANIZER:
            raise AccessError(
                "this-is-for-organizers",
                "this is for organizers",
                hint="ask the one who runs this workbench",
            )


async def asked(request: Request) -> PageRequest:
    """Find out who asks.

    Raises:
        AccessError: a token is nobody's, or a form was sent by another site.
        RateError: too much was changed in the last minute.
    """
    state = request.app.state
    workbench: Workbench = state.workbench
    settings: WebSettings = state.settings
    visitor, is_program = await run_in_threadpool(_visitor, request, workbench, settings)
    csrf = request.cookies.get(CSRF_COOKIE, "")
    found = PageRequest(
        request, workbench, settings, visitor, csrf or secrets.token_urlsafe(32), is_program
    )
    request.state.asked = found  # an error's page is for the same person
    if request.method not in SAFE:
        limiter: Limiter = state.limiter
        limiter.take(f"user {visitor.id}" if visitor else f"address {address_of(request)}")
        if not is_program:
            await _refuse_other_sites(request, csrf)
    return found


MOST = 2**31 - 1
"""The largest number of a row that every database takes."""

Number = Annotated[int, Field(ge=1, le=MOST)]
"""The same in a list."""

Id = Annotated[int, Path(ge=1, le=MOST)]
"""The argument of a page that is a row's number in its path."""

PageNumber = Annotated[int, Query(ge=1, le=100_000)]
"""The argument of a page of a list that says which."""

Title = Annotated[str, Form(max_length=120)]
"""The argument of a form that names what is made."""

Asking = Annotated[PageRequest, Depends(asked)]
"""The argument of a page that says who asks."""


def uploaded(file: UploadFile) -> Upload:
    """The file of a form, as the workbench takes it."""
    return Upload(file.filename or "", file.file)


def address_of(request: Request) -> str:
    """Where a request comes from, for limits."""
    return request.client.host if request.client else "nowhere"


def is_known(scope: Scope) -> bool:
    """Whether somebody asks who is signed in, before anything else of the request is looked at."""
    request = Request(scope)
    state = request.app.state
    try:
        return _visitor(request, state.workbench, state.settings)[0] is not None
    except EnsueError:
        return False


def _visitor(
    request: Request, workbench: Workbench, settings: WebSettings
) -> tuple[Person | None, bool]:
    if not settings.has_accounts:
        return the_only_person(workbench), False
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        person = bearer(workbench, token.strip())
        if person is None:
            raise SignInNeeded(
                "nobody-token", "nobody has this token", hint="make another on your account's page"
            )
        return person, True
    secret = request.cookies.get(SESSION_COOKIE)
    return (signed_in(workbench, secret) if secret else None), False


async def _refuse_other_sites(request: Request, csrf: str) -> None:
    """See that a form comes from a page of ours: it says what our cookie says."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise AccessError("sent-another-site", "this was sent by another site")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json" and request.url.path.startswith(CALLS):
        return  # which no form sends; and of a script of another site no browser asks us in vain
    said = request.headers.get(CSRF_HEADER)
    if said is None:
        form = await request.form()
        said = str(form.get(CSRF_FIELD, ""))
    if not csrf or not hmac.compare_digest(said.encode(), csrf.encode()):
        raise AccessError(
            "form-too-old-sent",
            "this form is too old, or was sent by another site",
            hint="open the page again, and allow its cookies",
        )
