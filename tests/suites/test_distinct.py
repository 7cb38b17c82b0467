"""Cases of several suites: who has one first, held against plain sets."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.suites import plan as distinct
from ensue.suites.plan import CaseIndex

HASHES = st.integers(0, 2**64 - 1) | st.integers(0, 20) | st.integers(2**63, 2**63 + 20)
SUITES = st.lists(st.lists(HASHES, unique=True, max_size=30), min_size=1, max_size=6)


def arrays(suites):
    return [np.array(each, np.uint64) for each in suites]


@pytest.fixture(scope="module")
def claimed(tmp_path_factory):
    def claim(suites, largest_part=8):
        directory = tmp_path_factory.mktemp("claims")
        found = CaseIndex(directory, sum(map(len, suites)), largest_part=largest_part)
        found.find(arrays(suites))
        return found

    return claim


def test_case_stays_in_the_first_suite_that_has_it(claimed):
    found = claimed([[5, 7, 9], [7, 2], [9, 2, 4]])
    assert [sorted(found.lost_by(i).tolist()) for i in range(3)] == [[], [7], [2, 9]]
    assert found.n_lost == 3


def test_hashes_are_free_until_they_are_taken(claimed, monkeypatch):
    monkeypatch.setattr(distinct, "_MOST_RECENT", 2)
    found = claimed([[5, 7], [7, 2]])
    assert not found.is_free([2])
    assert found.is_free([1, 3])
    for each in (1, 3, 2**64 - 1, 8):
        found.take([each])
        assert not found.is_free([0, each])
    assert found.is_free([0, 6])


def test_no_suite_has_any_case(claimed):
    found = claimed([[], []])
    assert found.lost_by(1).tolist() == []
    assert found.is_free([0])


@given(suites=SUITES, size=st.integers(1, 40), others=st.lists(HASHES, max_size=5))
def test_claims_are_those_of_plain_sets(claimed, suites, size, others):
    found = claimed(suites, size)
    seen = set()
    for number, hashes in enumerate(suites):
        assert set(found.lost_by(number).tolist()) == seen & set(hashes)
        seen |= set(hashes)
    for each in others:
        assert found.is_free([each]) == (each not in seen)
