"""The judges themselves, as tables: how far they agree, and the bounds that they set to metrics."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.reports.estimates import Row, interval_notes, lack_of, shown_estimate
from ensue.reports.model import Column, Lack, Table, reason_notes
from ensue.reports.translation.agreement import OVER_ALL, several, shown_pair
from ensue.statistics import Estimate
from ensue.translation.judgments import AnswerAgreement, JudgeSummary


def people_tables(people: JudgeSummary) -> list[Table]:
    """Agreement of the judges, the ceiling and the floors that follow, and ties for first place."""
    tables = [_agreement_table(people), _ceiling_table(people)]
    if people.floors:
        tables.append(_floor_table(people))
    if people.tie_shares:
        tables.append(_ties_table(people))
    return tables


def _agreement_table(people: JudgeSummary) -> Table:
    columns = [
        Column("language_pair", title="pair"),
        Column("judges"),
        Column("couples"),
        Column("agreement", title="P(A)", digits=1, percent=True),
        Column("kappa_uniform", title="κ, P(E) = 1/3", digits=3),
        Column("kappa_empirical", title="κ, P(E) of the answers", digits=3),
        Column("tie_share", title="ties", digits=1, percent=True),
    ]
    named = {OVER_ALL: people.overall}
    if several(list(people.by_pair)):
        named |= people.by_pair
    rows: list[Row] = []
    lacks: list[Lack] = []
    for pair, found in named.items():
        for who, agreement in (("inter", found.inter), ("intra", found.intra)):
            rows.append([shown_pair(pair), who, *_agreement_cells(agreement), found.tie_share])
            lacks += [
                lack for each in _estimates(agreement) for lack in lack_of(f"{pair} ({who})", each)
            ]
    notes = [
        "inter: two judges about the same two outputs, intra: one judge twice; P(A): how often"
        " they agree, a tie being an answer; κ: (P(A) − P(E)) / (1 − P(E)), with P(E) as WMT has"
        " it up to 2010 and later",
        *interval_notes(people.resampling, over="segments"),
        *reason_notes(lacks),
        *_contradiction_notes(people),
        *people.missing,
    ]
    return Table("judges", "Agreement of the judges", columns, rows, notes)


def _estimates(agreement: AnswerAgreement) -> tuple[Estimate, ...]:
    return agreement.observed, agreement.kappa_uniform, agreement.kappa_empirical


def _agreement_cells(agreement: AnswerAgreement) -> Row:
    return [agreement.n_couples, *map(shown_estimate, _estimates(agreement))]


def _contradiction_notes(people: JudgeSummary) -> Iterator[str]:
    found = people.contradictions
    if found.n_repeated:
        yield (
            f"{len(found.found)} of {found.n_repeated} comparisons that a judge repeated"
            " contradict each other"
        )
    if people.overall.n_left_out:
        yield f"answers of which nobody knows who gave them, left out: {people.overall.n_left_out}"


def _ceiling_table(people: JudgeSummary) -> Table:
    columns = [
        Column("bound"),
        Column("share", digits=1, percent=True),
        Column("n"),
        Column("meaning"),
    ]
    ceiling = people.ceiling
    bounds = {
        "two-judges": (
            ceiling.two_judges,
            ceiling.n_couples,
            "how often two judges prefer the same output; the best metric reaches at least this",
        ),
        "leave-one-out": (
            ceiling.leave_one_out,
            ceiling.n_leave_one_out,
            "how often a judge prefers what most of the others do",
        ),
        "independent-bound": (
            ceiling.independent_bound,
            ceiling.n_couples,
            "(1 + √(2a − 1)) / 2 with a of two judges: the best metric reaches at most this, if"
            " judges do not influence each other",
        ),
        "oracle": (
            ceiling.oracle,
            ceiling.n_preferences,
            "what a metric reaches that knows all votes; says too much where few judges meet",
        ),
        "oracle-repeated": (
            ceiling.oracle_repeated,
            ceiling.n_repeated,
            "the same where two or more judged",
        ),
    }
    rows: list[Row] = [
        [name, shown_estimate(share), n, meaning] for name, (share, n, meaning) in bounds.items()
    ]
    lacks = [lack for name, (share, _, _) in bounds.items() for lack in lack_of(name, share)]
    notes = [
        "of preferences; human ties left out",
        *interval_notes(people.resampling, over="segments"),
        *reason_notes(lacks),
    ]
    return Table("ceiling", "What agreement with preferences can reach", columns, rows, notes)


def _floor_table(people: JudgeSummary) -> Table:
    columns = [
        Column("policy"),
        Column("expected", digits=1, percent=True),
        Column("simulated", digits=1, percent=True),
        Column("spread", title="±", digits=1, percent=True),
        Column("comparisons"),
        Column("meaning"),
    ]
    rows: list[Row] = [
        [
            floor.policy.value,
            floor.expected,
            floor.simulated,
            floor.spread,
            floor.n_comparisons,
            floor.meaning,
        ]
        for floor in people.floors
    ]
    notes = [
        "a complete ranking has to be transitive, and still agrees by chance with half of the"
        " preferences; it is less only where ties count",
        "±: the standard deviation between random metrics",
    ]
    return Table("floor", "What chance reaches", columns, rows, notes)


def _ties_table(people: JudgeSummary) -> Table:
    columns = [
        Column("unit"),
        Column("n"),
        Column("tied"),
        Column("share", digits=1, percent=True),
        Column("left_out", title="left out"),
    ]
    rows: list[Row] = [
        [each.unit.value, each.n, each.n_tied, shown_estimate(each.share), each.n_left_out]
        for each in people.tie_shares
    ]
    notes = [
        "of rankings, and of segments by mean rank; in brackets: Wilson's intervals"
        f" ({people.resampling.percent}); left out: those with one output",
        "Padó et al. (2009, section 2.2) see almost 30 % in WMT 2007",
    ]
    return Table("first_place", "Ties for first place", columns, rows, notes)
