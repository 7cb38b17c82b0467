"""Pairs to rows of features: what a row depends on, and what not."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.features import FEATURES, NAMES, Comparer, measured
from ensue.language.analyzer import load_analyzer
from ensue.language.lexicon import load_lexicon
from ensue.pairs import Label, Pair

SIDES = [
    "",
    " ",
    "...",
    "?!",
    "Rain",
    "No",
    "42",
    "😀",
    "☂ 😀",
    "Anna left.",
    "\n\t",
    "é̀",
    "a b " * 40,
]

SENTENCES = [
    "Anna Bell sold the old house in Rome on 15 September 1994.",
    "No student who cheated passed every exam.",
    "Boris said that few of the guests may leave before noon.",
    "If the price falls by 20 percent, Siemens will not close the factory.",
    "The mayor, a lawyer, failed to convince most voters.",
]

AGAINST = [
    "unaligned.share",
    "unaligned.text",
    "adjuncts.added-positive",
    "adjuncts.dropped-positive",
    "adjuncts.exchanged",
    "modality.weaker",
    "modality.stronger",
    "modality.opposed",
    "factives.false",
    "factives.hypothesis",
    "polarity.text-negated",
    "polarity.hypothesis-negated",
    "polarity.noun",
    "polarity.antonym",
    "quantifiers.weaker",
    "quantifiers.stronger",
    "quantifiers.opposed",
    "tense.different",
    "dates.date-mismatch",
    "dates.date-missing",
    "dates.number-mismatch",
    "dates.number-missing",
    "root.unaligned",
    "structure.swapped",
    "structure.displaced",
    "compatibility.place-mismatch",
    "compatibility.person-mismatch",
    "compatibility.name-mismatch",
]
"""Features that compare, and so find no difference between a text and itself."""


@pytest.fixture(scope="module")
def features():
    """Gives the features of pairs; each time as if for the first time."""
    analyzer, lexicon = load_analyzer(), load_lexicon()

    def of(pairs):
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        sentences = dict(zip(texts, analyzer.analyze(texts), strict=True))
        return measured(Comparer(lexicon).compare(pairs, sentences))

    return of


def test_no_pairs_give_no_rows(features):
    assert features([]).shape == (0, len(FEATURES))


def test_row_is_the_same_alone_as_in_a_batch(features):
    pairs = [feature.example for feature in FEATURES]
    alone = np.concatenate([features([pair]) for pair in pairs])
    assert np.array_equal(features(pairs), alone)


@given(st.permutations(range(12)))
def test_row_does_not_depend_on_its_place(features, order):
    pairs = [feature.example for feature in FEATURES[:12]]
    assert np.array_equal(features([pairs[i] for i in order]), features(pairs)[order])


def test_row_does_not_depend_on_gold_or_id(features):
    text, hypothesis = FEATURES[0].example
    pairs = [
        Pair("1", text, hypothesis, Label.ENTAILMENT, task="QA"),
        Pair("zebra", text, hypothesis, Label.CONTRADICTION, task="IE"),
        Pair("", text, hypothesis),
    ]
    rows = features([(pair.text, pair.hypothesis) for pair in pairs])
    assert np.array_equal(rows[0], rows[1])
    assert np.array_equal(rows[0], rows[2])


@pytest.mark.parametrize("text", SIDES)
def test_odd_sides_give_finite_values(features, text):
    assert np.isfinite(features([(text, hypothesis) for hypothesis in SIDES])).all()


@pytest.mark.parametrize("sentence", SENTENCES)
def test_text_follows_from_itself(features, sentence):
    row = dict(zip(NAMES, features([(sentence, sentence)])[0], strict=True))
    assert [name for name in AGAINST if row[name]] == []
    assert row["alignment.score"] == pytest.approx(1)


def test_empty_hypothesis_lacks_nothing(features):
    row = dict(zip(NAMES, features([("Anna left.", "")])[0], strict=True))
    assert (row["alignment.score"], row["unaligned.share"], row["unaligned.text"]) == (1, 0, 1)


def test_empty_text_supports_nothing(features):
    row = dict(zip(NAMES, features([("", "Anna left.")])[0], strict=True))
    assert (row["alignment.score"], row["unaligned.share"], row["root.unaligned"]) == (0, 1, 1)
