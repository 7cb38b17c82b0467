"""Formulas as values, and what they are made of."""

import pytest

from ensue.logic.formulas import (
    FALSE,
    TRUE,
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
    atoms,
    conjunction,
    constants,
    disjunction,
    exists,
    for_all,
    free_variables,
    has_equation,
    substituted,
)

X, Y = Variable("x"), Variable("y")
A, B = Constant("a"), Constant("b")
P, Q, R = Atom("p", (X,)), Atom("q", (X,)), Atom("r", (X, A))


def test_formulas_with_the_same_parts_are_equal():
    assert And((P, Not(Q))) == And((P, Not(Q)))
    assert hash(Exists((X,), P)) == hash(Exists((X,), P))


def test_variable_is_not_the_constant_of_its_name():
    assert Variable("a") != Constant("a")


def test_conjunction_has_no_conjunctions_in_it():
    assert conjunction([And((P, Q)), R]) == And((P, Q, R))


def test_disjunction_has_no_disjunctions_in_it():
    assert disjunction([P, Or((Q, R))]) == Or((P, Q, R))


@pytest.mark.parametrize("make", [conjunction, disjunction])
def test_formula_alone_is_itself(make):
    assert make([P]) == P
    assert make([P, P]) == P


def test_nothing_together_is_true_and_one_of_nothing_is_false():
    assert conjunction([]) == TRUE
    assert disjunction([]) == FALSE


@pytest.mark.parametrize(("make", "kind"), [(exists, Exists), (for_all, ForAll)])
def test_quantifiers_of_one_kind_become_one(make, kind):
    assert make([X], kind((Y,), P)) == kind((X, Y), P)


def test_quantifiers_of_two_kinds_stay_two():
    assert exists([X], ForAll((Y,), P)) == Exists((X,), ForAll((Y,), P))


@pytest.mark.parametrize("make", [exists, for_all])
def test_quantifier_without_variables_is_left_out(make):
    assert make([], P) == P


def test_atoms_come_in_the_order_of_writing():
    formula = ForAll((X,), Implies(And((P, Not(Q))), Or((R, Exists((Y,), P)))))
    assert list(atoms(formula)) == [P, Q, R, P]


def test_equations_have_no_atoms():
    assert list(atoms(Equal(A, B))) == []


def test_constants_come_as_often_as_they_are_written():
    formula = Implies(And((R, Equal(B, X))), Not(Exists((X,), Or((R, Equal(X, A))))))
    assert list(constants(formula)) == [A, B, A, A]


def test_free_variables_are_those_that_nothing_binds():
    x, y = Variable("x"), Variable("y")
    assert free_variables(Exists((x,), Atom("chases", (x, y)))) == {y}


def test_substituted_leaves_bound_variables_alone():
    x, y = Variable("x"), Variable("y")
    formula = And((Atom("p", (x,)), Exists((x,), Atom("q", (x, y)))))
    tom = Constant("tom")
    assert substituted(formula, {x: tom, y: tom}) == And(
        (Atom("p", (tom,)), Exists((x,), Atom("q", (x, tom))))
    )


def test_an_equation_is_found_at_any_depth():
    x, same = Variable("x"), Equal(Constant("a"), Constant("b"))
    plain = Atom("p", (x,))
    for formula in (
        same,
        Not(same),
        And((plain, same)),
        Or((plain, same)),
        Implies(same, plain),
        Implies(plain, same),
        Exists((x,), same),
        ForAll((x,), same),
    ):
        assert has_equation(formula)
    assert not has_equation(Implies(plain, Not(And((plain,)))))
