"""The time that one pair has, kept by every stage from its parse to its verdict."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from ensue.compiling import compile_seconds

Clock = Callable[[], float]
"""Seconds that go on whatever else the machine does."""


class TimeOver(Exception):
    """A deadline has passed."""

    def __init__(self, stage: str) -> None:
        super().__init__(stage)
        self.stage = stage
        """What was at work, as in *reading the text*."""


class Deadline:
    """A point in time, which loops look at, and the stage that is at work.

    It is one of the clock on the wall: who waits for an answer waits whatever the processor does
    meanwhile. What does not depend on the load of a machine is the number of a prover's steps. Only
    the seconds in which kernels are compiled, once in an installation, do not count.
    """

    __slots__ = ("_clock", "_compiled", "_end", "stage")

    def __init__(
        self, seconds: float = math.inf, *, stage: str = "", clock: Clock = time.perf_counter
    ) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._compiled = compile_seconds()
        self.stage = stage

    @property
    def left(self) -> float:
        """The seconds until then; below 0 where it has passed."""
        self._extend()
        return self._end - self._clock()

    def check(self) -> None:
        """Stop what is at work where the deadline has passed; a tenth of a microsecond.

        Raises:
            TimeOver: it has.
        """
        if self._clock() > self._end:
            self._extend()
            if self._clock() > self._end:
                raise TimeOver(self.stage)

    def enter(self, stage: str) -> None:
        """Begin a stage, unless the deadline has passed."""
        self.check()
        self.stage = stage

    def charge(self, seconds: float) -> None:
        """Count seconds that were spent before, for something that is used again."""
        self._end -= seconds

    def within(self, seconds: float) -> Deadline:
        """The deadline of a part that may take so many seconds, if they are left."""
        return Deadline(min(seconds, self.left), stage=self.stage, clock=self._clock)

    def _extend(self) -> None:
        """Give back the seconds in which kernels were compiled."""
        compiled = compile_seconds()
        self._end += compiled - self._compiled
        self._compiled = compiled
