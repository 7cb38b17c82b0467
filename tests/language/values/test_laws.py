"""Laws: of whatever is found in any text, and of agreement between any values."""

import string
from dataclasses import replace
from math import inf

from hypothesis import given, strategies as st

from ensue.language.values import Value, ValueAgreement, ValueKind, agreement, find_values
from ensue.language.values.tables import CURRENCIES, MONTHS, SIZES, SMALL, SYMBOLS, UNITS, VAGUE

SYMMETRIC = (ValueAgreement.SAME, ValueAgreement.DIFFERENT, ValueAgreement.INCOMPARABLE)

OTHERS = """a the and of to from between - – , . in out or so more than about half third old hundred
thousand million dozen m bn aged early mid late century per cent % AD B.C. 1 2 20 000 1990 1994 95
15th 21st 1/2 '90s 1990s 15:30 p.m. 3.5 1,000 -5 ² ٣ ½"""

words = st.sampled_from(
    sorted(SMALL)
    + sorted(VAGUE)
    + sorted(UNITS)
    + sorted(CURRENCIES)
    + sorted(SYMBOLS)
    + [month.title() for month in MONTHS]
    + OTHERS.split()
)
texts = st.one_of(
    st.text(),
    st.text(string.digits + " .,:-/'$%smk", max_size=40),
    st.lists(words, max_size=12).map(" ".join),
)


@given(texts)
def test_values_lie_in_the_sentence_in_order(plain, text):
    sentence = plain(text)
    last = 0
    for value in find_values(sentence):
        assert last <= value.first < value.last <= len(sentence)
        last = value.last


@given(texts)
def test_values_have_ordered_limits(plain, text):
    for value in find_values(plain(text)):
        assert -inf <= value.low <= value.high
        if value.year_low is not None:
            assert value.year_low <= value.year_high


@given(texts)
def test_found_exact_values_agree_with_themselves(plain, text):
    for value in find_values(plain(text)):
        if value.is_exact:
            assert agreement(value, value) is ValueAgreement.SAME


numbers = st.one_of(
    st.integers(-50, 50).map(float),
    st.floats(-1e12, 1e12, allow_nan=False),
    st.sampled_from([100 / 3, 200 / 3]),
)


@st.composite
def measured(draw):
    kind = draw(st.sampled_from([ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.MEASURE]))
    low, high = sorted((draw(numbers), draw(numbers)))
    shape = draw(st.sampled_from(["exact", "exact", "range", "over", "under"]))
    limits = {"exact": (low, low), "range": (low, high), "over": (low, inf), "under": (-inf, low)}
    unit = draw(st.sampled_from(sorted(SIZES))) if kind is ValueKind.MEASURE else ""
    approximate, strict = draw(st.booleans()), draw(st.booleans()) and shape in ("over", "under")
    return Value(kind, 0, 1, *limits[shape], approximate, unit, strict)


@st.composite
def dated(draw):
    years = draw(st.none() | st.tuples(st.integers(1990, 1995), st.integers(0, 3)))
    low, high = (None, None) if years is None else (years[0], sum(years))
    return Value(
        ValueKind.DATE,
        0,
        1,
        year_low=low,
        year_high=high,
        month=draw(st.none() | st.integers(1, 3)),
        day=draw(st.none() | st.integers(28, 31)),
        weekday=draw(st.none() | st.integers(0, 6)),
        part=draw(st.sampled_from(["", "early", "late", "summer"])),
    )


@st.composite
def timed(draw):
    hour, minute = draw(st.integers(0, 23)), draw(st.sampled_from([0, 10, 30]))
    return Value(
        ValueKind.TIME,
        0,
        1,
        approximate=draw(st.booleans()),
        hour=hour,
        minute=minute,
        twelve_hour=draw(st.booleans()) and 1 <= hour <= 12,
    )


values = st.one_of(measured(), dated(), timed())
pairs = st.one_of(
    st.tuples(values, values),
    st.tuples(measured(), measured()).map(
        lambda pair: (pair[0], replace(pair[1], kind=pair[0].kind, unit=pair[0].unit))
    ),
    st.tuples(dated(), dated()),
    st.tuples(timed(), timed()),
)


@given(pairs)
def test_symmetric_agreements_are_symmetric(pair):
    one, other = pair
    forth, back = agreement(one, other), agreement(other, one)
    assert forth is back or (forth not in SYMMETRIC and back not in SYMMETRIC)


@given(values)
def test_value_agrees_with_itself(value):
    assert agreement(value, value) is ValueAgreement.SAME
