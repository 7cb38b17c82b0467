"""How often something may be tried: counted in this process, forgotten with it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from ensue.errors import RateError

_MOST = 10_000
"""Names and addresses that are remembered."""


class Limiter:
    """Lets something happen so many times in so many seconds, for each key."""

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, *keys: str) -> None:
        """Count it, if there was not too much of it.

        Raises:
            RateError: there was, for one of the keys; it says how long to wait.
        """
        with self._lock:
            now = self._clock()
            for key in keys:
                times = self._recent(key, now)
                if len(times) >= self._most:
                    wait = max(1, round(self._seconds - (now - times[0])))
                    raise RateError("too often", hint=f"try again in {wait} s")
            for key in keys:
                self._recent(key, now).append(now)

    def forgive(self, *keys: str) -> None:
        """Take back what was counted last."""
        with self._lock:
            for key in keys:
                times = self._times.get(key)
                if times:
                    times.pop()

    def _recent(self, key: str, now: float) -> deque[float]:
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while times and now - times[0] > self._seconds:
            times.popleft()
        while len(self._times) > _MOST:
            self._times.popitem(last=False)
        return times
