"""How alike words are: by hand on a tiny lexicon, and laws on the shipped one."""

from math import inf, log

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.language import SimilarityMeasure, load_lexicon
from ensue.language.lexicon.kernels import steps_to

IC_DOG = log((1 + 3) / (1 + 2))  # 3 nouns in the texts, 2 of them dogs
IC_CAT = log((1 + 3) / (1 + 1))
IC_PUPPY = log((1 + 3) / (1 + 0))


@pytest.mark.parametrize(
    ("measure", "first", "second", "pos", "expected"),
    [
        ("path", "puppy", "cat", "noun", 1 / (1 + 3)),
        ("path", "puppy", "puppies", "noun", 1),
        ("path", "limp", "sleep", "verb", 1 / (1 + 3 + 2)),  # over a root above both roots
        ("path", "dog", "town", "noun", 1 / (1 + 2)),  # by the second sense of dog
        ("wu-palmer", "puppy", "cat", "noun", 2 * 2 / (2 + 1 + 2 * 2)),
        ("wu-palmer", "limp", "sleep", "verb", 2 * 1 / (3 + 2 + 2 * 1)),
        ("wu-palmer", "walk", "limp", "verb", 2 * 2 / (0 + 1 + 2 * 2)),
        ("leacock-chodorow", "puppy", "cat", "noun", -log((3 + 1) / (2 * 3))),
        ("leacock-chodorow", "limp", "sleep", "verb", -log((5 + 1) / (2 * (2 + 1)))),
        ("resnik", "puppy", "cat", "noun", 0),  # every noun in the texts is an animal
        ("resnik", "domestic dog", "puppy", "noun", IC_DOG),
        ("resnik", "limp", "sleep", "verb", 0),
        ("lin", "domestic dog", "puppy", "noun", 2 * IC_DOG / (IC_DOG + IC_PUPPY)),
        ("lin", "entity", "entity", "noun", 1),
        ("lin", "animal", "entity", "noun", 1),  # neither says anything in these texts
        ("jiang-conrath", "domestic dog", "puppy", "noun", 1 / (IC_PUPPY - IC_DOG)),
        ("jiang-conrath", "cat", "domestic dog", "noun", 1 / (IC_CAT + IC_DOG)),
        ("jiang-conrath", "cat", "pet", "noun", inf),
        ("jiang-conrath", "entity", "cat", "noun", 1 / IC_CAT),
    ],
)
def test_measure_worked_by_hand(tiny, measure, first, second, pos, expected):
    assert tiny.similarity(measure, [first], [second], pos)[0] == pytest.approx(expected)
    assert tiny.similarity(measure, [second], [first], pos)[0] == pytest.approx(expected)


@pytest.mark.parametrize("measure", SimilarityMeasure)
def test_measure_of_a_word_that_is_not_there_is_nan(tiny, measure):
    assert np.isnan(tiny.similarity(measure, ["xyzzy", "dog"], ["dog", "xyzzy"], "noun")).all()


@pytest.mark.parametrize("measure", SimilarityMeasure)
def test_measure_of_other_synsets_is_nan(lexicon, measure):
    dog, bark, fast = (lexicon.synset(name) for name in ("dog.n.01", "bark.v.01", "fast.a.01"))
    found = lexicon.synset_similarity(measure, [dog, fast, bark, dog], [bark, fast, dog, dog])
    assert np.isnan(found).tolist() == [True, True, True, False]


def test_one_synset_is_compared_with_many(lexicon):
    dog, cats = lexicon.synset("dog.n.01"), lexicon.synsets("cat", "noun")
    assert lexicon.synset_similarity("path", [dog], cats).tolist() == [
        lexicon.synset_similarity("path", [dog], [cat])[0] for cat in cats
    ]


def _pairs():
    """Two synsets of one part of speech; in half of the cases of one neighborhood."""
    _, nouns, verbs, *_ = load_lexicon().table["synsets.starts"].tolist()
    of_part = st.sampled_from([(0, nouns - 1), (nouns, verbs - 1)])
    far = of_part.flatmap(lambda ends: st.tuples(st.integers(*ends), st.integers(*ends)))
    near = of_part.flatmap(
        lambda ends: st.tuples(st.integers(*ends), st.integers(-5, 5)).map(
            lambda pair: (pair[0], min(max(pair[0] + pair[1], ends[0]), ends[1]))
        )
    )
    return far | near


PAIRS = st.deferred(_pairs)


@pytest.mark.parametrize("measure", SimilarityMeasure)
@given(pair=PAIRS)
def test_law_of_symmetry(measure, pair):
    a, b = pair
    one, other = load_lexicon().synset_similarity(measure, [a, b], [b, a])
    assert one == other


@given(PAIRS)
def test_law_of_range(pair):
    lexicon = load_lexicon()
    scores = {m: lexicon.synset_similarity(m, *([i] for i in pair))[0] for m in SimilarityMeasure}
    for measure in ("path", "wu-palmer"):
        assert 0 < scores[measure] <= 1
    assert 0 <= scores["lin"] <= 1 + 1e-12
    assert 0 <= scores["resnik"] <= min(lexicon.information_content(pair))
    assert scores["jiang-conrath"] > 0
    assert scores["leacock-chodorow"] > 0


@given(PAIRS)
def test_law_of_identity(pair):
    lexicon, same = load_lexicon(), [pair[0]]
    for measure in ("path", "wu-palmer", "lin"):
        assert lexicon.synset_similarity(measure, same, same)[0] == 1
    assert lexicon.synset_similarity("jiang-conrath", same, same)[0] == inf
    assert lexicon.synset_similarity("resnik", same, same) == lexicon.information_content(same)
    if pair[0] != pair[1]:
        assert lexicon.synset_similarity("path", same, [pair[1]])[0] <= 1 / 2
        assert lexicon.synset_similarity("wu-palmer", same, [pair[1]])[0] < 1


@given(PAIRS, st.data())
def test_law_of_the_triangle_holds_for_steps_up(pair, data):
    # not for `path`: with two hypernyms, a way up and down is not always the sum of two
    reach = load_lexicon().network.hierarchy.reach
    row = reach.synsets[reach.offsets[pair[0]] : reach.offsets[pair[0] + 1]].tolist()
    middle = data.draw(st.sampled_from(row))
    above = reach.synsets[reach.offsets[middle] : reach.offsets[middle + 1]].tolist()
    top = data.draw(st.sampled_from(above))
    legs = steps_to(reach, pair[0], middle) + steps_to(reach, middle, top)
    assert 0 <= steps_to(reach, pair[0], top) <= legs


def test_law_of_content_the_higher_the_less(lexicon):
    content = lexicon.network.hierarchy.content
    for relation in ("hypernym", "instance hypernym"):
        sources, targets = (lexicon.table[f"{relation}.{end}"] for end in ("sources", "targets"))
        assert (content[targets] <= content[sources]).all()
    assert (content >= 0).all()


WORDS = st.sampled_from(
    [
        "dog",
        "cat",
        "animal",
        "person",
        "doctor",
        "nurse",
        "city",
        "paris",
        "france",
        "car",
        "vehicle",
        "idea",
        "love",
        "bank",
        "run",
        "hot_dog",
        "geese",
        "xyzzy",
        "entity",
        "thing",
    ]
)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=6))
def test_law_of_batches_many_are_as_one_by_one(pairs):
    lexicon = load_lexicon()
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    for ask in (
        lambda a, b: lexicon.similarity("wu-palmer", a, b, "noun"),
        lambda a, b: lexicon.hypernym_distance(a, b, "noun"),
        lambda a, b: lexicon.is_synonym(a, b, "noun"),
        lambda a, b: lexicon.is_as_general(a, b, "noun"),
    ):
        alone = [ask([a], [b])[0] for a, b in pairs]
        np.testing.assert_array_equal(ask(first, second), alone)


@given(WORDS, WORDS)
def test_law_of_generality_covers_synonyms_and_hypernyms(first, second):
    lexicon = load_lexicon()
    distance = lexicon.hypernym_distance([first], [second], "noun")[0]
    assert lexicon.is_synonym([first], [second], "noun")[0] == (distance == 0)
    assert distance < 0 or lexicon.says_no_more(first, second, "noun")
    assert lexicon.says_no_more(first, first, "noun")
    above = lexicon.hypernyms(first, "noun")
    assert all(lexicon.says_no_more(first, word, "noun") for word in above)
