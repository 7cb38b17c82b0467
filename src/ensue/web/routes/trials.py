"""Try: a pair by several recognizers side by side, or claims against a document."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form

from ensue.recognizers import DEFAULT
from ensue.web.access import Asking, Who
from ensue.web.pages import Content, Done, Pages
from ensue.workbench import (
    RecognizerTrial,
    check_trial,
    checked,
    explanations,
    find_trial,
    keep_trial,
    offered,
)

PAGES = Pages("try")

Side = Annotated[str, Form(max_length=200_000)]


@PAGES.page("/try", "try.html", who=Who.SIGNED_IN)
def trying(asked: Asking) -> Content:
    """Ask for a text and a hypothesis."""
    return _form(asked, RecognizerTrial((DEFAULT,), ""))


@PAGES.action("/try", who=Who.SIGNED_IN)
def try_pair(
    asked: Asking,
    text: Side,
    hypothesis: Side = "",
    claims: Side = "",
    recognizer: Annotated[list[str], Form(max_length=50)] = [],  # noqa: B006 - never changed
) -> Done:
    """Keep what is to be tried, and go to its link."""
    trial = RecognizerTrial(tuple(dict.fromkeys(recognizer)), text, hypothesis, claims)
    key = keep_trial(asked.workbench, asked.person, trial, asked.settings.recognizers)
    return Done(f"/try/{key}", {"key": key, "link": f"/try/{key}"})


@PAGES.page("/try/{key}", "try.html", who=Who.SIGNED_IN)
def tried(asked: Asking, key: str) -> Content:
    """Show what recognizers say, and why."""
    trial = find_trial(asked.workbench, key)
    check_trial(trial, asked.workbench, asked.settings.recognizers)  # what is offered may change
    content = _form(asked, trial)
    if trial.is_document:
        found = checked(trial)
        return {**content, "document": found.to_json()}
    return {**content, "verdicts": explanations(trial)}


def _form(asked: Asking, trial: RecognizerTrial) -> dict[str, object]:
    return {"trial": trial, "offered": offered(asked.settings.recognizers)}
