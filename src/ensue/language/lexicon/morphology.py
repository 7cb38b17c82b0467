"""The base forms that a form may have: WordNet's morphy(7WN), without a look at the lexicon.

Irregular forms come from lists, the others lose an ending. As in WordNet, and unlike in NLTK, a
noun in "-ss" and a noun of two letters are left alone ("boss" is no plural of the genus Bos). Its
rule for nouns in "-ful" is not here ("boxesful").
"""

from __future__ import annotations

from collections.abc import Mapping

from ensue.language.lexicon.parts import PartOfSpeech

DETACHMENTS = {
    PartOfSpeech.NOUN: (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    PartOfSpeech.VERB: (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    PartOfSpeech.ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    PartOfSpeech.ADVERB: (),
}
"""Endings, and what takes their place: morphy(7WN), and "ves" of NLTK."""


def normalized(word: str) -> str:
    """A word as the lexicon keeps it: lower case, one space between the words of a collocation.

    >>> normalized("Hot_Dog"), normalized(" ice  cream ")
    ('hot dog', 'ice cream')
    """
    return " ".join(word.lower().replace("_", " ").split())


def base_forms(
    word: str, part: PartOfSpeech, exceptions: Mapping[str, tuple[str, ...]]
) -> list[str]:
    """The word itself, and what it may be a form of, words of the language or not.

    >>> base_forms("churches", PartOfSpeech.NOUN, {})
    ['churches', 'churche', 'church']
    >>> base_forms("geese", PartOfSpeech.NOUN, {"geese": ("goose",)})
    ['geese', 'goose']
    """
    if word in exceptions:
        return list(dict.fromkeys((word, *exceptions[word])))
    if part is PartOfSpeech.NOUN and (word.endswith("ss") or len(word) <= 2):
        return [word]
    detached = [
        word[: -len(ending)] + instead
        for ending, instead in DETACHMENTS[part]
        if word.endswith(ending)
    ]
    return list(dict.fromkeys((word, *detached)))


def base_forms_by_word(
    word: str, part: PartOfSpeech, exceptions: Mapping[str, tuple[str, ...]]
) -> list[str]:
    """What a collocation may be a form of if one of its words is inflected.

    >>> base_forms_by_word("looked after", PartOfSpeech.VERB, {})
    ['looke after', 'look after']
    """
    words = word.split()
    return [
        " ".join((*words[:i], base, *words[i + 1 :]))
        for i, each in enumerate(words)
        for base in base_forms(each, part, exceptions)
        if base and base != each
    ]
