"""Which words like to depend on which: what the parser says, and what the lexicon knows of verbs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.language.analysis import Sentence
from ensue.language.lexicon import Lexicon
from ensue.logic.parsing.kinds import Reading
from ensue.logic.parsing.words import word_of

_DISAGREEMENT = 0.1
"""The cost of each token that depends on another one than the parser says."""
_OF_VERB = -0.7
"""What *of* gains with a verb that may have one: *accuse somebody of theft*."""
_OF_PERSON = 0.4
"""The cost of its belonging to the person there instead."""
_OF_NAME = 0.8
"""The cost of *of* after a name: *reminded Mary of the debt*."""


def arc_costs(
    sentence: Sentence, options: list[list[Reading]], lexicon: Lexicon
) -> NDArray[np.float64]:
    """The cost of each token's depending on each other: dependent × head."""
    n = len(sentence)
    arcs = np.full((n, n), _DISAGREEMENT)
    inside = np.flatnonzero(sentence.heads >= 0)
    arcs[inside, sentence.heads[inside]] = 0
    forms = sentence.forms
    for token, form in enumerate(forms):
        if form == "of" and token:
            _place_of(arcs, token, forms, options, lexicon)
    return arcs


def _place_of(
    arcs: NDArray[np.float64],
    of: int,
    forms: tuple[str, ...],
    options: list[list[Reading]],
    lexicon: Lexicon,
) -> None:
    """Let *of* belong to a verb that has somebody of something rather than to the somebody."""
    verbs = [token for token in range(of) if _takes_of(options[token], lexicon)]
    arcs[of, verbs] += _OF_VERB
    for token in range(of):
        if any(way.kind == "pn" for way in options[token]) and not _is_title(forms, of + 1):
            arcs[of, token] += _OF_NAME
        elif verbs and token not in verbs and any(way.kind == "nh" for way in options[token]):
            arcs[of, token] += _OF_PERSON


def _takes_of(ways: list[Reading], lexicon: Lexicon) -> bool:
    lemmas = {way.lemma for way in ways if way.kind.startswith("v")}
    return any(each.takes_of for lemma in lemmas for each in word_of(lemma, lexicon).verbs)


def _is_title(forms: tuple[str, ...], token: int) -> bool:
    """Whether a name goes on: *Bank of England*."""
    return token < len(forms) and forms[token][:1].isupper()
