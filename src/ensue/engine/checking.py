"""Check claims against a document: what supports each, what speaks against it, and the verdict."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ensue.features import Mismatch, mismatches
from ensue.features.reading import FeatureReader
from ensue.language.analysis import Sentence, sentence_spans
from ensue.pairs import Label, Pair, Status, Verdict
from ensue.recognizers import Recognizer

BEST = 3
"""Source sentences that are shown, and tried, for each claim."""

_IDLE = frozenset(("PUNCT", "SPACE", "SYM", "DET", "ADP", "AUX", "CCONJ", "PART", "SCONJ"))


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document."""

    start: int
    """The first character."""
    end: int
    """The one after the last."""
    text: str


@dataclass(frozen=True, slots=True)
class Support:
    """A passage of the source and what a recognizer says of a claim against it."""

    passage: Passage
    verdict: Verdict
    mismatches: tuple[Mismatch, ...]
    """With places in the claim, and in the passage."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim, its verdict, and the passages that support it best, the best first."""

    claim: Passage
    supported: bool
    reason: str
    support: tuple[Support, ...]

    def to_json(self) -> dict[str, Any]:
        """The claim in values that JSON can hold; all places are those of the two files."""
        at = self.claim.start
        return {
            "claim": self.claim.text,
            "start": self.claim.start,
            "end": self.claim.end,
            "supported": self.supported,
            "reason": self.reason,
            "support": [
                {
                    "source": each.passage.text,
                    "start": each.passage.start,
                    "end": each.passage.end,
                    "label": each.verdict.label.value if each.verdict.label else None,
                    "score": each.verdict.score,
                    "confidence": each.verdict.confidence,
                    "mismatches": [
                        _mismatch_to_json(mismatch, at, each.passage.start)
                        for mismatch in each.mismatches
                    ],
                }
                for each in self.support
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


def sentences_of(document: str, sentence: Sentence) -> list[Passage]:
    """The sentences of an analyzed document."""
    return [
        Passage(start, end, document[start:end])
        for start, end in sentence_spans(sentence)
        if any(map(str.isalnum, document[start:end]))
    ]


def check_claims(
    source: str,
    claims: str,
    recognizer: Recognizer,
    reader: FeatureReader,
    *,
    best: int = BEST,
) -> list[CheckedClaim]:
    """Check each sentence of the claims against the source.

    The source sentences that share most with a claim are tried one by one and, where they are
    several, together. A claim is supported where the recognizer says that it follows from one of
    these and nothing in it differs from there: no number, unit, date, name, negation, modality or
    quantifier.
    """
    analyzed = reader.analyze([source, claims])
    passages = sentences_of(source, analyzed[0])
    wanted = sentences_of(claims, analyzed[1])
    sentences = reader.analyze([each.text for each in (*passages, *wanted)])
    ranking = _Ranking([_words(each) for each in sentences[: len(passages)]])
    candidates = [
        _candidates(source, passages, ranking.best(_words(words), best))
        for words in sentences[len(passages) :]
    ]
    pairs = [
        Pair(f"{i}.{k}", passage.text, claim.text)
        for i, (claim, tried) in enumerate(zip(wanted, candidates, strict=True))
        for k, passage in enumerate(tried)
    ]
    verdicts = iter(recognizer.judge(pairs))
    compared = iter(reader.compare([(pair.text, pair.hypothesis) for pair in pairs]))
    return [
        _checked(
            claim,
            [Support(each, next(verdicts), tuple(mismatches(next(compared)))) for each in tried],
        )
        for claim, tried in zip(wanted, candidates, strict=True)
    ]


def _checked(claim: Passage, support: Sequence[Support]) -> CheckedClaim:
    ordered = tuple(sorted(support, key=_merit))
    if not ordered:
        return CheckedClaim(claim, False, "the source has no sentence", ())
    first = ordered[0]
    if first.verdict.status is not Status.DECIDED:
        reason = first.verdict.reason or first.verdict.status.value
    elif first.verdict.label is not Label.ENTAILMENT:
        reason = "does not follow from the source"
    elif first.mismatches:
        kinds = dict.fromkeys(each.kind.value for each in first.mismatches)
        reason = f"differs from the source: {', '.join(kinds)}"
    else:
        return CheckedClaim(claim, True, "follows from the source", ordered)
    return CheckedClaim(claim, False, reason, ordered)


def _merit(support: Support) -> tuple[bool, int, float, int]:
    """What makes a passage the better support: a yes without mismatches, few mismatches, the score."""
    yes = support.verdict.label is Label.ENTAILMENT and not support.mismatches
    score = support.verdict.score if support.verdict.score is not None else -math.inf
    return not yes, len(support.mismatches), -score, support.passage.end - support.passage.start


def _candidates(source: str, passages: Sequence[Passage], best: Sequence[int]) -> list[Passage]:
    """The best sentences, and together the two best as they stand if they are neighbors or near."""
    found = [passages[number] for number in best]
    if len(best) > 1:
        first, last = sorted(best[:2])
        if last - first <= 2:
            start, end = passages[first].start, passages[last].end
            found.append(Passage(start, end, source[start:end]))
    return found


def _words(sentence: Sentence) -> list[str]:
    return [
        lemma.lower()
        for lemma, part in zip(sentence.lemmas, sentence.parts, strict=True)
        if part not in _IDLE
    ]


class _Ranking:
    """Sentences by how many of a claim's words they have, rare words before common ones."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._documents = [frozenset(words) for words in documents]
        counts: Mapping[str, int] = Counter(word for words in self._documents for word in words)
        self._weights = {
            word: math.log(1 + len(documents) / count) for word, count in counts.items()
        }

    def best(self, words: Sequence[str], n: int) -> list[int]:
        """The numbers of the sentences that share most with these words."""
        asked = sorted(set(words))
        merits = [
            -sum(self._weights[word] for word in asked if word in known)
            for known in self._documents
        ]
        order = sorted(range(len(merits)), key=lambda i: (merits[i], i))
        return order[:n]
