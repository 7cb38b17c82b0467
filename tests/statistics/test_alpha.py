"""Krippendorff's alpha: his own example, by hand, against NLTK and Fleiss' kappa, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from nltk.metrics.agreement import AnnotationTask
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.statistics.agreement import NO_LABEL, annotator_agreement, krippendorff_alpha
from ensue.statistics.resampling import Resampling


def matrices(least_label: int = 0):
    """Units × annotators; with -1 some labels are missing."""
    return st.integers(2, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(least_label, 2), min_size=n, max_size=n), min_size=1, max_size=20
        )
    )


def alpha(codes) -> float | None:
    return krippendorff_alpha(np.array(codes), resampling=Resampling(draws=0)).value


def test_alpha_of_krippendorffs_example_is_0_743():
    m = NO_LABEL
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, m, m, m],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, m, 3],
        [m, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, m],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, m],
    ]
    # unit 2 (2, 2, 3, 2): (3*1 + 1*3) / 3 = 2; unit 8 the same; unit 6 (1, 2, 3, 4): 4*1*3 / 3 = 4
    # unit 12 has one label and says nothing: 9, 13, 10, 5 and 3 labels remain, 40 in all
    expected = 40**2 - (9**2 + 13**2 + 10**2 + 5**2 + 3**2)
    value = alpha(np.array(observers).T)
    assert value == pytest.approx(1 - (40 - 1) * (2 + 4 + 2) / expected)
    assert round(value, 3) == 0.743


def test_alpha_by_hand_with_a_missing_label():
    # (1, 1, missing) agrees; (1, 0, 0): (1*2 + 2*1) / 2 = 2; three 1s and two 0s: 3*2 + 2*3 = 12
    assert alpha([[1, 1, NO_LABEL], [1, 0, 0]]) == pytest.approx(1 - (5 - 1) * 2 / 12)


def test_alpha_below_chance_is_negative():
    # two units, each (0, 1): disagreement 2 + 2; two labels of each kind: 2*2 + 2*2 = 8
    assert alpha([[0, 1], [0, 1]]) == pytest.approx(1 - (4 - 1) * 4 / 8)


@given(matrices())
def test_alpha_equals_nltk_on_complete_labels(rows):
    assume(len(np.unique(rows)) > 1)
    task = AnnotationTask(
        [(j, i, label) for i, row in enumerate(rows) for j, label in enumerate(row)]
    )
    assert alpha(rows) == pytest.approx(task.alpha())


@given(matrices(NO_LABEL))
def test_alpha_equals_nltk_with_missing_labels(rows):
    kept = [row for row in rows if sum(label != NO_LABEL for label in row) > 1]
    assume(len({label for row in kept for label in row if label != NO_LABEL}) > 1)
    triples = [
        (j, i, label)
        for i, row in enumerate(kept)
        for j, label in enumerate(row)
        if label != NO_LABEL
    ]
    assert alpha(rows) == pytest.approx(AnnotationTask(triples).alpha())


@given(matrices())
def test_alpha_of_complete_labels_is_fleiss_kappa_with_a_correction_for_few_labels(rows):
    # with two annotators, Fleiss' kappa is Scott's pi
    codes = np.array(rows)
    fleiss = annotator_agreement(codes, resampling=Resampling(draws=0)).fleiss.value
    assume(fleiss is not None)
    assert alpha(rows) == pytest.approx(1 - (1 - fleiss) * (codes.size - 1) / codes.size)


@given(matrices(NO_LABEL), st.randoms())
def test_alpha_does_not_change_with_the_order_of_annotators_and_units(rows, random):
    codes = np.array(rows)
    columns, units = list(range(codes.shape[1])), list(range(len(codes)))
    random.shuffle(columns)
    random.shuffle(units)
    shuffled = alpha(codes[units][:, columns])
    assert shuffled == (None if alpha(codes) is None else pytest.approx(alpha(codes)))


@given(matrices(NO_LABEL), st.permutations(range(3)))
def test_alpha_does_not_change_with_the_names_of_labels(rows, names):
    codes = np.array(rows)
    renamed = np.where(codes == NO_LABEL, NO_LABEL, np.array(names)[codes])
    assert alpha(renamed) == (None if alpha(codes) is None else pytest.approx(alpha(codes)))


@given(matrices(NO_LABEL), st.integers(0, 2))
def test_alpha_ignores_a_unit_with_one_label(rows, label):
    alone = [label] + [NO_LABEL] * (len(rows[0]) - 1)
    assert alpha([*rows, alone]) == alpha(rows)


@given(matrices(NO_LABEL))
def test_alpha_is_at_most_one(rows):
    value = alpha(rows)
    assert value is None or value <= 1


def test_alpha_of_annotators_who_always_agree_is_one():
    assert alpha([[0, 0, 0], [1, 1, NO_LABEL], [2, NO_LABEL, 2]]) == 1


def test_alpha_of_one_label_throughout_is_undefined():
    estimate = krippendorff_alpha(np.ones((5, 2), np.int64), resampling=Resampling(draws=10))
    assert estimate.value is None
    assert "one label" in estimate.reason


def test_alpha_without_a_unit_of_two_labels_is_undefined():
    estimate = krippendorff_alpha(
        np.array([[0, NO_LABEL], [NO_LABEL, 1]]), resampling=Resampling(draws=10)
    )
    assert estimate.value is None
    assert "no unit" in estimate.reason


def test_alpha_without_units_is_undefined():
    assert (
        krippendorff_alpha(np.empty((0, 2), np.int64), resampling=Resampling(draws=10)).value
        is None
    )


def test_alpha_of_one_annotator_is_refused():
    with pytest.raises(UndefinedError, check=coded("agreement-needs-two-annotators")):
        krippendorff_alpha(np.array([[0], [1]]))


def test_alpha_refuses_codes_below_missing():
    with pytest.raises(UndefinedError, match="-2 is no code"):
        krippendorff_alpha(np.array([[0, -2]]))


def test_alpha_refuses_a_level_that_is_none():
    with pytest.raises(SettingError, check=coded("level-not-between")):
        krippendorff_alpha(np.array([[0, 1]]), resampling=Resampling(level=1.5))


def test_alpha_interval_holds_the_value_and_repeats_with_the_seed():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 80)
    codes = np.where(rng.random((80, 3)) < 0.8, truth[:, None], 1 - truth[:, None])
    estimate = krippendorff_alpha(codes, resampling=Resampling(draws=300, seed=3))
    assert estimate.low < estimate.value < estimate.high
    assert krippendorff_alpha(codes, resampling=Resampling(draws=300, seed=3)) == estimate


def test_alpha_interval_over_groups_is_wider_where_units_of_a_group_are_copies():
    rng = np.random.default_rng(6)
    codes = np.repeat(rng.integers(0, 2, (20, 2)), 10, axis=0)
    by_unit = krippendorff_alpha(codes, resampling=Resampling(draws=300))
    by_group = krippendorff_alpha(
        codes, group=np.repeat(np.arange(20), 10), resampling=Resampling(draws=300)
    )
    assert by_group.value == by_unit.value
    assert by_group.high - by_group.low > 2 * (by_unit.high - by_unit.low)
