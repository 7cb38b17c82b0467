"""Words as they are written here: `dog/noun`, `hot/adjective`, `Paris/name`."""

import pytest

from ensue.language import load_lexicon
from ensue.logic.axioms import word_facts
from ensue.logic.knowledge import KnowledgeSettings, PredicateWord, WordCategory


def word(written):
    lemma, part = written.rsplit("/", 1)
    predicate = lemma.lower() if part == "name" else f"{lemma}:{part}"
    return PredicateWord(predicate, lemma, WordCategory(part))


@pytest.fixture(scope="session")
def facts():
    """Facts between words of a text and words of a hypothesis, each written with commas."""

    def found(text, hypothesis, **settings):
        both = [[word(each) for each in side.split(",") if each] for side in (text, hypothesis)]
        lexicon, chosen = load_lexicon(), KnowledgeSettings(**settings)
        return word_facts(*both, lexicon=lexicon, settings=chosen)

    return found
