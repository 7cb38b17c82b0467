"""Relative pronouns give way to what they stand for, and gaps are filled."""

import pytest


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("The man who killed the lion fled.", "kill nsubj man"),
        ("The book which John wrote sold well.", "write dobj book"),
        ("The book that was written by John sold well.", "write dobj book"),
        ("Mary, whom John loves, left.", "love dobj mary"),
        ("The woman whose car was stolen called the police.", "car poss woman"),
        ("The house in which she lives is old.", "live prep_in house"),
        ("The man with whom she danced left.", "dance prep_with man"),
        ("The man to whom John gave the book smiled.", "give prep_to man"),
        ("The town where Mozart was born is small.", "bear prep_in town"),
        ("The day when he died was cold.", "die prep_in day"),
        ("The reason why he left is unknown.", "leave prep_for reason"),
        ("The man who I think won left.", "win nsubj man"),
        ("The men, all of whom died, were brave.", "die nsubj man"),
    ],
)
def test_relative_pronoun_stands_for_its_noun(read, text, edge):
    assert edge in read(text).edges


def test_relative_pronoun_is_no_node(read):
    assert read("The man who killed the lion fled.").lemmas == ("man", "kill", "lion", "flee")


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("The book John wrote sold well.", "write dobj book"),
        ("I saw the man you like.", "like dobj man"),
        ("The man he wants to see left.", "see dobj man"),
        ("The day he died was cold.", "die npadvmod day"),
        ("This is the house she lives in.", "live prep_in house"),
    ],
)
def test_gap_of_a_relative_clause_is_filled(read, text, edge):
    assert edge in read(text).edges


def test_two_relative_clauses_have_their_own_nouns(read):
    found = read(
        "Microsoft, which is based in Redmond, and Google, which was founded by Larry Page, compete."
    )
    assert {"base dobj microsoft", "found dobj google", "found nsubj larry page"} <= found.edges


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("The man reading a book is my father.", "read nsubj man"),
        ("The company based in Paris makes cars.", "base dobj company"),
        ("The man wearing a hat and carrying a bag left.", "carry nsubj man"),
        ("He is the first man to walk on the moon.", "walk nsubj man"),
    ],
)
def test_participle_of_a_noun_has_it_as_its_role(read, text, edge):
    assert edge in read(text).edges


def test_participle_with_an_agent_has_both_roles(read):
    found = read("The company, founded in 1990 by John Smith, sells cars.")
    assert {"found dobj company", "found nsubj john smith", "found prep_in 1990"} <= found.edges


def test_infinitive_of_a_noun_is_not_what_the_noun_does(read):
    assert read("The decision to leave was hard.").between("leave", "decision") == set()


def test_question_has_no_antecedent(read):
    assert read("Whom did Mary see?").edges == {"see nsubj mary"}
