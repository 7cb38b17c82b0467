"""`ensue propositions`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from ensue.cli.inputs import busy_status, check_files
from ensue.cli.messages import finding_messages
from ensue.cli.options import (
    encoding_of,
    format_of,
    format_option,
    output_option,
    plot_option,
    quiet_option,
    read_option,
)
from ensue.errors import DataError, brief
from ensue.files import STANDARD, is_directory, is_file

if TYPE_CHECKING:
    from ensue.claims import SourceText
    from ensue.reports import Located

_FORMATS = ("table", "json", "jsonl")


@click.command(
    "propositions",
    epilog="Example: ensue propositions 'Police said that the driver, a man of 40, had fled.'",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT|FILE...")
@format_option(*_FORMATS)
@output_option()
@plot_option("each statement with the stretches of the text that it is made of")
@read_option("encoding=NAME, where it is not UTF-8")
@quiet_option
def propositions_command(
    texts: Sequence[str],
    output_format: str | None,
    output: str,
    plots: tuple[str, ...],
    reading: Mapping[str, str],
    quiet: bool,
) -> None:
    """Cut sentences into statements that can be read by themselves.

    Main, subordinate and relative clauses, appositions, participles and what is joined by *and*
    become statements, each with the places of its words and of what embeds it: said, believed,
    known, denied, negated, possible, necessary, conditional, asked. A text with a blank in it is
    taken as it is; a name without one is that of a file, a folder, or `-`. Places are characters,
    from 0.
    """
    from ensue.claims import find_propositions
    from ensue.language import load_analyzer, load_lexicon
    from ensue.reports import propositions_picture, write_propositions
    from ensue.reports.pictures import write_picture

    files = [each for each in texts if _is_named(each)]
    check_files(files, [output, *plots])
    sources = list(_sources(texts, encoding_of(reading), quiet))
    analyzer, lexicon = load_analyzer(), load_lexicon()
    kept = []

    def located() -> Iterator[Located]:
        for source in sources:
            for each in find_propositions(source.text, analyzer, lexicon):
                if plots and source is sources[0]:
                    kept.append(each)
                yield source.file, source.text, each

    with busy_status("cutting", quiet):
        chosen = format_of(output, output_format, _FORMATS) or "table"
        n = write_propositions(located(), output=output, format=chosen)
    if n == 0:
        shown = ", ".join(map(repr, texts))
        raise DataError(
            "no-statements",
            f"there is no statement in {brief(shown)}",
            hint="a statement has a verb; headings and lists have none",
        )
    for plot in plots:
        write_picture(plot, propositions_picture(sources[0].text, kept))


def _is_named(text: str) -> bool:
    """Whether an argument is the name of a file, and not a text."""
    if text == STANDARD or is_file(text) or is_directory(text):
        return True
    return not any(map(str.isspace, text)) and bool(PurePath(text).suffix or "/" in text)


def _sources(texts: Sequence[str], encoding: str | None, quiet: bool) -> Iterator[SourceText]:
    from ensue.claims import SourceText, read_sources

    with finding_messages(quiet) as tell_one:
        for each in texts:
            if _is_named(each):
                yield from read_sources([each], encoding, on_finding=tell_one)
            else:
                yield SourceText(each, "")
