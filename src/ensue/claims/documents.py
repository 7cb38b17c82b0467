"""Documents as sentences that know their place, whatever the lines they are broken into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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
