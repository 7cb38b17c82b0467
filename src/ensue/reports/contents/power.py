"""How many pairs it takes to see a difference, as tables."""

from __future__ import annotations

from ensue.errors import UndefinedError
from ensue.evaluation import pairs_needed, power_at, smallest_difference
from ensue.reports.model import Cell, Column, Table

_DIFFERENCE = Column("difference", digits=2, percent=True)
_DISAGREEMENT = Column("disagreement", digits=1, percent=True)


def power_tables(
    disagreement: float,
    *,
    difference: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    n_pairs: int | None = None,
) -> list[Table]:
    """How many pairs a difference takes, and what a number of pairs shows.

    Args:
        disagreement: The share of pairs that exactly one of two runs gets right.
        difference: Of the two accuracies, as a share; None where only `n_pairs` matters.
        alpha: Two-sided level of the test.
        power: The wanted probability to see the difference.
        n_pairs: Pairs that there are; None where only the difference matters.

    Raises:
        SettingError: a number is out of range, or the difference exceeds the disagreement.
    """
    tables = []
    if difference is not None:
        tables.append(_needed_table(difference, disagreement, alpha, power))
    if n_pairs is not None:
        tables.append(_shown_table(n_pairs, difference, disagreement, alpha, power))
    return tables


def _needed_table(difference: float, disagreement: float, alpha: float, power: float) -> Table:
    found = pairs_needed(difference, disagreement, alpha=alpha, power=power)
    columns = [
        _DIFFERENCE,
        _DISAGREEMENT,
        Column("level", digits=3),
        Column("power", digits=2),
        Column("pairs", title="pairs (exact McNemar)"),
        Column("pairs_formula", title="pairs (Connor's formula)"),
    ]
    row: list[Cell] = [found.difference, found.disagreement, found.alpha, found.power]
    notes = [
        "disagreement: the share of pairs that exactly one of the two runs gets right",
        "the exact test is more cautious than the formula's normal approximation",
    ]
    title = "Pairs needed to see a difference"
    return Table("pairs_needed", title, columns, [[*row, found.exact, found.formula]], notes)


def _shown_table(
    n_pairs: int, difference: float | None, disagreement: float, alpha: float, power: float
) -> Table:
    notes = [f"smallest difference: what is seen with probability {power:g}, by the formula"]
    smallest = None
    try:
        smallest = smallest_difference(n_pairs, disagreement, alpha=alpha, power=power)
    except UndefinedError as error:
        notes.append(f"{error.message}; {error.hint}")
    seen = None
    if difference is not None:
        seen = power_at(n_pairs, difference, disagreement, alpha=alpha).power
    columns = [
        Column("pairs"),
        _DIFFERENCE,
        Column("power", title="probability to see it", digits=3),
        Column(
            "smallest_difference",
            title="smallest difference",
            digits=2,
            percent=True,
        ),
    ]
    row: list[Cell] = [n_pairs, difference, seen, smallest]
    return Table("at_pairs", f"What {n_pairs} pairs show", columns, [row], notes)
