"""What holds of the graph of any sentence, however odd its parse."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.language.analyzer import Sentence, load_analyzer

WORDS = """
Mary dog New York was be been by of to in because according such as well and or who that whose where
what one no 5 1990 May million % more than some number , . - 's given run up Mr. Swedes like including
first President nobody front
"""
TAGS = "NN NNS NNP NNPS VB VBD VBN VBG VBZ JJ RB IN DT WDT WP WP$ WRB CD CC TO RP POS HYPH"
PARTS = "NOUN PROPN VERB AUX ADJ ADV ADP DET PRON NUM CCONJ SCONJ PART PUNCT SYM X INTJ"
RELATIONS = """
ROOT nsubj nsubjpass csubj csubjpass dobj iobj dative pobj pcomp prep agent conj cc appos relcl acl
advcl xcomp ccomp attr acomp oprd compound amod nmod nummod poss case det prt aux auxpass neg advmod
npadvmod mark expl punct quantmod dep
"""
ENTITIES = ["", "", "", "B-PERSON", "I-PERSON", "B-NORP", "I-GPE", "B-DATE", "I-DATE", "B-MONEY"]


@st.composite
def sentences(draw):
    """A sentence whose heads, tags and relations mean nothing, with circles and several roots."""
    n = draw(st.integers(0, 14))

    def column(choices):
        return tuple(draw(st.lists(st.sampled_from(choices), min_size=n, max_size=n)))

    words = column(WORDS.split())
    ends = np.cumsum([len(word) + 1 for word in words], dtype=np.int32) - np.int32(1)
    starts = ends - np.array([len(word) for word in words], np.int32)
    heads = draw(st.lists(st.integers(-1, n - 1), min_size=n, max_size=n)) if n else []
    return Sentence(
        " ".join(words),
        starts.astype(np.int32),
        ends.astype(np.int32),
        np.array(heads, np.int32),
        words,
        column(TAGS.split()),
        column(PARTS.split()),
        column(RELATIONS.split()),
        column(ENTITIES),
    )


def check_nodes(graph):
    n = len(graph)
    tokens = [token for each in graph.tokens for token in each]
    assert len(tokens) == len(set(tokens))
    assert all(0 <= token < len(graph.sentence) for token in tokens)
    for head, own in zip(graph.heads, graph.tokens, strict=True):
        assert head in own
        assert list(own) == sorted(own)
    assert list(graph.heads) == sorted(graph.heads)
    columns = (graph.heads, graph.lemmas, graph.sorts, graph.kinds, graph.copulas, graph.values)
    assert {len(column) for column in columns} == {n}
    assert all(lemma and lemma == lemma.lower() for lemma in graph.lemmas)


def check_edges(graph):
    n, m = len(graph), len(graph.relations)
    edges = list(
        zip(graph.governors.tolist(), graph.dependents.tolist(), graph.relations, strict=True)
    )
    assert len(edges) == len(set(edges)) == m
    assert all(0 <= a < n and 0 <= b < n and a != b and relation for a, b, relation in edges)
    assert len(graph.parents) == n
    for node, parent in enumerate(graph.parents.tolist()):
        assert -1 <= parent < m
        assert parent < 0 or edges[parent][1] == node


def check_forest(graph):
    for node in range(len(graph)):
        steps = 0
        while (parent := graph.parents[node]) >= 0:
            node = graph.governors[parent]
            steps += 1
            assert steps < len(graph)


@given(sentence=sentences())
def test_nodes_of_any_parse_share_no_token(build, sentence):
    check_nodes(build(sentence))


@given(sentence=sentences())
def test_edges_of_any_parse_lie_between_nodes(build, sentence):
    check_edges(build(sentence))


@given(sentence=sentences())
def test_parents_of_any_parse_form_a_forest(build, sentence):
    check_forest(build(sentence))


@given(sentence=sentences())
def test_graph_is_the_same_again(build, sentence):
    one, other = build(sentence), build(sentence)
    assert (one.tokens, one.lemmas, one.relations) == (other.tokens, other.lemmas, other.relations)
    assert one.governors.tolist() == other.governors.tolist()
    assert one.parents.tolist() == other.parents.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "word",
        "?!",
        "🙂🙂 \x00\x07 \u202e",
        "half \ud83d a character",
        "Der Hund schläft, и кот тоже спит。",
        'He said "no (and then [',
        "<p>One &amp; <b>two</b></p>",
        "a" * 50_000,
        "İstanbul'da ǅungla",
        "buffalo " * 3_000,
        "to " * 3_000,
        "dogs, " * 1_500,
        "The dog bit a man who knew who was in the house. " * 250,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_any_text_gives_a_lawful_graph(build, text):
    graph = build(load_analyzer().analyze([text])[0])
    assert graph.sentence.text == text
    check_nodes(graph)
    check_edges(graph)
    check_forest(graph)


@pytest.mark.parametrize("text", ["", "   ", "?!"])
def test_text_without_words_gives_no_nodes(build, text):
    assert len(build(load_analyzer().analyze([text])[0])) == 0


def test_one_word_gives_one_node(build):
    graph = build(load_analyzer().analyze(["Dogs"])[0])
    assert (graph.lemmas, graph.roots, graph.relations) == (("dog",), (0,), ())
