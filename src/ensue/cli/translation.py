"""`ensue mt`: the group, and its commands features, score, order and rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.inputs import shown_stages
from ensue.cli.messages import (
    RunDisplay,
    display_options,
    has_more_to_tell,
    progress_bar,
    tell_account,
)
from ensue.cli.options import (
    TABLE_FORMATS,
    Printing,
    draws_option,
    files_to_check,
    format_of,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    rows_format,
    rows_options,
    seed_option,
)
from ensue.cli.translation_evaluation import evaluate_command
from ensue.cli.translation_inputs import (
    FEATURE_SETS,
    Sources,
    metric_option,
    translation_options,
)
from ensue.cli.translation_training import train_command, weights_command
from ensue.cli.workers import engine_options, workers_option
from ensue.files import STANDARD, open_output

if TYPE_CHECKING:
    from ensue.engine import Pool, RunOptions
    from ensue.translation import SetSources

# `ensue mt features`.


@click.command(
    "features", epilog="Example: ensue mt features examples/translation --set tradmt -o mt.parquet"
)
@translation_options(needed=False)
@click.option("--list", "listed", is_flag=True, help="List the features of the set.")
@click.option(
    "--set",
    "feature_set",
    type=click.Choice(FEATURE_SETS),
    default="comb",
    show_default=True,
    help="What to measure: BLEU, NIST and TER; entailment both ways; both; or the first with"
    " matches of words.",
)
@rows_options(*TABLE_FORMATS)
@engine_options
@report_option
@display_options
def features_command(
    sources: Sources,
    listed: bool,
    feature_set: str,
    output: str,
    output_format: str | None,
    spread: RunOptions,
    report: str | None,
    seeing: RunDisplay,
) -> None:
    """Measure the features of all outputs of DATA, or list what the features are.

    Columns are language_pair, segment, system, and one for each feature. The cells of an output
    without words are empty. Where the name of the output ends in / or is a folder's, it is a folder
    of Parquet shards.
    """
    from ensue.translation import measure_set
    from ensue.translation.features import FeatureSet

    chosen = FeatureSet(feature_set)
    if listed == bool(sources.data):
        raise click.UsageError("give DATA, or --list")
    if listed and report:
        raise click.UsageError("--report is for DATA")
    if listed:
        from ensue.reports import write_tables
        from ensue.reports.translation import feature_list_table

        printed_as = format_of(output, output_format, TABLE_FORMATS) or "table"
        write_tables([feature_list_table(chosen)], output=output, format=printed_as)
        return
    written_as = rows_format(output, output_format)
    sources.check([*files_to_check(output), report])
    found = sources.open(seeing.quiet)
    with seeing.run("measuring", output) as seen:
        account, summary = measure_set(
            found,
            set_sources(sources),
            output,
            chosen,
            format=written_as,
            spread=spread,
            on_snapshot=seen,
        )
    tell_account(account, f"measured {summary.n_outputs:,} outputs", "segments", seeing)
    if report:
        from ensue.reports import write_page
        from ensue.reports.translation import feature_report

        write_page(report, feature_report(summary, chosen, name=found.name))


def set_sources(sources: Sources) -> SetSources:
    """What the user named, as runs take it."""
    from ensue.translation import SetSources

    return SetSources(
        sources.data,
        sources.references,
        sources.judgments,
        sources.language_pair,
        sources.encoding,
    )


# `ensue mt score`.

SCORE_FORMATS = ("tsv", "csv", "jsonl", "parquet", "wmt")


@click.command(
    "score",
    epilog="Example: ensue mt score --reference examples/translation/reference.en"
    " examples/translation/system-outputs/de-en/example.de-en.literal -m bleu",
)
@translation_options()
@metric_option(multiple=True)
@click.option(
    "-o",
    "--output",
    default=STANDARD,
    metavar="FILE",
    help="Where the scores go: a file, or a folder of Parquet shards where the name ends in / or is"
    " one.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(SCORE_FORMATS),
    help="How to write; by the file's name where it is not given, and TSV on standard output.",
)
@engine_options
@report_option
@display_options
def score_command(
    sources: Sources,
    metrics: tuple[str, ...],
    output: str,
    output_format: str | None,
    spread: RunOptions,
    report: str | None,
    seeing: RunDisplay,
) -> None:
    """Score every output of DATA; larger is better.

    A row has the language pair, the segment, the system, and the score of each metric. Where the
    scores go into a file or a folder, a table shows what they say of systems on the whole. A file
    appears whole, at the end: until then what is done is kept in FILE.partial, for --resume.
    """
    from ensue.engine import is_folder
    from ensue.reports import write_page, write_tables
    from ensue.reports.translation import score_report, score_summary_table
    from ensue.translation import score_set

    if output_format and is_folder(output):
        raise click.UsageError("a folder of shards is of Parquet and takes no --format")
    sources.check([*files_to_check(output), report])
    found = sources.open(seeing.quiet)
    with seeing.run("scoring", output) as seen:
        scored = score_set(
            found,
            set_sources(sources),
            output,
            metrics,
            format=output_format or ("tsv" if output == STANDARD else None),
            is_summed=output != STANDARD or report is not None,
            spread=spread,
            on_snapshot=seen,
        )
    if not seeing.quiet and has_more_to_tell(scored.account, seeing):
        did = f"scored {scored.account.n_rows:,} outputs"
        tell_account(scored.account, did, "segments", seeing)
    if output != STANDARD:
        write_tables([score_summary_table(scored.systems, scored.metrics)])
    if report:
        write_page(report, score_report(scored.systems, scored.metrics, name=found.name))


# `ensue mt order`.


@click.command(
    "order", epilog="Example: ensue mt order examples/translation -m pair-tradmt -o orders.csv"
)
@translation_options()
@metric_option(multiple=False)
@rows_options()
@workers_option
@quiet_option
def order_command(
    sources: Sources,
    metric: str,
    output: str,
    output_format: str | None,
    pool: Pool | None,
    quiet: bool,
) -> None:
    """Put the outputs of each segment of DATA into their likeliest order.

    A row has the place of an output, its score, the probability that it is better than the one
    below, and the likelihood of the segment's whole order. The metric is a trained one, which says
    probabilities.
    """
    from ensue.translation.metrics import (
        ordered_outputs,
        ready_metric,
        scored_batches,
        write_orders,
    )

    sources.check([output])
    written_as = rows_format(output, output_format)
    found = sources.open(quiet)
    ready = ready_metric(metric, found.references(), pool)
    bar = progress_bar("ordering", total=found.n_outputs, quiet=quiet)
    with bar as progress, open_output(output) as file:
        scored = scored_batches([ready], found.segments(), progress=progress)
        write_orders(file, ordered_outputs(ready, scored), format=written_as)


# `ensue mt rank`.

METHODS = ("with-ties", "basic", "mean", "corpus")


@click.command("rank", epilog="Example: ensue mt rank examples/translation -m bleu --method basic")
@translation_options()
@metric_option(multiple=False)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="with-ties",
    show_default=True,
    help="A system's score: the share of segments on which it is best, or nearly; on which it is"
    " best; its mean score; or that of all its outputs as one text.",
)
@click.option(
    "--ties",
    "share",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="with-ties: the share of segments with a tie for first place; 0.3 where nothing is said.",
)
@click.option(
    "--ties-of-judges",
    "of_judges",
    is_flag=True,
    help="with-ties: take the share from the rankings of DATA, or from those that a trained metric"
    " learned from.",
)
@click.option(
    "--epsilon",
    type=click.FloatRange(0),
    metavar="E",
    help="with-ties: how far below the best still counts as best.",
)
@draws_option("Bootstrap draws; 0 for no intervals and clusters.")
@workers_option
@output_options
@plot_option("the ranks")
@report_option
@seed_option
@quiet_option
def rank_command(
    sources: Sources,
    metric: str,
    method: str,
    share: float | None,
    of_judges: bool,
    epsilon: float | None,
    draws: int,
    pool: Pool | None,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Rank the systems of DATA by a metric, with intervals and clusters.

    Systems of one cluster cannot be told apart: their ranks change places among resamples of the
    segments. Where DATA hold judgments, the tables show what people think, too.
    """
    from ensue.reports import write_page
    from ensue.reports.pictures import write_picture
    from ensue.reports.translation import rank_picture, rank_report, rank_tables
    from ensue.statistics import Resampling
    from ensue.translation import SystemMethod, TieRule, rank

    ties = TieRule(share, of_judges, epsilon)
    if ties.n_set > 1:
        raise click.UsageError("give one of --ties, --ties-of-judges and --epsilon")
    if ties.n_set and method != SystemMethod.WITH_TIES:
        raise click.UsageError("--ties, --ties-of-judges and --epsilon are for --method with-ties")
    sources.check([printing.output, report, *plots])
    ranking = rank(
        sources.open(quiet),
        metric,
        SystemMethod(method),
        ties=ties,
        resampling=Resampling(draws=draws, seed=seed),
        pool=pool,
        stages=shown_stages(quiet),
    )
    printing.write(rank_tables(ranking))
    for plot in plots:
        write_picture(plot, rank_picture(ranking))
    if report:
        write_page(report, rank_report(ranking))


# `ensue mt`: features, train, score, order, rank, evaluate, weights.


@click.group("mt", epilog="Example: ensue mt rank examples/translation -m bleu")
def mt_command() -> None:
    """Score and rank translations; train metrics on human judgments, and hold them against some.

    DATA are directories as the WMT lays them out, or JSONL, CSV or TSV with a row an output; with
    --reference they are plain text, a file for each system and a segment a line.
    """


for _command in (
    features_command,
    train_command,
    score_command,
    order_command,
    rank_command,
    evaluate_command,
    weights_command,
):
    mt_command.add_command(_command)
