"""The recognizer that proves: its five outcomes, its numbers and its explanations."""

import sys

import pytest
from tests.errors import coded

import ensue
from ensue.errors import EnsueError, SettingError, UnknownNameError
from ensue.installation import pip_install
from ensue.pairs import Label, Pair, Status
from ensue.recognizers.logic import LogicRecognizer, texts_of

SENT = "John sent a book to Mary."


def test_what_is_proved_is_entailed(logic):
    verdict = logic.judge([Pair("1", SENT, "A book was sent to Mary by John.")])[0]
    assert (verdict.label, verdict.score, verdict.confidence) == (Label.ENTAILMENT, 1.0, 1.0)


def test_what_is_refuted_is_contradicted(logic):
    verdict = logic.judge([Pair("1", "No dog barks.", "A dog barks.")])[0]
    assert (verdict.label, verdict.score, verdict.confidence) == (Label.CONTRADICTION, -1.0, 1.0)


def test_what_is_neither_is_unknown(logic):
    verdict = logic.judge([Pair("1", SENT, "Mary sent a book to John.")])[0]
    assert (verdict.label, verdict.score) == (Label.UNKNOWN, 0.0)
    assert 0 < verdict.confidence < 1


def test_unknown_is_the_surer_the_more_is_missing(logic):
    near, far = logic.judge(
        [Pair("1", SENT, "John sent a red book to Mary."), Pair("2", SENT, "A dog barks.")]
    )
    assert near.confidence == 1 / 6  # that it is red, beside a book, a sending and its three roles
    assert far.confidence == 2 / 3  # something has an agent, but neither barks nor is a dog


def test_word_fact_makes_a_proof_less_sure(logic):
    verdict = logic.judge([Pair("1", "A poodle barks.", "A dog barks.")])[0]
    assert (verdict.label, verdict.confidence) == (Label.ENTAILMENT, 0.9)


def test_without_knowledge_words_are_only_words():
    syntax = ensue.load("logic", {"knowledge": "no"})
    pair = Pair("1", "A poodle barks.", "A dog barks.")
    assert syntax.judge([pair])[0].label is Label.UNKNOWN


def test_budget_that_is_spent_is_an_outcome_of_its_own():
    hasty = ensue.load("logic", {"steps": 1})
    verdict = hasty.judge([Pair("1", "No dog barks.", "A dog barks.")])[0]
    assert (verdict.label, verdict.status) == (None, Status.BUDGET_EXHAUSTED)
    assert verdict.reason == (
        "neither proof nor countermodel within the budget: its 1 steps were over while proving "
        "(a larger 'steps' gives it more)"
    )


def test_contradictory_text_is_said_to_be_one(logic):
    verdict = logic.judge([Pair("1", "Mary left. Mary did not leave.", "A dog barks.")])[0]
    assert verdict.status is Status.FAILED
    assert "the text contradicts itself" in verdict.reason


@pytest.mark.parametrize(
    ("text", "hypothesis", "reason"),
    [
        ("", "A dog barks.", "the text has no words"),
        ("???", "A dog barks.", "the text has no words"),
        ("A dog barks.", " … ", "the hypothesis has no words"),
    ],
)
def test_side_without_words_fails(logic, text, hypothesis, reason):
    verdict = logic.judge([Pair("1", text, hypothesis)])[0]
    assert (verdict.status, verdict.reason) == (Status.FAILED, reason)


def test_premises_are_read_each_by_itself(logic):
    premises = ["Every dog barks.", "Rex is a dog."]
    pair = Pair("1", " ".join(premises), "Rex barks.", meta={"premises": premises})
    assert texts_of(pair) == (pair.text, *premises)
    assert logic.judge([pair])[0].label is Label.ENTAILMENT


def test_premises_that_the_text_is_not_made_of_are_left_alone(logic):
    pair = Pair("1", "Every dog barks. Rex is a dog.", "Rex barks.", meta={"premises": ["A", "B"]})
    assert texts_of(pair) == (pair.text,)
    assert logic.judge([pair])[0].label is Label.ENTAILMENT


def test_meaning_is_made_once_for_each_side():
    own = ensue.load("logic")
    pairs = [Pair(str(i), SENT, SENT) for i in range(5)]
    own.judge(pairs)
    own.judge(pairs)
    assert own.mind.reader.n_made == 2


def test_prover_that_dies_fails_the_pair():
    dying = ensue.load("logic", {"prover": "tptp:false"})
    verdict = dying.judge([Pair("1", "A dog barks.", "A cat barks.")])[0]
    assert verdict.status is Status.FAILED
    assert verdict.reason == "the prover `false {file}` gave no SZS status (exit code 1)"


def test_prover_that_cannot_be_started_is_an_error():
    missing = ensue.load("logic", {"prover": "tptp:no-such-prover"})
    with pytest.raises(SettingError, match="cannot start the prover 'no-such-prover'"):
        missing.judge([Pair("1", "A dog barks.", "A cat barks.")])


def test_missing_z3_is_said_when_the_recognizer_is_opened(monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(EnsueError, check=coded("prover-not-installed")) as error:
        ensue.load("logic")
    assert error.value.hint == f"run: {pip_install('z3-solver')}"


def test_unknown_prover_is_an_error():
    with pytest.raises(UnknownNameError, match="no prover is called 'z4'"):
        ensue.load("logic", {"prover": "z4"})


@pytest.mark.parametrize("setting", ["seconds", "steps"])
def test_budget_must_be_above_zero(setting):
    with pytest.raises(SettingError, match=f"setting '{setting}' cannot be 0"):
        ensue.load("logic", {setting: 0})


def test_signature_has_the_settings_and_the_prover(logic):
    assert isinstance(logic, LogicRecognizer)
    settings = logic.signature.settings
    assert {"knowledge", "prover", "seconds", "steps", "prover_version"} < settings.keys()
    assert logic.signature.view.value == "3-way"


def section(explanation, name):
    found = explanation.evidence.section(name)
    assert found is not None
    return list(found.rows)


def test_proof_goes_part_by_part(logic):
    explanation = logic.explain(Pair("1", "John bought a poodle.", "A dog was bought."))
    assert section(explanation, "proof") == [
        ("there is a dog", "there is a poodle", "a poodle is a dog"),
        ("there is a buying", "there is a buying", ""),
        ("a dog is the patient of the buying", "a poodle is the patient of the buying", ""),
    ]


def test_links_join_words_with_those_they_were_proved_from(logic):
    pair = Pair("1", "John bought a poodle.", "A dog was bought by John.")
    evidence = logic.explain(pair).evidence
    words = {
        (
            pair.hypothesis[asked.start : asked.end],
            pair.text[answer.start : answer.end],
            link.kind,
        )
        for link in evidence.links
        for asked, answer in [(evidence.spans[link.hypothesis], evidence.spans[link.text])]
    }
    assert words == {
        ("dog", "poodle", "hypernym"),
        ("bought", "bought", "same"),
        ("John", "John", "same"),
    }


def test_missing_part_and_countermodel_are_said(logic):
    text = "The judge by the actor stopped the banker."
    explanation = logic.explain(Pair("1", text, "The actor stopped the banker."))
    assert section(explanation, "missing") == [("the actor is the agent of the stopping",)]
    assert section(explanation, "countermodel") == [
        ("the judge: by the actor",),
        ("stop: agent the judge, patient the banker",),
        ("but not: the actor is the agent of the stopping",),
    ]


def test_word_that_another_stands_for_is_said_to_be_missing(logic):
    explanation = logic.explain(Pair("1", "John bought a poodle.", "John bought a cat."))
    assert section(explanation, "missing") == [("the poodle is a cat",)]


def test_refutation_names_what_stands_against(logic):
    explanation = logic.explain(Pair("1", "Mary slept. No dog barks.", "A dog barks."))
    assert section(explanation, "against") == [("text", "it is not so that bark: agent a dog")]


def test_contradiction_names_what_contradicts_itself(logic):
    text = "A dog barks. Mary left. Mary did not leave."
    explanation = logic.explain(Pair("1", text, "A cat sleeps."))
    assert section(explanation, "contradiction") == [
        ("text", "leave: agent Mary"),
        ("text", "it is not so that leave: agent Mary"),
    ]


def test_proof_that_is_no_plain_one_names_what_it_needs(logic):
    text = "John left or Mary left. Mary did not leave. A dog barks."
    explanation = logic.explain(Pair("1", text, "John left."))
    assert section(explanation, "proof") == [
        ("text", "either leave: agent John, or leave: agent Mary"),
        ("text", "it is not so that leave: agent Mary"),
    ]


def test_trace_and_formulas_are_folded_away(logic):
    evidence = logic.explain(Pair("1", SENT, "A book was sent.")).evidence
    folded = [each.name for each in evidence.sections if each.folded]
    assert folded[-3:] == ["rewriting", "formulas", "tptp"]


def test_refutation_as_a_problem_has_the_negation_for_its_goal(logic):
    explanation = logic.explain(Pair("1", "No dog barks.", "A dog barks."))
    last = section(explanation, "tptp")[-1][0]
    assert last.startswith("fof(goal, conjecture, ~ ")


def test_pair_that_cannot_be_read_has_no_evidence(logic):
    evidence = logic.explain(Pair("1", "", "A dog barks.")).evidence
    assert not evidence.sections
    assert not evidence.spans
