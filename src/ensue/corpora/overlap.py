"""Words, and how many of a hypothesis' words its text has: plain measures, to look at data with.

Overlap is what the recognizer `overlap` scores with, at its defaults.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.pairs import Pair
from ensue.surface.coverage import word_coverage
from ensue.surface.tokenizers import WORDS
from ensue.surface.tokens import tokenize


@dataclass(frozen=True, slots=True, eq=False)
class WordMeasures:
    """What is counted of many pairs; one number for each."""

    text_words: NDArray[np.int64]
    hypothesis_words: NDArray[np.int64]
    overlap: NDArray[np.float64]
    """The share of the hypothesis' words that the text has; NaN where it has no words."""


def words(text: str) -> list[str]:
    """The words of a text, in lower case; punctuation is left out.

    >>> words("It's 3.5 °C.")
    ['it', 's', '3', '5', 'c']
    """
    return WORDS.split(text.lower())


def word_measures(pairs: Sequence[Pair]) -> WordMeasures:
    """Count the words of both sides, and how many of the hypothesis' words the text has."""
    texts, hypotheses = [pair.text for pair in pairs], [pair.hypothesis for pair in pairs]
    coverage = word_coverage(hypotheses, texts, WORDS)
    return WordMeasures(
        tokenize(texts, WORDS).lengths,
        coverage.total.astype(np.int64),
        np.where(coverage.total > 0, coverage.shares(), np.nan),
    )
