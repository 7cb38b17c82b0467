"""Prepositions are folded into relations, those of several words too."""

import pytest


def test_preposition_gives_its_name_to_a_relation(read):
    found = read("She drove from Rome to Paris.")
    assert found.edges == {"drive nsubj she", "drive prep_from rome", "drive prep_to paris"}


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("He came out of the house.", "come prep_out_of house"),
        ("She stayed home because of the rain.", "stay prep_because_of rain"),
        ("According to the report, sales fell.", "fall prep_according_to report"),
        ("He lives next to the station.", "live prep_next_to station"),
        ("It failed due to rain.", "fail prep_due_to rain"),
        ("Instead of Mary, John came.", "come prep_instead_of mary"),
        ("Thanks to Mary, we won.", "win prep_thanks_to mary"),
        ("He stood in front of the house.", "stand prep_in_front_of house"),
        ("In addition to Mary, John came.", "come prep_in_addition_to mary"),
        ("He left together with Mary.", "leave prep_together_with mary"),
    ],
)
def test_preposition_of_several_words_is_one(read, text, edge):
    found = read(text)
    assert edge in found.edges
    assert len(found.lemmas) <= 4  # and none of its words is a node


def test_preposition_of_several_words_may_end_a_text(read):
    assert "leave" in read("He left because of").lemmas


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("Following the war, he left.", "leave prep_following war"),
        ("Cities including Paris were visited.", "city prep_including paris"),
        ("Based on the report, he resigned.", "resign prep_based_on report"),
        ("Compared with Rome, Paris is large.", "large prep_compared_with rome"),
    ],
)
def test_participle_may_be_a_preposition(read, text, edge):
    assert edge in read(text).edges


def test_participle_of_a_noun_is_no_preposition(read):
    assert "base" in read("The company based in Paris makes cars.").lemmas


def test_prepositions_that_are_joined_have_one_name_each(read):
    found = read("He lives in Rome and in Paris.")
    assert {"live prep_in rome", "live prep_in paris"} <= found.edges


def test_of_stays_a_preposition(read):
    assert "president prep_of france" in read("The president of France spoke.").edges


def test_possessor_is_one(read):
    assert "book poss mary" in read("Mary's book is red.").edges


def test_preposition_within_a_value_names_the_relation(read):
    assert read("He has worked since 1990.").between("work", "since 1990") == {"prep_since"}
