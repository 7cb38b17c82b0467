"""Gold and runs side by side, in one order or in another."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from ensue.errors import DataError, RunError
from ensue.evaluation.large.columns import Columns, VerdictColumns, cut_alike, text_bytes
from ensue.evaluation.large.join import OutOfOrderError, any_order, same_order
from ensue.evaluation.large.kernels import are_increasing, has_loose_ends, text_hashes

texts = st.lists(st.text(alphabet="ab \u00e9", max_size=3), max_size=8)


def gold_of(*ids, size=2):
    """Gold rows with these ids, in batches."""
    batches = [
        pa.record_batch(
            [pa.array(ids[i : i + size]), pa.array(np.zeros(len(ids[i : i + size]), np.int8))],
            names=["id", "gold"],
        )
        for i in range(0, len(ids), size)
    ]
    return Columns("gold", len(ids), lambda: iter(batches), lambda i: f"gold:{i + 1}")


def run_of(*ids, size=3):
    """A run whose scores are the places of its verdicts."""
    batches = [
        pa.record_batch(
            {
                "id": pa.array(ids[i : i + size]),
                "label": pa.array(np.zeros(len(ids[i : i + size]), np.int8)),
                "status": pa.array(np.zeros(len(ids[i : i + size]), np.int8)),
                "score": pa.array(np.arange(i, min(i + size, len(ids)), dtype=float)),
                "confidence": pa.array(np.ones(len(ids[i : i + size]))),
            }
        )
        for i in range(0, len(ids), size)
    ]
    return VerdictColumns("run", len(ids), lambda: iter(batches), lambda i: f"run:{i + 1}")


def joined(rows):
    """Each gold row's number and id, and the score beside it."""
    return [
        found
        for each in rows
        for found in zip(
            each.rows.tolist(),
            each.gold.column("id").to_pylist(),
            each.verdicts[0].column("score").to_pylist(),
            strict=True,
        )
    ]


@pytest.mark.parametrize("ids", [("1", "2", "9", "10", "11"), ("e", "d", "c", "b", "a")])
def test_ids_in_the_same_order_are_side_by_side(tmp_path, ids):
    found = joined(same_order(gold_of(*ids), [run_of(*ids)], tmp_path))
    assert found == [(i, name, float(i)) for i, name in enumerate(ids)]


@pytest.mark.parametrize(
    ("ids", "judged"),
    [("abcd", "abdc"), ("abcd", "abc"), ("abc", "abcd"), ("abab", "abab"), ("abb", "abb")],
)
def test_ids_in_another_order_or_twice_are_out_of_order(tmp_path, ids, judged):
    with pytest.raises(OutOfOrderError):
        list(same_order(gold_of(*ids), [run_of(*judged)], tmp_path))


@given(st.permutations([f"p{i}" for i in range(12)]), st.integers(0, 12), st.integers(1, 12))
def test_ids_in_any_order_find_their_verdicts(tmp_path_factory, order, n_judged, partition):
    gold = [f"p{i}" for i in range(12)]
    judged = order[:n_judged] or order[:1]
    folder = tmp_path_factory.mktemp("partitions")
    found = joined(any_order(gold_of(*gold), [run_of(*judged)], folder, partition=partition))
    place = {name: float(k) for k, name in enumerate(judged)}
    expected = [(i, name, place.get(name)) for i, name in enumerate(gold)]
    assert [(*row[:2], None if np.isnan(row[2]) else row[2]) for row in sorted(found)] == expected


@given(texts, st.integers(0, 3))
def test_texts_increase_where_each_is_longer_or_behind(names, start):
    array = pa.array(["-"] * start + names, pa.string()).slice(start)
    keys = [(len(name.encode()), name.encode()) for name in names]
    assert are_increasing(*text_bytes(array)) == all(a < b for a, b in pairwise(keys))


@given(texts)
def test_equal_texts_and_no_others_have_one_hash(names):
    hashes = text_hashes(*text_bytes(pa.array(names, pa.string()))).tolist()
    assert len(set(hashes)) == len(set(names))
    assert all(
        (a == b) == (x == y)
        for a, x in zip(names, hashes, strict=True)
        for b, y in zip(names, hashes, strict=True)
    )


@given(texts)
def test_texts_without_loose_ends_are_not_changed_by_stripping(names):
    if not has_loose_ends(*text_bytes(pa.array(names, pa.string()))):
        assert all(name and name == name.strip() for name in names)


@given(st.lists(st.integers(0, 5), max_size=6), st.lists(st.integers(0, 5), max_size=6))
def test_streams_are_cut_at_the_same_rows(first, second):
    def stream(sizes):
        ends = np.cumsum([0, *sizes])
        return iter(pa.record_batch({"id": np.arange(a, b)}) for a, b in pairwise(ends.tolist()))

    n = 0
    for one, other in cut_alike([stream(first), stream(second)]):
        assert one.equals(other)
        assert len(one) > 0
        n += len(one)
    assert n == min(sum(first), sum(second))


@pytest.mark.parametrize("partition", [1, 3, 12])
def test_first_of_what_does_not_fit_is_named_wherever_it_lies(tmp_path_factory, partition):
    gold = [f"p{i}" for i in range(12)]
    unknown = [f"x{i}" for i in range(5, -1, -1)]
    again = [*gold[:8], *gold[7::-1]]
    for judged, message, place in (
        ([*gold[:2], *unknown], "the first is 'x5'", "run:3"),
        ([*gold, *unknown], r"pair 'x5' is not in the gold \(and 5 more\)", "run:13"),
        (again, "pair 'p7' is judged a second time; the first is at run:8", "run:9"),
    ):
        with pytest.raises(RunError, match=message) as raised:
            joined(
                any_order(
                    gold_of(*gold),
                    [run_of(*judged)],
                    tmp_path_factory.mktemp("x"),
                    partition=partition,
                )
            )
        assert raised.value.place == place


def test_first_doubled_gold_is_named_wherever_it_lies(tmp_path):
    ids = [f"p{i}" for i in range(12)]
    with pytest.raises(
        DataError, match="two pairs have the id 'p11'; the first is at gold:12"
    ) as raised:
        joined(any_order(gold_of(*ids, *ids[::-1]), [run_of(*ids)], tmp_path, partition=1))
    assert raised.value.place == "gold:13"
