"""Which words of a sentence say what its formulas say."""

from __future__ import annotations

from ensue.logic.formulas import Atom, Term
from ensue.logic.meaning import Meaning
from ensue.logic.reasons.phrases import is_name, split, token_of


class Places:
    """Finds the tokens of one side."""

    def __init__(self, meaning: Meaning) -> None:
        self._words = meaning.graph.words
        self._sentence = meaning.parsed.sentence
        self._lowered = [form.lower() for form in self._sentence.forms]

    def of_word(self, atom: Atom) -> int | None:
        """The token whose word a predicate with one place is."""
        lemma, letter = split(atom.predicate)
        if not letter:
            return None
        own = token_of(atom.terms[0])
        if own is not None and own < len(self._words) and self._words[own] == lemma:
            return own
        return next((i for i, word in enumerate(self._words) if word == lemma), None)

    def of_term(self, term: Term) -> int | None:
        """The token that stands for a thing or an event; of a name, the first."""
        if not is_name(term):
            token = token_of(term)
            return token if token is not None and token < len(self._words) else None
        for i, word in enumerate(self._words):
            if word == term.name or self._lowered[i] == term.name.lower():
                return i
        return None

    def span(self, token: int) -> tuple[int, int]:
        """Where a token begins and ends; of a name of several words, where the name does."""
        start, end = int(self._sentence.starts[token]), int(self._sentence.ends[token])
        name = self._words[token]
        if " " in name:
            at = self._sentence.text.lower().rfind(name.lower(), 0, end)
            if at >= 0 and at + len(name) >= end:
                return at, at + len(name)
        return start, end
