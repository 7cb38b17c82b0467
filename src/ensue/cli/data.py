"""`ensue data`: show, convert, split, audit, agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import check_files, load_gold
from ensue.cli.messages import finding_messages
from ensue.cli.options import (
    Printing,
    output_option,
    output_options,
    pair_options,
    quiet_option,
    resampling_options,
    seed_option,
)
from ensue.pairs import Finding, ReadKeywords, check_target, dataset_name, read_pairs, write_pairs

if TYPE_CHECKING:
    from ensue.corpora import Annotations
    from ensue.statistics import Resampling


@click.group("data", epilog="Example: ensue data show examples/pairs.xml")
def data_command() -> None:
    """Look at, convert, split and audit data sets; build gold from annotators.

    Files are RTE XML, FraCaS XML, JSONL, CSV, TSV or Parquet, packed with gzip or not; `-` is
    standard input. Which of them a file is, is seen by its name and its content.
    """


@data_command.command("show", epilog="Example: ensue data show examples/pairs.xml --format json")
@click.argument("pairs")
@output_options()
@pair_options
@quiet_option
def show_command(pairs: str, printing: Printing, quiet: bool, reading: ReadKeywords) -> None:
    """Count PAIRS by label and task; lengths and word overlap."""
    from ensue.corpora import data_statistics
    from ensue.reports import statistics_tables

    check_files([pairs], [printing.output])
    with finding_messages(quiet) as tell_one:
        statistics = data_statistics(read_pairs(pairs, **reading, on_finding=tell_one))
    printing.write(statistics_tables(dataset_name(pairs), statistics))


@data_command.command(
    "convert", epilog="Example: ensue data convert examples/pairs.xml -o pairs.jsonl.gz"
)
@click.argument("pairs")
@output_option("Where the pairs go.")
@click.option(
    "--format",
    "output_format",
    metavar="FORMAT",
    help="How to write (ensue list formats); by the output's name where it is not given.",
)
@pair_options
@quiet_option
def convert_command(
    pairs: str, output: str, output_format: str | None, quiet: bool, reading: ReadKeywords
) -> None:
    """Write PAIRS in another format, one at a time."""
    check_files([pairs], [output])
    with finding_messages(quiet) as tell_one:
        read = read_pairs(pairs, **reading, on_finding=tell_one)
        write_pairs(output, read, format=output_format)


def _part_sizes(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, int | float | None]:
    sizes: dict[str, int | float | None] = {}
    for value in values:
        name, equals, size = value.rpartition("=")
        if not (name and equals) or name in sizes:
            raise click.BadParameter(f"{value!r} is not a new FILE=SIZE", ctx=ctx, param=param)
        try:
            sizes[name] = _size(size)
        except ValueError:
            message = f"{size!r} is no size: give a count, a share such as 0.3 or 30%, or rest"
            raise click.BadParameter(message, ctx=ctx, param=param) from None
    return sizes


def _size(size: str) -> int | float | None:
    """A count, a share, or None for the rest.

    >>> _size("200"), _size("30%"), _size("0.3"), _size("rest")
    (200, 0.3, 0.3, None)
    """
    if size == "rest":
        return None
    if size.endswith("%"):
        return float(size[:-1]) / 100
    return int(size) if size.isdigit() else float(size)


@data_command.command(
    "split",
    epilog="Example: ensue data split examples/pairs.xml --part dev.xml=40% --part test.xml=rest",
)
@click.argument("pairs")
@click.option(
    "--part",
    "parts",
    multiple=True,
    required=True,
    callback=_part_sizes,
    metavar="FILE=SIZE",
    help="A part and its size: a count, a share (0.3 or 30%), or 'rest'. Repeat for each part.",
)
@click.option(
    "--balance",
    is_flag=True,
    help="First leave out pairs, drawn by lot, until each task has as many of each label.",
)
@seed_option
@output_options()
@pair_options
@quiet_option
def split_command(
    pairs: str,
    parts: Mapping[str, int | float | None],
    balance: bool,
    seed: int,
    printing: Printing,
    quiet: bool,
    reading: ReadKeywords,
) -> None:
    """Cut PAIRS into parts that are balanced by label and task.

    The same seed and ids give the same parts, whatever the order of the pairs.
    """
    from ensue.corpora import balance_pairs, split_pairs
    from ensue.reports import split_table

    check_files([pairs], [*parts, printing.output])
    for name in parts:
        check_target(name)
    loaded = load_gold(pairs, reading, quiet)
    chosen = balance_pairs(loaded, seed=seed) if balance else loaded
    cut = split_pairs(chosen, list(parts.values()), seed=seed)
    made = dict(zip(parts, cut, strict=True))
    for name, part in made.items():
        write_pairs(name, part)
    printing.write([split_table(made, seed)])


@data_command.command("audit", epilog="Example: ensue data audit examples/pairs.xml")
@click.argument("files", nargs=-1, required=True)
@click.option("--baselines/--no-baselines", default=True, help="Cross-validate the two baselines.")
@seed_option
@output_options()
@pair_options
def audit_command(
    files: tuple[str, ...],
    baselines: bool,
    seed: int,
    printing: Printing,
    reading: ReadKeywords,
) -> int:
    """Look for what is wrong or suspicious in FILES; exit with 1 where there are errors.

    Doubled ids, empty sides, identical pairs, pairs shared between files, pairs without gold,
    imbalance, entailment by word overlap, and how far the hypothesis alone and overlap alone get.
    """
    from ensue.corpora import audit_datasets, read_dataset
    from ensue.reports import audit_tables

    check_files(files, [printing.output])
    datasets = [read_dataset(file, **reading) for file in files]
    audit = audit_datasets(datasets, baselines=baselines, seed=seed)
    printing.write(audit_tables(audit))
    return EXIT_NO if audit.n_errors else 0


@data_command.command(
    "agreement",
    epilog="Example: ensue data agreement examples/judged.csv --annotator author --annotator second",
)
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    metavar="COLUMN",
    help="A column of the one file that holds an annotator's labels; 'gold' is its gold. Repeat.",
)
@click.option("--votes", type=int, metavar="N", help="Equal labels that make gold.  [default: all]")
@click.option(
    "--removed", metavar="FILE", help="Ids, one a line, of pairs that a reviewer took out."
)
@click.option("--kept", metavar="FILE", help="Write the pairs that survive here, as gold.")
@click.option("--discarded", metavar="FILE", help="Write the other pairs here, with the reasons.")
@resampling_options()
@output_options()
@pair_options
@quiet_option
def agreement_command(
    files: tuple[str, ...],
    annotators: tuple[str, ...],
    votes: int | None,
    removed: str | None,
    kept: str | None,
    discarded: str | None,
    resampling: Resampling,
    printing: Printing,
    quiet: bool,
    reading: ReadKeywords,
) -> None:
    """Compare annotators and keep the pairs on which they agree, as gold.

    The annotators are columns of one file (--annotator), or the gold of several FILES whose pairs
    have the same ids.
    """
    from ensue.corpora import settle
    from ensue.reports import agreement_tables

    check_files([*files, *([removed] if removed else [])], [kept, discarded, printing.output])
    for target in filter(None, (kept, discarded)):
        check_target(target)
    with finding_messages(quiet) as tell_one:
        annotations = _annotations(files, annotators, reading, tell_one)
    ids = _removed_ids(removed, {pair.id for pair in annotations.pairs})
    settlement = settle(annotations, votes=votes, removed=ids, resampling=resampling)
    for name, pairs in ((kept, settlement.kept), (discarded, settlement.discarded)):
        if name:
            write_pairs(name, pairs)
    printing.write(agreement_tables(settlement, annotations.annotators, resampling=resampling))


def _annotations(
    files: tuple[str, ...],
    annotators: tuple[str, ...],
    reading: ReadKeywords,
    on_finding: Callable[[Finding], None],
) -> Annotations:
    from ensue.corpora import annotations_from_columns, annotations_from_files, read_dataset

    if annotators and len(files) > 1:
        raise click.UsageError("--annotator names columns of one file; give one file")
    if not annotators and len(files) == 1:
        raise click.UsageError("one file needs --annotator, at least twice")
    if doubled := [name for name, n in Counter(annotators).items() if n > 1]:
        raise click.UsageError(f"--annotator {doubled[0]!r} is given twice")
    datasets = [read_dataset(file, **reading, on_finding=on_finding) for file in files]
    if annotators:
        return annotations_from_columns(datasets[0], annotators, reading.get("labels"))
    return annotations_from_files(datasets, _annotator_names(files))


def _annotator_names(files: tuple[str, ...]) -> list[str]:
    """Short names of the files, and their whole names where the short ones are not different."""
    short = [dataset_name(file) for file in files]
    return short if len(set(short)) == len(short) else [Path(file).as_posix() for file in files]


def _removed_ids(source: str | None, known: set[str]) -> set[str]:
    from ensue.corpora import read_ids
    from ensue.files import decoded_lines, open_input, shown_name

    if source is None:
        return set()
    with open_input(source) as file:
        return read_ids(decoded_lines(file, shown_name(source)), shown_name(source), known)
