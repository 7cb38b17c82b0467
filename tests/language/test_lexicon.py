"""What the shipped lexicon knows of words."""

import subprocess
import sys
import tracemalloc
from itertools import product

import numpy as np
import pytest

from ensue.errors import SettingError, UndefinedError, UnknownNameError
from ensue.language import Lemma, PartOfSpeech, load_lexicon
from ensue.language.lexicon.lexicon import LICENSE, TABLE


@pytest.mark.parametrize(
    ("form", "pos", "lemmas"),
    [
        ("geese", "noun", ("goose",)),
        ("Dogs", "n", ("dog",)),
        ("axes", "noun", ("ax", "axis")),
        ("glasses", "noun", ("glasses", "glass")),
        ("boss", "noun", ("boss",)),  # and not the genus Bos
        ("went", "verb", ("go",)),
        ("hoping", "verb", ("hope", "hop")),
        ("better", "adjective", ("better", "good", "well")),
        ("biggest", "s", ("big",)),
        ("quickly", "adverb", ("quickly",)),
        ("hot dogs", "noun", ("hot dog",)),
        ("looked_after", "verb", ("look after",)),
        ("attorneys general", "noun", ("attorney general",)),
        ("xyzzy", "noun", ()),
        ("", "verb", ()),
        ("s", "verb", ()),
        ("\ud800", "noun", ()),
    ],
)
def test_lemmas_of_a_form(lexicon, form, pos, lemmas):
    assert lexicon.lemmas(form, pos) == lemmas


def test_lemmas_of_a_long_text_are_not_sought_word_by_word(lexicon):
    tracemalloc.start()
    try:
        assert lexicon.lemmas("dogs " * 3000, "noun") == ()
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
    assert lexicon.vocabulary.most_words == 9
    longest = "Royal Societies of London for Improving Natural Knowledge"
    royal = "royal society of london for improving natural knowledge"
    assert lexicon.lemmas(longest, "noun") == (royal,)


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("sent", "send"),
        ("Books", "book"),
        ("saw", "see"),
        ("left", "leave"),
        ("was", "be"),
        ("quickly", "quickly"),
        ("the", "the"),
        ("zyzzy", "zyzzy"),
    ],
)
def test_base_form_is_the_most_frequent_lemma(lexicon, form, base):
    assert lexicon.base_form(form) == base


def test_synsets_come_in_the_order_of_senses(lexicon):
    names = [lexicon.name(synset) for synset in lexicon.synsets("dogs", "noun")]
    assert names[:3] == ["dog.n.01", "frump.n.01", "dog.n.03"]
    assert [lexicon.name(i) for i in lexicon.synsets("dogs", "noun", senses=1)] == ["dog.n.01"]
    assert lexicon.counts("dog", "noun").tolist() == [42, 0, 0, 0, 0, 0, 0]


def test_a_synset_of_two_lemmas_is_named_once(lexicon):
    synsets = lexicon.synsets("commons", "noun").tolist()  # the park is also a common
    assert len(synsets) == len(set(synsets)) == len(lexicon.counts("commons", "noun"))


def test_synsets_have_words_and_names(lexicon):
    dog = lexicon.synset("dog.n.01")
    assert lexicon.words(dog) == ("dog", "domestic dog", "canis familiaris")
    assert lexicon.name(dog) == "dog.n.01"
    assert lexicon.synset("Domestic_Dog.noun.1") == dog


def test_every_synset_is_found_by_its_name(lexicon):
    for synset in range(0, lexicon.network.n_synsets, 97):
        assert lexicon.synset(lexicon.name(synset)) == synset


def test_synonyms_are_the_others_of_a_synset(lexicon):
    assert lexicon.synonyms("cars", "noun")[:4] == ("auto", "automobile", "machine", "motorcar")


def test_hypernyms_have_their_distance(lexicon):
    above = lexicon.hypernyms("dog", "noun")
    assert (above["canine"], above["animal"], above["mammal"]) == (1, 2, 4)
    assert list(above.values()) == sorted(above.values())


def test_holonyms_lead_from_a_city_to_its_country(lexicon):
    whole = lexicon.holonyms("Paris")
    assert (whole["france"], whole["europe"]) == (1, 2)


def test_instances_are_those_of_kinds_too(lexicon):
    cities = lexicon.instances("national capital")
    assert {"paris", "kabul"} <= set(cities)
    assert set(cities) < set(lexicon.instances("location"))
    assert lexicon.instances("xyzzy") == ()


def test_verbs_entail_and_cause(lexicon):
    assert "sleep" in lexicon.entailments("snored")
    assert "die" in lexicon.causes("kill")
    assert lexicon.causes("xyzzy") == ()


def test_adjectives_have_similar_ones(lexicon):
    assert {"rapid", "speedy"} <= set(lexicon.similar("fast"))


@pytest.mark.parametrize(
    ("word", "pos", "antonyms"),
    [("hot", "a", ("cold",)), ("wealth", "n", ("poverty",)), ("dog", "n", ())],
)
def test_antonyms_of_a_word(lexicon, word, pos, antonyms):
    assert lexicon.antonyms(word, pos) == antonyms


@pytest.mark.parametrize(
    ("word", "pos", "derived"),
    [
        ("destroy", "verb", Lemma("destruction", PartOfSpeech.NOUN)),
        ("destruction", "noun", Lemma("destroy", PartOfSpeech.VERB)),
        ("happy", "adjective", Lemma("happiness", PartOfSpeech.NOUN)),
        ("quick", "adjective", Lemma("quickly", PartOfSpeech.ADVERB)),
        ("quickly", "adverb", Lemma("quick", PartOfSpeech.ADJECTIVE)),
        ("atomic", "adjective", Lemma("atom", PartOfSpeech.NOUN)),
        ("atom", "noun", Lemma("atomic", PartOfSpeech.ADJECTIVE)),
    ],
)
def test_derivations_go_both_ways(lexicon, word, pos, derived):
    assert derived in lexicon.derivations(word, pos)


def test_collocations_are_of_several_words(lexicon):
    words = ["hot dogs", "ice_cream", "blue table", "dog", "looked after", "  dog "]
    assert lexicon.is_collocation(words).tolist() == [True, True, False, False, True, False]
    assert lexicon.is_collocation(["look after", "hot dog"], "noun").tolist() == [False, True]
    assert lexicon.is_collocation([]).tolist() == []


def test_pairs_of_words_are_answered_together(lexicon):
    first, second = (
        ["car", "dog", "dog", "paris", "xyzzy"],
        ["autos", "animals", "cat", "city", "dog"],
    )
    assert lexicon.is_synonym(first, second, "noun").tolist() == [True, False, False, False, False]
    assert lexicon.hypernym_distance(first, second, "noun").tolist() == [0, 2, -1, 2, -1]
    assert lexicon.hypernym_distance([], [], "noun").tolist() == []


@pytest.mark.parametrize("pos", ["noun", "verb", "adjective", "adverb"])
def test_antonyms_of_many_are_those_of_one(lexicon, pos):
    words = ["hot", "cold", "buy", "sell", "wealth", "poverty", "up", "down", "dogs", "xyzzy"]
    first, second = zip(*product(words, words), strict=True)
    expected = [other in lexicon.antonyms(word, pos) for word, other in product(words, words)]
    assert lexicon.is_antonym(first, second, pos).tolist() == expected
    assert any(expected)


def test_derivations_of_many_are_those_of_one(lexicon):
    words = ["destroy", "destruction", "france", "french", "quick", "quickly", "happy", "xyzzy"]
    pairs = list(product(words, words))
    first, second = zip(*pairs, strict=True)
    found = 0
    for pos, other_pos in product(PartOfSpeech, PartOfSpeech):
        expected = [Lemma(b, other_pos) in lexicon.derivations(a, pos) for a, b in pairs]
        assert lexicon.is_derivation(first, pos, second, other_pos).tolist() == expected
        found += sum(expected)
    assert found >= 6


@pytest.mark.parametrize(
    ("ask", "word", "other", "pos"),
    [
        ("entailments", "snore", "sleep", "verb"),
        ("causes", "kill", "die", "verb"),
        ("similar", "fast", "rapid", "adjective"),
        ("holonyms", "paris", "france", "noun"),
    ],
)
def test_what_is_as_true_is_one_step_away(lexicon, ask, word, other, pos):
    assert other in getattr(lexicon, ask)(word)
    assert lexicon.generality_distance([word], [other], pos).tolist() == [1]
    assert lexicon.generality_distance([other], [word], pos).tolist() != [1] or ask == "similar"


def test_generality_distance_is_none_for_what_is_not_as_general(lexicon):
    first, second = ["murder", "murder", "murder"], ["kill", "die", "sing"]
    assert lexicon.generality_distance(first, second, "verb").tolist() == [1, 2, -1]
    assert lexicon.generality_distance(["dog"], ["chap"], "noun", senses=1).tolist() == [-1]


def test_meanings_answer_as_words_do(lexicon):
    words = ["dog", "animal", "car", "automobile", "hot", "bus", "xyzzy"]
    meanings = lexicon.meanings([Lemma(word, PartOfSpeech.NOUN) for word in words])
    pairs = list(product(range(len(words)), repeat=2))
    first, second = np.array(pairs, np.int64).T.copy()
    named = [words[i] for i in first], [words[i] for i in second], "noun"
    assert meanings.known.tolist() == [True, True, True, True, False, True, False]
    np.testing.assert_array_equal(meanings.is_synonym(first, second), lexicon.is_synonym(*named))
    np.testing.assert_array_equal(meanings.is_antonym(first, second), lexicon.is_antonym(*named))
    np.testing.assert_array_equal(
        meanings.first(2).hypernym_distance(first, second),
        lexicon.hypernym_distance(*named, senses=2),
    )
    np.testing.assert_array_equal(
        meanings.generality_distance(first, second), lexicon.generality_distance(*named)
    )
    np.testing.assert_array_equal(
        meanings.first(1).similarity("lin", first, second),
        lexicon.similarity("lin", *named, senses=1),
    )


def test_meanings_beside_others_are_numbered_behind_them(lexicon):
    dog, animal = (lexicon.meanings([Lemma(word, PartOfSpeech.NOUN)]) for word in ("dog", "animal"))
    both = dog.beside(animal)
    assert len(both) == 2
    assert both.hypernym_distance(np.array([0]), np.array([1])).tolist() == [2]
    nothing = both.where(both.words == 1)
    assert nothing.known.tolist() == [False, True]


def test_meanings_may_be_of_two_parts_of_speech(lexicon):
    lemmas = [Lemma("destroy", PartOfSpeech.VERB), Lemma("destruction", PartOfSpeech.NOUN)]
    meanings = lexicon.meanings(lemmas)
    assert meanings.is_derivation(np.array([0, 1]), np.array([1, 1])).tolist() == [True, False]
    assert len(lexicon.meanings([])) == 0


def test_first_senses_alone_may_count(lexicon):
    pair = ["dog"], ["person"]  # a dog may also be a fellow
    assert lexicon.hypernym_distance(*pair, "noun").tolist() == [3]
    assert lexicon.hypernym_distance(*pair, "noun", senses=1).tolist() == [-1]
    assert lexicon.similarity("path", *pair, "noun", senses=1) < lexicon.similarity(
        "path", *pair, "noun"
    )


@pytest.mark.parametrize(
    ("original", "other", "pos", "expected"),
    [
        ("doctor", "physicians", "noun", True),
        ("doctor", "person", "noun", True),
        ("person", "doctor", "noun", False),
        ("doctor", "nurse", "noun", False),
        ("Paris", "France", "noun", True),
        ("Paris", "Europe", "noun", True),
        ("Paris", "country", "noun", True),
        ("France", "Paris", "noun", False),
        ("Paris", "London", "noun", False),
        ("Eiffel Tower", "Paris", "noun", True),
        ("Lake Geneva", "Switzerland", "noun", True),
        ("France", "European Union", "noun", True),
        ("Spaniard", "Spain", "noun", False),  # a member of Spain, but no place
        ("Spaniard", "person", "noun", True),
        ("Kurd", "Kurdistan", "noun", False),  # here even a part
        ("hemline", "dress", "noun", False),  # a place, but on no place
        ("paw", "dog", "noun", False),
        ("hot dog", "sandwich", "noun", True),
        ("hot_dogs", "food", "noun", True),
        ("snore", "sleep", "verb", True),
        ("snores", "rested", "verb", True),
        ("kill", "die", "verb", True),
        ("buy", "pay", "verb", True),
        ("whisper", "talk", "verb", True),
        ("talk", "whisper", "verb", False),
        ("send", "show", "verb", False),
        ("quick", "fast", "adjective", True),
        ("fast", "rapid", "adjective", True),
        ("fast", "slow", "adjective", False),
        ("quickly", "rapidly", "adverb", True),
        ("quickly", "slowly", "adverb", False),
        ("xyzzy", "Xyzzy", "noun", True),
        ("big xyzzy", "big_xyzzy", "noun", True),
        ("xyzzy", "dog", "noun", False),
        ("dog", "xyzzy", "noun", False),
    ],
)
def test_says_no_more(lexicon, original, other, pos, expected):
    assert lexicon.says_no_more(original, other, pos) is expected


def test_information_content_is_nothing_at_the_root(lexicon):
    entity, dog = lexicon.synset("entity.n.01"), lexicon.synset("dog.n.01")
    found = lexicon.information_content([entity, dog])
    assert found[0] == 0 < found[1]
    assert not np.signbit(found[0])


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda it: it.lemmas("dog", "nuon"), UnknownNameError, "did you mean 'noun'?"),
        (lambda it: it.synsets("dog", ""), UnknownNameError, "no part of speech is called ''"),
        (lambda it: it.says_no_more("a", "a", "x"), UnknownNameError, "called 'x'"),
        (
            lambda it: it.is_synonym(["a"], ["a", "b"], "n"),
            SettingError,
            "1 words cannot be paired",
        ),
        (lambda it: it.is_synonym("dog", "cat", "n"), SettingError, "'dog' is one word, not many"),
        (lambda it: it.is_synonym(["d"], "c", "n"), SettingError, "hint: put it into a list"),
        (lambda it: it.is_collocation("hot dog"), SettingError, "'hot dog' is one word"),
        (lambda it: it.similarity("paht", ["a"], ["a"], "n"), UnknownNameError, "mean 'path'?"),
        (lambda it: it.similarity("lin", ["a"], ["b"], "a"), UndefinedError, "adjectives have no"),
        (lambda it: it.synsets("dog", "n", senses=0), SettingError, "the first 0 senses"),
        (lambda it: it.name(-1), SettingError, "-1 is no synset's number"),
        (lambda it: it.words(117_659), SettingError, "they go from 0 to 117658"),
        (lambda it: it.synset_similarity("path", [0], [10**9]), SettingError, "1000000000 is no"),
        (
            lambda it: it.synset_similarity("lin", [1, 2], [3, 4, 5]),
            SettingError,
            "2 synsets cannot",
        ),
        (lambda it: it.related(0, "hypernymy"), UnknownNameError, "did you mean 'hypernym'?"),
        (lambda it: it.synset("dog"), UnknownNameError, "no synset is called 'dog'"),
        (lambda it: it.synset("dog.n.99"), UnknownNameError, "no synset is called 'dog.n.99'"),
        (lambda it: it.synset("dogs.n.01"), UnknownNameError, "e.g. 'dog.n.01'"),
        (lambda it: it.synset("dog.x.01"), UnknownNameError, "no part of speech is called 'x'"),
    ],
)
def test_what_makes_no_sense_is_an_error(lexicon, ask, error, message):
    with pytest.raises(error) as raised:
        ask(lexicon)
    assert message in str(raised.value)


def test_the_lexicon_cannot_be_changed(lexicon):
    with pytest.raises(AttributeError):
        lexicon.table = None
    with pytest.raises(ValueError, match="read-only"):
        lexicon.table["senses.synset"][0] = 1


def test_the_lexicon_is_loaded_once():
    assert load_lexicon() is load_lexicon()


def test_importing_maps_nothing():
    code = "import ensue.language.lexicon.lexicon as it; print(it.load_lexicon.__wrapped__.cache_info().misses)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "0\n"


def test_table_is_small_and_has_its_license_beside_it():
    assert TABLE.stat().st_size < 8_000_000
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in TABLE.with_name(
        LICENSE
    ).read_text("utf-8")
