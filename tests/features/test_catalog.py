"""The features: their names, groups, ranges, definitions and examples."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.features import FEATURES, GROUPS, NAMES, Comparer, measured
from ensue.features.comparison import TERMS
from ensue.language.analyzer import load_analyzer
from ensue.language.lexicon import load_lexicon
from ensue.pairs import read_pairs

TABLE_1 = [
    ("alignment", 3),
    ("unaligned", 10),
    ("adjuncts", 7),
    ("apposition", 2),
    ("modality", 5),
    ("factives", 8),
    ("polarity", 5),
    ("quantifiers", 4),
    ("tense", 2),
    ("dates", 6),
    ("root", 2),
    ("relations", 4),
    ("relatedness", 7),
    ("structure", 5),
    ("compatibility", 4),
]
"""The groups of Padó et al. (2009), Table 1, with the number of features in each."""

WORDS = [
    *("Anna", "Boris", "Paris", "Siemens", "dog", "dogs", "poodle", "house", "doctor", "price"),
    *("he", "it", "the", "a", "no", "every", "few", "most", "not", "never", "without", "none"),
    *("is", "was", "left", "leave", "sold", "fell", "rose", "may", "cannot", "must", "will"),
    *("said", "knows", "failed", "to", "that", "if", "and", "or", "of", "in", "on", "by"),
    *("1994", "15", "September", "two", "20", "percent", "$5", "red", "old", "quickly"),
    *(",", ".", "?", '"', "☂", "é"),
]

SHARES = np.array([feature.is_share for feature in FEATURES])


@pytest.fixture(scope="module")
def features():
    """Gives the features of pairs."""
    analyzer, comparer = load_analyzer(), Comparer(load_lexicon())

    def of(pairs):
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        sentences = dict(zip(texts, analyzer.analyze(texts), strict=True))
        return measured(comparer.compare(pairs, sentences))

    return of


def in_range(values):
    flags = values[:, ~SHARES]
    return bool(((values >= 0) & (values <= 1)).all() and np.isin(flags, (0, 1)).all())


def test_groups_are_those_of_the_paper():
    assert [(group.name, len(group.features)) for group in GROUPS] == TABLE_1


def test_catalog_has_74_features():
    assert len(FEATURES) == len(NAMES) == sum(n for _, n in TABLE_1) == 74


def test_names_are_unique():
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_names_begin_with_their_group(group):
    assert {feature.group for feature in group.features} == {group.name}


@pytest.mark.parametrize("feature", FEATURES, ids=NAMES)
def test_definition_is_a_sentence(feature):
    assert feature.definition[0] in "ABCDEFGHIJKLMNOPQRSTUVWXYZ("
    assert feature.definition.endswith(".")


@pytest.mark.parametrize("feature", FEATURES, ids=NAMES)
def test_range_says_whether_a_feature_is_a_share(feature):
    assert feature.range == ("0 to 1" if feature.is_share else "0 or 1")


@pytest.mark.parametrize("term", TERMS)
def test_term_is_used_in_definitions(term):
    assert any(term in feature.definition for feature in FEATURES)


@pytest.mark.parametrize("feature", FEATURES, ids=NAMES)
def test_example_fires_its_feature(features, feature):
    assert features([feature.example])[0, NAMES.index(feature.name)] > 0


def test_values_are_in_range_on_the_shipped_pairs(features, examples):
    pairs = [(pair.text, pair.hypothesis) for pair in read_pairs(examples)]
    assert in_range(features(pairs))


def test_values_are_in_range_on_examples_in_all_combinations(features):
    texts = [feature.example[0] for feature in FEATURES[::4]]
    hypotheses = [feature.example[1] for feature in FEATURES[::4]]
    assert in_range(features([(text, each) for text in texts for each in hypotheses]))


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.lists(st.sampled_from(WORDS), max_size=8))
def test_values_are_in_range_on_any_words(features, text, hypothesis):
    assert in_range(features([(" ".join(text), " ".join(hypothesis))]))


@given(st.text(max_size=30), st.text(max_size=30))
def test_values_are_in_range_on_any_text(features, text, hypothesis):
    assert in_range(features([(text, hypothesis)]))
