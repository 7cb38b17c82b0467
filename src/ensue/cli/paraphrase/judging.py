"""`ensue paraphrase judge`."""

from __future__ import annotations

from dataclasses import replace

import click

from ensue.cli.paraphrase.options import (
    ListFiles,
    list_options,
    list_output_options,
)
from ensue.cli.parts.findings import telling
from ensue.cli.parts.inputs import files_of, working
from ensue.cli.parts.options import quiet_option, recognizer_options
from ensue.pairs.files import filled_lines

COMBINATIONS = ("product", "least", "mean", "forward", "backward")
GRADES = ("soft", "hard")
COLUMN = "quality"


@click.command(
    "judge",
    epilog="Example: ensue paraphrase judge examples/paraphrase/lists.tsv -r overlap"
    " --sentences examples/paraphrase/sentences.txt",
)
@list_options()
@recognizer_options("What judges: a recognizer's name or the directory of a trained one.")
@click.option(
    "--sentences",
    multiple=True,
    metavar="FILE",
    help="Plain text, a sentence a line, in which terms are looked for; the column sentence of LISTS"
    " where it is not given. May be repeated.",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Sentences for each term, at most.",
)
@click.option(
    "--grade",
    type=click.Choice(GRADES),
    default="soft",
    show_default=True,
    help="What a verdict counts: how sure it is, or yes and no.",
)
@click.option(
    "--combine",
    type=click.Choice(COMBINATIONS),
    default="product",
    show_default=True,
    help="How both ways become one number.",
)
@list_output_options
@quiet_option
def judge_command(
    files: ListFiles,
    recognizer: str,
    settings: dict[str, str],
    sentences: tuple[str, ...],
    most: int,
    grade: str,
    combine: str,
    output: str,
    output_format: str | None,
    quiet: bool,
) -> None:
    """Give the patterns of LISTS a quality with no human judge.

    A recognizer judges the sentence with the term against the sentence with the paraphrase put in,
    both ways. The lists are written with one more column, quality, which --quality column:quality
    names for the other commands. How far such qualities agree with people `validate` tells.
    """
    from ensue.paraphrase.qualities import Combination, Grade, recognizer_quality
    from ensue.paraphrase.reading import write_lists
    from ensue.recognizers import load

    files.check([output], [*sentences, *map(str, files_of(recognizer))])
    lists = files.open(quiet)
    with working("judging", quiet), telling(quiet) as tell_one:
        quality = recognizer_quality(
            lists,
            load(recognizer, settings),
            filled_lines(sentences, files.encoding) if sentences else None,
            grade=Grade(grade),
            combine=Combination(combine),
            most=most,
            on_finding=tell_one,
        )
    write_lists(output, replace(lists, columns={**lists.columns, COLUMN: quality}), output_format)
