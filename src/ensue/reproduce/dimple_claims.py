"""What Shima & Mitamura (2011) say, held against their own tables and algorithm by arithmetic.

Nothing here needs data: the paper's examples go through our scores, and its printed correlations
through the tests that they allow (`dimple_tables`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ensue.evaluation.results import Estimate
from ensue.paraphrase.diversities.algorithm import diversity_steps
from ensue.paraphrase.model import NO, YES, Judgments, ListKey, RankedLists, Strictness
from ensue.paraphrase.scores.scoring import ScoredLists, score_lists
from ensue.paraphrase.scores.settings import MEASURES, PatternMeasure, ScoreSettings
from ensue.paraphrase.words import pattern_words
from ensue.reproduce.dimple_tables import NAME, TASKS, printed, table_claims, table_rows
from ensue.reproduce.model import Listing, published
from ensue.surface.stemming import stems

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
    shares = Judgments(("a", "b", "c"), labels).shares(Strictness.STRICT)
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
