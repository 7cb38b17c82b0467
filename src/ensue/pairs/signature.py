"""The recipe that repeats a number: recognizer, settings, resources, seed, version."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ensue.pairs.labels import View


@dataclass(frozen=True, slots=True)
class Signature:
    """What it takes to get the same verdicts again."""

    recognizer: str
    version: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Every setting with its value, in values that JSON can hold."""
    view: View = View.TWO_WAY
    """The labels that the recognizer gives."""
    cutoff: float | None = None
    """A score above it is a yes; None where there is no cutoff."""
    score_range: tuple[float, float] | None = None
    """The smallest and the largest score there can be."""
    tuned_on: Mapping[str, Any] | None = field(default=None, hash=False)
    """What the recognizer was trained on: name, number of pairs, hash."""

    def __str__(self) -> str:
        parts = [self.recognizer, *(f"{k}:{_shown(v)}" for k, v in self.settings.items())]
        if self.cutoff is not None:
            parts.append(f"cutoff:{_shown(self.cutoff)}")
        if self.tuned_on is not None:
            parts.append(f"tuned:{self.tuned_on.get('name', '?')}")
        return "|".join([*parts, f"version:{self.version}"])

    def to_json(self) -> dict[str, Any]:
        """The signature in values that JSON can hold; an infinite cutoff is the text `-inf`."""
        return {
            "recognizer": self.recognizer,
            "version": self.version,
            "settings": dict(self.settings),
            "view": self.view.value,
            "cutoff": number_to_json(self.cutoff),
            "score_range": list(self.score_range) if self.score_range else None,
            "tuned_on": dict(self.tuned_on) if self.tuned_on is not None else None,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Signature:
        """The inverse of `to_json`."""
        score_range = record.get("score_range")
        return cls(
            recognizer=record["recognizer"],
            version=record["version"],
            settings=record.get("settings", {}),
            view=View(record.get("view", View.TWO_WAY)),
            cutoff=number_from_json(record.get("cutoff")),
            score_range=(score_range[0], score_range[1]) if score_range else None,
            tuned_on=record.get("tuned_on"),
        )


def number_to_json(number: float | None) -> float | str | None:
    """A number as strict JSON can hold it: infinities become texts.

    >>> number_to_json(float("-inf")), number_to_json(0.5)
    ('-inf', 0.5)
    """
    if number is not None and math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


def number_from_json(value: float | str | None) -> float | None:
    """The inverse of `number_to_json`."""
    return None if value is None else float(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)  # in full: a rounded cutoff does not repeat the verdicts
    if isinstance(value, list | tuple):
        return ",".join(map(_shown, value))
    return str(value)
