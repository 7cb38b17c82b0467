"""What the evaluation room hands out: frozen values, undefined numbers as None with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ensue.pairs import Finding, Label, View
from ensue.statistics import Difference, Estimate, Resampling

if TYPE_CHECKING:
    from ensue.evaluation.judged_runs import Judged


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How many pairs were answered, and what became of the others."""

    n_pairs: int
    """Pairs with gold: the answered, the undecided and the missing."""
    n_answered: int
    n_missing: int = 0
    """Pairs that the run does not mention."""
    n_abstained: int = 0
    n_budget_exhausted: int = 0
    n_failed: int = 0

    @property
    def n_unanswered(self) -> int:
        """Pairs without a decision, for whatever reason."""
        return self.n_pairs - self.n_answered


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each gold label met each answer."""

    labels: tuple[Label, ...]
    """The labels of the rows (gold) and of the columns (answers)."""
    counts: tuple[tuple[int, ...], ...]
    """`counts[i][j]`: pairs with gold i answered j."""
    unanswered: tuple[int, ...]
    """For each gold label, the pairs without an answer."""


@dataclass(frozen=True, slots=True)
class LabelScores:
    """Precision, recall and F for one label."""

    label: Label
    n_gold: int
    """Pairs with this gold label."""
    n_answered: int
    """Pairs with this answer."""
    n_right: int
    """Pairs with both."""
    precision: Estimate
    recall: Estimate
    f: Estimate


@dataclass(frozen=True, slots=True)
class ChanceTest:
    """Whether a measure is better than guessing."""

    measure: str
    """`accuracy` (on the answered) or `cws`."""
    n: int
    """Answered pairs."""
    value: float | None
    """What the run reached."""
    chance: float
    """The probability that a guess is right, which is also the expectation of both measures."""
    p: float | None
    """One-sided: the probability of guessing at least this well."""
    method: str
    """`exact binomial`, `simulation` or, on large data, `normal approximation`."""
    reason: str | None = None
    """Why there is no p."""


@dataclass(frozen=True, slots=True)
class PriorScores:
    """The scores to expect where another share of the pairs are entailments."""

    prior: float
    """That share."""
    accuracy: Estimate
    """Pairs without an answer are not right."""
    precision: Estimate
    recall: Estimate
    f: Estimate


@dataclass(frozen=True, slots=True)
class Scores:
    """Everything that is measured of one run on one set of pairs."""

    counts: AnswerCounts
    measures: Mapping[str, Estimate] = field(hash=False)
    """By name, the built-in ones first: `accuracy`, `accuracy-all`, `coverage`, `cws`, …"""
    labels: tuple[LabelScores, ...]
    """For each label of the view, entailment first."""
    macro_f: Estimate
    """The mean F of the labels that occur."""
    confusion: Confusion
    chance: tuple[ChanceTest, ...]
    """Accuracy, then cws."""
    prior: PriorScores | None = None
    """Where another share of entailments was asked for."""


@dataclass(frozen=True, slots=True)
class RunEvaluation:
    """One run's scores, as a whole and by task."""

    name: str
    signature: str | None
    """The recognizer's signature, where the run has a header."""
    scores: Scores
    by_task: Mapping[str, Scores] = field(hash=False)
    """Empty unless asked for; the pairs without a task are under `NO_TASK`."""
    judged: Judged = field(hash=False)
    """Gold and run side by side, for curves; of large data, a summary of them."""
    given: Mapping[Label, int] = field(default_factory=dict, hash=False)
    """How many pairs with gold got each label, as the run has it and not as the view does."""


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs on the same pairs. A pair without an answer counts as not right."""

    first: str
    second: str
    n: int
    """Pairs with gold."""
    only_first: int
    """Pairs that the first run alone gets right."""
    only_second: int
    """Pairs that the second run alone gets right."""
    p: float
    """Two-sided exact McNemar."""
    p_holm: float
    """The same, corrected for the number of comparisons (Holm)."""
    differs: bool
    """Whether the corrected p is at most 1 − level."""
    differences: Mapping[str, Difference] = field(hash=False)
    """Of `accuracy`, `accuracy-all`, `cws` and `average-precision`."""

    @property
    def disagreement(self) -> float:
        """The share of pairs that exactly one of the runs gets right."""
        return (self.only_first + self.only_second) / self.n


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answer to `evaluate`: runs, comparisons, clusters, findings, and how it was computed."""

    view: View
    """The labels in which gold and runs are compared."""
    n_pairs: int
    """Pairs with gold."""
    n_without_gold: int
    """Pairs left out because they have no gold."""
    runs: tuple[RunEvaluation, ...]
    """In the order given."""
    comparisons: tuple[RunComparison, ...]
    """Every two runs, in the order given; empty for a single run."""
    clusters: tuple[tuple[str, ...], ...]
    """Maximal sets of runs, consecutive by accuracy-all, no two of which differ; best first."""
    findings: tuple[Finding, ...]
    resampling: Resampling


@dataclass(frozen=True, slots=True, eq=False)
class RiskCoverage:
    """Risk (1 − accuracy) when only the most confident share is answered."""

    coverage: NDArray[np.float64]
    """Share of all pairs, one point after each distinct confidence, increasing."""
    risk: NDArray[np.float64]
    confidence: NDArray[np.float64]
    """The lowest confidence that is still answered at the point."""
    area: float
    """The mean risk over the answered, ties in expectation: 1 − cws."""


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The answers whose confidence lies in one bin."""

    low: float
    high: float
    n: int
    confidence: float | None
    """Their mean confidence; None where the bin is empty."""
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Reliability:
    """Confidence against accuracy, and the expected calibration error."""

    bins: tuple[ReliabilityBin, ...]
    error: float
    """Σ n_bin/n · |accuracy − confidence|."""
    n: int
    """Answered pairs."""
    floor: float
    """A confidence c was read as floor + (1 − floor)·c."""


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve:
    """True against false positives over all cutoffs."""

    false_positive_rate: NDArray[np.float64]
    true_positive_rate: NDArray[np.float64]
    auc: float
    """The probability that an entailment scores higher than another pair, ties counting half."""


@dataclass(frozen=True, slots=True, eq=False)
class CutoffBand:
    """Accuracy at fixed cutoffs, with its bootstrap interval at each."""

    cutoffs: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CriticalValue:
    """The value from which a measure is better than chance."""

    measure: str
    """`accuracy` or `cws`."""
    level: float
    """E.g. 0.05."""
    sides: int
    """1 or 2."""
    method: str
    """`exact` (accuracy), `normal` (both) or `simulated` (cws)."""
    value: float


@dataclass(frozen=True, slots=True)
class PublishedLevel:
    """A published critical value, beside ours, and which reading it fits."""

    measure: str
    level: float
    published: float
    one_sided: float
    """Ours, by the normal approximation."""
    two_sided: float
    """Ours, by the normal approximation."""
    sides: int
    """1 or 2, whichever of ours is nearer."""
    distance: float
    """The published value minus the nearer of ours."""


@dataclass(frozen=True, slots=True)
class Power:
    """What a paired comparison of two runs can see."""

    n: int
    """Pairs."""
    difference: float
    """Of the two accuracies, as a share (0.02 is two points)."""
    disagreement: float
    """The share of pairs that exactly one of the runs gets right."""
    alpha: float
    """Two-sided level of the test."""
    power: float
    """The probability that exact McNemar sees the difference with n pairs."""


@dataclass(frozen=True, slots=True)
class PairsNeeded:
    """How many pairs it takes to see a difference."""

    difference: float
    disagreement: float
    alpha: float
    power: float
    """The probability wanted."""
    formula: int
    """Connor's (1987) number."""
    exact: int
    """The number at which exact McNemar, which is more cautious, has that power."""


@dataclass(frozen=True, slots=True)
class GroupScore:
    """How well the pairs of one group are judged and ranked."""

    group: str
    n: int
    n_positive: int
    n_right: int
    """Pairs with a right answer."""
    average_precision: float | None
    """None where the group has no entailment."""
    reciprocal_rank: float | None

    @property
    def all_right(self) -> bool:
        """Whether every pair has a right answer."""
        return self.n_right == self.n


@dataclass(frozen=True, slots=True)
class GroupScores:
    """Groups of pairs: candidate texts for one hypothesis, or the minimal pairs of a suite."""

    groups: tuple[GroupScore, ...]
    """Those of two pairs or more: one alone is no ranking."""
    n_with_positive: int
    """Groups with an entailment; the means are over these."""
    mean_average_precision: float | None
    mean_reciprocal_rank: float | None
    reason: str | None = None
    """Why the means are None."""

    @property
    def accuracy(self) -> float | None:
        """The share of groups in which every pair has a right answer; None without a group."""
        if not self.groups:
            return None
        return sum(group.all_right for group in self.groups) / len(self.groups)
