import pytest

from ensue.language.analyzer import load_analyzer
from ensue.language.graphs import parse_of
from ensue.language.lexicon import load_lexicon
from ensue.logic.rewriting import clauses, phrases, pronouns, roles
from ensue.logic.rewriting.draft import draft_of
from ensue.logic.rewriting.pronouns import Features

RULES = (
    *phrases.PHRASE_RULES,
    roles.PASSIVE_RULE,
    *clauses.RELATIVE_RULES,
    *clauses.COORDINATION_RULES,
    *clauses.COMPLEMENT_RULES,
    *pronouns.RULES,
)


def links(text):
    """What each word leads to after the rules, as `smile nsubj anna`."""
    draft = draft_of(parse_of(load_analyzer().analyze([text])[0]), load_lexicon())
    for rule in RULES:
        rule.apply(draft)
    return {
        f"{draft.words[governor]} {relation} {draft.words[token]}"
        for governor, found in enumerate(draft.links)
        for relation, token in found
    }


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Paul came late. He smiled.", "smile nsubj paul"),
        ("Paul met Anna. She smiled.", "smile nsubj anna"),
        ("Anna bought a boat. It sank.", "sink nsubj boat"),
        ("Two boys broke a window. They laughed.", "laugh nsubj boy"),
        ("Anna came late. The teacher punished her.", "punish dobj anna"),
        ("When Paul arrived, he laughed.", "laugh nsubj paul"),
        ("Anna laughed. She sang. She danced.", "dance nsubj anna"),
    ],
)
def test_pronoun_stands_for_what_agrees(text, link):
    assert link in links(text)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Anna lost her key.", "key poss anna"),
        ("The dog chased its tail.", "tail poss dog"),
        ("The boys washed their bikes.", "bike poss boy"),
        ("Paul and his wife came.", "wife poss paul"),
    ],
)
def test_possessive_is_of_the_subject(text, link):
    assert link in links(text)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("The king saw himself in the mirror.", "see dobj king"),
        ("Anna washed herself.", "wash dobj anna"),
        ("The machine repaired itself.", "repair dobj machine"),
    ],
)
def test_reflexive_stands_for_the_subject_of_its_verb(text, link):
    assert link in links(text)


def test_reflexive_that_does_not_agree_is_left_alone():
    assert "wash dobj himself" in links("Anna washed himself.")


def test_plural_pronoun_stands_for_what_is_joined():
    assert "laugh nsubj paul" in links("Paul and Anna came. They laughed.")


def test_singular_pronoun_stands_for_none_of_what_is_joined():
    assert "laugh nsubj he" in links("Paul and Anna came. He laughed.")


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Paul saw him.", "see dobj he"),
        ("Paul wanted to see him.", "see dobj he"),
        ("Anna is her mother.", "mother poss her"),
    ],
)
def test_pronoun_stands_for_no_other_argument_of_its_verb(text, link):
    assert link in links(text)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Paul told Peter that he won.", "win nsubj he"),
        ("Paul saw Peter. Anna greeted him.", "greet dobj he"),
        ("The nurse saw the clerk. She thanked him.", "thank nsubj she"),
        ("The man likes Paul and his dog.", "dog poss his"),
    ],
)
def test_pronoun_is_left_alone_between_two_that_are_as_good(text, link):
    assert link in links(text)


def test_subject_comes_before_object_for_a_subject():
    assert "smile nsubj paul" in links("Paul saw Peter. He smiled.")


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Every girl lost her key.", "key poss girl"),
        ("No girl lost her key.", "key poss girl"),
        ("Every man who owns a boat loves it.", "love dobj boat"),
        ("If a man owns a boat, he loves it.", "love dobj boat"),
    ],
)
def test_pronoun_is_bound_within_the_scope_of_a_quantifier(text, link):
    assert link in links(text)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Every girl came. She laughed.", "laugh nsubj she"),
        ("Paul did not build a boat. It sank.", "sink nsubj it"),
        ("Paul may build a boat. It sank.", "sink nsubj it"),
        ("Every man owns a boat. It sank.", "sink nsubj it"),
    ],
)
def test_pronoun_does_not_reach_into_the_scope_of_an_operator(text, link):
    assert link in links(text)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Anna bought a boat. It rained.", "rain nsubj it"),
        ("Anna bought a boat. It was cold.", "cold nsubj it"),
        ("Anna bought a boat. It is clear that she won.", "clear nsubj it"),
    ],
)
def test_impersonal_it_stands_for_nothing(text, link):
    assert link in links(text)


def test_order_of_two_objects_is_kept():
    draft = draft_of(
        parse_of(load_analyzer().analyze(["Anna came. Paul gave her a book."])[0]), load_lexicon()
    )
    for rule in RULES:
        rule.apply(draft)
    (gave,) = (token for token, word in enumerate(draft.words) if word == "give")
    things = [draft.words[each] for _, each in draft.links[gave]]

    assert things.index("anna") < things.index("book")


def test_features_agree_with_a_group_in_the_plural_and_the_singular():
    company = Features(plural=False, person=False, group=True)
    they = Features(plural=True, person=None)
    it = Features(plural=False, person=False)

    assert company.agrees(they)
    assert company.agrees(it)


def test_features_of_unknown_gender_agree_with_both():
    clerk = Features(plural=False, person=True)

    assert clerk.agrees(Features(plural=False, person=True, male=True))
    assert clerk.agrees(Features(plural=False, person=True, male=False))


def test_features_are_narrowed_by_a_pronoun():
    clerk = Features(plural=False, person=True)
    she = Features(plural=False, person=True, male=False)

    assert clerk.narrowed(she).male is False
