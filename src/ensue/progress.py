"""Progress of a call that takes its time, for whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

TALK = "ENSUE_TALK"
"""The variable that a command sets to its process id where lines may go to standard error, for
what takes long below it, in worker processes too."""

Advance = Callable[[int], None]
"""Called with how many more items are done."""


class Stages(Protocol):
    """Called where a stage of a call begins; the stage lasts as long as the context."""

    def __call__(self, what: str, total: int | None = None, /) -> AbstractContextManager[Advance]:
        """Begin the stage `what`, e.g. `scoring`, of `total` items where they are counted."""


@contextmanager
def unwatched(what: str, total: int | None = None, /) -> Iterator[Advance]:  # noqa: ARG001
    """A stage that nobody looks at."""
    yield lambda _: None
