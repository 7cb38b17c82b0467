"""What error mining found, as tables, a picture and one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any

from ensue import __version__
from ensue.mining import PATIENCE, SLASH, TOGETHER, Mining, Suspect, SuspicionMeasure, WorstCase
from ensue.pairs import Label
from ensue.reports.model import (
    Cell,
    Column,
    Interval,
    Picture,
    Report,
    Section,
    Table,
    number_in_words,
    share,
)
from ensue.reports.pictures.dots import bar_picture
from ensue.reports.pictures.theme import told
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
    in_two = _are_tag_pairs([suspect.form for suspect in mining.suspects])
    names = [
        Column("hypothesis", title="H", get=lambda suspect: suspect.form.split(SLASH)[0]),
        Column("text", title="T", get=lambda suspect: suspect.form.split(SLASH)[1]),
    ]
    columns = [
        Column("rank"),
        *(names if in_two else [Column("form")]),
        Column("suspicion", title=f"S after {mining.suspicion.n_iterations}", digits=4),
        Column("errors", title="#errors", get="n_errors"),
        Column("cases", title="#cases", get="n_cases"),
        *(
            Column(
                f"s_{measure.value.replace('-', '_')}",
                HEADINGS[measure],
                digits=4,
                get=partial(_measure, measure),
            )
            for measure in SuspicionMeasure
            if measure is not SuspicionMeasure.SUSPICION
        ),
        Column("p", digits=4, importance=1),
        Column("q", digits=4, importance=1),
    ]
    title = f"Suspects: {_described(mining)}"
    return Table.of(mining.kind.value, title, columns, shown_suspects(mining), _notes(mining))


def _measure(measure: SuspicionMeasure, suspect: Suspect) -> float:
    return suspect.measures[measure]


def worst_table(mining: Mining, n_worst: int) -> Table:
    """The worst cases of the first suspects, side by side with what differs marked."""
    columns = [Column("form", get=lambda suspect, *_: suspect.form), *_CASE_COLUMNS]
    rows = [
        (suspect, mining, worst)
        for suspect in shown_suspects(mining)
        for worst in mining.worst_cases(suspect, n_worst)
    ]
    name = f"{mining.kind.value}_cases"
    return Table.of(name, f"Worst cases: {_described(mining)}", columns, rows, [_MARKED])


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
    heading = HEADINGS[measure]
    return bar_picture(
        values,
        place="form",
        number="value",
        axis=heading,
        series=[sure, unsure],
        tooltip=told({"form": "form"}, {"value": heading, "errors": "#errors", "cases": "#cases"}),
        legend=bool(mining.settings.permutations),
        title=f"Suspects: {_described(mining)}",
        name=f"{mining.kind.value}-suspects",
        caption=f"{heading} of each form, the most suspicious at the top.",
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
    answer = mining_answer(minings)
    return Report(title, sections, _signature(minings, gold), answer)


def mining_answer(minings: Sequence[Mining]) -> str:
    """The most suspicious form of each kind of errors, and how many are more than chance."""
    return " ".join(map(_kind_answer, minings))


def _kind_answer(mining: Mining) -> str:
    errors = f"the {mining.n_errors:,} {_described(mining)}"
    if not mining.suspects:
        return f"No form stands in any of {errors}."
    first = mining.suspects[0]
    rate = number_in_words(mining.n_errors / mining.n_cases)
    said = (
        f"{first.form} is the most suspicious form in {errors}: {first.n_errors:,} of"
        f" {first.n_cases:,} cases with it are errors, {rate} of all cases"
    )
    if not mining.settings.permutations:
        return f"{said}."
    n_sure = sum(each.q is not None and each.q <= _NOTED for each in mining.suspects)
    sure = "1 form is" if n_sure == 1 else f"{n_sure or 'no'} forms are"
    return f"{said}; {sure} more suspicious than by chance (q ≤ {_NOTED:g})."


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


def _gold(mining: Mining, worst: WorstCase) -> Label | None:
    return mining.view.of(worst.pair.gold) if worst.pair.gold else None


def _marked_side(i: int, *row: Any) -> str:
    pair = row[-1].pair
    return marked_sides(pair.text, pair.hypothesis)[i]


_CASE_COLUMNS = (
    Column("pair_id", title="id", get="pair.id"),
    Column("share", digits=2),
    Column("gold", get=lambda *row: _gold(*row[-2:])),
    Column("answer"),
    Column("text", get=partial(_marked_side, 0)),
    Column("hypothesis", get=partial(_marked_side, 1)),
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
        Column("kind", get="kind.called"),
        Column("cases", get="n_cases"),
        Column("errors", get="n_errors"),
        share("rate", "error rate", lambda mining: mining.n_errors / mining.n_cases),
        Column(
            "without_form", title="cases without a form", get="n_cases_without_form", importance=-1
        ),
        Column("forms", get="n_forms"),
        Column("suspects", get=lambda mining: len(mining.suspects)),
        Column("iterations", get="suspicion.n_iterations"),
    ]
    return Table.of("mined", "What was mined", columns, minings, unmined)


def _worst_of_each(mining: Mining, n_worst: int) -> Iterator[Table]:
    for suspect in shown_suspects(mining) if n_worst else ():
        rows = [(mining, worst) for worst in mining.worst_cases(suspect, n_worst)]
        title = f"{suspect.rank}. {suspect.form}: {suspect.n_errors} of {suspect.n_cases}"
        yield Table.of(f"{mining.kind.value}-{suspect.rank}", title, _CASE_COLUMNS, rows)


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
