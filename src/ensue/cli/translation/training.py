"""`ensue mt train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ensue.cli.parts.inputs import working
from ensue.cli.parts.options import (
    TABLE_FORMATS,
    format_option,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.cli.parts.workers import workers_option
from ensue.cli.translation.options import (
    FEATURE_SETS,
    MODELS,
    Sources,
    judged_table,
    translation_options,
)

if TYPE_CHECKING:
    from ensue.engine.pool import Pool


@click.command(
    "train",
    epilog="Example: ensue mt train examples/translation --set tradmt -o metric",
)
@translation_options()
@click.option(
    "--model",
    type=click.Choice(MODELS),
    default="pair",
    show_default=True,
    help="Learn which of two outputs is preferred, or the absolute human score.",
)
@click.option(
    "--set",
    "feature_set",
    type=click.Choice(FEATURE_SETS),
    default="comb",
    show_default=True,
    help="The features to weigh.",
)
@click.option("-o", "--output", required=True, metavar="DIR", help="Where the metric goes.")
@click.option(
    "--strength",
    type=float,
    metavar="C",
    help="Inverse strength of regularization; chosen by cross-validation where it is not given.",
)
@workers_option
@format_option(*TABLE_FORMATS)
@report_option
@seed_option
@quiet_option
def train_command(
    sources: Sources,
    model: str,
    feature_set: str,
    output: str,
    strength: float | None,
    pool: Pool | None,
    output_format: str,
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Train a metric on the human judgments of DATA.

    The model pair learns from rankings, and from scores that one judge gave to several outputs of
    a segment; abs from direct assessments, from adequacy and fluency, or from ranks, whichever
    there are, in this order.
    """
    from ensue.reports.contents.translation import training_report, training_tables
    from ensue.reports.page import write_page
    from ensue.reports.tables import write_tables
    from ensue.translation.features import FeatureSet
    from ensue.translation.metrics import RECORD, save_metric, trained_metric
    from ensue.translation.models import ModelKind

    sources.check([str(Path(output) / RECORD), report])
    found = sources.open(quiet)
    table = judged_table(found, FeatureSet(feature_set), pool, quiet)
    with working("training", quiet):
        metric = trained_metric(
            table,
            found.judgments,
            ModelKind(model),
            FeatureSet(feature_set),
            name=found.name,
            strength=strength,
            seed=seed,
        )
    save_metric(metric, output)
    tables = training_tables(metric, every=output_format != "table")
    write_tables(tables, format=output_format)
    if report:
        write_page(report, training_report(metric))
