"""Hypotheses in the figures of their texts; what follows is worked by hand beside each."""

import pytest
from hypothesis import given, strategies as st

from ensue.features import Figures, plain_text, restated
from ensue.features.extraction import open_reader


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")


def figures(reader, text):
    plain = plain_text(text)
    (analysis,) = reader.analyze([plain.text])
    return Figures(plain, analysis)


def said(reader, text, hypothesis):
    return restated(figures(reader, text), figures(reader, hypothesis))


@pytest.mark.parametrize(
    ("text", "hypothesis", "expected"),
    [
        # 2.1 million > 2 million
        (
            "The museum had 2.1 million visitors.",
            "The museum had over two million visitors.",
            "The museum had 2.1 million visitors.",
        ),
        # 5 * 1.609 = 8.05
        ("The tunnel is 8 km long.", "The tunnel is 5 miles long.", "The tunnel is 8 km long."),
        # 100 * 9 / 5 + 32 = 212
        ("Water boils at 100 °C.", "Water boils at 212 °F.", "Water boils at 100 ° C."),
        # 1 / 3 = 33.3 %
        ("33 % of us voted.", "A third of us voted.", "33 % of us voted."),
        # 80 / 40 = 2
        ("Exports rose from 40 to 80 tonnes.", "Exports doubled.", "Exports rose from 40 to 80 tonnes."),
        # (600 - 400) / 400 = 1 / 2
        ("Rents rose from 400 to 600 euros.", "Rents rose by half.", "Rents rose from 400 to 600 euros."),
        # (100 - 50) / 100 = 50 %
        ("The price fell from $100 to $50.", "The price fell by 50 percent.", "The price fell from $100 to $50."),
        # tripled: 3 - 1 = 200 % more
        ("The population tripled.", "The population grew by 200 percent.", "The population tripled."),
        # 6 / 2 = 3
        ("Profits doubled to $6 million.", "Profits were $3 million before.", "Profits doubled to $6 million."),
        # 25 - 5 = 20
        (
            "The fee was raised by 5 euros to 25 euros.",
            "The fee was 20 euros before.",
            "The fee was raised by 5 euros to 25 euros.",
        ),
        # 2009 - 2001 = 8
        (
            "Boris Lind was mayor from 2001 until 2009.",
            "Boris Lind was mayor for eight years.",
            "Boris Lind was mayor from 2001 until 2009.",
        ),
        ("The war lasted from 1914 to 1918.", "The war ended in 1918.", "The war lasted from 1914 to 1918."),
        # 1990 - 1950 = 40
        (
            "Clara Voss was born in 1950 and died in 1990.",
            "Clara Voss died at the age of 40.",
            "Clara Voss died in 1990.",
        ),
        # 12 + 3 = 15
        (
            "The attack killed 12 soldiers and 3 civilians.",
            "The attack killed 15 people.",
            "The attack killed 12 soldiers and 3 civilians.",
        ),
        # 2 + 1 = 3
        ("Anna has two sons and a daughter.", "Anna has three children.", "Anna has two sons and a daughter."),
        # 50 / 200 = 1 / 4
        (
            "Of the 200 seats, 50 are held by women.",
            "A quarter of the seats are held by women.",
            "50 of the seats are held by women.",
        ),
        (
            "The club was promoted for the second time.",
            "The club has been promoted twice.",
            "The club has been promoted for the second time.",
        ),
        # July is in the summer
        (
            "The bridge was opened on 14 July 1936.",
            "The bridge was opened in the summer of 1936.",
            "The bridge was opened on 14 July 1936.",
        ),
        ("The dose must not exceed 5 mg.", "The maximum dose is 5 mg.", "The dose must be at most 5 mg."),
    ],
)  # fmt: skip
def test_hypothesis_is_said_in_the_figures_of_the_text(reader, text, hypothesis, expected):
    found = said(reader, text, hypothesis)
    assert found is not None
    assert found.follows
    assert found.hypothesis.text.replace("° C", "°C") == expected.replace("° C", "°C")


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ("Exports rose from 40 to 80 tonnes.", "Exports tripled."),
        ("Rents rose from 400 to 600 euros.", "Rents rose by 400 euros."),
        ("The price fell from $100 to $50.", "The price doubled."),
        ("The fee was raised by 5 euros to 25 euros.", "The fee was 15 euros before."),
        ("The war lasted from 1914 to 1918.", "The war ended in 1916."),
        ("The dose must not exceed 5 mg.", "The minimum dose is 5 mg."),
        ("A parcel may weigh no more than 30 kg.", "A parcel may weigh no more than 20 kg."),
        ("Oslo is the second largest city.", "Oslo is the largest city."),
        ("The club was promoted for the second time.", "The club was promoted once."),
    ],
)
def test_what_arithmetic_excludes_does_not_follow(reader, text, hypothesis):
    found = said(reader, text, hypothesis)
    assert found is not None
    assert not found.follows


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ("The ticket costs $20.", "The ticket costs 20 euros."),
        ("The ticket costs $20.", "The ticket costs 18.50 euros."),
        ("The tower is 300 meters tall.", "The tower is 300 feet tall."),
        ("The storm destroyed 340 houses.", "The storm destroyed more than 400 houses."),
        ("The farm has 30 cows and 20 sheep.", "The farm has 90 animals."),
        ("The war lasted from 1914 to 1918.", "The war lasted six years."),
    ],
)
def test_what_does_not_follow_is_not_restated(reader, text, hypothesis):
    found = said(reader, text, hypothesis)
    assert found is None or not found.reckonings


@given(st.integers(1, 500), st.integers(2, 6))
def test_multiples_are_doubled_tripled_and_so_on(reader, number, factor):
    text = f"Sales rose from {number} to {number * factor} cars."
    found = said(reader, text, "Sales doubled.")
    assert found is not None
    assert found.follows == (factor == 2)


@given(st.integers(2, 900), st.integers(2, 900))
def test_totals_are_sums(reader, one, other):
    text = f"The club has {one} men and {other} women."
    found = said(reader, text, f"The club has {one + other:,} members.")
    assert found is not None
    assert found.hypothesis.text == text
    more = said(reader, text, f"The club has {one + other + 1:,} members.")
    assert more is None or not more.reckonings


WORDS = [
    "5",
    "from",
    "to",
    "12",
    "%",
    "km",
    "rose",
    "by",
    "half",
    "in",
    "1990",
    "and",
    "the",
    "third",
]
WORDS += [
    "a",
    "born",
    "at",
    "most",
    "twice",
    "until",
    "May",
    "doubled",
    "aged",
    ",",
    "of",
    "largest",
]


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9),
)
def test_no_wording_is_too_odd_and_places_are_those_of_the_texts(reader, one, other):
    text, hypothesis = " ".join(one), " ".join(other)
    found = said(reader, text, hypothesis)
    for each in found.reckonings if found else ():
        assert 0 <= each.hypothesis[0] < each.hypothesis[1] <= len(hypothesis)
        assert 0 <= each.text[0] < each.text[1] <= len(text)
    own = said(reader, text, text)
    assert own is None or own.follows or not own.reckonings


@given(st.text(max_size=60))
def test_plain_text_knows_where_it_is_from(text):
    plain = plain_text(text)
    start, end = plain.original((0, len(plain.text)))
    assert (start, end) == (0, len(text))
