"""How far the judges of patterns agree, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.evaluation.results import Estimate
from ensue.paraphrase.judging.agreement import JudgeAgreement
from ensue.reports.contents.entries import Lack, Row, interval_notes, lack_of, shown_estimate
from ensue.reports.contents.paraphrase.cutting import cut, dash_notes
from ensue.reports.model import Column, Table

_ALL = "all"
"""The row of all judges together."""
_STRICTNESS = Column("strictness")


def judge_tables(agreement: JudgeAgreement, *, every: bool = True) -> list[Table]:
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


def _all_table(agreement: JudgeAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("judges"),
        Column("patterns"),
        Column("by_all", title="judged by all"),
        _share("raw", "all agree"),
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


def _couples_table(agreement: JudgeAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("first"),
        Column("second"),
        Column("patterns", title="judged by both"),
        _share("raw", "agree"),
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


def _judges_table(agreement: JudgeAgreement, every: bool) -> Table:
    columns = [
        _STRICTNESS,
        Column("judge"),
        Column("patterns"),
        _share("yes"),
        Column("repeats", title="judged twice"),
        _share("with_self", "agrees with self"),
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


def _strict_table(agreement: JudgeAgreement, every: bool) -> Table:
    columns = [
        Column("judge"),
        Column("lenient_yes", title="lenient yes"),
        _share("strict", "of these strict yes"),
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


def _interval_notes(agreement: JudgeAgreement) -> list[str]:
    if agreement.n_terms < 2:
        return ["no intervals: there is one term only, so that no others can be drawn"]
    return interval_notes(agreement.draws, agreement.level, agreement.seed, over="terms")


def _lacks(name: str, figures: tuple[Estimate, ...]) -> list[Lack]:
    return [lack for figure in figures for lack in lack_of(name, figure)]


def _share(name: str, title: str | None = None) -> Column:
    return Column(name, title=title, digits=1, percent=True)
