"""The application: routes, what is refused before any of them, and how errors are shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ensue import __version__
from ensue.web.asking import is_known
from ensue.web.errors import add_error_pages
from ensue.web.guarding import LimitedBodies, Logged, SafeHeaders
from ensue.web.measuring import Metrics
from ensue.web.pages import Pages
from ensue.web.settings import WebSettings
from ensue.web.showing.remembering import Boards
from ensue.workbench import Workbench
from ensue.workbench.accounts.limiting import Limiter
from ensue.workbench.challenges.scoring import Worker

_ROUTES = (
    "home",
    "trying",
    "data",
    "comparing",
    "mining",
    "challenges",
    "annotating",
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
