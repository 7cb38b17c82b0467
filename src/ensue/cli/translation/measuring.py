"""`ensue mt features`."""

from __future__ import annotations

import click

from ensue.cli.parts.jobs import jobs_option, n_jobs
from ensue.cli.parts.options import (
    TABLE_FORMATS,
    file_format,
    quiet_option,
    report_option,
    rows_options,
)
from ensue.cli.translation.options import (
    FEATURE_SETS,
    Sources,
    outputs_bar,
    translation_options,
)
from ensue.pairs import open_output


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
@jobs_option
@report_option
@quiet_option
def features_command(
    sources: Sources,
    listed: bool,
    feature_set: str,
    output: str,
    output_format: str | None,
    list_format: str | None,
    jobs: int | None,
    report: str | None,
    quiet: bool,
) -> None:
    """Measure the features of all outputs of DATA, or list what the features are.

    Columns are language_pair, segment, system, and one for each feature. The cells of an output
    without words are empty.
    """
    from ensue.features.reading import open_reader
    from ensue.translation.features import FeatureSet, Meter, write_output_features

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
    sources.check([output, report])
    written_as = file_format(output, output_format)
    found = sources.open(quiet)
    meter = Meter(chosen, open_reader(workers=n_jobs(jobs)) if chosen.needs_analyzer else None)
    with outputs_bar("measuring", found, quiet) as progress, open_output(output) as file:
        summary = write_output_features(
            file,
            found.segments(),
            meter.informed(found.references()),
            format=written_as,
            progress=progress,
        )
    if not quiet:
        click.echo(f"measured {summary.n_outputs:,} outputs", err=True)
    if report:
        from ensue.reports.contents.translation.features import feature_report
        from ensue.reports.page import write_page

        write_page(report, feature_report(summary, chosen, name=found.name))
