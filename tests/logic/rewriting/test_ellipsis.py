import pytest

from ensue.language.analyzer import load_analyzer
from ensue.language.graphs import parse_of
from ensue.language.lexicon import load_lexicon
from ensue.logic.rewriting import clauses as relatives, ellipsis, phrases, roles as voice
from ensue.logic.rewriting.draft import draft_of

RULES = (*phrases.PHRASE_RULES, voice.PASSIVE_RULE, *relatives.RELATIVE_RULES, *ellipsis.RULES)
OUTSIDE = ("punct", "det", "folded", "cc")


def rewritten(text):
    draft = draft_of(parse_of(load_analyzer().analyze([text])[0]), load_lexicon())
    for rule in RULES:
        rule.apply(draft)
    return draft


def links(text):
    """What each word leads to after the rules, as `sing nsubj anna`; one that stands for it alike."""
    draft = rewritten(text)
    return [
        f"{draft.words[governor]} {relation} {draft.words[token]}"
        for governor, found in enumerate(draft.links)
        for relation, token in found
        if relation not in OUTSIDE
    ]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Anna waved to Paul. Peter did too.", "wave to paul"),
        ("Anna waved to Paul, and Peter did too.", "wave to paul"),
        ("Anna has waved to Paul. The children have too.", "wave to paul"),
        ("Anna waved to Paul because Peter did.", "wave to paul"),
        ("If Anna waved to Paul, then Peter did too.", "wave to paul"),
        ("Anna waved to Paul, but Peter did not.", "wave to paul"),
        ("Anna waved to Paul. Peter did the same.", "wave to paul"),
    ],
)
def test_verb_phrase_is_said_again(text, link):
    assert links(text).count(link) == 2


def test_inverted_verb_phrase_takes_its_subject():
    assert "sing nsubj peter" in links("Anna sang. So did Peter.")


def test_own_adjunct_replaces_that_of_the_antecedent():
    found = links("Anna waved to Paul at noon. And Peter did at midnight.")

    assert [found.count(f"wave at {when}") for when in ("noon", "midnight")] == [1, 1]


def test_indefinite_object_is_another_one():
    assert rewritten("Anna wrote a letter. Peter did too.").words.count("letter") == 2


def test_definite_object_is_the_same_one():
    assert rewritten("Anna wrote the letter. Peter did too.").words.count("letter") == 1


def test_possessive_of_the_subject_becomes_that_of_the_new_one():
    assert "bag poss peter" in links("Paul opened his bag, and Peter did too.")


def test_reflexive_stands_for_the_new_subject():
    assert "hurt dobj peter" in links("Paul hurt himself. Peter did too.")


def test_passive_is_said_again_in_its_voice():
    assert "fire nsubjpass waiter" in links("The cook was fired. The waiter was too.")


def test_adjective_is_said_again():
    assert "tall nsubj peter" in links("Anna is tall. Peter is too.")


def test_infinitive_is_what_the_same_subject_did():
    assert "buy nsubj he" in links("Paul wanted to buy a boat, and he did.")


def test_verb_inside_a_relative_clause_has_the_role_of_its_noun():
    assert links("Anna waved to everyone that Peter did.").count("wave to everyone") == 2


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Anna ran faster than Peter did.", "run nsubj peter"),
        ("Anna waved to Paul. Peter did well.", "wave nsubj peter"),
        ("Anna waved to Paul. Peter did the dishes.", "wave nsubj peter"),
        ("Anna plays chess. Peter has.", "play nsubj peter"),
        ("Anna is tall. Peter did too.", "tall nsubj peter"),
        ("A dog is running and a cat is on the sofa.", "run nsubj cat"),
    ],
)
def test_verb_that_lacks_nothing_is_left_alone(text, link):
    assert link not in links(text)


def test_verb_is_left_alone_where_two_verbs_may_be_meant():
    found = links("Anna needed to buy a boat, and Peter did.")

    assert not {"buy nsubj peter", "need nsubj peter"} & set(found)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Anna read every book, but Peter did not.", "read nsubj peter"),
        ("Anna saw a boy who sang. Peter did too.", "see nsubj peter"),
        ("Anna bought two boats. Peter did too.", "buy nsubj peter"),
    ],
)
def test_verb_is_left_alone_where_its_object_cannot_be_said_twice(text, link):
    assert link not in links(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Anna went to Rome by car, and Peter by train.", {"go nsubj peter", "go by train"}),
        ("Anna drove to Rome on Monday, and Peter on Friday.", {"drive nsubj peter"}),
        ("Anna went to Rome by car. Peter by train.", {"go nsubj peter", "go by train"}),
    ],
)
def test_gap_is_filled_with_the_verb_before(text, wanted):
    assert wanted <= set(links(text))


def test_gap_keeps_what_it_does_not_replace():
    assert links("Anna went to Rome by car, and Peter by train.").count("go to rome") == 2


@pytest.mark.parametrize(
    "text",
    [
        "Anna did not go by car, and Peter by train.",
        "Anna will go by car, and Peter by train.",
        "Anna bought a book and a pen in Rome.",
        "A man rides a horse in a field. A woman in a hat.",
        "Anna works in Rome and Paris in summer.",
    ],
)
def test_gap_is_not_seen_where_the_verb_is_denied_or_nothing_is_missing(text):
    nouns = ("peter", "pen", "woman", "paris")

    assert not any(link.endswith(f" nsubj {noun}") for link in links(text) for noun in nouns)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Anna waved to Paul. And to Mary.", "wave to mary"),
        ("Anna slept. On Friday.", "sleep on friday"),
        ("Anna slept on Monday. And on Sunday.", "sleep on sunday"),
        ("Three men sang. And two girls.", "sing nsubj girl"),
    ],
)
def test_fragment_belongs_to_the_clause_before(text, link):
    assert link in links(text)


def test_fragment_of_a_new_event_has_its_subject():
    assert links("Anna waved to Paul. And to Mary.").count("wave nsubj anna") == 2


def test_fragment_that_says_when_makes_no_new_event():
    assert links("Anna slept. On Friday.").count("sleep nsubj anna") == 1


@pytest.mark.parametrize(
    "text", ["Anna did not sleep. On Friday.", "Anna saw Paul. And Mary.", "Friday. Anna slept."]
)
def test_fragment_is_left_alone_where_it_may_belong_elsewhere(text):
    assert not {"sleep on friday", "see nsubj mary", "sleep nsubj friday"} & set(links(text))


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Anna owns a boat. Peter owns one too.", "own dobj boat"),
        ("Anna owns a red boat. Peter owns a small one.", "own dobj boat"),
        ("Anna drew a house on the wall. Peter drew a small one.", "draw dobj house"),
    ],
)
def test_one_stands_for_the_noun_before(text, link):
    assert links(text).count(link) == 2


def test_one_takes_no_adjective_of_the_noun_before():
    assert links("Anna owns a red boat. Peter owns a small one.").count("boat amod red") == 1


@pytest.mark.parametrize(
    "text",
    [
        "Anna drew a house. One of the men left.",
        "Anna drew a dog and a cat. Peter drew a small one.",
        "Anna slept. Peter drew one.",
    ],
)
def test_one_is_left_alone_where_several_nouns_or_none_may_be_meant(text):
    assert any(" one" in link or link.startswith("one ") for link in links(text))
