"""Where in a document a claim may be found: word for word, or by the words that it shares."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from ensue.engine.checking.documents import Document, Passage, passage

_NEAR = 20
"""Characters before a sentence in which the one before it ends."""
_END = re.compile(r"[.!\s]*$")
_ENDED = (".", "!", "?", ".”", ".’", ".'", '."')


class Copies:
    """Finds claims that stand in a document word for word, as whole sentences."""

    def __init__(self, known: Document) -> None:
        self._text = known.text
        self._flat = " ".join(known.text.split())
        self._sentences: dict[str, Passage] = {}
        for each in known.passages:
            self._sentences.setdefault(_plain(each.text), each)
        self._starts = {each.start for each in known.passages}
        self._ends = {each.end for each in known.passages}

    def is_sentence(self, text: str) -> bool:
        """Whether a text is a sentence of the document."""
        return _plain(text) in self._sentences

    def find(self, text: str) -> Passage | None:
        """Where a text stands as one or several whole sentences; None where it does not."""
        plain = _plain(text)
        if plain in self._sentences:
            return self._sentences[plain]
        if not plain or plain not in self._flat:
            return None
        written = re.compile(r"\s+".join(map(re.escape, plain.split())) + r"[.!]*")
        for place in written.finditer(self._text):
            if self._begins(place.start()) and self._ends_at(place.end()):
                return passage(self._text, *place.span())
        return None

    def _begins(self, at: int) -> bool:
        return at in self._starts or self._text[max(at - _NEAR, 0) : at].rstrip().endswith(_ENDED)

    def _ends_at(self, at: int) -> bool:
        return at in self._ends or self._text[at - 1] in ".!"


def _plain(text: str) -> str:
    """A sentence without its full stop, and with single spaces; a question stays one."""
    return " ".join(_END.sub("", text).split())


class Ranking:
    """Sentences by how many of a claim's words they have, rare words before common ones."""

    def __init__(self, documents: Sequence[frozenset[str]]) -> None:
        found: dict[str, list[int]] = {}
        for number, words in enumerate(documents):
            for word in words:
                found.setdefault(word, []).append(number)
        self._places = {word: np.array(numbers) for word, numbers in found.items()}
        self._lengths = np.array([len(words) for words in documents])

    def best(self, words: frozenset[str], n: int) -> list[int]:
        """The numbers of the sentences that share most with these words; of equals, the shortest.

        Sentences that share nothing are tried only where no other shares anything.
        """
        n_documents = len(self._lengths)
        merits = np.zeros(n_documents)
        for word in sorted(words & self._places.keys()):
            places = self._places[word]
            merits[places] += math.log(1 + n_documents / len(places))
        order = np.lexsort((self._lengths, -merits))[:n]
        sharing = order[merits[order] > 0]
        return [int(number) for number in (sharing if sharing.size else order)]
