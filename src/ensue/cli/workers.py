"""`--workers`, `--engine` and the other options for how a large run is executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ensue.files import STANDARD

if TYPE_CHECKING:
    from ensue.engine import Pool
    from ensue.recognizers import Recognizer

# `--workers`, `--engine` and what else says how a large run is done.


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--engine`, `--workers`, `--shard-size`, `--resume` and `--restart`, as one argument `spread`."""

    @wraps(command)
    def spread_command(
        *arguments: Any,
        engine: str,
        workers: int | None,
        shard_size: int | None,
        resume: bool | None,
        **others: Any,
    ) -> Any:
        from ensue.engine import RunOptions

        if others.get("output") == STANDARD and resume is not None:
            raise click.UsageError("--resume and --restart need --output")
        if str(others.get("output")).startswith("memory://"):
            raise click.UsageError("memory:// ends with this process; name another place")
        spread = RunOptions(engine, workers, shard_size, resume is True, resume is False)
        return command(*arguments, spread=spread, **others)

    return _with_engine_options(spread_command)


def _with_engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        [
            click.option(
                "--engine",
                default="embedded",
                show_default=True,
                metavar="NAME",
                help="Who works: embedded, processes of this machine; dask, a local cluster;"
                " dask://HOST:PORT, a running one.",
            ),
            click.option(
                "--workers",
                type=click.IntRange(1),
                metavar="N",
                help="Processes; as many as there are cores where it is not given. The results"
                " are the same for any number.",
            ),
            click.option(
                "--shard-size",
                type=click.IntRange(1),
                metavar="N",
                help="Items that are done and kept together; up to 16,384 where it is not given.",
            ),
            click.option(
                "--resume/--restart",
                default=None,
                help="Go on with the unfinished run, or forget what is there.",
            ),
        ]
    ):
        command = option(command)
    return command


# `--workers`, and the recognizers that can use them.


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
    from ensue.engine import Pool, n_cores

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
