"""The evaluation of metrics against judgments in one result, with its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TypeVar

from ensue.errors import SettingError, UndefinedError
from ensue.statistics import RESAMPLING, Resampling, defined, numbered
from ensue.translation.evaluation.analyses import (
    Disagreement,
    Margins,
    PlaceConsistency,
    margins,
    place_consistency,
    worst_disagreements,
)
from ensue.translation.evaluation.correlation import (
    HumanValues,
    MetricCorrelation,
    SystemCorrelation,
    SystemScores,
    segment_correlation,
    system_correlation,
)
from ensue.translation.evaluation.pairwise_accuracy import (
    Averaging,
    CalibratedAccuracy,
    MetricConsistency,
    TiePolicy,
    calibrated_accuracy,
    comparisons_of_scores,
    consistency,
)
from ensue.translation.evaluation.significance import (
    PERMUTATIONS,
    MetricComparisons,
    WilliamsComparison,
    compare_by_williams,
    compare_consistency,
    compare_pearson,
)
from ensue.translation.judgments.agreement import HumanScores, ScoreKind, human_scores
from ensue.translation.judgments.comparisons import preferences
from ensue.translation.systems import (
    SEGMENT_METHODS,
    HumanMethod,
    MetricScores,
    Preferences,
    SystemMethod,
    TranslationJudgments,
    human_system_scores,
    language_pairs,
    system_scores,
)

# What an evaluation of metrics hands out: frozen values, undefined parts as None with a reason.


class EvaluationPart(StrEnum):
    """Of an evaluation; some data lack some."""

    CONSISTENCY = "consistency"
    CALIBRATED_ACCURACY = "calibrated-accuracy"
    PLACES = "places"
    MARGINS = "margins"
    DISAGREEMENTS = "disagreements"
    CORRELATION = "correlation"
    CONSISTENCY_TESTS = "consistency-tests"
    PEARSON_TESTS = "pearson-tests"
    WILLIAMS_TESTS = "williams-tests"


@dataclass(frozen=True, slots=True)
class EvaluationSettings:
    """How metrics are held against judgments."""

    policy: TiePolicy = TiePolicy.WRONG
    """For ties of a metric."""
    averaging: Averaging = Averaging.SEGMENTS
    """For the accuracy with calibrated ties."""
    human_method: HumanMethod = HumanMethod.BETTER
    """How comparisons rank systems; where there are only absolute scores, their mean does."""
    system_methods: tuple[SystemMethod, ...] = SEGMENT_METHODS
    """How a metric's segment scores rank systems."""
    epsilons: Mapping[str, float] = field(default_factory=dict, hash=False)
    """The tie interval of `with-ties` by metric; one that is not there gets that of its scores."""
    n_worst: int = 20
    """How many of the worst disagreements to keep."""
    resampling: Resampling = RESAMPLING
    permutations: int = PERMUTATIONS.draws


@dataclass(frozen=True, slots=True)
class SystemLevel:
    """How a metric orders systems, by each way to make system scores of segment scores."""

    correlations: Mapping[SystemMethod, SystemCorrelation] = field(hash=False)
    missing: Mapping[SystemMethod, str] = field(hash=False)
    """Why a way is not there."""


@dataclass(frozen=True, slots=True)
class MetricResult:
    """What the judgments say of one metric."""

    name: str
    signature: str
    consistency: MetricConsistency | None
    """With Kendall's τ of the metrics tasks."""
    calibrated_accuracy: CalibratedAccuracy | None
    places: PlaceConsistency | None
    margins: Margins | None
    disagreements: tuple[Disagreement, ...] | None
    correlation: MetricCorrelation | None
    systems: SystemLevel
    missing: Mapping[EvaluationPart, str] = field(hash=False)
    """Why a part is None."""
    calibrated_by_pair: Mapping[str, CalibratedAccuracy] = field(default_factory=dict, hash=False)
    """The accuracy of each language pair alone, with a tie interval of its own."""


@dataclass(frozen=True, slots=True)
class MetricTests:
    """Every two metrics against each other."""

    consistency: MetricComparisons | None
    pearson: MetricComparisons | None
    """Of the mean over language pairs."""
    williams: tuple[WilliamsComparison, ...] | None
    """Of each language pair for itself."""
    missing: Mapping[EvaluationPart, str] = field(hash=False)
    """Why a test is None."""


@dataclass(frozen=True, slots=True)
class MetricEvaluation:
    """The answer to `evaluate_metrics`."""

    language_pairs: tuple[str, ...]
    """With a judgment."""
    n_rankings: int
    n_assessments: int
    n_comparisons: int
    """Every two outputs of every ranking."""
    n_human_ties: int
    human_kind: ScoreKind | None
    """What the absolute human scores are; None where there are none."""
    metrics: tuple[MetricResult, ...]
    """In the order given."""
    tests: MetricTests
    settings: EvaluationSettings


# Everything that judgments say of metrics, in one result: what `ensue mt evaluate` shows.

T = TypeVar("T")


def evaluate_metrics(
    judgments: TranslationJudgments,
    metrics: Sequence[MetricScores],
    settings: EvaluationSettings | None = None,
) -> MetricEvaluation:
    """Hold metrics against judgments in every way that the judgments allow.

    Rankings give consistency, τ, the analyses and the order of systems; assessments give
    correlations. What the data do not define is None, with the reason in `missing`.

    Raises:
        UndefinedError: there are no judgments.
        SettingError: there are no metrics, or two of one name.
        DataError: a judged output has no score.
    """
    settings = settings or EvaluationSettings()
    if not metrics:
        raise SettingError(
            "no-metrics-evaluate", "there are no metrics to evaluate", hint="give at least one"
        )
    people = _People.of(judgments)
    systems = people.systems(settings.human_method)
    compared = people.preferences
    return MetricEvaluation(
        language_pairs=people.language_pairs(),
        n_rankings=len(judgments.rankings),
        n_assessments=len(judgments.assessments),
        n_comparisons=len(compared),
        n_human_ties=int(compared.is_tie.sum()),
        human_kind=people.absolute.kind if people.absolute else None,
        metrics=tuple(_result(people, systems, metric, settings) for metric in metrics),
        tests=_tests(people, metrics, settings),
        settings=settings,
    )


def people_system_scores(
    judgments: TranslationJudgments, method: HumanMethod = HumanMethod.BETTER
) -> SystemScores:
    """What people think of systems: from rankings, or else the mean of their absolute scores."""
    return _People.of(judgments).systems(method)


@dataclass(frozen=True, slots=True, eq=False)
class _People:
    """What is needed of the judgments; asking for what they lack is an UndefinedError."""

    judgments: TranslationJudgments
    preferences: Preferences
    """From rankings."""
    absolute: HumanScores | None
    """From assessments; ranks are no absolute scores."""

    @classmethod
    def of(cls, judgments: TranslationJudgments) -> _People:
        if not judgments.rankings and not judgments.assessments:
            raise UndefinedError(
                "no-judgments-hold-metrics",
                "there are no judgments to hold metrics against",
                hint="rankings, or absolute scores",
            )
        assessed = TranslationJudgments(assessments=judgments.assessments)
        absolute = human_scores(assessed) if judgments.assessments else None
        return cls(judgments, preferences(judgments), absolute)

    def language_pairs(self) -> tuple[str, ...]:
        scored = self.absolute.outputs if self.absolute else ()
        return tuple(language_pairs([*self.preferences.outputs, *scored]))

    def ranked(self) -> Preferences:
        """From rankings alone."""
        if not len(self.preferences):
            raise UndefinedError(
                "no-rankings-two-outputs", "there are no rankings of two outputs or more"
            )
        return self.preferences

    def compared(self) -> Preferences:
        """From rankings, or from absolute scores where there are no rankings."""
        if len(self.preferences) or self.absolute is None:
            return self.ranked()
        return comparisons_of_scores(self.absolute.by_output())

    def scored(self) -> HumanValues:
        """Absolute scores."""
        if self.absolute is None:
            raise UndefinedError(
                "rankings-only-no-absolute", "there are rankings only, and no absolute human scores"
            )
        return self.absolute.by_output()

    def systems(self, method: HumanMethod) -> SystemScores:
        """From rankings, or the mean absolute score where there are no rankings."""
        if len(self.preferences):
            return human_system_scores(self.preferences, method)
        if self.absolute is None:
            return {}
        people = MetricScores("people", self.absolute.outputs, self.absolute.values)
        return system_scores(people, SystemMethod.MEAN)


def _result(
    people: _People, systems: SystemScores, metric: MetricScores, settings: EvaluationSettings
) -> MetricResult:
    missing: dict[EvaluationPart, str] = {}
    rankings, policy = people.judgments.rankings, settings.policy
    resampling = settings.resampling

    return MetricResult(
        name=metric.name,
        signature=metric.signature,
        consistency=_attempt(
            EvaluationPart.CONSISTENCY,
            missing,
            lambda: consistency(people.ranked(), metric, policy=policy, resampling=resampling),
        ),
        calibrated_accuracy=_attempt(
            EvaluationPart.CALIBRATED_ACCURACY,
            missing,
            lambda: calibrated_accuracy(people.compared(), metric, averaging=settings.averaging),
        ),
        places=_attempt(
            EvaluationPart.PLACES,
            missing,
            lambda: place_consistency(rankings, metric, policy=policy, resampling=resampling),
        ),
        margins=_attempt(
            EvaluationPart.MARGINS,
            missing,
            lambda: margins(rankings, metric, resampling=resampling),
        ),
        disagreements=_attempt(
            EvaluationPart.DISAGREEMENTS,
            missing,
            lambda: worst_disagreements(people.compared(), metric, settings.n_worst),
        ),
        correlation=_attempt(
            EvaluationPart.CORRELATION,
            missing,
            lambda: segment_correlation(people.scored(), metric, resampling=resampling),
        ),
        systems=_system_level(systems, metric, settings),
        missing=missing,
        calibrated_by_pair=_calibrated_by_pair(people, metric, settings),
    )


def _calibrated_by_pair(
    people: _People, metric: MetricScores, settings: EvaluationSettings
) -> dict[str, CalibratedAccuracy]:
    try:
        compared = people.compared()
    except UndefinedError:
        return {}
    pairs, number = numbered(key.language_pair for key in compared.outputs)
    of_comparison = number[compared.better]
    return {
        pair: calibrated_accuracy(
            compared.chosen(of_comparison == i), metric, averaging=settings.averaging
        )
        for i, pair in enumerate(pairs)
    }


def _system_level(
    human: SystemScores, metric: MetricScores, settings: EvaluationSettings
) -> SystemLevel:
    epsilon = settings.epsilons.get(metric.name)
    found: dict[SystemMethod, SystemCorrelation] = {}
    missing: dict[SystemMethod, str] = {}
    for method in settings.system_methods:
        try:
            of_systems = system_scores(metric, method, epsilon=epsilon)
            found[method] = system_correlation(metric.name, of_systems, human)
        except UndefinedError as error:
            missing[method] = error.message
    return SystemLevel(found, missing)


def _tests(
    people: _People, metrics: Sequence[MetricScores], settings: EvaluationSettings
) -> MetricTests:
    missing: dict[EvaluationPart, str] = {}
    permuted = replace(settings.resampling, draws=settings.permutations)
    if not permuted.draws:
        reason = "no permutations were asked for"
        unasked = {EvaluationPart.CONSISTENCY_TESTS: reason, EvaluationPart.PEARSON_TESTS: reason}
        return MetricTests(None, None, None, {**unasked, EvaluationPart.WILLIAMS_TESTS: reason})

    return MetricTests(
        consistency=_attempt(
            EvaluationPart.CONSISTENCY_TESTS,
            missing,
            lambda: compare_consistency(
                people.ranked(),
                metrics,
                policy=settings.policy,
                resampling=permuted,
            ),
        ),
        pearson=_attempt(
            EvaluationPart.PEARSON_TESTS,
            missing,
            lambda: compare_pearson(people.scored(), metrics, resampling=permuted),
        ),
        williams=_attempt(
            EvaluationPart.WILLIAMS_TESTS,
            missing,
            lambda: compare_by_williams(people.scored(), metrics, resampling=permuted),
        ),
        missing=missing,
    )


def _attempt(
    part: EvaluationPart, missing: dict[EvaluationPart, str], make: Callable[[], T]
) -> T | None:
    """What `make` gives; None, with the reason noted, where the data do not define it."""
    return defined(make, partial(missing.__setitem__, part))
