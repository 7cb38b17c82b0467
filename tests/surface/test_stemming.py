"""The compiled Porter stemmer against the paper, NLTK's and Snowball's."""

import pytest
import snowballstemmer
from hypothesis import given, strategies as st
from nltk.stem.porter import PorterStemmer

from ensue.language.lexicon import load_lexicon
from ensue.surface.stemmer import stems

ENDINGS = """s ed ing eed at bl iz ated bled ized sses ies ss y ey ational tional enci anci izer abli
    alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate
    ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion sion tion ou
    ism ate iti ous ive ize e ll l"""
made_up = st.tuples(
    st.text("aeiouybcdghklmnpqrstvwxz7_", min_size=1, max_size=7),
    st.lists(st.sampled_from(ENDINGS.split()), max_size=3).map("".join),
).map("".join)


def wordnet_words():
    vocabulary = load_lexicon().vocabulary
    text = vocabulary.table["words.text"].tobytes().decode()
    words = {word for word in text.replace("-", " ").split(" ") if word.isalnum()}
    return sorted(word for word in words if word.isascii() and len(word) > 1)


@pytest.mark.parametrize(
    ("word", "stem"),
    # the examples of Porter (1980), step by step, as they leave the last step
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("feed", "feed"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("bled", "bled"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("troubled", "troubl"),
        ("sized", "size"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("hissing", "hiss"),
        ("fizzed", "fizz"),
        ("failing", "fail"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("valenci", "valenc"),
        ("digitizer", "digit"),
        ("vietnamization", "vietnam"),
        ("decisiveness", "decis"),
        ("sensibiliti", "sensibl"),
        ("triplicate", "triplic"),
        ("formative", "form"),
        ("electriciti", "electr"),
        ("revival", "reviv"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("bowdlerize", "bowdler"),
        ("probate", "probat"),
        ("rate", "rate"),
        ("cease", "ceas"),
        ("controll", "control"),
        ("roll", "roll"),
        ("generalizations", "gener"),
        ("oscillators", "oscil"),
    ],
)
def test_stem_is_that_of_the_paper(word, stem):
    assert stems([word]) == [stem]


THEIRS = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
SNOWBALL = snowballstemmer.stemmer("porter")


def test_stems_agree_with_nltk_on_the_words_of_wordnet():
    words = [*wordnet_words()[::9], "trekking", "revved", "hajjed"]
    assert len(words) > 7_000
    assert stems(words) == [THEIRS.stem(word) for word in words]


@given(st.lists(made_up, max_size=30))
def test_stems_agree_with_nltk_on_words_made_up(words):
    assert stems(words) == [THEIRS.stem(word) for word in words]


def test_stems_agree_with_snowball_but_for_rare_double_consonants():
    # Porter (1980, step 1b) undoubles all consonants but l, s and z; Snowball only b, d, f, g, m, n,
    # p, r and t: "trek" is the stem of "trekking" in the paper, "trekk" in Snowball
    words = [*wordnet_words()[::4], "trekking", "revved", "hajjed"]
    both = list(zip(words, stems(words), SNOWBALL.stemWords(words), strict=True))
    differs = [(word, ours, other) for word, ours, other in both if ours != other]
    assert ("trekking", "trek", "trekk") in differs
    for word, ours, other in differs:
        assert word.endswith(("ed", "ing"))
        assert other == ours + ours[-1]
        assert ours[-1] in "chjkqvwxy"


@given(st.lists(st.text("aeiouyéñß字tlsdg", min_size=1, max_size=8)))
def test_other_characters_are_consonants(words):
    words += [word + "ing" for word in words]
    assert stems(words) == [THEIRS.stem(word) for word in words]


def test_stems_of_nothing_are_nothing():
    assert stems([]) == []
    assert stems([""]) == [""]
