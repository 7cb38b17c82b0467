"""What is seen of a large run while it goes on: progress, talk, logs, and how to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from ensue.cli.app import was_interrupted
from ensue.cli.parts.progress import Onlooker, onlooker
from ensue.pairs.files import STANDARD
from ensue.pairs.outputs import check_outputs

LOG_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class Seeing:
    """How much of a run is shown, and where."""

    quiet: bool
    verbose: bool
    log: str | None
    log_format: str

    @contextmanager
    def run(self, what: str, output: str, source: str | None = None) -> Iterator[Onlooker]:
        """Show a run; give what is to be told where it stands, and of bytes by its `survey`.

        Args:
            what: The work, as in "judging".
            output: Where the run goes.
            source: What it goes over, where that is files.

        Raises:
            OutputError: the log cannot be written, or is the input or the output.
        """
        from ensue.engine.logging import LogFormat, logging_to

        self._check(output, source)
        with logging_to(self.log, LogFormat(self.log_format)):
            looking = onlooker(what, source, quiet=self.quiet, verbose=self.verbose)
            try:
                yield looking
            except (KeyboardInterrupt, SystemError) as error:
                if was_interrupted(error) and output != STANDARD and looking.has_seen:
                    looking.close()
                    click.echo("what is done is kept; go on with --resume", err=True)
                raise
            finally:
                looking.close()

    def _check(self, output: str, source: str | None) -> None:
        """See that the log goes nowhere else; a folder is no file that it could be."""
        from ensue.engine.delivering import is_folder

        if self.log is not None:
            others = [] if is_folder(output) else [output]
            check_outputs([*others, self.log], [] if source is None else [source])


def seeing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`-q`, `-v`, `--log` and `--log-format`, as one argument `seeing`."""

    @wraps(command)
    def seeing_command(
        *arguments: Any, quiet: bool, verbose: bool, log: str | None, log_format: str, **others: Any
    ) -> Any:
        if quiet and verbose:
            raise click.UsageError("--quiet and --verbose exclude each other")
        return command(*arguments, seeing=Seeing(quiet, verbose, log, log_format), **others)

    for option in reversed(
        [
            click.option("-q", "--quiet", is_flag=True, help="No progress, no talk."),
            click.option(
                "-v",
                "--verbose",
                is_flag=True,
                help="Show each worker, too; where there is no terminal, a line every half minute.",
            ),
            click.option(
                "--log",
                metavar="FILE",
                help="Log what happens behind what is in this file; - is standard error.",
            ),
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
