"""Scores and ranks of systems, as tables, pictures and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ensue import __version__
from ensue.errors import UndefinedError
from ensue.reports.model import (
    COEFFICIENT_TITLES,
    DASHES,
    Column,
    Interval,
    Picture,
    Report,
    Row,
    Section,
    Table,
    best_of,
    interval_notes,
    lack_of,
    names_in_words,
    reason_notes,
    share,
    shown_estimate,
)
from ensue.reports.pictures.dots import Axis, Dot, panel_picture
from ensue.reports.translation.agreement import (
    LANGUAGE_PAIR,
    MEAN,
    NamedMetric,
    recipe,
    several,
    shown_pair,
)
from ensue.statistics import Coefficient
from ensue.translation import SystemKey, SystemMethod, SystemRank, SystemRanking
from ensue.translation.evaluation import SystemCorrelation, SystemScores

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
    return Report(f"Scores of {name}", sections, "\n".join(made), score_answer(systems, metrics))


def score_answer(systems: Sequence[SystemTotals], metrics: Sequence[NamedMetric]) -> str:
    """Which system of each language pair each metric finds best."""
    if not systems or not metrics:
        return "No system was scored."
    said = []
    for i, metric in enumerate(metrics):
        pairs: dict[str, dict[str, float | None]] = {}
        for each in systems:
            pairs.setdefault(each.key.language_pair, {})[each.key.system] = each.means[i]
        found = [f"{names_in_words(best_of(some))}{_in(pair)}" for pair, some in pairs.items()]
        said.append(f"{metric.name} gives the best mean to {names_in_words(found)}")
    return f"{'; '.join(said)}."


def _in(pair: str) -> str:
    return f" in {pair}" if pair else ""


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


def rank_tables(ranking: SystemRanking) -> list[Table]:
    """The ranks of systems and, where people judged them, how both orders go together."""
    tables = [_rank_table(ranking)]
    if ranking.people is not None:
        tables.append(_people_table(ranking))
    return tables


def rank_report(ranking: SystemRanking) -> Report:
    """The page of the ranks."""
    ranked, *people = rank_tables(ranking)
    sections = [Section("Ranks", "", [rank_picture(ranking), ranked])]
    if people:
        sections.append(Section("Beside people", "", people))
    interval = ranking.interval
    made = [
        f"ensue {__version__}",
        f"metric: {ranking.metric}: {ranking.signature or 'no signature'}",
        f"method: {ranking.method}"
        + (f", tie interval: {interval.epsilon!r}" if interval else "")
        + f", {ranking.resampling}",
    ]
    of = f" of {ranking.name}" if ranking.name else ""
    title = f"Systems{of} ranked by {ranking.metric}"
    return Report(title, sections, "\n".join(made), rank_answer(ranking))


def rank_answer(ranking: SystemRanking) -> str:
    """Which system of each language pair is first, and which cannot be told apart from it."""
    pairs: dict[str, list[SystemRank]] = {}
    for each in ranking.ranks:
        pairs.setdefault(each.language_pair, []).append(each)
    found = [_first_answer(pair, ranks) for pair, ranks in pairs.items()]
    if not found:
        return f"{ranking.metric} ranks no system."
    return f"By {ranking.metric}, {'; '.join(found)}."


def _first_answer(pair: str, ranks: Sequence[SystemRank]) -> str:
    first = [each for each in ranks if each.rank == 1]
    if not first:
        return f"no system is ranked{_in(pair)}"
    are = "is" if len(first) == 1 else "are"
    said = f"{names_in_words([each.system for each in first])} {are} first{_in(pair)}"
    cluster = first[0].cluster
    near = [each.system for each in ranks if each.cluster == cluster and each not in first]
    if cluster is None:
        return said
    if not near:
        return f"{said}, clearly before the others" if len(ranks) > len(first) else said
    return f"{said}, not told apart from {names_in_words(near)}"


def rank_picture(ranking: SystemRanking) -> Picture:
    """A dot with its interval for each system, best at the top, and a line between clusters."""
    panels: dict[str, list[Dot]] = {}
    for each in ranking.ranks:
        dots = panels.setdefault(each.language_pair, [])
        dots.append(Dot(each.system, shown_estimate(each.score), each.cluster))
    is_share = ranking.method in _SHARES
    axis = Axis(
        "best on segments" if is_share else f"{ranking.method} score",
        percent=is_share,
        limits=(0.0, 1.0) if is_share else (None, None),
        shared=False,
    )
    drawn = any(each.cluster is not None for each in ranking.ranks)
    caption = "Bars: bootstrap intervals. A line parts clusters: no rank range reaches across it."
    return panel_picture(
        panels, axis, title="Systems", name="ranks", caption=caption if drawn else ""
    )


def _rank_table(ranking: SystemRanking) -> Table:
    is_share = ranking.method in _SHARES
    people = ranking.people or {}
    columns = [
        LANGUAGE_PAIR,
        Column("cluster"),
        Column("rank"),
        Column("best_rank", title="at best", importance=-1),
        Column("worst_rank", title="at worst", importance=-1),
        Column("system"),
        Column("score", digits=1 if is_share else None, percent=is_share),
        Column("segments", get="n_segments", importance=-1),
        share("wins", "beats the next"),
        Column("p", digits=4),
    ]
    if ranking.people is not None:
        columns += [
            Column("human", "people's score", 3, get=lambda each: people.get(each.key)),
            Column("human_rank", "people's rank", get=lambda each: ranking.people_rank(each.key)),
        ]
    notes = [
        f"score: {_METHODS[ranking.method]}",
        *_epsilon_notes(ranking),
        DASHES,
        *_draw_notes(ranking),
    ]
    title = f"Systems ranked by {ranking.metric} ({ranking.method})"
    return Table.of(
        "ranks", title, columns, ranking.ranks, notes, called=lambda each: _listed([each.key])
    )


def _people_table(ranking: SystemRanking) -> Table:
    """How the metric's system scores go with people's, by language pair and on average."""
    columns = [
        Column("language_pair", title="pair"),
        Column("systems"),
        *(Column(each.value, title=COEFFICIENT_TITLES[each], digits=3) for each in Coefficient),
    ]
    title = f"System scores of {ranking.metric} beside people's"
    notes = list(_unmatched_notes(ranking.scores, ranking.people or {}))
    try:
        found = ranking.correlation()
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


def _epsilon_notes(ranking: SystemRanking) -> Iterator[str]:
    interval = ranking.interval
    if ranking.method == SystemMethod.WITH_TIES and interval is not None:
        said = (
            f"ε = {interval.epsilon:.4g} ties first place on {interval.reached * 100:.1f} % of"
            f" {interval.n_segments:,} segments"
        )
        asked = f"; {interval.share * 100:.1f} % were asked for"
        yield said + asked * (interval.share != interval.reached)


def _draw_notes(ranking: SystemRanking) -> list[str]:
    if not ranking.resampling.draws:
        return ["nothing was drawn, so that there are no intervals, rank ranges and clusters"]
    return [
        *interval_notes(ranking.resampling, over="segments"),
        f"at best, at worst: the ranks in {ranking.resampling.percent} of the draws; those of"
        " different clusters do not overlap",
        "beats the next: the share of draws in which the system is better than the one below;"
        " p: two-sided, of no difference from it",
    ]


def _listed(keys: Sequence[SystemKey]) -> str:
    return ", ".join(f"{key.system} ({key.language_pair})".removesuffix(" ()") for key in keys)
