"""Trained metrics in directories."""

import json

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, OutputError, UnknownNameError
from ensue.translation.features import FeatureSet
from ensue.translation.features.families import SURFACE_NAMES
from ensue.translation.metrics import RECORD, load_metric, save_metric, trained_metric
from ensue.translation.metrics.linear_models import ModelKind


@pytest.fixture(params=list(ModelKind))
def metric(request, make_table):
    table, judgments = make_table()
    return trained_metric(table, judgments, request.param, FeatureSet.TRADMT, name="made up")


def test_metric_comes_back_bit_by_bit(metric, tmp_path):
    save_metric(metric, tmp_path / metric.name)
    back = load_metric(tmp_path / metric.name)
    ours, theirs = metric.weighing, back.weighing
    for name in ("weights", "means", "deviations"):
        assert getattr(ours, name).tobytes() == getattr(theirs, name).tobytes()
    for name in ("kind", "names", "bias", "spread", "floor", "strength", "validated"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert back.trained_on == metric.trained_on
    assert back.signature == metric.signature
    assert back.feature_set is metric.feature_set


def test_metric_that_came_back_scores_the_same(metric, tmp_path, segments, references):
    save_metric(metric, tmp_path / "metric")
    back = load_metric(tmp_path / "metric").informed(references)
    metric = metric.informed(references)
    assert back.scores(segments).tolist() == metric.scores(segments).tolist()


def test_metric_has_the_name_of_its_directory(metric, tmp_path):
    save_metric(metric, tmp_path / "mine")
    assert load_metric(str(tmp_path / "mine")).name == "mine"
    assert load_metric(tmp_path / "mine").signature == metric.signature


def test_record_is_strict_json_for_people(metric, tmp_path):
    save_metric(metric, tmp_path / "metric")
    text = (tmp_path / "metric" / RECORD).read_text("utf-8")

    def refuse(name):
        raise AssertionError(name)

    record = json.loads(text, parse_constant=refuse)
    assert record["ensue_metric"] == 1
    assert record["signature"] == metric.signature
    assert len(record["features"]) == len(SURFACE_NAMES)


def test_saved_metric_replaces_only_a_metric(metric, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "letter.txt").write_text("dear reader")
    with pytest.raises(OutputError):
        save_metric(metric, tmp_path / "letters")
    assert (tmp_path / "letters" / "letter.txt").is_file()


def test_name_in_no_list_is_unknown():
    with pytest.raises(UnknownNameError, match="no metric is called 'pair-cmob'") as caught:
        load_metric("pair-cmob")
    assert caught.value.hint == "did you mean 'pair-comb'?"


def test_directory_without_a_record_is_no_metric(tmp_path):
    with pytest.raises(DataError, match=r"there is no metric\.json in"):
        load_metric(tmp_path)


def test_registered_name_goes_before_a_directory_of_that_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bleu").mkdir()
    assert load_metric("bleu").name == "bleu"


def test_scores_are_those_of_the_weighing(metric, segments, references):
    metric = metric.informed(references)
    # with the features of the meter: weights times distances from the mean, and the bias
    values = metric.meter.table(segments).values
    worded = ~np.isnan(values).any(axis=1)
    weighing = metric.weighing
    expected = weighing.bias + (values[worded] - weighing.means) @ weighing.weights
    found = metric.scores(segments)
    usual = expected >= weighing.floor
    assert found[worded][usual] == pytest.approx(expected[usual])
    assert (found[worded] >= weighing.floor - weighing.spread).all()
    assert set(found[~worded]) == {weighing.floor - 2 * weighing.spread}


def test_metric_on_features_that_have_changed_is_refused(metric, tmp_path):
    save_metric(metric, tmp_path / "metric")
    place = tmp_path / "metric" / RECORD
    record = json.loads(place.read_text("utf-8"))
    place.write_text(json.dumps({**record, "features_are": "others"}))
    with pytest.raises(DataError, check=coded("weights-other-features-than")):
        load_metric(tmp_path / "metric")
