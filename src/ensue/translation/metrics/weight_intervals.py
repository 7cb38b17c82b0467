"""Bootstrap of weights: models learned again from resampled segments.

The outputs of a segment hang together, and so do the pairs of one text, so that whole segments and
whole texts are drawn (Efron & Tibshirani 1993, chapter 13). Nothing is measured again: what is drawn
twice weighs twice, and the strength of regularization stays what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError
from ensue.pairs import Pair
from ensue.recognizers import Examples, FeaturesRecognizer, fitted, scaling, usable_pairs
from ensue.statistics import Resampling, fit_logistic, fit_ridge, numbered
from ensue.translation.features.tables import FeatureTable
from ensue.translation.judgments.agreement import human_scores
from ensue.translation.judgments.comparisons import majority, preferences
from ensue.translation.metrics.linear_models import (
    MetricModel,
    ModelKind,
    preferred_outputs,
    scored_outputs,
    tried_strengths,
)
from ensue.translation.metrics.weights import ModelWeights
from ensue.translation.systems import Indices, Numbers, OutputKey, TranslationJudgments

REFITS = Resampling(draws=200)
"""How many resamples, unless asked otherwise: each learns anew, which takes a while."""

UNITS = {
    ModelKind.ABS: "human score",
    ModelKind.PAIR: "log odds that the output is preferred",
}
"""What the weights of each kind of model add to."""

_CLOSE = 1e-5
"""The slope at which a fit is done; it leaves weights off by far less than draws vary."""

Progress = Callable[[int], None]
Learn = Callable[[Numbers], Numbers]
"""From how much each row weighs to the standardized weights of the features."""


def bootstrap_weights(
    table: FeatureTable,
    judgments: TranslationJudgments,
    kind: ModelKind,
    *,
    strength: float,
    resampling: Resampling = REFITS,
    progress: Progress | None = None,
) -> Numbers:
    """Learn the weights of a metric again from resampled segments.

    Weights are standardized by the deviations over all outputs, whatever is drawn. Human scores are
    those of the whole data: what was standardized by judge is not standardized again.

    Args:
        table: The features of the outputs, and maybe of others.
        judgments: What the metric learned from.
        kind: Of the model.
        strength: The inverse strength of regularization that was chosen.
        resampling: Draws, level and seed of the intervals.
        progress: Is told of each draw that one more is done.

    Returns:
        A row for each draw, a column for each feature.

    Raises:
        DataError: a judged output was not measured, or there is nothing to tell apart.
        SettingError: the strength or the number of draws makes no sense.
    """
    tried_strengths(kind, strength)
    prepare = _abs_learning if kind is ModelKind.ABS else _pair_learning
    learn, weights, segment = prepare(table, judgments, strength)
    return _drawn(learn, weights, segment, len(table.names), resampling, progress)


def bootstrap_recognizer_weights(
    examples: Examples,
    *,
    strength: float,
    resampling: Resampling = REFITS,
    progress: Progress | None = None,
) -> Numbers:
    """Learn the weights of the `features` recognizer again from resampled texts.

    Lessons are not drawn: they are the same whatever the pairs. A draw in which all have the same
    gold defines no weights, and is NaN. For the arguments see `bootstrap_weights`.

    Raises:
        DataError: all pairs have the same gold.
        SettingError: the strength or the number of draws makes no sense.
    """
    tried_strengths(ModelKind.PAIR, strength)
    pairs = slice(examples.n_pairs)
    if np.ptp(examples.gold[pairs].astype(int)) == 0:
        raise DataError(
            "all-pairs-same-gold", "all pairs have the same gold, so no weights can be learned"
        )
    means, scales = scaling(examples)
    _, text = numbered(examples.texts)
    n_lessons = len(examples.gold) - examples.n_pairs
    weights = np.ones(len(examples.gold))
    learn = _likeliest(
        (examples.values - means) / scales, examples.gold, weights, strength, has_bias=True
    )
    # lessons may change a feature that never changes among the pairs: no deviation, no weight
    varied = examples.values[pairs].std(axis=0) / scales
    unit = np.concatenate([text, np.full(n_lessons, -1)])
    drawn = _drawn(learn, weights, unit, len(scales), resampling, progress)
    return np.asarray(drawn * varied, np.float64)


def metric_weights(
    title: str,
    weighing: MetricModel,
    table: FeatureTable,
    judgments: TranslationJudgments,
    *,
    resampling: Resampling = REFITS,
    progress: Progress | None = None,
) -> ModelWeights:
    """The weights of a metric with their draws, from the table and judgments that it learned from.

    Raises:
        SettingError: the weights are on other features than the table's.
    """
    if weighing.names != table.names:
        raise SettingError(
            "weights-other-features-than-table",
            f"{title}: its weights are on other features than the table's",
            hint="give the table that it was trained on",
        )
    drawn = bootstrap_weights(
        table,
        judgments,
        weighing.kind,
        strength=weighing.strength,
        resampling=resampling,
        progress=progress,
    )
    return ModelWeights(title, weighing.names, weighing.standardized, drawn, UNITS[weighing.kind])


def recognizer_weights(
    title: str,
    recognizer: FeaturesRecognizer,
    pairs: Sequence[Pair],
    *,
    resampling: Resampling = REFITS,
    progress: Progress | None = None,
) -> ModelWeights:
    """The weights that the recognizer learns from pairs with gold, with their draws.

    Its settings and workers are used, not its weights.

    Raises:
        DataError: no pair has gold and words, or all have the same gold.
    """
    scorer, kept = recognizer.scorer, usable_pairs(pairs)
    names = scorer.names(kept)
    examples = scorer.examples(kept, names)
    regression = fitted(names, examples, strength=scorer.chosen.strength, seed=resampling.seed)
    drawn = bootstrap_recognizer_weights(
        examples, strength=regression.strength, resampling=resampling, progress=progress
    )
    standardized = regression.weights * examples.values[: examples.n_pairs].std(axis=0)
    return ModelWeights(title, names, standardized, drawn, "log odds of entailment")


def _abs_learning(
    table: FeatureTable, judgments: TranslationJudgments, strength: float
) -> tuple[Learn, Numbers, Indices]:
    """How weights are learned as `fit_abs` does, what each row weighs, and its segment."""
    known = scored_outputs(table, human_scores(judgments))

    def learn(weights: Numbers) -> Numbers:
        return fit_ridge(known.z, known.scores, strength, weights=weights)[:-1]

    return learn, known.weights, _segments(known.outputs)


def _pair_learning(
    table: FeatureTable, judgments: TranslationJudgments, strength: float
) -> tuple[Learn, Numbers, Indices]:
    """How weights are learned as `fit_pair` does, what each row weighs, and its segment."""
    known = preferred_outputs(table, majority(preferences(judgments, of_assessments=True)))
    # a last row without a difference says nothing of the weights, and gives the second answer
    # that a regression wants
    differences = np.concatenate([known.differences, np.zeros((1, len(table.names)))])
    won = np.arange(len(differences)) < len(known.outputs)
    weights = np.append(known.weights, 1.0)
    learn = _likeliest(differences, won, weights, strength, has_bias=False)
    return learn, weights, np.append(_segments(known.outputs), -1)


def _segments(outputs: Sequence[OutputKey]) -> Indices:
    """The number of each output's segment."""
    return numbered(key[:2] for key in outputs)[1]


def _drawn(
    learn: Learn,
    weights: Numbers,
    unit: Indices,
    n_features: int,
    resampling: Resampling,
    progress: Progress | None,
) -> Numbers:
    """Learn from each draw of units; rows of unit −1 are in every draw."""
    found = np.empty((resampling.draws, n_features))
    n_units, done = int(unit.max()) + 1, 0
    for block in resampling.counts(n_units):
        for counts in block:
            found[done] = learn(weights * np.append(counts, 1)[unit])
            done += 1
            if progress:
                progress(1)
    return found


def _likeliest(
    z: Numbers, answers: NDArray[np.bool_], weights: Numbers, strength: float, *, has_bias: bool
) -> Learn:
    """Logistic regression, to be done again on other weights of the same rows.

    Newton's method starts from what all rows together teach, which draws are close to: two steps
    do, where from nothing it takes six.
    """

    def fit(drawn: Numbers, start: Numbers | None) -> Numbers:
        kept = drawn > 0
        return fit_logistic(
            z[kept],
            answers[kept],
            strength,
            weights=drawn[kept],
            has_bias=has_bias,
            tolerance=_CLOSE,
            start=start,
        )

    start = fit(weights, None)

    def learn(drawn: Numbers) -> Numbers:
        kept = drawn > 0
        if answers[kept].all() or not answers[kept].any():
            return np.full(z.shape[1], np.nan)
        return fit(drawn, start)[: z.shape[1]]

    return learn
