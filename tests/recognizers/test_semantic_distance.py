"""The semantic distance of Corley and Mihalcea: by hand, sense by sense, and by its laws."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import ensue
from ensue.errors import DataError, SettingError
from ensue.language import SimilarityMeasure, load_lexicon
from ensue.pairs import Label, Pair, Status
from ensue.recognizers.semantic_distance import (
    ContentWord,
    DistanceScorer,
    DistanceSettings,
    nearest,
    word_likenesses,
)

DOG = ("A dog barks.", "An animal barks.")
NOUNS = ("dog", "animal", "poodle", "house", "cat", "entity", "glorp")


def score(text, hypothesis, **settings):
    built = ensue.load("semantic-distance", {"weights": "uniform", **settings})
    return built.judge([Pair("1", text, hypothesis)])[0].score


def test_by_hand_with_the_way_in_the_hierarchy():
    # from dog to animal are two steps, so they are 1 / (2 + 1) alike; barks is there
    assert score(*DOG, measure="path") == pytest.approx((1 / 3 + 1) / 2)


def test_by_hand_with_information_content():
    lexicon = load_lexicon()
    dog, animal = lexicon.information_content(
        [lexicon.synset(n) for n in ("dog.n.01", "animal.n.01")]
    )
    # animal is above dog, so that it is what the two have in common
    distance = dog + animal - 2 * animal
    likeness = word_likenesses(SimilarityMeasure.JIANG_CONRATH, [("animal", "dog")], "noun")
    assert likeness[0] == pytest.approx(1 / (1 + distance))
    assert score(*DOG) == pytest.approx((likeness[0] + 1) / 2)


def test_by_hand_with_rarity():
    lexicon = load_lexicon()
    rare = [
        max(0.05, 1 - math.log(1 + count) / math.log(10_001))
        for count in lexicon.frequencies(["animal", "bark"])
    ]
    expected = (rare[0] / 3 + rare[1]) / sum(rare)
    assert score(*DOG, measure="path", weights="rarity") == pytest.approx(expected)


def test_idf_is_learned_from_the_texts():
    pairs = [
        Pair("1", "A dog barks.", "An animal barks.", Label.ENTAILMENT),
        Pair("2", "A dog sleeps.", "A cat sleeps.", Label.NOT_ENTAILMENT),
    ]
    trained = ensue.load("semantic-distance", {"weights": "idf", "measure": "path"}).fit(
        pairs, seed=0
    )
    assert trained.scorer.idf.words == ("bark", "dog", "sleep")
    assert trained.scorer.idf.counts.tolist() == [1, 2, 1]
    animal, bark = math.log(3 / 1) + 1, math.log(3 / 2) + 1  # in no text, and in one of two
    assert trained.judge(pairs)[0].score == pytest.approx((animal / 3 + bark) / (animal + bark))


def test_idf_has_to_be_learned_first():
    with pytest.raises(SettingError, match="has to be trained first"):
        score(*DOG, weights="idf")


@pytest.mark.parametrize("measure", SimilarityMeasure)
@pytest.mark.parametrize("senses", [None, 1, 3])
def test_likeness_is_that_of_the_most_alike_senses(measure, senses):
    lexicon = load_lexicon()
    pairs = [(one, other) for one in NOUNS for other in NOUNS]
    content = lexicon.network.hierarchy.content.max()
    rescaled = {
        "leacock-chodorow": lambda value: value / math.log(2 * 19),
        "resnik": lambda value: value / content,
        "jiang-conrath": lambda value: 1 - 1 / (1 + value),
    }.get(measure, lambda value: value)
    expected = []
    for one, other in pairs:
        synsets = [lexicon.synsets(word, "noun", senses=senses).tolist() for word in (one, other)]
        both = [(a, b) for a in synsets[0] for b in synsets[1]]
        values = lexicon.synset_similarity(measure, [a for a, _ in both], [b for _, b in both])
        expected.append(max((rescaled(value) for value in values.tolist()), default=0.0))
    found = word_likenesses(measure, pairs, "noun", senses=senses)
    assert found == pytest.approx(expected)


def test_least_likeness_counts():
    assert score(*DOG, measure="path", least=0.34) == pytest.approx(0.5)
    assert score(*DOG, measure="path", least=0.33) == pytest.approx((1 / 3 + 1) / 2)


def test_more_specific_text_is_as_far_as_a_more_general_one():
    # the measures know no direction, the sum over the hypothesis's words does
    assert score("A dog barks.", "An animal barks.") == score("An animal barks.", "A dog barks.")
    assert score("An old dog barks.", "A dog barks.") == 1
    assert score("A dog barks.", "An old dog barks.") < 1


@pytest.mark.parametrize(
    ("text", "hypothesis", "side"),
    [
        ("A dog barks.", "He is.", "hypothesis"),
        ("It was they.", "A dog barks.", "text"),
        ("", "A dog.", "text"),
    ],
)
def test_side_without_content_words_is_abstained_from(text, hypothesis, side):
    verdict = ensue.load("semantic-distance").judge([Pair("1", text, hypothesis)])[0]
    assert verdict.status is Status.ABSTAINED
    assert verdict.reason == f"the {side} has no content words"


def test_words_that_never_occur_are_unlike_all_others():
    assert score("A glorp barks.", "A frindle barks.") == 0.5
    assert score("A glorp barks.", "A glorp barks.") == 1


@pytest.mark.parametrize(
    "settings", [{"senses": -1}, {"least": 2}, {"measure": "hops"}, {"weights": "tf"}]
)
def test_senseless_settings_are_errors(settings):
    with pytest.raises(SettingError) as error:
        ensue.load("semantic-distance", settings)
    assert error.value.code == "setting-cannot"


def test_pairs_without_words_cannot_be_learned_from():
    pairs = [Pair("1", "", "", Label.ENTAILMENT)]
    with pytest.raises(DataError) as error:
        ensue.load("semantic-distance", {"weights": "idf"}).fit(pairs, seed=0)
    assert error.value.code == "none-pairs-scored-no"


def test_explanation_has_a_line_for_each_word_that_sums_to_the_score():
    explanation = ensue.explain(
        "A poodle slept in the garden.", "A glorp slept.", "semantic-distance"
    )
    evidence = explanation.evidence
    assert sum(weight.contribution for weight in evidence.weights) == pytest.approx(
        explanation.verdict.score
    )
    assert {span.kind for span in evidence.spans} == {"same", "unaligned"}
    assert [weight.name for weight in evidence.weights] == ["glorp", "sleep – sleep"]


words = st.lists(
    st.builds(
        lambda lemma, part: ContentWord(lemma, lemma, part, 0),
        st.sampled_from(NOUNS),
        st.sampled_from(["noun", "number"]),
    ),
    min_size=1,
    max_size=6,
)
measures = st.sampled_from(list(SimilarityMeasure))


def likenesses(text, hypothesis, measure):
    known = DistanceScorer(DistanceSettings(measure))._likenesses([(text, hypothesis)])
    return np.array([each.likeness for each in nearest(text, hypothesis, known)])


@given(words, measures)
def test_every_text_has_its_own_words(text, measure):
    assert (likenesses(text, text, measure) == 1).all()


@given(words, words, words, measures)
def test_more_text_takes_nothing_away(text, more, hypothesis, measure):
    before, after = (likenesses(each, hypothesis, measure) for each in (text, text + more))
    assert (after >= before).all()
    assert ((before >= 0) & (after <= 1)).all()


@given(words, words, measures)
def test_order_of_the_text_does_not_matter(text, hypothesis, measure):
    turned = likenesses(text[::-1], hypothesis, measure)
    assert turned.tolist() == likenesses(text, hypothesis, measure).tolist()
