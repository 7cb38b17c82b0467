"""NLTK over the same files has the same sentence frames."""

import pytest


@pytest.mark.slow
def test_frames_of_all_verbs_are_nltks(lexicon, nltk_wordnet):
    words = {word for word in nltk_wordnet.all_lemma_names(pos="v") if word == word.lower()}
    assert len(words) > 11_000
    for word in sorted(words):
        if lexicon.lemmas(word, "verb") != (word.replace("_", " "),):
            continue  # also a form of another verb, whose frames are added
        expected = {
            number for lemma in nltk_wordnet.lemmas(word, pos="v") for number in lemma.frame_ids()
        }
        assert lexicon.frames(word) == expected, word
