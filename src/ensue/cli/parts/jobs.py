"""`--jobs`, and the recognizers that can use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ensue.recognizers import Recognizer

F = TypeVar("F", bound=Callable[..., Any])


def jobs_option(command: F) -> F:
    """`--jobs`, for commands that analyze many texts; None where it is not given."""
    return click.option(
        "--jobs",
        type=click.IntRange(1),
        metavar="N",
        help="Processes for large files; as many as there are cores where it is not given."
        " The results are the same for any number.",
    )(command)


def with_jobs(recognizer: Recognizer, jobs: int | None) -> Recognizer:
    """The recognizer with so many processes, if it can use them."""
    from ensue.recognizers import Parallel

    if not isinstance(recognizer, Parallel):
        return recognizer
    return recognizer.with_workers(n_jobs(jobs))


def n_jobs(jobs: int | None) -> int:
    """The number that was asked for, or of cores."""
    from ensue.features.workers import n_cores

    return jobs or n_cores()
