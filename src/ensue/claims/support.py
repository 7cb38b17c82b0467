"""What is found of a claim: passages with their verdicts, its parts, and its status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any, overload

from ensue.claims.documents import Passage
from ensue.claims.proposition import Proposition
from ensue.features import Mismatch
from ensue.pairs import Label, Signature, Verdict


@dataclass(frozen=True, slots=True)
class Support:
    """A passage of the source and what a recognizer says of a claim against it."""

    passage: Passage
    verdict: Verdict
    mismatches: tuple[Mismatch, ...]
    """With places in the claim, and in the passage."""
    coverage: float
    """How much of the claim is met there, said alike or otherwise: 0 to 1."""
    is_copy: bool = False
    """Whether the claim stands there word for word."""
    is_borne_out: bool = False
    """Whether its events make the claim true, told from another side, whatever the recognizer says."""
    restated: str = ""
    """The claim in the figures of the passage, where they had to be reckoned: *doubled*, from 40 to 80."""

    @property
    def holds(self) -> bool:
        """Whether the claim is true there: by its words or events, or by a yes where nothing differs."""
        yes = self.is_borne_out or self.verdict.label is Label.ENTAILMENT
        return self.is_copy or (yes and not self.mismatches)

    @property
    def is_contrary(self) -> bool:
        """Whether it says otherwise, rather than nothing, of something in the claim."""
        return any(each.text is not None for each in self.mismatches)

    def outweighs(self, other: Support) -> bool:
        """Whether it meets more of the claim than another passage; if a part of it, as much."""
        slack = -1e-9 if other.passage.covers(self.passage) else 1e-9
        return self.coverage > other.coverage + slack


class ClaimStatus(StrEnum):
    """What the sources make of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    """The sources say otherwise."""
    NOT_FOUND = "not-found"
    """The sources do not say so, and not otherwise."""
    NOTHING_TO_CHECK = "nothing-to-check"
    """It claims nothing: a question, a greeting, a refusal."""


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A proposition of a claim, and the passage that says most of it."""

    proposition: Proposition
    """With places in the text of the claim's file."""
    support: Support | None
    """The best passage, with what was said of the proposition there; None where there is none."""

    @property
    def supported(self) -> bool:
        """Whether it is true there."""
        return self.support is not None and self.support.holds

    def to_json(self) -> dict[str, Any]:
        """The part in values that JSON can hold; places in the statement are those of its words."""
        return {
            "statement": self.proposition.statement,
            "spans": [list(each) for each in self.proposition.spans],
            "supported": self.supported,
            "support": None if self.support is None else _support_to_json(self.support, 0),
        }


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim, its status, and the passages that support it best, the best first."""

    claim: Passage
    status: ClaimStatus
    reason: str
    support: tuple[Support, ...]
    id: str = ""
    """Of its row, or its number."""
    line: int | None = None
    """At which its row begins, where it is from a table: places are then those in the cell."""
    probability: float | None = None
    """That it is supported; None where there is nothing to check, or the recognizer gives no score."""
    parts: tuple[ClaimPart, ...] = ()
    """Its propositions."""

    @property
    def supported(self) -> bool:
        """Whether a source supports it."""
        return self.status is ClaimStatus.SUPPORTED

    def to_json(self) -> dict[str, Any]:
        """The claim in values that JSON can hold; all places are those of the files."""
        return {
            "id": self.id,
            "claim": self.claim.text,
            "file": self.claim.file,
            "line": self.line,
            "start": self.claim.start,
            "end": self.claim.end,
            "status": self.status.value,
            "supported": self.supported,
            "probability": self.probability,
            "reason": self.reason,
            "support": [_support_to_json(each, self.claim.start) for each in self.support],
            "parts": [each.to_json() for each in self.parts],
        }


@dataclass(frozen=True, slots=True)
class CheckedClaims(Sequence[CheckedClaim]):
    """The claims of a text, or of several, in their order."""

    found: tuple[CheckedClaim, ...]
    signature: Signature
    """Of the recognizer that judged them."""

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> CheckedClaim: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[CheckedClaim]: ...

    def __getitem__(self, at: int | slice) -> CheckedClaim | Sequence[CheckedClaim]:
        return self.found[at]

    @property
    def counts(self) -> dict[ClaimStatus, int]:
        """How many claims have each status."""
        return {status: sum(each.status is status for each in self.found) for status in ClaimStatus}

    @property
    def is_supported(self) -> bool:
        """Whether no claim is contradicted or not found."""
        return not (self.counts[ClaimStatus.CONTRADICTED] or self.counts[ClaimStatus.NOT_FOUND])

    def to_json(self) -> dict[str, Any]:
        """All of them in values that JSON can hold, with how many have each status."""
        return {
            "signature": self.signature.to_json(),
            "claims": [each.to_json() for each in self.found],
            "n_claims": len(self.found),
            "n_supported": self.counts[ClaimStatus.SUPPORTED],
            "counts": {status.value: n for status, n in self.counts.items()},
        }

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        # reports build on claims and not the other way round: found only when it is shown
        face = import_module("ensue.reports.claims")
        return str(face.checked_fragment(self))


def _support_to_json(support: Support, claim: int) -> dict[str, Any]:
    return {
        "source": support.passage.text,
        "file": support.passage.file,
        "start": support.passage.start,
        "end": support.passage.end,
        "spans": [list(each) for each in support.passage.spans],
        "label": support.verdict.label.value if support.verdict.label else None,
        "score": support.verdict.score,
        "confidence": support.verdict.confidence,
        "coverage": support.coverage,
        "copy": support.is_copy,
        "borne_out": support.is_borne_out,
        "restated": support.restated or None,
        "mismatches": [
            _mismatch_to_json(each, claim, support.passage) for each in support.mismatches
        ],
    }


def _mismatch_to_json(mismatch: Mismatch, claim: int, passage: Passage) -> dict[str, Any]:
    there = mismatch.text
    return {
        "kind": mismatch.kind.value,
        "message": mismatch.message,
        "claim": [claim + each for each in mismatch.hypothesis],
        "source": None if there is None else list(passage.place(there)),
    }
