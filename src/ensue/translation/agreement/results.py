"""What an evaluation of metrics hands out: frozen values, undefined parts as None with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ensue.evaluation.measuring.intervals import DRAWS, LEVEL
from ensue.translation.agreement.analyses import Margins, PlaceConsistency
from ensue.translation.agreement.calibration import Averaging, CalibratedAccuracy
from ensue.translation.agreement.consistency import MetricConsistency, TiePolicy
from ensue.translation.agreement.correlation import MetricCorrelation, SystemCorrelation
from ensue.translation.agreement.disagreements import Disagreement
from ensue.translation.agreement.permutation import PERMUTATIONS, MetricComparisons
from ensue.translation.agreement.williams import WilliamsComparison
from ensue.translation.judgments.absolute import ScoreKind
from ensue.translation.ranking.human import HumanMethod
from ensue.translation.ranking.systems import SEGMENT_METHODS, SystemMethod


class Part(StrEnum):
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
    draws: int = DRAWS
    permutations: int = PERMUTATIONS
    level: float = LEVEL
    seed: int = 0


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
    missing: Mapping[Part, str] = field(hash=False)
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
    missing: Mapping[Part, str] = field(hash=False)
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
