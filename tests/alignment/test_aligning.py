"""Alignments of small graphs, worked by hand."""

import numpy as np
import pytest

from ensue.alignment import (
    AlignmentSettings,
    EdgeMatch,
    Match,
    MatchSimilarities,
    SearchMethod,
    align,
)
from ensue.alignment.aligner import MOST_PAIRS
from ensue.errors import SettingError


def fields(alignment):
    return (
        alignment.targets.tolist(),
        alignment.matches,
        alignment.similarities.tolist(),
        alignment.edge_matches,
        alignment.edge_similarities.tolist(),
        alignment.path_lengths.tolist(),
        alignment.score,
        alignment.perfect_score,
    )


@pytest.fixture(scope="module")
def pair(make_graph):
    """A firm bought a dog in Paris / The animal was purchased by a firm in France."""
    text = make_graph(
        ["firm/n", "buy/v", "dog/n", "paris/N/GPE"],
        [(1, "nsubj", 0), (1, "dobj", 2), (1, "prep_in", 3)],
    )
    hypothesis = make_graph(
        ["animal/n", "purchase/v", "firm/n", "france/N/GPE"],
        [(1, "dobj", 0), (1, "nsubj", 2), (2, "prep_in", 3)],
    )
    return text, hypothesis


def test_alignment_is_worked_by_hand(pair, lexicon):
    (found,) = align([pair], lexicon=lexicon)
    assert found.targets.tolist() == [2, 1, 0, 3]
    assert found.matches == (Match.HYPERNYM, Match.SYNONYM, Match.SAME, Match.PART)
    assert found.similarities.tolist() == pytest.approx([0.85 * 0.9, 0.9, 1.0, 0.7])
    assert found.edge_matches == (EdgeMatch.SAME, EdgeMatch.SAME, EdgeMatch.PATH)
    assert found.edge_similarities.tolist() == pytest.approx([1.0, 1.0, 0.5 * 0.7])
    assert found.path_lengths.tolist() == [1, 1, 2]
    nodes = 0.85 * 0.9 + 0.9 + 1.0 + 1.2 * 0.7  # a name weighs 1.2
    assert found.score == pytest.approx(nodes + 0.5 * (1.0 + 1.0 + 0.35))
    assert found.perfect_score == pytest.approx(1 + 1 + 1 + 1.2 + 0.5 * 3)
    assert found.normalized_score == pytest.approx(found.score / 5.7)
    assert (found.text, found.hypothesis) == pair


@pytest.mark.parametrize("search", SearchMethod)
def test_hypothesis_in_itself_is_perfect(pair, lexicon, search):
    hypothesis = pair[1]
    settings = AlignmentSettings(search=search)
    (found,) = align([(hypothesis, hypothesis)], settings, lexicon=lexicon)
    assert found.targets.tolist() == [0, 1, 2, 3]
    assert found.normalized_score == pytest.approx(1.0)


def test_edges_choose_between_equal_words(make_graph, lexicon):
    # a dog saw a man, and a child fed a dog / a child fed a dog
    text = make_graph(
        ["dog/n", "see/v", "man/n", "child/n", "feed/v", "dog/n"],
        [(1, "nsubj", 0), (1, "dobj", 2), (4, "nsubj", 3), (4, "dobj", 5)],
    )
    hypothesis = make_graph(["dog/n", "feed/v"], [(1, "dobj", 0)])
    (tree,) = align([(text, hypothesis)], lexicon=lexicon)
    (greedy,) = align(
        [(text, hypothesis)], AlignmentSettings(search=SearchMethod.GREEDY), lexicon=lexicon
    )
    assert tree.targets.tolist() == [5, 4]
    assert greedy.targets.tolist() == [0, 4]
    assert tree.score - greedy.score == pytest.approx(0.5)


def test_edges_outweigh_a_better_word(make_graph, lexicon):
    # man and dog; feed animal / feed dog: 0.54 + 0.5 for the animal, 1 for the dog
    text = make_graph(["dog/n", "feed/v", "animal/n"], [(1, "dobj", 2)])
    hypothesis = make_graph(["feed/v", "dog/n"], [(0, "dobj", 1)])
    (found,) = align([(text, hypothesis)], lexicon=lexicon)
    assert found.targets.tolist() == [1, 2]
    light = AlignmentSettings(edge_weight=0.4)  # 0.54 + 0.4
    (found,) = align([(text, hypothesis)], light, lexicon=lexicon)
    assert found.targets.tolist() == [1, 0]


@pytest.mark.parametrize(("nodes", "target"), [(["dog", "x", "x"], 0), (["x", "x", "dog"], 5)])
def test_equals_are_chosen_by_their_place(make_graph, lexicon, nodes, target):
    text = make_graph(["dog/n", "a/o", "b/o", "c/o", "d/o", "dog/n"])
    hypothesis = make_graph([f"{node}/n" for node in nodes])
    (found,) = align([(text, hypothesis)], lexicon=lexicon)
    assert found.targets[nodes.index("dog")] == target


def test_equals_are_chosen_in_the_sentence_of_neighbors(make_graph, lexicon):
    # the second dog is in the man's sentence, but too far off for a way that counts
    far = [(i, "dep", i + 1) for i in range(1, 8)]
    text = make_graph(["dog/n", "man/n", *(f"w{i}/o" for i in range(6)), "dog/n"], far)
    hypothesis = make_graph(["dog/n", "man/n", "z/o"], [(1, "dep", 0)])
    (found,) = align([(text, hypothesis)], lexicon=lexicon)
    assert found.targets.tolist() == [8, 1, -1]
    assert found.edge_matches == (EdgeMatch.NONE,)
    assert found.score == 2.0


def test_candidates_are_limited(make_graph, lexicon):
    text = make_graph(["animal/n", "dog/n", "canine/n"])
    hypothesis = make_graph(["dog/n"])
    (found,) = align([(text, hypothesis)], AlignmentSettings(candidates=1), lexicon=lexicon)
    assert found.targets.tolist() == [1]


@pytest.mark.parametrize("search", SearchMethod)
def test_empty_graphs_are_aligned(make_graph, pair, lexicon, search):
    nothing = make_graph([])
    settings = AlignmentSettings(search=search)
    pairs = [(nothing, nothing), (pair[0], nothing), (nothing, pair[1])]
    both, no_hypothesis, no_text = align(pairs, settings, lexicon=lexicon)
    assert both.normalized_score == no_hypothesis.normalized_score == 1.0
    assert both.targets.tolist() == no_hypothesis.targets.tolist() == []
    assert no_text.targets.tolist() == [-1] * 4
    assert no_text.matches == (Match.NONE,) * 4
    assert no_text.normalized_score == 0.0
    assert align([], settings, lexicon=lexicon) == []


@pytest.mark.parametrize("search", SearchMethod)
def test_alignment_does_not_depend_on_the_batch(make_graph, pair, lexicon, search):
    settings = AlignmentSettings(search=search, sweeps=2)
    text, hypothesis = pair
    many = [(hypothesis, text), pair, (text, make_graph(["dog/n", "xyzzy/n"])), pair]
    alone = [align([each], settings, lexicon=lexicon)[0] for each in many]
    together = align(many, settings, lexicon=lexicon)
    assert [fields(each) for each in together] == [fields(each) for each in alone]


def test_more_pairs_than_a_block_keep_their_order(make_graph, lexicon):
    graphs = [make_graph(["dog/n"] * (i % 3)) for i in range(MOST_PAIRS + 3)]
    found = align([(graph, graph) for graph in graphs], lexicon=lexicon)
    assert [len(each.targets) for each in found] == [len(graph) for graph in graphs]


@pytest.mark.parametrize("search", SearchMethod)
def test_alignment_is_the_same_each_time(pair, lexicon, search):
    settings = AlignmentSettings(search=search, sweeps=2)
    first, second = (align([pair], settings, lexicon=lexicon)[0] for _ in range(2))
    assert fields(first) == fields(second)


def test_long_graphs_are_aligned(make_graph, lexicon):
    n = 1500
    text = make_graph(["dog/n"] * n, [(i // 2, "dobj", i) for i in range(1, n)])
    hypothesis = make_graph(
        ["dog/n"] * n,
        [(i - 1, "dobj", i) for i in range(1, n)],
        extra=[(i, "nsubj", i // 3) for i in range(9, n)],
    )
    (found,) = align([(text, hypothesis)], lexicon=lexicon)
    assert 0 < found.normalized_score <= 1
    assert np.all(found.targets >= 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: AlignmentSettings(candidates=0), "candidates is 0"),
        (lambda: AlignmentSettings(edge_weight=-1.0), "a weight is below 0"),
        (lambda: AlignmentSettings(matches=MatchSimilarities(name=1.5)), "name is 1.5"),
    ],
)
def test_settings_out_of_range_are_errors(wrong, message):
    with pytest.raises(SettingError, match=message):
        wrong()
