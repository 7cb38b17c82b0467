from itertools import pairwise

import numpy as np
from hypothesis import given, strategies as st

from ensue.surface import DistinctRows

ROWS = st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=30)


def numbers(distinct, rows):
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return distinct.numbers(offsets, np.array([i for row in rows for i in row], np.int32)).tolist()


@given(st.lists(ROWS, max_size=4))
def test_rows_have_the_numbers_in_which_they_are_first_met(batches):
    distinct, known = DistinctRows(), {}
    for rows in batches:
        expected = [known.setdefault(tuple(row), len(known)) for row in rows]
        assert numbers(distinct, rows) == expected
    offsets, values = distinct.offsets.tolist(), distinct.values.tolist()
    found = [tuple(values[i:j]) for i, j in pairwise(offsets)]
    assert found == list(known)
    assert distinct.n_rows == len(known)


def test_many_rows_keep_their_numbers():
    distinct = DistinctRows()
    rows = [[i % 7, i] for i in range(20_000)]
    assert numbers(distinct, rows) == list(range(20_000))
    assert numbers(distinct, rows[::-1]) == list(range(20_000))[::-1]
    assert distinct.n_values == 40_000
