"""Fixtures: sentences with their contexts."""

from dataclasses import dataclass
from typing import Any

import pytest

from ensue.language.analyzer import Sentence, load_analyzer
from ensue.language.contexts import Contexts, find_contexts


@dataclass(frozen=True)
class Read:
    """A sentence with its contexts, asked by words."""

    sentence: Sentence
    contexts: Contexts

    def at(self, word: str, field: str) -> Any:
        """What a field holds at the first token that is written so."""
        return getattr(self.contexts, field)[self.sentence.forms.index(word)]

    def word_at(self, word: str, field: str) -> str:
        """The token to which a field points; empty for none."""
        token = self.at(word, field)
        return self.sentence.forms[token] if token >= 0 else ""

    def negators(self, word: str) -> list[str]:
        """The words that negate a word."""
        return [self.sentence.forms[each] for each in self.at(word, "negators")]


@pytest.fixture(scope="session")
def read():
    """Gives a text with its contexts."""
    analyzer = load_analyzer(entities=False)

    def of(text: str) -> Read:
        sentence = analyzer.analyze([text])[0]
        return Read(sentence, find_contexts(sentence))

    return of
