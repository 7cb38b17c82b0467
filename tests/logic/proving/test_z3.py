"""Questions to Z3 whose answers are known by hand."""

import random
import subprocess
import sys

import pytest
from tests.errors import coded

from ensue.errors import EnsueError, UnknownNameError
from ensue.installation import pip_install
from ensue.logic.axioms import relation_facts
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
)
from ensue.logic.proving import Budget, Model, Premise, ProofStatus, open_prover
from ensue.logic.proving.z3 import is_about_order

X, Y, Z = Variable("x"), Variable("y"), Variable("z")
REX, TOM = Constant("rex"), Constant("tom")


def atom(predicate, *terms):
    return Atom(predicate, terms)


def every(predicate, other):
    return ForAll((X,), Implies(atom(predicate, X), atom(other, X)))


DOG = Premise("t1", atom("dog", REX))
DOGS_ARE_ANIMALS = Premise("w1", every("dog", "animal"))
CATS_ARE_ANIMALS = Premise("w2", every("cat", "animal"))
NO_DOG_IS_A_CAT = Premise("w3", ForAll((X,), Not(And((atom("dog", X), atom("cat", X))))))
NOT_A_DOG = Premise("t2", Not(atom("dog", REX)))

NEVER_ENDING = [
    Premise("n1", ForAll((X,), Exists((Y,), atom("less", X, Y)))),
    Premise(
        "n2",
        ForAll(
            (X, Y, Z), Implies(And((atom("less", X, Y), atom("less", Y, Z))), atom("less", X, Z))
        ),
    ),
    Premise("n3", ForAll((X,), Not(atom("less", X, X)))),
]


def pigeons(n):
    """That n + 1 pigeons sit in n holes, each in one of its own."""
    birds = [Constant(f"pigeon{i}") for i in range(n + 1)]
    holes = [Constant(f"hole{i}") for i in range(n)]
    formulas = [Or(tuple(atom("in", bird, hole) for hole in holes)) for bird in birds]
    formulas += [
        Not(And((atom("in", birds[i], hole), atom("in", birds[j], hole))))
        for hole in holes
        for i in range(n + 1)
        for j in range(i)
    ]
    return [Premise(f"p{i}", formula) for i, formula in enumerate(formulas)]


def clique(n, size):
    """A graph in which every second pair is linked, and that so many of it all are."""
    rng = random.Random(n)
    things = [Constant(f"c{i}") for i in range(n)]
    links = [atom("link", a, b) for a in things for b in things if a != b and rng.random() < 0.5]
    found = [Variable(f"x{i}") for i in range(size)]
    linked = [atom("link", a, b) for i, a in enumerate(found) for b in found[:i]]
    return [Premise("t1", And(tuple(links)))], Exists(tuple(found), And(tuple(linked)))


@pytest.fixture(scope="module")
def prover():
    return open_prover("z3")


def test_goal_that_follows_is_proved(prover):
    found = prover.ask([DOG, CATS_ARE_ANIMALS, DOGS_ARE_ANIMALS], Exists((X,), atom("animal", X)))
    assert found.answer is ProofStatus.PROVED
    assert found.core == ("t1", "w1")
    assert found.countermodel is None
    assert found.reason == ""


def test_goal_whose_negation_follows_is_refuted(prover):
    found = prover.ask([DOG, DOGS_ARE_ANIMALS, NO_DOG_IS_A_CAT], atom("cat", REX))
    assert found.answer is ProofStatus.REFUTED
    assert found.core == ("t1", "w3")
    assert found.countermodel == Model(
        ("rex",), (("dog", ("rex",)), ("animal", ("rex",))), (("rex", "rex"),)
    )


def test_goal_that_may_be_or_not_is_open(prover):
    found = prover.ask([DOG, DOGS_ARE_ANIMALS], Exists((X,), atom("cat", X)))
    assert found.answer is ProofStatus.OPEN
    assert found.core == ()
    assert found.countermodel.facts == (("dog", ("rex",)), ("animal", ("rex",)))


def test_premises_that_contradict_each_other_are_inconsistent(prover):
    found = prover.ask([DOGS_ARE_ANIMALS, DOG, NOT_A_DOG], atom("cat", TOM))
    assert found.answer is ProofStatus.INCONSISTENT
    assert found.core == ("t1", "t2")


def test_goal_that_follows_does_not_hide_an_inconsistency(prover):
    found = prover.ask([DOG, DOGS_ARE_ANIMALS, NOT_A_DOG], atom("animal", REX))
    assert found.answer is ProofStatus.INCONSISTENT
    assert found.core == ("t1", "t2")


@pytest.mark.parametrize(
    ("goal", "answer"),
    [(TRUE, ProofStatus.PROVED), (FALSE, ProofStatus.REFUTED)],
    ids=["true", "false"],
)
def test_truth_follows_from_nothing_and_falsehood_is_refuted(prover, goal, answer):
    assert prover.ask([], goal).answer is answer


def test_there_is_something(prover):
    assert prover.ask([], Exists((X,), Equal(X, X))).answer is ProofStatus.PROVED


def test_constants_may_name_the_same_thing(prover):
    assert prover.ask([DOG], Not(Equal(REX, TOM))).answer is ProofStatus.OPEN


def test_equals_are_replaced(prover):
    same = Premise("t2", Equal(REX, TOM))
    assert prover.ask([DOG, same], atom("dog", TOM)).answer is ProofStatus.PROVED


def test_predicates_with_more_terms_are_others(prover):
    assert prover.ask([DOG], Exists((X,), atom("dog", REX, X))).answer is ProofStatus.OPEN


def test_constant_and_predicate_may_share_a_name(prover):
    premise = Premise("t1", atom("rex", REX))
    assert prover.ask([premise], Exists((X,), atom("rex", X))).answer is ProofStatus.PROVED


@pytest.mark.parametrize("name", ["john smith", "|", "\\", "ça", "", "(assert false)", "f0", "p0"])
def test_names_may_be_anything(prover, name):
    premise = Premise(name, atom(name, Constant(name)))
    found = prover.ask([premise], Exists((Variable(name),), atom(name, Variable(name))))
    assert found.answer is ProofStatus.PROVED
    assert found.core == (name,)


def test_inner_variable_hides_the_outer_of_its_name(prover):
    premise = Premise("t1", Exists((X,), And((atom("dog", X), Exists((X,), atom("cat", X))))))
    goal = Exists((X,), And((atom("dog", X), atom("cat", X))))
    assert prover.ask([premise], goal).answer is ProofStatus.OPEN


def test_things_that_rules_bring_about_are_there(prover):
    rule = ForAll((X,), Implies(atom("child", X), Exists((Y,), atom("mother", Y, X))))
    premises = [Premise("w1", rule), Premise("t1", atom("child", TOM))]
    assert prover.ask(premises, Exists((Y,), atom("mother", Y, TOM))).answer is ProofStatus.PROVED


def test_what_is_refuted_may_differ_from_the_goal(prover):
    premises = [DOG, NO_DOG_IS_A_CAT]
    goal = Exists((X,), atom("cat", X))
    assert prover.ask(premises, goal).answer is ProofStatus.OPEN
    assert prover.ask(premises, goal, refutable=atom("cat", REX)).answer is ProofStatus.REFUTED


def test_core_that_is_explained_has_nothing_in_vain(prover):
    premises = [
        Premise("u1", And((atom("p", REX), atom("q", REX)))),
        Premise("u2", every("p", "r")),
    ]
    premises += [Premise("u3", every("q", "r")), Premise("u4", every("p", "q"))]
    goal = atom("r", REX)
    core = prover.ask(premises, goal, explain=True).needed
    kept = [premise for premise in premises if premise.name in core]
    assert prover.ask(kept, goal).answer is ProofStatus.PROVED
    for premise in kept:
        less = [each for each in kept if each is not premise]
        assert prover.ask(less, goal).answer is not ProofStatus.PROVED


def test_countermodel_of_z3_is_read(prover):
    # one of two, and no more than one: no guess makes the second true
    either = Premise("t1", Or((Equal(REX, TOM), atom("dog", REX))))
    premises = [either, Premise("t2", Not(atom("dog", REX)))]
    found = prover.ask(premises, atom("cat", REX))
    assert found.answer is ProofStatus.OPEN
    assert found.countermodel == Model(("rex",), (), (("rex", "rex"), ("tom", "rex")))


def test_quantifiers_that_never_end_exhaust_the_steps(prover):
    found = prover.ask(NEVER_ENDING, Exists((X,), atom("red", X)))
    assert found.answer is ProofStatus.EXHAUSTED
    assert found.reason == "steps"
    assert found.steps >= Budget().steps


def test_pigeons_exhaust_the_steps(prover):
    found = prover.ask(pigeons(10), atom("red", REX))
    assert found.answer is ProofStatus.EXHAUSTED
    assert found.reason == "steps"


def test_few_pigeons_are_inconsistent(prover):
    assert prover.ask(pigeons(4), atom("red", REX)).answer is ProofStatus.INCONSISTENT


def test_clique_exhausts_the_steps(prover):
    assert prover.ask(*clique(40, 8)).answer is ProofStatus.EXHAUSTED


def test_time_that_is_over_is_the_reason(prover):
    budget = Budget(seconds=0.2, steps=1_000_000_000)
    found = prover.ask(NEVER_ENDING, Exists((X,), atom("red", X)), budget=budget)
    assert found.answer is ProofStatus.EXHAUSTED
    assert found.reason == "seconds"


@pytest.mark.parametrize(
    ("budget", "reason"),
    [(Budget(steps=0), "steps"), (Budget(seconds=0), "seconds")],
    ids=["steps", "seconds"],
)
def test_no_budget_is_exhausted_at_once(prover, budget, reason):
    found = prover.ask([DOG, DOGS_ARE_ANIMALS], atom("animal", REX), budget=budget)
    assert found.answer is ProofStatus.EXHAUSTED
    assert found.reason == reason


def test_refutation_is_found_where_the_first_check_never_ends(prover):
    premises = [*NEVER_ENDING, DOG, NO_DOG_IS_A_CAT]
    found = prover.ask(premises, atom("cat", REX))
    assert found.answer is ProofStatus.REFUTED
    assert found.core == ("t1", "w3")
    assert found.reason == "whether the premises are consistent is open: steps"


def test_proof_is_found_where_consistency_is_not_decided(prover):
    found = prover.ask([*NEVER_ENDING, DOG, DOGS_ARE_ANIMALS], atom("animal", REX))
    assert found.answer is ProofStatus.PROVED
    assert found.core == ("t1", "w1")
    assert found.reason == "whether the premises are consistent is open: steps"


def test_failure_of_z3_is_no_answer(prover, monkeypatch):
    import z3

    def fail(*_):
        raise z3.Z3Exception(b"out of memory")

    monkeypatch.setattr(z3.Solver, "check", fail)
    found = prover.ask([DOG, DOGS_ARE_ANIMALS], atom("animal", REX))
    assert found.answer is ProofStatus.EXHAUSTED
    assert found.reason == "z3 failed: out of memory"


def test_formulas_that_z3_does_not_take_are_no_answer(prover, monkeypatch):
    import z3

    def fail(*_):
        raise z3.Z3Exception("parser error")

    monkeypatch.setattr(z3.Solver, "from_string", fail)
    found = prover.ask([DOG, DOGS_ARE_ANIMALS], atom("animal", REX))
    assert found.answer is ProofStatus.EXHAUSTED
    assert found.reason == "z3 failed: parser error"


def test_free_variable_is_an_error(prover):
    with pytest.raises(EnsueError, match="'t9' has the variable 'x', which no quantifier binds"):
        prover.ask([Premise("t9", atom("dog", X))], TRUE)
    with pytest.raises(EnsueError, match="the goal has the variable 'y'"):
        prover.ask([], Exists((X,), Equal(X, Y)))


def test_premises_of_one_name_are_an_error(prover):
    with pytest.raises(EnsueError, match="two premises are called 't1'"):
        prover.ask([DOG, DOG], TRUE)


def test_missing_z3_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(EnsueError, check=coded("prover-not-installed")) as caught:
        open_prover("z3")
    assert caught.value.hint == f"run: {pip_install('z3-solver')}"


def test_z3_is_loaded_when_it_is_asked_for():
    code = "import sys, ensue.logic.proving; sys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_prover_says_its_version(prover):
    assert prover.name == "z3"
    assert prover.version[0].isdigit()


def test_unknown_prover_is_an_error():
    with pytest.raises(UnknownNameError, match="no prover is called 'z4'"):
        open_prover("z4")


def _question(rng, endless=True):
    """A text of three events, some words that imply others, and a goal that may follow."""
    facts = []
    for k in range(3):
        event = Constant(f"e{k}")
        facts.append(atom(f"verb{rng.randrange(5)}", event))
        for role in rng.sample(["agent", "patient", "in", "with"], 3):
            thing = Constant(f"x{rng.randrange(7)}")
            facts += [atom(role, event, thing), atom(f"noun{rng.randrange(8)}", thing)]
    premises = [Premise("t1", And(tuple(facts)))]
    for i in range(12):
        rule = every(f"noun{rng.randrange(8)}", f"noun{rng.randrange(12)}")
        premises.append(Premise(f"w{i}", rule))
    one, other = (f"noun{n}" for n in rng.sample(range(12), 2))
    disjoint = ForAll((X,), Not(And((atom(one, X), atom(other, X)))))
    premises.append(Premise("d", Or((disjoint, Equal(Constant("x0"), Constant("x1"))))))
    if endless and rng.random() < 0.1:
        premises += NEVER_ENDING
    parts = (
        atom(f"verb{rng.randrange(5)}", X),
        atom("agent", X, Y),
        atom(f"noun{rng.randrange(12)}", Y),
    )
    goal = Exists((X, Y), And(parts))
    return premises, Not(goal) if rng.random() < 0.3 else goal


def test_questions_are_decided_without_guesses(prover, monkeypatch):
    rng = random.Random(5)
    questions = [_question(rng, endless=False) for _ in range(60)]
    budget = Budget(seconds=60)
    found = [prover.ask(*question, budget=budget) for question in questions]
    monkeypatch.setattr("ensue.logic.proving.z3.guess_model", lambda formulas, deadline: None)
    without = [prover.ask(*question, budget=budget) for question in questions]
    assert [(each.answer, each.reason) for each in without] == [(each.answer, "") for each in found]


def test_model_that_cannot_be_read_takes_no_answer_away(prover, monkeypatch):
    import z3

    def fail(*_):
        raise z3.Z3Exception(b"ast is null")

    monkeypatch.setattr("ensue.logic.proving.z3.guess_model", lambda formulas, deadline: None)
    monkeypatch.setattr(z3.ModelRef, "get_universe", fail)
    monkeypatch.setattr(z3.ModelRef, "decls", fail)
    found = prover.ask([DOG], atom("cat", REX))
    assert found.answer is ProofStatus.OPEN
    assert found.countermodel is None


def test_answers_do_not_depend_on_what_was_asked_before(prover):
    rng = random.Random(4)
    questions = [_question(rng) for _ in range(100)]
    budget = Budget(seconds=60, steps=50_000)
    found = [prover.ask(*question, budget=budget) for question in questions]
    order = list(range(100))
    rng.shuffle(order)
    again = {i: open_prover("z3").ask(*questions[i], budget=budget, explain=False) for i in order}
    assert [again[i] for i in range(100)] == found
    assert len({finding.answer for finding in found}) >= 4


def test_degrees_are_numbers_whose_order_proofs_need_not_name():
    a, b, c = (Constant(name) for name in "abc")
    said = [Atom("more tall", (a, b)), Atom("as tall", (b, c))]
    axioms = relation_facts({"more tall", "as tall"}, set(), lexicon=None)
    premises = [
        *(Premise(f"t{i}", each) for i, each in enumerate(said)),
        *(Premise(f"w{i}", each.formula) for i, each in enumerate(axioms)),
    ]
    found = open_prover("z3").ask(premises, Atom("more tall", (a, c)))
    assert (found.answer, found.core) == (ProofStatus.PROVED, ("t0", "t1"))
    found = open_prover("z3").ask(premises, Atom("more tall", (c, a)))
    assert found.answer is ProofStatus.REFUTED
    found = open_prover("z3").ask(premises, Atom("more tall", (b, c)))
    assert found.answer is ProofStatus.OPEN


def test_degrees_of_two_qualities_have_nothing_to_do_with_each_other():
    a, b = Constant("a"), Constant("b")
    premises = [Premise("t0", Atom("more tall", (a, b)))]
    found = open_prover("z3").ask(premises, Atom("more old", (a, b)))
    assert found.answer is ProofStatus.OPEN


def test_only_what_is_about_one_order_is_left_to_arithmetic():
    x, y = Variable("x"), Variable("y")
    more, less = Atom("more tall", (x, y)), Not(Atom("more tall", (y, x)))
    assert is_about_order(ForAll((x, y), Implies(more, less)))
    assert not is_about_order(ForAll((x, y), Implies(more, Atom("more short", (y, x)))))
    assert not is_about_order(ForAll((x, y), Implies(more, Atom("tall:a", (x,)))))
    assert not is_about_order(more)
    assert not is_about_order(ForAll((x, y), more))
