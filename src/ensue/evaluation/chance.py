"""Better than guessing? Tests against chance, and the values from which the answer is yes.

A guess is right with probability c = 1 / number of labels, independently for each pair. The number
of right answers is then binomial. The confidence-weighted score is linear in the right answers,
Σ_j w_j·right_j with w_j = (H_n − H_{j−1})/n at place j, so that its expectation under guessing is c
and its variance c(1 − c)·Σ_j w_j².
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ensue.errors import SettingError
from ensue.evaluation.judged_runs import Judged, confidence_gap
from ensue.evaluation.measures import ACCURACY, CWS
from ensue.evaluation.results import ChanceTest, CriticalValue, PublishedLevel
from ensue.statistics import (
    Counts,
    Numbers,
    binomial_p,
    cws_weights,
    normal_p,
    ranked_parts,
    ranking,
    simulated_p,
    squared_cws_weights,
)

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
