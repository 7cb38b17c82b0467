"""The columns of a sentence that values are read from, in a form that is quick to look into."""

from __future__ import annotations

from ensue.language.analysis import Sentence

_BEYOND = 8
"""Empty tokens after the last, so that looking some way past either end needs no check."""

NAMES = frozenset(
    ("PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW")
)
"""Kinds of entities in which a figure is part of a name."""

COUNTS = frozenset(("CARDINAL", "QUANTITY", "MONEY", "PERCENT"))
"""Kinds of entities in which a figure is no date."""

HYPHENS = frozenset("-–—")


class Tokens:
    """The tokens of a sentence; before the first and after the last stand empty ones."""

    __slots__ = ("forms", "kinds", "lemmas", "n", "tags", "words")

    def __init__(self, sentence: Sentence) -> None:
        pad = [""] * _BEYOND
        forms = sentence.forms
        self.n = len(forms)
        self.forms = [*forms, *pad]
        self.words = [*[form.lower() for form in forms], *pad]
        """In lower case."""
        self.tags = [*sentence.tags, *pad]
        self.kinds = [*[mark[2:] for mark in sentence.entities], *pad]
        """Of the named entity that a token is in."""
        self.lemmas = sentence.lemmas

    def is_name(self, i: int) -> bool:
        """Whether a figure is part of a name or a score: Boeing 747, Channel 4."""
        if self.kinds[i] in NAMES or self.tags[i] in ("NNP", "NNPS"):
            return True
        before = self.words[i - 1]
        if before in HYPHENS or before == "/":
            return self.tags[i - 2] in ("NNP", "NN", "CD")
        if self.tags[i - 1] != "NNP" or self.kinds[i]:
            return False
        return self.words[i][:1].isdigit() and self.tags[i + 1] not in ("NNS", "NN", "CD")
