"""The first page."""

from __future__ import annotations

from ensue.web.access import Asking, Who
from ensue.web.pages import Content, Pages

PAGES = Pages("home")


@PAGES.page("/", "home.html", who=Who.ANYBODY)
def home(asked: Asking) -> Content:
    """Say what can be done here."""
    return {"person": asked.visitor}
