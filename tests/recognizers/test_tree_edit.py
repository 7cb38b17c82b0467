"""The tree edit recognizer: costs by hand, operations of syntax, learning, explanations."""

import numpy as np
import pytest

import ensue
from ensue.errors import SettingError
from ensue.language import load_lexicon
from ensue.pairs import Pair, Status
from ensue.recognizers.edit_trees import COST_NAMES, Operation, hypothesis_forests, text_forest
from ensue.recognizers.tree_edit import graphs_of
from ensue.statistics import fit_bounded

PLAIN = {"weights": "no"}
"""Each word counts one."""


def score(text, hypothesis, **settings):
    recognizer = ensue.load("tree-edit", {**PLAIN, **settings})
    return recognizer.judge([Pair("1", text, hypothesis)])[0].score


def operations_of(text, hypothesis):
    evidence = ensue.load("tree-edit", PLAIN).explain(Pair("1", text, hypothesis)).evidence
    names = (weight.name for weight in evidence.weights)
    return {name.partition(".")[2] for name in names if name.startswith("operation.")}


def test_what_is_there_costs_nothing():
    assert score("A dog barks.", "A dog barks.") == 1


def test_word_that_is_not_there_costs_its_weight():
    # barks and dog are there, the night is not: one of three words
    assert score("A dog barks.", "A dog barks at night.") == pytest.approx(1 - 1 / 3)


def test_word_of_the_text_that_has_to_go_costs_little():
    # the night is within the tree of barks, and has to be deleted
    expected = 1 - 0.02 / 2
    assert score("A dog barks at night.", "A dog barks.") == pytest.approx(expected)
    assert score("A dog barks at night.", "A dog barks.", delete=0.1) == pytest.approx(1 - 0.1 / 2)


def test_more_general_word_costs_what_it_is_unlike():
    # a hypernym is 0.85 alike
    assert score("The poodle slept.", "The dog slept.") == pytest.approx(1 - (1 - 0.85) / 2)


def test_more_specific_word_costs_more_than_a_more_general_one():
    poodle, dog = "The poodle slept.", "The dog slept."
    assert score(poodle, dog) > score(dog, poodle)


def test_other_role_costs():
    # the dog stays and has another role, the boy is moved: 0.3 + 0.02 + 0.3 of three words
    found = score("The boy chased the dog.", "The dog chased the boy.")
    assert found == pytest.approx(1 - (0.3 + 0.02 + 0.3) / 3)


def test_word_that_the_text_has_elsewhere_is_moved():
    found = score("A dog barks. Ada slept.", "Ada barks.", delete=0)
    assert found == pytest.approx(1 - 0.3 / 2)


@pytest.mark.parametrize(
    ("text", "hypothesis", "operation"),
    [
        ("The book was sent by Paul.", "Paul sent the book.", Operation.VOICE),
        ("Ada, the owner of the mill, left.", "Ada is the owner of the mill.", Operation.APPOSITION),
        ("A red house burned.", "The house is red.", Operation.MODIFIER),
        ("The man whom Ben saw left.", "Ben saw the man.", Operation.RELATIVE),
        ("Ada came and left.", "Ada left.", Operation.COORDINATION),
        (
            "The destruction of the city by the enemy shocked the king.",
            "The enemy destroyed the city.",
            Operation.NOMINALIZATION,
        ),
        ("Ada's house burned.", "Ada has a house.", Operation.POSSESSION),
    ],
)  # fmt: skip
def test_operation_of_syntax_is_an_edit(text, hypothesis, operation):
    assert operations_of(text, hypothesis) == {operation.name.lower()}
    n_words = len(graphs_of([Pair("1", "", hypothesis)], load_lexicon())[hypothesis])
    weight = n_words - (operation is Operation.POSSESSION)  # "has" is none
    assert score(text, hypothesis) == pytest.approx(1 - 0.1 / weight, abs=0.021)
    assert score(text, hypothesis, operation=0) == pytest.approx(1, abs=0.021)
    if operation is not Operation.VOICE:  # the graphs have its roles in the first place
        alone = score(text, hypothesis, operations="no", relation=1, move=1)
        assert score(text, hypothesis) > alone


def test_passive_on_both_sides_is_no_operation():
    assert operations_of("The book was sent by Paul.", "The book was sent.") == set()


def test_denied_clause_is_not_said():
    assert score("Ada did not leave.", "Ada left.") == pytest.approx(1 - 1.02 / 2, abs=0.021)
    assert score("Ada did not leave.", "Ada left.", negation=0) == 1
    assert score("Ada did not leave.", "Ada did not leave.") == 1


def test_hypothesis_of_several_sentences_is_the_sum_of_its_trees():
    assert score("A dog barks. Ada slept.", "Ada slept. A dog barks.") == 1
    assert score("A dog barks.", "A dog barks. Ada slept.") == pytest.approx(0.5)


def test_whole_sentences_alone():
    text = "Ben said that a dog barks."
    inner = score(text, "A dog barks.", negation=0)
    assert inner == 1
    # two words of the sentence have to go
    assert score(text, "A dog barks.", negation=0, subtrees="no") == pytest.approx(1 - 0.04 / 2)


def test_trees_are_in_postorder():
    lexicon = load_lexicon()
    text = "Ada, the owner of the mill, sold a red house that Ben built and left."
    graph = graphs_of([Pair("1", text, "")], lexicon)[text]
    forest = text_forest(graph, lexicon=lexicon)
    assert len(forest.roots) > 4
    for node, parent in enumerate(forest.parents):
        assert parent == -1 or parent > node
    trees = np.split(np.array(forest.nodes), np.array(forest.roots) + 1)
    assert all(len(set(tree.tolist())) == len(tree) for tree in trees)
    assert sorted(trees[0].tolist()) == list(range(len(graph)))


def test_have_is_left_out_only_where_nothing_else_is_said():
    lexicon = load_lexicon()
    for text, n in (
        ("Ada has a house.", 2),
        ("Ada has a house in Rome.", 2),
        ("Ada has to leave.", 1),
    ):
        graph = graphs_of([Pair("1", text, "")], lexicon)[text]
        found = len(hypothesis_forests(graph))
        assert found <= n
    assert found == 1


@pytest.mark.parametrize(
    ("text", "hypothesis", "reason"),
    [
        ("", "A dog.", "the text has no content words"),
        ("A dog.", "…", "the hypothesis has no content words"),
        (
            " ".join(f"glorp{i}." for i in range(2100)),
            " ".join(f"frindle{i}." for i in range(2100)),
            "trees of",
        ),
    ],
)
def test_trees_that_cannot_be_compared_are_abstained_from(text, hypothesis, reason):
    verdict = ensue.load("tree-edit").judge([Pair("1", text, hypothesis)])[0]
    assert verdict.status is Status.ABSTAINED
    assert verdict.reason.startswith(reason)


def test_tree_of_one_node_and_sentence_without_a_verb():
    assert score("Fire!", "Fire!") == 1
    assert score("A red house.", "A house.", operations="no") == pytest.approx(1 - 0.02)
    assert score("A red house.", "A house.") == 1  # the house of "the house is red"
    assert score("Fire!", "A dog barks.") == 0


@pytest.mark.parametrize("settings", [{"delete": -1}, {"move": 2}, {"costs": "mine"}])
def test_senseless_settings_are_errors(settings):
    with pytest.raises(SettingError) as error:
        ensue.load("tree-edit", settings)
    assert error.value.code == "setting-cannot"


def test_explanation_adds_up():
    pair = Pair("1", "The mayor of Velm sold twelve old paintings.", "A mayor bought 12 pictures.")
    explanation = ensue.load("tree-edit").explain(pair)
    evidence = explanation.evidence
    given = 1 + sum(weight.contribution for weight in evidence.weights)
    assert given == pytest.approx(explanation.verdict.score)
    rows = evidence.section("edits").rows
    cost = next(step.value for step in evidence.steps if step.what == "cost of the edits")
    assert sum(float(row[-1]) for row in rows) == pytest.approx(cost, abs=0.003)
    assert [row[0].replace("· ", "") for row in evidence.section("hypothesis-tree").rows] == [
        "buy", "mayor", "picture", "12",
    ]  # fmt: skip


def test_learned_costs_of_what_tells_nothing_are_those_set_by_hand(pairs):
    trained = ensue.load("tree-edit", {"costs": "learned"}).fit(pairs, seed=0)
    learned = dict(zip(COST_NAMES, trained.scorer.learned, strict=True))
    assert min(learned.values()) >= 0
    assert max(cost for name, cost in learned.items() if name.startswith("insert")) == 1
    right = [v.label is p.gold for v, p in zip(trained.judge(pairs), pairs, strict=True) if v.label]
    assert all(right)


def test_learned_costs_have_to_be_learned_first():
    with pytest.raises(SettingError, match="has to be trained first"):
        score("A dog.", "A dog.", costs="learned")


def test_bounded_fit_recovers_costs():
    rng = np.random.default_rng(0)
    amounts = rng.random((4000, 3))
    true = np.array([4.0, 0.0, 2.0])
    answers = rng.random(4000) < 1 / (1 + np.exp(-(3 - amounts @ true)))
    found = fit_bounded(amounts, answers, np.ones(3), strength=0.01)
    assert found == pytest.approx(true, abs=0.5)
    # held strongly, they are those given but for one scale
    held = fit_bounded(amounts, answers, np.array([1.0, 2.0, 3.0]), strength=1e9)
    assert held / held[0] == pytest.approx([1, 2, 3], rel=1e-3)


def test_bounded_fit_gives_no_reward_for_an_edit():
    amounts = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]] * 20)
    answers = np.array([False, True, True, False] * 20)
    found = fit_bounded(amounts, answers, np.ones(2), strength=0.1)
    assert found[1] == pytest.approx(0, abs=1e-6)
    assert found[0] > 1
