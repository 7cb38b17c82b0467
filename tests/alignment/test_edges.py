"""How edges of a hypothesis are met in a text."""

import pytest

from ensue.alignment import AlignmentSettings, EdgeMatch, EdgeSimilarities, align


@pytest.fixture
def meet(make_graph, lexicon):
    """Align a hypothesis of two nodes and one edge; the match, similarity and length of that edge."""

    def meet(text, hypothesis, settings=None):
        graphs = make_graph(*text), make_graph(*hypothesis)
        (found,) = align([graphs], settings or AlignmentSettings(), lexicon=lexicon)
        return (
            found.edge_matches[0],
            float(found.edge_similarities[0]),
            int(found.path_lengths[0]),
        )

    return meet


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        # she destroys it: her destruction of it
        (("destruction/n", "rome/N", "poss"), ("destroy/v", "rome/N", "nsubj")),
        (("destruction/n", "rome/N", "prep_of"), ("destroy/v", "rome/N", "dobj")),
        (("production/n", "oil/n", "compound"), ("produce/v", "oil/n", "dobj")),
        (("give/v", "child/n", "prep_to"), ("give/v", "child/n", "iobj")),
        (("door/n", "car/n", "compound"), ("door/n", "car/n", "prep_of")),
        (("door/n", "car/n", "poss"), ("door/n", "car/n", "prep_of")),
        (("meet/v", "monday/N", "npadvmod"), ("meet/v", "monday/N", "prep_on")),
        # the chairman, Curie; Curie, the chairman: Curie is chairman
        (("chairman/n", "curie/N", "appos"), ("chairman/n", "curie/N", "nsubj")),
    ],
)
def test_edge_is_met_by_another_relation(meet, text, hypothesis):
    def of(governor, dependent, relation):
        return [governor, dependent], [(0, relation, 1)]

    assert meet(of(*text), of(*hypothesis)) == (EdgeMatch.NORMALIZED, 0.8, 1)


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ([(1, "appos", 0)], ["chairman/n", "curie/N"]),  # Curie, the chairman
        ([(1, "compound", 0)], ["chairman/n", "curie/N"]),  # chairman Curie
    ],
)
def test_edge_to_a_subject_is_met_turned_round(meet, text, hypothesis):
    found = meet((hypothesis, text), (hypothesis, [(0, "nsubj", 1)]))
    assert found == (EdgeMatch.NORMALIZED, 0.8, 1)


def test_adjective_of_a_noun_is_said_of_it(meet):
    nodes = ["red/a", "car/n"]
    found = meet((nodes, [(1, "amod", 0)]), (nodes, [(0, "nsubj", 1)]))
    assert found == (EdgeMatch.NORMALIZED, 0.8, 1)


@pytest.mark.parametrize(
    ("relation", "other"), [("nsubj", "dobj"), ("conj_and", "conj_or"), ("prep_to", "prep_from")]
)
def test_edge_of_another_meaning_is_a_path(meet, relation, other):
    nodes = ["see/v", "dog/n"]
    found = meet((nodes, [(0, relation, 1)]), (nodes, [(0, other, 1)]))
    assert found == (EdgeMatch.PATH, 0.5, 1)


def test_edge_turned_round_is_a_path(meet):
    nodes = ["see/v", "dog/n"]
    found = meet((nodes, [(1, "relcl", 0)]), (nodes, [(0, "dobj", 1)]))
    assert found == (EdgeMatch.PATH, 0.5, 1)


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5])
def test_path_is_worth_less_as_it_gets_longer(meet, steps):
    nodes = ["see/v", *(f"w{i}/o" for i in range(steps - 1)), "dog/n"]
    text = nodes, [(i, "dep", i + 1) for i in range(steps)]
    found = meet(text, (["see/v", "dog/n"], [(0, "dobj", 1)]))
    expected = (EdgeMatch.PATH, pytest.approx(0.5 * 0.7 ** (steps - 1)), steps)
    assert found == (expected if steps <= 4 else (EdgeMatch.NONE, 0.0, -1))


def test_edge_between_words_of_one_node_is_merged(meet):
    text = ["marie curie/N/PERSON"], []
    hypothesis = ["curie/N/PERSON", "marie/N/PERSON"], [(0, "compound", 1)]
    assert meet(text, hypothesis) == (EdgeMatch.MERGED, 0.4, 0)


def test_edge_of_an_unaligned_node_is_not_met(meet):
    text = ["see/v", "dog/n"], [(0, "dobj", 1)]
    hypothesis = ["see/v", "xyzzy/n"], [(0, "dobj", 1)]
    assert meet(text, hypothesis) == (EdgeMatch.NONE, 0.0, -1)


def test_best_of_several_edges_counts(make_graph, lexicon):
    nodes = ["see/v", "dog/n"]
    text = make_graph(nodes, [(0, "nsubj", 1)], extra=[(0, "dobj", 1)])
    hypothesis = make_graph(nodes, [(0, "dobj", 1)])
    (found,) = align([(text, hypothesis)], lexicon=lexicon)
    assert found.edge_matches == (EdgeMatch.SAME,)


def test_settings_say_what_edges_are_worth(meet):
    nodes = ["see/v", "dog/n"]
    settings = AlignmentSettings(edges=EdgeSimilarities(same=0.6))
    assert meet((nodes, [(0, "dobj", 1)]), (nodes, [(0, "dobj", 1)]), settings)[1] == 0.6
