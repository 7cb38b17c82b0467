"""What is found in a sentence: which tokens, and what they are worth."""

from math import inf

import pytest

from ensue.language.analyzer import empty_sentence
from ensue.language.values import ValueKind, find_values

NUMBERS = [
    ("They sold 1,200,000 copies.", "1,200,000", 1_200_000),
    ("They sold 1.5 million copies.", "1.5 million", 1_500_000),
    ("They reached 2.5m people.", "2.5 m", 2_500_000),
    ("A 2 000-strong crowd came.", "2 000", 2000),
    ("We saw five hundred and twenty-three birds.", "five hundred and twenty - three", 523),
    ("We saw one hundred and five birds.", "one hundred and five", 105),
    ("We saw two million birds.", "two million", 2_000_000),
    ("We saw a dozen birds.", "a dozen", 12),
    ("We saw two dozen birds.", "two dozen", 24),
    ("We saw a hundred birds.", "a hundred", 100),
    ("We saw half a million birds.", "half a million", 500_000),
    ("We saw a quarter of a million birds.", "a quarter of a million", 250_000),
    ("We saw a quarter million birds.", "a quarter million", 250_000),
    ("One man died.", "One", 1),
]


@pytest.mark.parametrize(("text", "words", "number"), NUMBERS)
def test_number_is_read(values_of, text, words, number):
    [(found, value)] = values_of(text)
    assert (value.kind, found) == (ValueKind.NUMBER, words)
    assert value.low == value.high == number
    assert value.unit == ""


MEASURED = [
    ("It cost US$ 27.5 billion.", "US$ 27.5 billion", ValueKind.AMOUNT, 27.5e9, "USD"),
    ("It cost $27.5bn.", "$ 27.5bn", ValueKind.AMOUNT, 27.5e9, "USD"),
    ("It cost $1.2m.", "$ 1.2 m.", ValueKind.AMOUNT, 1.2e6, "USD"),
    ("It cost €5.", "€ 5", ValueKind.AMOUNT, 5, "EUR"),
    ("It cost 5 dollars.", "5 dollars", ValueKind.AMOUNT, 5, "USD"),
    ("It cost 20 Canadian dollars.", "20 Canadian dollars", ValueKind.AMOUNT, 20, "CAD"),
    ("It cost 50 cents.", "50 cents", ValueKind.AMOUNT, 0.5, "USD"),
    ("It cost 5 million pounds.", "5 million pounds", ValueKind.AMOUNT, 5e6, "GBP"),
    ("It grew 50%.", "50 %", ValueKind.PERCENT, 50, "percent"),
    ("It grew 50 per cent.", "50 per cent", ValueKind.PERCENT, 50, "percent"),
    ("It grew 3 percentage points.", "3 percentage points", ValueKind.PERCENT, 3, None),
    ("It fell by half a percent.", "half a percent", ValueKind.PERCENT, 0.5, "percent"),
    ("It fell half a percentage point.", "half a percentage point", ValueKind.PERCENT, 0.5, None),
    ("It cost half a dollar.", "half a dollar", ValueKind.AMOUNT, 0.5, "USD"),
    ("Half of the voters stayed.", "Half", ValueKind.PERCENT, 50, "percent"),
    ("It fell by a quarter.", "a quarter", ValueKind.PERCENT, 25, "percent"),
    ("Two-thirds of them left.", "Two - thirds", ValueKind.PERCENT, 200 / 3, "percent"),
    ("One in five children is poor.", "One in five", ValueKind.PERCENT, 20, "percent"),
    ("It is a 5-km run.", "5 - km", ValueKind.MEASURE, 5, "kilometer"),
    ("It is 20 degrees Celsius.", "20 degrees Celsius", ValueKind.MEASURE, 20, "degree Celsius"),
    ("It runs 30 miles per hour.", "30 miles per hour", ValueKind.MEASURE, 30, "mile per hour"),
    ("It has 500 square kilometers.", "500 square kilometers", ValueKind.MEASURE, 500, None),
    ("It took half an hour.", "half an hour", ValueKind.MEASURE, 0.5, "hour"),
    ("It took three and a half years.", "three and a half years", ValueKind.MEASURE, 3.5, "year"),
    ("She is a 62-year-old baker.", "62 - year - old", ValueKind.MEASURE, 62, "year"),
    ("She is 62 years old.", "62 years old", ValueKind.MEASURE, 62, "year"),
    ("A baker aged 62 spoke.", "aged 62", ValueKind.MEASURE, 62, "year"),
    ("John Locke, 62, spoke.", "62", ValueKind.MEASURE, 62, "year"),
    ("She was the third guest.", "third", ValueKind.ORDINAL, 3, ""),
    ("She was the 21st guest.", "21st", ValueKind.ORDINAL, 21, ""),
    ("She was the twenty-first guest.", "twenty - first", ValueKind.ORDINAL, 21, ""),
]


@pytest.mark.parametrize(("text", "words", "kind", "number", "unit"), MEASURED)
def test_unit_is_read(values_of, text, words, kind, number, unit):
    [(found, value)] = values_of(text)
    assert (found, value.kind) == (words, kind)
    assert value.low == value.high == pytest.approx(number)
    assert unit is None or value.unit == unit


LIMITED = [
    ("More than 20 birds came.", "More than 20", 20, inf, True),
    ("It cost over $20.", "over $ 20", 20, inf, True),
    ("At least 20 birds came.", "At least 20", 20, inf, False),
    ("No fewer than ten birds came.", "No fewer than ten", 10, inf, False),
    ("20 or more birds came.", "20 or more", 20, inf, False),
    ("Up to 20 birds came.", "Up to 20", -inf, 20, False),
    ("No more than 20 birds came.", "No more than 20", -inf, 20, False),
    ("Fewer than 20 birds came.", "Fewer than 20", -inf, 20, True),
    ("Between 20 and 30 birds came.", "Between 20 and 30", 20, 30, False),
    ("From 20 to 30 birds came.", "From 20 to 30", 20, 30, False),
    ("Some birds, 20 to 30 of them, came.", "20", 20, 20, False),
    ("5-7 birds came.", "5 - 7", 5, 7, False),
    ("One or two birds came.", "One or two", 1, 2, False),
    ("It cost $20-30 million.", "$ 20 - 30 million", 20e6, 30e6, False),
    ("It is 10 percent to 15 percent fat.", "10 percent to 15 percent", 10, 15, False),
    ("Children aged 5 to 7 came.", "aged 5 to 7", 5, 7, False),
    ("Several hundred birds came.", "Several hundred", 200, 1000, False),
    ("Dozens of birds came.", "Dozens", 24, inf, False),
    ("Hundreds of thousands of birds came.", "Hundreds of thousands", 200_000, inf, False),
    ("They spent billions of dollars.", "billions of dollars", 2e9, inf, False),
    ("He worked for over 20 years.", "over 20 years", 20, inf, True),
    ("Over five years, trade grew.", "five years", 5, 5, False),
]


@pytest.mark.parametrize(("text", "words", "low", "high", "strict"), LIMITED)
def test_limit_is_read(values_of, text, words, low, high, strict):
    found, value = values_of(text)[0]
    assert found == words
    assert (value.low, value.high, value.strict) == (low, high, strict)


@pytest.mark.parametrize("word", ["About", "Around", "Nearly", "Almost", "Some", "Roughly"])
def test_estimate_is_marked(values_of, word):
    [(found, value)] = values_of(f"{word} 200 birds came.")
    assert found == f"{word} 200"
    assert (value.low, value.high, value.approximate) == (200, 200, True)


def test_change_from_one_number_to_another_is_no_range(values_of):
    found = values_of("Prices rose from 5 percent to 7 percent.")
    assert [words for words, _ in found] == ["5 percent", "7 percent"]


DATES = [
    ("It began on Sept. 15.", "Sept. 15", (None, None, 9, 15)),
    ("It began on 15 September 1994.", "15 September 1994", (1994, 1994, 9, 15)),
    ("It began on September 15th, 1994.", "September 15th , 1994", (1994, 1994, 9, 15)),
    ("It began on the 4th of July.", "4th of July", (None, None, 7, 4)),
    ("It began on 1994-09-15.", "1994 - 09 - 15", (1994, 1994, 9, 15)),
    ("It began on 15/09/1994.", "15/09/1994", (1994, 1994, 9, 15)),
    ("It began in March 2004.", "March 2004", (2004, 2004, 3, None)),
    ("It ran June 8-10.", "June 8 - 10", (None, None, 6, None)),
    ("It began in 1994.", "1994", (1994, 1994, None, None)),
    ("It began in the 1990s.", "1990s", (1990, 1999, None, None)),
    ("It began in the '90s.", "' 90s", (1990, 1999, None, None)),
    ("It ran in 1994-95.", "1994 - 95", (1994, 1995, None, None)),
    ("It ran from 1990 to 1995.", "from 1990 to 1995", (1990, 1995, None, None)),
    ("It is of the 19th century.", "19th century", (1801, 1900, None, None)),
    ("He was killed in 44 B.C. in Rome.", "44 B.C.", (-44, -44, None, None)),
    ("It has run since 1994.", "since 1994", (1994, 9999, None, None)),
    ("They played at Euro 2004.", "2004", (2004, 2004, None, None)),
    ("The 2004 Olympics were in Athens.", "2004", (2004, 2004, None, None)),
]


@pytest.mark.parametrize(("text", "words", "fields"), DATES)
def test_date_is_read(values_of, text, words, fields):
    [(found, value)] = values_of(text)
    assert (found, value.kind) == (words, ValueKind.DATE)
    assert (value.year_low, value.year_high, value.month, value.day) == fields


def test_two_days_before_a_month_are_no_share(values_of):
    [(found, value)] = values_of("They landed in the night of 5/6 June 1944.")
    assert (found, value.month, value.day) == ("June 1944", 6, None)


def test_weekday_joins_the_date_after_it(values_of):
    [(found, value)] = values_of("It began on Thursday, Sept. 15, 1994.")
    assert found == "Thursday , Sept. 15 , 1994"
    assert (value.weekday, value.year, value.month, value.day) == (3, 1994, 9, 15)


@pytest.mark.parametrize(
    ("text", "part"),
    [("in early 2004", "early"), ("at the end of 2004", "late"), ("in the fall of 2004", "autumn")],
)
def test_part_of_a_year_is_kept(values_of, text, part):
    [(_, value)] = values_of(f"It began {text}.")
    assert (value.year, value.part, value.approximate) == (2004, part, True)


def test_part_of_a_decade_narrows_its_years(values_of):
    [(_, value)] = values_of("It began in the late 1990s.")
    assert (value.year_low, value.year_high) == (1996, 1999)


def test_end_of_a_decade_narrows_its_years(values_of):
    [(found, value)] = values_of("It began at the end of the 1990s.")
    assert (found, value.year_low, value.year_high) == ("end of the 1990s", 1996, 1999)


TIMES = [
    ("We met at 3 p.m. sharp.", 15, 0),
    ("We met at 3:30 p.m. sharp.", 15, 30),
    ("We met at 3:30pm sharp.", 15, 30),
    ("We met at 12:15AM sharp.", 0, 15),
    ("We met at 15:30.", 15, 30),
    ("We met at noon.", 12, 0),
    ("We met at midnight.", 0, 0),
    ("We met at 12 a.m. sharp.", 0, 0),
]


@pytest.mark.parametrize(("text", "hour", "minute"), TIMES)
def test_time_is_read(values_of, text, hour, minute):
    [(_, value)] = values_of(text)
    assert (value.kind, value.hour, value.minute) == (ValueKind.TIME, hour, minute)
    assert not value.twelve_hour


def test_hour_without_its_half_of_the_day_is_open(values_of):
    [(_, value)] = values_of("We met at 7 o'clock.")
    assert (value.hour, value.twelve_hour) == (7, True)


@pytest.mark.parametrize(
    "text",
    [
        "No one came yesterday.",
        "This one is better.",
        "The one who left last week is one of the best.",
        "They flew a Boeing 747.",
        "They watched Channel 4.",
        "They won 3-1.",
        "Brazil beat France 3-0.",
        "Call 555-123-4567.",
        "He was in his late 30s.",
        "They lived on 30th Street.",
        "May we march?",
        "The 9/11 attacks shocked the world.",
    ],
)
def test_no_value_is_made_up(values_of, text):
    assert values_of(text) == []


def test_four_digits_that_count_are_no_year(values_of):
    [(_, value)] = values_of("They opened shops in 1500 cities.")
    assert (value.kind, value.low) == (ValueKind.NUMBER, 1500)


def test_empty_sentence_has_no_values():
    assert find_values(empty_sentence("")) == ()
