"""Simulated recognizers that fail on chosen constructions of a generated suite are seen through."""

from itertools import combinations

import numpy as np
import pytest

from ensue.evaluation import line_up
from ensue.mining import ErrorKind, Settings, find_forms, mine
from ensue.pairs import Label, Run, Verdict
from ensue.statistics.resampling import Resampling
from ensue.suites import SuiteGenerator, SuiteSettings

SEEDS = range(50)
FAILS, ELSEWHERE = 0.8, 0.02
LEAST = 40
"""Tag pairs with so many occurrences among the mined cases are planted."""
SETTINGS = Settings(resampling=Resampling(draws=0), permutations=200)
"""Enough for a q of 0.01: the least that 200 permutations give is 1/201."""
OTHER = {
    Label.ENTAILMENT: Label.NOT_ENTAILMENT,
    Label.NOT_ENTAILMENT: Label.ENTAILMENT,
}


TYPES = ("nV", "nVn", "nVnPn")
"""The paper's first example of a combination: intransitive, transitive, ditransitive."""


class Planting:
    """The cases of a suite of 2,000 that are mined for one kind of errors, and runs on them."""

    def __init__(self, suite, kind):
        golds = {
            ErrorKind.FALSE_NEGATIVES: {Label.ENTAILMENT},
            ErrorKind.FALSE_POSITIVES: {Label.NOT_ENTAILMENT},
            ErrorKind.ALL: set(OTHER),
        }
        self.kind = kind
        self.cases = [case for case in suite if case.gold in golds[kind]]
        self.forms = find_forms(self.cases)
        self.of = [set(self.forms.cases_with(i).tolist()) for i in range(len(self.forms.names))]
        self.eligible = [
            i
            for i, cases in enumerate(self.of)
            if len(cases) >= LEAST
            and not any(cases <= other for j, other in enumerate(self.of) if j != i)
        ]
        """Forms with enough occurrences that no other form always accompanies."""

    def suspects(self, planted, seed):
        """The suspects of a run that fails on the planted forms."""
        guilty = np.zeros(len(self.cases), dtype=bool)
        for form in planted:
            guilty[list(self.of[form])] = True
        wrong = np.random.default_rng(seed).random(len(guilty)) < np.where(guilty, FAILS, ELSEWHERE)
        verdicts = tuple(
            Verdict(case.id, OTHER[case.gold] if each else case.gold)
            for case, each in zip(self.cases, wrong, strict=True)
        )
        judged = line_up(self.cases, [Run("run", verdicts)]).judged[0]
        return mine(judged, self.forms, self.kind, settings=SETTINGS).suspects


@pytest.fixture(scope="module")
def suite(english):
    entries = [entry for entry in english.entries if entry.subcategorization in TYPES]
    settings = SuiteSettings(size=2000)
    return list(SuiteGenerator(english, entries, settings, name="s01", seed="0").cases())


@pytest.fixture(scope="module")
def negatives(suite):
    return Planting(suite, ErrorKind.FALSE_NEGATIVES)


@pytest.mark.slow
def test_a_planted_fault_comes_first_and_is_significant(negatives):
    assert len(negatives.eligible) >= 15
    for form in negatives.eligible:
        for seed in SEEDS:
            first = negatives.suspects([form], seed)[0]
            assert first.form == negatives.forms.names[form], seed
            assert first.q <= 0.01, (first.form, seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [ErrorKind.FALSE_POSITIVES, ErrorKind.ALL])
def test_a_planted_fault_comes_first_among_other_kinds_of_errors(suite, kind):
    """All but always: a pair that occurs with few exceptions with another may come second."""
    planting = Planting(suite, kind)
    ranks = []
    for form in planting.eligible:
        for seed in range(0, 50, 5):
            found = next(
                each
                for each in planting.suspects([form], seed)
                if each.form == planting.forms.names[form]
            )
            assert found.q <= 0.01, (found.form, seed)
            ranks.append(found.rank)
    assert max(ranks) <= 3
    assert np.mean(np.array(ranks) == 1) >= 0.98


@pytest.mark.slow
def test_two_planted_faults_are_among_the_first_three(negatives):
    """Where they have not most of their cases in common: two faults in one place are one."""
    n_planted = 0
    for seed, (one, other) in enumerate(combinations(negatives.eligible, 2)):
        cases = negatives.of[one], negatives.of[other]
        if 2 * len(cases[0] & cases[1]) > min(map(len, cases)):
            continue
        found = [suspect.form for suspect in negatives.suspects([one, other], seed % 50)[:3]]
        names = {negatives.forms.names[form] for form in (one, other)}
        assert names <= set(found), (names, found)
        n_planted += 1
    assert n_planted >= 50


def test_without_a_fault_hardly_anything_is_significant(negatives):
    significant = [any(each.q <= 0.01 for each in negatives.suspects([], s)) for s in SEEDS]
    assert sum(significant) <= 2
