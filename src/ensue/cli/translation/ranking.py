"""`ensue mt rank`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.parts.jobs import jobs_option
from ensue.cli.parts.options import (
    Printing,
    output_options,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.cli.translation.options import (
    Sources,
    check_judged,
    metric_option,
    outputs_bar,
    ready_metric,
    translation_options,
)

if TYPE_CHECKING:
    from ensue.translation.metrics import Metric
    from ensue.translation.model import MetricScores
    from ensue.translation.ranking import SystemRank, TieInterval
    from ensue.translation.reading import TranslationSet

CORPUS = "corpus"
METHODS = ("with-ties", "basic", "mean", CORPUS)


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
    help="with-ties: the share of segments with ties for the first place; 0.3 where it is not"
    " given.",
)
@click.option(
    "--ties-of-judges", is_flag=True, help="with-ties: take the share from the judgments of DATA."
)
@click.option(
    "--epsilon",
    type=click.FloatRange(0),
    metavar="E",
    help="with-ties: how far below the best still counts as best.",
)
@click.option(
    "--draws",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Bootstrap draws; 0 for no intervals and clusters.",
)
@jobs_option
@output_options
@report_option
@seed_option
@quiet_option
def rank_command(
    sources: Sources,
    metric: str,
    method: str,
    share: float | None,
    ties_of_judges: bool,
    epsilon: float | None,
    draws: int,
    jobs: int | None,
    printing: Printing,
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Rank the systems of DATA by a metric, with intervals and clusters.

    Systems of one cluster cannot be told apart: their ranks change places among resamples of the
    segments. Where DATA hold judgments, the table shows the human ranks, too.
    """
    from ensue.reports.contents.translation.ranks import rank_report, rank_tables
    from ensue.reports.page import write_page
    from ensue.translation.metrics import score_all

    ways = [share is not None, ties_of_judges, epsilon is not None]
    if sum(ways) > 1:
        raise click.UsageError("give one of --ties, --ties-of-judges and --epsilon")
    if any(ways) and method != "with-ties":
        raise click.UsageError("--ties, --ties-of-judges and --epsilon are for --method with-ties")
    sources.check([printing.output, report])
    found = sources.open(quiet)
    ready = ready_metric(metric, found, jobs)
    with outputs_bar("scoring", found, quiet) as progress:
        if method == CORPUS:
            ranks = _corpus_ranks(ready, found, draws, seed, progress)
            interval = None
        else:
            scores = score_all(ready, found.segments(), progress=progress)
            interval = _interval(scores, found, method, share, ties_of_judges, epsilon)
            ranks = _ranks(scores, method, interval, draws, seed)
    shown = {
        "metric": ready,
        "method": method,
        "interval": interval,
        "human": _human(found),
        "draws": draws,
        "seed": seed,
    }
    printing.write(rank_tables(ranks, **shown))
    if report:
        write_page(report, rank_report(ranks, name=found.name, **shown))
