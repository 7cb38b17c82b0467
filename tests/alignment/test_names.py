"""Names that may mean one, and words that are spelled nearly alike."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.alignment.words import edits_between, letters_of, mean_one, name_of, spelling_likenesses


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("curie", "marie curie", "PERSON"),
        ("madame curie's", "madame curie", "PERSON"),
        ("dr. curie", "curie", "PERSON"),
        ("wal-mart", "wal mart inc.", "ORG"),
        ("wal-mart", "walmart", "ORG"),
        ("un", "united nations", "ORG"),
        ("u.n.", "united nations", "ORG"),
        ("usa", "united states of america", "GPE"),
        ("são paulo", "sao paulo", "GPE"),
        ("marks & spencer", "marks and spencer", "ORG"),
        ("mexican", "mexicans", "NORP"),
        ("president", "president", "PERSON"),
    ],
)
def test_names_mean_one(one, other, kind):
    first, second = name_of(one, kind), name_of(other, kind)
    assert mean_one(first, second)
    assert mean_one(second, first)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("pierre curie", "marie curie", "PERSON"),
        ("korea", "north korea", "GPE"),
        ("york", "new york", "GPE"),
        ("u", "united", "ORG"),
        ("...", "united", "ORG"),
        ("...", "...", "ORG"),
    ],
)
def test_names_mean_two(one, other, kind):
    assert not mean_one(name_of(one, kind), name_of(other, kind))


@given(st.text(max_size=20), st.text(max_size=20), st.sampled_from(["", "PERSON", "GPE"]))
def test_names_are_compared_either_way(one, other, kind):
    first, second = name_of(one, kind), name_of(other, kind)
    assert mean_one(first, second) == mean_one(second, first)


def edits(one, other, most=99):
    letters, offsets = letters_of([one, other])
    return edits_between(letters[: offsets[1]], letters[offsets[1] :], most)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("kitten", "sitting", 3),
        ("abcd", "acbd", 1),  # two neighbors swapped
        ("ca", "abc", 3),  # and not touched again: optimal string alignment
        ("same", "same", 0),
        ("", "abc", 3),
    ],
)
def test_edits_are_counted(one, other, expected):
    assert edits(one, other) == expected
    assert edits(other, one) == expected


def test_edits_beyond_the_most_are_not_counted():
    assert edits("kitten", "sitting", most=1) == 2


@given(st.text(max_size=8), st.text(max_size=8))
def test_edits_are_symmetric_and_none_for_equals(one, other):
    assert edits(one, one) == 0
    assert edits(one, other) == edits(other, one)
    assert (edits(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= edits(one, other) <= max(len(one), len(other))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("gaddafi", "kaddafi", 1 - 1 / 7),
        ("smith", "smyth", 1 - 1 / 5),
        ("iran", "iraq", 0.0),  # short
        ("brinda", "blenda", 0.0),  # 2 edits of 6
        ("ann gaddafi", "ann kaddafi", 1 - 1 / 11),
        ("people's liberation party", "people's liberation army", 0.0),  # 2 of 5
        ("george v.", "george vi", 0.0),  # short
        ("gaddafi", "gad afi", 0.0),  # one word, two words
        ("washington post", "washington past", 0.0),
    ],
)
def test_spelling_likeness(one, other, expected):
    letters, offsets = letters_of([one, other])
    pair = np.array([0]), np.array([1])
    assert spelling_likenesses(letters, offsets, *pair, 0.8).tolist() == [pytest.approx(expected)]
