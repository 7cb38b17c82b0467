import pytest

from ensue.language.lexicon import load_lexicon
from ensue.logic.formulas import Constant, Variable, conjunction, free_variables, to_text
from ensue.logic.meaning import meaning_of, referents, resolved

TEXTS = [
    ("Tom left.", "'leave:v'('leave#1') ∧ agent('leave#1', tom)"),
    ("Tom did not leave.", "¬∃e3 ('leave:v'(e3) ∧ agent(e3, tom))"),
    (
        "Every man sleeps.",
        "∃x1 'man:n'(x1) ∧ ∀x1 ('man:n'(x1) → ∃e2 ('sleep:v'(e2) ∧ agent(e2, x1)))",
    ),
    ("No man sleeps.", "¬∃x1 e2 ('man:n'(x1) ∧ 'sleep:v'(e2) ∧ agent(e2, x1))"),
    (
        "Tom or Max left.",
        "∃e3 ('leave:v'(e3) ∧ agent(e3, tom)) ∨ ∃e3 ('leave:v'(e3) ∧ agent(e3, max))",
    ),
    ("Tom is a tall baker.", "'baker:n'(tom) ∧ 'tall:a'(tom)"),
    ("Tom is in Rome.", "in(tom, rome)"),
    ("Tom may leave.", "'possible/leave:v'('leave#2') ∧ agent('leave#2', tom)"),
    (
        "If Tom left, Max wept.",
        "∀e2 ('leave:v'(e2) ∧ agent(e2, tom) → ∃e5 ('weep:v'(e5) ∧ agent(e5, max)))",
    ),
    (
        "Tom said that Max left.",
        "'say:v'('say#1') ∧ agent('say#1', tom) ∧ 'that: some [agent(v1,max) & leave:v(v1)]'('say#1')",
    ),
]


@pytest.fixture(scope="module")
def lexicon():
    return load_lexicon()


@pytest.mark.parametrize(("text", "formula"), TEXTS)
def test_text_is_read_as_a_formula(analyze, lexicon, text, formula):
    meaning = meaning_of(analyze(text), lexicon=lexicon, asserted=True)
    assert to_text(conjunction(meaning.conditions)) == formula


def test_definite_noun_refers_back(analyze, lexicon):
    meaning = meaning_of(analyze("A dog barked. The dog slept."), lexicon=lexicon, asserted=True)
    assert to_text(conjunction(meaning.conditions)).count("'dog:n'") == 1


def test_indefinite_noun_does_not_refer_back(analyze, lexicon):
    meaning = meaning_of(analyze("A dog barked. A dog slept."), lexicon=lexicon, asserted=True)
    assert to_text(conjunction(meaning.conditions)).count("'dog:n'") == 2


def test_text_speaks_of_constants_and_hypothesis_of_variables(analyze, lexicon):
    said = meaning_of(analyze("A dog barked."), lexicon=lexicon, asserted=True)
    asked = meaning_of(analyze("A dog barked."), lexicon=lexicon, asserted=False)
    assert said.box.variables == []
    assert asked.box.variables == [Variable("x1"), Variable("e2")]


@pytest.mark.parametrize(
    "text",
    [text for text, _ in TEXTS]
    + [
        "Every man who owns a horse that he likes rides it before his wife wakes.",
        "The moment nobody was there, everyone who had known him wept.",
        "Unless most of them leave, at most two of the boys or girls will stay.",
        "What she said to whom, and why, is unknown to all but a few.",
    ],
)
def test_every_formula_is_closed(analyze, lexicon, text):
    for asserted in (True, False):
        meaning = meaning_of(analyze(text), lexicon=lexicon, asserted=asserted)
        assert free_variables(meaning.formula) == frozenset()


def test_no_content_word_is_passed_over(analyze, lexicon):
    text = "Sadly the old baker from Rome slowly gave three warm loaves to the hungry boys outside."
    meaning = meaning_of(analyze(text), lexicon=lexicon, asserted=False)
    written = to_text(meaning.formula)
    words = ["old", "baker", "rome", "slow", "give", "loaf", "warm", "hungry", "boy", "outside"]
    assert [word for word in words if word not in written] == []
    assert "at least 3" in written


def test_hypothesis_speaks_of_the_only_such_thing_of_a_text(analyze, lexicon):
    said = meaning_of(analyze("A man is not riding a horse."), lexicon=lexicon, asserted=True)
    asked = meaning_of(analyze("A man is riding a horse."), lexicon=lexicon, asserted=False)
    assert referents(said)["man"][0] == Constant("man#1")
    assert "'man#1'" in to_text(resolved(asked, referents(said)))


def test_hypothesis_with_more_to_say_speaks_of_another_thing(analyze, lexicon):
    said = meaning_of(analyze("A man is not riding a horse."), lexicon=lexicon, asserted=True)
    asked = meaning_of(analyze("A tall man is riding a horse."), lexicon=lexicon, asserted=False)
    assert "'man#1'" not in to_text(resolved(asked, referents(said)))
