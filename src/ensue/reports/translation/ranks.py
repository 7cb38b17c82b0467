"""Scores and ranks of systems, as tables, pictures and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ensue import __version__
from ensue.errors import UndefinedError
from ensue.reports.estimates import (
    COEFFICIENT_TITLES,
    Row,
    interval_notes,
    lack_of,
    reason_notes,
    shown_estimate,
)
from ensue.reports.model import Column, Interval, Picture, Report, Section, Table
from ensue.reports.pictures.dots import Axis, Dot, panel_picture
from ensue.reports.translation.agreement import MEAN, NamedMetric, recipe, several, shown_pair
from ensue.statistics import DRAWS, LEVEL, Coefficient
from ensue.translation import SystemKey, SystemMethod, SystemRank, TieInterval
from ensue.translation.evaluation import SystemCorrelation, SystemScores, system_correlation

# What metrics give systems, as a table and one page; the scores of segments are data files.


class SystemTotals(Protocol):
    """What metrics say of a system on the whole, as `ScoreSummary.rows` gives it."""

    @property
    def key(self) -> SystemKey:
        """Which system."""

    @property
    def n_outputs(self) -> int:
        """How many were scored."""

    @property
    def means(self) -> Sequence[float]:
        """Of the segment scores, by each metric."""

    @property
    def whole(self) -> Sequence[float | None]:
        """Of all outputs as one text, by each metric that has such a score."""


def score_summary_table(systems: Sequence[SystemTotals], metrics: Sequence[NamedMetric]) -> Table:
    """A row a system, in the order given: the mean by each metric, and the corpus score.

    Args:
        systems: Their scores by the metrics, in the order of the metrics.
        metrics: Those that score.
    """
    summing = [any(each.whole[i] is not None for each in systems) for i in range(len(metrics))]
    columns = [Column("language_pair", title="pair"), Column("system"), Column("outputs")]
    for metric, sums in zip(metrics, summing, strict=True):
        columns.append(Column(metric.name, title=f"{metric.name}, mean"))
        if sums:
            columns.append(Column(f"{metric.name}_corpus", title=f"{metric.name}, corpus"))
    rows = [_score_row(each, summing) for each in systems]
    notes = ["mean: of segment scores; corpus: of all outputs as one text; larger is better"]
    without = [metric.name for metric, sums in zip(metrics, summing, strict=True) if not sums]
    if without and systems:
        notes.append(f"without a corpus score, since segments do not sum: {', '.join(without)}")
    return Table("scores", "Scores of systems", columns, rows, notes)


def score_report(
    systems: Sequence[SystemTotals], metrics: Sequence[NamedMetric], *, name: str
) -> Report:
    """The page of the scores: a picture a metric, and the table.

    Args:
        systems: Their scores by the metrics, in the order of the metrics.
        metrics: Those that score.
        name: What the data are called.
    """
    sections = [Section("Scores", "", [score_summary_table(systems, metrics)])]
    if systems:
        pictures = [_picture(systems, i, metric) for i, metric in enumerate(metrics)]
        sections.append(Section("Pictures", "", pictures))
    made = [f"ensue {__version__}", f"data: {name}", *map(recipe, metrics)]
    return Report(f"Scores of {name}", sections, "\n".join(made))


def _score_row(system: SystemTotals, summing: Sequence[bool]) -> Row:
    row: Row = [shown_pair(system.key.language_pair), system.key.system, system.n_outputs]
    for mean, whole, sums in zip(system.means, system.whole, summing, strict=True):
        row += [mean, whole] if sums else [mean]
    return row


def _picture(systems: Sequence[SystemTotals], i: int, metric: NamedMetric) -> Picture:
    """The means of one metric, the best system of each language pair at the top."""
    panels: dict[str, list[Dot]] = {each.key.language_pair: [] for each in systems}
    for each in sorted(systems, key=lambda each: -each.means[i]):
        panels[each.key.language_pair].append(Dot(each.key.system, Interval(each.means[i])))
    axis = Axis("mean of segments", percent=False, limits=(None, None), shared=False)
    title = f"Mean segment score by {metric.name}"
    return panel_picture(panels, axis, title=title, name=f"means-{i + 1}")


# Ranks of systems, as tables, a picture and one page.

_METHODS = {
    SystemMethod.BASIC: (
        "the share of segments on which the system is ranked best; equal best scores share it"
    ),
    SystemMethod.WITH_TIES: (
        "the share of segments on which the system is best or at most ε worse than the best"
    ),
    SystemMethod.MEAN: "the mean segment score",
    SystemMethod.CORPUS: "the score of all outputs of the system as one text",
}
_SHARES = (SystemMethod.BASIC, SystemMethod.WITH_TIES)
_PEOPLE = (
    Column("human", title="people's score", digits=3),
    Column("human_rank", title="people's rank"),
)


def rank_tables(
    ranks: Sequence[SystemRank],
    *,
    metric: NamedMetric,
    method: SystemMethod,
    interval: TieInterval | None,
    human: SystemScores | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
) -> list[Table]:
    """The ranks of systems and, where people judged them, how both orders go together.

    Args:
        ranks: What `rank_systems` gives.
        metric: The one that ranks.
        method: How its scores became system scores: one of `SystemMethod`.
        interval: The tie interval of `with-ties`, where it was not given by hand.
        human: What people give the systems; one that is not ranked is named in a note.
        draws: How many resamples `ranks` come from.
        level: Of their intervals and rank ranges.
        seed: Of their draws.
    """
    notes = [
        f"score: {_METHODS[method]}",
        *_epsilon_notes(method, interval),
        *reason_notes(lack for each in ranks for lack in lack_of(_called(each), each.score)),
        *_draw_notes(draws, level, seed),
    ]
    tables = [_rank_table(ranks, metric.name, method, human, notes)]
    if human is not None:
        tables.append(_people_table(ranks, metric.name, human))
    return tables


def rank_report(
    ranks: Sequence[SystemRank],
    *,
    metric: NamedMetric,
    method: SystemMethod,
    interval: TieInterval | None,
    human: SystemScores | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
    name: str = "",
) -> Report:
    """The page of the ranks; the arguments are those of `rank_tables`, and the data's name."""
    ranked, *people = rank_tables(
        ranks,
        metric=metric,
        method=method,
        interval=interval,
        human=human,
        draws=draws,
        level=level,
        seed=seed,
    )
    sections = [Section("Ranks", "", [rank_picture(ranks, method), ranked])]
    if people:
        sections.append(Section("Beside people", "", people))
    made = [
        f"ensue {__version__}",
        recipe(metric),
        f"method: {method}"
        + (f", tie interval: {interval.epsilon!r}" if interval else "")
        + f", seed: {seed}, draws: {draws}, level: {level:g}",
    ]
    title = f"Systems{f' of {name}' if name else ''} ranked by {metric.name}"
    return Report(title, sections, "\n".join(made))


def rank_picture(ranks: Sequence[SystemRank], method: SystemMethod) -> Picture:
    """A dot with its interval for each system, best at the top, and a line between clusters."""
    panels: dict[str, list[Dot]] = {}
    for each in ranks:
        dots = panels.setdefault(each.language_pair, [])
        dots.append(Dot(each.system, shown_estimate(each.score), each.cluster))
    is_share = method in _SHARES
    axis = Axis(
        "best on segments" if is_share else f"{method} score",
        percent=is_share,
        limits=(0.0, 1.0) if is_share else (None, None),
        shared=False,
    )
    drawn = any(each.cluster is not None for each in ranks)
    caption = "Bars: bootstrap intervals. A line parts clusters: no rank range reaches across it."
    return panel_picture(
        panels, axis, title="Systems", name="ranks", caption=caption if drawn else ""
    )


def _rank_table(
    ranks: Sequence[SystemRank],
    metric: str,
    method: SystemMethod,
    human: SystemScores | None,
    notes: Sequence[str],
) -> Table:
    is_share = method in _SHARES
    columns = [
        Column("language_pair", title="pair"),
        Column("cluster"),
        Column("rank"),
        Column("best_rank", title="at best"),
        Column("worst_rank", title="at worst"),
        Column("system"),
        Column("score", digits=1 if is_share else None, percent=is_share),
        Column("segments"),
        Column("wins", title="beats the next", digits=1, percent=True),
        Column("p", digits=4),
        *([] if human is None else _PEOPLE),
    ]
    rows = [_rank_row(each, human) for each in ranks]
    return Table("ranks", f"Systems ranked by {metric} ({method})", columns, rows, notes)


def _rank_row(each: SystemRank, human: SystemScores | None) -> Row:
    row: Row = [
        shown_pair(each.language_pair),
        each.cluster,
        each.rank,
        each.best_rank,
        each.worst_rank,
        each.system,
        shown_estimate(each.score),
        each.n_segments,
        each.wins,
        each.p,
    ]
    return row if human is None else [*row, human.get(_key(each)), _human_rank(_key(each), human)]


def _human_rank(key: SystemKey, human: SystemScores) -> int | None:
    """Among all systems of the language pair that people judged; equal scores share a rank."""
    own = human.get(key)
    if own is None:
        return None
    others = [score for other, score in human.items() if other.language_pair == key.language_pair]
    return 1 + sum(score > own for score in others if score is not None)


def _people_table(ranks: Sequence[SystemRank], metric: str, human: SystemScores) -> Table:
    """How the metric's system scores go with people's, by language pair and on average."""
    scores = {_key(each): each.score.value for each in ranks}
    columns = [
        Column("language_pair", title="pair"),
        Column("systems"),
        *(Column(each.value, title=COEFFICIENT_TITLES[each], digits=3) for each in Coefficient),
    ]
    title = f"System scores of {metric} beside people's"
    notes = list(_unmatched_notes(scores, human))
    met = {key: score for key, score in human.items() if key in scores}
    try:
        found = system_correlation(metric, scores, met)
    except UndefinedError as error:
        return Table("people", title, columns, [], [*notes, error.message])
    return Table("people", title, columns, list(_people_rows(found)), [*_lacks(found), *notes])


def _people_rows(found: SystemCorrelation) -> Iterator[Row]:
    for pair, each in found.by_pair.items():
        yield [shown_pair(pair), each.n, *(each.coefficients[c].value for c in Coefficient)]
    if several(list(found.by_pair)):
        yield [MEAN, None, *(found.mean[c].value for c in Coefficient)]


def _lacks(found: SystemCorrelation) -> list[str]:
    return reason_notes(
        lack
        for pair, each in found.by_pair.items()
        for estimate in each.coefficients.values()
        for lack in lack_of(pair or "systems", estimate)
    )


def _unmatched_notes(scores: Mapping[SystemKey, object], human: SystemScores) -> Iterator[str]:
    unranked = [key for key, score in human.items() if score is not None and key not in scores]
    unjudged = [key for key in scores if human.get(key) is None]
    if unranked:
        yield f"judged, and not ranked: {_listed(unranked)}"
    if unjudged:
        yield f"ranked, and not judged: {_listed(unjudged)}"


def _epsilon_notes(method: SystemMethod, interval: TieInterval | None) -> Iterator[str]:
    if method == SystemMethod.WITH_TIES and interval is not None:
        said = (
            f"ε = {interval.epsilon:.4g} ties first place on {interval.reached * 100:.1f} % of"
            f" {interval.n_segments:,} segments"
        )
        asked = f"; {interval.share * 100:.1f} % were asked for"
        yield said + asked * (interval.share != interval.reached)


def _draw_notes(draws: int, level: float, seed: int) -> list[str]:
    if not draws:
        return ["nothing was drawn, so that there are no intervals, rank ranges and clusters"]
    return [
        *interval_notes(draws, level, seed, over="segments"),
        f"at best, at worst: the ranks in {level * 100:g} % of the draws; those of different"
        " clusters do not overlap",
        "beats the next: the share of draws in which the system is better than the one below;"
        " p: two-sided, of no difference from it",
    ]


def _key(each: SystemRank) -> SystemKey:
    return SystemKey(each.language_pair, each.system)


def _called(each: SystemRank) -> str:
    return _listed([_key(each)])


def _listed(keys: Sequence[SystemKey]) -> str:
    return ", ".join(f"{key.system} ({key.language_pair})".removesuffix(" ()") for key in keys)
