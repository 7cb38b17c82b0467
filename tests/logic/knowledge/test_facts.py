"""Facts of each kind, and near misses."""

import pytest

from ensue.errors import SettingError
from ensue.language import load_lexicon
from ensue.logic.axioms import word_facts
from ensue.logic.formulas import And, Atom, Constant, Equal, Exists, ForAll, Implies, Not, Variable
from ensue.logic.knowledge import FactKind, KnowledgeSettings

X, E, E2 = Variable("x"), Variable("e"), Variable("e2")
PARIS, FRANCE = Constant("paris"), Constant("france")


def all_are(one, other, variable=X):
    return ForAll((variable,), Implies(Atom(one, (variable,)), Atom(other, (variable,))))


def none_is_both(one, other):
    return ForAll((X,), Not(And((Atom(one, (X,)), Atom(other, (X,))))))


def said(found):
    return [fact.words for fact in found]


def test_noun_leads_to_its_hypernym(facts):
    (fact,) = facts("dog/noun", "animal/noun")
    assert fact.kind is FactKind.HYPERNYM
    assert fact.formula == all_are("dog:noun", "animal:noun")
    assert fact.words == "a dog is an animal"
    assert fact.path == ("dog.n.01", "domestic_animal.n.01", "animal.n.01")


def test_verb_leads_to_its_hypernym_in_the_same_event(facts):
    (fact,) = facts("buy/verb", "get/verb")
    assert fact.formula == all_are("buy:verb", "get:verb", E)
    assert fact.words == "to buy is to get"


def test_synonyms_lead_both_ways(facts):
    found = facts("car/noun", "automobile/noun")
    assert [fact.kind for fact in found] == [FactKind.SYNONYM] * 2
    assert [fact.formula for fact in found] == [
        all_are("car:noun", "automobile:noun"),
        all_are("automobile:noun", "car:noun"),
    ]
    assert said(found)[0] == "car means the same as automobile"
    assert found[0].path == ("car.n.01",)


def test_adjectives_of_one_synset_are_synonyms(facts):
    assert said(facts("large/adjective", "big/adjective"))[0] == "large means the same as big"


def test_opposite_adjectives_exclude_one_another(facts):
    (fact,) = facts("hot/adjective", "cold/adjective")
    assert fact.kind is FactKind.ANTONYM
    assert fact.formula == none_is_both("hot:adjective", "cold:adjective")
    assert fact.words == "hot is the opposite of cold"
    assert fact.path == ("hot.a.01", "cold.a.01")


def test_opposites_of_a_synonym_exclude_one_another(facts):
    # WordNet has large and small, big and little; big is in the synset of large
    assert said(facts("big/adjective", "small/adjective")) == ["big is the opposite of small"]


def test_path_of_opposites_names_the_senses_that_are(facts):
    assert facts("old/adjective", "new/adjective")[0].path == ("old.a.02", "new.a.01")


@pytest.mark.parametrize(("one", "other"), [("man", "woman"), ("girl", "boy")])
def test_nouns_for_the_sexes_exclude_one_another(facts, one, other):
    (fact,) = facts(f"{one}/noun", f"{other}/noun")
    assert fact.formula == none_is_both(f"{one}:noun", f"{other}:noun")


def test_name_leads_to_what_its_thing_is(facts):
    (fact,) = facts("Paris/name", "city/noun")
    assert fact.kind is FactKind.HYPERNYM
    assert fact.formula == Atom("city:noun", (PARIS,))
    assert fact.words == "Paris is a city"
    assert fact.path == ("paris.n.01", "national_capital.n.01", "city.n.01")


def test_place_leads_to_the_place_that_it_is_in(facts):
    (fact,) = facts("paris/name", "france/name")
    assert fact.kind is FactKind.PART
    inside = ForAll((X,), Implies(Atom("in", (X, PARIS)), Atom("in", (X, FRANCE))))
    assert fact.formula == And((Atom("in", (PARIS, FRANCE)), inside))
    assert fact.words == "Paris is in France"


def test_names_of_one_thing_are_equal(facts):
    (fact,) = facts("US/name", "United States/name")
    assert fact.formula == Equal(Constant("us"), Constant("united states"))
    assert fact.words == "US is the same as United States"


def test_verb_leads_to_what_it_entails(facts):
    (fact,) = facts("snore/verb", "sleep/verb")
    assert fact.kind is FactKind.VERB_ENTAILMENT
    assert fact.formula == all_are("snore:verb", "sleep:verb", E)
    assert fact.words == "to snore entails to sleep"


def test_verb_makes_what_it_is_done_to_do_another(facts):
    (fact,) = facts("murder/verb", "die/verb")
    assert fact.kind is FactKind.CAUSE
    murdered = And((Atom("murder:verb", (E,)), Atom("patient", (E, X))))
    dies = And((Atom("die:verb", (E2,)), Atom("agent", (E2, X))))
    assert fact.formula == ForAll((E, X), Implies(murdered, Exists((E2,), dies)))
    assert fact.words == "murdering something makes it die"
    assert fact.path == ("murder.v.01", "kill.v.01", "die.v.01")


def test_effect_is_on_the_patient_of_a_verb_that_alternates(facts):
    (fact,) = [each for each in facts("heat/verb", "change/verb") if each.kind is FactKind.CAUSE]
    assert fact.formula.formula.consequence == Exists(
        (E2,), And((Atom("change:verb", (E2,)), Atom("patient", (E2, X))))
    )


@pytest.mark.parametrize("way", [("arrival/noun", "arrive/verb"), ("arrive/verb", "arrival/noun")])
def test_noun_for_an_event_is_its_verb(facts, way):
    (fact,) = facts(*way)
    assert fact.kind is FactKind.DERIVATION
    noun, verb = Atom("arrival:noun", (E,)), Atom("arrive:verb", (E,))
    assert fact.formula == ForAll((E,), And((Implies(noun, verb), Implies(verb, noun))))
    assert fact.words == "arrival is the noun for to arrive"


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ("animal/noun", "dog/noun"),  # the way down
        ("dog/noun", "chap/noun"),  # a rare sense
        ("dog/noun", "cat/noun"),  # nothing says that no dog is a cat
        ("dog/noun", "animal/adjective"),  # two parts of speech
        ("rapid/adjective", "hasty/adjective"),  # similar only
        ("buy/verb", "sell/verb"),  # opposite verbs
        ("open/verb", "close/verb"),
        ("parent/noun", "child/noun"),  # opposites that one person may be
        ("teach/verb", "learn/verb"),  # who teaches history does not make history learn
        ("building/noun", "build/verb"),  # a thing most of the time
        ("teacher/noun", "teach/verb"),
        ("Smith/name", "economist/noun"),  # of many, WordNet knows one
        ("France/name", "Paris/name"),
        ("city/noun", "Paris/name"),
        ("xyzzy/noun", "animal/noun"),
        ("", "animal/noun"),
    ],
)
def test_words_that_are_not_linked_have_no_fact(facts, text, hypothesis):
    assert facts(text, hypothesis) == []


def test_full_name_of_a_person_leads_to_what_they_were(facts):
    assert said(facts("Adam Smith/name", "economist/noun")) == ["Adam Smith is an economist"]


def test_opposites_that_one_side_has_both_of_exclude_nothing(facts):
    assert facts("black/adjective,white/adjective", "white/adjective") == []
    assert facts("old/adjective", "young/adjective,old/adjective") == []


def test_kinds_are_apart_only_where_asked_for(facts):
    assert facts("dog/noun", "house/noun") == []
    (fact,) = facts("dog/noun", "house/noun", disjoint=True)
    assert fact.kind is FactKind.DISJOINT
    assert fact.formula == none_is_both("dog:noun", "house:noun")
    assert fact.words == "nothing is both a dog and a house"


def test_one_kind_is_not_apart_from_itself(facts):
    assert facts("dog/noun", "cat/noun", disjoint=True) == []


def test_backward_leads_from_the_hypothesis_to_the_text(facts):
    assert said(facts("animal/noun", "dog/noun", backward=True)) == ["a dog is an animal"]
    assert said(facts("city/noun", "Paris/name", backward=True)) == ["Paris is a city"]


def test_share_of_nothing_takes_every_sense(facts):
    assert said(facts("dog/noun", "chap/noun", senses=None, share=0)) == ["a dog is a chap"]


def test_words_that_are_there_twice_make_a_fact_once(facts):
    assert len(facts("dog/noun,dog/noun", "animal/noun,animal/noun")) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"senses": 0}, "the first 0 senses make no sense"),
        ({"share": 1.5}, "a share of 1.5 makes no sense"),
        ({"share": -0.1}, "a share of -0.1 makes no sense"),
    ],
)
def test_settings_that_make_no_sense_are_an_error(settings, message):
    with pytest.raises(SettingError, match=message):
        KnowledgeSettings(**settings)


def test_facts_of_nothing_are_none():
    assert word_facts([], [], lexicon=load_lexicon(), settings=KnowledgeSettings()) == []
