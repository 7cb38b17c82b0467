"""The clause of a sentence, and what is put beside it."""

import random

import pytest

from ensue.language import load_lexicon
from ensue.neural.contrasts.material import NAMES, MaterialPool, hypernyms, is_living


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Nobody is riding a horse.",
        "A man riding a horse.",
        "The man said that he was tired.",
        "A man is walking his dog.",
        "There is a dog.",
        "If it rains, the man leaves.",
    ],
)
def test_sentence_that_is_no_simple_clause_is_refused(clause_of, text):
    assert clause_of(text) is None


def test_variant_leaves_tokens_out_and_exchanges_others(clause_of):
    parsed = clause_of("A young man is riding a horse.")
    assert parsed.variant([1]).say() == "a man is riding a horse"
    changed = parsed.variant(words={2: "woman", 4: "feeding"})
    assert changed.say() == "a young woman is feeding a horse"
    assert changed.predicate.verb == "feed"


def test_noun_is_animate_unless_it_is_compounded(clause_of):
    assert clause_of("A teacher is walking.").variant().subject.animate
    assert not clause_of("A game controller is red.").variant().subject.animate


def test_hypernyms_are_those_of_the_first_sense():
    lexicon = load_lexicon()
    assert {"dog", "animal"} <= hypernyms(lexicon, "poodle")
    assert is_living(lexicon, "person")
    assert not is_living(lexicon, "table")


def test_pool_gives_what_earlier_sentences_had(clause_of):
    pool = MaterialPool(random.Random(0))
    first = pool.material(clause_of("A dog is chasing a tall teacher."))
    assert first.others == ()
    assert {str(person) for person in first.people} <= set(NAMES)
    second = pool.material(clause_of("The boy threw the ball."))
    assert [other.say() for other in second.others] == ["the dog is chasing a tall teacher"]
    third = [pool.material(clause_of("A dog is eating.")) for _ in range(20)]
    assert "the tall teacher" in {str(person) for each in third for person in each.people}
    assert all(other.subject.head != "dog" for each in third for other in each.others)
