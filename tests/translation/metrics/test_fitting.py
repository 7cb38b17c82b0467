import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from tests.errors import coded

from ensue.errors import DataError, SettingError
from ensue.translation.features.tables import FeatureTable
from ensue.translation.judgments import HumanScores, MajorityPreferences, ScoreKind, Voting
from ensue.translation.metrics.linear_models import ModelKind, fit_abs, fit_pair
from ensue.translation.systems import OutputKey

NAMES = ("good", "noise", "constant")
WEIGHTS = np.array([1.5, 0.0, 0.0])


def key(i, pair="cs-en", system="a"):
    return OutputKey(pair, str(i), system)


def table(n, *, pairs=("cs-en",), systems=("a",), seed=0):
    """Outputs of which only the first feature says how good they are."""
    outputs = tuple(key(i, pairs[i % len(pairs)], system) for i in range(n) for system in systems)
    values = np.random.default_rng(seed).normal(size=(len(outputs), 3)) * [2, 3, 0] + [5, -1, 7]
    return FeatureTable(outputs, NAMES, values)


def scored(outputs, scores, counts=None):
    counts = np.ones(len(outputs), np.int64) if counts is None else counts
    return HumanScores(tuple(outputs), np.asarray(scores, float), counts, ScoreKind.DIRECT)


def preferring(outputs, better, worse, votes):
    nothing = np.zeros(len(better))
    return MajorityPreferences(outputs, better, worse, votes, nothing, nothing, 0, 0, Voting.JUDGES)


def preferred_of(features, noise=0.0, seed=1):
    """In each segment the first system against the second, by the first feature and some noise."""
    utility = features.values @ WEIGHTS
    utility += np.random.default_rng(seed).logistic(size=len(features)) * noise
    first = np.arange(0, len(features), 2)
    better = np.where(utility[first] > utility[first + 1], first, first + 1)
    worse = np.where(utility[first] > utility[first + 1], first + 1, first)
    return preferring(features.outputs, better, worse, np.ones(len(better)))


def test_abs_finds_the_weights_that_made_the_scores():
    features = table(400)
    human = scored(features.outputs, features.values @ WEIGHTS - 2)
    found = fit_abs(features, human)
    assert found.kind is ModelKind.ABS
    assert found.weights == pytest.approx([1.5, 0, 0], abs=5e-3)
    assert found.scores(features.values) == pytest.approx(human.values, abs=0.05)
    assert found.validated["pearson"] > 0.999


def test_abs_equals_sklearn_ridge_on_standardized_features():
    features = table(60)
    noise = np.random.default_rng(3).normal(size=60)
    human = scored(features.outputs, features.values @ WEIGHTS + noise)
    found = fit_abs(features, human, strength=0.02)
    z = (features.values - features.values.mean(axis=0)) / np.array(
        [*features.values.std(axis=0)[:2], 1]
    )
    expected = Ridge(alpha=1 / 0.02).fit(z, human.values)
    assert found.standardized == pytest.approx(expected.coef_)
    assert found.scores(features.values) == pytest.approx(expected.predict(z))


def test_abs_spread_is_that_of_what_the_features_do_not_say():
    features = table(2000)
    noise = np.random.default_rng(4).normal(size=2000) * 0.7
    found = fit_abs(features, scored(features.outputs, features.values @ WEIGHTS + noise))
    assert found.spread == pytest.approx(0.7, abs=0.05)


def test_abs_counts_a_score_as_often_as_it_was_given():
    features = table(30)
    rng = np.random.default_rng(5)
    scores, counts = rng.normal(size=30), rng.integers(1, 4, size=30)
    weighted = scored(features.outputs, scores, counts)
    rows = np.repeat(np.arange(30), counts)
    repeated = scored([features.outputs[i] for i in rows], scores[rows])
    one = fit_abs(features, weighted, strength=0.1)
    other = fit_abs(features, repeated, strength=0.1)
    # means and deviations are over outputs in one and over judgments in the other
    assert np.corrcoef(one.scores(features.values), other.scores(features.values))[0, 1] > 0.99


def test_abs_leaves_language_pairs_out_where_there_are_three():
    features = table(90, pairs=("cs-en", "de-en", "fr-en"))
    human = scored(features.outputs, features.values @ WEIGHTS)
    assert fit_abs(features, human).validated["parts"] == 3


def test_abs_with_equal_scores_is_an_error():
    features = table(20)
    with pytest.raises(DataError, check=coded("all-outputs-same-human")):
        fit_abs(features, scored(features.outputs, np.ones(20)))


def test_abs_of_an_output_that_was_not_measured_is_an_error():
    features = table(20)
    with pytest.raises(DataError, match="segment '99' of 'cs-en' has no output of system 'a'"):
        fit_abs(features, scored([key(99)], [1.0]))


def test_abs_learns_nothing_from_outputs_without_words():
    features = table(40)
    values = features.values.copy()
    values[0] = np.nan
    human = features.values @ WEIGHTS
    blank = FeatureTable(features.outputs, NAMES, values)
    without = FeatureTable(features.outputs[1:], NAMES, values[1:])
    found = fit_abs(blank, scored(blank.outputs, human), strength=1.0)
    expected = fit_abs(without, scored(without.outputs, human[1:]), strength=1.0)
    assert found.weights.tolist() == expected.weights.tolist()


def test_pair_finds_the_direction_of_the_weights():
    features = table(400, systems=("a", "b"))
    found = fit_pair(features, preferred_of(features))
    assert found.kind is ModelKind.PAIR
    assert found.standardized[0] > 20 * abs(found.standardized[1])
    assert found.weights[2] == 0
    assert found.validated["right"] > 0.97


def test_pair_finds_the_weights_of_a_logistic_preference():
    # logistic noise on either side of a comparison is nearly logistic noise of a larger spread
    features = table(20_000, systems=("a", "b"))
    rng = np.random.default_rng(6)
    first = np.arange(0, len(features), 2)
    difference = (features.values[first] - features.values[first + 1]) @ WEIGHTS
    wins = rng.random(len(first)) < 1 / (1 + np.exp(-difference))
    better, worse = np.where(wins, first, first + 1), np.where(wins, first + 1, first)
    found = fit_pair(features, preferring(features.outputs, better, worse, np.ones(len(first))))
    assert found.weights == pytest.approx([1.5, 0, 0], abs=0.06)


def test_pair_equals_sklearn_on_differences_of_both_signs():
    features = table(50, systems=("a", "b"))
    given_ = preferred_of(features, noise=2.0)
    found = fit_pair(features, given_, strength=0.05)
    deviations = np.array([*features.values.std(axis=0)[:2], 1])
    z = (features.values[given_.winner] - features.values[given_.loser]) / deviations
    both = np.concatenate([z, -z])
    said = np.repeat([True, False], len(z))
    model = LogisticRegression(C=0.05 / 2, fit_intercept=False, tol=1e-10)
    assert found.standardized == pytest.approx(model.fit(both, said).coef_[0], abs=1e-4)


def test_pair_weights_count_as_repeated_judgments():
    features = table(40, systems=("a", "b"))
    once = preferred_of(features, noise=2.0)
    counts = np.random.default_rng(7).integers(1, 4, size=len(once.winner))
    weighted = preferring(once.outputs, once.winner, once.loser, counts.astype(float))
    repeated = preferring(
        once.outputs,
        np.repeat(once.winner, counts),
        np.repeat(once.loser, counts),
        np.ones(counts.sum()),
    )
    one = fit_pair(features, weighted, strength=0.05)
    other = fit_pair(features, repeated, strength=0.05)
    assert one.weights == pytest.approx(other.weights, abs=1e-5)


def test_pair_of_two_outputs_can_be_learned_from():
    features = table(1, systems=("a", "b"))
    one = preferring(features.outputs, np.array([0]), np.array([1]), np.ones(1))
    scores = fit_pair(features, one).scores(features.values)
    assert scores[0] > scores[1]


def test_pair_without_preferences_is_an_error():
    features = table(4, systems=("a", "b"))
    nothing = np.empty(0, np.int64)
    with pytest.raises(DataError, check=coded("no-preference-between-two")):
        fit_pair(features, preferring(features.outputs, nothing, nothing, np.empty(0)))


def test_strength_out_of_range_is_an_error():
    features = table(20)
    with pytest.raises(SettingError, match="the strength cannot be 0"):
        fit_abs(features, scored(features.outputs, np.arange(20)), strength=0)


def test_training_twice_gives_the_same_weights():
    features = table(60, systems=("a", "b"))
    human = scored(features.outputs, features.values @ WEIGHTS)
    assert fit_abs(features, human).weights.tolist() == fit_abs(features, human).weights.tolist()


def test_abs_spread_is_of_scores_that_were_not_learned_from():
    # as many features as outputs: in the sample everything is explained, outside nothing
    rng = np.random.default_rng(8)
    outputs = tuple(key(i) for i in range(60))
    features = FeatureTable(outputs, tuple(map(str, range(60))), rng.normal(size=(60, 60)))
    found = fit_abs(features, scored(outputs, rng.normal(size=60)), strength=1.0)
    assert found.spread > 0.9


def test_segments_are_left_out_whole():
    # two outputs of a segment share a feature of their own that gives their score away
    rng = np.random.default_rng(9)
    outputs = tuple(key(i, system=system) for i in range(40) for system in "ab")
    values = np.repeat(np.eye(40), 2, axis=0)
    scores = np.repeat(rng.normal(size=40), 2)
    found = fit_abs(
        FeatureTable(outputs, tuple(map(str, range(40))), values), scored(outputs, scores)
    )
    assert found.validated["pearson"] < 0.5
