"""Lists of some terms by some methods, with made-up numbers."""

import numpy as np
import pytest

from ensue.paraphrase.list_scores import ListScores, ScoreVariable
from ensue.paraphrase.lists import ListKey


@pytest.fixture(scope="session")
def make_keys():
    """The keys of lists: every method for every term."""

    def keys(n_terms, methods="ABC"):
        return tuple(ListKey(f"term {i}", method) for i in range(n_terms) for method in methods)

    return keys


@pytest.fixture(scope="session")
def make_scores(make_keys):
    """Scores of lists: columns of numbers for `one`, `two`, … and for tasks."""

    def scores(intrinsic, *, keys=None, **tasks):
        if keys is None:
            keys = make_keys(len(next(iter(tasks.values()))) // 3)
        return ListScores(
            keys,
            {ScoreVariable(name): np.array(column, float) for name, column in intrinsic.items()},
            {task: np.array(column, float) for task, column in tasks.items()},
        )

    return scores


@pytest.fixture(scope="session")
def random_scores(make_keys):
    """EP, EPR and DIMPLE at two k and by two qualities, beside two tasks, with some ties."""

    def scores(seed=0, n_terms=6, n_measures=3):
        rng = np.random.default_rng(seed)
        keys = make_keys(n_terms)
        measures = ("EP", "EPR", "DIMPLE")[:n_measures]
        good = rng.normal(size=len(keys))
        intrinsic = {
            ScoreVariable(measure, k, quality): (good + rng.normal(size=len(keys))).round(1)
            for quality in ("lenient", "strict")
            for measure in measures
            for k in (1, 10)
        }
        tasks = {task: good + rng.normal(size=len(keys)) for task in ("rte", "msrpc")}
        return ListScores(keys, intrinsic, tasks)

    return scores
