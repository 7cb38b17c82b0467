"""What error mining found, as tables, a picture and one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from ensue import __version__
from ensue.mining import PATIENCE, SLASH, TOGETHER, Mining, Suspect, SuspicionMeasure
from ensue.reports.model import Cell, Column, Interval, Picture, Report, Section, Table
from ensue.reports.pictures.theme import color_scale, specification, told
from ensue.surface import WORDS, Located, located_tokens

MARKS = ("⟦", "⟧")
"""Stand around words that the other side does not have in the same place."""

HEADINGS = {
    SuspicionMeasure.SUSPICION: "S",
    SuspicionMeasure.CASES: "S·|O|",
    SuspicionMeasure.LN_CASES: "S·ln|O|",
    SuspicionMeasure.ERRORS: "S·|O_err|",
    SuspicionMeasure.LN_ERRORS: "S·ln|O_err|",
}
"""How each measure is written."""

Row = list[Cell | Interval]

_NOTED = 0.05
"""Suspects are drawn in the first color where their q is at most this."""
_ROW = 24
_WIDTH = 420


def mining_tables(
    minings: Sequence[Mining], *, n_worst: int = 3, every: bool = True, unmined: Sequence[str] = ()
) -> list[Table]:
    """The tables of what was mined: what it was, the suspects of each kind, their worst cases.

    Args:
        minings: One for each kind of errors.
        n_worst: How many cases of each suspect.
        every: Whether the worst cases are there, for programs.
        unmined: Why other kinds of errors were not mined.
    """
    tables = [_mined_table(minings, unmined), *map(suspects_table, minings)]
    if every and n_worst:
        tables += [worst_table(mining, n_worst) for mining in minings]
    return tables


def suspects_table(mining: Mining) -> Table:
    """The first suspects, in the columns of the paper's Table 1 and some more."""
    shown = shown_suspects(mining)
    in_two = _are_tag_pairs([suspect.form for suspect in mining.suspects])
    columns = [
        Column("rank"),
        *([Column("hypothesis", title="H"), Column("text", title="T")] if in_two else []),
        *([] if in_two else [Column("form")]),
        Column("suspicion", title=f"S after {mining.suspicion.n_iterations}", digits=4),
        Column("errors", title="#errors"),
        Column("cases", title="#cases"),
        *(
            Column(f"s_{measure.value.replace('-', '_')}", title=HEADINGS[measure], digits=4)
            for measure in SuspicionMeasure
            if measure is not SuspicionMeasure.SUSPICION
        ),
        Column("p", digits=4),
        Column("q", digits=4),
    ]
    rows = [_suspect_row(suspect, in_two) for suspect in shown]
    return Table(
        mining.kind.value, f"Suspects: {_described(mining)}", columns, rows, _notes(mining)
    )


def worst_table(mining: Mining, n_worst: int) -> Table:
    """The worst cases of the first suspects, side by side with what differs marked."""
    columns = [Column("form"), *_CASE_COLUMNS]
    rows: list[Row] = [
        [suspect.form, *row]
        for suspect in shown_suspects(mining)
        for row in _case_rows(mining, suspect, n_worst)
    ]
    name = f"{mining.kind.value}_cases"
    return Table(name, f"Worst cases: {_described(mining)}", columns, rows, [_MARKED])


def suspects_picture(mining: Mining) -> Picture:
    """A bar for each of the first suspects, as long as the measure that ranks them."""
    measure = mining.settings.measure
    sure, unsure = f"q ≤ {_NOTED:g}", f"q > {_NOTED:g}"
    values = [
        {
            "form": suspect.form,
            "value": suspect.measures[measure],
            "errors": suspect.n_errors,
            "cases": suspect.n_cases,
            "series": sure if suspect.q is None or suspect.q <= _NOTED else unsure,
        }
        for suspect in shown_suspects(mining)
    ]
    legend = {} if mining.settings.permutations else {"legend": None}
    encoding: dict[str, Any] = {
        "x": {"field": "value", "type": "quantitative", "title": HEADINGS[measure]},
        "y": {
            "field": "form",
            "type": "nominal",
            "title": None,
            "sort": None,
            "axis": {"labelLimit": 320},
        },
        "color": {
            "field": "series",
            "type": "nominal",
            "scale": color_scale([sure, unsure]),
            **legend,
        },
        "tooltip": told(
            {"form": "form"},
            {"value": HEADINGS[measure], "errors": "#errors", "cases": "#cases"},
        ),
    }
    spec = {
        "width": _WIDTH,
        "height": {"step": _ROW},
        "data": {"values": values},
        "mark": {"type": "bar"},
        "encoding": encoding,
    }
    return Picture(
        f"{mining.kind.value}-suspects",
        f"Suspects: {_described(mining)}",
        specification(spec),
        f"{HEADINGS[measure]} of each form, the most suspicious at the top.",
    )


def mining_report(
    minings: Sequence[Mining], *, gold: str, n_worst: int = 3, unmined: Sequence[str] = ()
) -> Report:
    """The page of what was mined, a section for each kind of errors.

    Args:
        minings: One for each kind of errors.
        gold: What the gold pairs are called.
        n_worst: How many cases of each suspect.
        unmined: Why other kinds of errors were not mined.
    """
    sections = [Section("What was mined", "", [_mined_table(minings, unmined)])]
    for mining in minings:
        title = mining.kind.called.capitalize()
        parts: list[Table | Picture] = [suspects_picture(mining), suspects_table(mining)]
        sections.append(Section(title, _introduction(mining), parts))
        worst = list(_worst_of_each(mining, n_worst))
        if worst:
            sections.append(Section(f"{title}: worst cases", _MARKED, worst))
    title = f"Errors of {minings[0].run} on {gold}"
    return Report(title=title, sections=sections, signature=_signature(minings, gold))


def shown_suspects(mining: Mining) -> tuple[Suspect, ...]:
    """The suspects that are shown: as many as have intervals."""
    return mining.suspects[: mining.settings.top]


def marked_sides(text: str, hypothesis: str) -> tuple[str, str]:
    """Both sides with the words marked that do not stand in the other, in the same order.

    >>> marked_sides("A book is sent by John.", "John sends a book.")
    ('A book ⟦is sent by John⟧.', '⟦John sends⟧ a book.')
    """
    sides = [located_tokens(side, WORDS) for side in (text, hypothesis)]
    words = [[each.token for each in side] for side in sides]
    changes = [
        change
        for change in SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes()
        if change[0] != "equal"
    ]
    return (
        _marked(text, [sides[0][start:end] for _, start, end, _, _ in changes]),
        _marked(hypothesis, [sides[1][start:end] for _, _, _, start, end in changes]),
    )


_CASE_COLUMNS = (
    Column("pair_id", title="id"),
    Column("share", digits=2),
    Column("gold"),
    Column("answer"),
    Column("text"),
    Column("hypothesis"),
)
_MARKED = (
    f"{MARKS[0]}…{MARKS[1]}: words that the other side does not have in the same order;"
    " share: how much of the case's suspicion falls on the suspect."
)


def _marked(side: str, stretches: Sequence[Sequence[Located]]) -> str:
    for stretch in reversed([stretch for stretch in stretches if stretch]):
        start, end = stretch[0].start, stretch[-1].end
        side = f"{side[:start]}{MARKS[0]}{side[start:end]}{MARKS[1]}{side[end:]}"
    return side


def _mined_table(minings: Sequence[Mining], unmined: Sequence[str]) -> Table:
    columns = [
        Column("run"),
        Column("kind"),
        Column("cases"),
        Column("errors"),
        Column("rate", title="error rate", digits=1, percent=True),
        Column("without_form", title="cases without a form"),
        Column("forms"),
        Column("suspects"),
        Column("iterations"),
    ]
    rows: list[Row] = [
        [
            mining.run,
            mining.kind.called,
            mining.n_cases,
            mining.n_errors,
            mining.n_errors / mining.n_cases,
            mining.n_cases_without_form,
            mining.n_forms,
            len(mining.suspects),
            mining.suspicion.n_iterations,
        ]
        for mining in minings
    ]
    return Table("mined", "What was mined", columns, rows, unmined)


def _suspect_row(suspect: Suspect, in_two: bool) -> Row:
    rate = suspect.suspicion
    interval = Interval(rate.value, rate.low, rate.high)
    names: Row = list(suspect.form.split(SLASH)) if in_two else [suspect.form]
    measures = [
        suspect.measures[each]
        for each in SuspicionMeasure
        if each is not SuspicionMeasure.SUSPICION
    ]
    return [
        suspect.rank,
        *names,
        interval,
        suspect.n_errors,
        suspect.n_cases,
        *measures,
        suspect.p,
        suspect.q,
    ]


def _case_rows(mining: Mining, suspect: Suspect, n_worst: int) -> Iterator[Row]:
    for worst in mining.worst_cases(suspect, n_worst):
        pair = worst.pair
        gold = mining.view.of(pair.gold).value if pair.gold else None
        answer = worst.answer.value if worst.answer else None
        yield [pair.id, worst.share, gold, answer, *marked_sides(pair.text, pair.hypothesis)]


def _worst_of_each(mining: Mining, n_worst: int) -> Iterator[Table]:
    for suspect in shown_suspects(mining) if n_worst else ():
        rows = list(_case_rows(mining, suspect, n_worst))
        title = f"{suspect.rank}. {suspect.form}: {suspect.n_errors} of {suspect.n_cases}"
        yield Table(f"{mining.kind.value}-{suspect.rank}", title, _CASE_COLUMNS, rows)


def _are_tag_pairs(forms: Sequence[str]) -> bool:
    return all(
        form.count(SLASH) == 1 and "=" not in form and ":" not in form and TOGETHER not in form
        for form in forms
    )


def _described(mining: Mining) -> str:
    against = f", where {mining.against} is right" if mining.against else ""
    return f"{mining.kind.called} of {mining.run}{against}"


def _notes(mining: Mining) -> list[str]:
    notes = [f"ranked by {HEADINGS[mining.settings.measure]}"]
    n = len(mining.suspects)
    if mining.suspicion.n_iterations >= PATIENCE and not mining.suspicion.converged:
        notes.append(f"not converged after {mining.suspicion.n_iterations} iterations")
    if n > len(shown_suspects(mining)):
        notes.append(f"the first {len(shown_suspects(mining))} of {n} forms in error cases")
    if mining.n_errors_without_form:
        notes.append(f"errors without a form, laid to nobody: {mining.n_errors_without_form}")
    if mining.settings.permutations:
        notes.append(
            f"p: {mining.settings.permutations} permutations of the errors; q: p corrected for"
            f" {mining.n_forms} forms (Benjamini–Hochberg)"
        )
    return notes


def _introduction(mining: Mining) -> str:
    return (
        f"{mining.n_errors} {mining.kind.called} among {mining.n_cases} {mining.kind.among}."
        " An error case shares its suspicion among its forms in proportion to their suspicion;"
        " S is the mean over all cases with the form, good ones counting zero."
        " S·|O_err| is the expected gain from mending it."
    )


def _signature(minings: Sequence[Mining], gold: str) -> str:
    settings, resampling = minings[0].settings, minings[0].settings.resampling
    lines = [f"ensue {__version__}", f"gold: {gold}, run: {minings[0].run}"]
    if minings[0].against:
        lines.append(f"against: {minings[0].against}")
    lines.append(
        f"measure: {settings.measure.value}, iterations: {minings[0].suspicion.n_iterations},"
        f" draws: {resampling.draws}, permutations: {settings.permutations},"
        f" level: {resampling.level:g}, seed: {resampling.seed}"
    )
    return "\n".join(lines)
