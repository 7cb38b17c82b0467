"""Propositions: the self-contained statements of a text, where they stand and what embeds each.

To compare a hypothesis with the atomic propositions of a text is Akhmatova's idea (2005, "Textual
entailment resolution via atomic propositions"). Hers come from a grammar with a semantics; these are
cut from a dependency parse, keep the words of the text, and say which words they had to add.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any, overload

from ensue.claims.attitudes import Attitude
from ensue.claims.clauses import ClauseAnalysis, Construction, StatedClause
from ensue.claims.documents import Place, analyzed_parts, unbroken
from ensue.claims.statements import StatementPieces, StatementWriter
from ensue.claims.wording import Change, Wording, worded
from ensue.errors import ArgumentError
from ensue.features import has_words
from ensue.language import (
    Lexicon,
    Sentence,
    TextAnalyzer,
    load_analyzer,
    load_lexicon,
    sentence_spans,
)
from ensue.logic.rewriting import normalize

_MOST_NORMALIZED = 400
"""Tokens of a paragraph whose pronouns are resolved: more have too many that may be meant."""
_PARTS = 64
"""Paragraphs that are analyzed at once."""


@dataclass(frozen=True, slots=True)
class Embedder:
    """A word that says how a statement is put."""

    attitude: Attitude
    word: str
    start: int
    """Where it begins in the text."""
    end: int
    """Where it ends."""
    inside: bool
    """Whether it is a word of the statement too, as *not* or *may*: *said* stands above it."""


@dataclass(frozen=True, slots=True)
class Proposition:
    """A statement that can be read by itself, and where it is from."""

    statement: str
    """As a sentence."""
    construction: Construction
    embedding: tuple[Embedder, ...]
    """From the outermost to the one that is nearest; empty where the author says it outright."""
    spans: tuple[Place, ...]
    """Where the text has its words."""
    changes: tuple[Change, ...]
    """The words that are not in the spans."""
    sentence: Place
    """The sentence that it is cut from."""

    @property
    def is_asserted(self) -> bool:
        """Whether the author says it outright, be it that something is not so."""
        return all(
            (each.inside and each.attitude is Attitude.NEGATED) or each.attitude is Attitude.KNOWN
            for each in self.embedding
        )

    def to_json(self) -> dict[str, Any]:
        """The proposition in values that JSON can hold."""
        return {
            "statement": self.statement,
            "construction": self.construction.value,
            "embedding": [
                {
                    "attitude": each.attitude.value,
                    "word": each.word,
                    "start": each.start,
                    "end": each.end,
                    "inside": each.inside,
                }
                for each in self.embedding
            ],
            "asserted": self.is_asserted,
            "spans": [list(each) for each in self.spans],
            "changes": [
                {
                    "start": each.start,
                    "end": each.end,
                    "words": each.words,
                    "reason": each.reason.value,
                    "replaces": None if each.replaces is None else list(each.replaces),
                    "source": None if each.source is None else list(each.source),
                }
                for each in self.changes
            ],
            "sentence": list(self.sentence),
        }


@dataclass(frozen=True, slots=True)
class Propositions(Sequence[Proposition]):
    """The propositions of a text, in its order."""

    text: str
    found: tuple[Proposition, ...]

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> Proposition: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Proposition]: ...

    def __getitem__(self, at: int | slice) -> Proposition | Sequence[Proposition]:
        return self.found[at]

    def to_json(self) -> dict[str, Any]:
        """All of them in values that JSON can hold, with the text."""
        return {
            "text": self.text,
            "propositions": [each.to_json() for each in self.found],
            "n_propositions": len(self.found),
        }

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        # reports build on claims and not the other way round: found only when it is shown
        face = import_module("ensue.reports.propositions")
        return str(face.propositions_fragment(self))


def propositions(text: str) -> Propositions:
    """Cut the sentences of a text into self-contained statements.

    >>> import ensue
    >>> for each in ensue.propositions("Police said that Ada Lind, the owner, had left."):
    ...     print(each.statement, [embedder.attitude.value for embedder in each.embedding])
    Police said that Ada Lind had left. []
    Ada Lind is the owner. ['said']
    Ada Lind had left. ['said']

    Args:
        text: One or more sentences, with line breaks anywhere.

    Raises:
        ArgumentError: the text is no string.
    """
    if not isinstance(text, str):
        raise ArgumentError.of("text", "a string", text)
    return Propositions(text, tuple(find_propositions(text, load_analyzer(), load_lexicon())))


def find_propositions(text: str, analyzer: TextAnalyzer, lexicon: Lexicon) -> Iterator[Proposition]:
    """The propositions of a text one by one, of which some paragraphs are in memory at a time.

    Args:
        text: However long.
        analyzer: Parses its sentences.
        lexicon: Knows what pronouns may stand for.
    """
    parts = analyzed_parts(text)
    while batch := list(islice(parts, _PARTS)):
        analyses = analyzer.analyze([unbroken(text[start:end]) for start, end in batch])
        for (start, _), analysis in zip(batch, analyses, strict=True):
            yield from propositions_of(start, analysis, lexicon)


def propositions_of(at: int, sentence: Sentence, lexicon: Lexicon) -> Iterator[Proposition]:
    """The propositions of a paragraph that is analyzed, and begins at a place."""
    analysis = ClauseAnalysis(sentence)
    is_short = 0 < len(sentence) <= _MOST_NORMALIZED
    normalized = normalize(sentence, lexicon=lexicon) if is_short else None
    writer = StatementWriter(analysis, normalized)
    places = sentence_spans(sentence)
    number = 0
    seen: set[tuple[str, Place]] = set()
    for clause in _in_order(analysis):
        start = analysis.span(clause.token)[0]
        while number + 1 < len(places) and places[number + 1][0] <= start:
            number += 1
        for statement in writer.statements(clause):
            wording = worded(sentence, analysis.written, statement.pieces)
            if wording is None or not has_words(wording.text):
                continue
            found = _proposition(at, writer, clause, statement, wording, places[number])
            key = found.statement, found.sentence
            if key not in seen:
                seen.add(key)
                yield found


def _in_order(analysis: ClauseAnalysis) -> list[StatedClause]:
    """The clauses of each sentence: the main one first, the others as they stand."""
    root = list(range(len(analysis.heads)))
    for token in analysis.order:
        if analysis.heads[token] >= 0:
            root[token] = root[analysis.heads[token]]
    return sorted(
        analysis.clauses.values(),
        key=lambda each: (root[each.token], each.host >= 0, each.token),
    )


def _proposition(
    at: int,
    writer: StatementWriter,
    clause: StatedClause,
    statement: StatementPieces,
    wording: Wording,
    sentence: Place,
) -> Proposition:
    tokens = {each for each in statement.pieces if isinstance(each, int)}
    analysis, attitudes = writer.analysis, writer.attitudes
    puts = attitudes.attitudes(clause)
    if statement.reporter >= 0:
        puts = [*attitudes.reports(clause.token), *puts]
    embedding = tuple(
        Embedder(
            attitude,
            analysis.written[token],
            at + analysis.span(token)[0],
            at + analysis.span(token)[1],
            token in tokens,
        )
        for attitude, token in puts
    )
    return Proposition(
        wording.text,
        clause.construction,
        embedding,
        tuple(_shifted(each, at) for each in wording.spans),
        tuple(
            Change(
                each.start,
                each.end,
                each.words,
                each.reason,
                None if each.replaces is None else _shifted(each.replaces, at),
                None if each.source is None else _shifted(each.source, at),
            )
            for each in wording.changes
        ),
        _shifted(sentence, at),
    )


def _shifted(place: Place, by: int) -> Place:
    return place[0] + by, place[1] + by
