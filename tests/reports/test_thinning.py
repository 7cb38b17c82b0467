import numpy as np
from hypothesis import given, strategies as st

from ensue.reports.pictures.curves import thinned

heights = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=300)


def test_thinned_keeps_short_curves_whole():
    assert thinned([0.3, 0.1, 0.2], limit=3).tolist() == [0, 1, 2]


def test_thinned_keeps_lowest_and_highest_of_each_stretch():
    # limit 8 makes 8 // 2 - 1 = 3 stretches: 0–2, 3–5, 6–8
    curve = [1, 2, 3, 9, 5, 4, 0, 7, 6]
    assert thinned(curve, limit=8).tolist() == [0, 2, 3, 5, 6, 7, 8]


@given(heights, st.integers(4, 60))
def test_thinned_keeps_ends_and_extremes_within_the_limit(curve, limit):
    kept = thinned(curve, limit=limit)
    values = np.array(curve)[kept]
    assert len(kept) <= limit
    assert kept[0] == 0
    assert kept[-1] == len(curve) - 1
    assert (values.min(), values.max()) == (min(curve), max(curve))
    assert (np.diff(kept) > 0).all()
