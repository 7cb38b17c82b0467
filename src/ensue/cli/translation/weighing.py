"""`ensue mt weights`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.parts.inputs import load_gold_of, working
from ensue.cli.parts.options import (
    Printing,
    draws_option,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.cli.parts.progress import progress_bar
from ensue.cli.parts.workers import workers_option
from ensue.cli.translation.options import (
    MODELS,
    Sources,
    judged_table,
    translation_options,
)
from ensue.pairs.reading import Reading

if TYPE_CHECKING:
    from ensue.engine.pool import Pool
    from ensue.translation.weights import ModelWeights


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
    from ensue.reports.contents.translation.weights import (
        weight_picture,
        weight_tables,
        weights_report,
    )
    from ensue.reports.page import write_page
    from ensue.reports.pictures import write_picture
    from ensue.translation.features import FeatureSet
    from ensue.translation.metrics import of_set
    from ensue.translation.models import ModelKind, train
    from ensue.translation.weights.resampling import metric_weights

    sources.check([printing.output, report, *plots], pairs)
    found = sources.open(quiet)
    table = judged_table(found, FeatureSet.COMB, pool, quiet)
    learned = []
    for feature_set in (FeatureSet.RTE, FeatureSet.COMB):
        known = of_set(table, feature_set)
        title = f"{model}-{feature_set.value}"
        with working(f"training {title}", quiet):
            weighing, _ = train(known, found.judgments, ModelKind(model), seed=seed)
        with progress_bar(f"resampling {title}", total=draws, quiet=quiet) as progress:
            learned.append(
                metric_weights(
                    title,
                    weighing,
                    known,
                    found.judgments,
                    draws=draws,
                    seed=seed,
                    progress=progress,
                )
            )
    recognizer = _recognizer(pairs, draws, pool, seed, quiet) if pairs else None
    printing.write(weight_tables(learned, recognizer))
    for plot in plots:
        write_picture(plot, weight_picture(learned, recognizer))
    if report:
        write_page(report, weights_report(learned, recognizer, trained_on=found.name, seed=seed))


def _recognizer(
    pairs: tuple[str, ...], draws: int, pool: Pool | None, seed: int, quiet: bool
) -> ModelWeights:
    from ensue.recognizers.features import FeaturesRecognizer
    from ensue.recognizers.storage import load
    from ensue.translation.weights.resampling import recognizer_weights

    gold, _ = load_gold_of(pairs, Reading(), quiet)
    features = load("features")
    assert isinstance(features, FeaturesRecognizer)
    with progress_bar("resampling the recognizer", total=draws, quiet=quiet) as progress:
        return recognizer_weights(
            "recognizer",
            features.with_pool(pool),
            gold,
            draws=draws,
            seed=seed,
            progress=progress,
        )
