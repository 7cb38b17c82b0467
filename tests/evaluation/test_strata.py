"""Long rankings in parts, and strata that are drawn in place of very many pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.evaluation import roc
from ensue.evaluation.curves import curve_band, cutoff_band, risk_coverage
from ensue.evaluation.measures import (
    ACCURACY,
    AVERAGE_PRECISION,
    CWS,
    F,
    Prepared,
    Resample,
    replicates,
    strata,
)
from ensue.pairs.cutoffs import cutoff_curve
from ensue.statistics import (
    Resampling,
    average_precision_of_parts,
    cws_of_parts,
    cws_weights,
    expected_average_precision,
    expected_cws,
    ranked_parts,
    ranking,
    squared_cws_weights,
)

rankings = st.lists(
    st.tuples(
        st.sampled_from([0.0, -0.0, 0.5, -1.0]) | st.floats(-9, 9), st.booleans(), st.booleans()
    ),
    min_size=1,
    max_size=60,
).filter(lambda rows: any(chosen for _, _, chosen in rows))


def columns(rows):
    key, hits, chosen = zip(*rows, strict=True)
    return np.array(key), np.array(chosen), np.array(hits)


@given(rankings, st.integers(1, 9))
def test_parts_of_a_ranking_are_the_ranking(rows, part):
    key, chosen, hits = columns(rows)
    whole = ranking(key, chosen)
    parts = list(ranked_parts(key, chosen, hits, part=part))
    ones = chosen.astype(np.int64)[None, :]
    assert (
        np.concatenate([each.sizes[0] for each in parts]).tolist() == whole.sums(ones)[0].tolist()
    )
    found = np.concatenate([each.hits[0] for each in parts])
    assert found.tolist() == whole.sums(ones * hits)[0].tolist()
    keys = np.concatenate([each.keys for each in parts])
    assert keys.tolist() == key[whole.order][whole.starts].tolist()


@given(rankings, st.integers(1, 9))
def test_scores_of_parts_are_those_of_the_whole(rows, part):
    key, chosen, hits = columns(rows)
    whole, ones = ranking(key, chosen), chosen.astype(np.int64)[None, :]
    sizes, found = whole.sums(ones), whole.sums(ones * hits)
    wanted = np.array([float(hits.sum() or 1)])

    def parts():
        return ((each.sizes, each.hits) for each in ranked_parts(key, chosen, hits, part=part))

    assert cws_of_parts(parts()) == pytest.approx(expected_cws(sizes, found), rel=1e-12)
    assert average_precision_of_parts(parts(), wanted) == pytest.approx(
        expected_average_precision(sizes, found, wanted), rel=1e-12
    )
    squares = squared_cws_weights((each[0][0] for each in parts()), int(sizes.sum()))
    expected = (np.repeat(cws_weights(sizes[0]), sizes[0]) ** 2).sum()
    assert squares == pytest.approx(expected, rel=1e-9)


def test_scores_of_many_ties_do_not_need_their_places(monkeypatch):
    sizes, hits = np.array([[500, 1, 700]]), np.array([[300, 1, 200]])
    expected = expected_cws(sizes, hits)
    monkeypatch.setattr("ensue.statistics.correlation._PLACES", 100)
    assert expected_cws(sizes, hits) == pytest.approx(expected, rel=1e-12)


@pytest.fixture(scope="module")
def many(make_judged):
    """Two runs on 6,000 pairs: the surer, the likelier right; half of the confidences tie."""
    rng = np.random.default_rng(5)
    n = 6000
    gold = rng.choice(list("YN"), n)
    found = []
    for skill in (0.25, 0.2):
        confidence = rng.random(n)
        confidence = np.where(rng.random(n) < 0.5, confidence.round(2), confidence)
        is_right = rng.random(n) < 0.55 + skill * confidence
        answers = np.where(is_right, gold, np.where(gold == "Y", "N", "Y"))
        answers[rng.random(n) < 0.01] = "-"
        sure = [None if a == "-" else float(c) for a, c in zip(answers, confidence, strict=True)]
        found.append(make_judged("".join(gold), "".join(answers), sure))
    return found


MEASURED = (ACCURACY, F, CWS, AVERAGE_PRECISION)


def test_strata_have_all_pairs_and_their_confusion(many):
    for runs in (many[:1], many):
        cut = strata(runs)
        assert cut.counts.sum() == 6000
        for judged, own in zip(runs, cut.runs, strict=True):
            table = Resample(Prepared(own), cut.counts[None, :]).confusion[0]
            assert table.tolist() == judged.confusion.tolist()
    assert len(strata(many[:1]).counts) < 400


def test_strata_rank_nearly_as_their_pairs_do(many):
    for runs, tolerance in ((many[:1], 0.003), (many, 0.01)):
        cut = strata(runs)
        for judged, own in zip(runs, cut.runs, strict=True):
            draw = Resample(Prepared(own), cut.counts[None, :])
            for measure in (CWS, AVERAGE_PRECISION):
                near = float(measure.weighted(draw)[0])
                assert near == pytest.approx(measure(judged), abs=tolerance)


def test_intervals_of_strata_are_near_those_of_pairs(many):
    resampling = Resampling(draws=4000)
    of_pairs = replicates(many, MEASURED, resampling=resampling)
    large = [replace(judged, is_large=True) for judged in many]
    alone = replicates(large[:1], MEASURED, resampling=resampling)[0]
    together = replicates(large, MEASURED, resampling=resampling)
    for measure in MEASURED:
        name = measure.name
        width = of_pairs[0][name].std()
        assert alone[name].std() == pytest.approx(width, rel=0.05)
        assert together[0][name].std() == pytest.approx(width, rel=0.05)
        assert alone[name].mean() == pytest.approx(of_pairs[0][name].mean(), abs=0.1 * width)
        difference = of_pairs[0][name] - of_pairs[1][name]
        drawn = together[0][name] - together[1][name]
        assert drawn.std() == pytest.approx(difference.std(), rel=0.05)
        assert drawn.mean() == pytest.approx(difference.mean(), abs=0.1 * difference.std())


def test_strata_of_a_ranked_run_are_cut_by_its_scores(make_judged):
    rng = np.random.default_rng(6)
    gold = "".join(rng.choice(list("YN"), 2000))
    score = (rng.normal(size=2000) + [g == "Y" for g in gold]).tolist()
    judged = make_judged(
        gold, "".join("Y" if s > 0.5 else "N" for s in score), None, score, ranked=True
    )
    resampling = Resampling(draws=2000)
    (of_pairs,) = replicates([judged], [AVERAGE_PRECISION], resampling=resampling)
    (drawn,) = replicates(
        [replace(judged, is_large=True)], [AVERAGE_PRECISION, CWS], resampling=resampling
    )
    assert np.isnan(drawn["cws"]).all()
    expected = of_pairs["average-precision"]
    assert drawn["average-precision"].std() == pytest.approx(expected.std(), rel=0.08)


def test_risk_and_coverage_of_parts_are_those_of_the_whole(many, monkeypatch):
    expected = risk_coverage(many[0])
    monkeypatch.setattr(
        "ensue.evaluation.curves.ranked_parts", lambda *args: ranked_parts(*args, part=100)
    )
    found = risk_coverage(many[0])
    for name in ("coverage", "risk", "confidence"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


def test_area_under_the_curve_is_that_of_scikit_learn():
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(3)
    is_yes = rng.random(7000) < 0.4
    scores = np.round(rng.normal(is_yes * 0.5, 1), 2)
    assert roc(cutoff_curve(scores, is_yes)).auc == pytest.approx(roc_auc_score(is_yes, scores))


def test_band_of_a_curve_is_that_of_its_scores():
    rng = np.random.default_rng(4)
    scores, is_yes = rng.random(500), rng.random(500) < 0.5
    grid = [0.2, 0.5, 0.8]
    one, other = (
        cutoff_band(scores, is_yes, grid),
        curve_band(cutoff_curve(scores, is_yes), grid),
    )
    assert one.low.tolist() == other.low.tolist()
    assert one.high.tolist() == other.high.tolist()
