"""The recognizer on the network: verdicts of probabilities by hand, and what explanations hold."""

import json
from math import exp, log
from types import SimpleNamespace

import numpy as np
import pytest

import ensue
from ensue.errors import SettingError, UnknownNameError
from ensue.neural import shipped_network
from ensue.pairs import Label, Pair, Status, View
from ensue.recognizers.neural import NetworkSession, decided, word_weights

PAIR = Pair("1", "A man is playing a guitar.", "A man plays.")


class MadeSession(NetworkSession):
    """Log odds by hand: entailment counts the words of the text, less twice the hypothesis's."""

    def odds(self, pairs):
        rows = [(len(text.split()) - 2 * len(asked.split()), 0, 0) for text, asked in pairs]
        return np.array(rows, float)


@pytest.fixture(scope="module")
def recognizer():
    return ensue.load("neural")


# Probabilities to verdicts.


@pytest.mark.parametrize(
    ("temperature", "chances"),
    [(1.0, [9 / 11, 1 / 11, 1 / 11]), (2.0, [3 / 5, 1 / 5, 1 / 5])],  # √9 = 3
)
def test_temperature_divides_log_odds(temperature, chances):
    class Warm(NetworkSession):
        network = SimpleNamespace(temperature=temperature)

        def odds(self, pairs):
            return np.array([[log(9), 0, 0]] * len(pairs))

    assert Warm().chances([PAIR]) == pytest.approx(np.array([chances]))


@pytest.mark.parametrize(
    ("chances", "cutoff", "label", "confidence"),
    [
        ([0.6, 0.3, 0.1], 0.5, Label.ENTAILMENT, 0.6),
        ([0.5, 0.3, 0.2], 0.5, Label.UNKNOWN, 0.3),  # what is at the cutoff is not above it
        ([0.4, 0.35, 0.25], 0.5, Label.UNKNOWN, 0.35),
        ([0.4, 0.25, 0.35], 0.5, Label.CONTRADICTION, 0.35),
        ([0.4, 0.35, 0.25], 0.3, Label.ENTAILMENT, 0.4),
        ([0.2, 0.1, 0.7], 0.1, Label.ENTAILMENT, 0.2),
        ([0.9, 0.02, 0.08], 0.95, Label.CONTRADICTION, 0.08),
        ([0.4, 0.3, 0.3], 0.5, Label.UNKNOWN, 0.3),
        ([1.0, 0.0, 0.0], 1.0, Label.UNKNOWN, 0.0),
    ],
)
def test_verdict_is_decided_by_the_cutoff_and_then_by_the_likelier(
    chances, cutoff, label, confidence
):
    verdict = decided("7", np.array(chances), cutoff)
    assert (verdict.pair_id, verdict.label, verdict.status) == ("7", label, Status.DECIDED)
    assert (verdict.score, verdict.confidence) == (chances[0], confidence)


# Judging.


def test_sentence_entails_itself(recognizer):
    text = "A man is playing a guitar."
    assert recognizer.judge([Pair("1", text, text)])[0].label is Label.ENTAILMENT


def test_sentence_does_not_entail_its_negation(recognizer):
    pair = Pair("1", "A dog is sleeping.", "No dog is sleeping.")
    assert recognizer.judge([pair])[0].label is not Label.ENTAILMENT


@pytest.mark.parametrize(
    ("text", "hypothesis", "reason"),
    [
        ("", "A dog.", "the text has no words"),
        ("A dog.", "", "the hypothesis has no words"),
        ("A dog.", " \t\n", "the hypothesis has no words"),
        ("... !", "A dog.", "the text has no words"),
        ("", "", "the text has no words"),
    ],
)
def test_side_without_words_is_not_judged_and_told(recognizer, text, hypothesis, reason):
    (verdict,) = recognizer.judge([Pair("1", text, hypothesis)])
    assert (verdict.label, verdict.status, verdict.reason) == (None, Status.ABSTAINED, reason)
    assert (verdict.score, verdict.confidence) == (None, None)


def test_side_without_words_leaves_the_others_as_they_are(recognizer):
    (alone,) = recognizer.judge([PAIR])
    among = recognizer.judge([Pair("0", "", "A dog."), PAIR, Pair("2", "A dog.", "?")])
    assert among[1] == alone


@pytest.mark.parametrize(
    "text", ["日本語 東京", "a 👩‍👩‍👧‍👦 dog", "a\x00b", "half \ud83d a character"]
)
def test_odd_characters_are_judged(recognizer, text):
    (verdict,) = recognizer.judge([Pair("1", text, text)])
    assert verdict.status is Status.DECIDED


def test_cutoff_moves_the_verdict_and_not_the_score():
    below, above = (ensue.load("neural", {"cutoff": cutoff}) for cutoff in (0, 1))
    (yes,), (no,) = below.judge([PAIR]), above.judge([PAIR])
    assert yes.score == no.score
    assert (yes.label is Label.ENTAILMENT, no.label is Label.ENTAILMENT) == (True, False)


# Settings and signature.


@pytest.mark.parametrize("cutoff", [-0.1, 1.1, float("nan"), "inf"])
def test_cutoff_that_is_no_probability_is_an_error(cutoff):
    with pytest.raises(SettingError) as caught:
        ensue.load("neural", {"cutoff": cutoff})
    assert caught.value.code == "setting-cutoff-cannot"
    assert caught.value.hint == "it takes a number from 0 to 1"


@pytest.mark.parametrize("cutoff", ["half", None, [0.5]])
def test_cutoff_that_is_no_number_is_an_error(cutoff):
    with pytest.raises(SettingError) as caught:
        ensue.load("neural", {"cutoff": cutoff})
    assert caught.value.code == "setting-cannot"


def test_setting_that_is_not_there_is_an_error():
    with pytest.raises(UnknownNameError, match="did you mean 'cutoff'"):
        ensue.load("neural", {"cutof": 0.5})


def test_signature_names_the_weights_and_the_cutoff():
    signature = ensue.load("neural", {"cutoff": 0.4}).signature
    assert signature.settings == {"network": shipped_network().identity}
    assert (signature.recognizer, signature.view) == ("neural", View.THREE_WAY)
    assert (signature.cutoff, signature.score_range) == (0.4, (0.0, 1.0))


# Explanations.


def test_explanation_has_three_probabilities_and_the_decision(recognizer):
    explanation = recognizer.explain(PAIR)
    *chances, decision = explanation.evidence.steps
    assert [step.what for step in chances] == [
        "probability of entailment",
        "probability of unknown",
        "probability of contradiction",
    ]
    assert sum(step.value for step in chances) == pytest.approx(1)
    assert chances[0].value == explanation.verdict.score
    assert decision.what == "decision"
    assert decision.how.endswith(f": {explanation.verdict.label.value}")


@pytest.mark.parametrize(("cutoff", "sign"), [(0, " > 0.0000: entailment"), (1, " ≤ 1.0000, and")])
def test_decision_is_told_with_its_numbers(cutoff, sign):
    explanation = ensue.load("neural", {"cutoff": cutoff}).explain(PAIR)
    assert explanation.evidence.steps[-1].how.startswith(f"{explanation.verdict.score:.4f}{sign}")


def test_explanation_has_a_weight_for_each_word(recognizer):
    names = [weight.name for weight in recognizer.explain(PAIR).evidence.weights]
    assert names == [
        *(f"text: {word}" for word in PAIR.text.split()),
        *(f"hypothesis: {word}" for word in PAIR.hypothesis.split()),
    ]


def test_weight_of_a_word_is_the_log_odds_that_it_brings():
    weights = word_weights(Pair("1", "one two three", "four"), MadeSession())
    # all have the same log odds of the others, log 2, which cancel; 3 - 2, without a word of the
    # text 2 - 2, without the hypothesis 3 - 0
    assert [weight.name for weight in weights] == [
        "text: one",
        "text: two",
        "text: three",
        "hypothesis: four",
    ]
    assert [weight.contribution for weight in weights] == [1, 1, 1, -2]
    assert [weight.value * weight.weight for weight in weights] == [1, 1, 1, -2]


def test_weight_is_of_entailment_against_both_others_together():
    class Fixed(MadeSession):
        def odds(self, pairs):
            return np.log([[0.5, 0.3, 0.2], *[[0.2, 0.5, 0.3]] * (len(pairs) - 1)])

    weights = word_weights(Pair("1", "one", "two"), Fixed())
    # 0.5 to 0.5 with it, 0.2 to 0.8 without it
    assert [exp(weight.contribution) for weight in weights] == pytest.approx([4, 4], abs=1e-3)


def test_weights_of_a_long_side_are_those_of_its_first_words():
    weights = word_weights(Pair("1", "word " * 500, "word"), MadeSession())
    assert [weight.name for weight in weights] == ["text: word"] * 120 + ["hypothesis: word"]


def test_explanation_of_a_pair_that_is_not_judged_has_no_evidence(recognizer):
    explanation = recognizer.explain(Pair("1", "", "A dog."))
    assert explanation.verdict.status is Status.ABSTAINED
    assert (explanation.evidence.steps, explanation.evidence.weights) == ((), ())


def test_explanation_is_written_as_json(recognizer):
    explanation = recognizer.explain(PAIR)
    record = json.loads(json.dumps(explanation.to_json()))
    assert [step["value"] for step in record["steps"]] == [
        step.value for step in explanation.evidence.steps
    ]
    assert record["signature"]["settings"] == {"network": shipped_network().identity}
    assert len(record["weights"]) == len(explanation.evidence.weights)
