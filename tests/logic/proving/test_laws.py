"""Laws of proving, and agreement with E, on formulas by the hundred."""

import shutil
from itertools import product

import pytest
from hypothesis import assume, given, settings, strategies as st

from ensue.logic.chase import guess_model
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
from ensue.logic.proving import Budget, Premise, ProofStatus, open_prover

VARIABLES = [Variable(name) for name in "xyz"]
TERMS = st.sampled_from([*VARIABLES, Constant("a"), Constant("b")])
ATOMS = st.one_of(
    st.builds(lambda name, term: Atom(name, (term,)), st.sampled_from("pq"), TERMS),
    st.builds(lambda one, other: Atom("r", (one, other)), TERMS, TERMS),
    st.just(Atom("s", ())),
    st.builds(Equal, TERMS, TERMS),
)
QUANTIFIERS = st.sampled_from([Exists, ForAll])
SOME_VARIABLES = st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=2).map(tuple)
BUDGET = Budget(seconds=30, steps=20_000)
UNSURE = "whether the premises are consistent is open: steps"
LIMITS = ("", "steps", UNSURE)
"""What may keep Z3 from an answer; a failure of ours must not pass for a limit."""


def _larger(inner):
    several = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Not, inner),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Implies, inner, inner),
        st.builds(lambda kind, some, part: kind(some, part), QUANTIFIERS, SOME_VARIABLES, inner),
    )


@st.composite
def formulas(draw):
    """Closed formulas of a few signs."""
    formula = draw(st.recursive(ATOMS, _larger, max_leaves=5))
    for variable in draw(st.permutations(VARIABLES)):
        formula = draw(QUANTIFIERS)((variable,), formula)
    return formula


PREMISES = st.lists(formulas(), max_size=3).map(
    lambda found: [Premise(f"t{i}", formula) for i, formula in enumerate(found)]
)


@pytest.fixture(scope="module")
def prover():
    return open_prover("z3")


def true_in(model, formula):
    """Whether a formula is true in a model, by trying everything."""
    return _true(model, frozenset(model.facts), dict(model.constants), formula, {})


def _true(model, facts, denoted, formula, known):

    def thing(term):
        # a constant that nobody mentioned may name anything
        if isinstance(term, Variable):
            return known[term.name]
        return denoted.get(term.name, model.things[0])

    def all_ways(variables):
        for things in product(model.things, repeat=len(variables)):
            ways = {each.name: found for each, found in zip(variables, things, strict=True)}
            yield known | ways

    match formula:
        case Atom(predicate, terms):
            return (predicate, tuple(thing(term) for term in terms)) in facts
        case Equal(left, right):
            return thing(left) == thing(right)
        case Not(inner):
            return not _true(model, facts, denoted, inner, known)
        case And(parts):
            return all(_true(model, facts, denoted, part, known) for part in parts)
        case Or(parts):
            return any(_true(model, facts, denoted, part, known) for part in parts)
        case Implies(condition, consequence):
            return not _true(model, facts, denoted, condition, known) or _true(
                model, facts, denoted, consequence, known
            )
        case Exists(variables, inner):
            return any(_true(model, facts, denoted, inner, way) for way in all_ways(variables))
        case ForAll(variables, inner):
            return all(_true(model, facts, denoted, inner, way) for way in all_ways(variables))


def renamed(formula, names):
    """A formula with other names for its variables."""

    def term(each):
        return Variable(names[each.name]) if isinstance(each, Variable) else each

    match formula:
        case Atom(predicate, terms):
            return Atom(predicate, tuple(term(each) for each in terms))
        case Equal(left, right):
            return Equal(term(left), term(right))
        case Not(inner):
            return Not(renamed(inner, names))
        case And(parts) | Or(parts):
            return type(formula)(tuple(renamed(part, names) for part in parts))
        case Implies(condition, consequence):
            return Implies(renamed(condition, names), renamed(consequence, names))
        case Exists(variables, inner) | ForAll(variables, inner):
            return type(formula)(tuple(term(each) for each in variables), renamed(inner, names))


@settings(max_examples=60)
@given(premises=PREMISES, goal=formulas())
def test_countermodel_makes_the_premises_true_and_the_goal_false(prover, premises, goal):
    found = prover.ask(premises, goal, budget=BUDGET)
    assume(found.countermodel is not None)
    for premise in premises:
        assert true_in(found.countermodel, premise.formula)
    assert not true_in(found.countermodel, goal)


@settings(max_examples=60)
@given(given_formulas=st.lists(formulas(), min_size=1, max_size=4))
def test_guess_is_a_model(given_formulas):
    model = guess_model(given_formulas)
    assume(model is not None)
    assert all(true_in(model, formula) for formula in given_formulas)


@settings(max_examples=60)
@given(premises=PREMISES, goal=formulas())
def test_answers_do_not_need_guesses(prover, premises, goal):
    found = prover.ask(premises, goal, budget=BUDGET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ensue.logic.proving.z3.guess_model", lambda formulas, deadline: None)
        without = prover.ask(premises, goal, budget=BUDGET)
    assert found.reason in LIMITS
    assert without.reason in LIMITS
    assume(ProofStatus.EXHAUSTED not in (found.answer, without.answer))
    assert found.answer is without.answer
    if without.countermodel is not None:
        assert all(true_in(without.countermodel, premise.formula) for premise in premises)
        assert not true_in(without.countermodel, goal)


@settings(max_examples=30)
@given(premises=PREMISES, goal=formulas(), more=formulas())
def test_further_premise_takes_no_proof_away(prover, premises, goal, more):
    assume(prover.ask(premises, goal, budget=BUDGET).answer is ProofStatus.PROVED)
    found = prover.ask([*premises, Premise("more", more)], goal, budget=BUDGET)
    assert found.answer in (ProofStatus.PROVED, ProofStatus.INCONSISTENT)


@given(goal=formulas())
def test_formula_follows_from_itself(prover, goal):
    found = prover.ask([Premise("t1", goal)], goal, budget=BUDGET)
    assert found.answer in (ProofStatus.PROVED, ProofStatus.INCONSISTENT)


@settings(max_examples=30)
@given(one=formulas(), other=formulas())
def test_contraposition_holds(prover, one, other):
    there = prover.ask([Premise("t1", one)], other, budget=BUDGET).answer
    assume(there is ProofStatus.PROVED)
    back = prover.ask([Premise("t1", Not(other))], Not(one), budget=BUDGET).answer
    assert back in (ProofStatus.PROVED, ProofStatus.INCONSISTENT)


@given(premises=PREMISES, goal=formulas())
def test_negated_goal_has_the_opposite_answer(prover, premises, goal):
    opposite = {ProofStatus.PROVED: ProofStatus.REFUTED, ProofStatus.REFUTED: ProofStatus.PROVED}
    answer = prover.ask(premises, goal, budget=BUDGET).answer
    negated = prover.ask(premises, Not(goal), budget=BUDGET).answer
    assume(ProofStatus.EXHAUSTED not in (answer, negated))
    assert negated is opposite.get(answer, answer)


@settings(max_examples=30)
@given(premises=PREMISES, goal=formulas(), names=st.permutations(["y", "z", "other name"]))
def test_names_of_variables_do_not_matter(prover, premises, goal, names):
    others = dict(zip("xyz", names, strict=True))
    again = [Premise(each.name, renamed(each.formula, others)) for each in premises]
    found = prover.ask(premises, goal, budget=BUDGET)
    assert prover.ask(again, renamed(goal, others), budget=BUDGET).answer is found.answer


@settings(max_examples=30)
@given(premises=PREMISES, goal=formulas())
def test_core_is_enough(prover, premises, goal):
    found = prover.ask(premises, goal, budget=BUDGET, explain=True)
    assume(found.answer in (ProofStatus.PROVED, ProofStatus.REFUTED, ProofStatus.INCONSISTENT))
    kept = [premise for premise in premises if premise.name in found.needed]
    assert prover.ask(kept, goal, budget=BUDGET).answer is found.answer


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("eprover") is None, reason="the prover E is not installed")
@settings(max_examples=300)
@given(premises=PREMISES, goal=formulas())
def test_z3_and_eprover_agree(prover, premises, goal):
    ours = prover.ask(premises, goal, budget=BUDGET)
    theirs = open_prover("eprover").ask(premises, goal, budget=Budget(seconds=1))
    assert ours.reason in LIMITS
    assume(ProofStatus.EXHAUSTED not in (ours.answer, theirs.answer))
    assert ours.answer is theirs.answer
