"""What may or must be, and when it is."""

import pytest


@pytest.mark.parametrize(
    ("text", "word", "modality", "modal"),
    [
        ("The firm may sell the house.", "sell", "possible", "may"),
        ("He could have left.", "left", "possible", "could"),
        ("The ship probably sank.", "sank", "possible", "probably"),
        ("Maybe he left.", "left", "possible", "Maybe"),
        ("He is able to swim.", "swim", "possible", "able"),
        ("It is possible that John left.", "left", "possible", "possible"),
        ("He is likely to win.", "win", "possible", "likely"),
        ("He may not leave.", "leave", "possible", "may"),
        ("He cannot swim.", "swim", "not-possible", "can"),
        ("It is impossible to leave.", "leave", "not-possible", "impossible"),
        ("He was not able to leave.", "leave", "not-possible", "able"),
        ("He must leave the house.", "leave", "necessary", "must"),
        ("He has to go.", "go", "necessary", "has"),
        ("You must not leave.", "leave", "necessary", "must"),
        ("He need not go.", "go", "not-necessary", "need"),
        ("He doesn't have to go.", "go", "not-necessary", "have"),
        ("He would leave.", "leave", "hypothetical", "would"),
    ],
)
def test_modality_of_a_predicate(read, text, word, modality, modal):
    found = read(text)
    assert found.at(word, "modalities") == modality
    assert found.word_at(word, "modals") == modal


@pytest.mark.parametrize(
    "text",
    [
        "The will was read.",
        "In May the shop closed.",
        "He bought a can of beans.",
        "There is a need for water.",
        "You need a ticket.",
        "He has a house.",
        "She will leave tomorrow.",
    ],
)
def test_other_words_are_no_modals(read, text):
    assert set(read(text).contexts.modalities) == {"actual"}


def test_modality_reaches_what_belongs_to_the_clause(read):
    found = read("He said that the firm may sell the house.")
    assert [found.at(word, "modalities") for word in ("firm", "sell", "house")] == ["possible"] * 3
    assert found.at("said", "modalities") == "actual"


def test_conjunct_shares_the_modal(read):
    assert read("He may eat and drink.").at("drink", "modalities") == "possible"


@pytest.mark.parametrize(
    ("text", "word", "tense"),
    [
        ("She sold the house.", "sold", "past"),
        ("She has sold the house.", "sold", "past"),
        ("She had sold the house.", "sold", "past"),
        ("The house was being sold.", "sold", "past"),
        ("He could have left.", "left", "past"),
        ("He used to smoke.", "smoke", "past"),
        ("She managed to open the door.", "open", "past"),
        ("The houses sold in March were small.", "sold", "past"),
        ("She sells houses.", "sells", "present"),
        ("She is selling the house.", "selling", "present"),
        ("She does sell houses.", "sell", "present"),
        ("She will sell the house.", "sell", "future"),
        ("She will have sold the house.", "sold", "future"),
        ("He is going to sell the house.", "sell", "future"),
        ("They are to meet in Paris.", "meet", "future"),
        ("He said he would leave.", "leave", "future"),
        ("He wants to leave.", "leave", ""),
        ("She sold the house.", "house", ""),
        ("The will was read.", "will", ""),
    ],
)
def test_tense_of_a_predicate(read, text, word, tense):
    assert read(text).at(word, "tenses") == tense
