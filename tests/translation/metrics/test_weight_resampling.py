import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.linear_model import LogisticRegression, Ridge
from tests.errors import coded

from ensue.errors import DataError, SettingError
from ensue.features import FEATURES
from ensue.pairs import Label, Pair
from ensue.recognizers.features import (
    Examples,
    FeatureScorer,
    FeatureSettings,
    FeaturesRecognizer,
    fitted,
)
from ensue.statistics import resampling
from ensue.statistics.resampling import Resampling
from ensue.translation.features.tables import FeatureTable
from ensue.translation.judgments import human_scores
from ensue.translation.metrics.linear_models import (
    ModelKind,
    bootstrap_recognizer_weights,
    bootstrap_weights,
    metric_weights,
    recognizer_weights,
)
from ensue.translation.metrics.trained_metrics import train
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    OutputKey,
    TranslationJudgments,
)

NAMES = ("good", "noise", "constant")
SYSTEMS = ("a", "b", "c")


def table(n_segments, seed=0):
    outputs = tuple(OutputKey("cs-en", str(i), s) for i in range(n_segments) for s in SYSTEMS)
    values = np.random.default_rng(seed).normal(size=(len(outputs), 3)) * [2, 3, 0] + [5, -1, 7]
    return FeatureTable(outputs, NAMES, values)


def judged(features, seed=1):
    """One ranking of each segment by the first feature and some noise."""
    noise = np.random.default_rng(seed).normal(size=len(features)) * 2
    quality = (features.values[:, 0] + noise).reshape(-1, len(SYSTEMS))
    ranks = (-quality).argsort(axis=1).argsort(axis=1) + 1
    return TranslationJudgments(
        tuple(
            HumanRanking("cs-en", str(i), "j", dict(zip(SYSTEMS, row.tolist(), strict=True)))
            for i, row in enumerate(ranks)
        )
    )


def only_ones(monkeypatch):
    """Let every draw be the data as they are."""
    monkeypatch.setattr(
        resampling, "drawn_counts", lambda n, draws, _: [np.ones((draws, n), np.int64)]
    )


def drawing(monkeypatch, counts):
    monkeypatch.setattr(resampling, "drawn_counts", lambda *_: [np.array([counts])])


@pytest.mark.parametrize("kind", ModelKind)
def test_draw_of_everything_once_gives_the_weights_of_the_model(kind, monkeypatch):
    only_ones(monkeypatch)
    features = table(30)
    judgments = judged(features)
    learned, _ = train(features, judgments, kind, strength=0.01)
    drawn = bootstrap_weights(
        features, judgments, kind, strength=0.01, resampling=Resampling(draws=2)
    )
    assert drawn == pytest.approx(np.tile(learned.standardized, (2, 1)), abs=1e-4)


def test_abs_draw_equals_sklearn_ridge_on_repeated_rows(monkeypatch):
    # of four segments the first is drawn twice, the last never
    drawing(monkeypatch, [2, 1, 1, 0])
    features = table(4)
    judgments = judged(features)
    scores = human_scores(judgments).values
    z = (features.values - features.values.mean(axis=0)) / [*features.values.std(axis=0)[:2], 1]
    rows = [0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    expected = Ridge(alpha=1 / 0.5).fit(z[rows], scores[rows]).coef_
    drawn = bootstrap_weights(
        features, judgments, ModelKind.ABS, strength=0.5, resampling=Resampling(draws=1)
    )
    assert drawn[0] == pytest.approx(expected)


def test_pair_draw_equals_sklearn_on_repeated_rows(monkeypatch):
    drawing(monkeypatch, [2, 1, 1, 0])
    features = table(4)
    judgments = judged(features)
    z = features.values / [*features.values.std(axis=0)[:2], 1]
    rows = []
    for i in (0, 0, 1, 2):
        ranked = sorted(SYSTEMS, key=judgments.rankings[i].ranks.__getitem__)
        first, second, third = (z[3 * i + SYSTEMS.index(system)] for system in ranked)
        rows += [first - second, first - third, second - third]
    both = np.array([*rows, *(-np.array(rows))])
    # the same rows from both sides count twice, so that half the strength is the same
    model = LogisticRegression(C=0.5 / 2, fit_intercept=False, tol=1e-10)
    expected = model.fit(both, np.repeat([True, False], len(rows))).coef_[0]
    drawn = bootstrap_weights(
        features, judgments, ModelKind.PAIR, strength=0.5, resampling=Resampling(draws=1)
    )
    assert drawn[0] == pytest.approx(expected, abs=1e-4)


def test_abs_draws_count_a_score_as_often_as_it_was_given(monkeypatch):
    only_ones(monkeypatch)
    features = table(5)
    given_twice = [0, 3, 7]
    said = [
        Assessment(*key, "j", AssessmentKind.DIRECT, float(i % 4))
        for i, key in enumerate(features.outputs)
        for _ in range(2 if i in given_twice else 1)
    ]
    judgments = TranslationJudgments(assessments=tuple(said))
    drawn = bootstrap_weights(
        features, judgments, ModelKind.ABS, strength=0.1, resampling=Resampling(draws=1)
    )
    z = (features.values - features.values.mean(axis=0)) / [*features.values.std(axis=0)[:2], 1]
    weights = [2 if i in given_twice else 1 for i in range(15)]
    scores = [float(i % 4) for i in range(15)]
    expected = Ridge(alpha=10).fit(z, scores, sample_weight=weights).coef_
    assert drawn[0] == pytest.approx(expected)


@pytest.mark.parametrize("kind", ModelKind)
@given(times=st.integers(2, 4), seed=st.integers(0, 9))
@settings(max_examples=8)
def test_judgments_given_several_times_are_a_model_less_regularized(kind, times, seed):
    features = table(12)
    once = judged(features, seed)
    # other judges who say the same: each has a vote
    again = TranslationJudgments(
        tuple(
            HumanRanking(each.language_pair, each.segment, str(judge), each.ranks)
            for judge in range(times)
            for each in once.rankings
        )
    )
    one = bootstrap_weights(
        features, once, kind, strength=0.2 * times, resampling=Resampling(draws=3, seed=seed)
    )
    other = bootstrap_weights(
        features, again, kind, strength=0.2, resampling=Resampling(draws=3, seed=seed)
    )
    assert one == pytest.approx(other, abs=1e-3)


@pytest.mark.parametrize("kind", ModelKind)
def test_interval_of_the_draws_has_the_weight_inside(kind):
    features = table(300)
    judgments = judged(features)
    learned, _ = train(features, judgments, kind, strength=1.0)
    drawn = bootstrap_weights(
        features, judgments, kind, strength=1.0, resampling=Resampling(draws=80)
    )
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    assert (low <= learned.standardized).all()
    assert (learned.standardized <= high).all()
    assert low[0] > 0  # the feature that made the judgments
    assert low[1] < 0 < high[1]  # noise
    assert drawn[:, 2].tolist() == [0] * 80  # never changes


def test_spread_of_the_draws_is_that_of_samples():
    # what the bootstrap says of four data sets, beside sixty from the same source; the deviation of
    # sixty numbers is known to 1 / √120 = 9 %
    sets = [(table(100, seed), judged(table(100, seed), seed + 1000)) for seed in range(60)]
    learned = [train(*each, ModelKind.PAIR, strength=1.0)[0].standardized for each in sets]
    among_draws = [
        bootstrap_weights(*each, ModelKind.PAIR, strength=1.0, resampling=Resampling(draws=80)).std(
            axis=0
        )
        for each in sets[:4]
    ]
    found, expected = np.mean(among_draws, axis=0), np.std(learned, axis=0)
    assert found[:2] == pytest.approx(expected[:2], rel=0.3)


@pytest.mark.parametrize("kind", ModelKind)
def test_draws_with_the_same_seed_are_the_same(kind):
    features = table(15)
    judgments = judged(features)

    def drawn(seed):
        return bootstrap_weights(
            features, judgments, kind, strength=0.1, resampling=Resampling(draws=3, seed=seed)
        )

    assert drawn(1).tolist() == drawn(1).tolist()
    assert drawn(1).tolist() != drawn(2).tolist()


@pytest.mark.parametrize("kind", ModelKind)
def test_draws_leave_out_outputs_without_words(kind, monkeypatch):
    only_ones(monkeypatch)
    features = table(20)
    values = features.values.copy()
    values[4] = np.nan
    blank = FeatureTable(features.outputs, NAMES, values)
    learned, _ = train(blank, judged(features), kind, strength=0.1)
    drawn = bootstrap_weights(
        blank, judged(features), kind, strength=0.1, resampling=Resampling(draws=1)
    )
    assert drawn[0] == pytest.approx(learned.standardized, abs=1e-4)


def test_single_contest_can_be_drawn():
    features = table(1)
    one = TranslationJudgments((HumanRanking("cs-en", "0", "j", {"a": 1, "b": 2}),))
    drawn = bootstrap_weights(
        features, one, ModelKind.PAIR, strength=0.1, resampling=Resampling(draws=2)
    )
    learned, _ = train(features, one, ModelKind.PAIR, strength=0.1)
    assert drawn == pytest.approx(np.tile(learned.standardized, (2, 1)), abs=1e-4)


def test_progress_is_told_of_every_draw():
    features, told = table(10), []
    judgments = judged(features)
    bootstrap_weights(
        features,
        judgments,
        ModelKind.ABS,
        strength=0.1,
        resampling=Resampling(draws=4),
        progress=told.append,
    )
    assert told == [1, 1, 1, 1]


def test_no_draws_are_no_rows():
    features = table(10)
    drawn = bootstrap_weights(
        features, judged(features), ModelKind.ABS, strength=0.1, resampling=Resampling(draws=0)
    )
    assert drawn.shape == (0, 3)


def test_draws_without_a_preference_are_an_error():
    tied = TranslationJudgments((HumanRanking("cs-en", "0", "j", {"a": 1, "b": 1}),))
    with pytest.raises(DataError, check=coded("no-preference-between-two")):
        bootstrap_weights(table(1), tied, ModelKind.PAIR, strength=0.1)


def test_draws_refuse_a_strength_of_0():
    features = table(3)
    with pytest.raises(SettingError, match="the strength cannot be 0"):
        bootstrap_weights(features, judged(features), ModelKind.ABS, strength=0)


def test_metric_weights_are_those_of_the_metric_with_draws():
    features = table(20)
    judgments = judged(features)
    learned, _ = train(features, judgments, ModelKind.PAIR, strength=0.1)
    found = metric_weights("mine", learned, features, judgments, resampling=Resampling(draws=3))
    assert found.names == NAMES
    assert found.standardized.tolist() == learned.standardized.tolist()
    expected = bootstrap_weights(
        features, judgments, ModelKind.PAIR, strength=0.1, resampling=Resampling(draws=3)
    )
    assert found.draws.tolist() == expected.tolist()


def test_metric_weights_on_another_table_are_an_error():
    features = table(20)
    learned, _ = train(features, judged(features), ModelKind.ABS, strength=0.1)
    other = FeatureTable(features.outputs, ("x", "y", "z"), features.values)
    with pytest.raises(SettingError, match="mine: its weights are on other features"):
        metric_weights("mine", learned, other, judged(features))


def some_examples(n_texts=40, n_lessons=0, seed=2):
    """Two pairs of each text, gold by the first feature and some noise."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(2 * n_texts + n_lessons, 3)) * [1, 2, 0]
    values[2 * n_texts :, 2] = 1  # what only lessons have
    gold = values[:, 0] + rng.normal(size=len(values)) > 0
    return Examples(values, gold, [str(i // 2) for i in range(2 * n_texts)])


def test_recognizer_draw_of_everything_once_gives_its_weights(monkeypatch):
    only_ones(monkeypatch)
    examples = some_examples(n_lessons=10)
    learned = fitted(NAMES, examples, strength=0.1, seed=0)
    expected = learned.weights * examples.values[:80].std(axis=0)
    drawn = bootstrap_recognizer_weights(examples, strength=0.1, resampling=Resampling(draws=2))
    assert drawn == pytest.approx(np.tile(expected, (2, 1)), abs=1e-4)
    assert drawn[0, 2] == 0  # never changes among the pairs


def test_recognizer_draw_takes_pairs_of_a_text_together_and_every_lesson(monkeypatch):
    drawing(monkeypatch, [3, 0, *[1] * 38])
    examples = some_examples(n_lessons=10)
    drawn = bootstrap_recognizer_weights(examples, strength=0.1, resampling=Resampling(draws=1))
    pairs = examples.values[:80]
    z = (examples.values - pairs.mean(axis=0)) / [*pairs.std(axis=0)[:2], 1]
    rows = [0, 1, 0, 1, 0, 1, *range(4, 90)]
    model = LogisticRegression(C=0.1, tol=1e-10).fit(z[rows], examples.gold[rows])
    assert drawn[0, :2] == pytest.approx(model.coef_[0, :2], abs=1e-4)


def test_recognizer_draw_with_one_gold_is_undefined(monkeypatch):
    drawing(monkeypatch, [2, 0])
    examples = Examples(np.array([[1.0], [2.0]]), np.array([True, False]), ["one", "other"])
    drawn = bootstrap_recognizer_weights(examples, strength=0.1, resampling=Resampling(draws=1))
    assert np.isnan(drawn).all()


def test_recognizer_draws_of_one_gold_alone_are_an_error():
    examples = Examples(np.array([[1.0], [2.0]]), np.array([True, True]), ["one", "other"])
    with pytest.raises(DataError, check=coded("all-pairs-same-gold")):
        bootstrap_recognizer_weights(examples, strength=0.1)


class _Reader:
    """Gives the length of the hypothesis, and zeros."""

    def features(self, pairs):
        return np.array([[len(hypothesis), *[0.0] * 73] for _, hypothesis in pairs])


def test_recognizer_weights_are_on_the_catalog_of_features():
    pairs = [
        Pair(str(i), f"text {i}", "a" * (i % 5 + 1), gold)
        for i, gold in enumerate([Label.ENTAILMENT, Label.NOT_ENTAILMENT, None] * 10)
    ]
    scorer = FeatureScorer(FeatureSettings(strength=0.1, lessons=False), reader=_Reader())
    recognizer = FeaturesRecognizer("features", scorer, 0.5, (0.0, 1.0))
    found = recognizer_weights("features", recognizer, pairs, resampling=Resampling(draws=3))
    assert found.names[0] == "alignment.score"
    assert found.draws.shape == (3, len(FEATURES))
    assert found.standardized[1:].tolist() == [0] * 73
