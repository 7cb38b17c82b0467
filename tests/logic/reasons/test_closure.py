"""What plainly follows, and from what."""

from ensue.logic.chase import closure_of
from ensue.logic.formulas import And, Atom, Constant, Exists, ForAll, Implies, Not, Or, Variable
from ensue.logic.proving import Premise

X, Y, E = Variable("x"), Variable("y"), Variable("e3")
REX = Constant("rex")
IS_DOG = Premise("t0", Atom("dog", (REX,)))
DOGS_BARK = Premise(
    "t1",
    ForAll(
        (X,),
        Implies(Atom("dog", (X,)), Exists((E,), And((Atom("bark", (E,)), Atom("agent", (E, X)))))),
    ),
)
DOGS_ARE_ANIMALS = Premise("w0", ForAll((X,), Implies(Atom("dog", (X,)), Atom("animal", (X,)))))
ANIMALS_LIVE = Premise("w1", ForAll((X,), Implies(Atom("animal", (X,)), Atom("live", (X,)))))


def test_closure_follows_rules_and_keeps_their_tracks():
    found = closure_of([ANIMALS_LIVE, IS_DOG, DOGS_ARE_ANIMALS])
    assert found.premises([Atom("live", (REX,))]) == ["t0", "w0", "w1"]
    assert found.roots(Atom("live", (REX,))) == [(Atom("dog", (REX,)), "t0")]


def test_closure_makes_up_what_must_be_there():
    found = closure_of([IS_DOG, DOGS_BARK])
    barks = Exists((E,), And((Atom("bark", (E,)), Atom("agent", (E, REX)))))
    needed = found.needed(barks, {})
    assert needed == [Atom("bark", (Constant("e3~1"),)), Atom("agent", (Constant("e3~1"), REX))]
    assert found.premises(needed) == ["t0", "t1"]


def test_closure_makes_nothing_up_that_is_there():
    said = Premise("t2", And((Atom("bark", (Constant("b"),)), Atom("agent", (Constant("b"), REX)))))
    found = closure_of([IS_DOG, said, DOGS_BARK])
    assert not any("~" in term.name for atom in found.tracks for term in atom.terms)


def test_closure_of_facts_and_rules_is_whole():
    assert closure_of([IS_DOG, DOGS_BARK]).is_whole


def test_closure_knows_that_it_leaves_something_out():
    assert not closure_of([IS_DOG, Premise("t1", Not(Atom("cat", (REX,))))]).is_whole
    either = Or((Atom("cat", (REX,)), Atom("fox", (REX,))))
    assert not closure_of([Premise("t0", either)]).is_whole


def test_closure_of_what_never_ends_is_cut_off():
    parent = Exists((Y,), And((Atom("dog", (Y,)), Atom("parent", (X, Y)))))
    endless = Premise("t1", ForAll((X,), Implies(Atom("dog", (X,)), parent)))
    found = closure_of([IS_DOG, endless])
    assert not found.is_whole


def test_what_does_not_follow_needs_nothing():
    found = closure_of([IS_DOG])
    assert found.needed(Atom("cat", (REX,)), {}) is None
    assert found.needed(Not(Atom("cat", (REX,))), {}) is None
    assert found.needed(Or((Atom("cat", (REX,)), Atom("dog", (X,)))), {"x": "rex"}) == [
        Atom("dog", (REX,))
    ]
