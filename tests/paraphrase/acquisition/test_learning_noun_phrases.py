"""Paraphrases by the noun phrases around them: chunks, vectors and cosines by hand."""

from math import log, sqrt

import numpy as np
import pytest

from ensue.language.analyzer import Sentence
from ensue.paraphrase.acquisition.methods import NounPhraseSettings
from ensue.paraphrase.acquisition.noun_phrases import (
    NounChunk,
    PhraseContext,
    PhraseFeatures,
    between_noun_phrases,
    learn_by_noun_phrases,
    noun_chunks,
)


def sentence(tagged, lemmas=None, relations=None):
    """A sentence from `word/TAG word/TAG`, as the analyzer would give it."""
    tokens = [token.rsplit("/", 1) for token in tagged.split()]
    words = [word for word, _ in tokens]
    tags = [tag for _, tag in tokens]
    starts = np.cumsum([0, *(len(word) + 1 for word in words)])[:-1].astype(np.int32)
    n = len(words)
    return Sentence(
        " ".join(words),
        starts,
        starts + np.array([len(word) for word in words], np.int32),
        np.full(n, -1, np.int32),
        tuple((lemmas or {}).get(word, word.lower()) for word in words),
        tuple(tags),
        tuple("PUNCT" if tag in ",.:" else "X" for tag in tags),
        tuple((relations or {}).get(word, "dep") for word in words),
        ("",) * n,
    )


@pytest.mark.parametrize(
    ("tagged", "expected"),
    [
        ("The/DT old/JJ dogs/NNS barked/VBD", [("the old dogs", "dogs")]),
        ("She/PRP saw/VBD it/PRP", [("she", "she"), ("it", "it")]),
        ("a/DT very/RB old/JJ dog/NN", [("a very old dog", "dog")]),
        ("he/PRP only/RB sold/VBD cars/NNS", [("he", "he"), ("cars", "cars")]),
        ("the/DT city/NN 's/POS new/JJ mayor/NN", [("the city 's new mayor", "mayor")]),
        ("Anna/NNP Hill/NNP of/IN Rome/NNP", [("anna hill", "hill"), ("rome", "rome")]),
        ("twelve/CD died/VBD", [("twelve", "twelve")]),
        ("about/IN $/$ 30/CD", [("$ 30", "30")]),
        ("the/DT poor/JJ slept/VBD", []),
        ("both/DT left/VBD", []),
    ],
)
def test_noun_phrases_are_found_by_their_tags(tagged, expected):
    found = noun_chunks(sentence(tagged))
    assert [(chunk.words, chunk.head) for chunk in found] == expected


def test_participles_belong_to_noun_phrases_where_the_parser_says_so():
    tagged = "he/PRP freed/VBN wounded/VBN men/NNS"
    found = noun_chunks(sentence(tagged, relations={"wounded": "amod"}))
    assert [chunk.words for chunk in found] == ["he", "wounded men"]


def test_heads_are_lemmas_of_nouns():
    (chunk,) = noun_chunks(sentence("stray/JJ dogs/NNS", lemmas={"dogs": "dog"}))
    assert (chunk.head, chunk.words) == ("dog", "stray dogs")


def test_phrases_between_noun_phrases_have_no_punctuation_and_are_short():
    tagged = "Rome/NNP did/VBD n't/RB  fall/VB to/IN him/PRP ,/, he/PRP said/VBD when/WRB we/PRP"
    found = between_noun_phrases(sentence(tagged), 4)
    assert [(each.left.head, each.phrase, each.right.head) for each in found] == [
        ("rome", "did n't fall to", "him"),
        ("he", "said when", "we"),
    ]
    assert len(list(between_noun_phrases(sentence(tagged), 3))) == 1


@pytest.mark.parametrize("mark", [",", ">", "--", "%"])
def test_phrases_with_punctuation_are_none_whatever_its_tag(mark):
    tagged = f"she/PRP saw/VBD {mark}/NFP fed/VBD it/PRP"
    assert list(between_noun_phrases(sentence(tagged), 4)) == []


def test_neighboring_noun_phrases_have_nothing_between_them():
    assert list(between_noun_phrases(sentence("he/PRP gave/VBD her/PRP books/NNS"), 4)) == [
        PhraseContext(NounChunk(0, 1, "he", "he"), "gave", NounChunk(2, 3, "her", "her"))
    ]


def between(left, phrase, right):
    return PhraseContext(
        NounChunk(0, 1, left, f"the {left}"), phrase, NounChunk(2, 3, right, f"a {right}")
    )


SEEN = [
    between("gunman", "killed", "guard"),
    between("soldier", "killed", "guard"),
    *[between("gunman", "slew", "guard")] * 2,
    *[between("girl", "fed", "cat")] * 2,
]


def vectors_of(seen, *, whole=False):
    counts = PhraseFeatures()
    counts.add(seen, whole=whole)
    return counts.vectors()


def test_vectors_are_pointwise_mutual_information():
    # N = 12: each of six occurrences has a left and a right feature; n(p) = 4 for each phrase;
    # n(f): gunman on the left 3, guard on the right 4, soldier 1, girl 2, cat 2
    vectors = vectors_of(SEEN)
    assert vectors.phrases == ("killed", "slew", "fed")
    assert vectors.n_occurrences.tolist() == [2, 2, 2]
    gunman, guard, soldier, girl, cat = range(5)
    expected = np.zeros((3, 5))
    expected[0, gunman] = log(1 * 12 / (4 * 3))  # 0: seen as often as chance has it
    expected[0, guard] = log(2 * 12 / (4 * 4))
    expected[0, soldier] = log(1 * 12 / (4 * 1))
    expected[1, gunman] = log(2 * 12 / (4 * 3))
    expected[1, guard] = log(2 * 12 / (4 * 4))
    expected[2, girl] = expected[2, cat] = log(2 * 12 / (4 * 2))
    np.testing.assert_allclose(vectors.matrix.toarray(), expected, rtol=1e-14, atol=1e-15)


def test_confidence_is_the_cosine_of_vectors():
    ((found,), n_occurrences) = vectors_of(SEEN).learned(["killed"], 10, 2)
    of_killed = sqrt(log(1.5) ** 2 + log(3) ** 2)
    of_slew = sqrt(log(2) ** 2 + log(1.5) ** 2)
    (slew,) = found
    assert slew.paraphrase == "slew"
    assert slew.confidence == pytest.approx(log(1.5) ** 2 / (of_killed * of_slew), rel=1e-12)
    assert (slew.n_contexts, slew.n_occurrences) == (2, 2)  # gunman and guard, though one says 0
    assert n_occurrences == [2]


def test_a_noun_on_the_other_side_is_another_feature():
    seen = [between("dog", "bit", "man"), between("man", "nipped", "dog"), between("x", "of", "y")]
    assert vectors_of(seen).learned(["bit"], 10, 1) == ([[]], [1])


def test_phrases_share_enough_and_are_not_too_rare():
    seen = [*SEEN, between("gunman", "murdered", "guard"), between("thief", "saw", "guard")]
    ((found,), _) = vectors_of(seen).learned(["killed"], 10, 2)
    assert [each.paraphrase for each in found] == ["slew"]
    ((found,), _) = vectors_of(seen).learned(["killed"], 10, 1)
    assert {each.paraphrase for each in found} == {"slew", "murdered", "saw"}


def test_function_words_are_no_paraphrases_but_count():
    seen = [*SEEN, *[between("gunman", "and the", "guard")] * 2]
    ((found,), _) = vectors_of(seen).learned(["killed"], 10, 2)
    assert [each.paraphrase for each in found] == ["slew"]
    own = vectors_of(seen).matrix.toarray()[0, 1]
    assert own == pytest.approx(log(2 * 16 / (4 * 6)))  # N and n(guard) with "and the"


def test_whole_noun_phrases_can_be_the_features():
    killed = PhraseContext(
        NounChunk(0, 1, "man", "the man"), "killed", NounChunk(2, 3, "dog", "a dog")
    )
    slew = PhraseContext(
        NounChunk(0, 1, "man", "the old man"), "slew", NounChunk(2, 3, "dog", "a dog")
    )
    seen = [killed, slew, between("x", "of", "y")]
    ((by_heads,), _) = vectors_of(seen).learned(["killed"], 10, 1)
    ((whole,), _) = vectors_of(seen, whole=True).learned(["killed"], 10, 1)
    assert [each.n_contexts for each in by_heads] == [2]
    assert [each.n_contexts for each in whole] == [1]


def test_terms_that_were_not_seen_have_no_paraphrase():
    assert vectors_of(SEEN).learned(["drowned"], 10, 2) == ([[]], [0])


def test_one_phrase_alone_has_no_direction():
    seen = [between("gunman", "killed", "guard")] * 2
    assert vectors_of(seen).learned(["killed"], 10, 1) == ([[]], [2])


def test_nothing_seen_gives_nothing():
    assert vectors_of([]).learned(["killed"], 10, 1) == ([[]], [0])


def test_counts_are_the_same_however_they_are_merged(monkeypatch):
    whole = vectors_of(SEEN).matrix.toarray()
    monkeypatch.setattr("ensue.paraphrase.acquisition.noun_phrases._PENDING", 1)
    counts = PhraseFeatures()
    for each in SEEN:
        counts.add([each])
    np.testing.assert_array_equal(counts.vectors().matrix.toarray(), whole)


def test_paraphrases_are_learned_through_the_parser():
    subjects, objects = ("teacher", "minister", "mayor"), ("pupil", "nurse", "driver")
    text = [
        f"The {left} {verb} the young {right}."
        for verb in ("praised", "has praised")
        for left, right in zip(subjects, objects, strict=True)
    ]
    text += [
        f"The {left} quickly left a {right}." for left, right in (("cat", "box"), ("dog", "car"))
    ]
    outcome = learn_by_noun_phrases(
        [text[:2], text[2:]], ["Praised", "left"], NounPhraseSettings(), most=10, least=2
    )
    (praised, left) = outcome.lists
    assert [(each.paraphrase, each.n_contexts, each.n_occurrences) for each in praised] == [
        ("has praised", 6, 3)
    ]
    assert praised[0].confidence == pytest.approx(1.0)
    assert left == []
    assert outcome.n_term_occurrences == [3, 0]
    assert outcome.n_sentences == 8
