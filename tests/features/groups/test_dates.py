"""Dates, times and numbers."""

import pytest

ON = [
    ("dates.date-match", "Anna was born on 15 September 1994.", "Anna was born in 1994."),
    ("dates.date-match", "The war ended in May 1945.", "The war ended in 1945."),
    ("dates.date-match", "The bank closed on Monday.", "The bank closed on Monday."),
    ("dates.date-match", "The train left at 3:30 pm.", "The train left at 15:30."),
    ("dates.date-match", "The factory opened in 1994.", "The factory opened in the 1990s."),
    ("dates.date-mismatch", "Anna was born in 1994.", "Anna was born in 1995."),
    ("dates.date-mismatch", "The war ended in May 1945.", "The war ended in June 1945."),
    ("dates.date-mismatch", "The bank closed on Monday.", "The bank closed on Tuesday."),
    ("dates.date-mismatch", "The factory opened in 1984.", "The factory opened in the 1990s."),
    ("dates.date-missing", "Anna was born in Rome.", "Anna was born in 1995."),
    ("dates.date-missing", "The bank closed.", "The bank closed on Monday."),
    ("dates.date-missing", "Anna was born in 1994.", "Anna was born on 15 September 1994."),
    ("dates.date-missing", "Anna has two dogs.", "Anna left in May 1994."),
    ("dates.number-match", "Anna has two dogs.", "Anna has 2 dogs."),
    ("dates.number-match", "Anna paid 25 dollars.", "Anna paid $25."),
    (
        "dates.number-match",
        "The ship carried 250 passengers.",
        "The ship carried more than 200 passengers.",
    ),
    ("dates.number-match", "The price rose by ten percent.", "The price rose by 10%."),
    ("dates.number-mismatch", "The legal age is 62.", "The legal age is 64."),
    ("dates.number-mismatch", "Anna has two dogs.", "Anna has three dogs."),
    ("dates.number-mismatch", "The price rose by 5 percent.", "The price rose by 10 percent."),
    (
        "dates.number-mismatch",
        "The ship carried 150 passengers.",
        "The ship carried more than 200 passengers.",
    ),
    ("dates.number-missing", "Anna has dogs.", "Anna has 2 dogs."),
    ("dates.number-missing", "Anna paid 25 dollars.", "Anna walked 30 kilometers."),
    (
        "dates.number-missing",
        "The ship carried more than 200 passengers.",
        "The ship carried 250 passengers.",
    ),
    ("dates.number-missing", "Anna was born in 1994.", "Anna has two dogs."),
]

OFF = [
    ("dates.date-match", "Anna was born in 1994.", "Anna was born in 1995."),
    ("dates.date-match", "Anna was born in 1994.", "Anna was born on 15 September 1994."),
    ("dates.date-match", "Anna was born in Rome.", "Anna was born in 1994."),
    ("dates.date-mismatch", "Anna was born on 15 September 1994.", "Anna was born in 1994."),
    ("dates.date-mismatch", "Anna was born in 1994.", "Anna was born on 15 September 1994."),
    ("dates.date-mismatch", "Anna has 1995 books.", "Anna was born in 1995."),
    ("dates.date-mismatch", "Anna was born in 1995 and left in 1999.", "Anna was born in 1995."),
    ("dates.date-missing", "Anna was born in 1994.", "Anna was born in 1995."),
    ("dates.date-missing", "Anna was born in 1995.", "Anna was born in Rome."),
    ("dates.date-missing", "Anna was born in May 1995.", "Anna was born in 1995."),
    ("dates.number-match", "Anna has two dogs.", "Anna has three dogs."),
    ("dates.number-match", "Anna paid 25 dollars.", "Anna paid 25 euros."),
    (
        "dates.number-match",
        "The ship carried more than 200 passengers.",
        "The ship carried 250 passengers.",
    ),
    ("dates.number-match", "Anna has dogs.", "Anna has two dogs."),
    ("dates.number-mismatch", "Anna has two dogs.", "Anna has 2 dogs."),
    (
        "dates.number-mismatch",
        "The ship carried more than 200 passengers.",
        "The ship carried 250 passengers.",
    ),
    ("dates.number-mismatch", "Anna paid 25 dollars.", "Anna walked 30 kilometers."),
    (
        "dates.number-mismatch",
        "The ship carried 250 passengers.",
        "The ship carried more than 200 passengers.",
    ),
    ("dates.number-missing", "Anna has two dogs.", "Anna has 2 dogs."),
    ("dates.number-missing", "Anna has 2 dogs.", "Anna has dogs."),
    ("dates.number-missing", "Anna has two dogs.", "Anna has three dogs."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_dates_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_dates_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_dates_is_tried_often_enough(untried):
    assert untried("dates", ON, OFF) == []
