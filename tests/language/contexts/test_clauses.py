"""A sentence as clauses."""

import numpy as np
import pytest

from ensue.language.analysis import Sentence, load_analyzer
from ensue.language.contexts.clauses import read_tree


@pytest.fixture(scope="module")
def tree_of():
    analyzer = load_analyzer(entities=False)

    def of(text):
        sentence = analyzer.analyze([text])[0]
        return sentence.forms, read_tree(sentence)

    return of


@pytest.mark.parametrize(
    ("text", "predicates"),
    [
        ("The dog barked.", {"barked"}),
        ("The old man said that the dog barked.", {"said", "barked"}),
        ("The woman wants to sell the house.", {"wants", "sell"}),
        ("He left without saying goodbye.", {"left", "saying"}),
        ("The man who sold the car left.", {"sold", "left"}),
        ("She sang and danced in the street.", {"sang", "danced"}),
        ("The cat and the dog slept.", {"slept"}),
        ("She is a famous doctor.", {"is"}),
    ],
)
def test_predicates_are_found(tree_of, text, predicates):
    forms, tree = tree_of(text)
    assert {forms[token] for token in tree.clauses} == predicates


def test_tokens_belong_to_the_nearest_predicate(tree_of):
    forms, tree = tree_of("The old man said that the dog barked.")
    assert [forms[each] for each in tree.predicates[:8]] == ["said"] * 4 + ["barked"] * 4


@pytest.mark.parametrize(
    ("text", "word", "form"),
    [
        ("He said that she left.", "left", "that"),
        ("He wondered whether she left.", "left", "whether"),
        ("He wants to leave.", "leave", "to"),
        ("He saw Mary leave.", "leave", "bare"),
        ("He regrets leaving.", "leaving", "ing"),
        ("He thinks that she is leaving.", "leaving", "that"),
    ],
)
def test_form_of_a_complement(tree_of, text, word, form):
    forms, tree = tree_of(text)
    assert tree.clauses[forms.index(word)].form == form


def test_conjunct_shares_auxiliaries(tree_of):
    forms, tree = tree_of("He did not eat or drink.")
    clause = tree.clauses[forms.index("drink")]
    assert (clause.coordinator, forms[clause.partner]) == ("or", "eat")


def test_conjunct_with_its_own_auxiliary_shares_none(tree_of):
    forms, tree = tree_of("He left the house, but did not lock it.")
    assert tree.clauses[forms.index("lock")].partner == -1


def test_cycle_leaves_its_tokens_alone():
    ends = np.array([1, 2], np.int32)
    sentence = Sentence(
        "ab",
        ends - 1,
        ends,
        np.array([1, 0], np.int32),
        ("a", "b"),
        ("NN", "NN"),
        ("NOUN", "NOUN"),
        ("dobj", "dobj"),
        ("", ""),
    )
    assert read_tree(sentence).predicates == [0, 1]
