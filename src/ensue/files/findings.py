"""Findings: problems in data that are reported and not raised."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in data, reported and not raised."""

    code: str
    """Stable, e.g. `duplicate-id`."""
    severity: Severity
    message: str
    place: str | None = None
    """`file:line`, where there is one place."""
    pair_ids: tuple[str, ...] = ()
    """The pairs that it concerns, at most a few."""
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Numbers behind the message, in values that JSON can hold."""


OnFinding = Callable[[Finding], None]
"""Called with each problem in data that does not stop the reading."""


def ignore_finding(finding: Finding) -> None:
    """Do nothing with a finding."""
