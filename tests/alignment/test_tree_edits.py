"""Tree edit distance: by hand, against two other programs, by brute force and by its laws."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.alignment.generated_trees import FILE, STEP, costed_trees

from ensue.alignment import TreePair, edit_targets, first_leaves, same_roles, tree_distances


def tree_pair(first, second, deletions, insertions, substitutions):
    table = np.array(substitutions, float).reshape(len(first), len(second))
    return TreePair(
        first_leaves(first), first_leaves(second), np.array(deletions, float),
        np.array(insertions, float), table,
    )  # fmt: skip


def labeled(first, second, words, others):
    """Trees whose nodes are words: 1 for each edit, nothing for what is equal."""
    table = [[float(word != other) for other in others] for word in words]
    return tree_pair(first, second, np.ones(len(first)), np.ones(len(second)), table)


@pytest.fixture(scope="module")
def generated():
    return [tree_pair(*each) for each in costed_trees()]


def test_by_hand_of_zhang_and_shasha():
    # figure 4 of the paper: f(d(a c(b)) e) and f(c(d(a b)) e) are two edits apart, c goes and comes
    first = labeled([3, 2, 3, 5, 5, -1], [2, 2, 3, 5, 5, -1], "abcdef", "abdcef")
    assert tree_distances([first])[0][-1, -1] == 2


def test_nodes_of_one_word_each():
    assert tree_distances([labeled([-1], [-1], "a", "a")])[0].tolist() == [[0]]
    assert tree_distances([labeled([-1], [-1], "a", "b")])[0].tolist() == [[1]]


def test_cheaper_to_delete_and_insert_than_to_replace():
    assert tree_distances([tree_pair([-1], [-1], [1], [0.5], [[3]])])[0].tolist() == [[1.5]]


def test_subtree_is_found_anywhere():
    # a(b(c d) e), and b(c d) in it
    pair = labeled([2, 2, 4, 4, -1], [2, 2, -1], "cdbea", "cdb")
    distances = tree_distances([pair])[0]
    assert distances[2, 2] == 0
    assert distances[4, 2] == 2
    assert edit_targets(pair, distances, 2, 2) == [0, 1, 2]


def test_forest_is_its_trees_one_after_the_other():
    pair = labeled([1, -1, -1], [1, -1], "abc", "ab")
    assert tree_distances([pair])[0][:, 1].tolist() == [1, 0, 2]


def test_no_pairs_and_no_nodes():
    assert tree_distances([]) == []
    empty = tree_pair([], [-1], [], [1], [])
    assert tree_distances([empty, labeled([-1], [-1], "a", "b")])[1].tolist() == [[1]]


def test_agrees_with_zss_on_thousands_of_trees(generated):
    expected = json.loads(FILE.read_text("utf-8"))["zss"]
    assert [table[-1, -1] for table in tree_distances(generated)] == expected


def test_agrees_with_apted_where_each_edit_costs_one(generated):
    expected = json.loads(FILE.read_text("utf-8"))["apted"]
    pairs = [
        TreePair(
            pair.first_leaves,
            pair.second_leaves,
            np.ones(len(pair.first_leaves)),
            np.ones(len(pair.second_leaves)),
            (pair.substitutions > 0).astype(float),
        )
        for pair in generated[::STEP]
    ]
    assert [table[-1, -1] for table in tree_distances(pairs)] == expected


def test_interpreted_kernel_gives_the_same(generated, monkeypatch):
    compiled = [table.tolist() for table in tree_distances(generated[:20])]
    from ensue.alignment import tree_edits

    monkeypatch.setattr(tree_edits, "subtree_distances", tree_edits.subtree_distances.interpreted)
    assert [table.tolist() for table in tree_distances(generated[:20])] == compiled


def test_scripts_cost_what_the_distance_says(generated):
    for pair, distances in zip(generated[:1000], tree_distances(generated[:1000]), strict=True):
        last = len(pair.first_leaves) - 1, len(pair.second_leaves) - 1
        targets = edit_targets(pair, distances, *last)
        assert cost_of(pair, targets) == distances[last]


def cost_of(pair, targets):
    used = [target for target in targets if target >= 0]
    assert used == sorted(set(used))  # postorder is kept, and nothing is used twice
    deleted = sum(c for node, c in enumerate(pair.deletions.tolist()) if node not in used)
    made = (
        pair.insertions[node] if target < 0 else pair.substitutions[target, node]
        for node, target in enumerate(targets)
    )
    return deleted + sum(made)


def test_scripts_keep_what_is_above_what(generated):
    for pair, distances in zip(generated[:300], tree_distances(generated[:300]), strict=True):
        last = len(pair.first_leaves) - 1, len(pair.second_leaves) - 1
        targets = edit_targets(pair, distances, *last)
        kept = [(target, node) for node, target in enumerate(targets) if target >= 0]
        for target, node in kept:
            for other, below in kept:
                inside = pair.second_leaves[node] <= below <= node
                assert inside == (pair.first_leaves[target] <= other <= target)


def by_brute_force(pair):
    """The recursion that the distance is defined by, on forests as ranges of nodes."""
    first, second = pair.first_leaves.tolist(), pair.second_leaves.tolist()

    @cache
    def distance(start, end, other_start, other_end):
        if start > end and other_start > other_end:
            return 0.0
        ways = []
        if start <= end:
            ways.append(distance(start, end - 1, other_start, other_end) + pair.deletions[end])
        if other_start <= other_end:
            before = distance(start, end, other_start, other_end - 1)
            ways.append(before + pair.insertions[other_end])
        if start <= end and other_start <= other_end:
            ways.append(
                distance(start, first[end] - 1, other_start, second[other_end] - 1)
                + distance(first[end], end - 1, second[other_end], other_end - 1)
                + pair.substitutions[end, other_end]
            )
        return min(ways)

    return distance(0, len(first) - 1, 0, len(second) - 1)


words = st.lists(st.sampled_from("abc"), min_size=1, max_size=7)


@st.composite
def trees(draw):
    """A tree in postorder with a word at each node."""
    labels = draw(words)
    above = [draw(st.integers(i + 1, len(labels) - 1)) for i in range(len(labels) - 1)] + [-1]
    # in postorder no branch crosses another: a parent is not beyond that of the node before
    for i in range(len(above) - 3, -1, -1):
        open_ones = {i + 1}
        node = i + 1
        while above[node] >= 0:
            node = above[node]
            open_ones.add(node)
        if above[i] not in open_ones:
            above[i] = min(open_ones, key=lambda each, i=i: abs(each - above[i]))
    return above, labels


def distance(one, other):
    return tree_distances([labeled(one[0], other[0], one[1], other[1])])[0][-1, -1]


@given(trees(), trees())
def test_is_what_the_recursion_says(one, other):
    pair = labeled(one[0], other[0], one[1], other[1])
    assert tree_distances([pair])[0][-1, -1] == by_brute_force(pair)


@given(trees(), trees())
def test_is_a_metric_with_unit_costs(one, other):
    assert distance(one, one) == 0
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)
    assert (
        abs(len(one[1]) - len(other[1]))
        <= distance(one, other)
        <= max(len(one[1]), len(other[1])) * 2
    )


@given(trees(), trees(), trees())
def test_way_round_is_no_shorter(one, between, other):
    assert distance(one, other) <= distance(one, between) + distance(between, other)


def test_relations_that_say_the_same_are_of_one_role():
    assert same_roles("nsubj", "nsubj")
    assert same_roles("poss", "prep_of")
    assert not same_roles("nsubj", "dobj")
    assert not same_roles("advmod", "amod")
