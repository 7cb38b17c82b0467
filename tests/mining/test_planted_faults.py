"""Simulated recognizers that fail on chosen tag pairs: mining finds what was planted."""

from itertools import combinations

import numpy as np
import pytest

from ensue.mining import ErrorKind, Settings, find_forms, mine
from ensue.pairs import Label
from ensue.statistics.resampling import Resampling

SEEDS = range(50)
FAILS, ELSEWHERE = 0.8, 0.02
SETTINGS = Settings(resampling=Resampling(draws=0), permutations=400)
"""Enough for a q of 0.01: the least that 400 permutations give is 1/401."""


@pytest.fixture(scope="module")
def found(suite):
    return find_forms(suite)


@pytest.fixture(scope="module")
def planted(suite, found, judge):
    """Mine a run that fails on cases with these forms, and hardly elsewhere."""

    def mine_planted(names, seed):
        guilty = np.zeros(len(suite), dtype=bool)
        for name in names:
            guilty[found.cases_with(found.names.index(name))] = True
        rng = np.random.default_rng(seed)
        wrong = rng.random(len(suite)) < np.where(guilty, FAILS, ELSEWHERE)
        answers = [Label.NOT_ENTAILMENT if each else Label.ENTAILMENT for each in wrong]
        (judged,) = judge(suite, answers)
        return mine(judged, found, ErrorKind.FALSE_NEGATIVES, settings=SETTINGS)

    return mine_planted


def eligible(found):
    """Forms with at least 40 occurrences that no other form always accompanies."""
    counts = found.counts()
    cases = [set(found.cases_with(i).tolist()) for i in range(len(found.names))]
    return [
        name
        for i, name in enumerate(found.names)
        if counts[i] >= 40 and not any(cases[i] <= other for j, other in enumerate(cases) if j != i)
    ]


def test_the_suite_has_faults_to_plant(found):
    assert len(eligible(found)) == 12


@pytest.mark.parametrize("i", range(12))
def test_a_planted_fault_comes_first_and_is_significant(planted, found, i):
    name = eligible(found)[i]
    for seed in SEEDS:
        first = planted([name], seed).suspects[0]
        assert first.form == name, seed
        assert first.q <= 0.01, seed


def test_two_planted_faults_are_among_the_first_three(planted, found):
    pairs = list(combinations(eligible(found), 2))
    for seed, names in enumerate(pairs):
        first = [suspect.form for suspect in planted(names, seed).suspects[:3]]
        assert set(names) <= set(first), names


def test_without_a_fault_hardly_anything_is_significant(planted):
    significant = [any(each.q <= 0.01 for each in planted([], s).suspects) for s in SEEDS]
    assert sum(significant) <= 2
