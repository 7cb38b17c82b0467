"""Trying recognizers: a pair with why, a document with claims; kept under a link."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import select

from ensue import registry
from ensue.claims import CheckedClaims, check_claims
from ensue.concurrency import made_once
from ensue.errors import EnsueError, LimitError, NotFoundError, SettingError, UnknownNameError
from ensue.features import shared_reader
from ensue.pairs import Pair, Signature, Verdict
from ensue.recognizers import Explanation, Recognizer, load
from ensue.workbench.accounts import Person
from ensue.workbench.database import models
from ensue.workbench.workbench import Workbench

_KEY = 20
"""Characters of a link."""
_DULL = ("always", "random")
"""Recognizers that explain nothing; they are offered last."""


@dataclass(frozen=True, slots=True)
class RecognizerTrial:
    """What is tried."""

    recognizers: tuple[str, ...]
    text: str
    """Of a pair; the document, where there are claims."""
    hypothesis: str = ""
    claims: str = ""

    @property
    def is_document(self) -> bool:
        """Whether claims are checked against a document."""
        return bool(self.claims)

    @property
    def key(self) -> str:
        """What its link says: the same for the same trial, and nothing that could be guessed."""
        content = json.dumps(asdict(self), sort_keys=True)
        return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY]


@dataclass(frozen=True, slots=True)
class TrialFailure:
    """A recognizer that could not say anything."""

    recognizer: str
    reason: str
    hint: str | None


def offered(allowed: Sequence[str] = ()) -> list[str]:
    """The recognizers that can be tried, the telling ones first.

    Args:
        allowed: Those that whoever serves the workbench names; all installed ones where it is empty.
    """
    names = list(allowed) or registry.names("recognizer")
    return sorted(names, key=lambda name: (name in _DULL, not name.startswith("features"), name))


def check_trial(trial: RecognizerTrial, workbench: Workbench, allowed: Sequence[str] = ()) -> None:
    """See that something can be tried.

    Raises:
        SettingError: a side is empty, or no recognizer is named.
        LimitError: a side is too long.
        UnknownNameError: a recognizer is not offered.
    """
    limits = workbench.limits
    asked = "claims" if trial.is_document else "hypothesis"
    for name, side, most in (
        ("text", trial.text, limits.text),
        (asked, trial.claims or trial.hypothesis, limits.hypothesis),
    ):
        if not side.strip():
            raise SettingError(
                "no-given", f"no {name} is given", hint="write something into both fields"
            )
        if len(side) > most:
            raise LimitError(
                "characters-too-many",
                f"{len(side):,} characters are too many for the {name}",
                hint=f"at most {most:,} are tried here; the command line takes more",
            )
    if not trial.recognizers:
        raise SettingError(
            "no-recognizer-chosen",
            "no recognizer is chosen",
            hint="choose one, or several to compare",
        )
    known = offered(allowed)
    for name in trial.recognizers:
        if name not in known:
            raise UnknownNameError.of("recognizer", name, known)


def keep_trial(
    workbench: Workbench, person: Person, trial: RecognizerTrial, allowed: Sequence[str] = ()
) -> str:
    """Keep what is tried, and give its key.

    Raises:
        EnsueError: as `check_trial`.
    """
    check_trial(trial, workbench, allowed)
    with workbench.database.writing() as session:
        known = session.scalar(
            select(models.StoredTrial.id).where(models.StoredTrial.key == trial.key)
        )
        if known is None:
            session.add(models.StoredTrial(key=trial.key, user_id=person.id, content=asdict(trial)))
    return trial.key


def find_trial(workbench: Workbench, key: str) -> RecognizerTrial:
    """What was tried under a key.

    Raises:
        NotFoundError: nothing was.
    """
    with workbench.database.reading() as session:
        row = session.scalar(select(models.StoredTrial).where(models.StoredTrial.key == key))
    if row is None:
        raise NotFoundError(
            "nothing-tried-under", f"nothing was tried under {key!r}", hint="is the link whole?"
        )
    content: Mapping[str, Any] = row.content
    return RecognizerTrial(**{**content, "recognizers": tuple(content["recognizers"])})


def explanations(trial: RecognizerTrial) -> list[Explanation | TrialFailure]:
    """What each recognizer says of a pair, and why."""
    pair = Pair("1", trial.text, trial.hypothesis)
    return [_explained(name, pair) for name in trial.recognizers]


def checked(trial: RecognizerTrial) -> CheckedClaims:
    """Each claim against the document, by the first recognizer.

    Raises:
        EnsueError: whatever the recognizer raises.
    """
    recognizer = _loaded(trial.recognizers[0])
    found = check_claims(trial.text, trial.claims, recognizer, shared_reader())
    return CheckedClaims(tuple(found), recognizer.signature)


def judged(trial: RecognizerTrial) -> tuple[Verdict, Signature]:
    """What the first recognizer says of a pair, and its recipe.

    Raises:
        EnsueError: whatever the recognizer raises.
    """
    recognizer = _loaded(trial.recognizers[0])
    (verdict,) = recognizer.judge([Pair("1", trial.text, trial.hypothesis)])
    return verdict, recognizer.signature


def _explained(name: str, pair: Pair) -> Explanation | TrialFailure:
    try:
        return _loaded(name).explain(pair)
    except EnsueError as error:
        return TrialFailure(name, error.message, error.hint)


@made_once
def _loaded(name: str) -> Recognizer:
    return load(name)
