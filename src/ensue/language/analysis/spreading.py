"""Analyses made elsewhere: whoever can have functions called there, and an analyzer that uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from ensue.language.analysis.analyzer import load_analyzer
from ensue.language.analysis.sentence import Sentence

if TYPE_CHECKING:
    from ensue.language.analysis.analyzer import Analyzer
    from ensue.language.analysis.caching import Analyzing

Call = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function that a module has under its name, and its arguments; all of it can be pickled."""

_TEXTS = 32
"""Texts analyzed in one call."""


class Spreading(Protocol):
    """Whoever has functions called, several at a time: in other processes, or wherever."""

    def in_order(self, calls: Iterable[Call]) -> Iterator[Any]:
        """The results of calls, in the order of the calls, few of which are taken ahead."""


class SpreadAnalyzer:
    """An analyzer that leaves long lists of texts to a pool.

    What goes there and back is compact: texts, and their sentences as arrays.
    """

    def __init__(self, analyzer: Analyzing, pool: Spreading) -> None:
        """Analyze with the usual analyzer.

        Args:
            analyzer: That one, for short lists.
            pool: For the others.
        """
        self._analyzer = analyzer
        self._pool = pool

    @property
    def signature(self) -> object:
        """That of the analyzer."""
        return self._analyzer.signature

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text."""
        if len(texts) <= 2 * _TEXTS:
            return self._analyzer.analyze(texts)
        blocks = (texts[start : start + _TEXTS] for start in range(0, len(texts), _TEXTS))
        found = self._pool.in_order((_analyzed, block) for block in blocks)
        return [sentence for block in found for sentence in block]


def _analyzed(texts: Sequence[str]) -> list[Sentence]:
    """What is called elsewhere."""
    return _usual_analyzer().analyze(texts)


@cache
def _usual_analyzer() -> Analyzer:
    return load_analyzer()
