"""One scan for many phrases, and the words it goes by."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.paraphrase.recognition import terms as scanning
from ensue.paraphrase.recognition.tasks import NumberedWords
from ensue.paraphrase.recognition.terms import PhraseOccurrences, scan, sorted_distinct


def found_in(sentences, phrases):
    wording = NumberedWords.of(sentences, phrases)
    found = scan(wording.padded(0), wording.padded(1))
    both = zip(found.sentences.tolist(), found.phrases.tolist(), strict=True)
    return [(sentence, phrases[phrase]) for sentence, phrase in both]


def test_scan_finds_phrases_that_share_a_word_or_a_blank():
    phrases = ["killed in", "in fact", "killed", "in"]
    assert found_in(["He was killed in fact"], phrases) == [(0, phrase) for phrase in phrases]


def test_scan_keeps_word_boundaries():
    assert found_in(["The skilled man overkilled"], ["killed", "kill", "over"]) == []


def test_scan_goes_over_punctuation_case_and_hyphens():
    sentences = ["Shot, and KILLED.", "a well-known man"]
    assert found_in(sentences, ["shot and killed", "Well known"]) == [
        (0, "shot and killed"),
        (1, "Well known"),
    ]


def test_scan_never_goes_across_sentences():
    assert found_in(["they reported", "killed in action"], ["reported killed"]) == []


def test_scan_by_stems_never_goes_across_sentences():
    # of "s" nothing is left, so that the phrase is "john" with three blanks
    wording = NumberedWords.of(["he met john", "cars go"], ["john s"])
    spelled = [wording.padded(group, by_stems=True) for group in (0, 1)]
    assert spelled[1] == [b" john  "]
    assert scan(*spelled).phrases.size == 0


def test_scan_counts_a_phrase_once_a_sentence():
    assert found_in(["no no no", "no"], ["no"]) == [(0, "no"), (1, "no")]


def test_scan_places_matches_behind_other_alphabets_and_empty_sentences():
    sentences = ["Käse, Straße, Ελλάδα", "", "...", "he told"]
    assert found_in(sentences, ["told", "straße", "ελλάδα"]) == [
        (0, "straße"),
        (0, "ελλάδα"),
        (3, "told"),
    ]


def test_scan_finds_an_empty_phrase_nowhere():
    assert found_in(["a b"], ["--", "b"]) == [(0, "b")]


@pytest.mark.parametrize(("sentences", "phrases"), [([], []), ([], ["a"]), (["a"], [])])
def test_scan_of_nothing_finds_nothing(sentences, phrases):
    assert found_in(sentences, phrases) == []


def test_scan_does_not_depend_on_blocks(monkeypatch):
    sentences = [f"a b {i % 3}" for i in range(10)]
    phrases = ["a b", "b 0", "2", "b"]
    expected = found_in(sentences, phrases)
    monkeypatch.setattr(scanning, "_BLOCK", 3)
    assert found_in(sentences, phrases) == expected


def test_found_answers_for_any_sentence_and_phrase():
    found = PhraseOccurrences.of(np.array([2, 0, 2, 2]), np.array([1, 0, 1, 0]), 3, 2)
    assert found.offsets.tolist() == [0, 1, 1, 3]
    assert found.phrases.tolist() == [0, 0, 1]
    sentence, phrase = np.divmod(np.arange(6), 2)
    assert found.holds(sentence, phrase).tolist() == [True, False, False, False, True, True]


@given(st.lists(st.integers(-5, 5)))
def test_sorted_distinct_equals_numpy(numbers):
    keys = np.array(numbers, np.int64)
    assert sorted_distinct(keys).tolist() == np.unique(keys).tolist()


def test_wording_pads_by_stems():
    wording = NumberedWords.of(["He was killing, they kill"])
    assert wording.padded(0) == [b" he was killing they kill "]
    assert wording.padded(0, by_stems=True) == [b" he wa kill thei kill "]


def test_wording_kin_share_a_stem_with_the_words_given():
    wording = NumberedWords.of(["killed skilled kills kill killer hoping hope happy"], ["killing"])
    ids, _ = wording.words(1)
    found, n_stems = wording.kin(ids)
    kin = [word for word, stem in zip(wording.vocabulary, found, strict=True) if stem >= 0]
    assert (kin, n_stems) == (["killed", "kills", "kill", "killing"], 1)


def test_wording_takes_other_words_without_content():
    wording = NumberedWords.of(["the", "Killed", "x"], no_content={"KILLED"})
    assert wording.says_something(0).tolist() == [True, False, False]
