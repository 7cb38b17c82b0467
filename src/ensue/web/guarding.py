"""What goes around every request: limits of size, headers that keep browsers safe, a line in the log."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from ensue.web.measuring import Metrics

LOG = logging.getLogger("ensue.web")

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
"""Nothing but our own files, no script in a page, and no page of ours in another."""

_SLACK = 64 << 10
"""Bytes around a file in a form."""


class TooLarge(Exception):
    """More is sent than is taken."""


class SafeHeaders:
    """Tells browsers what pages may do."""

    def __init__(self, app: ASGIApp, *, is_secure: bool) -> None:
        self._app, self._is_secure = app, is_secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", POLICY)
                headers["x-content-type-options"] = "nosniff"
                headers["referrer-policy"] = "same-origin"
                headers["cross-origin-opener-policy"] = "same-origin"
                headers["cross-origin-resource-policy"] = "same-origin"
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("cache-control", "no-store")
                if self._is_secure:
                    headers["strict-transport-security"] = "max-age=31536000"
            await send(message)

        await self._app(scope, receive, sent)


class LimitedBodies:
    """Takes in no more than so many bytes, whatever a request says of itself."""

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self._app, self._most = app, most + _SLACK

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what comes in."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > self._most:
            await self._refuse(scope, receive, send)
            return
        taken = 0
        is_begun = False

        async def received() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise TooLarge
            return message

        async def sent(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            await send(message)

        try:
            await self._app(scope, received, sent)
        except TooLarge:
            if is_begun:
                raise
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        said = f"at most {self._most - _SLACK:,} bytes are taken in\n"
        await PlainTextResponse(said, 413, {"connection": "close"})(scope, receive, send)


class Logged:
    """Writes a line for each request, and counts it: no text, no query, no secret."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            seconds = time.monotonic() - began
            route = scope.get("route")
            path = getattr(route, "path", None) or "unknown"
            self._metrics.count(scope["method"], path, status, seconds)
            LOG.info(
                "request",
                extra={
                    "method": scope["method"],
                    "route": path,
                    "status": status,
                    "seconds": round(seconds, 4),
                },
            )
