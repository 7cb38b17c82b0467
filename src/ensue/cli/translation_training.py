"""`ensue mt train` and `ensue mt weights`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ensue.cli.inputs import load_gold_of, shown_stages
from ensue.cli.options import (
    TABLE_FORMATS,
    Printing,
    draws_option,
    format_option,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.cli.translation_inputs import (
    FEATURE_SETS,
    MODELS,
    Sources,
    translation_options,
)
from ensue.cli.workers import workers_option
from ensue.files import STANDARD
from ensue.pairs import ReadKeywords

if TYPE_CHECKING:
    from ensue.engine import Pool

# `ensue mt train`.


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
    output_format: str | None,
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Train a metric on the human judgments of DATA.

    The model pair learns from rankings, and from scores that one judge gave to several outputs of
    a segment; abs from direct assessments, from adequacy and fluency, or from ranks, whichever
    there are, in this order.
    """
    from ensue.reports import write_page
    from ensue.reports.translation import training_report, training_tables
    from ensue.translation import train_metric
    from ensue.translation.features import FeatureSet
    from ensue.translation.metrics import RECORD, ModelKind, save_metric

    sources.check([str(Path(output) / RECORD), report])
    metric = train_metric(
        sources.open(quiet),
        ModelKind(model),
        FeatureSet(feature_set),
        strength=strength,
        seed=seed,
        pool=pool,
        stages=shown_stages(quiet),
    )
    save_metric(metric, output)
    printing = Printing(STANDARD, output_format or "table", None)
    printing.write(training_tables(metric, every=printing.for_programs))
    if report:
        write_page(report, training_report(metric))


# `ensue mt weights`.


@click.command(
    "weights",
    epilog="Example: ensue mt weights examples/translation --draws 20 --table weight-directions",
)
@translation_options()
@click.option(
    "--model",
    type=click.Choice(MODELS),
    default="pair",
    show_default=True,
    help="What is learned: preferences, or absolute scores.",
)
@click.option(
    "--pairs",
    multiple=True,
    metavar="PAIRS",
    help="Gold pairs to train the recognizer 'features' on, which stands beside the metrics. May"
    " be repeated.",
)
@draws_option(
    "Resamples of the segments, each of which is learned from anew; 0 for no intervals.",
    default=200,
)
@workers_option
@output_options
@plot_option("weights by group")
@report_option
@seed_option
@quiet_option
def weights_command(
    sources: Sources,
    model: str,
    pairs: tuple[str, ...],
    draws: int,
    pool: Pool | None,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Show what metrics on entailment features look at, group by group.

    Metrics on the sets rte and comb are trained on the judgments of DATA; their weights stand side
    by side, with those of the recognizer where PAIRS are given, beside the directions that Padó et
    al. (2009) report.
    """
    from ensue.reports import write_page
    from ensue.reports.pictures import write_picture
    from ensue.reports.translation import weight_picture, weight_tables, weights_report
    from ensue.statistics import Resampling
    from ensue.translation import study_weights
    from ensue.translation.metrics import ModelKind

    sources.check([printing.output, report, *plots], pairs)
    found = study_weights(
        sources.open(quiet),
        ModelKind(model),
        pairs=load_gold_of(pairs, ReadKeywords(), quiet)[0],
        resampling=Resampling(draws=draws, seed=seed),
        pool=pool,
        stages=shown_stages(quiet),
    )
    shown = (found.metrics, found.recognizer)
    printing.write(weight_tables(*shown))
    for plot in plots:
        write_picture(plot, weight_picture(*shown))
    if report:
        write_page(
            report, weights_report(*shown, trained_on=found.name, resampling=Resampling(seed=seed))
        )
