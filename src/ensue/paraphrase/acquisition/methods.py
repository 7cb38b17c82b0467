"""Acquisition of paraphrases from plain text: methods, settings, ranked candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UnknownNameError
from ensue.files import shown_name
from ensue.pairs import Finding, Severity
from ensue.paraphrase.acquisition.corpus import BLOCK, Progress, spooled, text_blocks
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.words import normalized, words_of

if TYPE_CHECKING:
    from ensue.language import TextAnalyzer

# What counts as a context, and as a paraphrase, in each method.


class AcquisitionMethod(StrEnum):
    """How paraphrases are learned."""

    NGRAMS = "ngrams"
    """By the words around them: Paşca & Dienes (2005)."""
    NOUN_PHRASES = "noun-phrases"
    """By the noun phrases around them: Bhagat & Ravichandran (2008)."""

    @property
    def short(self) -> str:
        """The name of its lists: `pd` or `br`, as Shima & Mitamura (2011) call them."""
        return "pd" if self is AcquisitionMethod.NGRAMS else "br"


class Overlap(StrEnum):
    """How the contexts of a term and of a candidate are compared."""

    SHARED = "shared"
    """The number of contexts that both have, as Paşca & Dienes (2005) have it."""
    JACCARD = "jaccard"
    """The shared ones over those that either has."""
    COSINE = "cosine"
    """The shared ones over the geometric mean of the two numbers."""


@dataclass(frozen=True, slots=True)
class NgramSettings:
    """Of the n-gram method."""

    left: int = 2
    """Words before; a context has all of them within its sentence, punctuation counts as words."""
    right: int = 2
    """Words behind."""
    longest: int = 4
    """Words of a paraphrase, at most."""
    overlap: Overlap = Overlap.SHARED

    def __post_init__(self) -> None:
        for name in ("left", "right", "longest"):
            _check_length(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class NounPhraseSettings:
    """Of the noun-phrase method."""

    longest: int = 4
    """Words of a paraphrase, at most."""
    whole: bool = False
    """Whether a noun phrase counts as a whole; else its head stands for it."""

    def __post_init__(self) -> None:
        _check_length("longest", self.longest)


def _check_length(name: str, n_words: int) -> None:
    if n_words < 1:
        raise SettingError(
            "not-in-range", f"{name} is {n_words!r}", hint="it is a number of words, 1 or more"
        )


# From scores to short ranked lists, the same for all methods.

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paraphrase that was learned for a term."""

    paraphrase: str
    confidence: float
    """The score by which it is ranked; larger is surer."""
    n_contexts: int
    """How many distinct contexts it shares with the term."""
    n_occurrences: int
    """How often it was seen at all."""

    @property
    def order(self) -> tuple[float, int, int, str]:
        """Smaller is better: score, shared contexts, then the rarer one, then the words.

        Of two paraphrases that share as many contexts with a term, the rarer one stands less often
        where the term does not.
        """
        return -self.confidence, -self.n_contexts, self.n_occurrences, self.paraphrase


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCandidates:
    """Candidates of one term in arrays."""

    numbers: Counts
    scores: Numbers
    n_contexts: Counts
    n_occurrences: Counts

    def best(self, most: int, words: Callable[[int], str]) -> list[Candidate]:
        """The best, in their order.

        Args:
            most: How many at most.
            words: The words of the candidate of a number; asked for those near the top only.
        """
        order = np.lexsort((self.n_occurrences, -self.n_contexts, -self.scores))
        if order.size > most:
            last = order[most - 1]
            tied = (
                (self.scores[order] == self.scores[last])
                & (self.n_contexts[order] == self.n_contexts[last])
                & (self.n_occurrences[order] == self.n_occurrences[last])
            )
            order = order[: max(most, int(np.flatnonzero(tied)[-1]) + 1)]
        found = (
            Candidate(
                words(int(self.numbers[i])),
                float(self.scores[i]),
                int(self.n_contexts[i]),
                int(self.n_occurrences[i]),
            )
            for i in order
        )
        return best(found, most)


def best(found: Iterable[Candidate], most: int) -> list[Candidate]:
    """The best of paraphrases, in their order."""
    return sorted(found, key=lambda each: each.order)[:most]


@dataclass(frozen=True, slots=True)
class AcquiredCandidates:
    """What a method found for terms, in their order."""

    lists: list[list[Candidate]]
    n_term_occurrences: list[int]
    n_sentences: int
    n_tokens: int


# Paraphrases of given terms, learned from plain text: the way in.

MOST = 10
"""Paraphrases of a term, as many as the published lists have."""
LEAST = {AcquisitionMethod.NGRAMS: 2, AcquisitionMethod.NOUN_PHRASES: 4}
"""Contexts that a paraphrase shares with its term: one may be chance. Where phrases stand between
the same two noun phrases once, they share two of these at once."""


@dataclass(frozen=True, slots=True, eq=False)
class AcquiredLists:
    """Ranked lists and what they were learned from."""

    lists: RankedLists
    """One for each term, empty where nothing was found; with the columns `confidence`, `n_contexts`
    (how many the paraphrase shares with its term) and `n_occurrences` (of the paraphrase)."""
    findings: tuple[Finding, ...]
    """Terms that the corpus lacks, or gives no paraphrase of."""
    n_sentences: int
    n_tokens: int
    n_term_occurrences: tuple[int, ...]
    """Of each term."""


def learn(
    paths: Sequence[str | Path],
    terms: Iterable[str],
    *,
    method: AcquisitionMethod | str = AcquisitionMethod.NGRAMS,
    ngrams: NgramSettings | None = None,
    noun_phrases: NounPhraseSettings | None = None,
    most: int = MOST,
    least: int | None = None,
    encoding: str | None = None,
    analyzer: TextAnalyzer | None = None,
    progress: Progress | None = None,
    block: int = BLOCK,
) -> AcquiredLists:
    """Learn paraphrases of terms from plain text.

    Args:
        paths: Plain text, also gzip; `-` for standard input. Contexts do not go across line ends.
        terms: Words or phrases; case does not matter. Equal ones count once.
        method: `ngrams` or `noun-phrases`.
        ngrams: Settings of the one.
        noun_phrases: Settings of the other.
        most: Paraphrases of a term, at most.
        least: Distinct contexts that a paraphrase has to share with its term; for noun phrases, on
            either side, and as many times it has to occur. `LEAST` of the method where it is None.
        encoding: Of all files; what their byte-order marks say, else UTF-8, where it is None.
        analyzer: Finds the noun phrases; the installed one, without a cache, where it is None.
        progress: Is told how many more lines were read.
        block: Characters or tokens that are worked on at once; it changes no result.

    Raises:
        DataError: a file cannot be read, or a line of it is not in its encoding.
        SettingError: there is no term, one without a word, or a number makes no sense.
        OutputError: what is kept of the corpus does not fit on the disk.
    """
    chosen = _known_method(method)
    distinct = _distinct(terms)
    least = LEAST[chosen] if least is None else least
    _check_limits(most, least)
    if chosen is AcquisitionMethod.NGRAMS:
        from ensue.paraphrase.acquisition.ngrams import learn_by_ngrams

        with spooled(paths, encoding=encoding, block=block, progress=progress) as corpus:
            outcome = learn_by_ngrams(
                corpus, distinct, ngrams or NgramSettings(), most=most, least=least
            )
    else:
        from ensue.paraphrase.acquisition.noun_phrases import learn_by_noun_phrases

        outcome = learn_by_noun_phrases(
            text_blocks(paths, encoding=encoding, block=block, progress=progress),
            distinct,
            noun_phrases or NounPhraseSettings(),
            most=most,
            least=least,
            analyzer=analyzer,
        )
    return _learned(distinct, chosen, outcome, ", ".join(map(shown_name, paths)))


def _known_method(method: str) -> AcquisitionMethod:
    try:
        return AcquisitionMethod(method)
    except ValueError:
        raise UnknownNameError.of(
            "method", method, [each.value for each in AcquisitionMethod]
        ) from None


def _distinct(terms: Iterable[str]) -> list[str]:
    """The terms as they are given, those that differ in case or blanks alone once."""
    spelled: dict[str, str] = {}
    for term in terms:
        spelled.setdefault(normalized(term), term)
    distinct = list(spelled.values())
    if not distinct:
        raise SettingError(
            "no-term-learn-paraphrases",
            "there is no term to learn paraphrases of",
            hint="e.g. killed",
        )
    for term in distinct:
        if not words_of(term):
            raise SettingError("term-no-word", f"the term {term!r} has no word")
    return distinct


def _check_limits(most: int, least: int) -> None:
    for name, n in (("most", most), ("least", least)):
        if n < 1:
            raise SettingError("not-in-range", f"{name} is {n!r}", hint="it is 1 or more")


def _learned(
    terms: Sequence[str], method: AcquisitionMethod, outcome: AcquiredCandidates, name: str
) -> AcquiredLists:
    keys = [ListKey(term, method.short) for term in terms]
    found = [each for some in outcome.lists for each in some]
    lists = RankedLists.of(
        {
            key: [each.paraphrase for each in some]
            for key, some in zip(keys, outcome.lists, strict=True)
        },
        name=name,
        columns={
            "confidence": np.array([each.confidence for each in found], np.float64),
            "n_contexts": np.array([each.n_contexts for each in found], np.float64),
            "n_occurrences": np.array([each.n_occurrences for each in found], np.float64),
        },
    )
    counts = tuple(outcome.n_term_occurrences)
    findings = tuple(_findings(terms, counts, outcome.lists))
    return AcquiredLists(lists, findings, outcome.n_sentences, outcome.n_tokens, counts)


def _findings(
    terms: Sequence[str], counts: Sequence[int], lists: Sequence[Sequence[Candidate]]
) -> Iterator[Finding]:
    for term, n_occurrences, found in zip(terms, counts, lists, strict=True):
        details = {"term": term, "n_occurrences": n_occurrences}
        if not n_occurrences:
            message = f"the corpus has no {term!r}"
            yield Finding("term-not-there", Severity.WARNING, message, details=details)
        elif not found:
            message = f"{term!r} occurs {n_occurrences} times, but no paraphrase of it was found"
            yield Finding("no-paraphrase", Severity.WARNING, message, details=details)
