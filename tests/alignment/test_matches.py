"""How single words of a hypothesis meet those of a text."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ensue.alignment import AlignmentSettings, Match, align, words
from ensue.language.values import Value, ValueAgreement, ValueKind


def number(low, high=None, **more):
    return Value(ValueKind.NUMBER, 0, 1, low, low if high is None else high, **more)


@pytest.fixture
def meet(make_graph, lexicon):
    """Align one word with one word."""

    def meet(text, hypothesis, settings=None):
        graphs = make_graph([text]), make_graph([hypothesis])
        (found,) = align([graphs], settings or AlignmentSettings(), lexicon=lexicon)
        return found.matches[0], float(found.similarities[0])

    return meet


@pytest.mark.parametrize(
    ("text", "hypothesis", "match", "similarity"),
    [
        ("dog/n", "dog/n", Match.SAME, 1.0),
        ("dog/n", "dog/N", Match.SAME, 1.0),
        ("attack/v", "attack/n", Match.SAME, 0.9),
        ("find=found/v", "found=found/v", Match.SAME, 1.0),
        ("wound=wounded/v", "wounded=wounded/a", Match.SAME, 0.9),
        ("marie curie/N/PERSON", "curie/N/PERSON", Match.NAME, 0.9),
        ("curie/N/PERSON", "marie curie/N/PERSON", Match.NAME, 0.9),
        ("united nations/N/ORG", "un/N/ORG", Match.NAME, 0.9),
        ("car/n", "automobile/n", Match.SYNONYM, 0.9),
        ("buy/v", "purchase/v", Match.SYNONYM, 0.9),
        ("hot/a", "cold/a", Match.ANTONYM, 0.9),
        ("rise/v", "fall/v", Match.ANTONYM, 0.9),
        ("dog/n", "canine/n", Match.HYPERNYM, 0.85),
        ("dog/n", "animal/n", Match.HYPERNYM, 0.85 * 0.9),
        ("canine/n", "dog/n", Match.HYPONYM, 0.6),
        ("animal/n", "dog/n", Match.HYPONYM, 0.6 * 0.9),
        ("minister/n", "person/n", Match.HYPERNYM, 0.85 * 0.9**3),
        ("ohio university/N/ORG", "university/n", Match.HYPERNYM, 0.85),
        ("school of law/N/ORG", "school/n", Match.HYPERNYM, 0.85),
        ("university/n", "ohio university/N/ORG", Match.HYPONYM, 0.6),
        ("kill/v", "die/v", Match.ENTAILED, 0.8),
        ("murder/v", "die/v", Match.ENTAILED, 0.8 * 0.9),
        ("snore/v", "sleep/v", Match.ENTAILED, 0.8),
        ("paris/N/GPE", "france/N/GPE", Match.PART, 0.7),
        ("paris/N/GPE", "europe/N/LOC", Match.PART, 0.7 * 0.9),
        ("large/a", "vast/a", Match.SIMILAR, 0.7),
        ("destroy/v", "destruction/n", Match.DERIVATION, 0.8),
        ("france/N/GPE", "french/a/NORP", Match.DERIVATION, 0.8),
        ("french/N/NORP", "france/N/GPE", Match.DERIVATION, 0.8),
        ("quick/a", "quickly/r", Match.DERIVATION, 0.8),
        ("qaddafi/N/PERSON", "kaddafi/N/PERSON", Match.SPELLING, 0.6 * (1 - 1 / 7)),
        ("it/p", "company/n", Match.PRONOUN, 0.15),
        ("marie curie/N/PERSON", "she/p", Match.PRONOUN, 0.15),
        ("they/p", "minister/n", Match.PRONOUN, 0.15),
    ],
)
def test_words_meet(meet, text, hypothesis, match, similarity):
    assert meet(text, hypothesis) == (match, pytest.approx(similarity))


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ("dog/n", "entity/n"),  # too general
        ("soar/v", "be/v"),
        ("dog/n", "quickly/r"),
        ("korea/N/GPE", "north korea/N/GPE"),  # another place
        ("bush/N/PERSON", "shrub/n"),  # a person's name means no plant
        ("ann baker/N/PERSON", "baker/n"),
        ("paris/N/GPE", "london/N/GPE"),  # alike, but names are not related
        ("france/N/GPE", "paris/N/GPE"),
        ("iran/N/GPE", "iraq/N/GPE"),
        ("brinda/N", "blenda/N"),  # 2 edits of 6 letters
        ("he/p", "company/n"),
        ("it/p", "minister/n"),
        ("it/p", "marie curie/N/PERSON"),
        ("he/p", "she/p"),
        ("another/p", "company/n"),
        ("5/d", "dog/n"),
    ],
)
def test_words_do_not_meet(meet, text, hypothesis):
    assert meet(text, hypothesis) == (Match.NONE, 0.0)


def test_related_words_score_by_lin(meet, lexicon):
    lin = float(lexicon.similarity("lin", ["accident"], ["disaster"], "noun", senses=2)[0])
    assert 0.7 <= lin < 1
    assert meet("accident/n", "disaster/n") == (Match.RELATED, pytest.approx(0.5 * lin))
    strict = AlignmentSettings(related_cutoff=0.99)
    assert meet("accident/n", "disaster/n", strict) == (Match.NONE, 0.0)


def test_only_first_senses_count(meet):
    rare = "dog/n", "chap/n"  # the third sense is a kind of fellow
    assert meet(*rare)[0] is Match.HYPERNYM
    assert meet(*rare, AlignmentSettings(senses=1))[0] is Match.NONE


def test_steps_are_limited(meet):
    assert meet("dog/n", "animal/n", AlignmentSettings(most_steps=1))[0] is not Match.HYPERNYM


@pytest.mark.parametrize(
    ("text", "hypothesis", "lemmas", "match", "similarity"),
    [
        (number(20), number(20), ("20", "20"), Match.SAME, 1.0),
        (number(20), number(20), ("20", "twenty"), Match.VALUE, 0.95),
        (number(25), number(20, math.inf), ("25", "more than 20"), Match.VALUE, 0.95),
        (number(62), number(64), ("62", "64"), Match.CONFLICT, 0.2),
        (number(62), number(64), ("same", "same"), Match.CONFLICT, 0.2),
    ],
)
def test_values_meet_by_what_they_say(
    make_graph, lexicon, text, hypothesis, lemmas, match, similarity
):
    one = make_graph([f"{lemmas[0]}/d"], values=[text])
    other = make_graph([f"{lemmas[1]}/d"], values=[hypothesis])
    (found,) = align([(one, other)], lexicon=lexicon)
    assert (found.matches[0], found.similarities[0]) == (match, pytest.approx(similarity))


def test_values_that_say_the_same_are_compared_once(make_graph, lexicon, monkeypatch):
    asked = []
    monkeypatch.setattr(words, "agreement", lambda *pair: asked.append(pair) or ValueAgreement.SAME)
    values = [replace(number(20), first=place, last=place + 1) for place in range(3)]
    graph = make_graph(["20/d"] * 3, values=values)
    (found,) = align([(graph, graph)], lexicon=lexicon)
    assert len(asked) == 1
    assert found.matches == (Match.SAME,) * 3


def test_values_of_two_kinds_meet_as_words(make_graph, lexicon):
    date = Value(ValueKind.DATE, 0, 1, year_low=2004, year_high=2004)
    one, other = (make_graph(["2004/d"], values=[value]) for value in (date, number(2004)))
    (found,) = align([(one, other)], lexicon=lexicon)
    assert found.matches == (Match.SAME,)


def test_every_similarity_is_from_0_to_1(make_graph, lexicon):
    nodes = ["dog/n", "cat/n", "buy/v", "own/v", "paris/N/GPE", "hot/a", "it/p", "soon/r", "@/o"]
    graph = make_graph(nodes)
    (found,) = align([(graph, graph)], lexicon=lexicon)
    assert found.matches == (Match.SAME,) * len(nodes)
    np.testing.assert_array_equal(found.similarities, 1.0)
