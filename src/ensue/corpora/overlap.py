"""How many of a hypothesis' words its text has: a plain measure, to look at data with."""

from __future__ import annotations

import re

from ensue.pairs import Pair

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words of a text, in lower case; punctuation is left out.

    >>> words("It's 3.5 °C.")
    ['it', 's', '3', '5', 'c']
    """
    return _WORD.findall(text.lower())


def word_overlap(pair: Pair) -> float | None:
    """The share of distinct hypothesis words that the text has; None where there are none."""
    wanted = set(words(pair.hypothesis))
    return len(wanted & set(words(pair.text))) / len(wanted) if wanted else None
