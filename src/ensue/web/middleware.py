"""Middleware: limits of size, safe headers, a line in the log, and metrics for Prometheus."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What goes around every request: limits of size, headers that keep browsers safe, a line in the
# log.

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
    """Takes in no more than so many bytes, whatever a request says of itself.

    Of strangers it takes what a form needs and no file: bodies are read before a page is asked.
    """

    def __init__(self, app: ASGIApp, *, most: int, is_known: Callable[[Scope], bool]) -> None:
        self._app, self._most, self._is_known = app, most + _SLACK, is_known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what comes in."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        size = int(declared[:20]) if declared.isdecimal() else 0
        body = _Body(is_over=not await self._allowed(scope, size))
        if not body.is_over:
            await self._pass_on(scope, receive, send, body)
        if body.is_over and not body.is_answered:
            said = f"at most {self._most - _SLACK:,} bytes are taken in, {_SLACK:,} of strangers\n"
            await PlainTextResponse(said, 413, {"connection": "close"})(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send, body: _Body) -> None:
        async def received() -> Message:
            message = await receive()
            body.taken += len(message.get("body", b""))
            if body.taken > self._most or (body.taken > _SLACK and not body.is_known):
                body.is_known = await self._allowed(scope, body.taken)
                body.is_over = not body.is_known
            if body.is_over:
                raise TooLarge
            return message

        async def sent(message: Message) -> None:
            if body.is_over and not body.is_answered:
                return  # whoever read the body says that it is broken; we know better
            body.is_answered = True
            await send(message)

        try:
            await self._app(scope, received, sent)
        except TooLarge:
            if body.is_answered:
                raise

    async def _allowed(self, scope: Scope, size: int) -> bool:
        if size <= _SLACK:
            return True
        return size <= self._most and await run_in_threadpool(self._is_known, scope)


@dataclass(slots=True)
class _Body:
    """What became of the body of a request."""

    is_over: bool
    """Whether it is more than is taken in."""
    is_known: bool = False
    """Whether somebody sends it who is signed in."""
    taken: int = 0
    is_answered: bool = False


class Logged:
    """Writes a line for each request, and counts it: no text, no query, no secret."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

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
            metrics: Metrics = scope["app"].state.metrics
            metrics.count(scope["method"], path, status, seconds)
            LOG.info(
                "request",
                extra={
                    "method": scope["method"],
                    "route": path,
                    "status": status,
                    "seconds": round(seconds, 4),
                },
            )


# How many requests there were, and how long they took, as Prometheus reads it.

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""


class Metrics:
    """Counts requests by route and outcome, and their times."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one more."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds += seconds
            for bound in _BOUNDS:
                if seconds <= bound:
                    self._within[bound] += 1

    def lines(self) -> Iterator[str]:
        """The counts in Prometheus' text format."""
        with self._lock:
            requests, within, seconds = dict(self._requests), dict(self._within), self._seconds
        yield "# HELP ensue_requests_total Requests by method, route and status."
        yield "# TYPE ensue_requests_total counter"
        for (method, route, status), n in sorted(requests.items()):
            yield f'ensue_requests_total{{method="{method}",route="{route}",status="{status}"}} {n}'
        yield "# HELP ensue_request_seconds How long requests took."
        yield "# TYPE ensue_request_seconds histogram"
        for bound in _BOUNDS:
            yield f'ensue_request_seconds_bucket{{le="{bound:g}"}} {within.get(bound, 0)}'
        total = sum(requests.values())
        yield f'ensue_request_seconds_bucket{{le="+Inf"}} {total}'
        yield f"ensue_request_seconds_sum {seconds:.6f}"
        yield f"ensue_request_seconds_count {total}"


# The server's log: a line a request, for people or for programs, without texts or secrets.

_FIELDS = ("method", "route", "status", "seconds", "submission", "challenge", "state")


def log_to_stderr(*, as_json: bool, quiet: bool) -> None:
    """Write the log to standard error; with quiet, warnings and errors only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if as_json else _Plain())
    for logger in (logging.getLogger("ensue"), logging.getLogger("uvicorn.error")):
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    LOG.setLevel(logging.WARNING if quiet else logging.INFO)


def _facts(record: logging.LogRecord) -> dict[str, object]:
    return {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%H:%M:%S", time.gmtime(record.created))
        facts = " ".join(f"{value}" for value in _facts(record).values())
        shown = f"{at} {record.getMessage()} {facts}".rstrip()
        return f"{shown}\n{self.formatException(record.exc_info)}" if record.exc_info else shown
