"""How a hypothesis's value stands to a text's."""

from math import inf

import pytest

from ensue.language.values import Value, ValueAgreement, ValueKind, agreement

NUMBER = [
    ("two", "2", ValueAgreement.SAME),
    ("US$ 27.5 billion", "$27.5bn", ValueAgreement.SAME),
    ("50 percent", "50%", ValueAgreement.SAME),
    ("half", "50 percent", ValueAgreement.SAME),
    ("two-thirds", "67 percent", ValueAgreement.SAME),
    ("5 miles", "8 km", ValueAgreement.SAME),
    ("two weeks", "14 days", ValueAgreement.SAME),
    ("about 27", "around 27", ValueAgreement.SAME),
    ("25", "more than 20", ValueAgreement.FOLLOWS),
    ("20", "at least 20", ValueAgreement.FOLLOWS),
    ("more than 30", "more than 20", ValueAgreement.FOLLOWS),
    ("more than 20", "at least 20", ValueAgreement.FOLLOWS),
    ("up to 10", "fewer than 20", ValueAgreement.FOLLOWS),
    ("27.4", "about 27", ValueAgreement.FOLLOWS),
    ("25", "between 20 and 30", ValueAgreement.FOLLOWS),
    ("about 40", "more than 20", ValueAgreement.FOLLOWS),
    ("40", "dozens", ValueAgreement.FOLLOWS),
    ("more than 20", "25", ValueAgreement.OPEN),
    ("about 27", "27", ValueAgreement.FOLLOWS),
    ("20", "more than 20", ValueAgreement.OPEN),
    ("dozens", "40", ValueAgreement.OPEN),
    ("between 20 and 30", "25", ValueAgreement.OPEN),
    ("62", "64", ValueAgreement.DIFFERENT),
    ("20", "more than 25", ValueAgreement.DIFFERENT),
    ("about 20", "40", ValueAgreement.DIFFERENT),
    ("five", "dozens", ValueAgreement.DIFFERENT),
    ("27%", "28%", ValueAgreement.DIFFERENT),
    ("$5", "€5", ValueAgreement.INCOMPARABLE),
    ("$5", "5%", ValueAgreement.INCOMPARABLE),
    ("5 km", "5 kg", ValueAgreement.INCOMPARABLE),
    ("3 percentage points", "3 percent", ValueAgreement.INCOMPARABLE),
    ("62", "62 years", ValueAgreement.INCOMPARABLE),
]


@pytest.mark.parametrize(("text", "hypothesis", "expected"), NUMBER)
def test_numbers_agree(values_of, text, hypothesis, expected):
    values = [_only(values_of, f"It was {each} there.") for each in (text, hypothesis)]
    assert agreement(*values) is expected


DATE = [
    ("on Sept. 15", "on September 15", ValueAgreement.SAME),
    ("in the 1990s", "in the '90s", ValueAgreement.SAME),
    ("on 15 September 1994", "in 1994", ValueAgreement.FOLLOWS),
    ("on 15 September 1994", "in September", ValueAgreement.FOLLOWS),
    ("in 1994", "in the 1990s", ValueAgreement.FOLLOWS),
    ("in early 2004", "in 2004", ValueAgreement.FOLLOWS),
    ("in 1995", "since 1994", ValueAgreement.FOLLOWS),
    ("in 1994", "on 15 September 1994", ValueAgreement.OPEN),
    ("on Monday", "in 1994", ValueAgreement.OPEN),
    ("in 2004", "in early 2004", ValueAgreement.OPEN),
    ("since 1994", "in 1995", ValueAgreement.OPEN),
    ("on Sept. 15", "on Sept. 16", ValueAgreement.DIFFERENT),
    ("in 1994", "in 1995", ValueAgreement.DIFFERENT),
    ("in early 2004", "in late 2004", ValueAgreement.DIFFERENT),
    ("in the 19th century", "in 1994", ValueAgreement.DIFFERENT),
    ("at 3 p.m. sharp", "at 15:00", ValueAgreement.SAME),
    ("at 3 p.m. sharp", "at 3 o'clock", ValueAgreement.FOLLOWS),
    ("at 3 o'clock", "at 3 p.m. sharp", ValueAgreement.OPEN),
    ("at 3 p.m. sharp", "at 3 a.m. sharp", ValueAgreement.DIFFERENT),
    ("at noon", "in 1994", ValueAgreement.INCOMPARABLE),
]


@pytest.mark.parametrize(("text", "hypothesis", "expected"), DATE)
def test_dates_and_times_agree(values_of, text, hypothesis, expected):
    values = [_only(values_of, f"The old bridge fell {each}.") for each in (text, hypothesis)]
    assert agreement(*values) is expected


def test_weekday_of_a_full_date_is_known():
    full = Value(ValueKind.DATE, 0, 1, year_low=1994, year_high=1994, month=9, day=15)
    assert agreement(full, Value(ValueKind.DATE, 0, 1, weekday=3)) is ValueAgreement.FOLLOWS
    assert agreement(full, Value(ValueKind.DATE, 0, 1, weekday=0)) is ValueAgreement.DIFFERENT


def test_day_that_is_not_in_the_calendar_has_no_weekday():
    full = Value(ValueKind.DATE, 0, 1, year_low=1994, year_high=1994, month=2, day=30)
    assert agreement(full, Value(ValueKind.DATE, 0, 1, weekday=0)) is ValueAgreement.OPEN


def test_limits_without_end_are_compared():
    low = Value(ValueKind.NUMBER, 0, 1, 20.0, inf, strict=True)
    high = Value(ValueKind.NUMBER, 0, 1, -inf, 20.0, strict=True)
    assert agreement(low, high) is ValueAgreement.OPEN


def _only(values_of, text):
    [(_, value)] = values_of(text)
    return value
