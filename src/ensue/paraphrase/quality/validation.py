"""How far an automatic Q agrees with people, on applications of rules that people judged.

An *instance* is a sentence with a term and the same with a paraphrase, judged by people as right or
wrong (Szpektor, Shnarch & Dagan 2007: instance-based evaluation). One half of the rules serves to
choose how the two ways are combined, and the cutoff; all figures are of the other half.

All applications of one rule are drawn together: they hang together (Efron & Tibshirani 1993,
chapter 13). Every number sees the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.pairs import Signature, cutoff_curve
from ensue.paraphrase.lists import Indices, Numbers
from ensue.paraphrase.quality.entailment import BothWays, Combination, Grade, judged_both_ways
from ensue.recognizers import Recognizer, recognizer_of
from ensue.statistics import (
    LEAST,
    RESAMPLING,
    WEIGHTED,
    Coefficient,
    Counts,
    Estimate,
    Resampling,
    TwoVariables,
    kappa,
    numbered,
    random_half,
    ranking,
    ratio,
    summed_by,
)

if TYPE_CHECKING:
    from ensue.paraphrase.formats.instances import Instances

# Numbers against yes and no: what they are worth, resampled over rules.

Booleans = NDArray[np.bool_]

_DIGITS = 12
"""Means of qualities that differ only beyond these are equal."""
NO_AREA = "people say one and the same of all instances"
_NO_KAPPA = "people and recognizer give one label throughout, so that agreement by chance is 1"
_CONSTANT = "one of the two is the same for all rules"


@dataclass(frozen=True, slots=True)
class Decisions:
    """A yes or a no for each instance, against people."""

    cutoff: float | None
    """Yes is a quality above it; None where the recognizer decides by its own."""
    accuracy: Estimate
    kappa: Estimate
    """Cohen's (1960), of recognizer and people."""
    precision: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class QualityBin:
    """Instances of about the same automatic quality."""

    low: float
    """The least quality in it."""
    high: float
    n: int
    mean_quality: float
    share_right: float
    """By people."""


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """What people say of instances, and how these are resampled."""

    is_right: Booleans
    rule: Indices
    """For each instance the number of its rule, from 0, without gaps."""
    resampling: Resampling

    @property
    def n_rules(self) -> int:
        """How many rules there are."""
        return int(self.rule.max(initial=-1)) + 1

    def counts(self) -> Iterator[Counts]:
        """How often each rule is drawn: once, then in every draw."""
        yield np.ones((1, self.n_rules), np.int64)
        yield from self.resampling.counts(self.n_rules)

    def chosen(self, which: NDArray[Any]) -> Rated:
        """Some of the instances; their rules are numbered anew."""
        _, rule = np.unique(self.rule[which], return_inverse=True)
        picked = self.is_right[which], rule.astype(np.int64)
        return Rated(*picked, self.resampling)


def roc_areas(quality: Numbers, is_right: Booleans, counts: Counts) -> Numbers:
    """The area under the ROC curve in each draw; NaN where a draw has one label only.

    It is the probability that what is right has the larger quality, ties counting half (Hanley &
    McNeil 1982).

    >>> roc_areas(np.array([0.9, 0.5, 0.5]), np.array([True, True, False]), np.ones((1, 3), int))
    array([0.75])

    Args:
        quality: Of each instance.
        is_right: What people say of it.
        counts: Draws × instances: how often each is drawn.
    """
    by = ranking(quality, np.ones(len(quality), np.bool_))
    right, wrong = by.sums(counts * is_right), by.sums(counts * ~is_right)
    n_right, n_wrong = right.sum(axis=1), wrong.sum(axis=1)
    behind = n_wrong[:, None] - np.cumsum(wrong, axis=1)
    above = (right * (behind + wrong / 2)).sum(axis=1)
    return ratio(above, (n_right * n_wrong).astype(np.float64))


def area(rated: Rated, quality: Numbers) -> Estimate:
    """The area under the ROC curve."""
    areas = [roc_areas(quality, rated.is_right, counts[:, rated.rule]) for counts in rated.counts()]
    return rated.resampling.estimate(np.concatenate(areas), NO_AREA)


def decisions(rated: Rated, says_yes: Booleans, cutoff: float | None) -> Decisions:
    """How far answers agree with people."""
    right = rated.is_right
    cells = np.stack(
        [says_yes & right, says_yes & ~right, ~says_yes & right, ~says_yes & ~right], axis=1
    )
    table = summed_by(rated.rule, cells.astype(np.float64), rated.n_rules)
    hits, alarms, misses, rest = rated.resampling.sums(table).T
    n = hits + alarms + misses + rest
    observed = ratio(hits + rest, n)
    expected = ratio((hits + alarms) * (hits + misses) + (misses + rest) * (alarms + rest), n * n)
    estimate = rated.resampling.estimate
    return Decisions(
        cutoff,
        accuracy=estimate(observed, "there are no instances"),
        kappa=estimate(kappa(observed, expected), _NO_KAPPA),
        precision=estimate(ratio(hits, hits + alarms), "no instance gets a yes"),
        recall=estimate(ratio(hits, hits + misses), "people find no instance right"),
    )


def brier(rated: Rated, quality: Numbers) -> Estimate:
    """The mean squared distance between a quality and what people say (Brier 1950): 0 is perfect.

    Unlike the area it sees whether qualities are at the right height, and Q is a factor of DIMPLE's
    gain: its height counts.
    """
    squared = (quality - rated.is_right) ** 2
    columns = np.stack([squared, np.ones_like(squared)], axis=1)
    sums = rated.resampling.sums(summed_by(rated.rule, columns, rated.n_rules))
    return rated.resampling.estimate(ratio(sums[:, 0], sums[:, 1]), "there are no instances")


def rule_correlation(rated: Rated, quality: Numbers, coefficient: Coefficient) -> Estimate:
    """Between the mean quality of each rule and the share of its instances that are right."""
    if rated.n_rules < LEAST:
        return Estimate(None, reason=f"{rated.n_rules} rules define no correlation")
    n = np.bincount(rated.rule)
    # a mean of equal qualities may differ from them in the last place, and is to tie with others
    mean = np.round(np.bincount(rated.rule, quality) / n, _DIGITS)
    share = np.bincount(rated.rule, rated.is_right) / n
    data = TwoVariables.of(mean, share)
    values = np.concatenate([WEIGHTED[coefficient](data, counts) for counts in rated.counts()])
    return rated.resampling.estimate(values, _CONSTANT)


def quality_bins(rated: Rated, quality: Numbers, n_bins: int) -> tuple[QualityBin, ...]:
    """Instances by increasing quality in about equal parts; equal qualities are not torn apart."""
    edges = np.quantile(quality, np.linspace(0, 1, n_bins + 1)[1:-1])
    place = np.searchsorted(edges, quality, side="left")
    parts = [place == i for i in np.unique(place)]
    return tuple(_bin(quality[part], rated.is_right[part]) for part in parts)


def _bin(quality: Numbers, is_right: Booleans) -> QualityBin:
    return QualityBin(
        low=float(quality.min()),
        high=float(quality.max()),
        n=len(quality),
        mean_quality=float(quality.mean()),
        share_right=float(is_right.mean()),
    )


# The ways to make a quality of two verdicts, tried on what people judged.

NO_DECISION = "the recognizer decides about no instance of the choosing half"
_NOTHING_IN_COMMON = "no instance of the choosing half has a quality in all ways to make one"

_Way = tuple[Grade, Combination]


@dataclass(frozen=True, slots=True)
class QualityTrial:
    """One way to make a quality of two verdicts, tried on the choosing half.

    All ways are tried on the same instances: those that get a quality by each way that gives any.
    """

    grade: Grade
    combination: Combination
    area: float | None
    """Under the ROC curve."""
    brier: float | None
    """The mean squared distance from what people say."""
    reason: str | None = None
    """Why there is no area, or neither of the two."""


def tried_ways(
    ways: BothWays,
    is_right: Booleans,
    choosing: Booleans,
    grade: Grade | None,
    combination: Combination | None,
) -> tuple[QualityTrial, ...]:
    """Try what is not given on the choosing half; one trial where both are given.

    Args:
        ways: The verdicts on all instances.
        is_right: What people say of them.
        choosing: Which of them are of the choosing half.
        grade: What one verdict counts; None for every grade.
        combination: How two verdicts become one number; None for every combination.
    """
    grades = [grade] if grade else list(Grade)
    combinations = [combination] if combination else list(Combination)
    tried = list(product(grades, combinations))
    reasons: dict[_Way, str] = {}
    qualities: dict[_Way, Numbers] = {}
    for way in tried:
        try:
            quality = ways.qualities(*way)[choosing]
        except UndefinedError as error:
            reasons[way] = error.message
            continue
        if np.isnan(quality).all():
            reasons[way] = NO_DECISION
        else:
            qualities[way] = quality
    found = _compared(qualities, is_right[choosing])
    return tuple(found.get(way) or QualityTrial(*way, None, None, reasons[way]) for way in tried)


def _compared(qualities: Mapping[_Way, Numbers], is_right: Booleans) -> dict[_Way, QualityTrial]:
    """Trials on the instances that all of them decide."""
    if not qualities:
        return {}
    common = ~np.isnan(np.stack(list(qualities.values()))).any(axis=0)
    if not common.any():
        return {way: QualityTrial(*way, None, None, _NOTHING_IN_COMMON) for way in qualities}
    right = is_right[common]
    return {way: _trial(way, quality[common], right) for way, quality in qualities.items()}


def _trial(way: _Way, quality: Numbers, is_right: Booleans) -> QualityTrial:
    (found,) = roc_areas(quality, is_right, np.ones((1, len(quality)), np.int64)).tolist()
    distance = float(np.mean((quality - is_right) ** 2))
    if np.isnan(found):
        return QualityTrial(*way, None, distance, NO_AREA)
    return QualityTrial(*way, found, distance)


def best_trial(trials: Sequence[QualityTrial]) -> QualityTrial:
    """The nearest to people, by the mean squared distance; of equal ones the first.

    Raises:
        UndefinedError: none of them has a distance.
    """
    defined = [trial for trial in trials if trial.brier is not None]
    if not defined:
        raise UndefinedError(
            "no-way-make-quality",
            f"no way to make a quality can be chosen: {trials[-1].reason}",
            hint="verdicts are needed on the choosing half, with confidences for the grade 'soft';"
            " or give both grade and combination",
        )
    return min(defined, key=lambda trial: trial.brier or 0.0)


BINS = 10
"""Parts of the table of qualities, unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class QualityFigures:
    """What automatic qualities are worth against people; intervals are over rules."""

    n_instances: int
    n_rules: int
    share_right: float
    """By people."""
    area: Estimate
    """Under the ROC curve."""
    brier: Estimate
    """The mean squared distance from what people say; it sees the height of qualities, too."""
    brier_of_share: Estimate
    """That of one quality for all: the share of right instances on the choosing half. It, `tuned`
    and `majority` have no value where nothing is decided there."""
    own: Decisions
    """A yes is what the recognizer itself finds entailed, in all ways that the combination counts."""
    tuned: Decisions
    """At the cutoff with the highest accuracy on the choosing half."""
    majority: Estimate
    """The accuracy of always saying what people mostly say on the choosing half."""
    pearson: Estimate
    """Between the mean quality of each rule and the share of its instances that are right."""
    spearman: Estimate
    bins: tuple[QualityBin, ...]


@dataclass(frozen=True, slots=True)
class AutomaticAgreement:
    """How far a recognizer's Q agrees with people."""

    name: str
    """Of the instances."""
    signature: Signature
    """Of the recognizer."""
    grade: Grade
    combination: Combination
    was_chosen: bool
    """Whether one of the two is what came nearest to people on the choosing half (by `brier`);
    False where both were given."""
    trials: tuple[QualityTrial, ...]
    """On the choosing half."""
    n_choosing: int
    """Instances of the choosing half that got a quality."""
    n_undecided: int
    """Instances of the reporting half that got none."""
    figures: QualityFigures
    """On the reporting half."""


def automatic_agreement(
    instances: Instances,
    recognizer: str | Path | Recognizer,
    *,
    grade: Grade | None = None,
    combination: Combination | None = None,
    bins: int = BINS,
    resampling: Resampling = RESAMPLING,
) -> AutomaticAgreement:
    """Hold a recognizer's judgment of instances, both ways, against people's.

    Args:
        instances: What people judged.
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.
        grade: What one verdict counts; None for what comes nearest to people on the choosing half.
        combination: How two verdicts become one number; None likewise.
        bins: Parts of the table of qualities.
        resampling: Draws, level and seed of the intervals.

    Raises:
        UndefinedError: the recognizer decides about no instance of the reporting half, or of the
            choosing half where something is to be chosen; or the wanted quality is not defined for
            this recognizer.
    """
    if bins < 1:
        raise SettingError("bins-hold-nothing", f"{bins!r} bins hold nothing", hint="e.g. 10")
    judging = recognizer_of(recognizer)
    ways = judged_both_ways(judging, instances.texts, instances.hypotheses)
    everything = Rated(instances.is_right, rules_of(instances), resampling)
    choosing = random_half(everything.rule, seed=resampling.seed)
    trials = tried_ways(ways, instances.is_right, choosing, grade, combination)
    best = trials[0] if len(trials) == 1 else best_trial(trials)
    quality = ways.qualities(best.grade, best.combination)
    decided = ~np.isnan(quality)
    learning, reporting = decided & choosing, decided & ~choosing
    _require_some(reporting)
    figures = _figures(
        everything.chosen(reporting),
        quality[reporting],
        says_yes=ways.qualities(Grade.HARD, best.combination)[reporting] > 0.5,
        learned=_learned(quality[learning], instances.is_right[learning]),
        bins=bins,
    )
    return AutomaticAgreement(
        name=instances.name,
        signature=judging.signature,
        grade=best.grade,
        combination=best.combination,
        was_chosen=len(trials) > 1,
        trials=trials,
        n_choosing=int(learning.sum()),
        n_undecided=int((~choosing & ~decided).sum()),
        figures=figures,
    )


@dataclass(frozen=True, slots=True)
class _Learned:
    """What the choosing half says."""

    cutoff: float
    """With the highest accuracy."""
    share: float
    """Of right instances."""


def _learned(quality: Numbers, is_right: Booleans) -> _Learned | None:
    """None where there is nothing to learn from."""
    if not quality.size:
        return None
    return _Learned(cutoff_curve(quality, is_right).tuned, float(is_right.mean()))


def _figures(
    rated: Rated, quality: Numbers, *, says_yes: Booleans, learned: _Learned | None, bins: int
) -> QualityFigures:
    """What qualities are worth, with the cutoff and the share of right ones learned elsewhere."""
    brier_of_share, tuned, majority = _by_learned(rated, quality, learned)
    return QualityFigures(
        n_instances=len(quality),
        n_rules=rated.n_rules,
        share_right=float(rated.is_right.mean()),
        area=area(rated, quality),
        brier=brier(rated, quality),
        brier_of_share=brier_of_share,
        own=decisions(rated, says_yes, None),
        tuned=tuned,
        majority=majority,
        pearson=rule_correlation(rated, quality, Coefficient.PEARSON),
        spearman=rule_correlation(rated, quality, Coefficient.SPEARMAN),
        bins=quality_bins(rated, quality, bins),
    )


def _by_learned(
    rated: Rated, quality: Numbers, learned: _Learned | None
) -> tuple[Estimate, Decisions, Estimate]:
    """The figures that hang on the choosing half, or why there are none."""
    if learned is None:
        none = Estimate(None, reason=NO_DECISION)
        return none, Decisions(None, none, none, none, none), none
    same = np.full(len(quality), learned.share)
    return (
        brier(rated, same),
        decisions(rated, quality > learned.cutoff, learned.cutoff),
        decisions(rated, same > 0.5, None).accuracy,
    )


def rules_of(instances: Instances) -> Indices:
    """For each instance the number of its rule: term, paraphrase and the order of arguments."""
    from ensue.paraphrase.words import normalized

    rules = zip(
        map(normalized, instances.terms),
        map(normalized, instances.paraphrases),
        instances.is_inverse.tolist(),
        strict=True,
    )
    return numbered(rules)[1]


def _require_some(reporting: Booleans) -> None:
    if not reporting.any():
        raise UndefinedError(
            "no-instance-reporting-half",
            "no instance of the reporting half has a quality",
            hint="take a recognizer that decides about more of them, or more instances",
        )
