"""`ensue mt evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ensue.cli.inputs import shown_stages
from ensue.cli.messages import finding_messages
from ensue.cli.options import (
    Printing,
    draws_option,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.cli.translation_inputs import (
    DEFAULT_METRIC,
    FEATURE_SETS,
    MODELS,
    Sources,
    metric_option,
    tell_contradictions,
    translation_options,
)
from ensue.cli.workers import workers_option

if TYPE_CHECKING:
    from ensue.engine import Pool
    from ensue.translation import TranslationJudgments
    from ensue.translation.formats import TranslationSet

CROSSED = tuple(f"{model}-{features}" for model in MODELS for features in FEATURE_SETS)


@click.command(
    "evaluate", epilog="Example: ensue mt evaluate examples/translation -m bleu -m ter --draws 200"
)
@translation_options(needed=False)
@metric_option(multiple=True, default=None)
@click.option(
    "--cross",
    "crossed",
    multiple=True,
    type=click.Choice(CROSSED),
    metavar="MODEL-SET",
    help="Train such a metric on all language pairs but one, in turn, and judge the one left out:"
    " pair or abs, and a set of features. May be repeated.",
)
@click.option(
    "--scores",
    "score_files",
    multiple=True,
    metavar="FILE",
    help="Scores of any metric: columns language_pair, segment, system, score, or WMT's format."
    " May be repeated.",
)
@click.option(
    "--metric-ties",
    "policy",
    type=click.Choice(["wrong", "half", "left-out"]),
    default="wrong",
    show_default=True,
    help="What outputs count for that people tell apart and a metric does not.",
)
@click.option(
    "--all-outputs",
    is_flag=True,
    help="Score all outputs, not only the judged ones: system ranks are then over all segments.",
)
@click.option(
    "--worst",
    "n_worst",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Worst disagreements to show of each metric.",
)
@draws_option()
@click.option(
    "--permutations",
    type=click.IntRange(0),
    default=10_000,
    show_default=True,
    help="Permutations of the paired tests.",
)
@workers_option
@output_options
@plot_option("agreement with people")
@report_option
@seed_option
@quiet_option
def evaluate_command(
    sources: Sources,
    metrics: tuple[str, ...],
    crossed: tuple[str, ...],
    score_files: tuple[str, ...],
    policy: str,
    all_outputs: bool,
    n_worst: int,
    draws: int,
    permutations: int,
    pool: Pool | None,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Hold metrics against the human judgments of DATA.

    Consistency with preferences, correlations with scores, the order of systems, paired tests; what
    judges agree on themselves, and the bounds that this sets. Scores of other metrics come from
    files; without texts, --judgments and --scores do.
    """
    from ensue.reports import write_page
    from ensue.reports.pictures import write_picture
    from ensue.reports.translation import evaluation_picture, evaluation_report, metric_tables
    from ensue.statistics import Resampling
    from ensue.translation import evaluate
    from ensue.translation.evaluation import EvaluationSettings, TiePolicy
    from ensue.translation.formats import read_all_scores

    if crossed and all_outputs:
        raise click.UsageError("--cross scores the judged outputs: leave --all-outputs out")
    sources.check([printing.output, report, *plots], score_files)
    judged = _judged(sources, metrics, crossed, score_files, quiet)
    encoding = sources.encoding
    scores = [each for path in score_files for each in read_all_scores(path, encoding=encoding)]
    if sources.data and not (metrics or crossed or scores):
        metrics = (DEFAULT_METRIC,)
    settings = EvaluationSettings(
        policy=TiePolicy(policy),
        n_worst=n_worst,
        resampling=Resampling(draws, seed=seed),
        permutations=permutations,
    )
    with finding_messages(quiet) as tell_one:
        found = evaluate(
            judged,
            metrics,
            crossed=crossed,
            scores=scores,
            all_outputs=all_outputs,
            settings=settings,
            name="" if sources.data else ", ".join(sources.judgments),
            with_alignments=report is not None,
            pool=pool,
            on_finding=tell_one,
            stages=shown_stages(quiet),
        )
    printing.write(metric_tables(found.metrics, found.judges, every=printing.for_programs))
    for plot in plots:
        write_picture(plot, evaluation_picture(found.metrics, found.judges))
    if report:
        page = evaluation_report(
            found.metrics, found.judges, judged=found.name, aligned=found.aligned
        )
        write_page(report, page)


def _judged(
    sources: Sources,
    metrics: Sequence[str],
    crossed: Sequence[str],
    score_files: Sequence[str],
    quiet: bool,
) -> TranslationSet | TranslationJudgments:
    from ensue.translation import TranslationJudgments
    from ensue.translation.formats import read_judgments

    if sources.data:
        return sources.open(quiet)
    if metrics or crossed:
        raise click.UsageError("metrics need DATA to score")
    if not (sources.judgments and score_files):
        raise click.UsageError("give DATA, or --judgments and --scores")
    with finding_messages(quiet) as tell_one:
        judgments = TranslationJudgments.joined(
            read_judgments(path, encoding=sources.encoding, on_finding=tell_one)
            for path in sources.judgments
        )
    tell_contradictions(judgments, quiet)
    return judgments
