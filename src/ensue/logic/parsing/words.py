"""What the lexicon knows of a word that matters for its place in a sentence; what was asked once is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from ensue.language.lexicon import Lexicon

_KEPT = 1 << 15
_DOUBLING = re.compile("[^aeiou]*[aeiou][^aeiouwxy]")
"""Verbs of one short syllable."""
_THAT_CLAUSE = 26
"""WordNet's frame *somebody ----s that CLAUSE*."""
_WITH_OBJECT = frozenset((8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 30, 31))
"""Its frames with an object."""
_ALONE = frozenset((1, 2, 3, 4, 6, 7, 12, 13, 22, 23, 26, 27, 29, 32, 33))
"""Those without one."""
_WITH_OF = frozenset((16, 18))
"""*somebody ----s something from somebody* and *somebody ----s somebody of something*."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of which a word may be a form."""

    lemma: str
    takes_clause: bool
    """*said that he came*"""
    has_passive: bool
    takes_of: bool
    """*accused him of theft*"""
    has_object: bool
    """Whether it may have an object in its first sense."""
    wants_object: bool
    """Whether it must have one there."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case, and what it may be."""

    nouns: tuple[str, ...]
    verbs: tuple[Verb, ...]
    """Rather *find* than *found*: what is the word itself comes last."""
    is_adjective: bool
    is_adverb: bool
    events: tuple[str, ...]
    """The verbs whose event it names, as a noun."""
    origins: tuple[str, ...]
    """The verbs that it is derived from, as a noun; the same where it names an event."""
    takes_clause: bool
    """*the claim that he came*"""
    is_person: bool

    @property
    def is_known(self) -> bool:
        """Whether it is a word of the lexicon at all."""
        return bool(self.nouns or self.verbs or self.is_adjective or self.is_adverb)


@lru_cache(_KEPT)
def word_of(word: str, lexicon: Lexicon) -> Word:
    """What is known of a word."""
    nouns = lexicon.lemmas(word, "noun")
    lemmas = sorted(_verb_lemmas(word, lexicon), key=lambda lemma: _remoteness(lemma, word))
    events = lexicon.event_verbs(word)
    derived = lexicon.derivations(word, "noun")
    origins = events or tuple(lemma.word for lemma in derived if lemma.part == "verb")
    return Word(
        nouns,
        tuple(_verb(lemma, lexicon) for lemma in lemmas),
        bool(lexicon.lemmas(word, "adjective")),
        bool(lexicon.lemmas(word, "adverb")),
        events,
        origins,
        any(_THAT_CLAUSE in lexicon.frames(verb) for verb in origins),
        bool(nouns) and "person" in lexicon.hypernyms(nouns[0], "noun"),
    )


def _verb_lemmas(word: str, lexicon: Lexicon) -> list[str]:
    """The verbs of which a word may be a form: of *stared* only *stare*, since *star* doubles its r."""
    lemmas = lexicon.lemmas(word, "verb")
    spelled = [lemma for lemma in lemmas if not _lacks_letter(lemma, word)]
    return spelled or list(lemmas)


def _lacks_letter(lemma: str, word: str) -> bool:
    doubles = _DOUBLING.fullmatch(lemma) is not None
    return doubles and word in (f"{lemma}ed", f"{lemma}ing")


def _remoteness(lemma: str, word: str) -> tuple[bool, int]:
    """Rather *find* than *found* for *found*, and rather *install* than *instal* for *installed*."""
    shared = takewhile(lambda both: both[0] == both[1], zip(lemma, word, strict=False))
    return lemma == word, -sum(1 for _ in shared)


def _verb(lemma: str, lexicon: Lexicon) -> Verb:
    frames = lexicon.frames(lemma)
    first = lexicon.frames(lemma, senses=1)
    has_object = not _WITH_OBJECT.isdisjoint(first)
    takes_clause = _THAT_CLAUSE in frames
    return Verb(
        lemma,
        takes_clause,
        takes_clause or not frames or not _WITH_OBJECT.isdisjoint(frames),
        not _WITH_OF.isdisjoint(frames),
        has_object,
        has_object and _ALONE.isdisjoint(first),
    )
