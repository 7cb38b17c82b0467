import io
import math

import numpy as np
import pytest

from ensue.errors import SettingError
from ensue.files import RowFormat
from ensue.translation.metrics import load_metric, ordered_outputs, write_orders
from ensue.translation.metrics.scores import ScoredBatch
from ensue.translation.systems import Segment


class Stated:
    """A metric whose probabilities are logistic in its scores."""

    name = "stated"
    signature = "stated"

    def informed(self, references):
        return self

    def scores(self, segments):
        raise NotImplementedError

    def probability(self, first, second):
        return 1 / (1 + np.exp(-(first - second)))


def batch(*scores):
    segments = [
        Segment("de-en", str(i), ("reference",), {f"s{j}": "output" for j in range(len(each))})
        for i, each in enumerate(scores, 1)
    ]
    keys = tuple(key for segment in segments for key in segment.output_keys())
    return ScoredBatch(segments, keys, np.concatenate(scores)[:, None])


def logistic(difference):
    return 1 / (1 + math.exp(-difference))


def test_outputs_are_ordered_by_score_within_each_segment():
    (found,) = ordered_outputs(Stated(), [batch(np.array([0.0, 2.0, 1.0]), np.array([1.0, 3.0]))])
    assert [(each.key.segment, each.key.system, each.place) for each in found] == [
        ("1", "s1", 1),
        ("1", "s2", 2),
        ("1", "s0", 3),
        ("2", "s1", 1),
        ("2", "s0", 2),
    ]


def test_each_output_says_how_likely_it_beats_the_next():
    (found,) = ordered_outputs(Stated(), [batch(np.array([0.0, 2.0, 1.5]))])
    assert [each.beats_next for each in found[:2]] == pytest.approx([logistic(0.5), logistic(1.5)])
    assert found[2].beats_next is None


def test_likelihood_of_an_order_is_the_product_over_all_its_pairs():
    (found,) = ordered_outputs(Stated(), [batch(np.array([0.0, 2.0, 1.5]))])
    expected = logistic(0.5) * logistic(1.5) * logistic(2.0)
    assert [each.likelihood for each in found] == pytest.approx([expected] * 3)


def test_one_output_is_in_its_order_for_certain():
    (found,) = ordered_outputs(Stated(), [batch(np.array([0.3]))])
    assert [(each.place, each.beats_next, each.likelihood) for each in found] == [(1, None, 1.0)]


def test_more_outputs_than_the_exact_search_takes_are_ordered_by_score():
    scores = np.random.default_rng(0).normal(size=20)
    (found,) = ordered_outputs(Stated(), [batch(scores)])
    assert [each.score for each in found] == sorted(scores.tolist(), reverse=True)


def test_metric_without_probabilities_orders_nothing():
    with pytest.raises(SettingError, match="'bleu' says no probabilities"):
        next(ordered_outputs(load_metric("bleu"), [batch(np.array([1.0, 2.0]))]))


def test_orders_are_written_as_rows():
    file = io.BytesIO()
    ordered = ordered_outputs(Stated(), [batch(np.array([0.0, 2.0]))])
    write_orders(file, ordered, format=RowFormat.CSV)
    header, first, second = file.getvalue().decode().splitlines()
    assert header == "language_pair,segment,system,place,score,beats_next,likelihood"
    assert first.startswith("de-en,1,s1,1,2,0.88")
    assert second.startswith("de-en,1,s0,2,0,,0.88")
