from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from ensue.claims.documents import paragraphs, read_documents
from ensue.features.extraction import open_reader


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")


def texts_of(text):
    return [text[start:end].strip() for start, end in paragraphs(text)]


def test_paragraphs_end_at_empty_lines():
    assert texts_of("A dog barks.\n\n  \nA cat sleeps.\n") == ["A dog barks.", "A cat sleeps."]


def test_line_that_goes_on_in_lower_case_is_one():
    assert texts_of("A dog barks\nat night.\nA cat sleeps.") == [
        "A dog barks\nat night.",
        "A cat sleeps.",
    ]


def test_claim_a_line_needs_no_full_stop():
    assert texts_of("The age is 62\nThe tax is 5 %") == ["The age is 62", "The tax is 5 %"]


def test_line_that_is_full_goes_on_where_lines_are_filled():
    filled = "The council of the town met with the mayor of\nLindow, who raised the\nfares."
    assert texts_of(filled) == [filled]


def test_long_line_does_not_go_on_where_lines_are_not_filled():
    lines = ["The council of the town met with the mayor of Lindow", "The council raised the fares"]
    assert texts_of("\n".join(lines)) == lines


@given(st.text(alphabet="aB .\n\r", max_size=200))
def test_paragraphs_are_in_order_and_lose_no_words(text):
    found = list(paragraphs(text))
    assert all(start < end for start, end in found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    assert "".join(text[slice(*place)] for place in found).split() == text.split()


def test_passages_know_their_places(reader):
    text = "A dog barks\r\nat night.  A cat sleeps.\n\nNobody came."
    (document,) = read_documents([text], reader)
    assert [each.text for each in document.passages] == [
        "A dog barks  at night.",
        "A cat sleeps.",
        "Nobody came.",
    ]
    for each in document.passages:
        assert text[each.start : each.end].split() == each.text.split()


def test_words_are_the_lemmas_of_content_words(reader):
    (document,) = read_documents(["The dogs were barking at night."], reader)
    assert document.words == (frozenset(("dog", "bark", "night")),)


def test_sentence_with_a_pronoun_leans_on_the_one_before(reader):
    (document,) = read_documents(["Anna left. She took the bus."], reader)
    assert document.leaning == (False, True)


def test_long_paragraph_keeps_its_sentences(reader):
    sentences = [f"The dog of house number {i} barked at night." for i in range(60)]
    (document,) = read_documents([" ".join(sentences)], reader)
    assert [each.text for each in document.passages] == sentences


def test_text_without_words_has_no_passages(reader):
    assert [each.passages for each in read_documents(["", " \n…\n"], reader)] == [(), ()]
