"""Features do not depend on who measures them: a loop here, a pool that is none, processes."""

import pickle

import numpy as np
import pytest

from ensue.alignment import AlignmentSettings
from ensue.features import extraction as reading
from ensue.features.extraction import open_reader
from ensue.features.groups import FEATURES

PAIRS = [
    (f"The clerk of house {n} may have sold {n} boats in May.", f"The clerk sold {n % 5} boats.")
    for n in range(40)
]


class Loop:
    """A pool that is none: it sends what a pool sends, and calls it here."""

    def __init__(self):
        self.names = []

    def in_order(self, calls):
        for call in calls:
            function, *arguments = pickle.loads(pickle.dumps(call))
            self.names.append(function.__name__)
            yield pickle.loads(pickle.dumps(function(*arguments)))


@pytest.fixture
def spread_early(monkeypatch):
    """Let few pairs be enough for a pool: 40 pairs in windows of 32, chunks of 8."""
    monkeypatch.setattr(reading, "_LEAST_FOR_POOL", 16)
    monkeypatch.setattr(reading, "_WINDOW", 32)
    monkeypatch.setattr(reading, "CHUNK", 8)


def measured(tmp_path, name, **options):
    return open_reader(cache=tmp_path / f"{name}.sqlite", **options).features(PAIRS)


@pytest.mark.usefixtures("spread_early")
def test_features_by_a_pool_are_those_of_a_loop(tmp_path):
    pool = Loop()
    spread = measured(tmp_path, "spread", pool=pool)
    # 40 pairs are 5 chunks of 8; their windows have 37 and 8 texts, which are analyzed here
    assert pool.names == ["_measured"] * 5
    assert spread.shape == (40, len(FEATURES))
    assert np.array_equal(spread, measured(tmp_path, "alone"))


@pytest.mark.usefixtures("spread_early")
def test_settings_of_the_alignment_reach_the_pool(tmp_path):
    settings = AlignmentSettings(edge_weight=2.0)
    spread = measured(tmp_path, "spread", pool=Loop(), settings=settings)
    assert np.array_equal(spread, measured(tmp_path, "alone", settings=settings))
    assert not np.array_equal(spread, measured(tmp_path, "usual"))


def test_few_pairs_are_measured_here(tmp_path):
    pool = Loop()
    measured(tmp_path, "spread", pool=pool)
    assert pool.names == []
