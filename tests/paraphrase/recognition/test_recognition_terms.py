"""Counts of terms in tasks, and choosing by them."""

import pytest
from tests.errors import coded

from ensue.errors import SettingError, UnknownNameError
from ensue.paraphrase.recognition import SIDES, TermSide, chosen_terms, term_counts


@pytest.fixture
def counts(task_of):
    first = task_of(
        ("He killed it", "It was killed", True),  # killed: both
        ("It told him", "Somebody KILLED them", True),  # told: text; killed: hypothesis
        ("A skilled man", "a man", True),
        ("It killed them", "They live", False),
        ("It told us to take it", "we took it", True),  # told, to take: text
        name="first",
    )
    second = task_of(("Told to take-away", "eat", True), ("found", "found", False), name="second")
    return term_counts([first, second], ["killed", "told", "to  Take", "found", "nowhere", "..."])


def test_term_counts_are_of_pairs_with_the_term_on_a_side(counts):
    assert counts.tasks == ("first", "second")
    assert counts.positive.tolist() == [[2, 0], [2, 1], [1, 1], [0, 0], [0, 0], [0, 0]]
    assert counts.negative.tolist() == [[1, 0], [0, 0], [0, 0], [0, 1], [0, 0], [0, 0]]


def test_term_counts_say_where_the_term_stands(counts):
    assert SIDES == (TermSide.TEXT, TermSide.HYPOTHESIS, TermSide.BOTH)
    assert counts.sides[0].tolist() == [[0, 1, 1], [0, 0, 0]]
    assert counts.sides[1].tolist() == [[2, 0, 0], [1, 0, 0]]
    assert (counts.sides.sum(axis=2) == counts.positive).all()


def test_terms_that_differ_in_case_count_alike(task_of):
    counts = term_counts([task_of(("he told it", "b", True))], ["told", "Told", "TOLD  "])
    assert counts.positive.tolist() == [[1], [1], [1]]


def test_all_terms_are_chosen_in_their_order(counts):
    assert chosen_terms(" ALL ", counts) == counts.terms


def test_top_terms_have_the_most_positive_pairs_over_all_tasks(counts):
    # told 2 + 1, killed 2 + 0, to take 1 + 1: the tie goes by name
    assert chosen_terms("top:2", counts) == ("told", "killed")
    assert chosen_terms("top: 3", counts) == ("told", "killed", "to  Take")


def test_top_terms_are_never_without_a_positive_pair(counts):
    assert chosen_terms("top:10", counts) == ("told", "killed", "to  Take")


def test_named_terms_are_chosen_in_the_order_named(counts):
    assert chosen_terms("TO take, found,killed,found", counts) == ("to  Take", "found", "killed")


def test_unknown_term_is_refused_with_the_nearest(counts):
    with pytest.raises(UnknownNameError, match="no term is called 'kiled'") as error:
        chosen_terms("told,kiled", counts)
    assert error.value.hint == "did you mean 'killed'?"


@pytest.mark.parametrize("spec", ["top:0", "top:-1", "top:x", "top:", "top:1.5"])
def test_top_without_a_number_from_one_is_refused(counts, spec):
    with pytest.raises(SettingError, check=coded("not-say-many-terms")):
        chosen_terms(spec, counts)


@pytest.mark.parametrize("spec", ["", " , "])
def test_choice_of_nothing_is_refused(counts, spec):
    with pytest.raises(SettingError, check=coded("names-no-term")):
        chosen_terms(spec, counts)
