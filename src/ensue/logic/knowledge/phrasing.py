"""Facts about words in plain English."""

from __future__ import annotations

from ensue.logic.knowledge.model import FactKind, Part, Word

_VOWELS = "aeiou"
_LIKE_CONSONANTS = ("eu", "one", "once", "ubi", "uni", "use", "usu", "uto")
"""Beginnings that are written with a vowel and spoken with a consonant."""
_LIKE_VOWELS = ("heir", "honest", "honor", "hour")
_OPPOSITES = {
    FactKind.ANTONYM: "{} is the opposite of {}",
    FactKind.DISJOINT: "nothing is both {} and {}",
}


def with_article(noun: str) -> str:
    """A noun with *a* or *an*.

    >>> with_article("animal"), with_article("university"), with_article("hour")
    ('an animal', 'a university', 'an hour')
    """
    like_vowel = noun.startswith(_LIKE_VOWELS)
    vowel = noun[:1].lower() in _VOWELS and not noun.startswith(_LIKE_CONSONANTS)
    return f"{'an' if vowel or like_vowel else 'a'} {noun}"


def gerund(verb: str) -> str:
    """The form in -ing; of a verb of several words, that of the first.

    >>> gerund("kill"), gerund("make"), gerund("die"), gerund("put out")
    ('killing', 'making', 'dying', 'putting out')
    """
    first, space, rest = verb.partition(" ")
    if first.endswith("ie"):
        first = first[:-2] + "y"
    elif first.endswith("e") and not first.endswith(("ee", "oe", "ye")):
        first = first[:-1]
    elif _doubles(first):
        first += first[-1]
    return f"{first}ing{space}{rest}"


def _doubles(verb: str) -> bool:
    """Whether a verb of one syllable ends in one vowel and one consonant."""
    if len(verb) < 3 or verb[-1] in "aeiouwxy" or verb[-2] not in _VOWELS:
        return False
    return not any(letter in _VOWELS for letter in verb[:-2])


def said(word: Word) -> str:
    """A word as it stands in a sentence: *a dog*, *to buy*, *big*, *Paris*."""
    match word.part:
        case Part.NOUN:
            return with_article(word.lemma)
        case Part.VERB:
            return f"to {word.lemma}"
        case Part.NAME if word.lemma.islower():
            return " ".join(map(str.capitalize, word.lemma.split()))
    return word.lemma


def sentence(kind: FactKind, one: Word, other: Word) -> str:
    """What a fact says."""
    match kind:
        case FactKind.SYNONYM:
            return _same(one, other)
        case FactKind.ANTONYM | FactKind.DISJOINT:
            plain = one.lemma, other.lemma
            words = (said(one), said(other)) if kind is FactKind.DISJOINT else plain
            return _OPPOSITES[kind].format(*words)
        case FactKind.DERIVATION:
            noun, verb = (one, other) if one.part == Part.NOUN else (other, one)
            return f"{noun.lemma} is the noun for {said(verb)}"
        case FactKind.PART:
            return f"{said(one)} is in {said(other)}"
        case FactKind.VERB_ENTAILMENT:
            return f"{said(one)} entails {said(other)}"
        case FactKind.CAUSE:
            return f"{gerund(one.lemma)} something makes it {other.lemma}"
    return f"{said(one)} is {said(other)}"


def _same(one: Word, other: Word) -> str:
    if one.part == Part.NAME:
        return f"{said(one)} is the same as {said(other)}"
    if one.part == Part.VERB:
        return f"{said(one)} means the same as {said(other)}"
    return f"{one.lemma} means the same as {other.lemma}"
