"""`--workers`, `--engine` and what else says how a large run is done."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ensue.pairs.files import STANDARD


def spread_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--engine`, `--workers`, `--shard-size`, `--resume` and `--restart`, as one argument `spread`."""

    @wraps(command)
    def spread_command(
        *arguments: Any,
        engine: str,
        workers: int | None,
        shard_size: int | None,
        resume: bool,
        restart: bool,
        **others: Any,
    ) -> Any:
        from ensue.engine import Spread

        if resume and restart:
            raise click.UsageError("--resume and --restart exclude each other")
        if others.get("output") == STANDARD and (resume or restart):
            raise click.UsageError("--resume and --restart need --output")
        if str(others.get("output")).startswith("memory://"):
            raise click.UsageError("memory:// ends with this process; name another place")
        spread = Spread(engine, workers, shard_size, resume, restart)
        return command(*arguments, spread=spread, **others)

    return _with_spread_options(spread_command)


def _with_spread_options(command: Callable[..., Any]) -> Callable[..., Any]:
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
            click.option("--resume", is_flag=True, help="Go on with the unfinished run."),
            click.option("--restart", is_flag=True, help="Forget what is there."),
        ]
    ):
        command = option(command)
    return command
