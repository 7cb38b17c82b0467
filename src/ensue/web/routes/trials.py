"""Try: a pair by several recognizers side by side, or claims against a document; for programs, too."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Form
from pydantic import BaseModel, ConfigDict, Field

from ensue.pairs import verdict_to_json
from ensue.recognizers import DEFAULT
from ensue.reports import marked_claim, marked_source
from ensue.web.access import Asking, Who
from ensue.web.pages import Content, Done, Pages
from ensue.workbench import (
    RecognizerTrial,
    check_trial,
    checked,
    explanations,
    find_trial,
    judged,
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
        return {
            **content,
            "document": found.to_json(),
            "source": marked_source(trial.text, found),
            "wordings": [marked_claim(each) for each in found],
            "signature": str(found.signature),
        }
    return {**content, "verdicts": explanations(trial)}


def _form(asked: Asking, trial: RecognizerTrial) -> dict[str, object]:
    return {"trial": trial, "offered": offered(asked.settings.recognizers)}


# For programs: JSON in, JSON out, with a token.

Words = Annotated[str, Field(min_length=1, max_length=200_000)]
Named = Annotated[str, Field(max_length=50)]


class JudgeCall(BaseModel):
    """A pair to judge."""

    model_config = ConfigDict(extra="forbid")

    text: Words
    hypothesis: Words
    recognizer: Named = DEFAULT


class CheckCall(BaseModel):
    """Claims to check against a source."""

    model_config = ConfigDict(extra="forbid")

    source: Words
    """What is taken to be true."""
    claims: Words
    """Each sentence of it is checked."""
    recognizer: Named = DEFAULT


class VerdictAnswer(BaseModel):
    """A verdict; the label is null unless the status is `decided`."""

    label: str | None
    score: float | None
    confidence: float | None
    status: str
    reason: str | None
    signature: dict[str, Any]


class ClaimsAnswer(BaseModel):
    """What became of each claim, as `ensue check --format json` says it."""

    claims: list[dict[str, Any]]
    counts: dict[str, int]
    n_claims: int
    n_supported: int
    signature: dict[str, Any]


@PAGES.call("/api/judge", VerdictAnswer, who=Who.SIGNED_IN)
def judge_call(asked: Asking, call: JudgeCall) -> Content:
    """Judge whether a hypothesis follows from a text."""
    trial = RecognizerTrial((call.recognizer,), call.text, call.hypothesis)
    check_trial(trial, asked.workbench, asked.settings.recognizers)
    verdict, signature = judged(trial)
    said = verdict_to_json(verdict)
    return {**{name: said[name] for name in said if name != "pair_id"}, "signature": signature}


@PAGES.call("/api/check", ClaimsAnswer, who=Who.SIGNED_IN)
def check_call(asked: Asking, call: CheckCall) -> Content:
    """Check each sentence of a text against a source."""
    trial = RecognizerTrial((call.recognizer,), call.source, claims=call.claims)
    check_trial(trial, asked.workbench, asked.settings.recognizers)
    return checked(trial).to_json()
