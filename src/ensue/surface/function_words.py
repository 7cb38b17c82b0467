"""Words that say little by themselves, and so count less where they are matched or missed."""

from __future__ import annotations

_DETERMINERS = """a an the this that these those each every either neither some any no all both half
    such what which whose my your his her its our their another other several many much more most
    few fewer less little own same"""
_PRONOUNS = """i me mine myself you yours yourself yourselves he him himself she hers herself it
    itself we us ours ourselves they them theirs themselves who whom one ones someone somebody
    something anyone anybody anything everyone everybody everything none nobody nothing there here"""
_PREPOSITIONS = """about above across after against along alongside amid among amongst around as at
    before behind below beneath beside besides between beyond by despite down during except for from
    in inside into like near of off on onto out outside over past per since than through throughout
    till to toward towards under until unto up upon via with within without"""
_CONJUNCTIONS = """and but or nor so yet if unless whether because although though while whereas
    when whenever where wherever why how once then thus also too"""
_AUXILIARIES = """am is are was were be been being have has had having do does did doing done will
    would shall should can could may might must ought need not n't 's 're 've 'll 'd 'm ca wo
    cannot"""
_ADVERBS = """very just only even still already again ever never now"""

FUNCTION_WORDS = frozenset(
    " ".join(
        (_DETERMINERS, _PRONOUNS, _PREPOSITIONS, _CONJUNCTIONS, _AUXILIARIES, _ADVERBS)
    ).split()
)
"""Closed classes of English, with the clitics that `prepared` cuts off, in lower case."""


def is_function_word(token: str) -> bool:
    """Whether a token in lower case is a function word or has neither letter nor digit.

    >>> [is_function_word(token) for token in ("the", "table", "...", "7")]
    [True, False, True, False]
    """
    return token in FUNCTION_WORDS or not any(map(str.isalnum, token))
