"""What ships trained can be trained anew, and a difference to it is found."""

import json

import numpy as np
import pytest
from benchmarks.training import METRICS, SOURCE, artifacts, compared, difference


def test_every_trained_file_is_made_by_a_command():
    homes = {artifact.home for artifact in artifacts()}
    trained = {path.parent for path in SOURCE.rglob("trained*/**/*.json")}
    assert all(homes & {folder, *folder.parents} for folder in trained)
    assert SOURCE / "language" / "lexicon" / "wordnet.table" in homes


def test_every_artifact_is_there():
    assert all(artifact.home.exists() for artifact in artifacts())


@pytest.mark.parametrize(
    ("made", "shipped", "found"),
    [
        ({"a": [1.0, 2]}, {"a": [1.0 + 1e-9, 2]}, None),
        ({"a": [1.0, 2]}, {"a": [1.1, 2]}, "/a/0 is 1.0, not 1.1"),
        ({"a": [1.0]}, {"a": [1.0, 2.0]}, "/a has 1 entries, not 2"),
        ({"a": 1}, {"b": 1}, "/a is in one of them only"),
        ({"a": "x"}, {"a": "y"}, "/a is 'x', not 'y'"),
    ],
)
def test_first_difference_is_told_with_its_place(made, shipped, found):
    assert difference(made, shipped) == found


def test_changed_weight_is_seen(tmp_path):
    shipped = METRICS / "pair-tradmt"
    record = json.loads((shipped / "metric.json").read_text("utf-8"))
    record["features"][3]["weight"] += 0.01
    (tmp_path / "metric.json").write_text(json.dumps(record), "utf-8")
    assert "features/3/weight" in compared(tmp_path, shipped)
    assert compared(shipped, shipped) is None


def test_changed_array_is_seen(tmp_path):
    shipped = SOURCE / "recognizers" / "trained_translation"
    with np.load(shipped / "arrays.npz") as kept:
        arrays = dict(kept)
    np.savez(tmp_path / "arrays.npz", **arrays)
    assert compared(tmp_path, shipped) is None
    arrays["probabilities"][7] += 0.1
    np.savez(tmp_path / "arrays.npz", **arrays)
    assert compared(tmp_path, shipped) == "arrays.npz/probabilities differs"
