import math
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from hypothesis import given, strategies as st

from ensue.reports.model import (
    DASH,
    Column,
    Interval,
    Table,
    is_interval,
    is_numeric,
    plain_cell,
    shown_cell,
    shown_heading,
)

PERCENT = Column("accuracy", digits=1, percent=True)


def test_shown_cell_rounds_a_percentage():
    # 305 of 567 is 0.53791…, a hundred times that is 53.8 with one decimal
    assert shown_cell(305 / 567, PERCENT) == "53.8"


def test_shown_cell_rounds_a_half_up():
    # 442 of 800 is 55.25 %, which the modified-BLEU paper gives as 55.3 %
    assert shown_cell(442 / 800, PERCENT) == "55.3"


def test_shown_cell_says_that_a_small_p_is_not_zero():
    p = Column("p", digits=4)
    assert [shown_cell(each, p) for each in (0.0, 0.00004, 0.00005)] == [
        "0.0000",
        "<0.0001",
        "0.0001",
    ]


def test_shown_cell_of_a_signed_column_rounds_to_zero():
    assert shown_cell(0.003, Column("r", digits=2, signed=True)) == "0.00"
    assert shown_cell(-0.003, Column("r", digits=2, signed=True)) == "0.00"


def test_shown_cell_puts_the_interval_in_brackets():
    assert shown_cell(Interval(0.538, 0.501, 0.573), PERCENT) == "53.8 [50.1, 57.3]"


def test_shown_cell_leaves_brackets_out_where_there_is_no_interval():
    assert shown_cell(Interval(0.538), PERCENT) == "53.8"


def test_shown_cell_shows_undefined_as_a_dash():
    assert [shown_cell(cell, PERCENT) for cell in (None, Interval(None), math.nan)] == [DASH] * 3


def test_shown_cell_keeps_four_digits_where_none_are_asked_for():
    assert shown_cell(1 / 3, Column("p")) == "0.3333"


def test_shown_cell_never_rounds_counts():
    assert shown_cell(1234567, Column("n")) == "1234567"


def test_shown_cell_has_no_negative_zero():
    assert shown_cell(-0.0001, Column("difference", digits=2)) == "0.00"


def test_shown_cell_shows_infinity():
    assert shown_cell(-math.inf, Column("cutoff", digits=3)) == "-inf"


def test_shown_cell_says_yes_and_no():
    assert [shown_cell(cell, Column("differs")) for cell in (True, False)] == ["yes", "no"]


def test_shown_cell_makes_control_characters_visible():
    assert shown_cell("a\x1b[31mb\nc\x7f", Column("run")) == "a␛[31mb␊c␡"


def test_shown_heading_prefers_the_title_and_names_the_unit():
    assert shown_heading(Column("cws", title="weighted", percent=True)) == "weighted %"


def test_plain_cell_turns_array_numbers_into_plain_ones():
    values = [plain_cell(cell) for cell in (np.int64(3), np.float64(0.5), np.float32(0.25))]
    assert values == [3, 0.5, 0.25]
    assert [type(value) for value in values] == [int, float, float]


def test_is_numeric_ignores_undefined_cells_and_not_texts():
    table = Table(
        "t", "T", [Column("a"), Column("b"), Column("c")], [[1, "x", None], [None, 2, None]]
    )
    assert [is_numeric(table, i) for i in range(3)] == [True, False, False]


def test_is_numeric_holds_for_a_column_of_undefined_numbers():
    assert is_numeric(Table("t", "T", [Column("p", digits=3)], [[None]]), 0)


def test_is_interval_finds_one_interval_among_numbers():
    table = Table("t", "T", [Column("a"), Column("b")], [[1.0, 1.0], [Interval(1.0), 2.0]])
    assert [is_interval(table, i) for i in range(2)] == [True, False]


@given(st.floats(0, 1), st.integers(0, 6))
def test_shown_cell_is_within_half_a_unit_of_the_last_digit(value, digits):
    shown = shown_cell(value, Column("accuracy", digits=digits, percent=True))
    assert abs(float(shown) - value * 100) <= 0.5 * 10**-digits + 1e-9


def _by_hand(number, digits, percent):
    """As people round what is written, digit by digit."""
    exact = Decimal(repr(number)) * (100 if percent else 1)
    return exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


@given(
    number=st.one_of(
        st.floats(-1e9, 1e9),
        st.integers(-99999, 99999).map(lambda n: n / 10_000),
        st.integers(-999, 999),
    ),
    digits=st.integers(0, 4),
    percent=st.booleans(),
)
def test_number_is_rounded_as_people_round_what_is_written(number, digits, percent):
    column = Column("x", digits=digits, percent=percent, signed=True)
    shown = shown_cell(float(number), column)
    assert Decimal(shown) == _by_hand(float(number), digits, percent)
    assert len(shown.partition(".")[2]) == digits
    assert shown.strip("-0.") or not shown.startswith("-")
