"""The counts of the paper's Table 1 on the parts of its data that are at hand."""

import pytest

from ensue.pairs import load_pairs
from ensue.paraphrase.recognition import Task, frequent_terms, term_counts

TABLE_1 = {
    "found": (89, 62),
    "called": (59, 61),
    "told": (125, 34),
    "killed": (48, 109),
    "accused": (30, 44),
    "to take": (21, 23),
    "reached": (22, 18),
    "returned": (14, 20),
    "turned": (22, 10),
    "broke": (10, 10),
}
"""Shima & Mitamura (2011): positive pairs of MSRPC (5,801 pairs) and of RTE-1 to RTE-4."""


@pytest.fixture(scope="module")
def tasks(shared_data):
    rte = ("rte1_dev", "rte1_test", "rte2_dev", "rte3_dev")
    pairs = [pair for name in rte for pair in load_pairs(shared_data / "rte" / f"{name}.xml")]
    msrpc = load_pairs(shared_data / "msrpc" / "msr_paraphrase_train.txt")
    return [Task.of("MSRPC", msrpc), Task.of("RTE", pairs)]


@pytest.mark.data
def test_parts_of_the_data_have_at_most_the_papers_counts(tasks):
    counts = term_counts(tasks, list(TABLE_1))
    assert [task.n_positive for task in tasks] == [2753, 1495]
    assert counts.positive[:, 0].tolist() == [61, 42, 91, 38, 19, 18, 15, 10, 18, 4]
    assert counts.positive[:, 1].tolist() == [22, 37, 23, 58, 25, 11, 4, 9, 7, 4]
    assert (counts.positive <= list(TABLE_1.values())).all()


@pytest.mark.data
def test_most_of_the_papers_verbs_are_among_the_frequent_ones(tasks):
    frequent = frequent_terms(tasks, 100)
    assert frequent[0] == "said"
    assert {"told", "killed", "found", "called", "accused", "turned"} <= set(frequent)
