"""Which tokens make one node: names, collocations, verbs with particles, values."""

import pytest

from ensue.language.graphs import Sort
from ensue.language.values import ValueKind


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("European Union leaders met.", "european union", "ORG"),
        ("He lives in New York City.", "new york city", "GPE"),
        ("The United States' army won.", "united states", "GPE"),
        ("They played in the Netherlands.", "netherlands", "GPE"),
        ("Jean-Paul Sartre wrote books.", "jean-paul sartre", "PERSON"),
        ("Bank of America lost money.", "bank of america", "ORG"),
        ("Mary's book is red.", "mary", "PERSON"),
    ],
)
def test_name_is_one_node(read, text, name, kind):
    found = read(text)
    assert found.at(name, "sorts") is Sort.NAME
    assert found.at(name, "kinds") == kind


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("The Swedes won.", "swede"),
        ("Many Europeans came.", "european"),
        ("The Germans left.", "german"),
        ("The Swiss won.", "swiss"),
    ],
)
def test_people_are_named_in_the_singular(read, text, people):
    assert people in read(text).lemmas


def test_name_of_a_people_may_be_an_adjective(read):
    assert read("The French team won.").at("french", "sorts") is Sort.ADJECTIVE


def test_proper_nouns_in_a_row_are_one_node(read):
    found = read("The Rolling Stones played in Rome.")
    assert found.at("rolling stones", "sorts") is Sort.NAME
    assert found.at("rolling stones", "tokens") == (1, 2)


@pytest.mark.parametrize(
    ("text", "collocation"),
    [
        ("The prime ministers met.", "prime minister"),
        ("He ate hot dogs.", "hot dog"),
        ("She jumped into the swimming pool.", "swimming pool"),
    ],
)
def test_collocation_is_one_node_with_its_base_form(read, text, collocation):
    assert read(text).at(collocation, "sorts") is Sort.NOUN


def test_adjective_before_a_noun_is_a_node_of_its_own(read):
    assert "dog amod big" in read("A big dog barked.").edges


@pytest.mark.parametrize(
    "text", ["The police blew up the bridge.", "The police blew the bridge up."]
)
def test_particle_belongs_to_its_verb(read, text):
    assert read(text).edges == {"blow up nsubj police", "blow up dobj bridge"}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("He paid 5 million dollars.", "5 million dollar", ValueKind.AMOUNT),
        ("They met on 5 May 2004.", "5 may 2004", ValueKind.DATE),
        ("They met at 3 p.m.", "3 p.m.", ValueKind.TIME),
        ("Sales rose by 5%.", "5 %", ValueKind.PERCENT),
        ("Three men left.", "three", ValueKind.NUMBER),
        ("At least five people died.", "at least five", ValueKind.NUMBER),
    ],
)
def test_value_is_one_node(read, text, value, kind):
    found = read(text)
    assert found.at(value, "sorts") is Sort.VALUE
    assert found.at(value, "values").kind is kind


def test_number_hangs_on_what_it_counts(read):
    assert "man nummod three" in read("Three men left.").edges


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("Nobody came.", "person"),
        ("No one came.", "person"),
        ("Everyone came.", "person"),
        ("Something came.", "thing"),
        ("Nothing came.", "thing"),
    ],
)
def test_indefinite_pronoun_is_a_noun(read, text, noun):
    found = read(text)
    assert found.edges == {f"come nsubj {noun}"}
    assert found.at(noun, "sorts") is Sort.NOUN


def test_words_without_content_are_no_nodes(read):
    found = read("The man did not, however, want to go to the house and the garden.")
    assert set(found.lemmas) == {"man", "however", "want", "go", "house", "garden"}


def test_verb_that_the_parser_takes_for_a_preposition_is_a_verb(read):
    found = read("Do you like tea?")
    assert found.edges == {"like nsubj you", "like dobj tea"}


def test_nodes_say_where_they_are(read):
    found = read("Mary lives in New York.")
    assert [found.graph.span(node) for node in range(3)] == [(0, 4), (5, 10), (14, 22)]
    assert found.graph.node_of().tolist() == [0, 1, -1, 2, 2, -1]
    assert found.graph.edges_from(1) == [0, 1]
