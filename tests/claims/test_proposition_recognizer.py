"""Propositions as a recognizer: what a text states, and how statements are compared."""

import pytest

import ensue
from ensue.claims.recognizer import statements
from ensue.errors import SettingError, UnknownNameError
from ensue.pairs import Pair, Status

ALONE = {"together": "no"}


def score(text, hypothesis, **settings):
    recognizer = ensue.load("propositions", {**ALONE, **settings})
    return recognizer.judge([Pair("1", text, hypothesis)])[0].score


def test_example_of_the_paper_no_longer_scores_one():
    text, hypothesis = "It is not the case that John likes ice cream.", "John likes ice cream."
    assert ensue.judge(text, hypothesis, "modified-bleu").score > 0.9
    assert score(text, hypothesis) == 0
    assert score(hypothesis, hypothesis) == 1
    assert score(text, text) == 1


def test_statement_within_the_text_is_compared_alone():
    # "The owner is Ada Lind" has all five words, the end of the sentence among them, and the
    # bigram "Ada Lind"; by hand (6/6 + 1/5 + 0 + 0) / 4, less where "is the owner" differs
    alone = ensue.judge("The owner is Ada Lind.", "Ada Lind is the owner.", "modified-bleu").score
    text = "Ben sold the mill because the owner, Ada Lind, had left."
    assert score(text, "Ada Lind is the owner.") == alone


def test_each_statement_of_the_hypothesis_has_to_follow():
    text = "Ada came home."
    hypothesis = "Ada came home and Ben sold the mill."
    assert score(text, hypothesis) < 0.3
    assert score(text, hypothesis, combination="mean") > 0.4


def test_statements_that_nobody_makes_do_not_count():
    assert score("Mary denied that Paul left the house.", "Paul left the house.") < 0.3
    assert score("Perhaps Mary hoped that Paul left the house.", "Paul left the house.") < 0.3
    assert score("Mary knew that Paul left the house.", "Paul left the house.") == 1


def test_reported_statements_count_unless_asked_otherwise():
    text, hypothesis = "Mary said that Paul left the house.", "Paul left the house."
    assert score(text, hypothesis) == 1
    assert score(text, hypothesis, reported="no") < 0.3
    assert score(text, text, reported="no") == 1  # which says that she said it


def test_statements_together_answer_what_none_does_alone():
    text, hypothesis = "Ada owns the mill. Ben lives in Rome.", "Ada owns the mill in Rome."
    assert score(text, hypothesis, together="yes") > score(text, hypothesis)


def test_negated_statements_answer_negated_ones():
    assert score("John does not like ice cream.", "John does not like ice cream.") == 1
    assert score("John does not like ice cream.", "John likes ice cream.") == 0
    assert score("John likes ice cream.", "John does not like ice cream.") == 0


def test_statements_keep_what_is_left_of_them():
    found = statements("Police denied that Ada left.", reported=True)
    assert [(each.statement, each.rest) for each in found] == [
        ("Police denied that Ada left.", "Police denied that .")
    ]
    assert found[0].embedders == {"denied"}


def test_logic_compares_statements():
    text = "A tall man who bought a poodle left."
    assert score(text, "A man bought a dog.", by="logic") == 1
    assert score(text, "A man bought a cat.", by="logic") == 0


@pytest.mark.parametrize("hypothesis", ["", "…"])
def test_hypothesis_without_a_statement_is_abstained_from(hypothesis):
    verdict = ensue.load("propositions").judge([Pair("1", "A dog barks.", hypothesis)])[0]
    assert verdict.status is Status.ABSTAINED
    assert verdict.reason == "the hypothesis makes no statement"


def test_text_without_a_verb_or_a_word():
    assert score("", "A dog barks.") == 0
    # without a clause both are taken as they are: two words have no 3-grams
    assert score("Fire!", "Fire!") == 2 / 4


def test_explanation_has_a_row_for_each_statement():
    pair = Pair("1", "Ada came home.", "Ada came home and Ben sold the mill.")
    evidence = ensue.load("propositions", ALONE).explain(pair).evidence
    rows = evidence.section("statements").rows
    assert [row[0] for row in rows] == ["Ada came home.", "Ben sold the mill."]
    assert rows[0][1:] == ("Ada came home.", "1.0000")


def test_recognizer_does_not_compare_by_itself():
    with pytest.raises(SettingError) as error:
        ensue.load("propositions", {"by": "propositions"})
    assert error.value.code == "setting-cannot"
    with pytest.raises(UnknownNameError):
        ensue.load("propositions", {"by": "nothing"}).judge([Pair("1", "A dog.", "A dog.")])
