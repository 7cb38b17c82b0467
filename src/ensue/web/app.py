"""The application: its routes, its middleware, and errors as pages and as JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ensue import __version__
from ensue.errors import (
    AccessError,
    ConflictError,
    EnsueError,
    LimitError,
    NotFoundError,
    RateError,
    StorageError,
)
from ensue.web.access import CALLS, SAFE, PageRequest, SignInNeeded, asked, is_known
from ensue.web.boards import Boards
from ensue.web.middleware import LOG, LimitedBodies, Logged, Metrics, SafeHeaders
from ensue.web.pages import Pages, rendered, wants_json
from ensue.web.server import WebSettings
from ensue.workbench import Limiter, Workbench, Worker

# Errors as pages and as JSON: what, where, and what to do next.

_STATUS: tuple[tuple[type[EnsueError], int], ...] = (
    (SignInNeeded, 401),
    (AccessError, 403),
    (NotFoundError, 404),
    (ConflictError, 409),
    (RateError, 429),
    (LimitError, 413),
    (StorageError, 503),
    (EnsueError, 422),
)
_TITLES = {
    400: "This makes no sense",
    401: "Sign in first",
    403: "Not for you",
    404: "Nothing here",
    405: "Not this way",
    409: "Somebody was quicker",
    413: "Too large",
    422: "This cannot be done",
    429: "Too often",
    503: "Not now",
}


def add_error_pages(app: FastAPI) -> None:
    """Show errors as pages to people, and as JSON to programs."""

    @app.exception_handler(EnsueError)
    async def ours(request: Request, error: EnsueError) -> Response:
        status = next(code for kind, code in _STATUS if isinstance(error, kind))
        if status == 401 and request.method in SAFE and not _is_for_programs(request):
            target = quote(f"{request.url.path}?{request.url.query}".rstrip("?"), safe="")
            return RedirectResponse(f"/sign-in?next={target}", status_code=303)
        return _shown(request, status, error.message, error.place, error.hint, code=error.code)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return _shown(request, 422, str(first["msg"]).lower(), place, None)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        if request.method in SAFE and not hasattr(request.state, "asked"):
            with suppress(EnsueError):  # a path without a page; nobody was asked yet who it is
                await asked(request)
        message = _TITLES.get(error.status_code, str(error.detail)).lower()
        return _shown(request, error.status_code, message, None, None, error.headers)

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        LOG.error("bug", exc_info=error)
        return _shown(request, 500, "this is a bug; it was logged", None, None)


def _is_for_programs(request: Request) -> bool:
    return (
        request.url.path.endswith(".json")
        or request.url.path.startswith(CALLS)
        or wants_json(request.headers.get("accept", ""))
        or "authorization" in request.headers
    )


def _shown(
    request: Request,
    status: int,
    message: str,
    place: str | None,
    hint: str | None,
    headers: Any = None,
    *,
    code: str | None = None,
) -> Response:
    content = {"error": message, "code": code, "place": place, "hint": hint}
    if _is_for_programs(request):
        return JSONResponse(content, status_code=status, headers=headers)
    state = request.app.state
    stranger = PageRequest(request, state.workbench, state.settings, None, "", False)
    known: PageRequest = getattr(request.state, "asked", stranger)
    title = _TITLES.get(status, "Something went wrong")
    page = rendered("error.html", {**content, "title": title, "status": status}, known)
    return HTMLResponse(page, status_code=status, headers=headers)


# The application: routes, what is refused before any of them, and how errors are shown.

_ROUTES = (
    "trials",
    "data",
    "comparison",
    "challenges",
    "annotation",
    "accounts",
    "system",
)
"""Modules with `PAGES`, in the order of the menu."""
_STATIC = Path(__file__).parent / "static"


def create_app(workbench: Workbench, settings: WebSettings | None = None) -> FastAPI:
    """The application over a workbench; whoever makes it closes the workbench.

    Args:
        workbench: What is shown.
        settings: How it is served.
    """
    settings = settings or WebSettings()
    app = FastAPI(
        title="ensue",
        version=__version__,
        summary="A workbench for textual entailment",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        lifespan=_lifespan,
    )
    app.state.workbench = workbench
    app.state.settings = settings
    app.state.limiter = Limiter(workbench.limits.requests, 60.0)
    app.state.sign_ins = Limiter(workbench.limits.tries, 300.0)
    app.state.metrics = Metrics()
    app.state.boards = Boards()
    app.state.worker = Worker(workbench)
    for name in _ROUTES:
        pages: Pages = import_module(f"ensue.web.routes.{name}").PAGES
        app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    add_error_pages(app)
    app.add_middleware(LimitedBodies, most=workbench.limits.upload_bytes, is_known=is_known)
    app.add_middleware(SafeHeaders, is_secure=settings.is_secure)
    if settings.allowed_hosts:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(settings.allowed_hosts))
    app.add_middleware(Logged)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Score what waits, as long as the application runs."""
    worker: Worker = app.state.worker
    worker.start()
    try:
        yield
    finally:
        await run_in_threadpool(worker.end)
