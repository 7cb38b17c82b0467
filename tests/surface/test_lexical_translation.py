"""IBM's models 1 and 2: by hand, against NLTK, and by the laws of expectation maximization."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.translate import AlignedSent, IBMModel1, IBMModel2

from ensue.errors import DataError
from ensue.surface import WHITESPACE, WORDS, TranslationTable, train_translation, translations

GERMAN = [
    "das haus ist klein",
    "das haus ist ja groß",
    "das buch ist ja klein",
    "das haus",
    "das buch",
    "ein buch",
]
ENGLISH = [
    "the house is small",
    "the house is big",
    "the book is small",
    "the house",
    "the book",
    "a book",
]
ALIGNED = [AlignedSent(t.split(), s.split()) for s, t in zip(GERMAN, ENGLISH, strict=True)]

words = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=5).map(" ".join)
bitexts = st.lists(st.tuples(words, words), min_size=1, max_size=6)


def rows(table):
    return {source: table.of(source) for source in table.words}


def test_one_step_by_hand():
    # "x y" is "p": all of t are alike, so p comes from x, y and the empty word a third each; of
    # "x" and "q" it is a half from each of two
    model = train_translation(["x y", "x"], ["p", "q"], WHITESPACE, steps=1)
    assert model.table.of("x") == pytest.approx({"p": (1 / 3) / (1 / 3 + 1 / 2), "q": 0.6})
    assert model.table.of("y") == {"p": 1.0}
    assert model.table.of("") == pytest.approx({"p": 0.4, "q": 0.6})
    # before the step each of the two words has a half
    assert model.log_likelihoods[0] == pytest.approx(2 * math.log(1 / 2))


def test_model_1_agrees_with_nltk():
    table = train_translation(GERMAN, ENGLISH, WHITESPACE, steps=5).table
    theirs = IBMModel1(ALIGNED, 5).translation_table
    for source, row in rows(table).items():
        for target, probability in row.items():
            assert probability == pytest.approx(theirs[target][source or None], abs=1e-12)


def test_model_2_agrees_with_nltk():
    table = train_translation(GERMAN, ENGLISH, WHITESPACE, steps=6, place_steps=3).table
    theirs = IBMModel2(ALIGNED, 3).translation_table  # after twice as many steps of model 1
    for source, row in rows(table).items():
        for target, probability in row.items():
            assert probability == pytest.approx(theirs[target][source or None], abs=1e-9)


def test_words_that_go_together_find_each_other():
    table = train_translation(GERMAN, ENGLISH, WHITESPACE, steps=20).table
    assert next(iter(table.of("haus"))) == "house"
    assert next(iter(table.of("buch"))) == "book"


@given(bitexts)
def test_likelihood_never_falls(pairs):
    sources, targets = zip(*pairs, strict=True)
    for place_steps in (0, 3):
        found = train_translation(sources, targets, WORDS, steps=4, place_steps=place_steps)
        assert (np.diff(found.log_likelihoods) >= -1e-9).all()
        assert len(found.log_likelihoods) == 4 + place_steps + 1


@given(bitexts)
def test_probabilities_sum_to_one(pairs):
    sources, targets = zip(*pairs, strict=True)
    table = train_translation(sources, targets, WORDS).table
    for source, row in rows(table).items():
        if row:
            assert sum(row.values()) == pytest.approx(1)
            assert min(row.values()) >= 0
        assert source in table.words
    assert set(table.of("")) == {word for target in targets for word in target.split()}


@given(bitexts)
def test_order_of_the_words_does_not_matter_to_model_1(pairs):
    sources, targets = zip(*pairs, strict=True)
    turned = [" ".join(source.split()[::-1]) for source in sources]
    one, other = (train_translation(each, targets, WORDS).table for each in (sources, turned))
    for source in one.words:
        assert one.of(source) == pytest.approx(other.of(source))


def test_many_words_outgrow_the_first_table():
    sources = [" ".join(f"s{i * 40 + k}" for k in range(40)) for i in range(40)]
    targets = [" ".join(f"t{i * 40 + k}" for k in range(40)) for i in range(40)]
    table = train_translation(sources, targets, WORDS, steps=1).table
    assert len(table) == 40 * 40 * 40 + 1600  # and of each word with the empty one
    assert table.of("s1599") == pytest.approx({f"t{k}": 1 / 40 for k in range(1560, 1600)})


def test_pruned_keeps_the_most_probable():
    table = train_translation(GERMAN, ENGLISH, WHITESPACE, steps=5).table
    pruned = table.pruned(0.05, 2)
    for source in pruned.words:
        kept = list(pruned.of(source).items())
        every = [each for each in table.of(source).items() if each[1] >= 0.05][:2]
        assert [p for _, p in kept] == [p for _, p in every]
    assert pruned.words[0] == ""


@pytest.mark.parametrize(
    ("sources", "targets", "code"),
    [
        (["a"], ["a", "b"], "sides-different-number"),
        ([], [], "none-pairs-words-translations-no"),
        (["", "a"], ["b", "…"], "none-pairs-words-translations-no"),
        (["a " * 101], ["b"], "none-pairs-words-translations-no"),
    ],
)
def test_bad_input_is_an_error(sources, targets, code):
    with pytest.raises(DataError) as error:
        train_translation(sources, targets, WORDS)
    assert error.value.code == code


def test_empty_sides_are_left_out():
    alone = train_translation(["a b"], ["c"], WORDS).table
    beside = train_translation(["a b", "", "x"], ["c", "y", ""], WORDS).table
    assert alone.of("a") == beside.of("a")
    assert beside.of("x") == {}


def test_one_pair_of_one_word():
    model = train_translation(["a"], ["b"], WORDS)
    assert model.table.of("a") == {"b": 1.0}
    assert model.log_likelihoods == (0.0,) * 6


def table_of(rows):
    known = sorted({"", *rows, *(word for row in rows.values() for word in row)})
    number = {word: i for i, word in enumerate(known)}
    cells = [sorted((number[w], p) for w, p in rows.get(word, {}).items()) for word in known]
    return TranslationTable(
        tuple(known),
        np.cumsum([0, *map(len, cells)]),
        np.array([w for row in cells for w, _ in row], np.int32),
        np.array([p for row in cells for _, p in row]),
    )


def test_best_origin_by_hand():
    table = table_of({"killed": {"killed": 0.5, "died": 0.2}, "murdered": {"died": 0.4}})
    found = translations(
        ["he killed and murdered"], ["he died killed gone"], table, WORDS, own=0.25
    )
    # "he" is in no table, and stands for itself; died comes from murdered, killed from itself
    expected = [1.0, 0.75 * 0.4, 0.25 + 0.75 * 0.5, 0.0]
    assert found.probabilities == pytest.approx(expected)
    assert found.origins.tolist() == [0, 3, 1, -1]


@given(st.lists(st.tuples(words, words), max_size=4))
def test_best_origins_are_those_of_a_loop(pairs):
    table = table_of({"a": {"a": 0.5, "b": 0.3}, "b": {"c": 0.9}, "c": {"d": 0.1, "b": 0.4}})
    sources, targets = [s for s, _ in pairs], [t for _, t in pairs]
    found = translations(sources, targets, table, WORDS, own=0.5)
    expected = []
    for source, target in pairs:
        for word in target.split():
            values = [
                0.5 * (word == other) + 0.5 * table.of(other).get(word, 0.0)
                if other in table.words
                else float(word == other)
                for other in source.split()
            ]
            expected.append((max(values), values.index(max(values)) if max(values) else -1))
    assert list(zip(found.probabilities.tolist(), found.origins.tolist(), strict=True)) == [
        (pytest.approx(p), i) for p, i in expected
    ]
