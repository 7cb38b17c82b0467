"""What holds for every registered metric."""

from dataclasses import replace

import numpy as np
import pytest

from ensue import registry
from ensue.translation.metrics import load_metric
from ensue.translation.systems import Segment

METRICS = registry.names("metric")


@pytest.fixture(scope="module", params=METRICS)
def metric(request, references):
    return load_metric(request.param).informed(references)


@pytest.fixture(scope="module")
def scores(metric, segments):
    return metric.scores(segments)


def by_key(segments, scores):
    keys = [key for segment in segments for key in segment.output_keys()]
    return dict(zip(keys, scores.tolist(), strict=True))


def test_shipped_metrics_are_registered():
    trained = {
        f"{model}-{features}"
        for model in ("pair", "abs")
        for features in ("tradmt", "rte", "comb", "tradmt+lexical")
    }
    assert trained <= set(METRICS)


@pytest.mark.parametrize("name", METRICS)
def test_metric_has_the_name_it_is_found_by(name):
    kind = registry.find("metric", name)
    assert kind.name == name
    assert kind.summary


def test_metric_scores_every_output_with_a_finite_number(scores, segments):
    assert scores.shape == (sum(len(each.outputs) for each in segments),)
    assert scores.dtype == np.float64
    assert np.isfinite(scores).all()


def test_metric_has_no_scores_of_nothing(metric):
    assert metric.scores([]).shape == (0,)


def test_larger_is_better(scores, segments):
    said = by_key(segments, scores)
    for each in segments:
        same, near, salad, silent = (said[key] for key in each.output_keys())
        assert same > near > silent
        assert same > salad > silent


def test_same_output_has_the_same_score(metric, segments):
    doubled = [
        replace(each, outputs={**each.outputs, "twin": each.outputs["near"]}) for each in segments
    ]
    said = by_key(doubled, metric.scores(doubled))
    for each in doubled:
        found = {key.system: said[key] for key in each.output_keys()}
        assert found["twin"] == found["near"]


def test_order_of_outputs_and_segments_does_not_matter(metric, segments, scores):
    turned = [
        replace(each, outputs=dict(reversed(each.outputs.items()))) for each in reversed(segments)
    ]
    assert by_key(turned, metric.scores(turned)) == by_key(segments, scores)


def test_segment_scores_the_same_alone_as_among_others(metric, segments, scores):
    alone = np.concatenate([metric.scores([each]) for each in segments])
    assert alone.tolist() == scores.tolist()


def test_metric_is_deterministic(metric, references, segments, scores):
    again = load_metric(metric.name).informed(references)
    assert again.scores(segments).tolist() == scores.tolist()
    assert again.signature == metric.signature


def test_signature_begins_with_the_name(metric, scores):
    assert metric.signature.startswith(f"{metric.name}|")
    assert "\n" not in metric.signature


def test_signature_is_there_before_anything_is_scored(metric):
    assert load_metric(metric.name).signature.startswith(f"{metric.name}|")


def test_signature_does_not_change_by_scoring(metric):
    before = metric.signature
    two = Segment("", "1", ("a small dog", "a little dog"), {"A": "a small dog"})
    metric.informed([two.references]).scores([two])
    assert metric.signature == before


def test_second_reference_never_hurts_the_output_that_is_it(metric):
    one = Segment("", "1", ("The weather was fine.",), {"A": "It was a sunny day."})
    two = replace(one, references=("The weather was fine.", "It was a sunny day."))
    with_one = metric.informed([one.references]).scores([one])
    with_two = metric.informed([two.references]).scores([two])
    assert with_two[0] > with_one[0]
