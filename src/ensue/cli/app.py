"""The `ensue` command: its subcommands, imported when they are called, and its exit codes."""

from __future__ import annotations

import os
import signal
import stat
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from ensue import __version__
from ensue.errors import EnsueError, UnknownNameError
from ensue.progress import TALK

COMMANDS = {
    "judge": ("ensue.cli.recognizers", "Judge pairs with a recognizer and record the run."),
    "validate": ("ensue.cli.recognizers", "Cross-validate a recognizer on gold pairs."),
    "train": ("ensue.cli.recognizers", "Train a recognizer, or tune its cutoff, on gold pairs."),
    "explain": ("ensue.cli.recognizers", "Show why a recognizer judges one pair as it does."),
    "check": ("ensue.cli.claims", "Check the sentences of a text against a source."),
    "propositions": ("ensue.cli.claims", "Cut the sentences of a text into statements."),
    "features": ("ensue.cli.recognizers", "Measure the entailment features of pairs; list them."),
    "ablate": ("ensue.cli.recognizers", "Show what each group of features is worth."),
    "evaluate": ("ensue.cli.evaluation", "Evaluate runs against gold."),
    "cutoff": ("ensue.cli.evaluation", "Show the accuracy of every cutoff of a run."),
    "power": ("ensue.cli.evaluation", "Say how many pairs it takes to see a difference."),
    "suite": ("ensue.cli.suites", "Generate test suites; judge diagnostic sets of any kind."),
    "mine": ("ensue.cli.evaluation", "Find what makes a run fail: constructions, words, columns."),
    "mt": ("ensue.cli.translation", "Score and rank translations; train and evaluate metrics."),
    "paraphrase": ("ensue.cli.paraphrase", "Score lists of paraphrases; learn and use them."),
    "data": ("ensue.cli.data", "Look at, convert, split and audit data sets; build gold."),
    "reproduce": ("ensue.cli.evaluation", "Recompute a paper's published figures."),
    "serve": ("ensue.cli.workbench", "Serve the workbench to browsers."),
    "mcp": ("ensue.cli.workbench", "Serve agents by the Model Context Protocol."),
    "submit": ("ensue.cli.workbench", "Hand a run in to a challenge."),
    "status": ("ensue.cli.diagnostics", "Say where a run stands."),
    "doctor": ("ensue.cli.diagnostics", "Check what ensue needs, and say how to mend it."),
    "list": ("ensue.cli.diagnostics", "List the installed components."),
}
"""Each subcommand: the module that holds it under its own name, and its line in the help."""

FORMER = {
    "--input-format": "--read format=FORMAT",
    "--column": "--read FIELD=COLUMN",
    "--encoding": "--read encoding=NAME",
    "--run-format": "--format",
    "--output-format": "--format",
    "--to": "--format",
    "--also": "--format",
    "--log-format": "--log FILE.jsonl, which is written as JSON",
    "--folds": "ensue validate PAIRS -r RECOGNIZER --folds N",
    "--estimate": "ensue status RUN, which says rate, rest and memory of what runs",
    "--labels": "-s labels=NAME=LABEL,…",
    "--no-guard": "-s guard=no",
    "--group": "--by group",
    "--every": "--format csv, which holds every cutoff",
    "--cases": "-s worst=N",
    "--all-outputs": "-s outputs=all",
    "--measure": "-s measure=NAME",
    "--iterations": "mine_sources of the library",
    "--converge": "mine_sources of the library",
    "--clauses": "-s clauses=N",
    "--near-miss": "-s near-misses=KIND,…",
    "--tense": "-s tenses=TENSE",
    "--mixed-tenses": "-s mixed-tenses=yes",
    "--diversity": "-s diversity=NAME",
    "--language-pair": "--read language-pair=XX-YY",
    "--set": "--feature-set",
    "--ties-of-judges": "--ties judges",
    "--epsilon": "--ties epsilon=E",
    "--metric-ties": "-s metric-ties=POLICY",
    "--worst": "-s worst=N",
    "--permutations": "-s permutations=N",
    "--short": "-s short=POLICY",
    "--repeated": "-s repeated=POLICY",
    "--unjudged": "-s unjudged=POLICY",
    "--function-words": "-s function-words=FILE",
    "--match": "-s match=words|stems",
    "--first": "-s first=N",
    "--figure": "-s figure=NAME",
    "--resample": "-s resample=terms|lists",
    "--alpha": "-s alpha=P",
    "--patterns": "--table patterns",
    "--summary": "--table reranking",
    "--most-exact": "rerank of the library",
    "power --pairs": "--size N",
    "recognize --pairs": "--table pairs",
    "paraphrase rerank": "ensue paraphrase score LISTS --rerank",
    "mt order": "ensue mt rank DATA -m METRIC --segments",
    "serve restore": "ensue serve backup FILE --restore",
}
"""Options and commands that were there once, and what does the same now."""

EXIT_NO = 1
EXIT_USAGE = 2
EXIT_ERROR = 3
EXIT_BUG = 70
EXIT_HUNG_UP = 129
EXIT_INTERRUPTED = 130
EXIT_READER_GONE = 141
EXIT_TERMINATED = 143


class Terminated(KeyboardInterrupt):
    """Another program told ours to end, or the terminal is gone: as Ctrl-C, with another exit code."""

    def __init__(self, exit_code: int = EXIT_TERMINATED) -> None:
        super().__init__()
        self.exit_code = exit_code


class ReaderGone(Exception):
    """Whoever read our output has gone."""


class UnknownCommand(click.UsageError):
    """There is no such command."""

    def __init__(self, name: str) -> None:
        error = UnknownNameError.of("command", name, COMMANDS)
        super().__init__(f"{error.message}; {error.hint}")


class CommandGroup(click.Group):
    """A group that says what does the work of a command that is no longer there."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, as click does."""
        instead = FORMER.get(f"{self.name} {args[0]}")
        if instead:
            raise click.UsageError(f"{args[0]} is no command any more; use {instead}", ctx)
        return super().resolve_command(ctx, args)


class _LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that `--help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            raise UnknownCommand(cmd_name)
        module, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), f"{cmd_name}_command")
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None  # click would exit with 1, which is an answer here

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: ensue explain 'A dog barks loudly' 'A dog barks'",
)
@click.version_option(__version__, prog_name="ensue")
def ensue() -> None:
    """Recognize, evaluate and diagnose textual entailment."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    0 done; 1 done, and the answer is no; 2 used wrongly; 3 an error; 70 a bug; 129 the terminal is
    gone; 130 interrupted; 141 nobody reads the output any more; 143 told to end.
    """
    signal.signal(signal.SIGTERM, _terminate)  # so that what is half written is cleared away
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup leaves it
        signal.signal(signal.SIGHUP, _hang_up)
    sys.exit(run(arguments))


def _terminate(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    raise Terminated


def _hang_up(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a shell says it again, while we clear away
    for stream in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(stream).st_mode) and not os.isatty(stream):
                _write_nowhere(stream)  # a terminal that is lost would fail whatever is said now
    raise Terminated(EXIT_HUNG_UP)


def _write_nowhere(stream: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def be_quiet(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:  # noqa: ARG001
    """Where --quiet is given, keep kernels from saying that they are compiled."""
    if value:
        os.environ.pop(TALK, None)
    return value


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    os.environ[TALK] = str(os.getpid())  # worker processes are to know it, too
    try:
        return _run(arguments)
    finally:
        os.environ.pop(TALK, None)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        given = sys.argv[1:] if arguments is None else arguments
        result: Any = ensue.main(args=list(with_labels_read(given)), standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        return _interrupted(error)
    except click.ClickException as error:
        _with_new_way(error).show()
        return EXIT_USAGE
    except EnsueError as error:
        click.echo(f"error: {error}", err=True)
        return EXIT_ERROR
    except (ReaderGone, BrokenPipeError):
        # nothing more can be said there, not even when Python flushes at its end
        _write_nowhere(sys.stdout.fileno())
        return EXIT_READER_GONE
    except Exception as error:
        if was_interrupted(error):
            return _interrupted(error)
        traceback.print_exc()
        click.echo("this is a bug in ensue; please report it with the lines above", err=True)
        return EXIT_BUG
    return result if isinstance(result, int) else 0


def with_labels_read(arguments: Iterable[str]) -> Iterator[str]:
    """The command line with every `--label` as the `--read` that it is short for.

    >>> list(with_labels_read(["--label", "hf", "--label=yes=entailment"]))
    ['--read', 'label=hf', '--read', 'label:yes=entailment']
    """
    rest = iter(arguments)
    for each in rest:
        option, equals, value = each.partition("=")
        if option == "--":
            yield from (each, *rest)
        elif option != "--label":
            yield each
        else:
            yield "--read"
            said = value if equals else next(rest, None)
            yield from [] if said is None else [f"label{':' if '=' in said else '='}{said}"]


def _with_new_way(error: click.ClickException) -> click.ClickException:
    """The error, with what does the same now where an option is no longer there."""
    if not isinstance(error, click.NoSuchOption):
        return error
    command = error.ctx.info_name if error.ctx else None
    instead = FORMER.get(f"{command} {error.option_name}") or FORMER.get(error.option_name)
    if not instead:
        return error
    return click.UsageError(f"{error.option_name} is no option any more; use {instead}", error.ctx)


def was_interrupted(error: BaseException) -> bool:
    """Whether an error is Ctrl-C, also where it came inside a compiled kernel."""
    return isinstance(error, KeyboardInterrupt) or (
        isinstance(error, SystemError) and isinstance(error.__cause__, KeyboardInterrupt)
    )


def _interrupted(error: BaseException) -> int:
    click.echo("interrupted", err=True)
    for each in (error, error.__cause__):
        if isinstance(each, Terminated):
            return each.exit_code
    return EXIT_INTERRUPTED
