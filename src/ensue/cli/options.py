"""Options that several commands share, and the values they carry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ensue.cli.app import be_quiet
from ensue.cli.messages import asked
from ensue.errors import UnknownNameError
from ensue.files import STANDARD
from ensue.pairs import Label, ReadKeywords, label_preset

if TYPE_CHECKING:
    from ensue.engine import Pool
    from ensue.files import RowFormat
    from ensue.recognizers import Recognizer
    from ensue.reports import Picture, Report, Table

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_RECOGNIZER = "joint"
TABLE_FORMATS = ("table", "json", "jsonl", "csv")
ROW_FORMATS = ("tsv", "csv", "jsonl", "parquet")
FIELDS = ("id", "text", "hypothesis", "gold", "task")
"""What a column of pairs may hold."""
_PRESET, _LABEL = "label", "label:"
MOST_DRAWS = 1_000_000
"""More take hours, and memory that nobody has."""


@dataclass(frozen=True, slots=True)
class Printing:
    """Where and how a command shows its result."""

    output: str
    named: str | None
    """The format, where one is named."""
    table: str | None
    """The only table to print, where one is named."""
    plots: tuple[str, ...] = ()
    report: str | None = None

    @property
    def format(self) -> str:
        """How tables are printed.

        Raises:
            click.UsageError: they are not printed so.
        """
        if self.named not in (None, *TABLE_FORMATS):
            raise click.UsageError(
                f"tables are written as {', '.join(TABLE_FORMATS)}, not as {self.named}"
            )
        return format_of(self.output, self.named, TABLE_FORMATS) or "table"

    @property
    def for_programs(self) -> bool:
        """Whether programs read it, to whom nothing is too long."""
        return self.format != "table"

    @property
    def files(self) -> list[str | None]:
        """Everything that is written."""
        return [self.output, self.report, *self.plots]

    def write(
        self,
        tables: Sequence[Table],
        *,
        picture: Callable[[], Picture] | None = None,
        page: Callable[[], Report] | None = None,
        answer: str = "",
    ) -> None:
        """Write the tables there, so, and what else is wanted.

        Args:
            tables: What is printed.
            picture: Draws what `--plot` asks for.
            page: Makes what `--report` asks for.
            answer: What was found, in a sentence, for people.
        """
        from ensue.reports import write_page, write_tables

        write_tables(
            tables,
            output=self.output,
            format=self.format,
            table=self.table,
            option="--format csv",
            answer=answer,
        )
        if picture and self.plots:
            from ensue.reports.pictures import write_picture

            drawn = picture()
            for plot in self.plots:
                write_picture(plot, drawn)
        if page and self.report:
            write_page(self.report, page())


def output_options(
    *others: str,
    table: str = "Print only this table.",
    picture: str | None = None,
    page: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--format`, `--table` and `--output`, `--plot` and `--report`, as one argument `printing`.

    Args:
        others: Formats beside those of tables, for what the command writes in their place.
        table: The help for `--table`.
        picture: What `--plot` draws, as in "Draw …"; there is none where it is None.
        page: Whether there is a `--report`.
    """

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def printing_command(
            *arguments: Any,
            output: str,
            output_format: str | None,
            table: str | None,
            plots: tuple[str, ...] = (),
            report: str | None = None,
            **rest: Any,
        ) -> Any:
            printing = Printing(output, output_format, table, plots, report)
            return command(*arguments, printing=printing, **rest)

        options = [
            format_option(*TABLE_FORMATS, *others),
            click.option("--table", metavar="NAME", help=table),
            output_option(),
            *([plot_option(picture)] if picture else []),
            *([report_option] if page else []),
        ]
        for option in reversed(options):
            printing_command = option(printing_command)
        return printing_command

    return with_options


def output_option(
    what: str = "Write here instead of standard output.", *, metavar: str = "FILE"
) -> Callable[[F], F]:
    """`-o`, as `output`; standard output where it is not given."""
    return click.option("-o", "--output", default=STANDARD, metavar=metavar, help=what)


def format_option(*formats: str, otherwise: str = "a table") -> Callable[[F], F]:
    """`--format`, as `output_format`; None where it is not given.

    Args:
        formats: What may be named.
        otherwise: What is written where neither the option nor the output's name says a format.
    """
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        help=f"How to write; by the output's name where it is not given, else {otherwise}.",
    )


def format_of(output: str, named: str | None, formats: Sequence[str]) -> str | None:
    """The format that is named, or that the end of the output's name says; None where none is.

    >>> format_of("scores.csv.gz", None, TABLE_FORMATS), format_of("-", None, TABLE_FORMATS)
    ('csv', None)
    """
    if named is not None or output == STANDARD:
        return named
    path = Path(output)
    suffix = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
    ending = suffix.lower().removeprefix(".")
    return ending if ending in formats else None


def recognizer_options(
    what: str = "A recognizer's name (ensue list recognizers), the directory of a trained one,"
    " command:'PROGRAM ARGUMENTS' or python:MODULE:CALLABLE.",
    *,
    setting: str = "stages=neural,logic or cutoff=0.3",
    default: str = DEFAULT_RECOGNIZER,
) -> Callable[[F], F]:
    """`-r` and `-s`: `what` is the help for `-r`, `setting` an example for `-s`."""

    def with_options(command: F) -> F:
        command = click.option(
            "-s",
            "--set",
            "settings",
            multiple=True,
            callback=assignments,
            metavar="NAME=VALUE",
            help=f"A setting of the recognizer, e.g. {setting}; may be repeated.",
        )(command)
        return click.option(
            "-r",
            "--recognizer",
            default=default,
            show_default=True,
            metavar="NAME|DIR",
            help=what,
        )(command)

    return with_options


@dataclass(frozen=True, slots=True)
class Setting:
    """What `-s NAME=VALUE` may say under one name."""

    what: str
    default: Any = None
    kind: click.ParamType[Any] = click.STRING

    @property
    def help(self) -> str:
        """What it is, with the values there are, and the default."""
        values = f" {'|'.join(self.kind.choices)}," if isinstance(self.kind, click.Choice) else ""
        default = "" if self.default is None else f" [{self.default}]"
        return f"{values} {self.what}{default}".strip()


def settings_option(known: Mapping[str, Setting]) -> Callable[[F], F]:
    """`-s`, as `settings`: every known name, with its default where nothing is said of it."""

    def complete(
        ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
    ) -> dict[str, Any]:
        given = assignments(ctx, param, values)
        for name in given:
            if name not in known:
                error = UnknownNameError.of("setting", name, known)
                raise click.BadParameter(f"{error.message}; {error.hint}", ctx=ctx, param=param)
        found = {name: setting.default for name, setting in known.items()}
        for name, value in given.items():
            try:
                found[name] = known[name].kind.convert(value, param, ctx)
            except click.BadParameter as error:
                raise click.BadParameter(f"{name}: {error.message}", ctx, param) from None
        return found

    listed = "; ".join(f"{name}: {setting.help}" for name, setting in known.items())
    return click.option(
        "-s",
        "--set",
        "settings",
        multiple=True,
        callback=complete,
        metavar="NAME=VALUE",
        help=f"A setting, may be repeated. {listed}.",
    )


def report_option(command: F) -> F:
    """`--report`, for commands that write a page; its name is checked before anything is done."""
    return click.option(
        "--report",
        callback=_page_path,
        metavar="FILE.html",
        help="Write one page with tables and pictures.",
    )(command)


def _page_path(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001
    if value is not None:
        from ensue.reports import check_page_path

        check_page_path(value)
    return value


def plot_option(what: str) -> Callable[[F], F]:
    """`--plot`, as `plots`, whose names are checked before anything is done.

    Args:
        what: The picture, as in "Draw …".
    """
    return click.option(
        "--plot",
        "plots",
        multiple=True,
        callback=_picture_paths,
        metavar="FILE",
        help=f"Draw {what}: .svg, .png or .json (Vega-Lite); may be repeated.",
    )


def _picture_paths(
    ctx: click.Context,  # noqa: ARG001
    param: click.Parameter,  # noqa: ARG001
    values: tuple[str, ...],
) -> tuple[str, ...]:
    if values:
        from ensue.reports.pictures import check_picture_path

        for value in values:
            check_picture_path(value)
    return values


def resampling_options(
    what: str = "Bootstrap draws; 0 for no intervals.", *, default: int = 2000
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--draws` and `--seed`, as one argument `resampling`.

    Args:
        what: The help for `--draws`.
        default: How many draws there are where nothing is said.
    """

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def resampling_command(*arguments: Any, draws: int, seed: int, **others: Any) -> Any:
            from ensue.statistics import Resampling

            return command(*arguments, resampling=Resampling(draws, seed=seed), **others)

        draws = click.IntRange(0, MOST_DRAWS)
        return click.option("--draws", type=draws, default=default, show_default=True, help=what)(
            seed_option(resampling_command)
        )

    return with_options


def rows_options(*others: str) -> Callable[[F], F]:
    """`-o` and `--format`, as `output` and `output_format`, for commands that write rows.

    Args:
        others: Formats beside those of rows, for what the command prints in their place.
    """

    def with_options(command: F) -> F:
        formats = dict.fromkeys([*ROW_FORMATS, *others])
        command = format_option(*formats, otherwise="CSV on standard output")(command)
        return output_option(
            "Where they go: .tsv, .csv, .jsonl or .parquet, packed with .gz after it; or a folder of"
            " Parquet shards, where the name ends in / or is one."
        )(command)

    return with_options


def rows_format(output: str, named: str | None) -> RowFormat:
    """The format of rows: that of a file, or Parquet for a folder.

    Raises:
        click.UsageError: rows cannot be written so, or not there.
        SettingError: the file's name says no format.
    """
    from ensue.engine import is_folder
    from ensue.files import RowFormat, output_format

    if named not in (None, *ROW_FORMATS):
        raise click.UsageError(f"rows are written as {', '.join(ROW_FORMATS)}, not as {named}")
    if is_folder(output):
        if named not in (None, RowFormat.PARQUET):
            raise click.UsageError(f"a folder of shards is of Parquet, not {named}; name a file")
        return RowFormat.PARQUET
    if output == STANDARD and named == RowFormat.PARQUET:
        raise click.UsageError("Parquet is not for standard output; name a file with --output")
    return output_format(output, named, what="rows", standard=RowFormat.CSV)


def seed_option(command: F, *, default: int = 0) -> F:
    """`--seed`, for commands that draw random numbers."""
    return click.option(
        "--seed",
        type=click.IntRange(0, 2**32 - 1),
        default=default,
        show_default=True,
        help="Seed of all random numbers: the same one gives the same bytes.",
    )(command)


def quiet_option(command: F) -> F:
    """`-q`, for commands that talk on standard error."""
    return click.option(
        "-q", "--quiet", is_flag=True, callback=be_quiet, help="No progress, no talk."
    )(command)


def read_option(what: str) -> Callable[[F], F]:
    """`--read`, as `reading`, a dictionary of what is said by name.

    Args:
        what: What may be said, as in "How to read the files: …".
    """
    return click.option(
        "--read",
        "reading",
        multiple=True,
        callback=assignments,
        metavar="NAME=VALUE",
        help=f"How to read the files: {what}; may be repeated.",
    )


def encoding_of(reading: Mapping[str, str], *others: str) -> str | None:
    """The encoding that `--read` names.

    Args:
        reading: What was said.
        others: What else may be said.

    Raises:
        UnknownNameError: something else was.
    """
    known = ("encoding", *others)
    for name in reading:
        if name not in known:
            raise UnknownNameError.of("field", name, known)
    return reading.get("encoding")


def pair_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--read`, as one argument `reading` for `read_pairs`."""

    @wraps(command)
    def reading_command(*arguments: Any, reading: Mapping[str, str], **others: Any) -> Any:
        return command(*arguments, reading=read_keywords(reading), **others)

    return read_option(
        f"the column of {', '.join(FIELDS)} (text=premise), what labels mean"
        " (label:yes=entailment, where none is no gold; or those of well-known data, label=hf; also"
        " written --label yes=entailment and --label hf), format=FORMAT and encoding=NAME, which"
        " are seen by name and content else"
    )(reading_command)


def read_keywords(reading: Mapping[str, str]) -> ReadKeywords:
    """What `--read` says of pairs, as `read_pairs` takes it.

    Raises:
        UnknownNameError: a name is unknown.
        click.UsageError: a label is none.
    """
    columns = {name: value for name, value in reading.items() if name in FIELDS}
    labels = dict(label_preset(reading[_PRESET])) if _PRESET in reading else {}
    labels |= {
        name.removeprefix(_LABEL): _label(value)
        for name, value in reading.items()
        if name.startswith(_LABEL)
    }
    others = {name: value for name, value in reading.items() if not name.startswith(_LABEL)}
    encoding = encoding_of(others, _PRESET, "format", *FIELDS)
    return ReadKeywords(
        format=reading.get("format"), columns=columns, labels=labels, encoding=encoding
    )


def _label(value: str) -> Label | None:
    known = [each.value for each in Label]
    if value not in [*known, "none"]:
        raise click.UsageError(f"a label: {value!r} is none of {', '.join(known)}, none")
    return None if value == "none" else Label(value)


def assignments(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """The callback of an option that takes NAME=VALUE, repeated."""
    found = {}
    for value in values:
        name, equals, assigned = value.partition("=")
        if not (name and equals):
            message = f"{value!r} is not of the form NAME=VALUE"
            raise click.BadParameter(message, ctx=ctx, param=param)
        found[name] = assigned
    return found


def files_to_check(output: str) -> list[str]:
    """The output as `check_files` looks at it: a folder of shards is seen to by the run."""
    from ensue.engine import is_folder

    return [] if is_folder(output) else [output]


# `--workers`, `--engine` and what else says how a large run is done.


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--engine`, `--workers`, `--shard-size`, `--resume` and `--restart`, as one argument `options`."""

    @wraps(command)
    def engine_command(
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
        options = RunOptions(engine, workers, shard_size, resume is True, resume is False)
        return asked(partial(command, *arguments, **others), options)

    return _with_engine_options(engine_command)


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
                " /--force",
                default=None,
                help="Go on with the unfinished run, or begin anew and replace what is there.",
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
