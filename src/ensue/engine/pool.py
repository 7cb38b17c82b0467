"""A pool of worker processes that call functions, for rooms with many calls to make.

They know nothing of it but the role `ensue.language.analyzer.CallPool`. What is to be
judged, written and resumed shard by shard goes another way: `ensue.engine.run`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from weakref import finalize

from ensue.engine.processes import WorkerDied, WorkerProcess
from ensue.errors import EngineError

Call = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function that a module has under its name, and its arguments; all of it can be pickled."""


class Pool:
    """Processes that are started when they are first needed, and end with the pool.

    It ends when it is closed, when nobody has it any more, or with this process.
    """

    def __init__(self, n: int) -> None:
        """Have so many processes; none is started yet."""
        self.n = n
        self._crew = _Crew(n)
        finalize(self, self._crew.end)

    def in_order(self, calls: Iterable[Call]) -> Iterator[Any]:
        """The results of calls, in their order, with few calls ahead of them.

        A call whose process dies is made once more. Where an error comes up, or nobody wants the
        other results, calls that were made ahead are dropped.

        Args:
            calls: Functions that a module has under their names, with their arguments. Taking the
                next one may itself make calls.

        Raises:
            EngineError: a process died of a call twice.
            EnsueError: what a function raised.
            RuntimeError: what a function raised that is none of ours, as text.
        """
        batch = _Batch()
        waiting: deque[Future[Any]] = deque()
        try:
            for function, *arguments in calls:
                waiting.append(self._crew.submit(batch, function, arguments))
                if len(waiting) > 2 * self.n:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
            batch.drop()

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        self._crew.end()
        self._crew.executor.shutdown()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(slots=True, eq=False)
class _Batch:
    """Calls whose results somebody waits for, and the hands that are busy with them."""

    hands: set[WorkerProcess] = field(default_factory=set)
    is_dropped: bool = False

    def drop(self) -> None:
        self.is_dropped = True
        for hand in list(self.hands):
            hand.close()


class _Crew:
    """As many hands as threads. It knows no pool, so that a pool can go while a thread runs."""

    def __init__(self, n: int) -> None:
        self.executor = ThreadPoolExecutor(n, thread_name_prefix="pool")
        self._hands = [WorkerProcess() for _ in range(n)]
        self._idle = deque(self._hands)
        self._is_ended = False

    def submit(
        self, batch: _Batch, function: Callable[..., Any], arguments: Sequence[Any]
    ) -> Future[Any]:
        return self.executor.submit(self._called, batch, function, arguments)

    def end(self) -> None:
        self._is_ended = True
        self.executor.shutdown(wait=False, cancel_futures=True)
        for hand in self._hands:
            hand.end()

    def _called(self, batch: _Batch, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        hand = self._idle.pop()  # the last that was used: others may not be needed at all
        batch.hands.add(hand)
        try:
            return self._surely(hand, batch, function, arguments)
        finally:
            batch.hands.discard(hand)
            self._idle.append(hand)

    def _surely(
        self,
        hand: WorkerProcess,
        batch: _Batch,
        function: Callable[..., Any],
        arguments: Sequence[Any],
    ) -> Any:
        try:
            return hand.call(_call, function, arguments)
        except WorkerDied:
            if batch.is_dropped or self._is_ended:
                raise
        try:
            return hand.call(_call, function, arguments)
        except WorkerDied as death:
            raise EngineError(
                f"a worker died twice of the same work: {death.reason}",
                hint="is there enough memory? fewer --workers need less",
            ) from None


def _call(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    tell: Callable[[Any], None],  # noqa: ARG001 - as all calls
) -> Any:
    """What a hand calls, so that the function need not know that it is called by one."""
    return function(*arguments)
