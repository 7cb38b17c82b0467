"""Fixtures: the value of a feature for a pair, and which features are tried too seldom."""

from collections import Counter

import pytest

from ensue.features import FEATURES, NAMES, Comparer, measured
from ensue.language.analyzer import load_analyzer
from ensue.language.lexicon import load_lexicon

LEAST_ON = 3
"""How many pairs must switch each feature on."""


@pytest.fixture(scope="session")
def value():
    """Gives the value of a feature, by its name, for a text and a hypothesis."""
    analyzer, comparer = load_analyzer(), Comparer(load_lexicon())
    known = {}

    def of(name, text, hypothesis):
        if (text, hypothesis) not in known:
            sides = (text, hypothesis)
            sentences = dict(zip(sides, analyzer.analyze(sides), strict=True))
            known[sides] = measured(comparer.compare([sides], sentences))[0]
        return known[text, hypothesis][NAMES.index(name)]

    return of


@pytest.fixture(scope="session")
def untried():
    """Gives the features of a group that too few pairs switch on, or none keeps off."""

    def of(group, on, off):
        n_on, n_off = (Counter(case[0] for case in cases) for cases in (on, off))
        names = [each.name for each in FEATURES if each.group == group]
        return [name for name in names if n_on[name] < LEAST_ON or not n_off[name]]

    return of
