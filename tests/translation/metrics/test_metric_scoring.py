"""Whole sets scored a batch at a time, and what is added up meanwhile."""

import json
from dataclasses import replace

import numpy as np
import pytest

from ensue.translation.features import batches
from ensue.translation.metrics import (
    ScoreSummary,
    all_statistics,
    load_metric,
    score_all,
    score_each,
    scored_batches,
    scores as module,
)
from ensue.translation.systems import SystemKey


@pytest.fixture
def metrics(references):
    return [load_metric(name).informed(references) for name in ("bleu", "chrf", "nist")]


@pytest.fixture
def small_batches(monkeypatch):
    """A segment at a time."""
    monkeypatch.setattr(module, "batches", lambda segments: batches(segments, size=1))


def test_metrics_are_scored_side_by_side(metrics, segments):
    (batch,) = scored_batches(metrics, segments)
    assert batch.values.shape == (12, 3)
    for column, metric in zip(batch.values.T, metrics, strict=True):
        assert column.tolist() == metric.scores(segments).tolist()


def test_batches_do_not_change_scores(metrics, segments, small_batches):
    assert len(list(scored_batches(metrics, segments))) == 3
    for scores, metric in zip(score_each(metrics, segments), metrics, strict=True):
        assert scores.values.tolist() == metric.scores(segments).tolist()


def test_scores_carry_name_signature_and_outputs(metrics, segments):
    scores = score_all(metrics[0], iter(segments))
    assert (scores.name, scores.signature) == ("bleu", metrics[0].signature)
    assert scores.outputs == tuple(key for each in segments for key in each.output_keys())


def test_no_segments_have_no_scores(metrics):
    scores = score_each(metrics, [])
    assert [len(each.values) for each in scores] == [0, 0, 0]
    assert scores[0].outputs == ()


def test_progress_is_told_of_every_output(metrics, segments, small_batches):
    told = []
    score_each(metrics, segments, progress=told.append)
    assert told == [4, 4, 4]


def test_all_statistics_are_those_of_the_batches(metrics, segments, small_batches):
    told = []
    outputs, rows = all_statistics(metrics[0], segments, progress=told.append)
    assert rows.tolist() == metrics[0].statistics(segments).tolist()
    assert len(outputs) == sum(told) == 12


def test_summary_adds_up(metrics, segments, small_batches):
    summary = ScoreSummary(metrics)
    scored = list(scored_batches(metrics, segments))
    for batch in scored:
        summary.add(batch)
    values = np.concatenate([batch.values for batch in scored])
    rows = summary.rows()
    assert [row.key for row in rows] == [
        SystemKey("xx-en", system) for system in ("same", "near", "salad", "silent")
    ]
    for i, row in enumerate(rows):
        assert row.n_outputs == 3
        assert row.means == pytest.approx(values[i::4].mean(axis=0).tolist())


def test_summary_scores_whole_texts_of_metrics_that_sum(metrics, segments, small_batches):
    summary = ScoreSummary(metrics)
    for batch in scored_batches(metrics, segments):
        summary.add(batch)
    bleu, chrf, nist = summary.rows()[1].whole
    assert chrf is None
    for metric, whole in ((metrics[0], bleu), (metrics[2], nist)):
        rows = metric.statistics(segments)[1::4]
        assert whole == pytest.approx(metric.scored(rows.sum(axis=0, keepdims=True))[0])


def test_summary_keeps_language_pairs_apart(metrics, segments):
    both = [*segments, *(replace(each, language_pair="yy-en") for each in segments[:1])]
    summary = ScoreSummary(metrics)
    for batch in scored_batches(metrics, both):
        summary.add(batch)
    counts = {row.key: row.n_outputs for row in summary.rows()}
    assert counts[SystemKey("xx-en", "near")] == 3
    assert counts[SystemKey("yy-en", "near")] == 1


def test_summary_of_nothing_has_no_rows(metrics):
    assert ScoreSummary(metrics).rows() == []


def test_summaries_of_parts_are_merged(metrics, segments):
    whole, merged = ScoreSummary(metrics), ScoreSummary(metrics)
    for batch in scored_batches(metrics, segments):
        whole.add(batch)
    for segment in segments:
        part = ScoreSummary(metrics)
        for batch in scored_batches(metrics, [segment]):
            part.add(batch)
        merged.extend(json.loads(json.dumps(part.state())))
    for one, other in zip(whole.rows(), merged.rows(), strict=True):
        assert (one.key, one.n_outputs) == (other.key, other.n_outputs)
        assert one.means == pytest.approx(other.means, rel=1e-12)
        for value, expected in zip(one.whole, other.whole, strict=True):
            assert value == (None if expected is None else pytest.approx(expected, rel=1e-12))
