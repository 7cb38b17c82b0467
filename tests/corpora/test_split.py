from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from ensue.corpora import balance_pairs, part_counts, split_pairs
from ensue.errors import SettingError
from ensue.pairs import Label, Pair, load_pairs

KINDS = st.tuples(st.sampled_from([None, *Label]), st.sampled_from([None, "QA", "IE", "IR"]))


def made(kinds) -> list[Pair]:
    return [Pair(str(i), f"t{i}", "h", gold, task) for i, (gold, task) in enumerate(kinds)]


@settings(max_examples=40)
@given(st.lists(KINDS, max_size=60), st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_split_gives_every_part_its_fair_share_rounded(kinds, weights):
    pairs = made(kinds)
    sizes = [weight / sum(weights) for weight in weights]
    parts = split_pairs(pairs, sizes)
    together = [pair.id for part in parts for pair in part]
    assert sorted(together) == sorted(pair.id for pair in pairs)
    for part in parts:
        for key in (lambda p: p.gold, lambda p: (p.gold, p.task)):
            whole, here = Counter(map(key, pairs)), Counter(map(key, part))
            for kind, n in whole.items():
                fair = n * len(part) / len(pairs)
                assert math.floor(fair - 1e-6) <= here[kind] <= math.ceil(fair + 1e-6)


def test_split_does_not_depend_on_the_order_of_pairs():
    pairs = made([(Label.ENTAILMENT, "QA"), (Label.NOT_ENTAILMENT, "IE"), (None, None)] * 20)
    shuffled = random.Random(1).sample(pairs, len(pairs))
    first = [{pair.id for pair in part} for part in split_pairs(pairs, [0.3, 0.7])]
    assert first == [{pair.id for pair in part} for part in split_pairs(shuffled, [0.3, 0.7])]


def test_split_depends_on_the_seed():
    pairs = made([(Label.ENTAILMENT, "QA")] * 50)
    assert split_pairs(pairs, [25], seed=1) != split_pairs(pairs, [25], seed=2)
    assert split_pairs(pairs, [25], seed=1) == split_pairs(pairs, [25], seed=1)


def test_split_keeps_the_order_of_the_file():
    (part,) = split_pairs(made([(Label.ENTAILMENT, "QA")] * 50), [20])
    numbers = [int(pair.id) for pair in part]
    assert numbers == sorted(numbers)


def test_split_leaves_out_what_nobody_asked_for():
    parts = split_pairs(made([(Label.ENTAILMENT, "QA")] * 10), [3, 2])
    assert [len(part) for part in parts] == [3, 2]


def test_split_of_nothing_is_empty_parts():
    assert split_pairs([], [0.5, 0.5]) == [[], []]


@pytest.mark.parametrize(
    ("n", "sizes", "counts"),
    [
        (10, [0.5, 0.5], [5, 5]),
        (10, [1 / 3, 1 / 3, 1 / 3], [4, 3, 3]),
        (10, [0.25, 0.75], [3, 7]),
        (10, [3, None], [3, 7]),
        (10, [0.1, 0.2, None], [1, 2, 7]),
        (10, [0.3], [3]),
        (7, [0.5], [4]),
        (100, [0.07, 0.29, 0.64], [7, 29, 64]),
    ],
)
def test_part_counts_make_up_the_whole(n, sizes, counts):
    assert part_counts(n, sizes) == counts


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ([6, 6], "the parts ask for more than the 10 pairs there are"),
        ([0.6, 0.6], "the parts ask for more than the 10 pairs there are"),
        ([1.5], "1.5 is no size"),
        ([-1], "-1 is no size"),
        ([float("nan")], "nan is no size"),
        ([None, None], "only one part can be the rest"),
    ],
)
def test_part_counts_refuse_sizes_that_make_no_sense(sizes, message):
    with pytest.raises(SettingError, match=message):
        part_counts(10, sizes)


@pytest.mark.data
def test_split_of_rte1_is_balanced_by_task_too(shared_data):
    pairs = load_pairs(shared_data / "rte" / "rte1_test.xml")
    whole = Counter(pair.task for pair in pairs)
    for part in split_pairs(pairs, [0.6, 0.2, 0.2]):
        here = Counter(pair.task for pair in part)
        assert all(here[task] == n * len(part) / 800 for task, n in whole.items())


@settings(max_examples=60)
@given(st.lists(KINDS, max_size=60), st.integers(0, 3))
def test_balance_keeps_as_many_of_each_label_as_the_rarest_has_in_each_task(kinds, seed):
    pairs = made(kinds)
    kept = balance_pairs(pairs, seed=seed)
    labels = {pair.gold for pair in pairs} - {None}
    whole = Counter((pair.task, pair.gold) for pair in pairs)
    here = Counter((pair.task, pair.gold) for pair in kept)
    for task in {pair.task for pair in pairs}:
        least = min((whole[task, label] for label in labels), default=0)
        assert [here[task, label] for label in labels] == [least] * len(labels)
    assert [pair for pair in pairs if pair in kept] == kept


def test_balance_draws_other_pairs_with_another_seed():
    pairs = made([(Label.ENTAILMENT, "QA")] * 30 + [(Label.NOT_ENTAILMENT, "QA")] * 3)
    drawn = {tuple(pair.id for pair in balance_pairs(pairs, seed=seed)) for seed in range(4)}
    assert len(drawn) > 1
    assert {len(ids) for ids in drawn} == {6}
