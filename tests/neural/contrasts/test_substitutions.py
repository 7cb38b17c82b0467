"""Kinds that exchange a part of a clause: quantifiers, numbers, modifiers, words."""

import pytest

from ensue.neural.contrasts.substitutions import all_quantifiers, quantifier_label
from ensue.pairs import Label


@pytest.mark.parametrize(
    ("first", "second", "gold"),
    [
        ("every", "some of the", Label.ENTAILMENT),
        ("some of the", "every", Label.UNKNOWN),
        ("no", "some of the", Label.CONTRADICTION),
        ("no", "not every", Label.ENTAILMENT),
        ("exactly five", "at least five", Label.ENTAILMENT),
        ("at least five", "exactly five", Label.UNKNOWN),
        ("more than five", "at most five", Label.CONTRADICTION),
        ("fewer than five", "fewer than six", Label.ENTAILMENT),
        ("every", "at least five", Label.UNKNOWN),
        ("some of the", "not every", None),
    ],
)
def test_quantifiers_relate_as_their_situations_do(first, second, gold):
    table = {each.words: each for each in all_quantifiers(5)}
    assert quantifier_label(table[first], table[second]) is gold


def test_quantifiers_agree_with_noun_and_verb(drafts_of):
    drafts = drafts_of("A dog is barking.", "quantifiers")
    said = {side for sides in drafts for side in sides}
    assert {"every dog is barking", "most of the dogs are barking"} <= said


def test_number_of_the_same_event_excludes_another(drafts_of):
    drafts = drafts_of("Three men are walking.", "numbers")
    text = "three men are walking"
    assert drafts[text, "men are walking"] is Label.ENTAILMENT
    assert drafts[text, "at least three men are walking"] is Label.ENTAILMENT
    assert drafts[text, "more than two men are walking"] is Label.ENTAILMENT
    assert drafts[text, "more than three men are walking"] is Label.CONTRADICTION


def test_modifier_follows_the_direction_of_its_context(drafts_of):
    drafts = drafts_of("A young man is walking.", "modifiers")
    assert drafts["a young man is walking", "a man is walking"] is Label.ENTAILMENT
    assert drafts["a man is walking", "a young man is walking"] is Label.UNKNOWN
    assert drafts["no man is walking", "no young man is walking"] is Label.ENTAILMENT
    assert drafts["no young man is walking", "no man is walking"] is Label.UNKNOWN


def test_modifier_of_a_definite_subject_is_not_denied(drafts_of):
    drafts = drafts_of("The young man is walking.", "modifiers")
    assert not any("not" in side or "false" in side for sides in drafts for side in sides)


def test_noun_gives_way_to_its_hypernym(drafts_of):
    drafts = drafts_of("A poodle is barking.", "lexical")
    text, general = "a poodle is barking", {"a dog is barking", "a animal is barking"}
    assert {drafts[sides] for sides in drafts if sides[0] == text and sides[1] in general} == {
        Label.ENTAILMENT
    }


def test_contrary_verbs_exclude_each_other_only_one_way(drafts_of):
    drafts = drafts_of("A man is sitting.", "lexical")
    sits, stands = "the man is sitting", "the man is standing"
    assert drafts[sits, stands] is Label.CONTRADICTION
    assert drafts[sits, "the man is not standing"] is Label.ENTAILMENT
    assert drafts["the man is not sitting", stands] is Label.UNKNOWN


def test_object_is_joined_with_one_that_it_excludes(drafts_of):
    drafts = drafts_of("A man is playing a guitar.", "lexical")
    text = "a man is playing a guitar"
    joined = {h: gold for (t, h), gold in drafts.items() if t == text and " a guitar " in h}
    assert {gold for h, gold in joined.items() if " or a " in h} == {Label.ENTAILMENT}
    assert {gold for h, gold in joined.items() if " and a " in h} == {Label.UNKNOWN}
