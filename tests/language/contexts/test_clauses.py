"""A sentence as clauses."""

import sys

import numpy as np
import pytest

from ensue.language.analyzer import Sentence, load_analyzer
from ensue.language.contexts import find_contexts
from ensue.language.contexts.clauses import read_tree


@pytest.fixture(scope="module")
def tree_of():
    analyzer = load_analyzer(entities=False)

    def of(text):
        sentence = analyzer.analyze([text])[0]
        return sentence.forms, read_tree(sentence)

    return of


def under_first(*tokens):
    """A sentence of (word, tag, part, relation), in which all hang on the first."""
    words, tags, parts, relations = zip(*tokens, strict=True)
    ends = np.cumsum([len(word) + 1 for word in words]).astype(np.int32) - 1
    starts = ends - np.array([len(word) for word in words], np.int32)
    heads = np.array([-1] + [0] * (len(words) - 1), np.int32)
    blank = ("",) * len(words)
    return Sentence(" ".join(words), starts, ends, heads, words, tags, parts, relations, blank)


def verb(word, relation="conj"):
    return word, "VBD", "VERB", relation


def conjunction(word):
    return word, "CC", "CCONJ", "cc"


def n_lines_for(call, *arguments):
    """How many lines of Python a call goes through."""
    found = 0

    def count(frame, event, argument):
        nonlocal found
        found += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        call(*arguments)
    finally:
        sys.settrace(before)
    return found


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


def test_conjunction_of_a_conjunct_is_the_last_before_it():
    tree = read_tree(
        under_first(
            verb("ate", "ROOT"),
            verb("slept"),
            conjunction("or"),
            verb("read"),
            conjunction("but"),
            verb("left"),
        )
    )
    assert [tree.clauses[token].coordinator for token in (1, 3, 5)] == ["or", "or", "but"]


def test_child_is_the_first_by_any_of_the_relations():
    tree = read_tree(under_first(verb("ate", "ROOT"), verb("a", "dobj"), verb("b", "nsubj")))
    assert tree.child(0, frozenset({"nsubj", "dobj"})) == 1
    assert tree.child(0, frozenset({"ccomp"})) == -1


@pytest.mark.parametrize("relation", ["conj", "ccomp", "acl"])
def test_steps_grow_no_faster_than_the_clauses_of_one_verb(relation):
    short, long = (
        under_first(verb("be", "ROOT"), conjunction("and"), *[verb("ran", relation)] * n)
        for n in (100, 400)
    )
    find_contexts(short)  # which reads the word lists
    assert n_lines_for(find_contexts, long) < 5 * n_lines_for(find_contexts, short)


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
