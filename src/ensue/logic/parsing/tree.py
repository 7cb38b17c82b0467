"""A parse that can be changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ensue.language.analysis import ROOT, Sentence
from ensue.language.lexicon import Lexicon

NOUNS = frozenset(("NOUN", "PROPN", "PRON"))


@dataclass(slots=True)
class Tree:
    """The tokens of a sentence, what each depends on, and what was mended."""

    sentence: Sentence
    lexicon: Lexicon
    words: list[str]
    """The tokens as they are written, in lower case."""
    lemmas: list[str]
    tags: list[str]
    parts: list[str]
    heads: list[int]
    relations: list[str]
    changes: list[str] = field(default_factory=list)
    """What was done, in words."""

    def children(self, token: int, *relations: str) -> list[int]:
        """The dependents of a token, in their order; by some relations, or all of them."""
        return [
            each
            for each, head in enumerate(self.heads)
            if head == token and (not relations or self.relations[each] in relations)
        ]

    def child(self, token: int, *relations: str) -> int:
        """The first dependent by one of these relations; -1 where there is none."""
        return next(iter(self.children(token, *relations)), -1)

    def attach(self, token: int, head: int, relation: str) -> None:
        """Let a token depend on another; nothing where that would make a circle."""
        if (head, relation) == (self.heads[token], self.relations[token]):
            return
        if head >= 0 and self.is_above(token, head):
            return
        was = self.words[self.heads[token]] if self.heads[token] >= 0 else "nothing"
        now = self.words[head] if head >= 0 else "nothing"
        self.changes.append(
            f"{self.words[token]}: {self.relations[token]} of {was} → {relation} of {now}"
        )
        self.heads[token], self.relations[token] = head, relation

    def retag(self, token: int, tag: str, part: str, lemma: str) -> None:
        """Call a token another kind of word."""
        if (tag, part, lemma) != (self.tags[token], self.parts[token], self.lemmas[token]):
            self.changes.append(f"{self.words[token]}: {self.tags[token]} → {tag}")
            self.tags[token], self.parts[token], self.lemmas[token] = tag, part, lemma

    def is_above(self, token: int, other: int) -> bool:
        """Whether a token is another one or above it."""
        while other >= 0:
            if other == token:
                return True
            other = self.heads[other]
        return False

    def put_in_place_of(self, token: int, old: int) -> None:
        """Let a token hang where another one hangs, and that one on it."""
        head, relation = self.heads[old], self.relations[old]
        self.heads[token], self.relations[token] = head, relation
        self.heads[old] = token

    def verb_lemma(self, token: int) -> str:
        """The verb of which a token may be a form; empty for none."""
        found = self.lexicon.lemmas(self.words[token], "verb")
        return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class Mend:
    """A thing that the parser gets wrong, and how it is put right."""

    name: str
    says: str
    apply: Callable[[Tree], None]
    examples: tuple[str, ...] = ()
    """Sentences that it puts right."""


def tree_of(sentence: Sentence, lexicon: Lexicon) -> Tree:
    """A sentence that can be changed."""
    return Tree(
        sentence,
        lexicon,
        [form.lower() for form in sentence.forms],
        list(sentence.lemmas),
        list(sentence.tags),
        list(sentence.parts),
        sentence.heads.tolist(),
        list(sentence.relations),
    )


def sentence_of(tree: Tree) -> Sentence:
    """The sentence as it was mended."""
    relations = [
        ROOT if head < 0 else relation
        for head, relation in zip(tree.heads, tree.relations, strict=True)
    ]
    return replace(
        tree.sentence,
        heads=np.array(tree.heads, np.int32),
        lemmas=tuple(tree.lemmas),
        tags=tuple(tree.tags),
        parts=tuple(tree.parts),
        relations=tuple(relations),
    )
