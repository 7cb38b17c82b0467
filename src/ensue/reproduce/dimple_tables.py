"""What Shima & Mitamura (2011) say, held against their tables and algorithm.

A printed r stands for all numbers that round to it.

Nothing here needs data: the paper's examples go through our scores, and its printed correlations
through the tests that they allow (`dimple_tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import sqrt
from typing import NamedTuple

import numpy as np

from ensue.paraphrase import (
    NO,
    YES,
    ListKey,
    PatternJudgments,
    RankedLists,
    Strictness,
    pattern_words,
)
from ensue.paraphrase.scores import (
    KS,
    MEASURES,
    PatternMeasure,
    ScoredLists,
    ScoreSettings,
    diversity_steps,
    score_lists,
)
from ensue.reproduce.model import Listing, published
from ensue.statistics import Estimate, critical_correlation, holm, student_p, williams
from ensue.surface import stems

# Tables 2 and 3 of the paper on DIMPLE: significance, what the text says of them, and their
# order.

NAME = "dimple"
TASKS = ("MSRPC", "RTE", "CQAE")
TABLES = {Strictness.LENIENT: 2, Strictness.STRICT: 3}
"""The table of the correlations with each Q."""
N_TERMS, N_LISTS = 10, 40
ALPHA = 0.01
"""The paper's level."""
LEVELS = (0.05, 0.01)
"""At which the difference of two correlations is looked at."""

_EP, _EPR, _DIMPLE = MEASURES
_HALF = 0.005
"""How far a number of two decimals may be from what it was rounded from."""
_NEAR_0, _MEDIUM = 10, 30
"""Correlations in hundredths; the second is Cohen's (1988) medium one."""


class Cell(NamedTuple):
    """A place in Tables 2 and 3."""

    strictness: Strictness
    task: str
    measure: PatternMeasure
    k: int

    @property
    def key(self) -> str:
        """Of the figure, e.g. `table-3-cqae-dimple-10`."""
        parts = (self.task, self.measure, str(self.k))
        return "-".join(["table", str(TABLES[self.strictness]), *parts]).lower()


CELLS = tuple(Cell(*place) for place in product(TABLES, TASKS, MEASURES, KS))
"""All 54."""


def table_claims() -> dict[str, Estimate]:
    """What can be recomputed of the two tables, by the key of its figure."""
    found = {**_significance(), **_sentences(), **_orders()}
    estimates = {key: Estimate(float(number)) for key, number in found.items()}
    for task in TASKS:
        for level, least in _least_between(_EP, task).items():
            reason = "no correlation between the two makes it so" if least is None else None
            key = f"williams-{task.lower()}-{round(100 * level):02}"
            estimates[key] = Estimate(least, reason=reason)
    return estimates


def table_rows() -> dict[str, Iterator[tuple[object, ...]]]:
    """The rows of each listing, by its name."""
    return {
        "significance": _significance_rows(),
        "order": _order_rows(),
        "williams": _williams_rows(),
    }


def _significance() -> dict[str, float]:
    by_terms = critical_correlation(N_TERMS, ALPHA)
    found: dict[str, float] = {
        "critical-terms": by_terms,
        "significant-holm": sum(p < ALPHA for p in _holm().values()),
        "significant-terms": len(_significant(by_terms)[0]),
    }
    for name, critical in _critical().items():
        surely, by_rounding = _significant(critical)
        found |= {
            f"critical-{name}": critical,
            f"significant-{name}": len(surely),
            f"rounding-{name}": len(by_rounding),
        }
    return found


def _critical() -> dict[str, float]:
    return {
        "two-sided": critical_correlation(N_LISTS, ALPHA),
        "one-sided": critical_correlation(N_LISTS, 2 * ALPHA),
    }


def _p(r: float) -> float:
    return student_p(r, N_LISTS - 2)


def _significant(critical: float) -> tuple[list[Cell], list[Cell]]:
    """The correlations above the critical one however they were rounded, and those by rounding."""
    verdicts = {cell: _verdict(_r(cell), critical) for cell in CELLS}
    surely = [cell for cell, verdict in verdicts.items() if verdict == "yes"]
    return surely, [cell for cell, verdict in verdicts.items() if verdict == "by rounding"]


def _verdict(r: float, critical: float) -> str:
    """No printed correlation is near to the critical one from below 0."""
    if r - _HALF >= critical:
        return "yes"
    return "by rounding" if r + _HALF >= critical else "no"


@cache
def _holm() -> Mapping[Cell, float]:
    """Two-sided p of all 54 tests, corrected for their number."""
    return dict(zip(CELLS, holm([_p(_r(cell)) for cell in CELLS]), strict=True))


def _significance_rows() -> Iterator[tuple[object, ...]]:
    """Of those that may be significant one way or the other."""
    two_sided, one_sided = _critical().values()
    for cell in CELLS:
        r = _r(cell)
        if _verdict(r, one_sided) != "no":
            place = (TABLES[cell.strictness], cell.task, cell.measure.value, cell.k)
            verdicts = (_verdict(r, two_sided), _verdict(r, one_sided))
            yield *place, r, _p(r), *verdicts, _holm()[cell]


def _sentences() -> dict[str, float]:
    """What the abstract and section 3.5 say, counted in cells or tasks."""
    lenient, strict = (_table(each) for each in TABLES)
    ep, ep_strict = (
        [table[task, _EP, k] for task in TASKS for k in KS] for table in (lenient, strict)
    )
    at_1, at_5, at_10 = ([lenient[task, _DIMPLE, k] for task in TASKS] for k in KS)
    best = {task: strict[task, _DIMPLE, 10] for task in TASKS}
    critical = 100 * _critical()["two-sided"]
    return {
        "abstract-lowest": min(best.values()) / 100,
        "abstract-highest": max(best.values()) / 100,
        "abstract-significant": sum(r > critical for r in best.values()),
        "dimple-leads": sum(best[t] > max(strict[t, _EP, 10], strict[t, _EPR, 10]) for t in TASKS),
        "lenient-close": sum(abs(r) < _NEAR_0 for r in lenient.values()),
        "lenient-ep-close": sum(abs(r) < _NEAR_0 for r in ep),
        "lenient-ep-largest": max(map(abs, ep)) / 100,
        "strict-ep-medium": sum(r >= _MEDIUM for r in ep_strict),
        "strict-ep-significant": sum(r > critical for r in ep_strict),
        "k-5-below-1": sum(five < one for five, one in zip(at_5, at_1, strict=True)),
        "k-10-below-1": sum(ten < one for ten, one in zip(at_10, at_1, strict=True)),
        "k-5-10-significant": sum(r > critical for r in (*at_5, *at_10)),
        "strict-higher": sum(strict[place] > lenient[place] for place in lenient),
    }


def _orders() -> dict[str, float]:
    """In how many of the 18 columns the measures are in the order that the text sees."""
    columns = list(_columns())
    return {
        "order": sum(ep < epr < dimple for *_, ep, epr, dimple in columns),
        "order-dimple-ep": sum(ep < dimple for *_, ep, _, dimple in columns),
        "order-dimple-epr": sum(epr < dimple for *_, epr, dimple in columns),
        "order-epr-ep": sum(ep < epr for *_, ep, epr, _ in columns),
    }


def _columns() -> Iterator[tuple[Strictness, str, int, int, int, int]]:
    """Each table, task and cut-off, with the correlations of EP, EPR and DIMPLE in hundredths."""
    for strictness in TABLES:
        table = _table(strictness)
        for task, k in product(TASKS, KS):
            ep, epr, dimple = (table[task, measure, k] for measure in MEASURES)
            yield strictness, task, k, ep, epr, dimple


def _order_rows() -> Iterator[tuple[object, ...]]:
    for strictness, task, k, *row in _columns():
        named = list(zip(MEASURES, row, strict=True))
        broken = [
            f"{lower} {'=' if x == y else '>'} {higher}"
            for (lower, x), (higher, y) in combinations(named, 2)
            if x >= y
        ]
        place = (TABLES[strictness], strictness.value, task, k)
        yield *place, *(r / 100 for r in row), "no" if broken else "yes", ", ".join(broken)


def _williams_rows() -> Iterator[tuple[object, ...]]:
    """DIMPLE against either other measure, at k = 10 and strict: what r between them it takes."""
    for measure, task in product((_EP, _EPR), TASKS):
        first, second = _strict_at_10(_DIMPLE, task), _strict_at_10(measure, task)
        least = _least_between(measure, task).values()
        yield task, measure.value, second, first, *admissible(first, second), *least


def _least_between(measure: PatternMeasure, task: str) -> dict[float, float | None]:
    first, second = _strict_at_10(_DIMPLE, task), _strict_at_10(measure, task)
    return {level: least_between(first, second, N_LISTS, level) for level in LEVELS}


def _strict_at_10(measure: PatternMeasure, task: str) -> float:
    return _r(Cell(Strictness.STRICT, task, measure, 10))


def admissible(first: float, second: float) -> tuple[float, float]:
    """What two variables can correlate with each other, given how each does with a third.

    The matrix of the three has no negative eigenvalue between r₁·r₂ ± √((1 − r₁²)(1 − r₂²)).
    """
    middle, half = first * second, sqrt((1 - first**2) * (1 - second**2))
    return middle - half, middle + half


def least_between(first: float, second: float, n: int, level: float) -> float | None:
    """The smallest correlation between two variables from which Williams' test tells them apart.

    Above it the two-sided p is below the level up to the end of what is admissible, where the two
    leave nothing of the third unexplained.

    Returns:
        None if there is none; the lower end of what is admissible if every one will do.
    """
    low, high = admissible(first, second)
    margin = 1e-9 * (high - low)

    def excess(between: float) -> float:
        return williams(first, second, between, n).p - level

    return _crossing(excess, low + margin, high - margin)


def _crossing(excess: Callable[[float], float], low: float, high: float) -> float | None:
    """Where a falling function falls below 0."""
    from scipy.optimize import brentq

    if excess(high) >= 0:
        return None
    return low if excess(low) < 0 else float(brentq(excess, low, high))


@cache
def _table(strictness: Strictness) -> Mapping[tuple[str, PatternMeasure, int], int]:
    """Table 2 or 3, in hundredths: they are whole numbers."""
    return {
        (cell.task, cell.measure, cell.k): round(100 * _r(cell))
        for cell in CELLS
        if cell.strictness is strictness
    }


def _r(cell: Cell) -> float:
    return printed(cell.key)


def printed(key: str) -> float:
    """The number that the paper gives for a figure."""
    return float(_record()[key])


@cache
def _record() -> Mapping[str, float]:
    """All published numbers by their keys."""
    figures = published(NAME)["figures"]
    return {each["key"]: each["published"] for each in figures}


# What Shima & Mitamura (2011) say, held against their own tables and algorithm by arithmetic.

VERBS = (
    "found",
    "called",
    "told",
    "killed",
    "accused",
    "to take",
    "reached",
    "returned",
    "turned",
    "broke",
)
"""Of Table 1, in its order."""
METHODS = ("PD", "BR", "BCB", "BCB-S")


def verb_key(verb: str, task: str) -> str:
    """The key of a cell of Table 1, e.g. `table-1-to-take-rte`."""
    return f"table-1-{verb.replace(' ', '-')}-{task.lower()}"


def claims() -> dict[str, Estimate]:
    """What can be recomputed, by the key of its figure."""
    found = {**_examples(), **_counts()}
    return {key: Estimate(float(number)) for key, number in found.items()} | table_claims()


def listings() -> tuple[Listing, ...]:
    """What the paper speaks of and does not print."""
    rows = {**table_rows(), "verbs": _verb_rows()}
    words = published(NAME)["listings"]
    return tuple(
        Listing(
            name,
            words[name]["title"],
            tuple(words[name]["columns"]),
            tuple(each),
            tuple(words[name]["notes"]),
        )
        for name, each in rows.items()
    )


# The algorithm, on the paper's examples


def _examples() -> dict[str, float]:
    intro = _scored(["shot and killed", "reported killed", "killed in"], 1.0)
    new = ["assassinated", "fatally shot", "murdered"]
    wrong, perfect = (_scored(new, quality) for quality in (0.0, 1.0))
    labels = {Strictness.STRICT: np.array([[YES, YES, NO]], np.int8)}
    shares = PatternJudgments(("a", "b", "c"), labels).shares(Strictness.STRICT)
    return {
        "q-example": float(shares[0]),
        **{f"intro-{measure.lower()}": _at_its_length(intro, measure) for measure in MEASURES},
        "d-assassinated": diversity_steps("killed", ["assassinated"])[0].diversity,
        "stems-killing": len(set(stems(["killed", "killing"]))),
        "perfect-gain": perfect.largest_gain,
        "dimple-lowest": _at_its_length(wrong, PatternMeasure.DIMPLE),
        "dimple-highest": _at_its_length(perfect, PatternMeasure.DIMPLE),
    }


def _scored(paraphrases: Sequence[str], quality: float) -> ScoredLists:
    """A list of "killed" whose patterns are all equally right."""
    n = len(paraphrases)
    lists = RankedLists.of({ListKey("killed", ""): paraphrases})
    settings = ScoreSettings(ks=(n,))
    return score_lists(lists, np.full(n, quality), None, pattern_words(lists), settings)


def _at_its_length(scored: ScoredLists, measure: PatternMeasure) -> float:
    return float(scored.values[0, MEASURES.index(measure), 0])


# Table 1


def _counts() -> dict[str, float]:
    sums = {task: sum(_verbs(task)) for task in TASKS}
    n_positive = {task: printed(f"pairs-{task.lower()}") for task in TASKS}
    return {
        "lists": len(VERBS) * len(METHODS),
        **{f"table-1-sum-{task.lower()}": n for task, n in sums.items()},
        **{f"table-1-share-{t.lower()}": sums[t] / n_positive[t] for t in TASKS},
        "positive-share-msrpc": n_positive["MSRPC"] / printed("msrpc-all"),
        "table-1-sorted": sum(n == 0 for _, n in _verb_rows()),
    }


def _verb_rows() -> list[tuple[str, int]]:
    """In how many couples of verbs the table's order is against falling numbers of some kind."""
    counts = np.array([_verbs(task) for task in TASKS])
    ways = {
        **{f"pairs of {task}": counts[i] for i, task in enumerate(TASKS)},
        "pairs of all three": counts.sum(axis=0),
        "smallest of the three": counts.min(axis=0),
        "largest of the three": counts.max(axis=0),
        "mean share of the ten verbs' pairs": (counts / counts.sum(axis=1)[:, None]).mean(axis=0),
    }
    return [
        (name, sum(first < second for first, second in combinations(each.tolist(), 2)))
        for name, each in ways.items()
    ]


def _verbs(task: str) -> list[int]:
    return [int(printed(verb_key(verb, task))) for verb in VERBS]
