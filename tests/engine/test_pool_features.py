"""Rooms with a pool of processes say what they say without one, to the last bit."""

import numpy as np
import pytest

from ensue.engine.processes import Pool
from ensue.features import extraction as reading
from ensue.features.extraction import open_reader
from ensue.pairs import Pair
from ensue.recognizers import load

PAIRS = [
    (f"The clerk of house {n} may have sold {n} boats in May.", f"The clerk sold {n % 5} boats.")
    for n in range(70)
]


@pytest.fixture(scope="module")
def pool():
    with Pool(2) as opened:
        yield opened


@pytest.mark.slow
def test_features_are_the_same_by_processes(pool, tmp_path, monkeypatch):
    alone = open_reader(cache=tmp_path / "alone.sqlite").features(PAIRS)
    monkeypatch.setattr(reading, "_LEAST_FOR_POOL", 1)
    monkeypatch.setattr(reading, "CHUNK", 16)
    spread = open_reader(cache=tmp_path / "spread.sqlite", pool=pool).features(PAIRS)
    assert np.array_equal(alone, spread)


@pytest.mark.slow
def test_recognizer_with_a_pool_judges_as_it_does_without(pool, tmp_path, use_cache):
    pairs = [Pair(str(n), *pair) for n, pair in enumerate(PAIRS)]
    recognizer = load("joint")
    use_cache(tmp_path / "cache")
    assert recognizer.with_pool(pool).judge(pairs) == recognizer.with_pool(None).judge(pairs)
    assert recognizer.with_pool(pool).signature == recognizer.signature
