"""The network, the features and logic together."""

import json
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import ensue
from ensue.errors import DataError, SettingError
from ensue.pairs import Label, Pair, Status, View
from ensue.recognizers import save
from ensue.recognizers.joint import JOINT, SHIPPED, shipped, stage_sums
from ensue.recognizers.joint_model import (
    JointModel,
    JudgingStage,
    LogicState,
    StageAnswers,
    fitted_model,
    is_all_read,
    logic_reading,
    model_from_arrays,
)
from ensue.recognizers.storage import load_shipped
from ensue.statistics import fit_multinomial, softmax

JUDGED = (
    ("A man is playing a guitar.", "A person is playing an instrument.", Label.ENTAILMENT),
    ("The dog chased the cat.", "The cat chased the dog.", Label.UNKNOWN),
    ("Every student passed.", "Some students passed.", Label.ENTAILMENT),
    ("The board did not approve the sale.", "The board approved the sale.", Label.CONTRADICTION),
    ("The actor that the senator saw slept.", "The senator slept.", Label.UNKNOWN),
    ("The actor that the senator saw slept.", "The senator saw the actor.", Label.ENTAILMENT),
)


@pytest.fixture(scope="module")
def joint():
    return ensue.load("joint", {"seconds": 600})


@pytest.mark.parametrize(("text", "hypothesis", "label"), JUDGED)
def test_joint_judges_three_ways(joint, text, hypothesis, label):
    assert joint.judge([Pair("1", text, hypothesis)])[0].label is label


def test_all_from_some_does_not_follow(joint):
    (verdict,) = joint.judge([Pair("1", "Some students passed.", "All students passed.")])
    assert verdict.label is not Label.ENTAILMENT


def test_verdict_tells_what_the_stages_said(joint):
    (verdict,) = joint.judge([Pair("1", "Tom sang and danced.", "Tom danced.")])
    assert verdict.reason.startswith("neural: ")
    assert "logic: proved" in verdict.reason


def test_side_without_words_is_no_decision(joint):
    (verdict,) = joint.judge([Pair("1", "…", "Tom danced.")])
    assert verdict.status is Status.ABSTAINED
    assert verdict.reason == "the text has no words"
    assert joint.explain(Pair("1", "…", "Tom danced.")).evidence.steps == ()


def test_confidence_is_the_probability_of_the_label(joint):
    pair = Pair("1", "The dog chased the cat.", "The cat chased the dog.")
    (verdict,) = joint.judge([pair])
    (chances,) = softmax(joint.model.log_odds(joint.answers([pair]).columns()))
    assert verdict.score == chances[0]
    assert verdict.confidence == max(chances[1:])
    assert sum(chances) == pytest.approx(1)


def test_contributions_add_up_to_the_log_odds(joint):
    pair = Pair("1", "The dog chased the cat.", "The cat chased the dog.")
    explanation = joint.explain(pair)
    (chances,) = softmax(joint.model.log_odds(joint.answers([pair]).columns()))
    other = 1 + int(chances[1:].argmax())
    added = sum(weight.contribution for weight in explanation.evidence.weights)
    bias = joint.model.bias[0] - joint.model.bias[other]
    assert bias + added == pytest.approx(math.log(chances[0] / chances[other]))
    assert sum(stage_sums(explanation.evidence.weights).values()) == pytest.approx(added)


def test_explanation_holds_what_each_stage_shows(joint):
    explanation = joint.explain(Pair("1", "A poodle barked.", "A dog barked."))
    evidence = explanation.evidence
    assert evidence.links
    assert [row[0] for row in evidence.section("probabilities").rows] == ["neural", "joint"]
    assert evidence.section("proof") is not None
    assert evidence.steps[0].what == "decided by"
    assert json.dumps(explanation.to_json())


def test_logic_is_not_asked_about_long_texts(joint):
    text = " ".join(["Tom sang."] * 30)
    (verdict,) = joint.judge([Pair("1", text, "Tom sang.")])
    assert "logic: not asked, the text is long" in verdict.reason


@pytest.mark.parametrize(
    ("text", "hypothesis", "state"),
    [
        ("Tom sang.", "Tom sang.", LogicState.PROVED),
        ("A poodle barked.", "A dog barked.", LogicState.PROVED_BY_WORDS),
        ("Tom did not sing.", "Tom sang.", LogicState.REFUTED),
        ("Tom sang.", "A red car stopped near the old mill.", LogicState.WORDS_MISSING),
        ("A dog barked.", "A brown dog barked.", LogicState.WORD_MISSING),
        ("The baker praised the pilot.", "The pilot praised the baker.", LogicState.ROLES_MISSING),
        ("The judge near the guard slept.", "The guard slept.", LogicState.ROLES_MISSING),
        ("The poodle chased the cat.", "The cat chased the dog.", LogicState.ROLES_MISSING),
        ("A dog barked near a tree.", "A dog barked under a tree.", LogicState.RELATION_MISSING),
    ],
)
def test_argument_is_read_as_a_state(joint, text, hypothesis, state):
    (found,) = joint.logic.arguments([Pair("1", text, hypothesis)])
    assert logic_reading(found)[0] is state


def test_what_was_not_argued_is_silent():
    assert logic_reading(None)[0] is LogicState.SILENT


@pytest.mark.parametrize(
    "stages", ["neural,features", "neural,logic", "features,logic", "neural", "logic+neural"]
)
def test_joint_comes_trained_for_fewer_stages(stages):
    found = ensue.load("joint", {"stages": stages, "seconds": 600})
    (verdict,) = found.judge([Pair("1", "Tom sang and danced.", "Tom danced.")])
    assert verdict.label is Label.ENTAILMENT


def test_stages_without_weights_have_to_be_trained():
    found = ensue.load("joint", {"stages": "features"})
    with pytest.raises(SettingError) as caught:
        found.judge([Pair("1", "Tom sang.", "Tom sang.")])
    assert caught.value.code == "recognizer-settings-trained-first"


@pytest.mark.parametrize("settings", [{"stages": "network"}, {"stages": ()}, {"cutoff": 2}])
def test_wrong_settings_are_errors(settings):
    with pytest.raises(SettingError):
        JOINT.build(settings)


def test_joint_learns_and_is_kept(tmp_path):
    pairs = [
        Pair(f"{i}", f"Tom sang {word}.", hypothesis, gold)
        for i, word in enumerate(("well", "loudly", "today", "here", "alone", "twice"))
        for hypothesis, gold in (
            ("Tom sang.", Label.ENTAILMENT),
            ("Ann ran.", Label.NOT_ENTAILMENT),
        )
    ]
    trained = ensue.load("joint", {"stages": "neural,features"}).fit(pairs, seed=0, name="made")
    save(trained, tmp_path / "kept")
    kept = ensue.load(tmp_path / "kept")
    assert kept.judge(pairs) == trained.judge(pairs)
    assert kept.signature.tuned_on["name"] == "made"
    assert all(v.label is Label.ENTAILMENT for v in kept.judge(pairs[::2]))


def test_gold_of_one_kind_teaches_nothing():
    pairs = [Pair("1", "Tom sang.", "Tom sang.", Label.ENTAILMENT)]
    with pytest.raises(DataError) as caught:
        ensue.load("joint").fit(pairs, seed=0)
    assert caught.value.code == "all-pairs-same-gold"


@pytest.mark.parametrize(
    ("text", "read"),
    [("A man who sang slept.", True), ("Tom raised the age for riding a moped in 2019.", False)],
)
def test_argument_with_a_quoted_clause_is_read_in_part(joint, text, read):
    (found,) = joint.logic.arguments([Pair("1", text, "Tom slept.")])
    assert is_all_read(found) is read


def test_weights_ship_for_every_choice_of_stages():
    for stages in SHIPPED:
        assert shipped(stages).signature.settings["stages"] == stages
    assert shipped("features") is None


@pytest.mark.parametrize("damaged", [True, False], ids=["damaged", "missing"])
def test_weights_that_ship_are_brought_back_by_a_command(tmp_path, monkeypatch, damaged):
    folder = tmp_path / "trained_joint" / "of-this-test"
    if damaged:
        folder.mkdir(parents=True)
        (folder / "recognizer.json").write_text("{}", "utf-8")
    monkeypatch.setattr("ensue.recognizers.storage.files", lambda _: tmp_path)
    with pytest.raises(DataError) as caught:
        load_shipped("trained_joint/of-this-test")
    assert caught.value.code == "not-recognizer"
    assert caught.value.place == str(folder / "recognizer.json")
    assert str(folder) in caught.value.hint
    assert caught.value.hint.startswith("run: ")


def test_damaged_weights_are_an_error(joint):
    arrays = dict(joint.arrays())
    del arrays["bias for unknown"]
    with pytest.raises(DataError) as caught:
        model_from_arrays(arrays)
    assert caught.value.code == "joint-weights-missing"


def test_another_process_gets_the_same_recognizer(joint):
    pairs = [Pair(str(i), text, hypothesis) for i, (text, hypothesis, _) in enumerate(JUDGED)]
    assert pickle.loads(pickle.dumps(joint)).judge(pairs) == joint.judge(pairs)


def test_signature_is_three_way_and_names_the_network(joint):
    assert joint.signature.view is View.THREE_WAY
    assert joint.signature.settings["network"]
    assert "joint|stages:neural+features+logic" in str(joint.signature)


def test_columns_are_those_of_the_stages_asked(joint):
    pair = Pair("1", "Tom sang.", "Tom sang.")
    answers = replace(joint.answers([pair]), odds=None)
    assert not any(name.startswith("neural") for name in answers.columns())
    assert StageAnswers([]).columns().keys() == {"words.text", "words.hypothesis"}
    assert set(JudgingStage) == {"neural", "features", "logic"}


# The fit: partial labels by hand and against scikit-learn.


def test_multinomial_fit_agrees_with_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    z = rng.normal(size=(300, 4))
    labels = (z @ rng.normal(size=(4, 3)) + rng.gumbel(size=(300, 3))).argmax(axis=1)
    allowed = np.eye(3, dtype=bool)[labels]
    learned = fit_multinomial(z, allowed, 0.5)
    other = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(z, labels)
    ours = softmax(z @ learned[:-1] + learned[-1])
    assert np.abs(ours - other.predict_proba(z)).max() < 1e-4


def test_rows_that_may_be_either_teach_only_what_they_exclude():
    z = np.array([[1.0], [-1.0]] * 20)
    allowed = np.array([[True, False, False], [False, True, True]] * 20)
    found = softmax(z @ (learned := fit_multinomial(z, allowed, 1.0))[:-1] + learned[-1])
    assert found[0, 0] > 0.8
    assert found[1, 1] == pytest.approx(found[1, 2], abs=1e-6)


def test_model_says_the_same_alone_as_among_others():
    rng = np.random.default_rng(1)
    model = JointModel(("a", "b"), rng.normal(size=2), rng.normal(size=(2, 3)), np.zeros(3), 1.0)
    columns = {"a": rng.normal(size=9), "b": rng.normal(size=9)}
    alone = [model.log_odds({k: v[[i]] for k, v in columns.items()})[0] for i in range(9)]
    assert np.array_equal(np.array(alone), model.log_odds(columns))


def test_few_pairs_are_fitted_without_cross_validation():
    pairs = [Pair("1", "A", "B", Label.ENTAILMENT), Pair("2", "C", "D", Label.UNKNOWN)]
    model = fitted_model({"a": np.array([1.0, 0.0])}, pairs, seed=0)
    assert model.strength == 0.01
    assert softmax(model.log_odds({"a": np.array([1.0, 0.0])}))[0, 0] > 1 / 3
