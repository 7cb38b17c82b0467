"""How much a workbench takes in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What is too much; beyond it there is an error that says so."""

    upload_bytes: int = 64 << 20
    """Of a file that is uploaded."""
    unpacked_bytes: int = 512 << 20
    """Of the same, if it is packed."""
    line_bytes: int = 4 << 20
    """Of a line, unpacked; XML is read without regard to lines."""
    pairs: int = 200_000
    """In a data set; and verdicts in a run."""
    text: int = 50_000
    """Characters of a text that is tried."""
    hypothesis: int = 10_000
    """Characters of a hypothesis, or of the claims against a document."""
    at_once: int = 20_000
    """Verdicts of a run that is scored while its team waits; larger ones are scored after it."""
    tries: int = 10
    """Wrong passwords in five minutes, for one name or from one address."""
    requests: int = 600
    """Requests that change something, in a minute, by one person or from one address."""
