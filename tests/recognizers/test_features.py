import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

import ensue
from ensue.errors import DataError, SettingError
from ensue.features import NAMES
from ensue.pairs import Label, Pair
from ensue.recognizers import save
from ensue.recognizers.features import Examples, fitted, folds, lessons
from ensue.statistics.linear_models import LinearModel, probabilities

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT


@pytest.fixture(scope="module")
def shipped():
    return ensue.load("features")


@pytest.fixture(scope="module")
def trained(pairs):
    return ensue.load("features").fit(pairs, seed=0, name="made")


def two_features(bias: float = 0.5) -> LinearModel:
    weights, means = np.array([2.0, -1.0]), np.array([0.25, 0.5])
    return LinearModel(("a", "b"), weights, means, bias, 0.01)


def test_log_odds_are_the_bias_and_weighted_distances_from_the_average():
    found = two_features().predicted(np.array([[1.0, 0.0], [0.25, 0.5]]))
    assert found.tolist() == [0.5 + 2 * (1 - 0.25) - 1 * (0 - 0.5), 0.5]


def test_probability_of_even_odds_is_a_half():
    assert probabilities(np.array([0.0, math.log(3)])).tolist() == pytest.approx([1 / 2, 3 / 4])


def test_probability_of_any_odds_is_one():
    found = probabilities(np.array([-1e9, 1e9]))
    assert found.tolist() == pytest.approx([0, 1])


def test_weights_that_are_sure_are_learned():
    examples = learnable()
    sure = np.column_stack([examples.gold] * 3).astype(float)
    learned = fitted(("a", "b", "c"), replace(examples, values=sure), strength=1e9, seed=0)
    assert learned.validated["accuracy"] == 1.0


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_log_odds_of_a_row_do_not_depend_on_the_others(rows):
    regression, values = two_features(), np.array(rows)
    alone = [regression.predicted(values[i : i + 1])[0] for i in range(len(rows))]
    assert regression.predicted(values).tolist() == alone


def learnable(n: int = 200):
    rng = np.random.default_rng(0)
    values = rng.random((n, 3))
    gold = values[:, 0] + 0.1 * rng.standard_normal(n) > 0.5
    return Examples(values, gold, [f"text {i // 2}" for i in range(n)])


def test_weights_find_the_feature_that_tells():
    learned = fitted(("tells", "noise", "more"), learnable(), strength=None, seed=0)
    assert learned.weights[0] > 5 * abs(learned.weights[1:]).max()
    assert learned.validated["accuracy"] > 0.85


def test_weights_agree_with_scikit_learn_at_a_given_strength():
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    examples = learnable()
    values, gold = examples.values, examples.gold
    learned = fitted(("a", "b", "c"), examples, strength=0.1, seed=0)
    scaler = StandardScaler().fit(values)
    other = LogisticRegression(C=0.1, tol=1e-10, max_iter=1000).fit(scaler.transform(values), gold)
    expected = other.predict_proba(scaler.transform(values))[:, 1]
    assert probabilities(learned.predicted(values)) == pytest.approx(expected, abs=1e-5)


def test_strength_that_is_given_is_kept():
    assert fitted(("a", "b", "c"), learnable(), strength=0.7, seed=0).strength == 0.7


def test_too_few_pairs_are_not_cross_validated():
    learned = fitted(("a", "b", "c"), learnable(8), strength=None, seed=0)
    assert learned.validated == {}


def test_gold_of_one_kind_teaches_nothing():
    same = replace(learnable(), gold=np.ones(200, np.bool_))
    with pytest.raises(DataError, check=coded("all-pairs-same-gold")):
        fitted(("a", "b", "c"), same, strength=None, seed=0)


def with_lessons(n: int = 5) -> Examples:
    plain = learnable()
    return replace(
        plain,
        values=np.concatenate([plain.values, np.full((n, 3), 100.0)]),
        gold=np.concatenate([plain.gold, np.zeros(n, np.bool_)]),
    )


def test_lessons_are_trained_on_in_every_fold_and_never_held_out():
    for train, held_out in folds(with_lessons(), seed=0):
        assert set(range(200, 205)) <= set(train.tolist())
        assert held_out.max() < 200


def test_lessons_move_the_weights_and_not_the_averages():
    names = ("a", "b", "c")
    plain = fitted(names, learnable(), strength=0.1, seed=0)
    taught = fitted(names, with_lessons(), strength=0.1, seed=0)
    assert taught.means.tolist() == plain.means.tolist()
    assert taught.weights[0] < plain.weights[0]


def test_lessons_are_pairs_with_gold_of_both_kinds():
    taught = lessons()
    assert len({pair.id for pair in taught}) == len(taught) == len({*map(sides, taught)})
    assert {pair.gold for pair in taught} == {YES, NO}


def sides(pair: Pair) -> tuple[str, str]:
    return pair.text, pair.hypothesis


def test_lessons_say_nothing_of_how_long_a_text_is(pairs, shipped):
    pairs = [pair for pair in pairs if pair.hypothesis]
    examples = shipped.scorer.examples(pairs, NAMES)
    column = examples.values[:, NAMES.index("unaligned.text")]
    assert set(column[len(pairs) :].tolist()) == {column[: len(pairs)].mean()}


def test_lessons_are_left_out_where_asked(pairs):
    plain = ensue.load("features", {"lessons": "no", "strength": "0.1"}).fit(pairs, seed=0)
    taught = ensue.load("features", {"strength": "0.1"}).fit(pairs, seed=0)
    assert plain.scorer.regression.weights.tolist() != taught.scorer.regression.weights.tolist()
    assert plain.signature.settings["lessons"] is False


def test_shipped_recognizer_says_what_it_was_trained_on(shipped):
    assert shipped.signature.tuned_on["name"] == "rte1_dev+rte2_dev+rte3_dev"
    assert shipped.signature.tuned_on["pairs"] == 2167


def test_shipped_weights_are_on_these_features(shipped):
    assert shipped.scorer.regression.names == NAMES


@pytest.mark.parametrize(
    ("text", "hypothesis", "gold"),
    [
        ("The virus did not infect anybody.", "No one was infected by the virus.", YES),
        ("No one was infected by the virus.", "The virus did not infect anybody.", YES),
        ("Virus was infected.", "No one was infected by the virus.", NO),
        ("No one was infected by the virus.", "Virus was infected.", NO),
        ("It is not the case that John likes ice cream.", "John likes ice cream.", NO),
        ("The legal age is 64.", "The legal age is 62.", NO),
    ],
)
def test_shipped_recognizer_is_right_on_the_papers_examples(shipped, text, hypothesis, gold):
    assert shipped.judge([Pair("1", text, hypothesis)])[0].label is gold


def test_contributions_and_bias_sum_to_the_score(shipped):
    shown = shipped.explain(Pair("1", "Anna sold the old house.", "Anna sold a house."))
    total = sum(weight.contribution for weight in shown.evidence.weights)
    log_odds = shipped.scorer.regression.bias + total
    assert shown.verdict.score == pytest.approx(1 / (1 + math.exp(-log_odds)))
    for weight in shown.evidence.weights:
        distance = weight.value - weight.average
        assert weight.contribution == pytest.approx(weight.weight * distance)


def test_explanation_links_every_aligned_node_and_marks_the_rest(shipped):
    pair = Pair("1", "Anna did not sell 12 houses.", "Anna sold a purple house.")
    shown = shipped.explain(pair).evidence
    words = {
        (pair.hypothesis[span.start : span.end], span.kind)
        for span in shown.spans
        if span.side == "hypothesis"
    }
    assert {("Anna", "same"), ("sold", "same"), ("purple", "unaligned")} <= words
    marks = {(pair.text[s.start : s.end], s.kind) for s in shown.spans if s.side == "text"}
    assert {("not", "negation"), ("12", "number")} <= marks
    assert len(shown.links) == 3


@pytest.mark.parametrize(
    ("text", "hypothesis", "side"),
    [("", "A dog.", "text"), ("A dog.", " \n", "hypothesis"), ("A dog.", "!?…", "hypothesis")],
)
def test_side_without_words_is_abstained_from(shipped, text, hypothesis, side):
    verdict = shipped.judge([Pair("1", text, hypothesis)])[0]
    assert (verdict.label, verdict.reason) == (None, f"the {side} has no words")


@pytest.mark.parametrize(
    "text",
    [
        "Dog",
        "word " * 3000,
        "😀 🎉 \x00\x07 \ud800 dog",
        "Der Hund bellt in der Nacht, und keiner schläft.",
        "犬は夜に吠える。",
        '"She said "no" and (left',
        "<p>A <b>dog</b> barks &amp; runs.</p>",
    ],
)
def test_odd_text_is_judged(shipped, text):
    for pair in (Pair("1", text, "A dog barks."), Pair("2", "A dog barks.", text)):
        verdict = shipped.judge([pair])[0]
        assert 0 <= verdict.score <= 1


def test_training_chooses_the_strength_anew(shipped, trained):
    assert shipped.scorer.chosen.strength is None
    assert trained.tuned_on["strength"] == trained.scorer.regression.strength
    assert trained.tuned_on["name"] == "made"


def test_tasks_get_a_bias_only_where_asked(pairs):
    plain = ensue.load("features", {"strength": "0.1"}).fit(pairs, seed=0)
    tasks = ensue.load("features", {"tasks": "yes", "strength": "0.1"}).fit(pairs, seed=0)
    assert plain.scorer.regression.names == NAMES
    assert tasks.scorer.regression.names == (*NAMES, "task.IE", "task.QA")
    assert tasks.judge([Pair("1", "A dog barks.", "A dog barks.", task="new")])[0].score is not None


def test_weights_are_kept_as_json_that_people_can_read(trained, pairs, tmp_path):
    save(trained, tmp_path)
    kept = json.loads((tmp_path / "weights.json").read_text())
    assert set(kept) == {"strength", "bias"} | {
        f"{what} of {name}" for name in NAMES for what in ("weight", "mean")
    }
    assert ensue.load(tmp_path).judge(pairs) == trained.judge(pairs)


def test_weights_that_were_changed_are_noticed(trained, tmp_path):
    save(trained, tmp_path)
    path = tmp_path / "weights.json"
    path.write_text(path.read_text().replace('"bias": ', '"bias": 1'))
    with pytest.raises(DataError, match=r"weights\.json is not the file"):
        ensue.load(tmp_path)


def test_weights_on_other_features_are_refused(trained):
    from ensue.recognizers.features import FEATURES

    arrays = {"strength": np.array(0.1), "bias": np.array(0.0), "weight of x": np.array(1.0)}
    with pytest.raises(DataError, check=coded("weights-other-features-than")):
        FEATURES.restore(trained.signature, arrays)


@pytest.mark.parametrize("strength", ["0", "-1", "much", "nan", "inf", "1e300", "1e-300"])
def test_strength_has_to_be_one_that_can_be_reckoned_with(strength):
    with pytest.raises(SettingError, match="setting 'strength' cannot be"):
        ensue.load("features", {"strength": strength})


def test_settings_without_training_are_refused_with_a_hint(pairs):
    with pytest.raises(SettingError, check=coded("recognizer-settings-trained-first")):
        ensue.load("features", {"tasks": "yes"}).judge(pairs)
