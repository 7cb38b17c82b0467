"""The searches beside each other and beside trying everything."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from ensue.alignment import AlignmentSettings, SearchMethod, align

NEAR = 1e-5
"""What preferring one of two equals may cost."""

SIMILARITIES = {
    ("dog", "dog"): 1.0,
    ("animal", "animal"): 1.0,
    ("car", "car"): 1.0,
    ("animal", "dog"): 0.85 * 0.9,  # hypothesis, text
    ("dog", "animal"): 0.6 * 0.9,
}
SAME_ROLE = {("dobj", "prep_of"), ("prep_of", "dobj")}

words = st.sampled_from(["dog", "animal", "car"])
relations = st.sampled_from(["dobj", "prep_of", "prep_with"])


@st.composite
def graphs(draw, most_extra=0):
    """Words and edges of a forest, with some edges more."""
    lemmas = draw(st.lists(words, min_size=1, max_size=4))
    edges = []
    for node in range(1, len(lemmas)):
        governor = draw(st.integers(-1, node - 1))
        if governor >= 0:
            edges.append((governor, draw(relations), node))
    node = st.integers(0, len(lemmas) - 1)
    extra = draw(st.lists(st.tuples(node, relations, node), max_size=most_extra))
    known = {(governor, dependent) for governor, _, dependent in edges}
    extra = [edge for edge in extra if edge[0] != edge[2] and (edge[0], edge[2]) not in known]
    return lemmas, edges, extra


def distances(n, edges):
    """Of each two nodes the fewest steps, edges taken in either direction, by relaxation."""
    away = [[0 if i == j else 99 for j in range(n)] for i in range(n)]
    for i, _, j in edges:
        if i != j:
            away[i][j] = away[j][i] = 1
    for k, i, j in product(range(n), repeat=3):
        away[i][j] = min(away[i][j], away[i][k] + away[k][j])
    return away


def edge_similarity(relation, source, target, edges, away):
    if source == target:
        return 0.4
    between = {other for i, other, j in edges if (i, j) == (source, target)}
    if relation in between:
        return 1.0
    if any((relation, other) in SAME_ROLE for other in between):
        return 0.8
    steps = away[source][target]
    return 0.5 * 0.7 ** (steps - 1) if steps <= 4 else 0.0


def best_by_trying(text, hypothesis):
    """The best score over all assignments of text nodes to hypothesis nodes."""
    text_edges, edges = text[1] + text[2], hypothesis[1] + hypothesis[2]
    away = distances(len(text[0]), text_edges)
    best = 0.0
    for targets in product(range(-1, len(text[0])), repeat=len(hypothesis[0])):
        similar = [
            SIMILARITIES.get((word, text[0][target]), 0.0) if target >= 0 else None
            for word, target in zip(hypothesis[0], targets, strict=True)
        ]
        if 0.0 in similar:
            continue
        score = sum(each for each in similar if each)
        for i, relation, j in edges:
            if targets[i] >= 0 and targets[j] >= 0:
                score += 0.5 * edge_similarity(relation, targets[i], targets[j], text_edges, away)
        best = max(best, score)
    return best


@pytest.fixture(scope="module")
def score(make_graph, lexicon):
    """What a search scores."""

    def graph(content):
        lemmas, edges, extra = content
        return make_graph([f"{lemma}/n" for lemma in lemmas], edges, extra=extra)

    def score(text, hypothesis, **settings):
        pair = graph(text), graph(hypothesis)
        return align([pair], AlignmentSettings(**settings), lexicon=lexicon)[0].score

    return score


@given(text=graphs(most_extra=2), hypothesis=graphs())
def test_tree_is_as_good_as_trying_everything(score, text, hypothesis):
    assert score(text, hypothesis) == pytest.approx(best_by_trying(text, hypothesis), abs=NEAR)


@given(text=graphs(most_extra=2), hypothesis=graphs(most_extra=3))
def test_tree_is_exact_with_rings_too(score, text, hypothesis):
    assert score(text, hypothesis) == pytest.approx(best_by_trying(text, hypothesis), abs=NEAR)


@given(text=graphs(most_extra=2), hypothesis=graphs(most_extra=3))
def test_tree_with_too_many_conditions_is_no_worse_than_greedy(score, text, hypothesis):
    found = score(text, hypothesis, conditions=1)
    assert found >= score(text, hypothesis, search=SearchMethod.GREEDY) - NEAR
    assert found <= best_by_trying(text, hypothesis) + NEAR


@given(text=graphs(), hypothesis=graphs(), seed=st.integers(-5, 2**40))
def test_tree_is_never_beaten(score, text, hypothesis, seed):
    tree = score(text, hypothesis)
    chain = score(text, hypothesis, search=SearchMethod.CHAIN, seed=seed, sweeps=5)
    greedy = score(text, hypothesis, search=SearchMethod.GREEDY)
    assert tree >= chain - NEAR
    assert chain >= greedy - NEAR


@given(text=graphs(most_extra=2), hypothesis=graphs(most_extra=3))
def test_long_chain_finds_the_best(score, text, hypothesis):
    chain = score(text, hypothesis, search=SearchMethod.CHAIN, sweeps=200)
    assert chain == pytest.approx(best_by_trying(text, hypothesis), abs=NEAR)


def test_seed_decides_what_a_short_chain_finds(make_graph, lexicon):
    n = 12
    text = make_graph(["dog/n"] * n, [(i, "dobj", i + 1) for i in range(n - 1)])
    hypothesis = make_graph(["dog/n"] * n, [(i + 1, "dobj", i) for i in reversed(range(n - 1))])
    found = {
        align(
            [(text, hypothesis)],
            AlignmentSettings(search=SearchMethod.CHAIN, sweeps=3, seed=seed),
            lexicon=lexicon,
        )[0].score
        for seed in range(8)
    }
    assert len(found) > 1
