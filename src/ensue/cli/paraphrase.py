"""`ensue paraphrase`: the group, and its commands score, rerank, judge and validate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import click

from ensue.cli.inputs import busy_status, check_files, files_of, shown_stages
from ensue.cli.messages import finding_messages
from ensue.cli.options import (
    DEFAULT_RECOGNIZER,
    Printing,
    draws_option,
    encoding_of,
    output_options,
    plot_option,
    quiet_option,
    read_option,
    recognizer_options,
    report_option,
    seed_option,
)
from ensue.cli.paraphrase_inputs import (
    MOST_PATTERNS,
    ListFiles,
    ScoreOptions,
    function_words_option,
    list_options,
    list_output_options,
    quality_option,
    repeated_option,
    scoring_options,
    unjudged_option,
)
from ensue.cli.paraphrase_tasks import correlate_command, learn_command, recognize_command
from ensue.files import STANDARD, filled_lines

# `ensue paraphrase score`.


@click.command(
    "score", epilog="Example: ensue paraphrase score examples/paraphrase/lists.tsv -k 1 -k 5"
)
@list_options()
@scoring_options
@click.option("--patterns", is_flag=True, help="Show Q, D and gain of every pattern, and why.")
@draws_option("Resamples of judges and terms; 0 for no intervals.")
@output_options
@plot_option("the measures over k")
@report_option
@seed_option
@quiet_option
def score_command(
    files: ListFiles,
    scoring: ScoreOptions,
    patterns: bool,
    draws: int,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Score ranked lists of paraphrases by EP, EPR and DIMPLE.

    EP is the mean quality of the first k patterns; EPR gives no credit to patterns that repeat a
    stem; DIMPLE weighs quality by lexical diversity (Shima & Mitamura 2011).
    """
    from ensue.paraphrase import evaluate_lists
    from ensue.reports import write_page
    from ensue.reports.paraphrase import judge_tables, score_picture, score_report, score_tables
    from ensue.reports.pictures import write_picture
    from ensue.statistics import Resampling

    chosen = scoring.scoring(files.encoding)
    files.check([printing.output, report, *plots], scoring.files())
    lists = files.open(quiet)
    with finding_messages(quiet) as tell_one:
        found = evaluate_lists(
            lists,
            chosen,
            resampling=Resampling(draws=draws, seed=seed),
            on_finding=tell_one,
            stages=shown_stages(quiet),
        )
    every = printing.for_programs
    tables = score_tables(found.scores, found.curves, every=every, patterns=patterns)
    judges = judge_tables(found.agreement, every=every) if found.agreement else []
    printing.write([*tables, *judges])
    for plot in plots:
        write_picture(plot, score_picture(found.curves))
    if report:
        write_page(report, score_report(found.scores, found.curves, judges))


# `ensue paraphrase rerank`.


@click.command(
    "rerank", epilog="Example: ensue paraphrase rerank examples/paraphrase/lists.tsv -k 3"
)
@list_options()
@quality_option(multiple=False)
@click.option(
    "-k",
    type=click.IntRange(max=MOST_PATTERNS),
    help="Places that count; all of each list where it is not given.",
)
@click.option(
    "--most-exact",
    type=int,
    default=10,
    show_default=True,
    help="Lists of up to so many candidates, at most 16, get the best order of all; longer ones the"
    " greedy one, where it is better than theirs.",
)
@repeated_option
@unjudged_option
@function_words_option
@click.option("--summary", metavar="FILE", help="Write DIMPLE before and behind here, as CSV.")
@list_output_options
@quiet_option
def rerank_command(
    files: ListFiles,
    quality: str | None,
    k: int | None,
    most_exact: int,
    repeated: str,
    unjudged: str,
    function_words: str | None,
    summary: str | None,
    output: str,
    output_format: str | None,
    quiet: bool,
) -> None:
    """Put the candidates of LISTS into an order of high DIMPLE, given their qualities.

    Each place goes to the candidate with the largest gain behind those before it, unless the given
    order is better; lists of up to 10 candidates get the best order of all. The lists are written
    with all their columns.
    """
    from ensue.paraphrase import rerank_lists
    from ensue.paraphrase.formats import write_lists
    from ensue.paraphrase.scores import QUALITY
    from ensue.reports import write_tables
    from ensue.reports.paraphrase import reranking_table

    if summary == output == STANDARD:
        raise click.UsageError("lists and summary cannot both go to standard output")
    scoring = ScoreOptions(
        (1,), (quality or QUALITY,), "", "wrong", repeated, unjudged, function_words
    )
    files.check([output, summary], scoring.files())
    lists = files.open(quiet)
    with finding_messages(quiet) as tell_one, busy_status("reranking", quiet):
        found = rerank_lists(
            lists,
            quality or QUALITY,
            settings=scoring.scoring(files.encoding).settings,
            k=k,
            most_exact=most_exact,
            on_finding=tell_one,
        )
    table = reranking_table(found)
    write_lists(output, found.lists, output_format)
    if summary:
        write_tables([table], output=summary, format="csv")
    if not quiet:
        click.echo(table.notes[0], err=True)


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
@draws_option("Resamples of the rules; 0 for no intervals.")
@output_options
@plot_option("people's judgments by quality")
@report_option
@seed_option
@quiet_option
def validate_command(
    instances: str,
    recognizers: tuple[str, ...],
    grade: str | None,
    combine: str | None,
    reading: Mapping[str, str],
    draws: int,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
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
    from ensue.reports import write_page
    from ensue.reports.paraphrase import validation_picture, validation_report, validation_tables
    from ensue.reports.pictures import write_picture

    models = [path for name in recognizers for path in files_of(name)]
    check_files([instances, *models], [printing.output, report, *plots])
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
                    draws=draws,
                    seed=seed,
                )
            )
    every = printing.for_programs
    printing.write(validation_tables(found, draws=draws, seed=seed, every=every))
    for plot in plots:
        write_picture(plot, validation_picture(found))
    if report:
        write_page(report, validation_report(found, draws=draws, seed=seed))


# `ensue paraphrase`: score, recognize, correlate, rerank, judge, validate, learn.


@click.group("paraphrase", epilog="Example: ensue paraphrase score examples/paraphrase/lists.tsv")
def paraphrase_command() -> None:
    """Score ranked lists of paraphrases, put them to use, and see whether a score predicts it.

    LISTS are TSV, CSV or JSONL with a row for each pattern: term, method, rank or confidence,
    paraphrase, and a column for each judge and strictness, such as ann.strict and ann.lenient.
    """


for _command in (
    score_command,
    recognize_command,
    correlate_command,
    rerank_command,
    judge_command,
    validate_command,
    learn_command,
):
    paraphrase_command.add_command(_command)
