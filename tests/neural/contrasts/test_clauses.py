"""Inflection, and clauses in other tenses and voices."""

import pytest

from ensue.neural.contrasts.clauses import (
    NounPhrase,
    as_sentence,
    gerund,
    named,
    past_form,
    plural_form,
    third_person,
)


@pytest.mark.parametrize(
    ("lemma", "past", "participle", "ing"),
    [
        ("ride", "rode", "ridden", "riding"),
        ("stop", "stopped", "stopped", "stopping"),
        ("carry", "carried", "carried", "carrying"),
        ("lie", "lay", "lain", "lying"),
        ("play", "played", "played", "playing"),
        ("ski", "skied", "skied", "skiing"),
        ("dive", "dived", "dived", "diving"),
    ],
)
def test_verb_is_inflected(lemma, past, participle, ing):
    assert past_form(lemma) == past
    assert past_form(lemma, participle=True) == participle
    assert gerund(lemma) == ing


@pytest.mark.parametrize(
    ("lemma", "form"),
    [("go", "goes"), ("carry", "carries"), ("watch", "watches"), ("play", "plays")],
)
def test_verb_has_its_third_person(lemma, form):
    assert third_person(lemma) == form


@pytest.mark.parametrize(
    ("noun", "form"),
    [
        ("policeman", "policemen"),
        ("human", "humans"),
        ("child", "children"),
        ("baby", "babies"),
        ("bus", "buses"),
        ("sheep", "sheep"),
    ],
)
def test_noun_has_its_plural(noun, form):
    assert plural_form(noun) == form


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("a old man", "An old man."),
        ("an man", "A man."),
        ("a uniform and an hour", "A uniform and an hour."),
        ("mary , a actor", "Mary, an actor."),
    ],
)
def test_sentence_has_its_articles_and_capital(written, sentence):
    assert as_sentence(written) == sentence


def test_definite_phrase_keeps_its_number_and_names_stay():
    dogs = NounPhrase("two", "dogs", "dog", plural=True, animate=True)
    assert str(dogs.definite) == "the two dogs"
    assert named("Mary").is_definite


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("A man is riding a horse.", "the man is not riding a horse"),
        ("The boy threw the ball.", "the boy did not throw the ball"),
        ("Two dogs run.", "the two dogs do not run"),
        ("She likes pizza.", "she does not like pizza"),
        ("The people were happy.", "the people were not happy"),
    ],
)
def test_negation_has_the_auxiliary_of_its_clause(clause_of, text, negated):
    assert clause_of(text).variant().definite.say("not") == negated


@pytest.mark.parametrize(
    ("text", "passive"),
    [
        ("A man is riding a horse.", "a horse is being ridden by a man"),
        ("The boy threw the ball.", "the ball was thrown by the boy"),
        ("He paints two walls.", "two walls are painted by him"),
    ],
)
def test_passive_keeps_roles_and_agrees(clause_of, text, passive):
    assert clause_of(text).variant().passive() == passive


def test_clause_has_other_tenses(clause_of):
    clause = clause_of("Two men are riding a horse.").variant()
    assert clause.in_past.say() == "two men were riding a horse"
    assert clause.simple_past.say("almost") == "two men almost rode a horse"
    assert clause.simple_past.say("not") == "two men did not ride a horse"
    assert clause.perfect("never") == "two men have never ridden a horse"
    assert clause.stopped == "two men have stopped riding a horse"
