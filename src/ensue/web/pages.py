"""Pages and what is done on them: one function for the page and for its `.json` twin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from fastapi import APIRouter, Depends, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from ensue.web.asking import CSRF_COOKIE, Asked, Asking, Who
from ensue.web.showing.menu import json_path
from ensue.web.showing.rendering import rendered
from ensue.web.showing.values import to_json

Content = Mapping[str, Any]
"""What a page shows, by name: values that JSON can hold, and tables, pictures and explanations."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a form did: where to look next, and the same for programs."""

    location: str
    """A path of ours."""
    content: Content = field(default_factory=dict)
    cookies: Mapping[str, str | None] = field(default_factory=dict)
    """Cookies to set; None takes one away."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A page after a form, where there is something to see only once."""

    template: str
    content: Content


class Pages:
    """The pages of one subject."""

    def __init__(self, subject: str) -> None:
        self.router = APIRouter(tags=[subject])

    def page(self, path: str, template: str, *, who: Who) -> Callable[..., Any]:
        """Show what a function returns at a path, and as JSON at its twin.

        The function has an argument `asked: Asking` beside those of its path and its query.
        """

        def decorate(function: Callable[..., Content]) -> Callable[..., Content]:
            @wraps(function)
            def html(*arguments: Any, asked: Asked, **others: Any) -> Response:
                content = function(*arguments, asked=asked, **others)
                return with_cookies(HTMLResponse(rendered(template, content, asked)), asked)

            @wraps(function)
            def json(*arguments: Any, asked: Asked, **others: Any) -> Response:
                return JSONResponse(to_json(function(*arguments, asked=asked, **others)))

            options: dict[str, Any] = {"methods": ["GET"], **_for(who)}
            name = function.__name__
            self.router.add_api_route(json_path(path), json, name=f"{name}_json", **options)
            self.router.add_api_route(path, html, name=name, response_class=HTMLResponse, **options)
            return function

        return decorate

    def action(self, path: str, *, who: Who) -> Callable[..., Any]:
        """Do what a form sent to a path asks; programs get JSON, browsers are sent on."""

        def decorate(function: Callable[..., Done | Shown]) -> Callable[..., Done | Shown]:
            @wraps(function)
            def act(*arguments: Any, asked: Asked, **others: Any) -> Response:
                done = function(*arguments, asked=asked, **others)
                return _answer(done, asked)

            self.router.add_api_route(
                path,
                act,
                methods=["POST"],
                name=function.__name__,
                **_for(who),
            )
            return function

        return decorate

    def file(self, path: str, *, who: Who) -> Callable[..., Any]:
        """Give what a function returns, a `Response` of its own, e.g. a file to download."""

        def decorate(function: Callable[..., Response]) -> Callable[..., Response]:
            @wraps(function)
            def give(*arguments: Any, asked: Asked, **others: Any) -> Response:
                return function(*arguments, asked=asked, **others)

            self.router.add_api_route(
                path,
                give,
                methods=["GET"],
                name=function.__name__,
                **_for(who),
            )
            return function

        return decorate


def _for(who: Who) -> dict[str, Any]:
    """What keeps others out, before anything of what they sent is looked at."""

    def check(asked: Asking) -> None:
        asked.require(who)

    return {"dependencies": [Depends(check)], "openapi_extra": {"x-who": who.value}}


def _answer(done: Done | Shown, asked: Asked) -> Response:
    if asked.is_program or wants_json(asked.request.headers.get("accept", "")):
        return JSONResponse(to_json(done.content))
    if isinstance(done, Shown):
        return with_cookies(HTMLResponse(rendered(done.template, done.content, asked)), asked)
    response = RedirectResponse(done.location, status_code=303)
    for name, value in done.cookies.items():
        set_cookie(response, asked, name, value)
    return response


def wants_json(accept: str) -> bool:
    """Whether a request would rather have JSON than a page."""
    return "application/json" in accept and "text/html" not in accept


def with_cookies(response: Response, asked: Asked) -> Response:
    """Give a browser what its forms have to say, if it has it not yet."""
    if CSRF_COOKIE not in asked.request.cookies:
        set_cookie(response, asked, CSRF_COOKIE, asked.csrf)
    return response


def set_cookie(response: Response, asked: Asked, name: str, value: str | None) -> None:
    """Set a cookie that no script reads and no other site sends, or take it away."""
    if value is None:
        response.delete_cookie(name, path="/")
        return
    response.set_cookie(
        name,
        value,
        path="/",
        httponly=True,
        samesite="lax",
        secure=asked.settings.is_secure,
        max_age=14 * 24 * 3600,
    )
