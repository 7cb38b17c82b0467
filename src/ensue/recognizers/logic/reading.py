"""From pairs to arguments: each distinct text parsed once, and its meaning made once a side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ensue.errors import EnsueError, SettingError
from ensue.features import has_words
from ensue.language.analysis import CachedAnalyzer, Sentence, cache_file, load_analyzer
from ensue.language.analysis.sentence import joined
from ensue.language.analysis.spreading import SpreadAnalyzer, Spreading
from ensue.logic.formulas import atoms
from ensue.logic.meaning import Meaning
from ensue.logic.reasoning import Argument, Reasoner
from ensue.pairs import Pair

_REMEMBERED = 2_000
"""Meanings kept in memory from one chunk to the next."""
_CHUNK = 256
"""Pairs whose texts are analyzed together."""

Texts = tuple[str, ...]
"""A side of a pair: what it says, then its pieces where it has several that are read alone."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no argument about a pair."""

    reason: str


class MeaningReader:
    """Reads what both sides of pairs mean, and keeps what was asked for last."""

    def __init__(self, analyzer: CachedAnalyzer, reasoner: Reasoner) -> None:
        self._analyzer = analyzer
        self._reasoner = reasoner
        self._known: dict[tuple[Texts, bool], Meaning | Failure] = {}
        self.n_made = 0
        """Meanings that had to be made."""

    def arguments(
        self, pairs: Sequence[Pair], *, explain: bool = False
    ) -> Iterator[Argument | Failure]:
        """What is to be said for or against each pair, in their order."""
        for start in range(0, len(pairs), _CHUNK):
            self._make_room()
            chunk = pairs[start : start + _CHUNK]
            sides = [(texts_of(pair), (pair.hypothesis,)) for pair in chunk]
            sentences = self._sentences(sides)
            for text, hypothesis in sides:
                said = self._meaning(text, sentences, asserted=True)
                asked = self._meaning(hypothesis, sentences, asserted=False)
                yield self._argued(said, asked, explain=explain)

    def _argued(
        self, said: Meaning | Failure, asked: Meaning | Failure, *, explain: bool
    ) -> Argument | Failure:
        for side in (said, asked):
            if isinstance(side, Failure):
                return side
        assert isinstance(said, Meaning)
        assert isinstance(asked, Meaning)
        try:
            return self._reasoner.reason(said, asked, explain=explain)
        except SettingError:
            raise  # nothing can be proved at all
        except EnsueError as error:
            return Failure(error.message)
        except RecursionError:
            return Failure("its formulas are nested too deeply")

    def _sentences(self, sides: Sequence[tuple[Texts, Texts]]) -> dict[str, Sentence]:
        """The analysis of each text and of each piece of one that is not known yet."""
        wanted: dict[str, None] = {}
        for pair in sides:
            for texts, asserted in zip(pair, (True, False), strict=True):
                if (texts, asserted) not in self._known and has_words(texts[0]):
                    wanted |= dict.fromkeys(texts[1:] or texts)
        found = self._analyzer.analyze(list(wanted))
        return dict(zip(wanted, found, strict=True))

    def _make_room(self) -> None:
        """Forget what was not asked for longest; between chunks, since one counts on what is known."""
        for key in list(self._known)[: max(0, len(self._known) - _REMEMBERED)]:
            del self._known[key]

    def _meaning(
        self, texts: Texts, sentences: dict[str, Sentence], *, asserted: bool
    ) -> Meaning | Failure:
        key = texts, asserted
        found = self._known.pop(key, None)
        if found is None:
            self.n_made += 1
            found = self._made(texts, sentences, asserted=asserted)
        self._known[key] = found  # last in, so that it goes last
        return found

    def _made(
        self, texts: Texts, sentences: dict[str, Sentence], *, asserted: bool
    ) -> Meaning | Failure:
        side = "text" if asserted else "hypothesis"
        if not has_words(texts[0]):
            return Failure(f"the {side} has no words")
        try:
            meaning = self._reasoner.meaning(_whole(texts, sentences), asserted=asserted)
        except RecursionError:
            return Failure(f"the {side} is nested too deeply")
        if not any(True for condition in meaning.conditions for _ in atoms(condition)):
            return Failure(f"nothing that the {side} says could be read")
        return meaning


def texts_of(pair: Pair) -> Texts:
    """The text, and its premises where it has several, each of which is read by itself."""
    premises = pair.meta.get("premises")
    if not isinstance(premises, list | tuple) or len(premises) < 2:
        return (pair.text,)
    pieces = tuple(str(premise) for premise in premises)
    return (pair.text, *pieces) if _places(pair.text, pieces) else (pair.text,)


def _places(text: str, pieces: Sequence[str]) -> list[int] | None:
    """Where each piece begins in a text; None where the text is not made of them."""
    places, at = [], 0
    for piece in pieces:
        found = text.find(piece, at)
        if found < 0 or text[at:found].strip():
            return None
        places.append(found)
        at = found + len(piece)
    return None if text[at:].strip() else places


def _whole(texts: Texts, sentences: dict[str, Sentence]) -> Sentence:
    text, *pieces = texts
    places = _places(text, pieces) if pieces else None
    if places is None:
        return sentences[text]
    found = [sentences[piece] for piece in pieces]
    return joined(text, list(zip(places, found, strict=True)))


@cache
def shared_analyzer() -> CachedAnalyzer:
    """The analyzer of all logical recognizers of this process."""
    return CachedAnalyzer(load_analyzer(), cache_file())


def open_meaning_reader(reasoner: Reasoner, *, pool: Spreading | None = None) -> MeaningReader:
    """A reader with the usual analyzer; many texts are parsed by the pool, if there is one."""
    if pool is None:
        return MeaningReader(shared_analyzer(), reasoner)
    spread = SpreadAnalyzer(load_analyzer(), pool)
    return MeaningReader(CachedAnalyzer(spread, cache_file()), reasoner)
