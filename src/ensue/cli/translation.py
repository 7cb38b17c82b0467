"""`ensue mt`: the group, and its commands features, score and rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.app import CommandGroup
from ensue.cli.inputs import shown_stages
from ensue.cli.messages import (
    RunDisplay,
    display_options,
    has_more_to_tell,
    progress_bar,
    tell_account,
)
from ensue.cli.options import (
    ROW_FORMATS,
    TABLE_FORMATS,
    Printing,
    engine_options,
    files_to_check,
    format_of,
    format_option,
    output_option,
    output_options,
    quiet_option,
    report_option,
    resampling_options,
    rows_format,
    rows_options,
    workers_option,
)
from ensue.cli.translation_metrics import (
    Sources,
    evaluate_command,
    feature_set_option,
    metric_option,
    train_command,
    translation_options,
    weights_command,
)
from ensue.files import STANDARD, open_output

if TYPE_CHECKING:
    from ensue.engine import Pool, RunOptions
    from ensue.statistics import Resampling
    from ensue.translation import SetSources, TieRule

# `ensue mt features`.


@click.command(
    "features",
    epilog="Example: ensue mt features examples/translation --feature-set tradmt -o mt.parquet",
)
@translation_options(needed=False, judged=False)
@click.option("--list", "listed", is_flag=True, help="List the features of the set.")
@feature_set_option(
    "What to measure: BLEU, NIST and TER; entailment both ways; both; or the first with matches of"
    " words."
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
    options: RunOptions,
    report: str | None,
    display: RunDisplay,
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
    found = sources.open(display.quiet)
    with display.run("measuring", output) as seen:
        account, summary = measure_set(
            found,
            set_sources(sources),
            output,
            chosen,
            format=written_as,
            options=options,
            on_snapshot=seen,
        )
    tell_account(account, f"measured {summary.n_outputs:,} outputs", "segments", display)
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

SCORE_FORMATS = (*ROW_FORMATS, "wmt")


@click.command(
    "score",
    epilog="Example: ensue mt score --reference examples/translation/reference.en"
    " examples/translation/system-outputs/de-en/example.de-en.literal -m bleu",
)
@translation_options(judged=False)
@metric_option(multiple=True)
@output_option(
    "Where the scores go: a file, or a folder of Parquet shards where the name ends in / or is one."
)
@format_option(*SCORE_FORMATS, otherwise="TSV on standard output")
@engine_options
@report_option
@display_options
def score_command(
    sources: Sources,
    metrics: tuple[str, ...],
    output: str,
    output_format: str | None,
    options: RunOptions,
    report: str | None,
    display: RunDisplay,
) -> None:
    """Score every output of DATA; larger is better.

    A row has the language pair, the segment, the system, and the score of each metric. Where the
    scores go into a file or a folder, a table shows what they say of systems on the whole. A file
    appears whole, at the end: until then what is done is kept in FILE.partial, for --resume.
    """
    from ensue.engine import is_folder
    from ensue.translation import score_set

    if output_format and is_folder(output):
        raise click.UsageError("a folder of shards is of Parquet and takes no --format")
    sources.check([*files_to_check(output), report])
    found = sources.open(display.quiet)
    with display.run("scoring", output) as seen:
        scored = score_set(
            found,
            set_sources(sources),
            output,
            metrics,
            format=output_format or ("tsv" if output == STANDARD else None),
            is_summed=output != STANDARD or report is not None,
            options=options,
            on_snapshot=seen,
        )
    if not display.quiet and has_more_to_tell(scored.account, display):
        did = f"scored {scored.account.n_rows:,} outputs"
        tell_account(scored.account, did, "segments", display)
    if output != STANDARD:
        from ensue.reports import write_tables
        from ensue.reports.translation import score_summary_table

        write_tables([score_summary_table(scored.systems, scored.metrics)])
    if report:
        from ensue.reports import write_page
        from ensue.reports.translation import score_report

        write_page(report, score_report(scored.systems, scored.metrics, name=found.name))


# `ensue mt rank`.

METHODS = ("with-ties", "basic", "mean", "corpus")


def _tie_rule(ctx: click.Context, param: click.Parameter, value: str | None) -> TieRule | None:
    from ensue.translation import TieRule

    if value is None or value == "judges":
        return TieRule(of_judges=True) if value else None
    named, is_epsilon, number = value.rpartition("=")
    if named not in ("", "epsilon"):
        raise click.BadParameter(f"{value!r} is neither a share, judges nor epsilon=E", ctx, param)
    if is_epsilon:
        return TieRule(epsilon=click.FloatRange(0)(number, param, ctx))
    return TieRule(click.FloatRange(0, 1)(number, param, ctx))


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
    callback=_tie_rule,
    metavar="SHARE|judges|epsilon=E",
    help="with-ties: the share of segments with a tie for first place, 0.3 where nothing is said;"
    " that of the rankings of DATA, or of those that a trained metric learned from; or how far below"
    " the best still counts as best.",
)
@click.option(
    "--segments",
    is_flag=True,
    help="Rank the outputs of each segment instead, by a trained metric: a row an output, with its"
    " place, its score, the probability that it is better than the one below, and the likelihood of"
    " the whole order.",
)
@resampling_options("Bootstrap draws; 0 for no intervals and clusters.")
@workers_option
@output_options("parquet", picture="the ranks", page=True)
@quiet_option
def rank_command(
    sources: Sources,
    metric: str,
    method: str,
    ties: TieRule | None,
    segments: bool,
    resampling: Resampling,
    pool: Pool | None,
    printing: Printing,
    quiet: bool,
) -> None:
    """Rank the systems of DATA by a metric, with intervals and clusters.

    Systems of one cluster cannot be told apart: their ranks change places among resamples of the
    segments. Where DATA hold judgments, the tables show what people think, too.
    """
    from ensue.reports.translation import rank_answer, rank_picture, rank_report, rank_tables
    from ensue.translation import SystemMethod, TieRule, rank

    if segments:
        if ties or printing.table or printing.plots or printing.report:
            raise click.UsageError("--segments writes rows: no --ties, --table, --plot, --report")
        _order(sources, metric, printing, pool, quiet)
        return
    if ties and method != SystemMethod.WITH_TIES:
        raise click.UsageError("--ties is for --method with-ties")
    if printing.named == "parquet":
        raise click.UsageError("Parquet is for --segments")
    sources.check(printing.files)
    ranking = rank(
        sources.open(quiet),
        metric,
        SystemMethod(method),
        ties=ties or TieRule(),
        resampling=resampling,
        pool=pool,
        stages=shown_stages(quiet),
    )
    printing.write(
        rank_tables(ranking),
        picture=lambda: rank_picture(ranking),
        page=lambda: rank_report(ranking),
        answer=rank_answer(ranking),
    )


def _order(
    sources: Sources,
    metric: str,
    printing: Printing,
    pool: Pool | None,
    quiet: bool,
) -> None:
    """Put the outputs of each segment into their likeliest order."""
    from ensue.translation.metrics import (
        ordered_outputs,
        ready_metric,
        scored_batches,
        write_orders,
    )

    written_as = rows_format(printing.output, printing.named)
    sources.check(printing.files)
    found = sources.open(quiet)
    ready = ready_metric(metric, found.references(), pool)
    bar = progress_bar("ordering", total=found.n_outputs, quiet=quiet)
    with bar as progress, open_output(printing.output) as file:
        scored = scored_batches([ready], found.segments(), progress=progress)
        write_orders(file, ordered_outputs(ready, scored), format=written_as)


# `ensue mt`: features, train, score, rank, evaluate, weights.


@click.group("mt", cls=CommandGroup, epilog="Example: ensue mt rank examples/translation -m bleu")
def mt_command() -> None:
    """Score and rank translations; train metrics on human judgments, and hold them against some.

    DATA are directories as the WMT lays them out, or JSONL, CSV, TSV or Parquet with a row an
    output; with --reference they are plain text, a file for each system and a segment a line.
    """


for _command in (
    features_command,
    train_command,
    score_command,
    rank_command,
    evaluate_command,
    weights_command,
):
    mt_command.add_command(_command)
