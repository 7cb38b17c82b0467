from hypothesis import given, strategies as st

from ensue.logic.formulas import And, Atom, Constant, Exists, Not, Variable
from ensue.logic.meaning.discourse import proposition

X, Y, E = (Variable(name) for name in "xye")


def leaving(variable, agent):
    return Exists(
        (variable,), And((Atom("leave:v", (variable,)), Atom("agent", (variable, agent))))
    )


def test_proposition_names_do_not_depend_on_variables():
    tom = Constant("tom")
    assert proposition("that", leaving(X, tom)) == proposition("that", leaving(E, tom))


def test_proposition_does_not_depend_on_the_order_of_conditions():
    one = Exists((E,), And((Atom("a:v", (E,)), Atom("b:a", (E,)))))
    other = Exists((E,), And((Atom("b:a", (E,)), Atom("a:v", (E,)))))
    assert proposition("that", one) == proposition("that", other)


def test_proposition_speaks_of_things_outside_by_its_terms():
    one, other = Constant("man#1"), Constant("man#5")
    first, second = (proposition("that", leaving(E, each)) for each in (one, other))
    assert first.predicate == second.predicate
    assert (first.terms, second.terms) == ((one,), (other,))


def test_proposition_keeps_names_in_its_own():
    first, second = (proposition("that", leaving(E, Constant(name))) for name in ("tom", "max"))
    assert first.predicate != second.predicate
    assert first.terms == ()


def test_propositions_of_other_kinds_differ():
    said, wanted = (proposition(kind, leaving(E, Constant("tom"))) for kind in ("that", "xcomp"))
    assert said != wanted


@given(st.permutations([Atom(name, (X,)) for name in ("p:n", "q:n", "r:a", "s:a")]))
def test_proposition_is_the_same_for_any_order(atoms):
    ordered = sorted(atoms, key=lambda atom: atom.predicate)
    assert proposition("that", And(tuple(atoms))) == proposition("that", And(tuple(ordered)))


def test_negation_inside_makes_another_proposition():
    plain = leaving(E, Constant("tom"))
    assert proposition("that", plain) != proposition("that", Not(plain))
