"""Kinds that keep a clause's words: roles, voice, negation, modality, coordination, comparison."""

from ensue.neural.contrasts.clauses import named
from ensue.pairs import Label

PEOPLE = (named("Mary"), named("John"), named("Emma"))


def test_exchanged_roles_are_open(drafts_of):
    drafts = drafts_of("A dog is chasing cats.", "roles")
    assert drafts["a dog is chasing cats", "cats are chasing a dog"] is Label.UNKNOWN
    assert drafts["a dog is chasing cats", "cats are being chased by a dog"] is Label.ENTAILMENT


def test_passive_without_its_agent_says_less(drafts_of):
    drafts = drafts_of("The boy threw the ball.", "voice")
    active, short = "the boy threw the ball", "the ball was thrown"
    assert drafts[active, short] is Label.ENTAILMENT
    assert drafts[short, active] is Label.UNKNOWN
    assert drafts[active, "the ball was not thrown by the boy"] is Label.CONTRADICTION
    assert drafts["nobody threw the ball", "the ball was not thrown"] is Label.ENTAILMENT


def test_negation_elsewhere_leaves_the_clause(drafts_of):
    drafts = drafts_of("The dog is barking.", "negation", others=["The boy threw the ball."])
    text, plain = "the boy did not throw the ball, but the dog is barking", "the dog is barking"
    assert drafts[text, plain] is Label.ENTAILMENT
    assert drafts[text, "the boy threw the ball"] is Label.CONTRADICTION
    assert drafts[plain, "the dog is not barking"] is Label.CONTRADICTION


def test_modality_reverses_for_the_negated_clause(drafts_of):
    drafts = drafts_of("The dog is barking.", "modality")
    plain, negated = "the dog is barking", "the dog is not barking"
    reversed_gold = {
        Label.ENTAILMENT: Label.CONTRADICTION,
        Label.CONTRADICTION: Label.ENTAILMENT,
        Label.UNKNOWN: Label.UNKNOWN,
    }
    embedded = {text: gold for (text, hypothesis), gold in drafts.items() if hypothesis == negated}
    assert set(embedded.values()) == set(reversed_gold)
    assert all(drafts[text, plain] is reversed_gold[gold] for text, gold in embedded.items())


def test_modality_needs_a_subject_that_is_no_pronoun(drafts_of):
    assert drafts_of("She is dancing.", "modality") == {}


def test_coordination_of_subjects_says_what_holds_of_each(drafts_of):
    drafts = drafts_of("A teacher is dancing.", "coordination", people=PEOPLE)
    one, neither = "the teacher is dancing", "neither the teacher nor Mary is dancing"
    assert drafts[one, "the teacher and Mary are dancing"] is Label.UNKNOWN
    assert drafts[one, "the teacher or Mary is dancing"] is Label.ENTAILMENT
    assert drafts[neither, "the teacher is not dancing"] is Label.ENTAILMENT


def test_comparison_orders_people_and_times(drafts_of):
    drafts = drafts_of(
        "A teacher is dancing.", "comparison", others=["The boy threw the ball."], people=PEOPLE
    )
    before = "the teacher danced before the boy threw the ball"
    after = "the teacher danced after the boy threw the ball"
    assert drafts[before, after] is Label.CONTRADICTION
    assert drafts["the teacher is still dancing", "the teacher is dancing"] is Label.ENTAILMENT
    chained = {gold for (text, _), gold in drafts.items() if "Mary is" in text and ", and" in text}
    assert chained == {Label.ENTAILMENT, Label.UNKNOWN, Label.CONTRADICTION}
