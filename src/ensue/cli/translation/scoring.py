"""`ensue mt score`."""

from __future__ import annotations

import click

from ensue.cli.parts.jobs import jobs_option
from ensue.cli.parts.options import quiet_option, report_option
from ensue.cli.translation.options import (
    Sources,
    metric_option,
    outputs_bar,
    ready_metric,
    translation_options,
)
from ensue.pairs.files import STANDARD

SCORE_FORMATS = ("tsv", "csv", "jsonl", "wmt")


@click.command(
    "score",
    epilog="Example: ensue mt score --reference examples/translation/reference.en"
    " examples/translation/system-outputs/de-en/example.de-en.literal -m bleu",
)
@translation_options()
@metric_option(multiple=True)
@click.option("-o", "--output", default=STANDARD, metavar="FILE", help="Where the scores go.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(SCORE_FORMATS),
    help="How to write; by the file's name where it is not given, and TSV on standard output.",
)
@jobs_option
@report_option
@quiet_option
def score_command(
    sources: Sources,
    metrics: tuple[str, ...],
    output: str,
    output_format: str | None,
    jobs: int | None,
    report: str | None,
    quiet: bool,
) -> None:
    """Score every output of DATA; larger is better.

    A row has the language pair, the segment, the system, and the score of each metric. Where the
    scores go into a file, a table shows what they say of systems on the whole.
    """
    from ensue.reports.contents.translation import score_report, score_summary_table
    from ensue.reports.page import write_page
    from ensue.reports.tables import write_tables
    from ensue.translation.metrics import ScoreSummary, scored_batches
    from ensue.translation.reading import ScoreFormat, write_score_batches

    sources.check([output, report])
    chosen = ScoreFormat(output_format) if output_format else None
    if chosen is None and output == STANDARD:
        chosen = ScoreFormat.TSV
    found = sources.open(quiet)
    ready = [ready_metric(name, found, jobs) for name in dict.fromkeys(metrics)]
    is_shown = output != STANDARD or report is not None
    summary = ScoreSummary(ready if is_shown else [])
    with outputs_bar("scoring", found, quiet) as progress:
        write_score_batches(
            output,
            [(metric.name, metric.signature) for metric in ready],
            summary.watching(scored_batches(ready, found.segments(), progress=progress)),
            chosen,
        )
    if output != STANDARD:
        write_tables([score_summary_table(summary.rows(), ready)])
    if report:
        write_page(report, score_report(summary.rows(), ready, name=found.name))
