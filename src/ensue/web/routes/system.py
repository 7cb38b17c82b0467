"""The first page; for those who run the workbench: health, metrics, the audit log."""

from __future__ import annotations

from fastapi import Response
from fastapi.responses import JSONResponse, PlainTextResponse
from sqlalchemy import text

from ensue import __version__
from ensue.errors import StorageError
from ensue.web.access import Asking, PageNumber, Who
from ensue.web.pages import Content, Pages
from ensue.workbench import entries

PAGES = Pages("system")


@PAGES.page("/", "home.html", who=Who.ANYBODY)
def home(asked: Asking) -> Content:
    """Say what can be done here."""
    return {"person": asked.visitor}


@PAGES.file("/health", who=Who.ANYBODY)
def health(asked: Asking) -> Response:
    """Say whether the database answers."""
    try:
        with asked.workbench.database.reading() as session:
            session.execute(text("SELECT 1"))
    except StorageError as error:
        return JSONResponse({"status": "failing", "reason": error.message}, status_code=503)
    return JSONResponse({"status": "well", "version": __version__})


@PAGES.file("/metrics", who=Who.ORGANIZER)
def metrics(asked: Asking) -> Response:
    """Count requests, for Prometheus."""
    lines = asked.request.app.state.metrics.lines()
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


@PAGES.page("/audit", "audit.html", who=Who.ORGANIZER)
def audit(asked: Asking, page: PageNumber = 1) -> Content:
    """Show who did what, the latest first."""
    return {"entries": entries(asked.workbench, page=page), "page": page}
