"""How a hypothesis's value stands to a text's."""

from math import inf

import pytest

from ensue.language.values import Agreement, Value, ValueKind, agreement

NUMBER = [
    ("two", "2", Agreement.SAME),
    ("US$ 27.5 billion", "$27.5bn", Agreement.SAME),
    ("50 percent", "50%", Agreement.SAME),
    ("half", "50 percent", Agreement.SAME),
    ("two-thirds", "67 percent", Agreement.SAME),
    ("5 miles", "8 km", Agreement.SAME),
    ("two weeks", "14 days", Agreement.SAME),
    ("about 27", "around 27", Agreement.SAME),
    ("25", "more than 20", Agreement.FOLLOWS),
    ("20", "at least 20", Agreement.FOLLOWS),
    ("more than 30", "more than 20", Agreement.FOLLOWS),
    ("more than 20", "at least 20", Agreement.FOLLOWS),
    ("up to 10", "fewer than 20", Agreement.FOLLOWS),
    ("27.4", "about 27", Agreement.FOLLOWS),
    ("25", "between 20 and 30", Agreement.FOLLOWS),
    ("about 40", "more than 20", Agreement.FOLLOWS),
    ("40", "dozens", Agreement.FOLLOWS),
    ("more than 20", "25", Agreement.OPEN),
    ("about 27", "27", Agreement.FOLLOWS),
    ("20", "more than 20", Agreement.OPEN),
    ("dozens", "40", Agreement.OPEN),
    ("between 20 and 30", "25", Agreement.OPEN),
    ("62", "64", Agreement.DIFFERENT),
    ("20", "more than 25", Agreement.DIFFERENT),
    ("about 20", "40", Agreement.DIFFERENT),
    ("five", "dozens", Agreement.DIFFERENT),
    ("27%", "28%", Agreement.DIFFERENT),
    ("$5", "€5", Agreement.INCOMPARABLE),
    ("$5", "5%", Agreement.INCOMPARABLE),
    ("5 km", "5 kg", Agreement.INCOMPARABLE),
    ("3 percentage points", "3 percent", Agreement.INCOMPARABLE),
    ("62", "62 years", Agreement.INCOMPARABLE),
]


@pytest.mark.parametrize(("text", "hypothesis", "expected"), NUMBER)
def test_numbers_agree(values_of, text, hypothesis, expected):
    values = [_only(values_of, f"It was {each} there.") for each in (text, hypothesis)]
    assert agreement(*values) is expected


DATE = [
    ("on Sept. 15", "on September 15", Agreement.SAME),
    ("in the 1990s", "in the '90s", Agreement.SAME),
    ("on 15 September 1994", "in 1994", Agreement.FOLLOWS),
    ("on 15 September 1994", "in September", Agreement.FOLLOWS),
    ("in 1994", "in the 1990s", Agreement.FOLLOWS),
    ("in early 2004", "in 2004", Agreement.FOLLOWS),
    ("in 1995", "since 1994", Agreement.FOLLOWS),
    ("in 1994", "on 15 September 1994", Agreement.OPEN),
    ("on Monday", "in 1994", Agreement.OPEN),
    ("in 2004", "in early 2004", Agreement.OPEN),
    ("since 1994", "in 1995", Agreement.OPEN),
    ("on Sept. 15", "on Sept. 16", Agreement.DIFFERENT),
    ("in 1994", "in 1995", Agreement.DIFFERENT),
    ("in early 2004", "in late 2004", Agreement.DIFFERENT),
    ("in the 19th century", "in 1994", Agreement.DIFFERENT),
    ("at 3 p.m. sharp", "at 15:00", Agreement.SAME),
    ("at 3 p.m. sharp", "at 3 o'clock", Agreement.FOLLOWS),
    ("at 3 o'clock", "at 3 p.m. sharp", Agreement.OPEN),
    ("at 3 p.m. sharp", "at 3 a.m. sharp", Agreement.DIFFERENT),
    ("at noon", "in 1994", Agreement.INCOMPARABLE),
]


@pytest.mark.parametrize(("text", "hypothesis", "expected"), DATE)
def test_dates_and_times_agree(values_of, text, hypothesis, expected):
    values = [_only(values_of, f"The old bridge fell {each}.") for each in (text, hypothesis)]
    assert agreement(*values) is expected


def test_weekday_of_a_full_date_is_known():
    full = Value(ValueKind.DATE, 0, 1, year_low=1994, year_high=1994, month=9, day=15)
    assert agreement(full, Value(ValueKind.DATE, 0, 1, weekday=3)) is Agreement.FOLLOWS
    assert agreement(full, Value(ValueKind.DATE, 0, 1, weekday=0)) is Agreement.DIFFERENT


def test_day_that_is_not_in_the_calendar_has_no_weekday():
    full = Value(ValueKind.DATE, 0, 1, year_low=1994, year_high=1994, month=2, day=30)
    assert agreement(full, Value(ValueKind.DATE, 0, 1, weekday=0)) is Agreement.OPEN


def test_limits_without_end_are_compared():
    low = Value(ValueKind.NUMBER, 0, 1, 20.0, inf, strict=True)
    high = Value(ValueKind.NUMBER, 0, 1, -inf, 20.0, strict=True)
    assert agreement(low, high) is Agreement.OPEN


def _only(values_of, text):
    [(_, value)] = values_of(text)
    return value
