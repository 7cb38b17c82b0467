"""Laws of facts about words."""

from hypothesis import given, strategies as st

from ensue.language import load_lexicon
from ensue.logic.axioms import word_facts
from ensue.logic.formulas import Constant, Variable, atoms, constants
from ensue.logic.knowledge import KnowledgeSettings, PredicateWord, WordCategory

NOUNS = [
    "dog",
    "animal",
    "car",
    "automobile",
    "man",
    "woman",
    "person",
    "hand",
    "water",
    "city",
    "bank",
    "tree",
    "house",
    "arrival",
]
VERBS = [
    "buy",
    "get",
    "sell",
    "kill",
    "die",
    "murder",
    "run",
    "move",
    "walk",
    "snore",
    "sleep",
    "heat",
    "change",
    "arrive",
    "leave",
]
ADJECTIVES = [
    "big",
    "large",
    "small",
    "little",
    "hot",
    "cold",
    "old",
    "new",
    "young",
    "black",
    "white",
    "short",
    "long",
]
NAMES = ["Paris", "France", "Europe", "London", "US", "United States", "Georgia", "Adam Smith"]

WORDS = [
    PredicateWord(lemma.lower() if part is WordCategory.NAME else f"{lemma}:{part}", lemma, part)
    for part, lemmas in zip(WordCategory, (NOUNS, VERBS, ADJECTIVES, NAMES), strict=True)
    for lemma in lemmas
]
SIDES = st.lists(st.sampled_from(WORDS), max_size=8)
SHARES = st.sampled_from([0.0, 0.1, 0.2, 0.5])


def found(text, hypothesis, **settings):
    return word_facts(
        text, hypothesis, lexicon=load_lexicon(), settings=KnowledgeSettings(**settings)
    )


@given(SIDES, SIDES, SHARES, st.integers(1, 4), st.integers(0, 4), st.booleans())
def test_more_senses_keep_all_facts(text, hypothesis, share, senses, more, disjoint):
    wider = None if more == 0 else senses + more
    few, many = (
        found(text, hypothesis, senses=each, share=share, disjoint=disjoint)
        for each in (senses, wider)
    )
    assert {fact.formula for fact in few} <= {fact.formula for fact in many}


@given(SIDES, SIDES, SHARES, st.sampled_from([0.3, 0.6, 0.9]))
def test_a_greater_share_takes_no_other_facts(text, hypothesis, share, more):
    strict = found(text, hypothesis, share=min(1.0, share + more))
    assert {fact.formula for fact in strict} <= {
        fact.formula for fact in found(text, hypothesis, share=share)
    }


@given(SIDES)
def test_no_fact_links_a_word_with_itself(words):
    for word in words:
        assert found([word], [word], senses=None, share=0, disjoint=True, backward=True) == []


@given(SIDES, SIDES)
def test_facts_speak_of_the_words_of_both_sides_alone(text, hypothesis):
    known = {word.predicate for word in (*text, *hypothesis)}
    for fact in found(text, hypothesis, senses=None, share=0):
        predicates = {atom.predicate for atom in atoms(fact.formula)}
        assert predicates <= known | {"agent", "patient", "in"}
        assert {each.name for each in constants(fact.formula)} <= known


@given(SIDES, SIDES)
def test_facts_have_a_path_and_are_sentences(text, hypothesis):
    for fact in found(text, hypothesis, senses=None, share=0):
        assert fact.path
        assert fact.words
        for atom in atoms(fact.formula):
            assert all(isinstance(term, Variable | Constant) for term in atom.terms)


@given(SIDES, SIDES)
def test_facts_are_the_same_each_time(text, hypothesis):
    assert found(text, hypothesis) == found(list(text), list(hypothesis))
