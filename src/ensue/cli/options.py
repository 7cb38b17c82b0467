"""Options that several commands share, and the values they carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ensue.errors import SettingError
from ensue.files import STANDARD
from ensue.pairs import Label, ReadKeywords

if TYPE_CHECKING:
    from ensue.files import FileFormat
    from ensue.reports import Table

# Options that several commands share, and the values they carry.

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_RECOGNIZER = "features"
TABLE_FORMATS = ("table", "json", "jsonl", "csv")
FILE_FORMATS = ("parquet", "csv", "jsonl")
MOST_DRAWS = 1_000_000
"""More take hours, and memory that nobody has."""


@dataclass(frozen=True, slots=True)
class Printing:
    """Where and how a command prints its tables."""

    output: str
    format: str
    table: str | None
    """The only one to print, where one is named."""

    @property
    def for_programs(self) -> bool:
        """Whether programs read it, to whom nothing is too long."""
        return self.format != "table"

    def write(self, tables: Sequence[Table]) -> None:
        """Write the tables there, so."""
        from ensue.reports import write_tables

        write_tables(tables, output=self.output, format=self.format, table=self.table)


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--format`, `--table` and `--output`, as one argument `printing`."""

    @wraps(command)
    def printing_command(
        *arguments: Any, output: str, output_format: str, table: str | None, **others: Any
    ) -> Any:
        return command(*arguments, printing=Printing(output, output_format, table), **others)

    return _with_output_options(printing_command)


def _with_output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        [
            format_option(*TABLE_FORMATS),
            click.option("--table", metavar="NAME", help="Print only this table."),
            click.option(
                "-o",
                "--output",
                default="-",
                metavar="FILE",
                help="Write here instead of standard output.",
            ),
        ]
    ):
        command = option(command)
    return command


def format_option(*formats: str) -> Callable[[F], F]:
    """`--format`, as `output_format`; a table unless something else is wanted."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        default="table",
        show_default=True,
        help="How to print.",
    )


def recognizer_options(
    what: str = "A recognizer's name (ensue list recognizers), the directory of a trained one,"
    " command:'PROGRAM ARGUMENTS' or python:MODULE:CALLABLE.",
    *,
    setting: str = "order=3 or cutoff=0.3",
) -> Callable[[F], F]:
    """`-r` and `-s`, as `recognizer` and `settings`.

    Args:
        what: The help for `-r`.
        setting: An example for `-s`.
    """

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
            default=DEFAULT_RECOGNIZER,
            show_default=True,
            metavar="NAME|DIR",
            help=what,
        )(command)

    return with_options


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


def draws_option(
    what: str = "Bootstrap draws; 0 for no intervals.", *, default: int = 2000
) -> Callable[[F], F]:
    """`--draws`, for commands that resample."""
    return click.option(
        "--draws", type=click.IntRange(0, MOST_DRAWS), default=default, show_default=True, help=what
    )


def rows_options(command: F) -> F:
    """`-o` and `--output-format`, as `output` and `output_format`, for commands that write rows."""
    for option in (
        click.option(
            "--output-format",
            type=click.Choice(FILE_FORMATS),
            help="What to write; by the file's name where it is not given, and CSV on standard"
            " output.",
        ),
        click.option(
            "-o",
            "--output",
            default=STANDARD,
            metavar="FILE",
            help="Where they go: .parquet, .csv or .jsonl, packed with .gz after it; or a folder of"
            " Parquet shards, where the name ends in / or is one.",
        ),
    ):
        command = option(command)
    return command


def file_format(output: str, named: str | None) -> FileFormat:
    """The format of rows that is named, or that the end of the output's name says.

    Raises:
        click.UsageError: it is Parquet, for standard output.
        SettingError: the name's end says nothing.
    """
    from ensue.files import FileFormat

    if output == STANDARD and named == FileFormat.PARQUET:
        raise click.UsageError("Parquet is not for standard output; name a file with --output")
    if named is not None:
        return FileFormat(named)
    if output == STANDARD:
        return FileFormat.CSV
    path = Path(output)
    suffix = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
    if suffix.lower().removeprefix(".") not in FILE_FORMATS:
        raise SettingError(
            f"no format of features is known by the end of {output!r}",
            hint="end the name in .parquet, .csv or .jsonl, or name one with --output-format",
        )
    return FileFormat(suffix.lower().removeprefix("."))


def seed_option(command: F) -> F:
    """`--seed`, for commands that draw random numbers."""
    return click.option(
        "--seed",
        type=click.IntRange(0, 2**32 - 1),
        default=0,
        show_default=True,
        help="Seed of all random numbers.",
    )(command)


def quiet_option(command: F) -> F:
    """`-q`, for commands that talk on standard error."""
    return click.option("-q", "--quiet", is_flag=True, help="No progress, no talk.")(command)


def pair_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--input-format`, `--column`, `--label` and `--encoding`, as one argument `reading`."""

    @wraps(command)
    def reading_command(
        *arguments: Any,
        input_format: str | None,
        columns: Mapping[str, str],
        labels: Mapping[str, Label | None],
        encoding: str | None,
        **others: Any,
    ) -> Any:
        reading = ReadKeywords(
            format=input_format, columns=columns, labels=labels, encoding=encoding
        )
        return command(*arguments, reading=reading, **others)

    return _with_pair_options(reading_command)


def _with_pair_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        [
            click.option(
                "--input-format",
                metavar="FORMAT",
                help="Format of the pairs; seen by name and content where it is not given.",
            ),
            click.option(
                "--column",
                "columns",
                multiple=True,
                callback=assignments,
                metavar="FIELD=COLUMN",
                help="Which column holds id, text, hypothesis, gold or task; may be repeated.",
            ),
            click.option(
                "--label",
                "labels",
                multiple=True,
                callback=_label_map,
                metavar="NAME=LABEL",
                help="What a label in the file means; LABEL 'none' is no gold. May be repeated.",
            ),
            click.option("--encoding", metavar="NAME", help="Encoding, where it is not UTF-8."),
        ]
    ):
        command = option(command)
    return command


def assignments(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """The callback of an option that takes NAME=VALUE, repeated."""
    return dict(_assignment(ctx, param, value) for value in values)


def _label_map(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, Label | None]:
    labels: dict[str, Label | None] = {}
    for value in values:
        name, label = _assignment(ctx, param, value)
        known = [each.value for each in Label]
        if label not in [*known, "none"]:
            raise click.BadParameter(
                f"{label!r} is none of {', '.join(known)}, none", ctx=ctx, param=param
            )
        labels[name] = None if label == "none" else Label(label)
    return labels


def _assignment(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, str]:
    name, equals, assigned = value.partition("=")
    if not (name and equals):
        raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE", ctx=ctx, param=param)
    return name, assigned


# What commands share that write rows as one file, or as a folder of shards.


def rows_format(output: str, named: str | None) -> FileFormat:
    """The format of rows: that of a file, or Parquet for a folder.

    Raises:
        click.UsageError: another format is named for a folder, or Parquet for standard output.
        SettingError: the file's name says no format.
    """
    from ensue.engine import is_folder
    from ensue.files import FileFormat

    if not is_folder(output):
        return file_format(output, named)
    if named not in (None, FileFormat.PARQUET):
        raise click.UsageError(f"a folder of shards is of Parquet, not {named}; name a file")
    return FileFormat.PARQUET


def files_to_check(output: str) -> list[str]:
    """The output as `check_files` looks at it: a folder of shards is seen to by the run."""
    from ensue.engine import is_folder

    return [] if is_folder(output) else [output]
