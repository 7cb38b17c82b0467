"""Of how many something is said, and what follows from what."""

import pytest
from hypothesis import given, strategies as st

from ensue.language.contexts import Quantity, quantity_follows

QUANTITIES = st.sampled_from(list(Quantity))


@pytest.mark.parametrize(
    ("text", "noun", "quantity", "quantifier"),
    [
        ("Every dog barks.", "dog", "all", "Every"),
        ("All the students passed.", "students", "all", "All"),
        ("Each of the students passed.", "students", "all", "Each"),
        ("Everything changed.", "Everything", "all", "Everything"),
        ("Any student can read the book.", "student", "all", "Any"),
        ("Most students did not pass the exam.", "students", "most", "Most"),
        ("Almost all students passed the exam.", "students", "most", "all"),
        ("The majority of voters agreed.", "voters", "most", "majority"),
        ("Many students read the book.", "students", "many", "Many"),
        ("A lot of people came.", "people", "many", "lot"),
        ("Some dogs barked at the cat.", "dogs", "some", "Some"),
        ("She has a few friends.", "friends", "some", "few"),
        ("Several students passed.", "students", "some", "Several"),
        ("A number of people came.", "people", "some", "number"),
        ("The students did not read any book.", "book", "some", "any"),
        ("Did any student read the book?", "student", "some", "any"),
        ("She has few friends.", "friends", "few", "few"),
        ("A minority of the members agreed.", "members", "few", "minority"),
        ("Hardly any rain fell.", "rain", "few", "any"),
        ("Not many students passed.", "students", "few", "many"),
        ("Not a lot of people came.", "people", "few", "lot"),
        ("No dog barks.", "dog", "no", "No"),
        ("None of the students passed.", "students", "no", "None"),
        ("Nobody came.", "Nobody", "no", "Nobody"),
        ("Not a single student passed.", "student", "no", "a"),
        ("Not every student passed the exam.", "student", "not-all", "every"),
        ("Not everyone passed.", "everyone", "not-all", "everyone"),
        ("The dog barked.", "dog", "the", "The"),
        ("His three brothers came.", "brothers", "the", "His"),
        ("The few students who came were tired.", "students", "the", "The"),
        ("More than three students passed.", "students", "number", "three"),
        ("Some 200 students came.", "students", "number", "200"),
        ("One of the leading tenors sang.", "tenors", "number", "One"),
        ("Most great tenors are Italian.", "tenors", "most", "Most"),
        ("The boys have both left.", "boys", "all", "both"),
        ("Dogs chase cats.", "cats", "", ""),
        ("John left Paris.", "Paris", "", ""),
    ],
)
def test_quantity_of_a_noun(read, text, noun, quantity, quantifier):
    found = read(text)
    assert found.at(noun, "quantities") == quantity
    assert found.word_at(noun, "quantifiers") == quantifier


@pytest.mark.parametrize(
    ("text", "noun", "quantity"),
    [
        ("No doubt he left.", "doubt", ""),
        ("The shop closed on March 3.", "March", ""),
        ("This is the most expensive car.", "car", "the"),
        ("He said that water is wet.", "water", ""),
        ("Neither John nor Mary came.", "John", ""),
        ("Either Smith or Jones signed the contract.", "Smith", ""),
        ("The most important factors were ignored.", "factors", "the"),
    ],
)
def test_other_words_are_no_quantifiers(read, text, noun, quantity):
    assert read(text).at(noun, "quantities") == quantity


@pytest.mark.parametrize(
    ("text", "hypothesis", "follows"),
    [
        ("all", "some", True),
        ("all", "most", True),
        ("all", "not-all", False),
        ("most", "some", True),
        ("most", "all", None),
        ("some", "no", False),
        ("some", "many", None),
        ("few", "all", False),
        ("few", "no", None),
        ("no", "not-all", True),
        ("no", "number", False),
        ("not-all", "some", None),
        ("the", "", True),
        ("number", "some", True),
        ("number", "number", None),
        ("", "some", True),
    ],
)
def test_quantity_follows_from_another(text, hypothesis, follows):
    assert quantity_follows(Quantity(text), Quantity(hypothesis)) is follows


@given(QUANTITIES)
def test_quantity_follows_from_itself_unless_it_is_a_number(quantity):
    assert quantity_follows(quantity, quantity) is (None if quantity is Quantity.NUMBER else True)


@given(QUANTITIES, QUANTITIES)
def test_contradiction_is_mutual(one, other):
    assert (quantity_follows(one, other) is False) == (quantity_follows(other, one) is False)


@given(QUANTITIES, QUANTITIES, QUANTITIES)
def test_quantities_that_follow_are_never_contradicted_later(one, other, third):
    if quantity_follows(one, other) and quantity_follows(other, third):
        assert quantity_follows(one, third) is not False
