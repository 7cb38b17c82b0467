"""Agreement of the judges of patterns, and of automatic qualities with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ensue import __version__
from ensue.paraphrase import PatternAgreement
from ensue.paraphrase.quality import AutomaticAgreement, QualityBin, QualityTrial
from ensue.reports.model import (
    DASHES,
    Column,
    Picture,
    Report,
    Section,
    Table,
    interval_in_words,
    interval_notes,
    number_in_words,
    reason_notes,
    share,
)
from ensue.reports.paraphrase.means import MOST
from ensue.reports.pictures.curves import EstimateCurve, PlotFrame, line_picture
from ensue.statistics import RESAMPLING, Estimate, Resampling, share_estimate

# How far the judges of patterns agree, as tables.

_ALL = "all"
"""The row of all judges together."""
_STRICTNESS = Column("strictness", get=lambda each, _: each.strictness)


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
        Column("strictness"),
        Column("judges", get=lambda each: len(each.judges)),
        Column("patterns", get="n_patterns"),
        Column("by_all", title="judged by all", get="n_by_all"),
        share("raw", "all agree"),
        Column("fleiss", title="Fleiss' κ", digits=3, signed=True),
        Column("alpha", title="Krippendorff's α", digits=3, signed=True),
    ]
    notes = [
        "raw agreement and κ are over the patterns that all judged, α over those that two judged"
        " or more",
        *_interval_notes(agreement),
        DASHES,
    ]
    return Table.of(
        "agreement",
        "Agreement of all judges",
        columns,
        agreement.by_strictness,
        notes,
        called=lambda each: each.strictness,
        short_notes=True,
        every=every,
    )


def _couples_table(agreement: PatternAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("first"),
        Column("second"),
        Column("patterns", title="judged by both", get="n_patterns"),
        share("raw", "agree"),
        Column("kappa", title="Cohen's κ", digits=3, signed=True),
    ]
    return Table.of(
        "couples",
        "Agreement of every two judges",
        columns,
        [(each, two) for each in agreement.by_strictness for two in each.couples],
        [*_interval_notes(agreement), DASHES],
        called=lambda each, two: f"{two.first} and {two.second}, {each.strictness}",
        short_notes=True,
        every=every,
        most=MOST,
        what="couples",
    )


def _judges_table(agreement: PatternAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("judge"),
        Column("patterns", get="n_patterns"),
        share("yes"),
        Column("repeats", title="judged twice", get="n_repeats"),
        share("with_self", "agrees with self"),
    ]
    notes = [
        "judged twice: every two patterns with the same term and paraphrase, e.g. in lists of two"
        " methods",
        *_interval_notes(agreement),
        DASHES,
    ]
    return Table.of(
        "judges",
        "Each judge",
        columns,
        [(each, one) for each in agreement.by_strictness for one in each.judges],
        notes,
        called=lambda each, one: f"{one.judge}, {each.strictness}",
        short_notes=True,
        every=every,
        most=MOST,
        what="judges",
    )


def _strict_table(agreement: PatternAgreement, every: bool) -> Table:
    columns = [
        Column("judge", get=lambda each: each.judge or _ALL),
        Column("lenient_yes", title="lenient yes", get="n_lenient"),
        share("strict", "of these strict yes"),
        Column("strict_only", title="strict yes, lenient no", get="n_strict_only"),
    ]
    notes = [
        "strict: the sentence with the paraphrase is grammatical, too; a strict yes with a lenient"
        " no should not be",
        *_interval_notes(agreement),
        DASHES,
    ]
    return Table.of(
        "strict_of_lenient",
        "Strict against lenient judgment",
        columns,
        agreement.strict_of_lenient,
        notes,
        called=lambda each: each.judge or _ALL,
        short_notes=True,
        every=every,
        most=MOST,
        what="judges",
    )


def _interval_notes(agreement: PatternAgreement) -> list[str]:
    if agreement.n_terms < 2:
        return ["no intervals: there is one term only, so that no others can be drawn"]
    return interval_notes(agreement.resampling, over="terms")


# How far automatic qualities agree with people, as tables, a picture and one page.

_WHOSE = (
    Column("instances", get=lambda _, each, *__: each.name),
    Column("recognizer", get=lambda name, *_: name),
)
_GUESS = 0.5
"""The area under the ROC curve of a guess."""
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
    title = f"Automatic quality against people: {names}"
    return Report(title, sections, "\n".join(made), validation_answer(agreements, resampling))


def validation_answer(
    agreements: Sequence[AutomaticAgreement], resampling: Resampling = RESAMPLING
) -> str:
    """Whether automatic qualities tell right instances from wrong ones."""
    return " ".join(_quality_answer(name, each, resampling) for name, each in _named(agreements))


def _quality_answer(name: str, found: AutomaticAgreement, resampling: Resampling) -> str:
    area = found.figures.area
    if area.value is None:
        return f"Whether {name} tells right from wrong on {found.name} is undefined: {area.reason}."
    told = "where a guess has"
    if area.low is not None and area.high is not None:
        is_apart = area.low > _GUESS or area.high < _GUESS
        better = "better" if area.value > _GUESS else "worse"
        told = f"{better} than a guess" if is_apart else "not told apart from a guess"
    column = Column("area", digits=3)
    interval = interval_in_words(area, resampling, column)
    return (
        f"{name} puts right instances of {found.name} above wrong ones with an area under the ROC"
        f" curve of {number_in_words(area.value, column)}{interval}, {told} ({_GUESS})."
    )


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
        Column("taken", get=_is_taken),
    ]
    rows = [(name, each, trial) for name, each in _named(agreements) for trial in each.trials]
    notes = [
        "on the choosing half; what has the least Brier score is taken, of equal ones the first",
        "soft: how sure the recognizer is, hard: 1 for a yes; forward: from the sentence with the"
        " term to the one with the paraphrase, backward: the other way, the others: both together",
        *reason_notes(
            (f"{name}, {trial.grade}", trial.reason) for name, _, trial in rows if trial.reason
        ),
    ]
    return Table.of("trials", "Ways to make a quality of two verdicts", columns, rows, notes)


def _is_taken(_name: str, each: AutomaticAgreement, trial: QualityTrial) -> bool:
    return (trial.grade, trial.combination) == (each.grade, each.combination)


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
        Column("share_right", "right", 3, get=lambda *row: _share_right(row[-1], resampling)),
    ]
    rows = [(name, each, part) for name, each in _named(agreements) for part in each.figures.bins]
    notes = [f"in brackets: {resampling.percent} {_INDEPENDENT}"]
    return Table.of("bins", "Instances by automatic quality", columns, rows, notes)


def _agreement_table(agreements: Sequence[AutomaticAgreement], over: list[str]) -> Table:
    columns = [
        *_WHOSE,
        Column("grade"),
        Column("combination"),
        Column("chosen", get="was_chosen", importance=-1),
        Column("n", title="judged", get="figures.n_instances", importance=-1),
        Column("undecided", get="n_undecided", importance=-2),
        Column("rules", get="figures.n_rules", importance=-1),
        Column("share_right", title="right", digits=3, get="figures.share_right"),
        Column("area", digits=3, get="figures.area"),
        Column("brier", title="Brier", digits=3, get="figures.brier"),
        Column("brier_of_share", "Brier of the share", 3, get="figures.brier_of_share"),
        Column("pearson", "Pearson's r", 3, signed=True, get="figures.pearson"),
        Column("spearman", "Spearman's ρ", 3, signed=True, get="figures.spearman"),
    ]
    notes = [
        "on the half of the rules that nothing was chosen on; chosen: whether grade and combination"
        " were chosen, on the other half",
        "area: under the ROC curve, 0.5 is chance; Brier: the mean squared distance of Q from what"
        " people say, less is better; of the share: that of one Q for all, the share of right"
        " instances on the choosing half",
        "r, ρ: between the mean Q of each rule and the share of its instances that are right",
        *over,
        DASHES,
    ]
    title = "Automatic quality against people"
    rows = list(_named(agreements))
    return Table.of("automatic", title, columns, rows, notes, called=lambda name, _: name)


def _decisions_table(agreements: Sequence[AutomaticAgreement], over: list[str]) -> Table:
    columns = [
        *_WHOSE,
        Column("decisions", title="yes is", get=lambda *row: row[2]),
        Column("cutoff", digits=3, get=_cutoff),
        Column("accuracy", digits=3),
        Column("kappa", title="Cohen's κ", digits=3, signed=True),
        Column("precision", digits=3),
        Column("recall", digits=3),
    ]
    rows = [
        (name, each, kind, decided)
        for name, each in _named(agreements)
        for kind, decided in (
            ("own", each.figures.own),
            ("tuned", each.figures.tuned),
            ("majority", _Majority(each.figures.majority)),
        )
    ]
    notes = [
        "own: what the recognizer itself finds entailed, by no cutoff on Q; tuned: a Q above the"
        " cutoff with the highest accuracy on the choosing half; majority: what people mostly say"
        " there, for every instance, so that only its accuracy says anything",
        *(["tuned, without a cutoff: always yes"] if _is_always_yes(agreements) else []),
        *over,
        DASHES,
    ]
    return Table.of(
        "decisions",
        "Yes and no against people",
        columns,
        rows,
        notes,
        called=lambda name, _, kind, __: f"{name}, {kind}",
    )


@dataclass(frozen=True, slots=True)
class _Majority:
    """What people mostly say, for every instance: only its accuracy says anything."""

    accuracy: Estimate
    cutoff: None = None
    kappa: None = None
    precision: None = None
    recall: None = None


def _cutoff(*row: Any) -> float | None:
    cutoff: float | None = row[-1].cutoff
    return None if cutoff == -math.inf else cutoff


def _is_always_yes(agreements: Sequence[AutomaticAgreement]) -> bool:
    return any(each.figures.tuned.cutoff == -math.inf for each in agreements)


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
