"""`ensue paraphrase`: the group, and its commands score, judge and validate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ensue.cli.app import CommandGroup
from ensue.cli.inputs import busy_status, check_files, files_of, shown_stages
from ensue.cli.messages import finding_messages
from ensue.cli.options import (
    DEFAULT_RECOGNIZER,
    Printing,
    encoding_of,
    output_options,
    quiet_option,
    read_option,
    recognizer_options,
    resampling_options,
)
from ensue.cli.paraphrase_inputs import (
    ListFiles,
    ScoreOptions,
    list_options,
    list_output_options,
    scoring_options,
)
from ensue.cli.paraphrase_tasks import correlate_command, learn_command, recognize_command
from ensue.errors import UnknownNameError
from ensue.files import filled_lines

if TYPE_CHECKING:
    from ensue.statistics import Resampling

# `ensue paraphrase score`.


@click.command(
    "score", epilog="Example: ensue paraphrase score examples/paraphrase/lists.tsv -k 1 -k 5"
)
@list_options()
@scoring_options()
@click.option(
    "--rerank",
    is_flag=True,
    help="Write the lists instead, each in an order of high DIMPLE by the first quality; with"
    " --table reranking, what they gain.",
)
@resampling_options("Resamples of judges and terms; 0 for no intervals.")
@output_options(
    "tsv",
    table="Print only this table; 'patterns' shows Q, D and gain of every pattern, and why.",
    picture="the measures over k",
    page=True,
)
@quiet_option
def score_command(
    files: ListFiles,
    scoring: ScoreOptions,
    rerank: bool,
    resampling: Resampling,
    printing: Printing,
    quiet: bool,
) -> None:
    """Score ranked lists of paraphrases by EP, EPR and DIMPLE.

    EP is the mean quality of the first k patterns; EPR gives no credit to patterns that repeat a
    stem; DIMPLE weighs quality by lexical diversity (Shima & Mitamura 2011).
    """
    from ensue.paraphrase import evaluate_lists
    from ensue.reports.paraphrase import (
        judge_tables,
        score_answer,
        score_picture,
        score_report,
        score_tables,
    )

    if rerank:
        if printing.plots or printing.report:
            raise click.UsageError("--rerank writes lists: no --plot, no --report")
        _rerank(files, scoring, printing, quiet)
        return
    every = printing.for_programs
    chosen = scoring.scoring(files.encoding)
    files.check(printing.files, scoring.files())
    lists = files.open(quiet)
    with finding_messages(quiet) as tell_one:
        found = evaluate_lists(
            lists,
            chosen,
            resampling=resampling,
            on_finding=tell_one,
            stages=shown_stages(quiet),
        )
    patterns = printing.table == "patterns"
    tables = score_tables(found.scores, found.curves, every=every, patterns=patterns)
    judges = judge_tables(found.agreement, every=every) if found.agreement else []
    printing.write(
        [*tables, *judges],
        picture=lambda: score_picture(found.curves),
        page=lambda: score_report(found.scores, found.curves, judges),
        answer=score_answer(found.scores),
    )


def _rerank(files: ListFiles, scoring: ScoreOptions, printing: Printing, quiet: bool) -> None:
    """Put the candidates of each list into an order of high DIMPLE, given their qualities."""
    from ensue.paraphrase import rerank_lists
    from ensue.paraphrase.formats import write_lists
    from ensue.paraphrase.scores import QUALITY
    from ensue.reports.paraphrase import reranking_table

    if printing.table not in (None, "reranking"):
        raise UnknownNameError.of("table", printing.table, ["reranking"])
    files.check(printing.files, scoring.files())
    lists = files.open(quiet)
    with finding_messages(quiet) as tell_one, busy_status("reranking", quiet):
        found = rerank_lists(
            lists,
            (*scoring.qualities, QUALITY)[0],
            settings=scoring.scoring(files.encoding).settings,
            k=max(scoring.ks, default=None),
            on_finding=tell_one,
        )
    gains = reranking_table(found)
    if printing.table:
        printing.write([gains])
        return
    write_lists(printing.output, found.lists, printing.named)
    if not quiet:
        click.echo(gains.notes[0], err=True)


# `ensue paraphrase judge`.

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
    from ensue.paraphrase.formats import write_lists
    from ensue.paraphrase.quality import Combination, Grade, recognizer_quality
    from ensue.recognizers import load

    files.check([output], [*sentences, *map(str, files_of(recognizer))])
    lists = files.open(quiet)
    with busy_status("judging", quiet), finding_messages(quiet) as tell_one:
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


# `ensue paraphrase validate`.


@click.command(
    "validate",
    epilog="Example: ensue paraphrase validate examples/paraphrase/instances.csv -r overlap",
)
@click.argument("instances")
@click.option(
    "-r",
    "--recognizer",
    "recognizers",
    multiple=True,
    default=(DEFAULT_RECOGNIZER,),
    show_default=True,
    metavar="NAME|DIR",
    help="What judges. May be repeated.",
)
@click.option("--grade", type=click.Choice(GRADES), help="What a verdict counts.")
@click.option("--combine", type=click.Choice(COMBINATIONS), help="How both ways become one number.")
@read_option("encoding=NAME, where it is not UTF-8")
@resampling_options("Resamples of the rules; 0 for no intervals.")
@output_options(picture="people's judgments by quality", page=True)
@quiet_option
def validate_command(
    instances: str,
    recognizers: tuple[str, ...],
    grade: str | None,
    combine: str | None,
    reading: Mapping[str, str],
    resampling: Resampling,
    printing: Printing,
    quiet: bool,
) -> None:
    """Tell how far qualities by a recognizer agree with people.

    INSTANCES are applications of rules that people judged: the files of Zeichner et al. (2012) and
    Levy & Dagan (2016), or the columns term, paraphrase, text, hypothesis and judgment. Grade,
    combination and cutoff are chosen on one half of the rules where they are not given; the figures
    are of the other half.
    """
    from ensue.paraphrase.formats import read_instances
    from ensue.paraphrase.quality import Combination, Grade, automatic_agreement
    from ensue.reports.paraphrase import (
        validation_answer,
        validation_picture,
        validation_report,
        validation_tables,
    )

    models = [path for name in recognizers for path in files_of(name)]
    check_files([instances, *models], printing.files)
    with finding_messages(quiet) as tell_one:
        judged = read_instances(instances, encoding=encoding_of(reading), on_finding=tell_one)
    found = []
    for name in dict.fromkeys(recognizers):
        with busy_status(f"judging by {name}", quiet):
            found.append(
                automatic_agreement(
                    judged,
                    name,
                    grade=Grade(grade) if grade else None,
                    combination=Combination(combine) if combine else None,
                    resampling=resampling,
                )
            )
    printing.write(
        validation_tables(found, resampling=resampling, every=printing.for_programs),
        picture=lambda: validation_picture(found),
        page=lambda: validation_report(found, resampling=resampling),
        answer=validation_answer(found, resampling),
    )


# `ensue paraphrase`: score, recognize, correlate, judge, validate, learn.


@click.group(
    "paraphrase",
    cls=CommandGroup,
    epilog="Example: ensue paraphrase score examples/paraphrase/lists.tsv",
)
def paraphrase_command() -> None:
    """Score ranked lists of paraphrases, put them to use, and see whether a score predicts it.

    LISTS are TSV, CSV, JSONL or Parquet with a row for each pattern: term, method, rank or
    confidence, paraphrase, and a column for each judge and strictness, such as ann.strict and ann.lenient.
    """


for _command in (
    score_command,
    recognize_command,
    correlate_command,
    judge_command,
    validate_command,
    learn_command,
):
    paraphrase_command.add_command(_command)
