"""What is seen of a large run while it goes on: progress, talk, logs, and how to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ensue.cli.app import was_interrupted
from ensue.cli.parts.progress import progress_bar
from ensue.pairs.files import STANDARD

if TYPE_CHECKING:
    from ensue.engine import Snapshot

LOG_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class Seeing:
    """How much of a run is shown, and where."""

    quiet: bool
    verbose: bool
    log: str | None
    log_format: str

    @contextmanager
    def run(self, what: str, output: str) -> Iterator[Callable[[Snapshot], None]]:
        """Show a run; give what is to be told where it stands.

        Args:
            what: The work, as in "judging".
            output: Where the run goes.
        """
        done = 0
        with progress_bar(what, quiet=self.quiet) as advance:

            def seen(snapshot: Snapshot) -> None:
                nonlocal done
                advance(snapshot.n_done - done)
                done = snapshot.n_done

            try:
                yield seen
            except (KeyboardInterrupt, SystemError) as error:
                if was_interrupted(error) and output != STANDARD:
                    click.echo("what is done is kept; go on with --resume", err=True)
                raise


def seeing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`-q`, `-v`, `--log` and `--log-format`, as one argument `seeing`."""

    @wraps(command)
    def seeing_command(
        *arguments: Any, quiet: bool, verbose: bool, log: str | None, log_format: str, **others: Any
    ) -> Any:
        return command(*arguments, seeing=Seeing(quiet, verbose, log, log_format), **others)

    for option in reversed(
        [
            click.option("-q", "--quiet", is_flag=True, help="No progress, no talk."),
            click.option("-v", "--verbose", is_flag=True, help="Show each worker, too."),
            click.option("--log", metavar="FILE", help="Log to this file; - is standard error."),
            click.option(
                "--log-format",
                type=click.Choice(LOG_FORMATS),
                default="text",
                show_default=True,
                help="Lines for people, or JSON for programs.",
            ),
        ]
    ):
        seeing_command = option(seeing_command)
    return seeing_command
