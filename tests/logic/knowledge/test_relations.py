import pytest

from ensue.language.lexicon import load_lexicon
from ensue.logic.axioms import relation_facts
from ensue.logic.formulas import to_text
from ensue.logic.knowledge import FactKind
from ensue.logic.naming import NamedThings, distinct_names, name_facts


@pytest.fixture(scope="module")
def lexicon():
    return load_lexicon()


def formulas(lexicon, text, hypothesis):
    return [to_text(fact.formula) for fact in relation_facts(text, hypothesis, lexicon=lexicon)]


def test_more_things_are_also_fewer(lexicon):
    assert formulas(lexicon, {"at least 3"}, {"at least 2"}) == [
        "∀x ('at least 3'(x) → 'at least 2'(x))"
    ]


def test_numbers_are_chained(lexicon):
    assert len(formulas(lexicon, {"at least 9", "at least 5"}, {"at least 2"})) == 2


def test_before_is_after_the_other_way_round(lexicon):
    found = formulas(lexicon, {"before"}, {"after"})
    assert "∀x y (before(x, y) → after(y, x))" in found


def test_before_alone_needs_no_facts(lexicon):
    assert formulas(lexicon, {"before"}, {"leave:v"}) == []


def test_opposites_compare_the_other_way_round(lexicon):
    found = formulas(lexicon, {"more fast"}, {"more slow"})
    assert "∀x y ('more fast'(x, y) → 'more slow'(y, x))" in found


def test_who_owns_something_has_it(lexicon):
    (fact,) = relation_facts({"poss"}, {"have:v"}, lexicon=lexicon)
    assert fact.kind is FactKind.RELATION
    assert "poss(x, y)" in to_text(fact.formula)


def test_names_of_persons_are_persons_where_persons_are_spoken_of():
    sides = (
        NamedThings(frozenset(["tom"]), frozenset(["rome"])),
        NamedThings(frozenset(), frozenset()),
    )
    (fact,) = name_facts(sides, ({"person:n"}, set()))
    assert to_text(fact.formula) == "'person:n'(tom)"
    (fact,) = name_facts(sides, (set(), {"place:n"}))
    assert to_text(fact.formula) == "'place:n'(rome)"
    assert name_facts(sides, ({"dog:n"}, set())) == []


def test_names_are_those_of_two_things_unless_one_may_be_short_for_the_other(lexicon):
    found = distinct_names({"rome", "john smith"}, {"paris", "smith"}, lexicon=lexicon)
    assert [to_text(fact.formula) for fact in found] == [
        "'john smith' ≠ paris",
        "rome ≠ paris",
        "rome ≠ smith",
    ]
