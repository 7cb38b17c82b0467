"""How far an automatic Q agrees with people, on applications of rules that people judged.

An *instance* is a sentence with a term and the same with a paraphrase, judged by people as right or
wrong (Szpektor, Shnarch & Dagan 2007: instance-based evaluation). One half of the rules serves to
choose how the two ways are combined, and the cutoff; all figures are of the other half.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.pairs import Signature, cutoff_curve
from ensue.paraphrase.lists import Indices, Numbers
from ensue.paraphrase.quality.agreement import (
    NO_DECISION,
    Booleans,
    Decisions,
    QualityBin,
    QualityTrial,
    Rated,
    area,
    best_trial,
    brier,
    decisions,
    quality_bins,
    rule_correlation,
    tried_ways,
)
from ensue.paraphrase.quality.entailment import Combination, Grade, judged_both_ways
from ensue.recognizers import Recognizer, load
from ensue.statistics import (
    RESAMPLING,
    Coefficient,
    Estimate,
    Resampling,
    random_half,
)

if TYPE_CHECKING:
    from ensue.paraphrase.formats.instances import Instances

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
        raise SettingError(f"{bins!r} bins hold nothing", hint="e.g. 10")
    judging = load(recognizer) if isinstance(recognizer, str | Path) else recognizer
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
    number: dict[tuple[str, str, bool], int] = {}
    return np.array([number.setdefault(rule, len(number)) for rule in rules], np.int64)


def _require_some(reporting: Booleans) -> None:
    if not reporting.any():
        raise UndefinedError(
            "no instance of the reporting half has a quality",
            hint="take a recognizer that decides about more of them, or more instances",
        )
