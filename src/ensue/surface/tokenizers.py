"""Tokenizers: how a string falls into tokens, told in plain Python.

These functions define what a tokenizer does and serve where one string is looked at closely. Many
strings at once go through `ensue.surface.tokens`, whose compiled kernel is tested against them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ensue.surface.kernels.scan import SCAN_13A, SCAN_CHARACTERS, SCAN_WHITESPACE, SCAN_WORDS


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A named way to cut strings into tokens."""

    name: str
    summary: str
    split: Callable[[str], list[str]]
    """One string's tokens, in order."""
    scan: int
    """The compiled scanner that cuts a prepared string."""
    prepare: Callable[[str], str] = str
    """Rewrites a string so that the scanner cuts it as `split` cuts the original."""
    marks: tuple[str, ...] = ()
    """A string with any of these in it has to be prepared."""
    prepares_non_ascii: bool = False
    """Whether a string with other characters than ASCII's has to be prepared."""


# Rules of NIST's mteval-v13a.pl for Western languages, as sacreBLEU states them, in their order.
_RULES_13A = [
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]
_ENTITIES_13A = [("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")]


def _prepare_13a(string: str) -> str:
    string = string.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES_13A:
        string = string.replace(entity, character)
    return string


def _split_13a(string: str) -> list[str]:
    string = f" {_prepare_13a(string)} "
    for rule, replacement in _RULES_13A:
        string = rule.sub(replacement, string)
    return string.split()


_WORD = re.compile(r"\w+")


def _spaced_words(string: str) -> str:
    return " ".join(_WORD.findall(string))


def _spaced_characters(string: str) -> str:
    return " ".join("".join(string.split()))


MTEVAL_13A = Tokenizer(
    "13a",
    "mteval-v13a, as BLEU is usually reported: punctuation apart, numbers kept whole",
    _split_13a,
    SCAN_13A,
    _prepare_13a,
    ("&", "<", "\n"),
)
WORDS = Tokenizer(
    "words",
    "runs of letters, digits and underscores; punctuation is dropped",
    _WORD.findall,
    SCAN_WORDS,
    _spaced_words,
    prepares_non_ascii=True,
)
WHITESPACE = Tokenizer("whitespace", "what stands between white space", str.split, SCAN_WHITESPACE)
CHARACTERS = Tokenizer(
    "characters",
    "every character but white space",
    lambda string: list("".join(string.split())),
    SCAN_CHARACTERS,
    _spaced_characters,
    prepares_non_ascii=True,
)


@dataclass(frozen=True, slots=True)
class Located:
    """A token and the characters of the original string that it stands for."""

    token: str
    start: int
    end: int


def located_tokens(string: str, tokenizer: Tokenizer, *, lowercase: bool = True) -> list[Located]:
    """One string's tokens with their places.

    A token whose characters are not in the string as they are (13a joins words at a hyphen before
    a line end) gets the place where it would begin, with no width.
    """
    lowered = "".join(map(_lower_in_place, string)) if lowercase else string
    found: list[Located] = []
    position = 0
    for token in tokenizer.split(string.lower() if lowercase else string):
        start, end = _place(token, lowered, position)
        found.append(Located(token, start, end))
        position = end
    return found


def _lower_in_place(character: str) -> str:
    """The lower-case form where it is one character, so that places stay what they are."""
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _place(token: str, string: str, position: int) -> tuple[int, int]:
    forms = [token, *(entity for entity, character in _ENTITIES_13A if character == token)]
    places = [(string.find(form, position), len(form)) for form in forms]
    start, width = min(((at, width) for at, width in places if at >= 0), default=(position, 0))
    return start, start + width
