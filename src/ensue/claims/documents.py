"""Documents as sentences that know their place, and the search for those that may hold a claim."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ensue.features import FeatureReader, has_words
from ensue.language import Sentence, sentence_spans

Place = tuple[int, int]
"""The first character, and the one after the last."""

_IDLE = frozenset(("PUNCT", "SPACE", "SYM", "DET", "ADP", "AUX", "CCONJ", "PART", "SCONJ"))
_LEANING = frozenset(("he", "she", "it", "they", "him", "her", "them", "his", "its", "their"))
_BREAKS = str.maketrans("\n\r\t\f\v\u2028\u2029", "       ")
_ENDED = (".", "!", "?", ":", ";", '"', "”", "’", ")")
_DANGLING = (
    frozenset(("a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and"))
    | frozenset(("or", "but", "that", "which", "who", "if", "as", "than", "not", "is", "was"))
    | _LEANING
)
_LINE = re.compile(r"[^\n]*\n?")
_BETWEEN = re.compile(r"(?:(?<=[a-z]{4}[.!?])|(?<=\d[.!?]))\s+(?=[A-Z])")
"""Where one sentence surely ends and another begins."""
_LONG = 1000
"""Longer paragraphs are analyzed in parts, between sentences: that takes less memory."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document."""

    start: int
    """The first character."""
    end: int
    """The one after the last."""
    text: str
    """As it is there, with spaces for line breaks, so that places in it are places there."""
    file: str = ""
    """What the document is called."""
    spans: tuple[Place, ...] = ()
    """Of sentences that stand apart and are read together: where each is. Else empty."""

    def place(self, span: Place) -> Place:
        """Where a stretch of the text stands in the document."""
        if not self.spans:
            return self.start + span[0], self.start + span[1]
        at, found = 0, []
        for start, end in self.spans:
            first, last = max(span[0] - at, 0), min(span[1] - at, end - start)
            if first < last:
                found.append((start + first, start + last))
            at += end - start + 1
        return (found[0][0], found[-1][1]) if found else (self.start, self.start)

    def covers(self, other: Passage) -> bool:
        """Whether it has all sentences of another passage."""
        parts = other.spans or ((other.start, other.end),)
        known = self.spans or ((self.start, self.end),)
        return self.file == other.file and all(
            any(start <= first and last <= end for start, end in known) for first, last in parts
        )


@dataclass(frozen=True, slots=True)
class Document:
    """The sentences of a text."""

    file: str
    """What it is called."""
    text: str
    passages: tuple[Passage, ...]
    words: tuple[frozenset[str], ...]
    """The lemmas of the content words of each sentence."""
    leaning: tuple[bool, ...]
    """Whether a sentence has a pronoun, so that it may take the one before it to read it."""

    def between(self, first: int, last: int) -> Passage:
        """The stretch from the one sentence to the other."""
        return self.passage(self.passages[first].start, self.passages[last].end)

    def passage(self, start: int, end: int) -> Passage:
        """The stretch between two places."""
        return passage(self.text, start, end, self.file)

    def together(self, numbers: Sequence[int]) -> Passage:
        """Some sentences, read together in their order."""
        first, last = min(numbers), max(numbers)
        if last - first + 1 == len(numbers):
            return self.passages[first] if first == last else self.between(first, last)
        some = [self.passages[each] for each in sorted(numbers)]
        text = " ".join(each.text for each in some)
        spans = tuple((each.start, each.end) for each in some)
        return Passage(some[0].start, some[-1].end, text, self.file, spans)


def passage(text: str, start: int, end: int, file: str) -> Passage:
    """The stretch of a text between two places."""
    return Passage(start, end, unbroken(text[start:end]), file)


def unbroken(text: str) -> str:
    """A text with spaces for line breaks, so that all places in it stay."""
    return text.translate(_BREAKS)


def read_documents(
    texts: Sequence[str], reader: FeatureReader, files: Sequence[str] = ()
) -> list[Document]:
    """The sentences of each text; all paragraphs are analyzed at once.

    Args:
        texts: What is read.
        reader: Finds sentences.
        files: What the texts are called.
    """
    places = [list(analyzed_parts(text)) for text in texts]
    flat = [
        [unbroken(text[start:end]) for start, end in some]
        for text, some in zip(texts, places, strict=True)
    ]
    analyses = iter(reader.analyze([each for some in flat for each in some]))
    return [
        _document(file, text, [(start, next(analyses)) for start, _ in some])
        for file, text, some in zip(files or [""] * len(texts), texts, places, strict=True)
    ]


def _document(file: str, text: str, paragraphs: Sequence[tuple[int, Sentence]]) -> Document:
    passages: list[Passage] = []
    words: list[frozenset[str]] = []
    leaning: list[bool] = []
    for at, analysis in paragraphs:
        for (start, end), tokens in _sentences(analysis):
            if has_words(analysis.text[start:end]):
                passages.append(passage(text, at + start, at + end, file))
                words.append(_content(analysis, tokens))
                leaning.append(any(_leans(analysis, token) for token in tokens))
    return Document(file, text, tuple(passages), tuple(words), tuple(leaning))


def _sentences(analysis: Sentence) -> Iterator[tuple[Place, range]]:
    """The place of each sentence, and its tokens."""
    starts = analysis.starts.tolist()
    token = 0
    for start, end in sentence_spans(analysis):
        first = token
        while token < len(starts) and starts[token] < end:
            token += 1
        yield (start, end), range(first, token)


def _content(analysis: Sentence, tokens: range) -> frozenset[str]:
    lemmas, parts = analysis.lemmas, analysis.parts
    return frozenset(lemmas[each].lower() for each in tokens if parts[each] not in _IDLE)


def _leans(analysis: Sentence, token: int) -> bool:
    return analysis.parts[token] == "PRON" and analysis.lemmas[token].lower() in _LEANING


def paragraphs(text: str) -> Iterator[Place]:
    """Where the paragraphs of a text are: lines that are not broken only because they are full.

    A line goes on in the next one where it ends in a comma or in a word like *of*, or where the next
    one begins in lower case; and, in a text in which at least half do, where the first word of the
    next one would not have fitted into the longest line.
    """
    places = [found.span() for found in _LINE.finditer(text) if found.group()]
    lines = [text[start:end].strip() for start, end in places]
    breaks = [
        _is_lower(after) for line, after in pairwise(lines) if line and after and _is_open(line)
    ]
    longest = max(map(len, lines), default=0) if 2 * sum(breaks) >= len(breaks) > 0 else None
    first = 0
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if not (line and following and _goes_on(line, following, longest)):
            if any(lines[first : number + 1]):
                yield places[first][0], places[number][1]
            first = number + 1


def _is_open(line: str) -> bool:
    return not line.endswith(_ENDED)


def _is_lower(line: str) -> bool:
    return line[0].islower()


def analyzed_parts(text: str) -> Iterator[Place]:
    """The paragraphs of a text; long ones in parts, between sentences."""
    for place in paragraphs(text):
        yield from _parts(text, *place)


def _parts(text: str, start: int, end: int) -> Iterator[Place]:
    while end - start > _LONG:
        between = _BETWEEN.search(text, start + _LONG, end)
        if between is None:
            break
        yield start, between.end()
        start = between.end()
    yield start, end


def _goes_on(line: str, following: str, longest: int | None) -> bool:
    last = line.split()[-1].lower()
    if last.endswith(",") or last in _DANGLING or (_is_open(line) and _is_lower(following)):
        return True
    return longest is not None and len(line) + 1 + len(following.split()[0]) > longest


# Retrieval: where in a document a claim may be found, word for word, or by the words that it shares.

# Where in a document a claim may be found: word for word, or by the words that it shares.

_NEAR = 20
"""Characters before a sentence in which the one before it ends."""
_AWAY = 2
"""How far apart two sentences may stand that are tried together."""
_MOST_COVERING = 5
"""Sentences that are read together, wherever they stand."""
_MOST_WORDS = 130
"""Words of these: what the network reads at once."""
_FURTHEST = 4
"""How far back a pronoun may reach."""
_END = re.compile(r"[.!\s]*$")
_STOPS = (".", "!", "?", ".”", ".’", ".'", '."')


class Copies:
    """Finds claims that stand in a document word for word, as whole sentences."""

    def __init__(self, known: Document) -> None:
        self._document = known
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
                return self._document.passage(*place.span())
        return None

    def _begins(self, at: int) -> bool:
        return at in self._starts or self._text[max(at - _NEAR, 0) : at].rstrip().endswith(_STOPS)

    def _ends_at(self, at: int) -> bool:
        return at in self._ends or self._text[at - 1] in ".!"


def _plain(text: str) -> str:
    """A sentence without its full stop, and with single spaces; a question stays one."""
    return " ".join(_END.sub("", text).split())


class PassageRanking:
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

    def covering(self, words: frozenset[str], n: int) -> list[int]:
        """The numbers of a few sentences that together have most of these words, the best first.

        Each has most of what those before it have not, rare words before common ones.
        """
        weights = {
            word: math.log(1 + len(self._lengths) / len(self._places[word]))
            for word in sorted(words & self._places.keys())
        }
        having: dict[int, list[str]] = {}
        for word in weights:
            for number in self._places[word].tolist():
                having.setdefault(number, []).append(word)
        found: list[int] = []
        while weights and len(found) < n:
            merits = {
                number: sum(weights.get(word, 0.0) for word in some)
                for number, some in having.items()
            }
            number = max(merits, key=lambda each: (merits[each], -self._lengths[each], -each))
            found.append(number)
            for word in having[number]:
                weights.pop(word, None)
            having = {k: some for k, some in having.items() if any(w in weights for w in some)}
        return found


_TOKEN = re.compile(r"\w+|[^\w\s]")
_LONGEST_RUN = 3


class CopiedWords:
    """The runs of up to three tokens that texts have, as sorted numbers of a few bytes each."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._numbers: dict[str, int] = {}
        sides = [[self._number(each) for each in tokens(text)] for text in texts]
        self._runs = [
            np.unique(np.concatenate([_runs(np.array(side, np.int64), n) for side in sides]))
            if sides
            else np.zeros(0, np.int64)
            for n in range(1, _LONGEST_RUN + 1)
        ]

    def _number(self, token: str) -> int:
        return self._numbers.setdefault(token, len(self._numbers) + 1)

    def has(self, token: str) -> bool:
        """Whether a token, in lower case, is in the texts."""
        return token in self._numbers

    def shares(self, text: str) -> list[float]:
        """The shares of a text's tokens, and of its runs of two and of three, that are copied."""
        # what is unknown has a number that no known token has
        side = np.array([self._numbers.get(each, 0) for each in tokens(text)], np.int64)
        found = []
        for n, known in enumerate(self._runs, 1):
            runs = _runs(side, n)
            found.append(float(np.isin(runs, known).mean()) if len(runs) else 0.0)
        return found


def tokens(text: str) -> list[str]:
    """The words and signs of a text, in lower case."""
    return _TOKEN.findall(text.lower())


def _runs(side: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """A number for each run of tokens; two million different tokens fit into it three times."""
    found = np.zeros(max(len(side) - n + 1, 0), np.int64)
    for i in range(n):
        found = (found << 21) + side[i : i + len(found)]
    return found


class SourceIndex:
    """The sentences of all sources, and the passages in which a claim may be found."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._copies = [Copies(each) for each in documents]
        self._places = [(each, i) for each in documents for i in range(len(each.passages))]
        self._ranking = PassageRanking([words for each in documents for words in each.words])
        self._documents = documents

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The lemmas of all content words."""
        return frozenset().union(*(words for each in self._documents for words in each.words))

    @cached_property
    def copied(self) -> CopiedWords:
        """What is said in the same words."""
        return CopiedWords([each.text for each in self._documents])

    @cached_property
    def n_tokens(self) -> int:
        """The words and signs of all texts."""
        return sum(len(tokens(each.text)) for each in self._documents)

    def has_figure(self, figure: str) -> bool:
        """Whether a figure is written in a text."""
        return any(figure in each.text for each in self._documents)

    def cover_words(self, words: frozenset[str]) -> frozenset[str]:
        """Those of some words that are in the sentences that together have most of them."""
        found = frozenset[str]()
        for number in self._ranking.covering(words, _MOST_COVERING):
            known, at = self._places[number]
            found |= known.words[at] & words
        return found

    def cover(self, words: frozenset[str], n: int = _MOST_COVERING) -> Passage | None:
        """The sentences of one source that together have most of these words; None for none."""
        numbers = self._ranking.covering(words, n)
        if not numbers:
            return None
        known = self._places[numbers[0]][0]
        chosen: list[int] = []
        n_words = 0
        for source, number in (self._places[each] for each in numbers):
            size = len(source.passages[number].text.split())
            if source is known and (not chosen or n_words + size <= _MOST_WORDS):
                chosen.append(number)
                n_words += size
        return known.together(chosen)

    def is_sentence(self, text: str) -> bool:
        """Whether a text is a sentence of a source."""
        return any(each.is_sentence(text) for each in self._copies)

    def copy(self, text: str) -> Passage | None:
        """Where a text stands as one or several whole sentences; the first of several sources."""
        found = (each.find(text) for each in self._copies)
        return next((each for each in found if each is not None), None)

    def candidates(self, words: frozenset[str], best: int, copy: Passage | None) -> list[Passage]:
        """The copy, the best sentences, and stretches of two that may have to be read together."""
        found = [] if copy is None else [copy]
        places = [self._places[number] for number in self._ranking.best(words, best)]
        found += [known.passages[number] for known, number in places]
        if places:
            known, number = places[0]
            if (first := _antecedent(known, number)) < number:
                found.append(known.between(first, number))
        if len(places) > 1 and places[0][0] is places[1][0]:
            known = places[0][0]
            first, last = sorted(number for _, number in places[:2])
            if last - first <= _AWAY:
                found.append(known.between(first, last))
        return list(dict.fromkeys(found))


def _antecedent(known: Document, number: int) -> int:
    """The sentence that a chain of pronouns leads back to: the last that has none."""
    first = number
    while known.leaning[first] and first > 0 and number - first < _FURTHEST:
        first -= 1
    return first
