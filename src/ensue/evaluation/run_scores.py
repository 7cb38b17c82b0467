"""All scores of one run on one set of pairs, also under another prior and by group.

The challenge's sets are half entailments; applications seldom are. What a run does to entailments
and to other pairs is kept, only their shares π and 1 − π change: accuracy is
recall_yes·π + recall_no·(1 − π), precision recall_yes·π / (recall_yes·π + false_yes·(1 − π)).

The challenge paper looks forward to this ranking in its conclusions; the minimal pairs of a suite
are groups as well, and there it counts whether all of a group is right. Each group is a ranking by confidence
that entailment holds; average precision and reciprocal rank are expectations over the random order
of ties. A text without an answer is not retrieved: it adds nothing, but counts among those to find.
In a group of one text there is nothing to rank, so such groups are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.evaluation.judged_runs import (
    UNANSWERED,
    Judged,
    confidence_gap,
    entailment_gap,
    entailment_key,
)
from ensue.evaluation.measures import (
    ACCURACY,
    CWS,
    MACRO_F,
    Measure,
    Replicates,
    Resample,
    estimate,
    f_of,
    precision_of,
    recall_of,
)
from ensue.evaluation.results import (
    AnswerCounts,
    ChanceTest,
    Confusion,
    CriticalValue,
    GroupScore,
    GroupScores,
    LabelScores,
    PriorScores,
    PublishedLevel,
    Scores,
)
from ensue.evaluation.verdicts import MISSING, STATUSES
from ensue.pairs import Status, View
from ensue.statistics import (
    RESAMPLING,
    Counts,
    Numbers,
    Resampling,
    binomial_p,
    cws_weights,
    expected_average_precision,
    expected_reciprocal_rank,
    normal_p,
    ranked_parts,
    ranking,
    ratio,
    simulated_p,
    squared_cws_weights,
)

# Scores under another share of entailments than the data set has.


def prior_measures(prior: float) -> tuple[Measure, Measure, Measure, Measure]:
    """Accuracy (unanswered is not right), precision, recall and F under a share of entailments.

    Raises:
        SettingError: the share is not in [0, 1].
    """
    if not 0 <= prior <= 1:
        raise SettingError(
            "prior-not", f"prior {prior!r} is not in [0, 1]", hint="0.1 is one in ten"
        )
    return (
        _measure("accuracy", "recall_yes·π + recall_no·(1 − π)", prior),
        _measure("precision", "recall_yes·π / (recall_yes·π + false_yes·(1 − π))", prior),
        _measure("recall", "recall_yes", prior),
        _measure("f", "2·precision·recall / (precision + recall)", prior),
    )


def prior_scores(
    judged: Judged, prior: float, drawn: Replicates, resampling: Resampling = RESAMPLING
) -> PriorScores:
    """The scores under a share of entailments, from draws that have `prior_measures`."""
    results = [estimate(judged, m, drawn[m.name], resampling) for m in prior_measures(prior)]
    return PriorScores(prior, *results)


def _measure(name: str, formula: str, prior: float) -> Measure:
    functions = {"accuracy": _accuracy, "precision": _precision, "recall": _recall, "f": _f}
    return Measure(
        name=f"{name}-at-prior",
        summary=f"{name} where a share π of the pairs are entailments",
        formula=formula,
        source="Dagan, Glickman & Magnini 2005, section 1.2, on other distributions",
        range=(0.0, 1.0),
        weighted=lambda draw: functions[name](draw, prior),
        gap=lambda judged: _gap(judged, name, prior),
    )


def _gap(judged: Judged, name: str, prior: float) -> str | None:
    n_yes = judged.confusion[0].sum()
    if n_yes == 0:
        return "no pair is an entailment in the gold"
    if name != "recall" and n_yes == judged.n_pairs:
        return "all pairs are entailments in the gold"
    if name == "precision" and judged.confusion[:, 0].sum() == 0:
        return "the run never answers entailment"
    if name in ("precision", "f") and prior == 0:
        return "without entailments there is nothing to find"
    return None


def _rates(draw: Resample) -> tuple[Numbers, Numbers, Numbers]:
    """Of the entailments the share found; of the others the shares right and taken for yes."""
    table = draw.confusion
    others = table[:, 1:].sum(axis=(1, 2))
    right = np.trace(table[:, 1:, 1:-1], axis1=1, axis2=2)
    found = ratio(table[:, 0, 0], table[:, 0].sum(axis=1))
    return found, ratio(right, others), ratio(table[:, 1:, 0].sum(axis=1), others)


def _accuracy(draw: Resample, prior: float) -> Numbers:
    found, right, _ = _rates(draw)
    return found * prior + right * (1 - prior)


def _precision(draw: Resample, prior: float) -> Numbers:
    found, _, false = _rates(draw)
    return ratio(found * prior, found * prior + false * (1 - prior))


def _recall(draw: Resample, prior: float) -> Numbers:  # noqa: ARG001 - one shape for all
    return _rates(draw)[0]


def _f(draw: Resample, prior: float) -> Numbers:
    found, _, false = _rates(draw)
    return ratio(2 * found * prior, prior + found * prior + false * (1 - prior))


# Everything that is measured of one run on one set of pairs, from the draws of all its
# measures.


def needed_measures(
    measures: Sequence[Measure], view: View, prior: float | None
) -> tuple[Measure, ...]:
    """The measures asked for, and those of every label, macro F and the prior."""
    labelled = [m(label, view) for label in view.labels for m in (precision_of, recall_of, f_of)]
    shifted = prior_measures(prior) if prior is not None else ()
    # the same name is the same measure, so that each is drawn once
    return tuple({m.name: m for m in (*measures, *labelled, MACRO_F, *shifted)}.values())


def scores(
    judged: Judged,
    measures: Sequence[Measure],
    drawn: Replicates,
    *,
    prior: float | None,
    resampling: Resampling,
) -> Scores:
    """Put together what is measured of a run.

    Args:
        judged: Gold and run side by side.
        measures: Those to be listed by name.
        drawn: What `replicates` gives for `needed_measures`.
        prior: A share of entailments to expect, or None.
        resampling: Of the intervals; as many runs are guessed for the test of the cws.
    """
    return Scores(
        counts=answer_counts(judged),
        measures={m.name: estimate(judged, m, drawn[m.name], resampling) for m in measures},
        labels=_label_scores(judged, drawn, resampling),
        macro_f=estimate(judged, MACRO_F, drawn[MACRO_F.name], resampling),
        confusion=confusion(judged),
        chance=chance_tests(judged, draws=resampling.draws, seed=resampling.seed),
        prior=prior_scores(judged, prior, drawn, resampling) if prior is not None else None,
    )


def answer_counts(judged: Judged) -> AnswerCounts:
    """How many pairs were answered, and what became of the others."""
    n = {status: int((judged.status == i).sum()) for i, status in enumerate(STATUSES)}
    return AnswerCounts(
        n_pairs=judged.n_pairs,
        n_answered=judged.n_answered,
        n_missing=n[MISSING],
        n_abstained=n[Status.ABSTAINED.value],
        n_budget_exhausted=n[Status.BUDGET_EXHAUSTED.value],
        n_failed=n[Status.FAILED.value],
    )


def confusion(judged: Judged) -> Confusion:
    """How often each gold label met each answer."""
    table = judged.confusion
    return Confusion(
        labels=judged.view.labels,
        counts=tuple(tuple(map(int, row[:-1])) for row in table),
        unanswered=tuple(map(int, table[:, -1])),
    )


def _label_scores(
    judged: Judged, drawn: Replicates, resampling: Resampling
) -> tuple[LabelScores, ...]:
    results = []
    for i, label in enumerate(judged.view.labels):
        measures = [each(label, judged.view) for each in (precision_of, recall_of, f_of)]
        precision, recall, f = (estimate(judged, m, drawn[m.name], resampling) for m in measures)
        results.append(
            LabelScores(
                label=label,
                n_gold=int(judged.confusion[i].sum()),
                n_answered=int(judged.confusion[:, i].sum()),
                n_right=int(judged.confusion[i, i]),
                precision=precision,
                recall=recall,
                f=f,
            )
        )
    return tuple(results)


# Groups of pairs: candidate texts for one hypothesis, the entailing ones to come first.


def group_scores(judged: Judged) -> GroupScores:
    """Average precision and reciprocal rank of each group of two texts or more, and their means.

    Raises:
        SettingError: the groups were not wanted when the gold was read.
    """
    if judged.groups is None:
        raise SettingError(
            "groups-pairs-not-read", "the groups of the pairs were not read", hint="ask for groups"
        )
    gap = entailment_gap(judged)
    key = None if gap else entailment_key(judged)
    codes = judged.groups.codes
    sizes = np.bincount(codes, minlength=len(judged.groups.names))
    members = np.split(np.argsort(codes, kind="stable"), np.cumsum(sizes)[:-1])
    named = [each for each in zip(judged.groups.names, members, strict=True) if len(each[1]) > 1]
    named.sort(key=lambda each: int(each[1][0]))
    groups = tuple(_group_score(name, own, judged, key) for name, own in named)
    return _means(groups, gap)


def _group_score(
    name: str, indices: NDArray[np.intp], judged: Judged, key: Numbers | None
) -> GroupScore:
    gold, answer = judged.gold[indices], judged.answer[indices]
    is_yes = gold == 0
    n_positive, n_right = int(is_yes.sum()), int((gold == answer).sum())
    if key is None or n_positive == 0:
        return GroupScore(name, len(indices), n_positive, n_right, None, None)
    by = ranking(key[indices], answer != UNANSWERED)
    hits = is_yes[by.order].astype(np.int64)
    if not hits.any():
        return GroupScore(name, len(indices), n_positive, n_right, 0.0, 0.0)
    sizes = np.diff(np.append(by.starts, len(hits)))
    in_groups = np.add.reduceat(hits, by.starts)
    wanted = np.array([n_positive], float)
    precision = float(expected_average_precision(sizes[None, :], in_groups[None, :], wanted)[0])
    rank = expected_reciprocal_rank(sizes, in_groups)
    return GroupScore(name, len(indices), n_positive, n_right, precision, rank)


def _means(groups: tuple[GroupScore, ...], gap: str | None) -> GroupScores:
    n_with_positive = sum(group.n_positive > 0 for group in groups)
    if gap is None and n_with_positive == 0:
        gap = "no group of two texts or more has an entailment"
    if gap is not None:
        return GroupScores(groups, n_with_positive, None, None, gap)
    precisions = [g.average_precision for g in groups if g.average_precision is not None]
    ranks = [g.reciprocal_rank for g in groups if g.reciprocal_rank is not None]
    return GroupScores(groups, n_with_positive, float(np.mean(precisions)), float(np.mean(ranks)))


# Better than guessing? A guess is right with probability c = 1 / number of labels, independently for
# each pair. The number of right answers is then binomial. The confidence-weighted score is linear in
# the right answers, Σ_j w_j·right_j with w_j = (H_n − H_{j−1})/n at place j, so that its expectation
# under guessing is c and its variance c(1 − c)·Σ_j w_j².

SIMULATIONS = 10_000
"""How many runs are guessed for simulated critical values, unless asked otherwise."""

_CELLS = 4_000_000


def chance_tests(judged: Judged, *, draws: int, seed: int = 0) -> tuple[ChanceTest, ...]:
    """Test the accuracy on the answered, and the cws, against guessing in the run's view."""
    return accuracy_test(judged), cws_test(judged, draws=draws, seed=seed)


def accuracy_test(judged: Judged) -> ChanceTest:
    """The exact one-sided binomial test of the accuracy on the answered."""
    n, n_right, chance = judged.n_answered, int(judged.right.sum()), judged.view.chance
    p = binomial_p(n_right, n, chance) if n else None
    reason = ACCURACY.gap(judged)
    return ChanceTest("accuracy", n, ACCURACY(judged), chance, p, "exact binomial", reason)


def cws_test(judged: Judged, *, draws: int, seed: int = 0) -> ChanceTest:
    """The simulated one-sided test of the cws: guesses, ranked with the ties of this run.

    Of a data set of more than `LARGE` pairs, by the normal approximation.
    """
    n, chance, value = judged.n_answered, judged.view.chance, CWS(judged)
    reason = confidence_gap(judged)
    if value is not None and judged.is_large:
        parts = ranked_parts(judged.confidence, judged.answered, judged.right)
        squares = squared_cws_weights((part.sizes[0] for part in parts), n)
        p = normal_p(value, chance, float(np.sqrt(chance * (1 - chance) * squares)))
        return ChanceTest("cws", n, value, chance, p, "normal approximation")
    if value is None or draws == 0:
        reason = reason or "no simulation was asked for"
        return ChanceTest("cws", n, value, chance, None, "simulation", reason)
    order = ranking(judged.confidence, judged.answered)
    sizes = np.diff(np.append(order.starts, n))
    guessed = guessed_cws(sizes, chance, draws=draws, seed=seed)
    return ChanceTest("cws", n, value, chance, simulated_p(value, guessed), "simulation")


def guessed_cws(sizes: Counts, chance: float, *, draws: int, seed: int = 0) -> Numbers:
    """The cws of many guessed runs whose confidences form tie groups of these sizes."""
    weights = np.repeat(cws_weights(sizes), sizes)
    rng = np.random.default_rng(seed)
    rows = max(1, _CELLS // len(weights))
    parts = [
        (rng.random((min(rows, draws - start), len(weights)), dtype=np.float32) < chance) @ weights
        for start in range(0, draws, rows)
    ]
    return np.concatenate(parts)


def cws_deviation(n: int, chance: float = 0.5) -> float:
    """The standard deviation of the cws of n guesses with distinct confidences."""
    weights = cws_weights(np.ones(n, dtype=np.int64))
    return float(np.sqrt(chance * (1 - chance) * (weights**2).sum()))


def critical_values(
    n: int,
    *,
    chance: float = 0.5,
    levels: Sequence[float] = (0.05, 0.01),
    draws: int = SIMULATIONS,
    seed: int = 0,
) -> tuple[CriticalValue, ...]:
    """From which accuracy and which cws on n pairs a run is better than chance.

    For accuracy exactly and by the normal approximation, for cws by the latter and by simulation;
    one-sided and two-sided, at each level. The exact value is the smallest significant accuracy.

    Raises:
        SettingError: n is not positive, or chance or a level is not in (0, 1).
    """
    _check(n, chance, levels)
    guessed = guessed_cws(np.ones(n, dtype=np.int64), chance, draws=draws, seed=seed)
    values = []
    for level in levels:
        for sides in (1, 2):
            tail = level / sides
            for measure, method, value in (
                ("accuracy", "exact", exact_accuracy(n, chance, tail)),
                ("accuracy", "normal", _normal(chance, _deviation(n, chance), tail)),
                ("cws", "normal", _normal(chance, cws_deviation(n, chance), tail)),
                ("cws", "simulated", float(np.quantile(guessed, 1 - tail))),
            ):
                values.append(CriticalValue(measure, level, sides, method, value))
    return tuple(sorted(values, key=lambda v: (v.measure, v.sides, -v.level, v.method)))


def exact_accuracy(n: int, chance: float, tail: float) -> float:
    """The smallest accuracy on n pairs that guessing reaches with probability at most `tail`.

    Above 1 where even all right is likelier than that.
    """
    from scipy.special import bdtrc

    n_right = np.arange(1, n + 2)
    enough = np.append(bdtrc(n_right[:-1] - 1, n, chance) <= tail, True)
    return float(n_right[np.argmax(enough)] / n)


def read_published(
    published: Mapping[tuple[str, float], float],
    n: int = 800,
    *,
    chance: float = 0.5,
) -> tuple[PublishedLevel, ...]:
    """Find out which published critical values are one-sided and which two-sided.

    >>> challenge = {("accuracy", 0.05): 0.535, ("cws", 0.05): 0.540}
    >>> for level in read_published(challenge):
    ...     ours = f"{level.one_sided:.4f} {level.two_sided:.4f}"
    ...     print(level.measure, level.level, level.published, ours, level.sides)
    accuracy 0.05 0.535 0.5291 0.5346 2
    cws 0.05 0.54 0.5410 0.5489 1

    Args:
        published: By measure and level, what was published.
        n: How many pairs.
        chance: The probability that a guess is right.
    """
    _check(n, chance, [level for _, level in published])
    deviations = {"accuracy": _deviation(n, chance), "cws": cws_deviation(n, chance)}
    results = []
    for (measure, level), value in published.items():
        one = _normal(chance, deviations[measure], level)
        two = _normal(chance, deviations[measure], level / 2)
        sides = 1 if abs(value - one) < abs(value - two) else 2
        distance = value - (one if sides == 1 else two)
        results.append(PublishedLevel(measure, level, value, one, two, sides, distance))
    return tuple(results)


def _deviation(n: int, chance: float) -> float:
    return float(np.sqrt(chance * (1 - chance) / n))


def _normal(chance: float, deviation: float, tail: float) -> float:
    from scipy.special import ndtri

    return chance + float(ndtri(1 - tail)) * deviation


def _check(n: int, chance: float, levels: Sequence[float]) -> None:
    if n < 1:
        raise SettingError(
            "pairs-no-critical-value",
            f"{n!r} pairs have no critical value",
            hint="give a positive number",
        )
    for name, number in [("chance", chance), *(("level", level) for level in levels)]:
        if not 0 < number < 1:
            raise SettingError("not-between", f"{name} {number!r} is not between 0 and 1")
