"""Logic first, features for the rest."""

import pytest

import ensue
from ensue.errors import SettingError
from ensue.pairs import Label, Pair, Status

PROVED = Pair("proved", "John sent a book to Mary.", "A book was sent by John.")
REFUTED = Pair("refuted", "No dog barks.", "A dog barks.")
OPEN = Pair("open", "John sent a book to Mary.", "Mary read a book.")
CONTRADICTORY = Pair("contradictory", "Mary left. Mary did not leave.", "Mary left.")


@pytest.fixture(scope="module")
def cascade():
    return ensue.load("cascade")


def test_proof_is_a_yes_above_all_features(cascade):
    verdict = cascade.judge([PROVED])[0]
    assert (verdict.label, verdict.score, verdict.confidence) == (Label.ENTAILMENT, 2.0, 1.0)
    assert verdict.reason.startswith("logic: proved in ")


def test_refutation_is_a_no_below_all_features(cascade):
    verdict = cascade.judge([REFUTED])[0]
    assert (verdict.label, verdict.score, verdict.confidence) == (Label.NOT_ENTAILMENT, -1.0, 1.0)
    assert verdict.reason.startswith("logic: refuted in ")


def test_features_decide_where_logic_finds_no_proof(cascade):
    verdict = cascade.judge([OPEN])[0]
    alone = ensue.load("features").judge([OPEN])[0]
    assert (verdict.label, verdict.score) == (alone.label, alone.score)
    assert verdict.reason == f"features: {alone.score:.4f}; logic found no proof"
    # 0.5 - s as a share of 0.5 - (-1) instead of 0.5 - 0
    assert verdict.confidence == pytest.approx(alone.confidence / 3)


def test_features_decide_where_logic_fails(cascade):
    verdict = cascade.judge([CONTRADICTORY])[0]
    assert verdict.status is Status.DECIDED
    assert "; logic failed: the text contradicts itself" in verdict.reason


def test_features_decide_where_the_budget_is_spent():
    hasty = ensue.load("cascade", {"steps": 1})
    reason = hasty.judge([REFUTED])[0].reason
    assert reason.startswith("features: ")
    assert "; logic ran out of its budget" in reason


def test_pair_that_neither_can_read_is_abstained_from(cascade):
    verdict = cascade.judge([Pair("1", "???", "A dog barks.")])[0]
    assert verdict.status is Status.ABSTAINED
    assert verdict.reason == "features: the text has no words; logic failed: the text has no words"


def test_order_of_stages_does_not_change_the_order_of_verdicts(cascade):
    pairs = [OPEN, PROVED, CONTRADICTORY, REFUTED]
    assert [each.pair_id for each in cascade.judge(pairs)] == [each.id for each in pairs]


def test_explanation_is_that_of_the_stage_that_decided(cascade):
    proof, features = cascade.explain(PROVED), cascade.explain(OPEN)
    assert proof.evidence.section("proof") is not None
    assert features.evidence.weights
    for explanation in (proof, features):
        assert explanation.evidence.steps[0].how == explanation.verdict.reason
        assert explanation.evidence.steps[-1].value == explanation.verdict.confidence


def test_settings_go_to_their_stage():
    built = ensue.load("cascade", {"knowledge": "no", "cutoff": "0.25"})
    assert (built.logic.chosen.knowledge, built.features.cutoff) == (False, 0.25)
    assert built.signature.cutoff == 0.25


def test_cutoff_must_lie_among_what_features_say():
    with pytest.raises(SettingError, match="setting 'cutoff' cannot be '-inf'"):
        ensue.load("cascade", {"cutoff": "-inf"})
