"""Words made from others."""

import pytest


@pytest.mark.parametrize(
    ("adverb", "adjectives"),
    [
        ("quickly", ("quick",)),
        ("Happily", ("happy",)),
        ("gently", ("gentle",)),
        ("publicly", ("public",)),
        ("economically", ("economic",)),
        ("fast", ("fast",)),
        ("safely", ("safe",)),  # no link in WordNet
        ("well", ("good",)),
        ("hardly", ()),
        ("only", ()),
        ("family", ()),  # no adverb, and "fami" no adjective
        ("xyzzily", ()),
    ],
)
def test_adverb_is_made_from_its_adjectives(lexicon, adverb, adjectives):
    assert lexicon.manner_adjective(adverb) == adjectives


@pytest.mark.parametrize(
    ("noun", "verbs"),
    [
        ("arrival", ("arrive",)),
        ("arrivals", ("arrive",)),
        ("destruction", ("destroy",)),
        ("apology", ("apologize", "apologise")),
        ("explanation", ("explain",)),
        ("discovery", ("discover",)),
        ("decision", ("decide",)),
        ("vote", ("vote",)),
        ("walk", ("walk",)),
        ("sale", ("sell",)),
        ("choice", ("choose",)),
        ("loss", ("lose",)),
        ("flight", ("fly", "flee")),
        ("existence", ("exist",)),
    ],
)
def test_noun_names_the_event_of_verbs(lexicon, noun, verbs):
    assert lexicon.event_verbs(noun) == verbs


@pytest.mark.parametrize(
    ("noun", "verbs"),
    [
        ("sending", ("send",)),
        ("staring", ("stare",)),  # not of "star", which doubles its last letter
        ("Sendings", ("send",)),
        ("planning", ("plan",)),
        ("lying", ("lie",)),
        ("building", ("build",)),
        ("meeting", ("meet",)),
    ],
)
def test_form_in_ing_names_the_event_of_its_verb(lexicon, noun, verbs):
    assert lexicon.event_verbs(noun) == verbs


@pytest.mark.parametrize(
    "noun", ["teacher", "president", "gift", "evening", "king", "thing", "sing", "dog", "name", ""]
)
def test_noun_names_no_event(lexicon, noun):
    assert lexicon.event_verbs(noun) == ()


def test_lexicon_of_a_few_words_has_no_sayings(tiny):
    assert tiny.event_verbs("cat") == ()
    assert tiny.manner_adjective("rapidly") == ("rapid",)


def test_answers_are_kept(lexicon):
    assert lexicon.event_verbs("rescue") is lexicon.event_verbs("rescue")
    assert lexicon.frames("rescue") is lexicon.frames("rescue")
