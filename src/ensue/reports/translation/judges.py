"""The judges themselves, as tables: how far they agree, and the bounds that they set to metrics."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.reports.estimates import interval_notes
from ensue.reports.model import DASHES, Column, Table, share
from ensue.reports.translation.agreement import OVER_ALL, several, shown_pair
from ensue.translation.judgments import JudgeSummary


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
        Column("language_pair", "pair", get=lambda pair, *_: shown_pair(pair)),
        Column("judges", get=lambda *row: row[1]),
        Column("couples", get="n_couples"),
        share("agreement", "P(A)", "observed"),
        Column("kappa_uniform", title="κ, P(E) = 1/3", digits=3),
        Column("kappa_empirical", title="κ, P(E) of the answers", digits=3),
        share("tie_share", "ties", lambda *row: row[2].tie_share),
    ]
    named = {OVER_ALL: people.overall}
    if several(list(people.by_pair)):
        named |= people.by_pair
    rows = [
        (pair, who, found, agreement)
        for pair, found in named.items()
        for who, agreement in (("inter", found.inter), ("intra", found.intra))
    ]
    notes = [
        "inter: two judges about the same two outputs, intra: one judge twice; P(A): how often"
        " they agree, a tie being an answer; κ: (P(A) − P(E)) / (1 − P(E)), with P(E) as WMT has"
        " it up to 2010 and later",
        *interval_notes(people.resampling, over="segments"),
        DASHES,
        *_contradiction_notes(people),
        *people.missing,
    ]
    title = "Agreement of the judges"
    return Table.of(
        "judges", title, columns, rows, notes, called=lambda pair, who, *_: f"{pair} ({who})"
    )


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
        Column("bound", get=lambda *row: row[0]),
        share("share", get=lambda *row: row[1]),
        Column("n", get=lambda *row: row[2]),
        Column("meaning", get=lambda *row: row[3]),
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
    notes = [
        "of preferences; human ties left out",
        *interval_notes(people.resampling, over="segments"),
        DASHES,
    ]
    title = "What agreement with preferences can reach"
    rows = [(name, *bound) for name, bound in bounds.items()]
    return Table.of("ceiling", title, columns, rows, notes, called=lambda name, *_: name)


def _floor_table(people: JudgeSummary) -> Table:
    columns = [
        Column("policy"),
        share("expected"),
        share("simulated"),
        share("spread", "±"),
        Column("comparisons", get="n_comparisons"),
        Column("meaning"),
    ]
    notes = [
        "a complete ranking has to be transitive, and still agrees by chance with half of the"
        " preferences; it is less only where ties count",
        "±: the standard deviation between random metrics",
    ]
    return Table.of("floor", "What chance reaches", columns, people.floors, notes)


def _ties_table(people: JudgeSummary) -> Table:
    columns = [
        Column("unit"),
        Column("n"),
        Column("tied", get="n_tied"),
        share("share"),
        Column("left_out", title="left out", get="n_left_out"),
    ]
    notes = [
        "of rankings, and of segments by mean rank; in brackets: Wilson's intervals"
        f" ({people.resampling.percent}); left out: those with one output",
        "Padó et al. (2009, section 2.2) see almost 30 % in WMT 2007",
    ]
    return Table.of("first_place", "Ties for first place", columns, people.tie_shares, notes)
