"""Everything that judgments say of metrics, in one result: what `ensue mt evaluate` shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ensue.errors import SettingError, UndefinedError
from ensue.translation.agreement.analyses import margins, place_consistency
from ensue.translation.agreement.calibration import (
    CalibratedAccuracy,
    calibrated_accuracy,
    comparisons_of_scores,
)
from ensue.translation.agreement.consistency import consistency
from ensue.translation.agreement.correlation import (
    SystemCorrelation,
    SystemScores,
    segment_correlation,
    system_correlation,
)
from ensue.translation.agreement.disagreements import worst_disagreements
from ensue.translation.agreement.lineup import HumanValues
from ensue.translation.agreement.permutation import compare_consistency, compare_pearson
from ensue.translation.agreement.results import (
    EvaluationSettings,
    MetricEvaluation,
    MetricResult,
    MetricTests,
    Part,
    SystemLevel,
)
from ensue.translation.agreement.williams import compare_by_williams
from ensue.translation.judgments.absolute import HumanScores, human_scores
from ensue.translation.judgments.preferences import preferences
from ensue.translation.model import Judgments, MetricScores, Preferences, language_pairs
from ensue.translation.numbering import numbered
from ensue.translation.ranking.human import HumanMethod, human_system_scores
from ensue.translation.ranking.systems import SystemMethod, system_scores

T = TypeVar("T")


def evaluate_metrics(
    judgments: Judgments,
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
        raise SettingError("there are no metrics to evaluate", hint="give at least one")
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
    judgments: Judgments, method: HumanMethod = HumanMethod.BETTER
) -> SystemScores:
    """What people think of systems: from rankings, or else the mean of their absolute scores."""
    return _People.of(judgments).systems(method)


@dataclass(frozen=True, slots=True, eq=False)
class _People:
    """What is needed of the judgments; asking for what they lack is an UndefinedError."""

    judgments: Judgments
    preferences: Preferences
    """From rankings."""
    absolute: HumanScores | None
    """From assessments; ranks are no absolute scores."""

    @classmethod
    def of(cls, judgments: Judgments) -> _People:
        if not judgments.rankings and not judgments.assessments:
            raise UndefinedError(
                "there are no judgments to hold metrics against",
                hint="rankings, or absolute scores",
            )
        assessed = Judgments(assessments=judgments.assessments)
        absolute = human_scores(assessed) if judgments.assessments else None
        return cls(judgments, preferences(judgments), absolute)

    def language_pairs(self) -> tuple[str, ...]:
        scored = self.absolute.outputs if self.absolute else ()
        return tuple(language_pairs([*self.preferences.outputs, *scored]))

    def ranked(self) -> Preferences:
        """From rankings alone."""
        if not len(self.preferences):
            raise UndefinedError("there are no rankings of two outputs or more")
        return self.preferences

    def compared(self) -> Preferences:
        """From rankings, or from absolute scores where there are no rankings."""
        if len(self.preferences) or self.absolute is None:
            return self.ranked()
        return comparisons_of_scores(self.absolute.by_output())

    def scored(self) -> HumanValues:
        """Absolute scores."""
        if self.absolute is None:
            raise UndefinedError("there are rankings only, and no absolute human scores")
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
    missing: dict[Part, str] = {}
    rankings, policy, level = people.judgments.rankings, settings.policy, settings.level
    draws, seed = settings.draws, settings.seed

    def attempt(part: Part, make: Callable[[], T]) -> T | None:
        return _attempt(part, missing, make)

    return MetricResult(
        name=metric.name,
        signature=metric.signature,
        consistency=attempt(
            Part.CONSISTENCY,
            lambda: consistency(
                people.ranked(), metric, policy=policy, draws=draws, level=level, seed=seed
            ),
        ),
        calibrated_accuracy=attempt(
            Part.CALIBRATED_ACCURACY,
            lambda: calibrated_accuracy(people.compared(), metric, averaging=settings.averaging),
        ),
        places=attempt(
            Part.PLACES,
            lambda: place_consistency(
                rankings, metric, policy=policy, draws=draws, level=level, seed=seed
            ),
        ),
        margins=attempt(
            Part.MARGINS, lambda: margins(rankings, metric, draws=draws, level=level, seed=seed)
        ),
        disagreements=attempt(
            Part.DISAGREEMENTS,
            lambda: worst_disagreements(people.compared(), metric, settings.n_worst),
        ),
        correlation=attempt(
            Part.CORRELATION,
            lambda: segment_correlation(
                people.scored(), metric, draws=draws, level=level, seed=seed
            ),
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
    missing: dict[Part, str] = {}
    n, level, seed = settings.permutations, settings.level, settings.seed
    if not n:
        reason = "no permutations were asked for"
        unasked = {Part.CONSISTENCY_TESTS: reason, Part.PEARSON_TESTS: reason}
        return MetricTests(None, None, None, {**unasked, Part.WILLIAMS_TESTS: reason})
    return MetricTests(
        consistency=_attempt(
            Part.CONSISTENCY_TESTS,
            missing,
            lambda: compare_consistency(
                people.ranked(),
                metrics,
                policy=settings.policy,
                permutations=n,
                level=level,
                seed=seed,
            ),
        ),
        pearson=_attempt(
            Part.PEARSON_TESTS,
            missing,
            lambda: compare_pearson(
                people.scored(), metrics, permutations=n, level=level, seed=seed
            ),
        ),
        williams=_attempt(
            Part.WILLIAMS_TESTS,
            missing,
            lambda: compare_by_williams(people.scored(), metrics, level=level),
        ),
        missing=missing,
    )


def _attempt(part: Part, missing: dict[Part, str], make: Callable[[], T]) -> T | None:
    """What `make` gives; None, with the reason noted, where the data do not define it."""
    try:
        return make()
    except UndefinedError as error:
        missing[part] = error.message
        return None
