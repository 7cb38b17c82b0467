"""Shards of rows put together as one file, or left as a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from ensue.engine.delivering import Opening
from ensue.engine.jobs.encoding import join_tables, join_texts
from ensue.engine.running import Outcome
from ensue.engine.runs.accounts import run_cost


@dataclass(frozen=True, slots=True)
class RowAssembly:
    """How shards of rows become one output."""

    kind: str
    """What the rows are, for the manifest."""
    items: str
    """What was done, e.g. `pairs`."""
    said: Mapping[str, Any] = field(hash=False)
    """What the manifest says of how they were made."""
    top: bytes
    """What stands before the first row of a file of text."""
    empty: bytes | None = None
    """A table without rows; None where the shards are text."""

    def head(self, outcome: Outcome | None) -> bytes:  # noqa: ARG002 - the same before and after
        """The heading."""
        return self.top

    def join(self, files: Sequence[Opening], target: IO[bytes]) -> None:
        """One after the other."""
        if self.empty is None:
            join_texts(files, target)
        elif files:
            join_tables(files, target)
        else:
            target.write(self.empty)

    def facts(self, outcome: Outcome) -> Mapping[str, Any]:
        """How they were made, and at what cost."""
        return {
            "kind": self.kind,
            **self.said,
            "started": outcome.plan.started,
            "cost": run_cost(outcome, self.items),
            "counts": {kind: dict(counts) for kind, counts in outcome.last.counts.items()},
        }

    def finished(self, target: str) -> str | None:  # noqa: ARG002 - rows have no header
        """None: rows do not say how they were made."""
        return None
