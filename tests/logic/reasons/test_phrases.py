"""Formulas in words."""

import pytest

from ensue.logic.formulas import (
    And,
    Atom,
    Constant,
    Equal,
    Exists,
    ForAll,
    Implies,
    Not,
    Or,
    Variable,
)
from ensue.logic.verbalization import Phraser, as_atoms, is_name, split, token_of

X, E = Variable("x1"), Variable("e2")
JOHN, BOOK, SEND = Constant("john"), Constant("book#4"), Constant("send#2")
SENDING = [
    Atom("book:n", (BOOK,)),
    Atom("red:a", (BOOK,)),
    Atom("send:v", (SEND,)),
    Atom("agent", (SEND, JOHN)),
    Atom("patient", (SEND, BOOK)),
    Atom("quick:a", (SEND,)),
]
BARKS = Exists((E,), And((Atom("bark:v", (E,)), Atom("agent", (E, X)))))
DOG = Atom("dog:n", (X,))


def test_event_and_its_roles_are_one_line():
    assert Phraser().lines(SENDING) == ["send: agent John, patient a red book; quick"]


def test_thing_that_nothing_is_said_of_has_a_line_of_its_own():
    assert Phraser().lines([Atom("dog:n", (X,)), Atom("old:a", (X,))]) == ["an old dog"]


def test_name_is_said_with_what_it_is():
    assert Phraser().lines([Atom("dog:n", (Constant("rex"),))]) == ["Rex: a dog"]


def test_thing_is_said_with_what_it_has_to_do_with_others():
    judge, actor = Constant("judge#1"), Constant("actor#4")
    said = [Atom("judge:n", (judge,)), Atom("actor:n", (actor,)), Atom("by", (judge, actor))]
    assert Phraser().lines(said) == ["a judge: by an actor"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "there is a book"),
        (1, "the book is red"),
        (2, "there is a sending"),
        (3, "John is the agent of the sending"),
        (4, "a red book is the patient of the sending"),
        (5, "the sending is quick"),
    ],
)
def test_condition_is_said_by_itself(number, words):
    assert Phraser().knowing(SENDING).said(SENDING[number]) == words


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (Not(Exists((X,), And((DOG, BARKS)))), "it is not so that bark: agent a dog"),
        (ForAll((X,), Implies(DOG, BARKS)), "wherever there is a dog, bark: agent the dog"),
        (ForAll((X, E), Implies(BARKS, DOG)), "whenever bark: agent something, a dog"),
        (
            Or((Atom("dog:n", (JOHN,)), Atom("cat:n", (JOHN,)))),
            "either John: a dog, or John: a cat",
        ),
        (Equal(JOHN, Constant("rex")), "John is Rex"),
        (Not(Equal(JOHN, Constant("rex"))), "John is not Rex"),
        (
            Implies(Atom("dog:n", (JOHN,)), Atom("old:a", (JOHN,))),
            "if John: a dog, then John: a dog, old",
        ),
    ],
)
def test_formula_is_said_in_words(formula, words):
    assert Phraser().said(formula) == words


def test_group_is_called_by_its_members():
    group = Constant("john#0")
    said = [
        Atom("member", (group, JOHN)),
        Atom("member", (group, Constant("mary"))),
        Atom("leave:v", (SEND,)),
        Atom("agent", (SEND, group)),
    ]
    assert Phraser().lines(said) == ["leave: agent John and Mary together"]


def test_group_among_its_own_members_has_a_name():
    group = Constant("thing1")
    said = [Atom("member", (group, group)), Atom("agent", (SEND, group))]
    assert Phraser().lines(said) == ["the send: agent something together"]


def test_proposition_is_said_with_its_terms():
    atom = Atom("possible: some [bark:v(v1) & agent(v1,$1)]", (BOOK,))
    assert Phraser().said(atom) == "possible: bark(v1), agent(v1,the book)"


def test_price_in_a_proposition_is_no_term():
    assert Phraser().said(Atom("that: $5 note(v1)", ())) == "that: $5 note(v1)"


def test_facts_of_a_world_are_said_as_formulas_are():
    facts = (("dog:n", ("thing1",)), ("bark:v", ("e2",)), ("agent", ("e2", "thing1")))
    assert Phraser().lines(as_atoms(facts)) == ["bark: agent a dog"]


def test_predicate_is_split_into_lemma_and_kind():
    assert split("send:v") == ("send", "v")
    assert split("at least 2") == ("at least 2", "")


def test_token_of_a_term_is_in_its_name():
    assert [token_of(each) for each in (BOOK, X, JOHN, Constant("thing3"))] == [4, 1, None, None]


def test_names_are_told_from_things_of_a_text_or_world():
    assert [is_name(each) for each in (JOHN, BOOK, X, Constant("e3~1"))] == [
        True,
        False,
        False,
        False,
    ]
