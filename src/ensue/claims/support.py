"""Claims checked against sources: where to look, what supports or contradicts each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, overload

import numpy as np

from ensue.claims.documents import Document, Passage, read_documents
from ensue.claims.proposition import Proposition
from ensue.claims.sources import ClaimText, SourceText
from ensue.errors import ArgumentError, check_list
from ensue.features import (
    EventComparison,
    FeatureReader,
    Mismatch,
    PairComparison,
    find_mismatches,
    shared_reader,
)
from ensue.pairs import Label, Pair, Signature, Status, Verdict
from ensue.recognizers import DEFAULT, Recognizer, recognizer_of

# Where in a document a claim may be found: word for word, or by the words that it shares.

_NEAR = 20
"""Characters before a sentence in which the one before it ends."""
_AWAY = 2
"""How far apart two sentences may stand that are tried together."""
_LEANING = 4
"""How far back a pronoun may reach."""
_END = re.compile(r"[.!\s]*$")
_ENDED = (".", "!", "?", ".”", ".’", ".'", '."')


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
        return at in self._starts or self._text[max(at - _NEAR, 0) : at].rstrip().endswith(_ENDED)

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


class SourceIndex:
    """The sentences of all sources, and the passages in which a claim may be found."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._copies = [Copies(each) for each in documents]
        self._places = [(each, i) for each in documents for i in range(len(each.passages))]
        self._ranking = PassageRanking([words for each in documents for words in each.words])

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
    while known.leaning[first] and first > 0 and number - first < _LEANING:
        first -= 1
    return first


# Check claims against sources: what supports each, what speaks against it, and the verdict.

BEST = 3
"""Source sentences that are shown, and tried, for each claim."""

_MOST_MERGED = 4
"""Sentences of the claims that may be one of the source."""


@dataclass(frozen=True, slots=True)
class Support:
    """A passage of the source and what a recognizer says of a claim against it."""

    passage: Passage
    verdict: Verdict
    mismatches: tuple[Mismatch, ...]
    """With places in the claim, and in the passage."""
    coverage: float
    """How much of the claim is met there, said alike or otherwise: 0 to 1."""
    is_copy: bool = False
    """Whether the claim stands there word for word."""
    is_borne_out: bool = False
    """Whether its events make the claim true, told from another side, whatever the recognizer says."""

    @property
    def holds(self) -> bool:
        """Whether the claim is true there: by its words or events, or by a yes where nothing differs."""
        yes = self.is_borne_out or self.verdict.label is Label.ENTAILMENT
        return self.is_copy or (yes and not self.mismatches)

    @property
    def is_contrary(self) -> bool:
        """Whether it says otherwise, rather than nothing, of something in the claim."""
        return any(each.text is not None for each in self.mismatches)

    def outweighs(self, other: Support) -> bool:
        """Whether it meets more of the claim than another passage; if a part of it, as much."""
        here, there = self.passage, other.passage
        is_part = there.start <= here.start and here.end <= there.end
        slack = -1e-9 if is_part and here.file == there.file else 1e-9
        return self.coverage > other.coverage + slack


class ClaimStatus(StrEnum):
    """What the sources make of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    """The sources say otherwise."""
    NOT_FOUND = "not-found"
    """The sources do not say so, and not otherwise."""
    NOTHING_TO_CHECK = "nothing-to-check"
    """It claims nothing: a question, a greeting, a refusal."""


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A proposition of a claim, and the passage that says most of it."""

    proposition: Proposition
    """With places in the text of the claim's file."""
    support: Support | None
    """The best passage, with what was said of the proposition there; None where there is none."""

    @property
    def supported(self) -> bool:
        """Whether it is true there."""
        return self.support is not None and self.support.holds

    def to_json(self) -> dict[str, Any]:
        """The part in values that JSON can hold; places in the statement are those of its words."""
        return {
            "statement": self.proposition.statement,
            "spans": [list(each) for each in self.proposition.spans],
            "supported": self.supported,
            "support": None if self.support is None else _support_to_json(self.support, 0),
        }


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim, its status, and the passages that support it best, the best first."""

    claim: Passage
    status: ClaimStatus
    reason: str
    support: tuple[Support, ...]
    id: str = ""
    """Of its row, or its number."""
    line: int | None = None
    """At which its row begins, where it is from a table: places are then those in the cell."""
    probability: float | None = None
    """That it is supported; None where there is nothing to check, or the recognizer gives no score."""
    parts: tuple[ClaimPart, ...] = ()
    """Its propositions."""

    @property
    def supported(self) -> bool:
        """Whether a source supports it."""
        return self.status is ClaimStatus.SUPPORTED

    def to_json(self) -> dict[str, Any]:
        """The claim in values that JSON can hold; all places are those of the files."""
        return {
            "id": self.id,
            "claim": self.claim.text,
            "file": self.claim.file,
            "line": self.line,
            "start": self.claim.start,
            "end": self.claim.end,
            "status": self.status.value,
            "supported": self.supported,
            "probability": self.probability,
            "reason": self.reason,
            "support": [_support_to_json(each, self.claim.start) for each in self.support],
            "parts": [each.to_json() for each in self.parts],
        }


@dataclass(frozen=True, slots=True)
class CheckedClaims(Sequence[CheckedClaim]):
    """The claims of a text, or of several, in their order."""

    found: tuple[CheckedClaim, ...]
    signature: Signature
    """Of the recognizer that judged them."""

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> CheckedClaim: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[CheckedClaim]: ...

    def __getitem__(self, at: int | slice) -> CheckedClaim | Sequence[CheckedClaim]:
        return self.found[at]

    @property
    def counts(self) -> dict[ClaimStatus, int]:
        """How many claims have each status."""
        return {status: sum(each.status is status for each in self.found) for status in ClaimStatus}

    @property
    def is_supported(self) -> bool:
        """Whether no claim is contradicted or not found."""
        return not (self.counts[ClaimStatus.CONTRADICTED] or self.counts[ClaimStatus.NOT_FOUND])

    def to_json(self) -> dict[str, Any]:
        """All of them in values that JSON can hold, with how many have each status."""
        return {
            "signature": self.signature.to_json(),
            "claims": [each.to_json() for each in self.found],
            "n_claims": len(self.found),
            "n_supported": self.counts[ClaimStatus.SUPPORTED],
            "counts": {status.value: n for status, n in self.counts.items()},
        }

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        # reports build on claims and not the other way round: found only when it is shown
        face = import_module("ensue.reports.claims")
        return str(face.checked_fragment(self))


def _support_to_json(support: Support, claim: int) -> dict[str, Any]:
    return {
        "source": support.passage.text,
        "file": support.passage.file,
        "start": support.passage.start,
        "end": support.passage.end,
        "label": support.verdict.label.value if support.verdict.label else None,
        "score": support.verdict.score,
        "confidence": support.verdict.confidence,
        "coverage": support.coverage,
        "copy": support.is_copy,
        "borne_out": support.is_borne_out,
        "mismatches": [
            _mismatch_to_json(each, claim, support.passage.start) for each in support.mismatches
        ],
    }


def _mismatch_to_json(mismatch: Mismatch, claim: int, source: int) -> dict[str, Any]:
    there = mismatch.text
    return {
        "kind": mismatch.kind.value,
        "message": mismatch.message,
        "claim": [claim + each for each in mismatch.hypothesis],
        "source": None if there is None else [source + each for each in there],
    }


def check(
    source: str | Sequence[SourceText],
    claims: str | Sequence[ClaimText],
    recognizer: str | Path | Recognizer = DEFAULT,
    *,
    best: int = BEST,
) -> CheckedClaims:
    """Check each sentence of the claims against the sources; see `check_claims`.

    Args:
        source: What is taken to be true: a text, or several (`ensue.claims.read_sources`).
        claims: What is checked: a text, or several (`ensue.claims.read_claims`).
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.
        best: Source sentences to try for each claim.

    Raises:
        ArgumentError: an argument is of another kind.
    """
    _check_arguments(source, claims, best)
    judge = recognizer_of(recognizer)
    found = check_claims(source, claims, judge, shared_reader(), best=best)
    return CheckedClaims(tuple(found), judge.signature)


def _check_arguments(
    source: str | Sequence[SourceText], claims: str | Sequence[ClaimText], best: int
) -> None:
    if not isinstance(source, str):
        check_list("source", source, SourceText, "a SourceText")
    if not isinstance(claims, str):
        check_list("claims", claims, ClaimText, "a ClaimText")
    if isinstance(best, bool) or not isinstance(best, int) or best < 1:
        raise ArgumentError.of("best", "a number from 1", best)


def check_claims(
    source: str | Sequence[SourceText],
    claims: str | Sequence[ClaimText],
    recognizer: Recognizer,
    reader: FeatureReader,
    *,
    best: int = BEST,
) -> list[CheckedClaim]:
    """Check each sentence of the claims against the sources.

    The source sentences that share most with a claim are tried one by one, and together with their
    neighbors where these may be needed to read them. A claim is supported where it stands in a
    source as a whole sentence, or where the recognizer says that it follows from one of these
    passages, or the passage tells the same event from its other side (sold to, bought by; not until
    1936, in 1936), and nothing in it differs from there: no number, unit, date, name, role,
    negation, modality or quantifier. A passage that meets more of the claim and says otherwise outweighs such a yes;
    so does a sentence that meets as much as the stretch it is a part of, whose other sentences may
    be about something else: "The age is 64. It was raised from 62."

    Args:
        source: What is taken to be true: a text, or several.
        claims: What is checked: a text, or several.
        recognizer: Judges claims against passages.
        reader: Finds sentences, and what differs.
        best: Source sentences to try for each claim.

    Raises:
        ArgumentError: source or claims are of another kind.
    """
    _check_arguments(source, claims, best)
    sources = [SourceText(source)] if isinstance(source, str) else source
    asked = [ClaimText(claims)] if isinstance(claims, str) else claims
    (found,) = check_documents([(sources, asked)], recognizer, reader, best=best)
    return found


ClaimRow = tuple[Sequence[SourceText], Sequence[ClaimText]]
"""Sources, and claims that are checked against these only."""


def check_documents(
    rows: Sequence[ClaimRow], recognizer: Recognizer, reader: FeatureReader, *, best: int = BEST
) -> list[list[CheckedClaim]]:
    """Check many rows, each with sources of its own, in one batch; see `check_claims`.

    Args:
        rows: Sources and claims of each.
        recognizer: Judges claims against passages.
        reader: Finds sentences, and what differs.
        best: Source sentences to try for each claim.
    """
    texts: list[SourceText | ClaimText] = [each for row in rows for some in row for each in some]
    documents = iter(read_documents([t.text for t in texts], reader, [t.file for t in texts]))
    wanted: list[list[_Wanted]] = []
    for sources, claims in rows:
        index = SourceIndex([next(documents) for _ in sources])
        asked = [next(documents) for _ in claims]
        wanted.append(list(_claims(claims, asked, index, best)))
    pairs = [
        Pair(f"{n}.{i}.{k}", each.text, claim.passage.text)
        for n, some in enumerate(wanted)
        for i, claim in enumerate(some)
        for k, each in enumerate(claim.candidates)
    ]
    verdicts = iter(recognizer.judge(pairs))
    compared = iter(reader.compare([(pair.text, pair.hypothesis) for pair in pairs]))
    return [
        [
            _checked(
                claim,
                [
                    _support(each, next(verdicts), next(compared), claim.copy)
                    for each in claim.candidates
                ],
            )
            for claim in some
        ]
        for some in wanted
    ]


def _support(
    tried: Passage, verdict: Verdict, compared: PairComparison, copy: Passage | None
) -> Support:
    if tried == copy:
        return Support(tried, verdict, (), 1.0, is_copy=True)
    events = EventComparison(compared)
    differing = tuple(find_mismatches(compared, events))
    borne_out = not differing and events.bears_out()
    coverage = 1.0 if borne_out else _coverage(compared, differing)
    return Support(tried, verdict, differing, coverage, is_borne_out=borne_out)


def _coverage(compared: PairComparison, differing: Sequence[Mismatch]) -> float:
    """The similarities of the claim's words to their partners; 1 for those that are said otherwise."""
    graph = compared.hypothesis.graph
    otherwise = [each.hypothesis for each in differing if each.text is not None]
    met = 0.0
    for node, similarity in enumerate(compared.similarities):
        start, end = graph.span(node)
        if any(first <= start and end <= last for first, last in otherwise):
            met += 1
        elif compared.is_supported(node):
            met += similarity
    return met / len(graph) if len(graph) else 0.0


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A claim before it is checked."""

    passage: Passage
    copy: Passage | None
    candidates: Sequence[Passage]
    id: str
    line: int | None


def _claims(
    asked: Sequence[ClaimText], documents: Sequence[Document], index: SourceIndex, best: int
) -> Iterator[_Wanted]:
    """The sentences of the claims; those that are one sentence of a source, as one."""
    number = 0
    for each, document in zip(asked, documents, strict=True):
        for first, last in _stretches(each, document, index):
            number += 1
            words = frozenset[str]().union(*document.words[first : last + 1])
            place = document.between(first, last)
            copy = index.copy(place.text)
            found = index.candidates(words, best, copy)
            yield _Wanted(place, copy, found, each.id or str(number), each.line)


def _stretches(
    asked: ClaimText, document: Document, index: SourceIndex
) -> Iterator[tuple[int, int]]:
    """The first and the last sentence of each claim."""
    n_sentences = len(document.passages)
    if asked.is_one and n_sentences:
        yield 0, n_sentences - 1
        return
    first = 0
    while first < n_sentences:
        last = first
        if not index.is_sentence(document.passages[first].text):
            furthest = min(first + _MOST_MERGED, n_sentences)
            merged = (
                k
                for k in range(first + 1, furthest)
                if index.is_sentence(document.between(first, k).text)
            )
            last = next(merged, first)
        yield first, last
        first = last + 1


def _checked(claim: _Wanted, support: Sequence[Support]) -> CheckedClaim:
    contrary = [each for each in support if each.is_contrary]
    standing = [each for each in support if _stands(each, contrary)]
    rest = [each for each in support if each not in standing]
    ordered = (*sorted(standing, key=_merit), *sorted(rest, key=_relevance))
    reason = _reason(ordered, is_supported=bool(standing))
    status = _status(ordered, is_supported=bool(standing))
    scores = [each.verdict.score for each in ordered if each.verdict.score is not None]
    probability = min(max(*scores, 0.0), 1.0) if scores else None
    return CheckedClaim(claim.passage, status, reason, ordered, claim.id, claim.line, probability)


def _status(ordered: Sequence[Support], *, is_supported: bool) -> ClaimStatus:
    """What the best passage makes of a claim."""
    if is_supported:
        return ClaimStatus.SUPPORTED
    is_denied = ordered and (
        ordered[0].is_contrary or ordered[0].verdict.label is Label.CONTRADICTION
    )
    return ClaimStatus.CONTRADICTED if is_denied else ClaimStatus.NOT_FOUND


def _reason(ordered: Sequence[Support], *, is_supported: bool) -> str:
    """What the best passage says of a claim, in words."""
    if not ordered:
        return "the source has no sentence"
    first = ordered[0]
    if is_supported:
        return f"{'stands in' if first.is_copy else 'follows from'} the source"
    if first.verdict.status is not Status.DECIDED:
        return first.verdict.reason or first.verdict.status.value
    if first.mismatches:
        kinds = dict.fromkeys(each.kind.value for each in first.mismatches)
        return f"differs from the source: {', '.join(kinds)}"
    return "does not follow from the source"


def _stands(support: Support, contrary: Sequence[Support]) -> bool:
    if support.is_copy:
        return True
    return support.holds and not any(each.outweighs(support) for each in contrary)


def _merit(support: Support) -> tuple[bool, float, int]:
    """What makes a passage the better support: that it is a copy, the score, and brevity."""
    return not support.is_copy, -_score(support), len(support.passage.text)


def _relevance(support: Support) -> tuple[bool, float, float, int]:
    """What tells more of a claim that is not supported: no yes, the coverage, then as above."""
    return support.holds, -round(support.coverage, 9), -_score(support), len(support.passage.text)


def _score(support: Support) -> float:
    return support.verdict.score if support.verdict.score is not None else -math.inf
