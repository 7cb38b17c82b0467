"""How often something may be tried: counted in this process, forgotten with it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from ensue.errors import LimitError

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

    def check(self, *keys: str) -> None:
        """See that there was not too much of it.

        Raises:
            LimitError: there was, for one of the keys; it says how long to wait.
        """
        with self._lock:
            now = self._clock()
            for key in keys:
                times = self._recent(key, now)
                if len(times) >= self._most:
                    wait = max(1, round(self._seconds - (now - times[0])))
                    raise LimitError("too often", hint=f"try again in {wait} s")

    def count(self, *keys: str) -> None:
        """Count it once more."""
        with self._lock:
            now = self._clock()
            for key in keys:
                self._recent(key, now).append(now)

    def take(self, *keys: str) -> None:
        """Count it, if there was not too much of it.

        Raises:
            LimitError: as `check`.
        """
        self.check(*keys)
        self.count(*keys)

    def _recent(self, key: str, now: float) -> deque[float]:
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while times and now - times[0] > self._seconds:
            times.popleft()
        while len(self._times) > _MOST:
            self._times.popitem(last=False)
        return times
