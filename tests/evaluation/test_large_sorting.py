"""Numbers sorted on disk, and the curves that are made of them."""

from __future__ import annotations

import math
import tempfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import roc
from ensue.evaluation.curves import chosen_cutoffs, curve_band, cutoff_band, n_best, n_cutoffs
from ensue.evaluation.large import join as sorting, tally as walking
from ensue.evaluation.large.join import SortedNumbers
from ensue.evaluation.large.tally import (
    harmonic_number,
    risk_coverage_of,
    walked_cutoffs,
    walked_ranking,
)
from ensue.pairs.cutoffs import cutoff_curve
from ensue.statistics.ranks import cws_weights, expected_average_precision, expected_cws, ranking
from ensue.statistics.resampling import Resampling

values = st.lists(
    st.tuples(st.sampled_from([0.0, -0.0, 0.5, -1.0]) | st.floats(-9, 9), st.integers(0, 3)),
    max_size=60,
)


@pytest.fixture
def store(tmp_path):
    made = SortedNumbers(tmp_path / "numbers")
    yield made
    made.close()


@given(values, st.integers(1, 9))
def test_pieces_are_all_numbers_in_order(rows, buffer):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "_OFTEN", 3)
        patch.setattr(sorting, "_STEP", 2)
        store = SortedNumbers(Path(folder) / "numbers", buffer=buffer)
        for value, group in rows:
            store.add(np.array([value]), np.array([group], np.int32))
        store.flush()
        families = ([0, 2], [1])
        found = [[], []]
        for piece in store.pieces(*families, size=4):
            for k, own in enumerate(piece.families):
                tied = np.repeat(piece.ties, piece.tied[k])
                found[k] = [*np.sort(np.concatenate([own, tied])), *found[k]]
        for k, groups in enumerate(families):
            expected = sorted(value for value, group in rows if group in groups)
            assert found[k] == expected
            assert store.n(groups) == len(expected)
        store.close()


def test_pieces_are_small_whatever_ties(tmp_path, monkeypatch):
    monkeypatch.setattr(sorting, "_STEP", 8)
    monkeypatch.setattr(sorting, "_OFTEN", 16)
    store = SortedNumbers(tmp_path / "numbers", buffer=64)
    rng = np.random.default_rng(0)
    for _ in range(30):
        store.add(np.where(rng.random(64) < 0.5, 1.0, rng.random(64)))
    store.flush()
    pieces = list(store.pieces([0], size=64))
    store.close()
    assert max(len(piece.families[0]) for piece in pieces) < 30 * 8 + 64
    assert sum(len(piece.families[0]) + piece.tied.sum() for piece in pieces) == 30 * 64


def test_nothing_has_no_numbers(store):
    store.flush()
    (piece,) = store.pieces([0], [1])
    assert [len(family) for family in piece.families] == [0, 0]


@pytest.mark.parametrize("n", [0, 1, 2, 999, 1000, 5000])
def test_harmonic_number_is_the_sum(n):
    assert harmonic_number(n) == pytest.approx(math.fsum(1 / i for i in range(1, n + 1)), rel=1e-15)


def long_curve(store, n=7000, digits=None):
    """Scores with a store of them, where entailments tend to be higher."""
    rng = np.random.default_rng(3)
    is_yes = rng.random(n) < 0.4
    scores = rng.normal(is_yes * 0.5, 1)
    scores = scores if digits is None else np.round(scores, digits)
    store.add(scores, is_yes.astype(np.int32))
    store.flush()
    return scores, is_yes


def test_thinned_cutoffs_are_points_of_the_whole_curve(store):
    scores, is_yes = long_curve(store)
    whole = cutoff_curve(scores, is_yes)
    asked = [-0.123, 0.456, 99.0]
    thinned = walked_cutoffs(store, ([1], [0]), precision=0.6, asked=asked)
    assert len(thinned.cutoffs) <= 2000 < n_cutoffs(thinned) == len(whole.cutoffs)
    at = np.searchsorted(whole.cutoffs, thinned.cutoffs)
    for name in ("cutoffs", "right_yes", "right_no"):
        assert np.array_equal(getattr(thinned, name), getattr(whole, name)[at]), name
    assert (thinned.cutoffs[0], thinned.cutoffs[-1]) == (-np.inf, scores.max())
    assert [thinned.at(each) for each in asked] == [whole.at(each) for each in asked]


@pytest.mark.parametrize("digits", [None, 1])
def test_thinned_cutoffs_choose_as_the_whole_curve_does(store, digits):
    scores, is_yes = long_curve(store, digits=digits)
    whole = cutoff_curve(scores, is_yes)
    thinned = walked_cutoffs(store, ([1], [0]), precision=0.6)
    assert chosen_cutoffs(thinned, 0.6) == chosen_cutoffs(whole, 0.6)
    assert thinned.best_f() == whole.best_f()
    assert thinned.for_precision(0.6) == whole.for_precision(0.6)
    assert (n_best(thinned), thinned.best[0]) == (len(whole.best), whole.best[0])
    assert roc(thinned).auc == pytest.approx(roc(whole).auc, rel=1e-12)


def test_area_under_a_thinned_curve_is_that_of_scikit_learn(store):
    from sklearn.metrics import roc_auc_score

    scores, is_yes = long_curve(store, digits=2)
    thinned = walked_cutoffs(store, ([1], [0]))
    assert thinned.auc == pytest.approx(roc_auc_score(is_yes, scores), rel=1e-12)


def test_thinned_cutoffs_say_what_they_do_not_know(store):
    long_curve(store)
    thinned = walked_cutoffs(store, ([1], [0]), precision=0.6)
    with pytest.raises(SettingError, match=r"what the cutoff 0\.25 gives"):
        thinned.at(0.25)
    with pytest.raises(SettingError, match=r"which cutoff reaches a precision of 0\.5"):
        thinned.for_precision(0.5)
    with pytest.raises(SettingError, match="not a number"):
        thinned.at(math.nan)


def test_precision_that_no_cutoff_reaches_is_said_as_of_the_whole_curve(store):
    scores, is_yes = [0.1, 0.4, 0.4, 0.9], [True, True, False, False]
    store.add(np.array(scores), np.array(is_yes, np.int32))
    store.flush()
    said = []
    for curve in (cutoff_curve(scores, is_yes), walked_cutoffs(store, ([1], [0]), precision=0.9)):
        with pytest.raises(Exception, match="no cutoff reaches a precision") as raised:
            curve.for_precision(0.9)
        said.append(raised.value.message)
    assert said[0] == said[1]


def test_cutoffs_without_scores_are_none(store):
    store.flush()
    assert walked_cutoffs(store, ([1], [0])) is None


def test_band_of_a_curve_is_that_of_its_scores():
    rng = np.random.default_rng(4)
    scores, is_yes = np.round(rng.random(50), 1), rng.random(50) < 0.5
    grid = [-np.inf, 0.2, 0.25, 0.7]
    ours = curve_band(cutoff_curve(scores, is_yes), grid, resampling=Resampling(draws=100))
    theirs = cutoff_band(scores, is_yes, grid, resampling=Resampling(draws=100))
    accuracy = [((scores > cutoff) == is_yes).mean() for cutoff in grid]
    assert ours.accuracy.tolist() == pytest.approx(accuracy)
    assert np.array_equal(ours.low, theirs.low)
    assert np.array_equal(ours.high, theirs.high)


def test_long_risk_coverage_is_thinned_to_its_extremes(store):
    rng = np.random.default_rng(5)
    confidence = rng.permutation(6000) / 6000
    right = rng.random(6000) < confidence
    store.add(confidence, right.astype(np.int32))
    store.flush()
    sums = walked_ranking(store, ([1], [0]), floors=[0.0])
    curve = risk_coverage_of(sums, 6000)
    ordered = right[np.argsort(-confidence)]
    whole = 1 - np.cumsum(ordered) / np.arange(1, 6001)
    assert len(curve.risk) <= 2000
    place = np.round(curve.coverage * 6000).astype(int) - 1
    assert curve.risk == pytest.approx(whole[place])
    assert (curve.risk.min(), curve.risk.max()) == pytest.approx((whole.min(), whole.max()))
    assert (place[0], place[-1]) == (0, 5999)
    assert np.all(np.diff(curve.coverage) > 0)


def marked(letters, scores):
    """Rows of scores, a digit each, of entailments (Y) and other pairs."""
    return [(int(digit), letter == "Y") for letter, digit in zip(letters, scores, strict=True)]


def for_precision(curve, wanted):
    """What reaches a precision, or what is said where nothing does."""
    try:
        return curve.for_precision(wanted)
    except UndefinedError as error:
        return error.message


def stored(folder, scores, is_yes):
    store = SortedNumbers(Path(folder) / "numbers")
    store.add(np.array(scores, float), np.array(is_yes, np.int32))
    store.flush()
    return store


@given(
    st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=30),
    st.sampled_from([0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0]),
    st.lists(st.integers(-1, 19).map(lambda k: k / 2), max_size=3),
)
@example(marked("YYNNYYN", "1504551"), 0.75, [])
@example(marked("YNYNYNNNN", "748640073"), 1 / 3, [6.0])
@example(marked("NYNNNNYYN", "753468145"), 1.0, [7.0])
@settings(max_examples=200)
def test_cutoffs_thinned_to_the_utmost_choose_as_the_whole_curve_does(rows, precision, asked):
    scores, is_yes = zip(*rows, strict=True)
    whole = cutoff_curve(scores, is_yes)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name, value in (("MOST_POINTS", 1), ("_STRETCHES", 1), ("_BEST", 1)):
            patch.setattr(walking, name, value)
        with closing(stored(folder, scores, is_yes)) as store:
            thinned = walked_cutoffs(store, ([1], [0]), precision=precision, asked=asked)
    assert [thinned.at(each) for each in asked] == [whole.at(each) for each in asked]
    assert chosen_cutoffs(thinned, precision) == chosen_cutoffs(whole, precision)
    assert for_precision(thinned, precision) == for_precision(whole, precision)
    assert (n_cutoffs(thinned), n_best(thinned)) == (len(whole.cutoffs), len(whole.best))


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30))
def test_ranking_sums_up_as_where_it_is_held(rows):
    keys, hits = zip(*rows, strict=True)
    by = ranking(np.array(keys, float), np.ones(len(keys), np.bool_))
    sizes = np.diff(np.append(by.starts, len(keys)))
    found = np.add.reduceat(np.array(hits, np.int64)[by.order], by.starts)
    with tempfile.TemporaryDirectory() as folder, closing(stored(folder, keys, hits)) as store:
        sums = walked_ranking(store, ([1], [0]))
    wanted = np.ones(1)
    precision = expected_average_precision(sizes[None, :], found[None, :], wanted)[0]
    assert sums.cws / sums.n == pytest.approx(expected_cws(sizes[None, :], found[None, :])[0])
    assert sums.average_precision == pytest.approx(precision)
    assert sums.squared_weights == pytest.approx((sizes * cws_weights(sizes) ** 2).sum())
    assert (sums.n, sums.n_hits) == (len(keys), sum(hits))
