"""Formulas as text, for people and for provers."""

import shutil
import subprocess

import pytest
from hypothesis import given, strategies as st

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
    to_text,
    to_tptp,
    tptp_name,
    tptp_problem,
)
from ensue.logic.proving import Premise

E, X, Y = Variable("e"), Variable("x"), Variable("y")
A, B = Constant("a"), Constant("b")
P, Q, R = Atom("p", (X,)), Atom("q", (X,)), Atom("r", (X,))

needs_eprover = pytest.mark.skipif(
    shutil.which("eprover") is None, reason="the prover E is not installed"
)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (P, "p(x)"),
        (Atom("rains", ()), "rains"),
        (Atom("agent", (E, A)), "agent(e, a)"),
        (Atom("john smith", (X,)), "'john smith'(x)"),
        (Atom("ice-cream", (X,)), "ice-cream(x)"),
        (Equal(X, A), "x = a"),
        (Not(Equal(X, A)), "x ≠ a"),
        (Not(Not(Equal(X, A))), "¬(x ≠ a)"),
        (Not(P), "¬p(x)"),
        (Not(Not(P)), "¬¬p(x)"),
        (Not(And((P, Q))), "¬(p(x) ∧ q(x))"),
        (TRUE, "⊤"),
        (FALSE, "⊥"),
        (And((P,)), "p(x)"),
        (Or((And((P, Q)), R)), "p(x) ∧ q(x) ∨ r(x)"),
        (And((Or((P, Q)), R)), "(p(x) ∨ q(x)) ∧ r(x)"),
        (And((P, And((Q, R)))), "p(x) ∧ (q(x) ∧ r(x))"),
        (Implies(And((P, Q)), Or((P, R))), "p(x) ∧ q(x) → p(x) ∨ r(x)"),
        (Implies(P, Implies(Q, R)), "p(x) → q(x) → r(x)"),
        (Implies(Implies(P, Q), R), "(p(x) → q(x)) → r(x)"),
        (Not(Implies(P, Q)), "¬(p(x) → q(x))"),
        (Exists((X,), P), "∃x p(x)"),
        (Exists((X,), Equal(X, A)), "∃x (x = a)"),
        (And((Exists((X,), P), Q)), "∃x p(x) ∧ q(x)"),
        (Exists((X,), And((P, Q))), "∃x (p(x) ∧ q(x))"),
        (Not(Exists((X,), P)), "¬∃x p(x)"),
        (ForAll((X,), Implies(P, Exists((Y,), Q))), "∀x (p(x) → ∃y q(x))"),
        (
            Exists((E, X), And((Atom("send", (E,)), Atom("agent", (E, X)), Not(P)))),
            "∃e x (send(e) ∧ agent(e, x) ∧ ¬p(x))",
        ),
    ],
)
def test_text_is_in_the_usual_notation(formula, text):
    assert to_text(formula) == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (ForAll((X,), Implies(P, Q)), "! [X] : (p(X) => q(X))"),
        (Exists((E, X), Atom("agent", (E, X))), "? [E,X] : agent__2(E,X)"),
        (Atom("p", (A,)), "p(a__c)"),
        (Atom("p", ()), "p__0"),
        (Not(Equal(A, B)), "~ (a__c = b__c)"),
        (And((Atom("p", (A,)), Or(()))), "(p(a__c) & $false)"),
        (TRUE, "$true"),
        (And((Atom("p", (A,)),)), "p(a__c)"),
        (Exists((Variable("e"), Variable("E")), TRUE), "? [E,E_2] : $true"),
        (Exists((Variable("é"), Variable("1")), TRUE), "? [X,X1] : $true"),
        (Exists((X,), And((P, ForAll((X,), Q)))), "? [X] : (p(X) & ! [X] : q(X))"),
        (Atom("Big", (A,)), "'Big'(a__c)"),
        (Atom("$true", (A,)), "'$true'(a__c)"),
    ],
)
def test_tptp_is_the_first_order_form(formula, text):
    assert to_tptp("n", "axiom", formula) == f"fof(n, axiom, {text})."


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("dog", "dog"),
        ("look_at", "look_at"),
        ("iPod", "iPod"),
        ("john smith", "'john smith'"),
        ("John-Smith", "'John-Smith'"),
        ("ça", r"'\\xe7a'"),
        ("quick's", r"'quick\'s'"),
        ("back\\slash", r"'back\\\\slash'"),
        ("a__2", r"'a\\x5f\\x5f2'"),
        ("", r"'\\'"),
    ],
)
def test_tptp_name_is_quoted_where_it_must_be(name, written):
    assert tptp_name(name) == written


@given(st.lists(st.text(max_size=6), unique=True, min_size=2, max_size=8))
def test_tptp_names_stay_distinct(names):
    marks = ("", "0", "2", "c")
    assert len({tptp_name(name, mark) for name in names for mark in marks}) == len(names) * 4


@given(st.text(alphabet="a_\\x5fc02' ", max_size=7), st.text(alphabet="a_\\x5fc02' ", max_size=7))
def test_tptp_names_of_the_letters_that_marks_have_stay_distinct(one, other):
    marks = ("", "0", "2", "c")
    written = {tptp_name(name, mark) for name in (one, other) for mark in marks}
    assert len(written) == 4 * len({one, other})


@given(st.text(max_size=8))
def test_tptp_name_is_printable_ascii(name):
    written = tptp_name(name)
    assert written.isascii()
    assert written.isprintable()


def test_problem_has_the_goal_as_its_conjecture():
    assert tptp_problem([Premise("t1", Atom("p", (A,)))], Exists((X,), P)) == (
        "fof(t1, axiom, p(a__c)).\nfof(goal, conjecture, ? [X] : p(X)).\n"
    )


def test_problem_without_a_goal_has_axioms_alone():
    assert tptp_problem([Premise("t 1", Atom("p", (A,)))]) == "fof('t 1', axiom, p(a__c)).\n"


def test_goal_has_a_name_of_its_own():
    assert "fof(goal2, conjecture, $true)." in tptp_problem([Premise("goal", TRUE)], TRUE)


def _eprover(path, problem: str) -> str:
    path.write_text(problem, "ascii")
    command = ["eprover", "--satauto", "--silent", "--cpu-limit=2", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


NAMES = ["john smith", "John-Smith", "ça", "quick's", "", "\\", "'", "$true", "12", "%", "a\nb"]


@needs_eprover
@pytest.mark.parametrize("name", NAMES)
def test_eprover_reads_a_name_in_every_place(name, tmp_path):
    constant = Constant(name)
    everywhere = And(
        (
            Atom(name, ()),
            Atom(name, (constant,)),
            Exists((Variable(name),), Atom(name, (constant, Variable(name)))),
        )
    )
    problem = tptp_problem([Premise(name, everywhere)], Exists((X,), Atom(name, (X,))))
    assert "SZS status Theorem" in _eprover(tmp_path / "problem.p", problem)


@needs_eprover
@pytest.mark.parametrize("name", NAMES[1:])
def test_eprover_tells_names_apart(name, tmp_path):
    problem = tptp_problem([Premise("t1", Atom(NAMES[0], (A,)))], Atom(name, (A,)))
    assert "SZS status CounterSatisfiable" in _eprover(tmp_path / "problem.p", problem)
