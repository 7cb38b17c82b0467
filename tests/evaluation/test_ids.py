"""Ids: hashes find the rows of verdicts, in one order or in another."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from ensue.errors import DataError, RunError
from ensue.evaluation import ids as id_module
from ensue.evaluation.gold import gold_of
from ensue.evaluation.ids import IdIndex, as_ids, have_loose_ends, id_hashes
from ensue.evaluation.verdicts import RunBatches, VerdictBatch, verdicts_on
from ensue.pairs import Label, Pair

texts = st.lists(st.text(alphabet="ab \u00e9", max_size=20), max_size=8)


def gold_named(*ids):
    return gold_of([Pair(each, "a text", "a text", Label.ENTAILMENT) for each in ids])


def run_of(*ids, size=3):
    """A run in batches, whose scores are the places of its verdicts."""

    def read(_):
        for i in range(0, len(ids), size):
            some = ids[i : i + size]
            codes = np.zeros(len(some), np.int8)
            yield VerdictBatch(
                as_ids(some), codes, codes, np.arange(i, i + len(some), dtype=float), codes * 0.5
            )

    return RunBatches("run", read, lambda i: f"run:{i + 1}")


@given(st.permutations([f"p{i}" for i in range(12)]), st.integers(0, 12), st.integers(1, 5))
def test_ids_in_any_order_find_their_verdicts(order, n_judged, size):
    gold = [f"p{i}" for i in range(12)]
    judged = order[:n_judged]
    found = verdicts_on(gold_named(*gold), run_of(*judged, size=size))
    place = {name: float(k) for k, name in enumerate(judged)}
    scores = [None if np.isnan(score) else score for score in found.score.tolist()]
    assert scores == [place.get(name) for name in gold]


def test_parts_in_another_order_find_their_verdicts():
    gold = [f"p{i}" for i in range(12)]
    found = verdicts_on(gold_named(*gold), run_of(*gold[6:], *gold[:6], size=3))
    assert found.score.tolist() == [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]


@given(texts, st.integers(0, 3))
def test_equal_texts_and_no_others_have_one_hash(names, start):
    hashes = id_hashes(as_ids(["-"] * start + names).slice(start)).tolist()
    assert len(set(hashes)) == len(set(names))
    assert hashes == [int(id_hashes(as_ids([name]))[0]) for name in names]


@given(texts)
def test_texts_without_loose_ends_are_not_changed_by_stripping(names):
    if not have_loose_ends(pa.array(names, pa.string())):
        assert all(name and name == name.strip() for name in names)


@pytest.mark.parametrize("size", [1, 3, 40])
def test_first_of_what_does_not_fit_is_named_wherever_it_lies(size):
    gold = [f"p{i}" for i in range(12)]
    unknown = [f"x{i}" for i in range(5, -1, -1)]
    again = [*gold[:8], *gold[7::-1]]
    for judged, message, place in (
        ([*gold[:2], *unknown], "the first is 'x5'", "run:3"),
        ([*gold, *unknown], r"pair 'x5' is not in the gold \(and 5 more\)", "run:13"),
        (again, "pair 'p7' is judged a second time; the first is at run:8", "run:9"),
    ):
        with pytest.raises(RunError, match=message) as raised:
            verdicts_on(gold_named(*gold), run_of(*judged, size=size))
        assert raised.value.place == place


def test_first_doubled_gold_is_named_wherever_it_lies():
    ids = [f"p{i}" for i in range(12)]
    with pytest.raises(DataError, match=r"two gold pairs have the id 'p11' \(pairs 12 and 13\)"):
        gold_named(*ids, *ids[::-1])


def test_ids_with_one_hash_are_told_apart_by_their_texts(monkeypatch):
    monkeypatch.setattr(
        id_module, "id_hashes", lambda ids: np.array([len(i.as_py()) for i in ids], np.uint64)
    )
    found = verdicts_on(gold_named("aa", "b", "cc"), run_of("cc", "b", "aa"))
    assert found.score.tolist() == [2, 1, 0]
    with pytest.raises(DataError, match=r"two gold pairs have the id 'cc' \(pairs 2 and 4\)"):
        gold_named("aa", "cc", "b", "cc")
    with pytest.raises(RunError, match="pair 'dd' is not in the gold"):
        verdicts_on(gold_named("aa", "b", "cc"), run_of("cc", "b", "aa", "dd"))


def test_texts_of_consecutive_ids_are_those_that_were_added():
    index = IdIndex()
    names = [f"p{i}" for i in range(10)]
    for start in range(0, 10, 4):
        index.add(as_ids(names[start : start + 4]))
    assert index.finish() is None
    for start in range(10):
        for end in range(start + 1, 11):
            assert index.texts(start, end).to_pylist() == names[start:end]
    assert [index.text(i) for i in range(10)] == names
