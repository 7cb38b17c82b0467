"""Agreement of the judges of patterns, and of automatic qualities with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ensue import __version__
from ensue.paraphrase import PatternAgreement
from ensue.paraphrase.quality import AutomaticAgreement, Decisions, QualityBin
from ensue.reports.estimates import Row, interval_notes, lack_of, shown_estimate
from ensue.reports.model import (
    Column,
    Lack,
    Picture,
    Report,
    Section,
    Table,
    dash_notes,
    reason_notes,
)
from ensue.reports.paraphrase.means import cut
from ensue.reports.pictures.plots import EstimateCurve, PlotFrame, line_picture
from ensue.statistics import RESAMPLING, Estimate, Resampling, share_estimate

# How far the judges of patterns agree, as tables.

_ALL = "all"
"""The row of all judges together."""
_STRICTNESS = Column("strictness")


def judge_tables(agreement: PatternAgreement, *, every: bool = True) -> list[Table]:
    """All judges together, every two, each alone, and strict against lenient judgment.

    Args:
        agreement: What to show.
        every: Whether all couples and judges are there, for programs.
    """
    tables = [
        _all_table(agreement, every),
        _couples_table(agreement, every),
        _judges_table(agreement, every),
    ]
    if agreement.strict_of_lenient:
        tables.append(_strict_table(agreement, every))
    return tables


def _all_table(agreement: PatternAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("judges"),
        Column("patterns"),
        Column("by_all", title="judged by all"),
        _share_column("raw", "all agree"),
        Column("fleiss", title="Fleiss' κ", digits=3, signed=True),
        Column("alpha", title="Krippendorff's α", digits=3, signed=True),
    ]
    rows: list[Row] = []
    lacks: list[Lack] = []
    for each in agreement.by_strictness:
        figures = (each.raw, each.fleiss, each.alpha)
        counts: Row = [len(each.judges), each.n_patterns, each.n_by_all]
        rows.append([each.strictness.value, *counts, *map(shown_estimate, figures)])
        lacks += _lacks(each.strictness, figures)
    notes = [
        "raw agreement and κ are over the patterns that all judged, α over those that two judged"
        " or more",
        *_interval_notes(agreement),
        *dash_notes(lacks, every=every),
    ]
    return Table("agreement", "Agreement of all judges", columns, rows, notes)


def _couples_table(agreement: PatternAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("first"),
        Column("second"),
        Column("patterns", title="judged by both"),
        _share_column("raw", "agree"),
        Column("kappa", title="Cohen's κ", digits=3, signed=True),
    ]
    lacks: list[Lack] = []

    def made() -> Iterator[Row]:
        for each in agreement.by_strictness:
            for two in each.couples:
                figures = (two.raw, two.kappa)
                lacks.extend(_lacks(f"{two.first} and {two.second}, {each.strictness}", figures))
                names: Row = [each.strictness.value, two.first, two.second, two.n_patterns]
                yield [*names, *map(shown_estimate, figures)]

    n = sum(len(each.couples) for each in agreement.by_strictness)
    rows, cut_notes = cut(made(), n, every=every, what="couples")
    notes = [*_interval_notes(agreement), *dash_notes(lacks, every=every), *cut_notes]
    return Table("couples", "Agreement of every two judges", columns, rows, notes)


def _judges_table(agreement: PatternAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("judge"),
        Column("patterns"),
        _share_column("yes"),
        Column("repeats", title="judged twice"),
        _share_column("with_self", "agrees with self"),
    ]
    lacks: list[Lack] = []

    def made() -> Iterator[Row]:
        for each in agreement.by_strictness:
            for one in each.judges:
                lacks.extend(_lacks(f"{one.judge}, {each.strictness}", (one.yes, one.with_self)))
                said: Row = [one.judge, one.n_patterns, shown_estimate(one.yes), one.n_repeats]
                yield [each.strictness.value, *said, shown_estimate(one.with_self)]

    n = sum(len(each.judges) for each in agreement.by_strictness)
    rows, cut_notes = cut(made(), n, every=every, what="judges")
    notes = [
        "judged twice: every two patterns with the same term and paraphrase, e.g. in lists of two"
        " methods",
        *_interval_notes(agreement),
        *dash_notes(lacks, every=every),
        *cut_notes,
    ]
    return Table("judges", "Each judge", columns, rows, notes)


def _strict_table(agreement: PatternAgreement, every: bool) -> Table:
    columns = [
        Column("judge"),
        Column("lenient_yes", title="lenient yes"),
        _share_column("strict", "of these strict yes"),
        Column("strict_only", title="strict yes, lenient no"),
    ]
    found = agreement.strict_of_lenient
    rows: list[Row] = [
        [each.judge or _ALL, each.n_lenient, shown_estimate(each.strict), each.n_strict_only]
        for each in found
    ]
    shown, cut_notes = cut(rows, len(rows), every=every, what="judges")
    lacks = [lack for each in found for lack in lack_of(each.judge or _ALL, each.strict)]
    notes = [
        "strict: the sentence with the paraphrase is grammatical, too; a strict yes with a lenient"
        " no should not be",
        *_interval_notes(agreement),
        *dash_notes(lacks, every=every),
        *cut_notes,
    ]
    return Table("strict_of_lenient", "Strict against lenient judgment", columns, shown, notes)


def _interval_notes(agreement: PatternAgreement) -> list[str]:
    if agreement.n_terms < 2:
        return ["no intervals: there is one term only, so that no others can be drawn"]
    return interval_notes(agreement.resampling, over="terms")


def _lacks(name: str, figures: tuple[Estimate, ...]) -> list[Lack]:
    return [lack for figure in figures for lack in lack_of(name, figure)]


def _share_column(name: str, title: str | None = None) -> Column:
    return Column(name, title=title, digits=1, percent=True)


# How far automatic qualities agree with people, as tables, a picture and one page.

_WHOSE = (Column("instances"), Column("recognizer"))
_INDEPENDENT = "Wilson intervals, which take instances as independent; those of one rule are not"


def validation_tables(
    agreements: Sequence[AutomaticAgreement],
    *,
    resampling: Resampling = RESAMPLING,
    every: bool = True,
) -> list[Table]:
    """Agreement with people, decisions against theirs and, for programs, trials and bins.

    Args:
        agreements: Of some recognizers, on the same or on different instances.
        resampling: Draws, level and seed of the intervals.
        every: Whether what was tried and the bins of qualities are there, for programs.
    """
    over = interval_notes(resampling, over="rules")
    tables = [_agreement_table(agreements, over), _decisions_table(agreements, over)]
    if every:
        tables += [trials_table(agreements), bins_table(agreements, resampling=resampling)]
    return tables


def validation_report(
    agreements: Sequence[AutomaticAgreement], *, resampling: Resampling = RESAMPLING
) -> Report:
    """The page of how far automatic qualities agree with people; arguments as of the tables."""
    agreement, decided = validation_tables(agreements, resampling=resampling, every=False)
    sections = [
        Section("Agreement with people", "", [agreement]),
        Section("Yes and no", "", [decided]),
        Section(
            "Are qualities at the right height?",
            "",
            [
                validation_picture(agreements, resampling=resampling),
                bins_table(agreements, resampling=resampling),
            ],
        ),
        Section("What was tried", "", [trials_table(agreements)]),
    ]
    names = ", ".join(dict.fromkeys(each.name for each in agreements))
    made = [
        f"ensue {__version__}",
        f"instances: {names}",
        *(f"recognizer: {each.signature}" for each in agreements),
        str(resampling),
    ]
    return Report(f"Automatic quality against people: {names}", sections, "\n".join(made))


def validation_picture(
    agreements: Sequence[AutomaticAgreement], *, resampling: Resampling = RESAMPLING
) -> Picture:
    """The share of right instances by automatic quality: a panel for each set of instances."""
    panels: dict[str, list[EstimateCurve]] = {}
    for name, each in _named(agreements):
        bins = each.figures.bins
        panels.setdefault(each.name, []).append(
            EstimateCurve(
                name,
                [part.mean_quality for part in bins],
                [_share_right(part, resampling) for part in bins],
                [part.n for part in bins],
            )
        )
    return line_picture(
        panels,
        PlotFrame("mean automatic Q", "share right, by people", is_square=True),
        columns=2,
        title="Right by automatic quality",
        name="reliability",
        caption="A dot is a bin of instances of about the same Q, as large as it has instances;"
        f" bars: {_INDEPENDENT}. On the dashed line Q is what people find.",
    )


def trials_table(agreements: Sequence[AutomaticAgreement]) -> Table:
    """What was tried on the choosing half: the ways to make a quality of two verdicts."""
    columns = [
        *_WHOSE,
        Column("grade"),
        Column("combination"),
        Column("area", digits=3),
        Column("brier", title="Brier", digits=3),
        Column("taken"),
    ]
    rows: list[Row] = []
    lacks: list[Lack] = []
    for name, each in _named(agreements):
        for trial in each.trials:
            taken = (trial.grade, trial.combination) == (each.grade, each.combination)
            tried: Row = [trial.grade.value, trial.combination.value, trial.area, trial.brier]
            rows.append([each.name, name, *tried, taken])
            if trial.reason:
                lacks.append((f"{name}, {trial.grade}", trial.reason))
    notes = [
        "on the choosing half; what has the least Brier score is taken, of equal ones the first",
        "soft: how sure the recognizer is, hard: 1 for a yes; forward: from the sentence with the"
        " term to the one with the paraphrase, backward: the other way, the others: both together",
        *reason_notes(lacks),
    ]
    return Table("trials", "Ways to make a quality of two verdicts", columns, rows, notes)


def bins_table(
    agreements: Sequence[AutomaticAgreement], *, resampling: Resampling = RESAMPLING
) -> Table:
    """Instances by automatic quality, and how many of them people find right."""
    columns = [
        *_WHOSE,
        Column("low", title="Q from", digits=3),
        Column("high", title="Q to", digits=3),
        Column("n", title="instances"),
        Column("mean_quality", title="mean Q", digits=3),
        Column("share_right", title="right", digits=3),
    ]
    rows: list[Row] = [
        [
            each.name,
            name,
            part.low,
            part.high,
            part.n,
            part.mean_quality,
            shown_estimate(_share_right(part, resampling)),
        ]
        for name, each in _named(agreements)
        for part in each.figures.bins
    ]
    notes = [f"in brackets: {resampling.percent} {_INDEPENDENT}"]
    return Table("bins", "Instances by automatic quality", columns, rows, notes)


def _agreement_table(agreements: Sequence[AutomaticAgreement], over: list[str]) -> Table:
    columns = [
        *_WHOSE,
        Column("grade"),
        Column("combination"),
        Column("chosen"),
        Column("n", title="judged"),
        Column("undecided"),
        Column("rules"),
        Column("share_right", title="right", digits=3),
        Column("area", digits=3),
        Column("brier", title="Brier", digits=3),
        Column("brier_of_share", title="Brier of the share", digits=3),
        Column("pearson", title="Pearson's r", digits=3, signed=True),
        Column("spearman", title="Spearman's ρ", digits=3, signed=True),
    ]
    rows = [_agreement_row(name, each) for name, each in _named(agreements)]
    notes = [
        "on the half of the rules that nothing was chosen on; chosen: whether grade and combination"
        " were chosen, on the other half",
        "area: under the ROC curve, 0.5 is chance; Brier: the mean squared distance of Q from what"
        " people say, less is better; of the share: that of one Q for all, the share of right"
        " instances on the choosing half",
        "r, ρ: between the mean Q of each rule and the share of its instances that are right",
        *over,
        *reason_notes(
            lack
            for name, each in _named(agreements)
            for figure in _figures(each)
            for lack in lack_of(name, figure)
        ),
    ]
    return Table("automatic", "Automatic quality against people", columns, rows, notes)


def _agreement_row(name: str, each: AutomaticAgreement) -> Row:
    figures = each.figures
    return [
        each.name,
        name,
        each.grade.value,
        each.combination.value,
        each.was_chosen,
        figures.n_instances,
        each.n_undecided,
        figures.n_rules,
        figures.share_right,
        *map(shown_estimate, _figures(each)),
    ]


def _figures(each: AutomaticAgreement) -> tuple[Estimate, ...]:
    found = each.figures
    return found.area, found.brier, found.brier_of_share, found.pearson, found.spearman


def _decisions_table(agreements: Sequence[AutomaticAgreement], over: list[str]) -> Table:
    columns = [
        *_WHOSE,
        Column("decisions", title="yes is"),
        Column("cutoff", digits=3),
        Column("accuracy", digits=3),
        Column("kappa", title="Cohen's κ", digits=3, signed=True),
        Column("precision", digits=3),
        Column("recall", digits=3),
    ]
    rows = [row for name, each in _named(agreements) for row in _decision_rows(name, each)]
    lacks = [
        lack
        for name, each in _named(agreements)
        for kind, decided in (("own", each.figures.own), ("tuned", each.figures.tuned))
        for figure in _measured(decided)
        for lack in lack_of(f"{name}, {kind}", figure)
    ]
    notes = [
        "own: what the recognizer itself finds entailed, by no cutoff on Q; tuned: a Q above the"
        " cutoff with the highest accuracy on the choosing half; majority: what people mostly say"
        " there, for every instance, so that only its accuracy says anything",
        *(["tuned, without a cutoff: always yes"] if _is_always_yes(agreements) else []),
        *over,
        *reason_notes(lacks),
    ]
    return Table("decisions", "Yes and no against people", columns, rows, notes)


def _is_always_yes(agreements: Sequence[AutomaticAgreement]) -> bool:
    return any(each.figures.tuned.cutoff == -math.inf for each in agreements)


def _decision_rows(name: str, each: AutomaticAgreement) -> Iterator[Row]:
    whose: Row = [each.name, name]
    for kind, decided in (("own", each.figures.own), ("tuned", each.figures.tuned)):
        cutoff = None if decided.cutoff == -math.inf else decided.cutoff
        yield [*whose, kind, cutoff, *map(shown_estimate, _measured(decided))]
    yield [*whose, "majority", None, shown_estimate(each.figures.majority), None, None, None]


def _measured(decided: Decisions) -> tuple[Estimate, ...]:
    return decided.accuracy, decided.kappa, decided.precision, decided.recall


def _share_right(part: QualityBin, resampling: Resampling) -> Estimate:
    return share_estimate(
        round(part.share_right * part.n), part.n, resampling.level, "the bin is empty"
    )


def _named(agreements: Sequence[AutomaticAgreement]) -> Iterator[tuple[str, AutomaticAgreement]]:
    """Each with what it is called; a number tells apart two of one recognizer on one set."""
    times: dict[tuple[str, str], int] = {}
    for each in agreements:
        name = each.signature.recognizer
        n = times[each.name, name] = times.get((each.name, name), 0) + 1
        yield (name if n == 1 else f"{name} ({n})"), each
