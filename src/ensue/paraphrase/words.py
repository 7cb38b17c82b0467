"""The words of terms and paraphrases: which of them say something, and their stems.

Words are runs of letters and digits in lower case (the tokenizer `words`). Content words are those
that are not in the list that ships here; stems are by Porter's algorithm of 1980.
"""

from __future__ import annotations

from ensue.surface.function_words import FUNCTION_WORDS
from ensue.surface.tokenizers import WORDS

_SAY_SOMETHING = """done like little need own past same near"""
"""Function words of that list that are verbs, nouns or adjectives as often, and so may be terms."""
_CUT_OFF = """ll re ve ain aren couldn didn doesn don hadn hasn haven isn mustn needn shan shouldn
    wasn weren wouldn"""
"""What the tokenizer leaves of words with an apostrophe."""

NO_CONTENT = frozenset(FUNCTION_WORDS - set(_SAY_SOMETHING.split()) | set(_CUT_OFF.split()))
"""The list that ships: closed classes of English. Single letters are no content words either: they
are slots (X killed Y), or stood behind an apostrophe."""


def words_of(string: str) -> list[str]:
    """The words of a term, a paraphrase or a sentence, in lower case.

    >>> words_of("Shot and killed")
    ['shot', 'and', 'killed']
    """
    return WORDS.split(string.lower())


def is_content_word(word: str) -> bool:
    """Whether a word in lower case says something by itself.

    >>> [is_content_word(word) for word in ("the", "killed", "x", "7")]
    [False, True, False, True]
    """
    return word not in NO_CONTENT and not (len(word) == 1 and word.isalpha())


def content_words(string: str) -> list[str]:
    """The content words of a string, in their order.

    >>> content_words("was shot and killed by X")
    ['shot', 'killed']
    """
    return [word for word in words_of(string) if is_content_word(word)]
