"""How many requests there were, and how long they took, as Prometheus reads it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""


class Metrics:
    """Counts requests by route and outcome, and their times."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one more."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds += seconds
            for bound in _BOUNDS:
                if seconds <= bound:
                    self._within[bound] += 1

    def lines(self) -> Iterator[str]:
        """The counts in Prometheus' text format."""
        with self._lock:
            requests, within, seconds = dict(self._requests), dict(self._within), self._seconds
        yield "# HELP ensue_requests_total Requests by method, route and status."
        yield "# TYPE ensue_requests_total counter"
        for (method, route, status), n in sorted(requests.items()):
            yield f'ensue_requests_total{{method="{method}",route="{route}",status="{status}"}} {n}'
        yield "# HELP ensue_request_seconds How long requests took."
        yield "# TYPE ensue_request_seconds histogram"
        for bound in _BOUNDS:
            yield f'ensue_request_seconds_bucket{{le="{bound:g}"}} {within.get(bound, 0)}'
        total = sum(requests.values())
        yield f'ensue_request_seconds_bucket{{le="+Inf"}} {total}'
        yield f"ensue_request_seconds_sum {seconds:.6f}"
        yield f"ensue_request_seconds_count {total}"
