"""What the commands on paraphrases share: their lists, their tasks, and how lists are scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ensue.cli.inputs import check_files, files_of, load_gold
from ensue.cli.messages import finding_messages
from ensue.cli.options import (
    ROW_FORMATS,
    Setting,
    encoding_of,
    format_option,
    output_option,
    read_option,
    settings_option,
)
from ensue.errors import DataError
from ensue.files import filled_lines, is_there
from ensue.pairs import Pair, ReadKeywords, dataset_name

if TYPE_CHECKING:
    from ensue.paraphrase import RankedLists, Scoring
    from ensue.paraphrase.recognition import Task

F = TypeVar("F", bound=Callable[..., Any])

MOST_PATTERNS = 10**9
"""No list is longer, and numbers beyond that do not fit everywhere."""
MOST_WORDS = 100
"""Of a paraphrase, or of a context."""


@dataclass(frozen=True, slots=True)
class ListFiles:
    """The files of lists that the user named."""

    paths: tuple[str, ...]
    encoding: str | None

    def check(self, outputs: Sequence[str | None], others: Sequence[str] = ()) -> None:
        """See early that nothing is overwritten that the command reads."""
        check_files([*self.paths, *others], outputs)

    def open(self, quiet: bool) -> RankedLists:
        """Read them, and tell what is found."""
        from ensue.paraphrase.formats import read_lists

        with finding_messages(quiet) as tell_one:
            return read_lists(self.paths, encoding=self.encoding, on_finding=tell_one)


def list_options(
    *, needed: bool = True, with_pairs: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """LISTS and `--read`, as `files`.

    Args:
        needed: Whether the command makes no sense without lists.
        with_pairs: Whether the command has `pair_options`, too, whose `--read` is for everything.
    """

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def listed_command(
            *arguments: Any, lists: tuple[str, ...], reading: Mapping[str, str], **others: Any
        ) -> Any:
            encoding = reading.get("encoding") if with_pairs else encoding_of(reading)
            if with_pairs:
                others["reading"] = reading  # which they want, too
            return command(*arguments, files=ListFiles(lists, encoding), **others)

        listed: Callable[..., Any] = listed_command
        if not with_pairs:
            listed = read_option("encoding=NAME, where it is not UTF-8")(listed)
        metavar = "LISTS..." if needed else "[LISTS]..."
        return click.argument("lists", nargs=-1, required=needed, metavar=metavar)(listed)

    return with_options


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """The gold pairs that the user named, by task."""

    files: tuple[tuple[str, str], ...]
    """Names of tasks, each with a file; a name that comes again joins its files."""

    @property
    def paths(self) -> list[str]:
        """Of all files."""
        return [path for _, path in self.files]

    def open(self, reading: ReadKeywords, quiet: bool) -> list[Task]:
        """Read them, and tell what is found."""
        from ensue.paraphrase.recognition import Task

        tasks: dict[str, list[Pair]] = {}
        for name, path in self.files:
            tasks.setdefault(name, []).extend(load_gold(path, reading, quiet))
        found = [Task.of(name, pairs) for name, pairs in tasks.items()]
        for task in found:
            if not task.pairs:
                raise DataError(
                    "no-pair-task-gold",
                    f"no pair of the task {task.name!r} has a gold label",
                    hint="name its column with --read gold=COLUMN, and labels with"
                    " --label NAME=LABEL",
                )
        return found


def task_option(*, required: bool = True) -> Callable[[F], F]:
    """`-t`, as `tasks`, a `TaskFiles`."""
    return click.option(
        "-t",
        "--task",
        "tasks",
        multiple=True,
        required=required,
        callback=_tasks,
        metavar="[NAME=]PAIRS",
        help="Gold pairs to recognize, in any format that `ensue judge` reads. May be repeated;"
        " files with one NAME are one task.",
    )


def _tasks(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> TaskFiles:
    found = tuple(_task(value) for value in values)
    for task in found:
        if found.count(task) > 1:
            raise click.BadParameter(f"{task[1]!r} is named twice", ctx=ctx, param=param)
    return TaskFiles(found)


def _task(value: str) -> tuple[str, str]:
    name, _, path = value.partition("=")
    if name and path and not is_there(value):  # a file's name may have a = in it
        return name, path
    return dataset_name(value), value


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """How lists are to be scored."""

    ks: tuple[int, ...]
    qualities: tuple[str, ...]
    named: Mapping[str, Any]
    """What `-s` says, by name."""

    def files(self) -> list[str]:
        """What is read beside the lists."""
        arguments = [each.partition(":")[2] for each in (*self.qualities, self.named["diversity"])]
        words = self.named["function-words"]
        own = [words] if words else []
        return [*own, *(str(path) for each in arguments if each for path in files_of(each))]

    def scoring(self, encoding: str | None) -> Scoring:
        """As the library takes them.

        Args:
            encoding: Of the file of function words.
        """
        from ensue.paraphrase import Scoring
        from ensue.paraphrase.scores import Repeated, ScoreSettings, Short, Unjudged

        words = self.named["function-words"]
        settings = ScoreSettings(
            ks=tuple(dict.fromkeys(self.ks or KS)),
            short=Short(self.named["short"]),
            repeated=Repeated(self.named["repeated"]),
            unjudged=Unjudged(self.named["unjudged"]),
            no_content=read_words(words, encoding) if words else None,
        )
        return Scoring(self.qualities, self.named["diversity"], settings)


def read_words(path: str, encoding: str | None = None) -> frozenset[str]:
    """The words of a file, one a line, in lower case."""
    return frozenset(line.lower() for line in filled_lines([path], encoding))


def named_terms(terms: str, tasks: Sequence[Task]) -> tuple[str, ...]:
    """Terms with commas between them, or for `top:N` the most frequent verbs of the tasks."""
    from ensue.paraphrase.recognition import asked_number, frequent_terms

    n = asked_number(terms)
    if n is not None:
        return frequent_terms(tasks, n)
    named = tuple(term.strip() for term in terms.split(",") if term.strip())
    if not named:
        raise click.UsageError(f"--terms {terms!r} names no term")
    return named


KS = (1, 5, 10)
_ks_option = click.option(
    "-k",
    "ks",
    type=click.IntRange(max=MOST_PATTERNS),
    multiple=True,
    help="How many patterns of a list count; may be repeated.  [default: 1, 5, 10]",
)
_quality_option = click.option(
    "--quality",
    "qualities",
    multiple=True,
    metavar="NAME[:ARGUMENT]",
    help="What Q is (ensue list qualities): judges:strict, judges:lenient, column:NAME,"
    " instances:FILE or recognizer. All that judges said, where nothing is named.",
)

FUNCTION_WORDS = Setting("FILE with your own words without content, one a line")
MATCH = Setting("how paraphrases are found in pairs", "words", click.Choice(["words", "stems"]))
SETTINGS = {
    "diversity": Setting(
        "NAME[:ARGUMENT], what D is (ensue list diversities), e.g. dictionary or column:novelty",
        "algorithm-1",
    ),
    "short": Setting(
        "a list shorter than k: what lacks counts as wrong, or only what is there counts",
        "wrong",
        click.Choice(["wrong", "available"]),
    ),
    "repeated": Setting(
        "a pattern that is in its list already", "drop", click.Choice(["drop", "keep", "error"])
    ),
    "unjudged": Setting(
        "a pattern without a quality, where its rank counts: refuse it, take it as wrong, or let"
        " those behind it move up",
        "error",
        click.Choice(["error", "wrong", "skip"]),
    ),
    "function-words": FUNCTION_WORDS,
}


def scoring_options(**others: Setting) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`-k`, `--quality` and `-s`, as `scoring`; with other settings, these as `settings`, too."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def scoring_command(
            *arguments: Any,
            ks: tuple[int, ...],
            qualities: tuple[str, ...],
            settings: Mapping[str, Any],
            **rest: Any,
        ) -> Any:
            if others:
                rest["settings"] = settings
            return command(*arguments, scoring=ScoreOptions(ks, qualities, settings), **rest)

        for option in (settings_option({**SETTINGS, **others}), _quality_option, _ks_option):
            scoring_command = option(scoring_command)
        return scoring_command

    return with_options


def list_output_options(command: F) -> F:
    """`-o` and `--format`, as `output` and `output_format`, for commands that write lists."""
    command = format_option(*ROW_FORMATS, otherwise="TSV")(command)
    return output_option("Where to write.")(command)
