"""`ensue mt score`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.parts.accounts import has_more_to_tell, tell_account
from ensue.cli.parts.options import report_option
from ensue.cli.parts.rows import files_to_check
from ensue.cli.parts.seeing import Seeing, seeing_options
from ensue.cli.parts.spreading import spread_options
from ensue.cli.translation.measuring import set_sources
from ensue.cli.translation.options import Sources, metric_option, translation_options
from ensue.pairs.files import STANDARD

if TYPE_CHECKING:
    from ensue.engine import Spread

SCORE_FORMATS = ("tsv", "csv", "jsonl", "wmt")


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
@spread_options
@report_option
@seeing_options
def score_command(
    sources: Sources,
    metrics: tuple[str, ...],
    output: str,
    output_format: str | None,
    spread: Spread,
    report: str | None,
    seeing: Seeing,
) -> None:
    """Score every output of DATA; larger is better.

    A row has the language pair, the segment, the system, and the score of each metric. Where the
    scores go into a file or a folder, a table shows what they say of systems on the whole. A file
    appears whole, at the end: until then what is done is kept in FILE.partial, for --resume.
    """
    from ensue.engine.delivering import is_folder
    from ensue.engine.runs.scoring import score_set
    from ensue.reports.contents.translation import score_report, score_summary_table
    from ensue.reports.page import write_page
    from ensue.reports.tables import write_tables
    from ensue.translation.reading import ScoreFormat

    if output_format and is_folder(output):
        raise click.UsageError("a folder of shards is of Parquet and takes no --format")
    sources.check([*files_to_check(output), report])
    chosen = ScoreFormat(output_format) if output_format else None
    if chosen is None and output == STANDARD:
        chosen = ScoreFormat.TSV
    found = sources.open(seeing.quiet)
    with seeing.run("scoring", output) as seen:
        scored = score_set(
            found,
            set_sources(sources),
            output,
            metrics,
            format=chosen,
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
