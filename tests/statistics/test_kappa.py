"""Kappa: by hand, against scikit-learn and NLTK, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.statistics.agreement import annotator_agreement
from ensue.statistics.resampling import Resampling

MATRICES = st.integers(2, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 2), min_size=n, max_size=n), min_size=1, max_size=30)
)


def challenge(n_per_cell: int = 10) -> np.ndarray:
    """80 % agreement on two balanced labels."""
    cells = [(0, 0)] * 4 + [(1, 1)] * 4 + [(0, 1), (1, 0)]
    return np.array(cells * n_per_cell)


def cohen(codes: np.ndarray) -> float | None:
    (couple,) = annotator_agreement(codes, resampling=Resampling(draws=0)).couples
    return couple.kappa.value


def fleiss(codes: np.ndarray) -> float | None:
    return annotator_agreement(codes, resampling=Resampling(draws=0)).fleiss.value


def test_cohen_kappa_of_the_challenge_is_six_tenths():
    # observed 0.8; each annotator says yes to half: expected 0.5 * 0.5 + 0.5 * 0.5 = 0.5
    codes = challenge()
    assert annotator_agreement(codes, resampling=Resampling(draws=0)).raw.value == pytest.approx(
        0.8
    )
    assert cohen(codes) == pytest.approx((0.8 - 0.5) / (1 - 0.5))


def test_cohen_kappa_by_hand_with_unequal_annotators():
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 35/50
    # the one says yes to 25/50, the other to 30/50: expected 0.5 * 0.6 + 0.5 * 0.4 = 0.5
    first = np.array([1] * 20 + [1] * 5 + [0] * 10 + [0] * 15)
    second = np.array([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15)
    assert cohen(np.column_stack([first, second])) == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_fleiss_kappa_by_hand():
    # votes (2, 1) and (0, 3): agreement (2*1 + 0) / (3*2) = 1/3 and 1, mean 2/3
    # shares of labels 2/6 and 4/6: expected 1/9 + 4/9 = 5/9
    codes = np.array([[0, 0, 1], [1, 1, 1]])
    assert fleiss(codes) == pytest.approx((2 / 3 - 5 / 9) / (1 - 5 / 9))


@given(MATRICES)
def test_cohen_kappa_equals_scikit_learn(rows):
    codes = np.array(rows)[:, :2]
    assume(len(np.unique(codes)) > 1)
    expected = cohen_kappa_score(codes[:, 0], codes[:, 1])
    assert cohen(codes) == pytest.approx(expected)


@given(MATRICES)
def test_fleiss_kappa_equals_nltk(rows):
    codes = np.array(rows)
    assume(len(np.unique(codes)) > 1)
    data = [
        (f"a{j}", f"p{i}", int(label)) for i, row in enumerate(codes) for j, label in enumerate(row)
    ]
    # with shares pooled over annotators, Scott's pi for many annotators is Fleiss' kappa
    expected = AnnotationTask(data=data).pi()
    assert fleiss(codes) == pytest.approx(expected)


@given(MATRICES, st.permutations(range(3)))
def test_kappa_does_not_depend_on_the_names_of_labels(rows, names):
    codes = np.array(rows)
    assume(len(np.unique(codes)) > 1)
    renamed = np.array(names)[codes]
    assert fleiss(renamed) == pytest.approx(fleiss(codes))


@given(st.lists(st.integers(0, 2), min_size=2, max_size=30), st.integers(2, 4))
def test_full_agreement_is_one(labels, n_annotators):
    assume(len(set(labels)) > 1)
    codes = np.tile(np.array(labels)[:, None], n_annotators)
    agreement = annotator_agreement(codes, resampling=Resampling(draws=50))
    assert agreement.raw.value == 1
    assert agreement.fleiss.value == pytest.approx(1)
    assert all(couple.kappa.value == pytest.approx(1) for couple in agreement.couples)


def test_kappa_of_one_label_throughout_is_undefined():
    codes = np.zeros((5, 2), dtype=int)
    agreement = annotator_agreement(codes)
    for estimate in (agreement.fleiss, agreement.couples[0].kappa):
        assert estimate.value is None
        assert "one label throughout" in (estimate.reason or "")


def test_agreement_without_pairs_is_undefined():
    with pytest.raises(UndefinedError, check=coded("no-agreement-without-pairs")):
        annotator_agreement(np.zeros((0, 2), dtype=int))


def test_agreement_of_one_annotator_is_undefined():
    with pytest.raises(UndefinedError, check=coded("agreement-needs-two-annotators")):
        annotator_agreement(np.zeros((3, 1), dtype=int))


def test_interval_is_that_of_resampled_pairs():
    codes = challenge()
    rng = np.random.default_rng(5)
    draws = []
    for _ in range(1000):
        sample = codes[rng.integers(0, len(codes), len(codes))]
        draws.append(cohen_kappa_score(sample[:, 0], sample[:, 1]))
    low, high = np.quantile(draws, [0.025, 0.975])
    estimate = annotator_agreement(codes).couples[0].kappa
    assert estimate.low == pytest.approx(low, abs=0.03)
    assert estimate.high == pytest.approx(high, abs=0.03)


def test_interval_depends_on_the_seed_alone():
    codes = challenge()
    assert annotator_agreement(codes, resampling=Resampling(seed=3)) == annotator_agreement(
        codes[::-1], resampling=Resampling(seed=3)
    )
    assert annotator_agreement(codes, resampling=Resampling(seed=3)) != annotator_agreement(
        codes, resampling=Resampling(seed=4)
    )
