"""Which subcategorization types each of several suites has: another combination each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

N_TYPES = 3
"""The paper's suites combine three subcategorization types each."""


def type_combinations(
    types: Sequence[str], n_suites: int, seed: int, *, n_types: int = N_TYPES
) -> list[tuple[str, ...]]:
    """A combination for each suite, all different as long as there are others.

    Types are used about equally often.

    >>> type_combinations(["nV", "nVn"], 3, seed=7, n_types=1)
    [('nVn',), ('nV',), ('nVn',)]
    """
    shuffle = random.Random(f"{seed}/combinations").random
    possible = [*combinations(types, min(n_types, len(types)))]
    ranks = {each: shuffle() for each in possible}
    used: Counter[str] = Counter()
    times: Counter[tuple[str, ...]] = Counter()
    chosen: list[tuple[str, ...]] = []
    for _ in range(n_suites):
        best = min(
            possible, key=lambda c: (times[c], sorted((used[t] for t in c), reverse=True), ranks[c])
        )
        times[best] += 1
        used.update(best)
        chosen.append(best)
    return chosen
