"""`ensue check`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import busy_status, check_files
from ensue.cli.options import (
    encoding_of,
    format_of,
    format_option,
    output_option,
    quiet_option,
    read_option,
    recognizer_options,
)
from ensue.cli.workers import with_pool, workers_option
from ensue.errors import DataError
from ensue.files import decoded_lines, open_input, shown_name

if TYPE_CHECKING:
    from ensue.engine import Pool

_FORMATS = ("table", "json", "jsonl")


@click.command(
    "check",
    epilog="Example: ensue check --source examples/source.txt --claims examples/claims.txt",
)
@click.option("--source", required=True, metavar="FILE", help="What is taken to be true: a text.")
@click.option("--claims", required=True, metavar="FILE", help="What is checked: a text.")
@recognizer_options("What judges claims against sentences of the source.", setting="cutoff=0.6")
@click.option(
    "--best",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Source sentences to try for each claim.",
)
@format_option(*_FORMATS)
@output_option()
@read_option("encoding=NAME, where it is not UTF-8")
@workers_option
@quiet_option
def check_command(
    source: str,
    claims: str,
    recognizer: str,
    settings: Mapping[str, str],
    best: int,
    output_format: str | None,
    output: str,
    reading: Mapping[str, str],
    pool: Pool | None,
    quiet: bool,
) -> int:
    """Check each sentence of a text, say a summary, against a source; exit 1 if one fails.

    A claim is supported where it stands in the source, or where the recognizer says that it follows
    from a passage and no number, unit, date, name, negation, modality or quantifier differs. Either
    file may be `-`. Places are characters, from 0.
    """
    from ensue.claims import check_claims
    from ensue.features import open_reader
    from ensue.recognizers import load
    from ensue.reports import write_checked

    check_files([source, claims], [output])
    chosen = format_of(output, output_format, _FORMATS) or "table"
    encoding = encoding_of(reading)
    judge = with_pool(load(recognizer, settings), pool)
    texts = _read_text(source, encoding), _read_text(claims, encoding)
    reader = open_reader(pool=pool)
    with busy_status("checking", quiet):
        checked = check_claims(*texts, judge, reader, best=best)
    if not checked:
        raise DataError("there are no claims in this file", place=shown_name(claims))
    write_checked(checked, judge.signature, output=output, format=chosen)
    return 0 if all(each.supported for each in checked) else EXIT_NO


def _read_text(source: str, encoding: str | None) -> str:
    with open_input(source) as file:
        lines = decoded_lines(file, shown_name(source), encoding, keep_ends=True)
        return "".join(line for _, line in lines)
