"""`--workers`, and the recognizers that can use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ensue.engine.pool import Pool
    from ensue.recognizers import Recognizer


def workers_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--workers`, as one argument `pool`, for commands that analyze many texts.

    The pool is there as long as the command runs; it is None where one process is enough.
    """

    @wraps(command)
    def pooled_command(*arguments: Any, workers: int | None, **others: Any) -> Any:
        with open_pool(workers) as pool:
            return command(*arguments, pool=pool, **others)

    return click.option(
        "--workers",
        type=click.IntRange(1),
        metavar="N",
        help="Processes for large files; as many as there are cores where it is not given."
        " The results are the same for any number.",
    )(pooled_command)


@contextmanager
def open_pool(workers: int | None) -> Iterator[Pool | None]:
    """So many processes, or as many as there are cores; None where that is one."""
    from ensue.engine.engines.opening import n_cores
    from ensue.engine.pool import Pool

    n = workers or n_cores()
    if n == 1:
        yield None
        return
    with Pool(n) as pool:
        yield pool


def with_pool(recognizer: Recognizer, pool: Pool | None) -> Recognizer:
    """The recognizer with a pool, if it can use one."""
    from ensue.recognizers import Parallel

    return recognizer.with_pool(pool) if isinstance(recognizer, Parallel) else recognizer
