"""Word coverage of one side by the other: plain, weighted or by stem; function words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.surface.ngrams import covered_weight
from ensue.surface.stemmer import stems
from ensue.surface.tokenizers import Tokenizer, tokenize, tokenize_sides

# Words that say little by themselves, and so count less where they are matched or missed.

_DETERMINERS = """a an the this that these those each every either neither some any no all both half
    such what which whose my your his her its our their another other several many much more most
    few fewer less little own same"""
_PRONOUNS = """i me mine myself you yours yourself yourselves he him himself she hers herself it
    itself we us ours ourselves they them theirs themselves who whom one ones someone somebody
    something anyone anybody anything everyone everybody everything none nobody nothing there here"""
_PREPOSITIONS = """about above across after against along alongside amid among amongst around as at
    before behind below beneath beside besides between beyond by despite down during except for from
    in inside into like near of off on onto out outside over past per since than through throughout
    till to toward towards under until unto up upon via with within without"""
_CONJUNCTIONS = """and but or nor so yet if unless whether because although though while whereas
    when whenever where wherever why how once then thus also too"""
_AUXILIARIES = """am is are was were be been being have has had having do does did doing done will
    would shall should can could may might must ought need not n't 's 're 've 'll 'd 'm ca wo
    cannot"""
_ADVERBS = """very just only even still already again ever never now"""

FUNCTION_WORDS = frozenset(
    " ".join(
        (_DETERMINERS, _PRONOUNS, _PREPOSITIONS, _CONJUNCTIONS, _AUXILIARIES, _ADVERBS)
    ).split()
)
"""Closed classes of English, with the clitics that `prepared` cuts off, in lower case."""


def is_function_word(token: str) -> bool:
    """Whether a token in lower case is a function word or has neither letter nor digit.

    >>> [is_function_word(token) for token in ("the", "table", "...", "7")]
    [True, False, True, False]
    """
    return token in FUNCTION_WORDS or not any(map(str.isalnum, token))


# How much of one side's words the other side has, plain, weighted or by stem.

Weigher = Callable[[Sequence[str]], NDArray[np.float64]]
"""From words to their weights."""


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """For each pair, the weight of the test side's words and of those that the reference has."""

    covered: NDArray[np.float64]
    total: NDArray[np.float64]

    def shares(self) -> NDArray[np.float64]:
        """Covered over total; 0 where the test side has no words."""
        return np.divide(
            self.covered, self.total, out=np.zeros_like(self.covered), where=self.total > 0
        )


def word_coverage(
    test: Sequence[str],
    reference: Sequence[str],
    tokenizer: Tokenizer,
    *,
    lowercase: bool = True,
    stem: bool = False,
    weigh: Weigher | None = None,
) -> Coverage:
    """Measure how much of each test string's words its reference string has.

    Every occurrence in the test counts; how often the reference has the word does not matter.
    """
    tokens, of_test, of_reference = tokenize_sides(test, reference, tokenizer, lowercase=lowercase)
    if not stem and weigh is None:
        ones = np.ones(tokens.n_distinct)
        return Coverage(*covered_weight(tokens.ids, of_test, of_reference, ones))
    words, classes = _classes(tokens.vocabulary(), stem)
    weights = np.ones(len(words)) if weigh is None else weigh(words)
    return Coverage(*covered_weight(tokens.with_classes(classes), of_test, of_reference, weights))


@dataclass(frozen=True, slots=True, eq=False)
class InverseDocumentFrequency:
    """Weights of words: rare ones count more. Words never seen count as seen in no string.

    idf(w) = ln((1 + N) / (1 + number of strings with w)) + 1, for N strings.
    """

    n_strings: int
    words: tuple[str, ...]
    """The words seen, sorted."""
    counts: NDArray[np.int64]
    """In how many strings each was seen."""

    def __call__(self, words: Sequence[str]) -> NDArray[np.float64]:
        """The weight of each word."""
        known = dict(zip(self.words, self.counts.tolist(), strict=True))
        seen = np.array([known.get(word, 0) for word in words], float)
        return np.log((1 + self.n_strings) / (1 + seen)) + 1


def inverse_document_frequency(
    strings: Sequence[str], tokenizer: Tokenizer, *, lowercase: bool = True, stem: bool = False
) -> InverseDocumentFrequency:
    """Learn the weights of words, or of stems, from the strings they occur in."""
    tokens = tokenize(strings, tokenizer, lowercase=lowercase)
    words, classes = _classes(tokens.vocabulary(), stem)
    string_of = np.repeat(np.arange(len(strings)), tokens.lengths)
    seen = np.unique(np.stack([string_of, tokens.with_classes(classes)]), axis=1)
    counts = np.bincount(seen[1], minlength=len(words))
    order = sorted(range(len(words)), key=words.__getitem__)
    return InverseDocumentFrequency(
        len(strings), tuple(words[i] for i in order), counts[order].astype(np.int64)
    )


def counted_words(strings: Sequence[Iterable[str]]) -> InverseDocumentFrequency:
    """The weights of words from strings that are given as their distinct words.

    >>> counted_words([{"dog", "bark"}, {"dog"}]).counts.tolist()
    [1, 2]
    """
    counts = Counter(word for words in strings for word in words)
    known = sorted(counts)
    return InverseDocumentFrequency(
        len(strings), tuple(known), np.array([counts[word] for word in known], np.int64)
    )


def _classes(vocabulary: list[str], stem: bool) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct words or stems, and which of them each entry of the vocabulary is."""
    if not stem:
        return vocabulary, np.arange(len(vocabulary), dtype=np.int32)
    number: dict[str, int] = {}
    classes = [number.setdefault(each, len(number)) for each in stems(vocabulary)]
    return list(number), np.array(classes, np.int32)
