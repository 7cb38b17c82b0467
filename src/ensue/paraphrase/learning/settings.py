"""What counts as a context, and as a paraphrase, in each method."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ensue.errors import SettingError


class Method(StrEnum):
    """How paraphrases are learned."""

    NGRAMS = "ngrams"
    """By the words around them: Paşca & Dienes (2005)."""
    NOUN_PHRASES = "noun-phrases"
    """By the noun phrases around them: Bhagat & Ravichandran (2008)."""

    @property
    def short(self) -> str:
        """The name of its lists: `pd` or `br`, as Shima & Mitamura (2011) call them."""
        return "pd" if self is Method.NGRAMS else "br"


class Overlap(StrEnum):
    """How the contexts of a term and of a candidate are compared."""

    SHARED = "shared"
    """The number of contexts that both have, as Paşca & Dienes (2005) have it."""
    JACCARD = "jaccard"
    """The shared ones over those that either has."""
    COSINE = "cosine"
    """The shared ones over the geometric mean of the two numbers."""


@dataclass(frozen=True, slots=True)
class NgramSettings:
    """Of the n-gram method."""

    left: int = 2
    """Words before; a context has all of them within its sentence, punctuation counts as words."""
    right: int = 2
    """Words behind."""
    longest: int = 4
    """Words of a paraphrase, at most."""
    overlap: Overlap = Overlap.SHARED

    def __post_init__(self) -> None:
        for name in ("left", "right", "longest"):
            _check(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class NounPhraseSettings:
    """Of the noun-phrase method."""

    longest: int = 4
    """Words of a paraphrase, at most."""
    whole: bool = False
    """Whether a noun phrase counts as a whole; else its head stands for it."""

    def __post_init__(self) -> None:
        _check("longest", self.longest)


def _check(name: str, n_words: int) -> None:
    if n_words < 1:
        raise SettingError(f"{name} is {n_words!r}", hint="it is a number of words, 1 or more")
