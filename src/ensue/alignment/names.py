"""Whether two names may mean one."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

TITLES = frozenset(
    (
        *("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "dame", "lord", "lady"),
        *("president", "minister", "prime", "premier", "chancellor", "senator", "sen", "governor"),
        *("gov", "general", "gen", "colonel", "col", "captain", "capt", "major", "sergeant"),
        *("lieutenant", "judge", "justice", "king", "queen", "prince", "princess", "pope"),
        *("bishop", "archbishop", "saint", "st", "reverend", "rev", "secretary", "chairman"),
        *("mayor", "ambassador", "inc", "corp", "corporation", "co", "company", "ltd", "plc"),
        *("llc", "gmbh", "ag", "sa", "nv", "group", "holdings"),
    )
)
"""What is put before persons' names and behind companies' and can be left out."""

_SMALL = frozenset(
    (
        *("of", "the", "and", "for", "de", "la", "le", "du", "des"),
        *("von", "van", "der", "den", "di", "da"),
    )
)
_PLACES = frozenset(("GPE", "LOC", "FAC"))
_LEAST_ACRONYM = 2
_LEAST_PLURAL = 5


@dataclass(frozen=True, slots=True)
class Name:
    """A name with nothing that may be written one way or the other."""

    tokens: frozenset[str]
    """Its words without accents, small words, titles and a plural's ending."""
    joined: str
    """Its letters and digits without what is between them."""
    initials: str
    """Of its words; empty for names of one word."""
    is_place: bool


def name_of(lemma: str, kind: str) -> Name:
    """A name from a node's lemma and its kind of entity.

    >>> name_of("dr. zoë o'hara-smith's", "PERSON").initials
    'dzos'
    """
    words = _words(lemma)
    large = [word for word in words if word not in _SMALL] or words
    tokens = [word for word in large if word not in TITLES] or large
    initials = "".join(word[0] for word in large) if len(large) > 1 else ""
    singular = frozenset(word[:-1] if _may_be_plural(word) else word for word in tokens)
    return Name(singular, "".join(words), initials, kind in _PLACES)


def _may_be_plural(word: str) -> bool:
    return len(word) >= _LEAST_PLURAL and word.endswith("s") and not word.endswith("ss")


def _words(lemma: str) -> list[str]:
    """The words of a name: accents, possessives, points and apostrophes dropped, hyphens opened."""
    plain = lemma.lower()
    if not plain.isascii():
        split = unicodedata.normalize("NFKD", plain)
        plain = "".join(letter for letter in split if not unicodedata.combining(letter))
    plain = plain.replace("’", "'").replace("'s ", " ").removesuffix("'s").removesuffix("'")
    plain = plain.replace("-", " ").replace("&", " and ")
    words = ("".join(filter(str.isalnum, word)) for word in plain.split())
    return [word for word in words if word]


def mean_one(one: Name, other: Name) -> bool:
    """Whether two names may be one's: equal, one within the other, or one the other's initials.

    A place within another's name is another place: Korea, North Korea.
    """
    if not one.tokens or not other.tokens:
        return False
    if one.joined == other.joined or one.tokens == other.tokens:
        return True
    if _is_acronym(one, other) or _is_acronym(other, one):
        return True
    if one.is_place or other.is_place:
        return False
    if one.tokens <= other.tokens or other.tokens <= one.tokens:
        return True
    return _abbreviates(one, other) or _abbreviates(other, one)


def _abbreviates(short: Name, long: Name) -> bool:
    """Whether a name is another with some words left out or cut to a letter: John J. Famous.

    One word of it at least is whole.
    """
    cut = {token for token in short.tokens if len(token) == 1}
    whole = short.tokens - cut
    initials = {token[0] for token in long.tokens - whole}
    return bool(cut) and bool(whole) and whole <= long.tokens and cut <= initials


def _is_acronym(short: Name, long: Name) -> bool:
    return len(short.joined) >= _LEAST_ACRONYM and short.joined == long.initials
