"""How far an automatic Q agrees with people, on applications of rules that people judged.

An *instance* is a sentence with a term and the same with a paraphrase, judged by people as right or
wrong (Szpektor, Shnarch & Dagan 2007: instance-based evaluation). One half of the rules serves to
choose how the two ways are combined, and the cutoff; all figures are of the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.correlation.coefficients import Coefficient
from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.results import Estimate
from ensue.pairs import Signature
from ensue.pairs.cutoffs import cutoff_curve
from ensue.paraphrase.model import Indices, Numbers
from ensue.paraphrase.qualities.agreeing import (
    Booleans,
    Decisions,
    QualityBin,
    Rated,
    area,
    brier,
    decisions,
    quality_bins,
    roc_areas,
    rule_correlation,
)
from ensue.paraphrase.qualities.both_ways import (
    BothWays,
    Combination,
    Grade,
    judged_both_ways,
)
from ensue.recognizers import Recognizer, load

if TYPE_CHECKING:
    from ensue.paraphrase.reading.instances import Instances

BINS = 10
"""Parts of the table of qualities, unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One way to make a quality of two verdicts, tried on the choosing half."""

    grade: Grade
    combination: Combination
    area: float | None
    """Under the ROC curve."""
    brier: float | None
    """The mean squared distance from what people say."""
    reason: str | None = None
    """Why there is none."""


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
    """That of one quality for all: the share of right instances on the choosing half."""
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
    trials: tuple[Trial, ...]
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
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
) -> AutomaticAgreement:
    """Hold a recognizer's judgment of instances, both ways, against people's.

    Args:
        instances: What people judged.
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.
        grade: What one verdict counts; None for what comes nearest to people on the choosing half.
        combination: How two verdicts become one number; None likewise.
        bins: Parts of the table of qualities.
        draws: How many resamples.
        level: Of the intervals.
        seed: Of the halves and of the resamples.

    Raises:
        UndefinedError: a half has no instance that the recognizer decides, or the wanted quality
            is not defined for this recognizer.
    """
    check_resampling(draws, level)
    if bins < 1:
        raise SettingError(f"{bins!r} bins hold nothing", hint="e.g. 10")
    judging = load(recognizer) if isinstance(recognizer, str | Path) else recognizer
    ways = judged_both_ways(judging, instances.texts, instances.hypotheses)
    everything = Rated(instances.is_right, rules_of(instances), draws, level, seed)
    choosing = chosen_half(everything.rule, seed)
    trials = _trials(ways, instances.is_right, choosing, grade, combination)
    best = _best(trials)
    quality = ways.qualities(best.grade, best.combination)
    decided = ~np.isnan(quality)
    learning = _some(decided & choosing, "choosing")
    reporting = _some(decided & ~choosing, "reporting")
    figures = _figures(
        everything.chosen(reporting),
        quality[reporting],
        says_yes=ways.qualities(Grade.HARD, best.combination)[reporting] > 0.5,
        cutoff=cutoff_curve(quality[learning], instances.is_right[learning]).tuned,
        usual=float(instances.is_right[learning].mean()),
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


def _figures(
    rated: Rated, quality: Numbers, *, says_yes: Booleans, cutoff: float, usual: float, bins: int
) -> QualityFigures:
    """What qualities are worth, with the cutoff and the share of right ones learned elsewhere."""
    same = np.full(len(quality), usual)
    return QualityFigures(
        n_instances=len(quality),
        n_rules=rated.n_rules,
        share_right=float(rated.is_right.mean()),
        area=area(rated, quality),
        brier=brier(rated, quality),
        brier_of_share=brier(rated, same),
        own=decisions(rated, says_yes, None),
        tuned=decisions(rated, quality > cutoff, cutoff),
        majority=decisions(rated, same > 0.5, None).accuracy,
        pearson=rule_correlation(rated, quality, Coefficient.PEARSON),
        spearman=rule_correlation(rated, quality, Coefficient.SPEARMAN),
        bins=quality_bins(rated, quality, bins),
    )


def rules_of(instances: Instances) -> Indices:
    """For each instance the number of its rule: term, paraphrase and the order of arguments."""
    from ensue.paraphrase.reading.rules import normalized

    rules = zip(
        map(normalized, instances.terms),
        map(normalized, instances.paraphrases),
        instances.is_inverse.tolist(),
        strict=True,
    )
    number: dict[tuple[str, str, bool], int] = {}
    return np.array([number.setdefault(rule, len(number)) for rule in rules], np.int64)


def chosen_half(rule: Indices, seed: int) -> Booleans:
    """Whether each instance belongs to the half that choices are made on; rules stay whole."""
    n_rules = int(rule.max(initial=-1)) + 1
    order = np.random.default_rng(seed).permutation(n_rules)
    return np.asarray((order < n_rules // 2)[rule], np.bool_)


def _trials(
    ways: BothWays,
    is_right: Booleans,
    choosing: Booleans,
    grade: Grade | None,
    combination: Combination | None,
) -> tuple[Trial, ...]:
    grades = [grade] if grade else list(Grade)
    combinations = [combination] if combination else list(Combination)
    return tuple(_trial(ways, is_right, choosing, *each) for each in product(grades, combinations))


def _trial(
    ways: BothWays,
    is_right: Booleans,
    choosing: Booleans,
    grade: Grade,
    combination: Combination,
) -> Trial:
    try:
        quality = ways.qualities(grade, combination)
    except UndefinedError as error:
        return Trial(grade, combination, None, None, error.message)
    decided = choosing & ~np.isnan(quality)
    quality, is_right = quality[decided], is_right[decided]
    (found,) = roc_areas(quality, is_right, np.ones((1, len(quality)), np.int64)).tolist()
    if np.isnan(found):
        return Trial(grade, combination, None, None, "people say one and the same of all instances")
    return Trial(grade, combination, found, float(np.mean((quality - is_right) ** 2)))


def _best(trials: Sequence[Trial]) -> Trial:
    """The nearest to people, by the mean squared distance; of equal ones the first."""
    defined = [trial for trial in trials if trial.brier is not None]
    if not defined:
        raise UndefinedError(
            f"no quality can be made of these verdicts: {trials[0].reason}",
            hint="instances of both kinds are needed, and verdicts on them with confidences",
        )
    return min(defined, key=lambda trial: trial.brier or 0.0)


def _some(which: Booleans, half: str) -> Booleans:
    if not which.any():
        raise UndefinedError(
            f"no instance of the {half} half has a quality",
            hint="at least two rules are needed that the recognizer decides",
        )
    return which
