"""What a form of *be* says of its subject takes its place."""

import pytest


@pytest.mark.parametrize(
    ("text", "predicate"),
    [("Mary is a doctor.", "doctor"), ("Mary is tall.", "tall"), ("Is Mary a doctor?", "doctor")],
)
def test_predicate_is_the_root_and_has_the_subject(read, text, predicate):
    found = read(text)
    assert found.edges == {f"{predicate} nsubj mary"}
    assert found.roots == [predicate]


def test_copula_of_a_predicate_is_known(read):
    found = read("Mary was a doctor.")
    assert found.at("doctor", "copulas") == 1
    assert found.at("mary", "copulas") == -1


def test_copula_takes_its_dependents_along(read):
    found = read("In Rome, Mary was happy.")
    assert found.edges == {"happy nsubj mary", "happy prep_in rome"}


def test_what_there_is_is_the_root(read):
    found = read("There is a man in the garden.")
    assert found.roots == ["man"]
    assert found.edges == {"man prep_in garden"}


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("Who is the president of France?", "president"),
        ("What is the capital of Spain?", "capital"),
    ],
)
def test_question_has_what_is_asked_about_as_its_root(read, text, root):
    assert read(text).roots == [root]


def test_place_of_a_subject_is_its_own(read):
    assert read("Mary is in Paris.").edges == {
        "be nsubj mary",
        "be prep_in paris",
        "mary prep_in paris",
    }


def test_negation_of_a_copula_is_no_node(read):
    assert read("The author is not John.").edges == {"john nsubj author"}


def test_auxiliary_is_no_copula(read):
    assert read("It is raining.").edges == {"rain nsubj it"}


def test_copula_in_a_clause_gives_its_place(read):
    assert "say ccomp ill" in read("He said that he was ill.").edges


def test_clause_that_is_a_predicate_leaves_the_copula(read):
    found = read("The problem is that he lies.")
    assert {"be nsubj problem", "be ccomp lie"} <= found.edges
