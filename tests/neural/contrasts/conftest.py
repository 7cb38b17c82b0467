"""Fixtures: clauses of sentences, and the drafts that a kind makes of one."""

import random

import pytest

from ensue.language import load_analyzer, load_lexicon
from ensue.neural.contrasts.generation import KINDS
from ensue.neural.contrasts.material import ContrastMaterial, parsed_clause


@pytest.fixture(scope="session")
def analyzer():
    return load_analyzer()


@pytest.fixture(scope="session")
def clause_of(analyzer):
    """What finds the parsed clause of a sentence."""
    return lambda text: parsed_clause(analyzer.analyze([text])[0], load_lexicon())


@pytest.fixture(scope="session")
def drafts_of(clause_of):
    """What makes the drafts of a kind: the gold of each text and hypothesis."""

    def find(text, kind, *, others=(), people=()):
        parsed = clause_of(text)
        beside = tuple(clause_of(other).variant().definite for other in others)
        material = ContrastMaterial(parsed, parsed.variant(), beside, people, random.Random(0))
        return {(draft.text, draft.hypothesis): draft.gold for draft in KINDS[kind](material)}

    return find
