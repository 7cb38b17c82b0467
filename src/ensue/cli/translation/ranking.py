"""`ensue mt rank`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

import click

from ensue.cli.parts.options import (
    Printing,
    draws_option,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.cli.parts.workers import workers_option
from ensue.cli.translation.options import (
    Sources,
    metric_option,
    outputs_bar,
    ready_metric,
    translation_options,
)
from ensue.errors import SettingError

if TYPE_CHECKING:
    from ensue.engine.pool import Pool
    from ensue.translation.metrics import Metric
    from ensue.translation.model import MetricScores
    from ensue.translation.ranking import SystemKey, SystemMethod, SystemRank, TieInterval
    from ensue.translation.reading import TranslationSet

METHODS = ("with-ties", "basic", "mean", "corpus")


@dataclass(frozen=True, slots=True)
class Tying:
    """What counts as a tie for first place; at most one of the three is set."""

    share: float | None
    of_judges: bool
    epsilon: float | None

    @property
    def n_set(self) -> int:
        """How many were asked for."""
        return (self.share is not None) + self.of_judges + (self.epsilon is not None)


class Shown(TypedDict):
    """What tables and page are told beside the ranks."""

    metric: Metric
    method: SystemMethod
    interval: TieInterval | None
    human: dict[SystemKey, float | None] | None
    draws: int
    seed: int


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
    help="with-ties: the share of segments with a tie for first place; 0.3 where nothing is said.",
)
@click.option(
    "--ties-of-judges",
    "of_judges",
    is_flag=True,
    help="with-ties: take the share from the rankings of DATA, or from those that a trained metric"
    " learned from.",
)
@click.option(
    "--epsilon",
    type=click.FloatRange(0),
    metavar="E",
    help="with-ties: how far below the best still counts as best.",
)
@draws_option("Bootstrap draws; 0 for no intervals and clusters.")
@workers_option
@output_options
@plot_option("the ranks")
@report_option
@seed_option
@quiet_option
def rank_command(
    sources: Sources,
    metric: str,
    method: str,
    share: float | None,
    of_judges: bool,
    epsilon: float | None,
    draws: int,
    pool: Pool | None,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Rank the systems of DATA by a metric, with intervals and clusters.

    Systems of one cluster cannot be told apart: their ranks change places among resamples of the
    segments. Where DATA hold judgments, the tables show what people think, too.
    """
    from ensue.reports.contents.translation import rank_picture, rank_report, rank_tables
    from ensue.reports.page import write_page
    from ensue.reports.pictures import write_picture
    from ensue.translation.ranking import SystemMethod

    tying, chosen = Tying(share, of_judges, epsilon), SystemMethod(method)
    _check_tying(tying, chosen)
    sources.check([printing.output, report, *plots])
    found = sources.open(quiet)
    ready = ready_metric(metric, found, pool)
    with outputs_bar("scoring", found, quiet) as progress:
        ranks, interval = _ranked(ready, found, chosen, tying, draws, seed, progress)
    people = _people(found)
    shown = Shown(
        metric=ready, method=chosen, interval=interval, human=people, draws=draws, seed=seed
    )
    printing.write(rank_tables(ranks, **shown))
    for plot in plots:
        write_picture(plot, rank_picture(ranks, chosen))
    if report:
        write_page(report, rank_report(ranks, name=found.name, **shown))


def _check_tying(tying: Tying, method: SystemMethod) -> None:
    if tying.n_set > 1:
        raise click.UsageError("give one of --ties, --ties-of-judges and --epsilon")
    if tying.n_set and method != "with-ties":
        raise click.UsageError("--ties, --ties-of-judges and --epsilon are for --method with-ties")


def _ranked(
    metric: Metric,
    found: TranslationSet,
    method: SystemMethod,
    tying: Tying,
    draws: int,
    seed: int,
    progress: Callable[[int], None],
) -> tuple[tuple[SystemRank, ...], TieInterval | None]:
    from ensue.translation.metrics import score_all
    from ensue.translation.ranking import SystemMethod, rank_systems

    if method is SystemMethod.CORPUS:
        return _ranked_corpora(metric, found, draws, seed, progress), None
    scores = score_all(metric, found.segments(), progress=progress)
    interval = _interval(metric, scores, found, tying) if method is SystemMethod.WITH_TIES else None
    epsilon = interval.epsilon if interval else None
    ranks = rank_systems(scores, method, epsilon=epsilon, draws=draws, seed=seed)
    return ranks, interval


def _ranked_corpora(
    metric: Metric,
    found: TranslationSet,
    draws: int,
    seed: int,
    progress: Callable[[int], None],
) -> tuple[SystemRank, ...]:
    from ensue.translation.metrics import SummingMetric, all_statistics
    from ensue.translation.ranking import rank_corpora

    if not isinstance(metric, SummingMetric):
        raise SettingError(
            f"metric {metric.name!r} has no score of a whole text",
            hint="use --method with-ties, basic or mean, or a metric such as bleu, nist or ter",
        )
    outputs, statistics = all_statistics(metric, found.segments(), progress=progress)
    return rank_corpora(
        outputs, statistics, metric.scored, name=metric.name, draws=draws, seed=seed
    )


def _interval(
    metric: Metric, scores: MetricScores, found: TranslationSet, tying: Tying
) -> TieInterval:
    from ensue.translation.ranking import TIED_SHARE, given_interval, tie_interval

    if tying.epsilon is not None:
        return given_interval(scores, tying.epsilon)
    if tying.of_judges:
        return tie_interval(scores, _share_of_judges(metric, found))
    return tie_interval(scores, TIED_SHARE if tying.share is None else tying.share)


def _share_of_judges(metric: Metric, found: TranslationSet) -> float:
    """How often judges tie for first place: those at hand, or those the metric learned from."""
    from ensue.translation.judgments import TieUnit, tie_share
    from ensue.translation.metrics import WeightedMetric

    if found.judgments.rankings:
        share = tie_share(found.judgments.rankings, TieUnit.RANKING).share.value
        assert share is not None
        return share
    learned = metric.trained_on.get("tie_share") if isinstance(metric, WeightedMetric) else None
    if learned is None:
        raise SettingError(
            "there are no rankings to take a share of ties from: neither in the data, nor among"
            f" what metric {metric.name!r} learned from",
            hint="name rankings with --judgments, or the share with --ties",
        )
    return float(learned)


def _people(found: TranslationSet) -> dict[SystemKey, float | None] | None:
    """What people think of systems: how often they are preferred, or their mean score."""
    from ensue.translation.agreement import people_system_scores

    judgments = found.judgments
    if not (judgments.rankings or judgments.assessments):
        return None
    return dict(people_system_scores(judgments))
