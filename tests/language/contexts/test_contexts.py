"""Laws of all contexts, on any text and on graphs that no analyzer would make."""

from dataclasses import fields

import numpy as np
from hypothesis import given, settings, strategies as st

from ensue.language import contexts
from ensue.language.analyzer import Sentence, empty_sentence
from ensue.language.contexts import Contexts, find_contexts


def words(text):
    return text.split()


LEMMAS = words(
    "not no never nobody neither nor without lack instead of rather than hardly any few a the all "
    "every most many one three may can have to need be able likely fail say know that if unless "
    "whether and or but dog bark accord allegedly nearly yet too enough first ? , case claim"
)
TAGS = words("RB DT NN NNP NNS VB VBD VBG VBN VBZ MD TO IN CC CD JJ PRP UH .")
PARTS = words("NOUN PROPN VERB AUX ADJ ADV DET PRON NUM PUNCT")
RELATIONS = words(
    "nsubj nsubjpass dobj attr acomp aux auxpass neg det predet preconj ccomp xcomp advcl mark "
    "relcl acl prep pobj pcomp conj cc amod nummod advmod appos parataxis csubj poss agent dep"
)


@st.composite
def graphs(draw):
    n = draw(st.integers(0, 12))
    order = draw(st.permutations(range(n)))
    heads = np.full(n, -1, np.int32)
    for place, token in enumerate(order):
        above = draw(st.integers(-1, place - 1))
        heads[token] = order[above] if above >= 0 else -1
    columns = [
        tuple(draw(st.lists(st.sampled_from(column), min_size=n, max_size=n)))
        for column in (LEMMAS, TAGS, PARTS, RELATIONS)
    ]
    ends = np.arange(1, n + 1, dtype=np.int32)
    return Sentence("x" * n, ends - 1, ends, heads, *columns, ("",) * n)


@given(graphs())
@settings(max_examples=300)
def test_any_graph_has_contexts_of_its_length(sentence):
    found = find_contexts(sentence)
    assert all(len(getattr(found, field.name)) == len(sentence) for field in fields(found))


@given(graphs())
@settings(max_examples=100)
def test_contexts_point_to_tokens_or_nowhere(sentence):
    found = find_contexts(sentence)
    for pointers in (found.quantifiers, found.modals, found.embedders):
        assert all(-1 <= each < len(sentence) for each in pointers)
    assert all(0 <= each < len(sentence) for row in found.negators for each in row)


@given(graphs())
@settings(max_examples=100)
def test_embedding_has_an_embedder(sentence):
    found = find_contexts(sentence)
    for embedding, embedder in zip(found.embeddings, found.embedders, strict=True):
        assert bool(embedding) == (embedder >= 0)


@given(graphs())
@settings(max_examples=100)
def test_sentence_without_a_negator_is_affirmed(sentence):
    found = find_contexts(sentence)
    assert any(found.negators) or all(found.polarity)


def test_empty_sentence_has_empty_contexts():
    found = find_contexts(empty_sentence(""))
    assert all(getattr(found, field.name) == () for field in fields(Contexts))


def test_several_sentences_have_their_own_contexts(read):
    found = read("The dog did not bark. The cat slept in the house.")
    assert not found.at("bark", "polarity")
    assert found.at("slept", "polarity")


def test_public_names_are_there():
    assert all(hasattr(contexts, name) for name in contexts.__all__)
