"""Formulas in finite worlds."""

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
from ensue.logic.proving import Model
from ensue.logic.worlds import World, best_fit, lean

X, Y = Variable("x"), Variable("y")
REX, TOM = Constant("rex"), Constant("tom")
DOG, CAT = Atom("dog", (X,)), Atom("cat", (X,))
MODEL = Model(
    ("rex", "tom"),
    (("dog", ("rex",)), ("cat", ("tom",)), ("chases", ("rex", "tom"))),
    (("rex", "rex"), ("tom", "tom"), ("rover", "rex")),
)


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        (Atom("dog", (REX,)), True),
        (Atom("dog", (TOM,)), False),
        (Atom("dog", (Constant("rover"),)), True),
        (Equal(Constant("rover"), REX), True),
        (Not(Atom("dog", (TOM,))), True),
        (And((Atom("dog", (REX,)), Atom("cat", (TOM,)))), True),
        (Or((Atom("dog", (TOM,)), Atom("cat", (TOM,)))), True),
        (Or(()), False),
        (Implies(Atom("dog", (TOM,)), Or(())), True),
        (Exists((X,), And((DOG, CAT))), False),
        (Exists((X, Y), And((DOG, Atom("chases", (X, Y))))), True),
        (ForAll((X,), Implies(DOG, Exists((Y,), Atom("chases", (X, Y))))), True),
        (ForAll((X,), Or((DOG, CAT))), True),
        (ForAll((X,), DOG), False),
    ],
)
def test_world_says_what_holds(formula, holds):
    assert World(MODEL).holds(formula, {}) is holds


def test_inner_quantifier_hides_the_outer_variable():
    assert World(MODEL).holds(Exists((X,), And((CAT, Exists((X,), DOG)))), {})


def test_best_fit_leaves_the_fewest_conditions_false():
    conditions = [DOG, Atom("old", (X,)), Atom("chases", (X, Y)), Atom("old", (Y,))]
    fit = best_fit(World(MODEL), [X, Y], conditions)
    assert (fit.binding, fit.false) == ({"x": "rex", "y": "tom"}, (1, 3))


def test_best_fit_leaves_the_lightest_conditions_false():
    conditions = [CAT, Atom("chases", (X, TOM))]
    assert best_fit(World(MODEL), [X], conditions, [3, 2]).false == (1,)
    assert best_fit(World(MODEL), [X], conditions, [2, 3]).false == (0,)


def test_best_fit_takes_a_variable_that_is_named_twice():
    assert best_fit(World(MODEL), [X, X], [DOG, CAT]).false in ((0,), (1,))


def test_lean_world_has_only_what_is_needed():
    small = lean(MODEL, [Exists((X,), DOG)], Atom("cat", (REX,)))
    assert small.facts == (("dog", ("rex",)),)


def test_world_that_is_no_countermodel_is_left_as_it_is():
    assert lean(MODEL, [Atom("dog", (TOM,))], Atom("cat", (REX,))) == MODEL
