"""Tasks and lists in few words."""

import pytest

from ensue.pairs import Label, Pair
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.recognition import Task


@pytest.fixture
def task_of():
    """From rows of text, hypothesis and whether it is an entailment (None: no gold)."""

    def make(*rows, name="task"):
        gold = {True: Label.ENTAILMENT, False: Label.NOT_ENTAILMENT, None: None}
        pairs = [Pair(str(i), text, other, gold[yes]) for i, (text, other, yes) in enumerate(rows)]
        return Task.of(name, pairs)

    return make


@pytest.fixture
def lists_of():
    """From terms to paraphrases, of one nameless method; or from terms and methods."""

    def make(lists):
        keyed = {
            ListKey(*key) if isinstance(key, tuple) else ListKey(key, ""): each
            for key, each in lists.items()
        }
        return RankedLists.of(keyed, name="lists")

    return make
