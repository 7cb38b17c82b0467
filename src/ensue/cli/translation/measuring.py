"""`ensue mt features`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.parts.accounts import tell_account
from ensue.cli.parts.options import TABLE_FORMATS, report_option, rows_options
from ensue.cli.parts.rows import files_to_check, rows_format
from ensue.cli.parts.seeing import Seeing, seeing_options
from ensue.cli.parts.spreading import spread_options
from ensue.cli.translation.options import FEATURE_SETS, Sources, translation_options

if TYPE_CHECKING:
    from ensue.engine import Spread
    from ensue.engine.jobs.translation import SetSources


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
@rows_options
@click.option(
    "--format",
    "list_format",
    type=click.Choice(TABLE_FORMATS),
    help="How to print the list; table where it is not given.",
)
@spread_options
@report_option
@seeing_options
def features_command(
    sources: Sources,
    listed: bool,
    feature_set: str,
    output: str,
    output_format: str | None,
    list_format: str | None,
    spread: Spread,
    report: str | None,
    seeing: Seeing,
) -> None:
    """Measure the features of all outputs of DATA, or list what the features are.

    Columns are language_pair, segment, system, and one for each feature. The cells of an output
    without words are empty. Where the name of the output ends in / or is a folder's, it is a folder
    of Parquet shards.
    """
    from ensue.engine.runs.scoring import measure_set
    from ensue.translation.features import FeatureSet

    chosen = FeatureSet(feature_set)
    if listed == bool(sources.data):
        raise click.UsageError("give DATA, or --list")
    if listed and report:
        raise click.UsageError("--report is for DATA")
    if listed:
        from ensue.reports.contents.translation.features import feature_list_table
        from ensue.reports.tables import write_tables

        write_tables([feature_list_table(chosen)], output=output, format=list_format or "table")
        return
    if list_format is not None:
        raise click.UsageError("--format is for --list; DATA take --output-format")
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
        from ensue.reports.contents.translation.features import feature_report
        from ensue.reports.page import write_page

        write_page(report, feature_report(summary, chosen, name=found.name))


def set_sources(sources: Sources) -> SetSources:
    """What the user named, as runs take it."""
    from ensue.engine.jobs.translation import SetSources

    return SetSources(
        sources.data,
        sources.references,
        sources.judgments,
        sources.language_pair,
        sources.encoding,
    )
