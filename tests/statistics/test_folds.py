import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.statistics.linear_models import (
    most_folds,
    random_folds,
    random_half,
    split_folds,
    stratified_folds,
)

GROUPS = np.repeat(np.arange(40), 2)
LABELS = np.arange(80) % 4 < 2


def test_stratified_folds_spread_labels_and_keep_groups_whole():
    fold_of = stratified_folds(LABELS, GROUPS, 5, seed=0)
    for fold in range(5):
        assert LABELS[fold_of == fold].mean() == 1 / 2
    assert all(len(set(fold_of[group == GROUPS])) == 1 for group in range(40))


def test_stratified_folds_are_those_of_scikit_learn():
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(5, shuffle=True, random_state=3)
    expected = list(splitter.split(LABELS, LABELS, GROUPS))
    found = split_folds(stratified_folds(LABELS, GROUPS, 5, seed=3))
    for (train, held_out), (other_train, other) in zip(found, expected, strict=True):
        assert (train.tolist(), held_out.tolist()) == (other_train.tolist(), other.tolist())


@pytest.mark.parametrize(
    ("labels", "group", "most"),
    [([1, 1, 0, 0], [0, 1, 2, 3], 2), ([1, 1, 0, 0], [0, 0, 0, 0], 1), ([], [], 0)],
)
def test_most_folds_is_the_fewest_of_groups_and_labels(labels, group, most):
    assert most_folds(np.array(labels), np.array(group)) == most


@given(n_groups=st.integers(10, 60), n=st.integers(2, 10), seed=st.integers(0, 99))
def test_random_folds_have_as_many_groups_each(n_groups, n, seed):
    fold_of = random_folds(np.arange(n_groups), n, seed=seed)
    sizes = np.bincount(fold_of, minlength=n)
    assert sizes.max() - sizes.min() <= 1
    held_out = np.concatenate([rows for _, rows in split_folds(fold_of)])
    assert sorted(held_out.tolist()) == list(range(n_groups))


def test_random_half_keeps_groups_whole():
    half = random_half(GROUPS, seed=1)
    assert half.mean() == 1 / 2
    assert (half[::2] == half[1::2]).all()
