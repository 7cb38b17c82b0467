"""Conjuncts, appositions and titles take part where the first of them does."""

import pytest


def test_conjoined_subjects_both_act(read):
    assert read("John and Mary bought a house.").edges == {
        "buy nsubj john",
        "buy nsubj mary",
        "buy dobj house",
        "john conj_and mary",
    }


def test_conjunction_before_the_last_joins_all(read):
    found = read("He bought apples, pears or plums.")
    assert {"apple conj_or pear", "pear conj_or plum"} <= found.edges
    assert {"buy dobj apple", "buy dobj pear", "buy dobj plum"} <= found.edges


def test_as_well_as_joins_like_and(read):
    found = read("It was made from milk as well as sugar.")
    assert {"milk conj_and sugar", "make prep_from sugar"} <= found.edges
    assert found.lemmas == ("it", "make", "milk", "sugar")


def test_conjoined_verbs_share_a_subject(read):
    found = read("Mary sang and danced.")
    assert {"sing nsubj mary", "dance nsubj mary"} <= found.edges


def test_conjoined_verb_with_a_subject_keeps_it(read):
    found = read("Mary cooked dinner and John washed the dishes.")
    assert found.between("wash", "mary") == set()
    assert found.between("wash", "john") == {"nsubj"}


def test_verbs_beside_each_other_share_an_object(read):
    found = read("Mary bought and sold the house.")
    assert {"buy dobj house", "sell dobj house"} <= found.edges


@pytest.mark.parametrize(
    "text", ["They came and saw the house.", "Mary cooked dinner and John cleaned the house."]
)
def test_verb_that_needs_no_object_gets_none(read, text):
    found = read(text)
    assert found.between("come", "house") == set()
    assert found.between("cook", "house") == set()


def test_conjoined_predicates_are_said_of_one_subject(read):
    found = read("She is a singer, an actress and a writer.")
    assert {"singer nsubj she", "actress nsubj she", "writer nsubj she"} <= found.edges


def test_apposition_takes_part_where_its_noun_does(read):
    found = read("Paris, the capital of France, is large.")
    assert {"paris appos capital", "large nsubj paris", "large nsubj capital"} <= found.edges


def test_apposition_without_commas_is_one(read):
    found = read("The novelist Jane Austen wrote it.")
    assert {"novelist appos jane austen", "write nsubj jane austen"} <= found.edges


@pytest.mark.parametrize(
    ("text", "title", "person"),
    [
        ("President Lincoln spoke.", "president", "lincoln"),
        ("Prime Minister Tony Blair resigned.", "prime minister", "tony blair"),
        ("Chief executive John Smith resigned.", "chief executive", "john smith"),
    ],
)
def test_title_says_what_a_person_is(read, text, title, person):
    found = read(text)
    assert found.between(person, title) == {"compound", "appos"}
    assert found.at(title, "sorts") == "noun"


def test_honorific_is_no_node(read):
    assert read("Mr. Smith left.").lemmas == ("smith", "leave")


@pytest.mark.parametrize(
    "text",
    [
        "Some of the men came.",
        "Two of the men came.",
        "A lot of men came.",
        "None of the men came.",
    ],
)
def test_what_some_of_them_do_they_do(read, text):
    assert "come nsubj man" in read(text).edges


def test_number_of_people_is_no_people(read):
    assert read("The number of people rose.").between("rise", "people") == set()
