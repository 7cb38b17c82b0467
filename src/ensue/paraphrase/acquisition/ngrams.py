"""Paraphrases by n-gram contexts (Paşca & Dienes 2005): the words around a term.

Paşca & Dienes (2005), "Aligning Needles in a Haystack: Paraphrase Acquisition Across the Web":
fragments of sentences with the same words at both ends are aligned, and what is between them are
paraphrases of each other; a pair's score is the number of distinct contexts that it was found in.
Here that is done for given terms, which need no alignment of all with all: the contexts of the
terms are collected first, then whatever else stands in one of them.

Where it departs: they took a billion web pages, and ends long enough for those; `NgramSettings`
says what is taken here. Besides the plain number of shared contexts there are two measures that
weigh it against all contexts of the candidate, so that what is frequent does not win by that alone.

Counts are exact. Memory holds the contexts of the terms, the candidates and, for each of them, its
distinct contexts; where these become too many, candidates are counted in several parts, each with
more passes over the corpus, and only the best of a part are kept.

A phrase is a run of ids within a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.paraphrase.acquisition.methods import (
    AcquiredCandidates,
    Candidate,
    Corpus,
    Counts,
    Ids,
    NgramSettings,
    Numbers,
    Overlap,
    ScoredCandidates,
    best,
)
from ensue.paraphrase.words import content_words
from ensue.surface import (
    EMPTY,
    FREE,
    HASH_SEED,
    DistinctRows,
    KeySet,
    key_slot,
    key_table,
    mixed,
    pair_key,
    row_hash,
    row_slot,
)

# The contexts of terms: the words before and behind each occurrence, numbered.

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, slots=True, eq=False)
class TermContexts:
    """Where terms stand."""

    settings: NgramSettings
    lefts: PhraseTable
    rights: PhraseTable
    keys: Keys
    """A table of the distinct contexts: the numbers of the two sides of each."""
    numbers: Ids
    """The number of the context in each slot of the table."""
    offsets: Places
    """Where each context's terms begin in `terms`, with the end of the last."""
    terms: Counts
    """The terms of each context, context after context."""
    n_contexts: Counts
    """How many distinct ones each term has."""
    n_occurrences: Counts
    """How often each term occurs, in any place of a sentence."""

    def candidates(
        self, ids: Ids, kinds: NDArray[np.uint8], part: int, n_parts: int
    ) -> tuple[Places, Ids, Ids]:
        """What stands in these contexts in a block: beginning, length and context of each.

        Args:
            ids: The block.
            kinds: For each word 0 if it is punctuation, 1 if it says nothing by itself, 2 otherwise.
            part: Which part of the candidates is wanted.
            n_parts: Into how many parts they fall.
        """
        lefts = self.lefts.starting_at(ids, self.settings.left)
        rights = self.rights.starting_at(ids, self.settings.right)
        left, longest = self.settings.left, self.settings.longest
        return find_candidates(
            ids, lefts, rights, left, longest, kinds, self.keys, self.numbers, part, n_parts
        )

    def with_terms(self, contexts: Counts) -> tuple[Counts, Counts]:
        """Each of some contexts with each of its terms: the place of the one, and the other."""
        sizes = self.offsets[contexts + 1] - self.offsets[contexts]
        place = np.repeat(np.arange(sizes.size), sizes)
        within = np.arange(place.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return place, self.terms[self.offsets[contexts[place]] + within]


def term_contexts(corpus: Corpus, terms: PhraseTable, settings: NgramSettings) -> TermContexts:
    """Collect the distinct contexts of terms: one pass over the corpus."""
    lefts, rights, contexts, seen = PhraseTable(), PhraseTable(), PhraseTable(), KeySet()
    n_occurrences = np.zeros(len(terms), np.int64)
    for ids, found, starts, lengths in occurrences(corpus, terms):
        n_occurrences += np.bincount(found, minlength=len(terms))
        whole = with_contexts(ids, starts, lengths, settings.left, settings.right)
        found, starts, lengths = found[whole], starts[whole], lengths[whole]
        ends = starts + lengths
        left = lefts.numbers_at(ids, starts - settings.left, starts)
        right = rights.numbers_at(ids, ends, ends + settings.right)
        sides = np.stack([left, right], axis=1).ravel()
        context = contexts.numbers(np.arange(0, sides.size + 1, 2), sides)
        seen.add(packed(context, found))
    keys = packed(*contexts.values.reshape(-1, 2).T)
    of_context, terms_of = unpacked(seen.sorted())
    return TermContexts(
        settings,
        lefts,
        rights,
        *key_table(keys),
        np.searchsorted(of_context, np.arange(keys.size + 1)),
        terms_of,
        np.bincount(terms_of, minlength=len(terms)),
        n_occurrences,
    )


def occurrences(corpus: Corpus, phrases: PhraseTable) -> Iterator[tuple[Ids, Ids, Places, Ids]]:
    """Block by block its ids, and the number, the beginning and the length of each occurrence."""
    longest_from = phrases.longest_from(len(corpus.vocabulary))
    lengths = phrases.lengths
    for ids in corpus.blocks():
        found, starts = phrases.found(ids, longest_from)
        yield ids, found, starts, lengths[found]


def packed(high: Ids, low: Ids) -> Keys:
    """Two numbers in one."""
    return high.astype(np.uint64) << _HALF | low.astype(np.uint64)


def unpacked(keys: Keys) -> tuple[Counts, Counts]:
    """The two numbers of each key."""
    return (keys >> _HALF).astype(np.int64), (keys & _LOW).astype(np.int64)


# Paraphrases by n-gram contexts: what stands between the same words as a term.

LIMIT = 1 << 24
"""Distinct pairs of a candidate and a context in memory: some hundred megabytes."""
_MOST_PARTS = 1 << 12
"""More passes than that are not made, whatever the memory."""

Kinds = NDArray[np.uint8]


class _TooMany(Exception):
    """There are more pairs of candidate and context than memory is meant to hold."""


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """Pairs of a candidate and a term that share enough contexts."""

    candidates: PhraseTable
    """The distinct ones."""
    numbers: Counts
    """For each pair that of its candidate."""
    terms: Counts
    n_shared: Counts


def learn_by_ngrams(
    corpus: Corpus,
    terms: Sequence[str],
    settings: NgramSettings,
    *,
    most: int,
    least: int,
    limit: int = LIMIT,
) -> AcquiredCandidates:
    """The best paraphrases of each term.

    Args:
        corpus: Is gone through three times, or more often where it has too much.
        terms: Words or phrases, in any case.
        settings: What counts as a context, and as a paraphrase.
        most: Paraphrases of a term, at most.
        least: Distinct contexts that a paraphrase has to share with its term.
        limit: Distinct pairs of a candidate and a context in memory; it changes no result.
    """
    phrases = PhraseTable()
    numbers = [phrases.add(corpus.vocabulary.ids([term])[0]) for term in terms]
    contexts = term_contexts(corpus, phrases, settings)
    learner = _Learner(corpus, phrases, contexts, most, least, limit)
    lists = learner.learned()
    return AcquiredCandidates(
        [lists[number] for number in numbers],
        [int(contexts.n_occurrences[number]) for number in numbers],
        corpus.n_sentences,
        corpus.n_tokens,
    )


def word_kinds(words: Sequence[str]) -> Kinds:
    """For each word 0 if it is punctuation, 1 if it says nothing by itself, 2 otherwise.

    >>> word_kinds([",", "the", "killed", "didn't", "so-called"]).tolist()
    [0, 1, 2, 1, 2]
    """
    kinds = [2 if content_words(word) else any(map(str.isalnum, word)) for word in words]
    return np.array(kinds, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Learner:
    """Counts the candidates of all terms, a part of them at a time."""

    corpus: Corpus
    terms: PhraseTable
    contexts: TermContexts
    most: int
    least: int
    limit: int

    def learned(self) -> list[list[Candidate]]:
        """The best of each term, from as few parts as memory allows."""
        n_parts = 1
        while True:
            try:
                return self._from_parts(n_parts)
            except _TooMany:
                n_parts *= 2

    def _from_parts(self, n_parts: int) -> list[list[Candidate]]:
        """The best of each term.

        Raises:
            _TooMany: a part is too large.
        """
        words = self.corpus.vocabulary.words()
        kinds = word_kinds(words)
        lists: list[list[Candidate]] = [[] for _ in range(len(self.terms))]
        for part in range(n_parts):
            shared = self._shared(kinds, part, n_parts)
            for term, found in enumerate(self._best(shared, words, n_parts)):
                lists[term] = best([*lists[term], *found], self.most)
        return lists

    def _shared(self, kinds: Kinds, part: int, n_parts: int) -> _Shared:
        """Which candidates of a part share enough contexts with a term: one pass."""
        candidates, pairs = PhraseTable(), KeySet()
        for ids in self.corpus.blocks():
            starts, lengths, context = self.contexts.candidates(ids, kinds, part, n_parts)
            numbers = candidates.numbers_at(ids, starts, starts + lengths)
            pairs.add(packed(numbers, context))
            self._check(pairs, n_parts)
        return self._joined(candidates, *unpacked(pairs.sorted()))

    def _check(self, pairs: KeySet, n_parts: int) -> None:
        if len(pairs) > self.limit and n_parts < _MOST_PARTS:
            raise _TooMany

    def _joined(self, candidates: PhraseTable, numbers: Counts, contexts: Counts) -> _Shared:
        """Count for candidates and terms the contexts of both; those with few are dropped."""
        own = self._own_numbers(candidates)
        enough = np.bincount(numbers, minlength=len(candidates)) >= self.least
        kept = enough[numbers]
        numbers, contexts = numbers[kept], contexts[kept]
        place, terms = self.contexts.with_terms(contexts)
        pairs, n_shared = np.unique(numbers[place] * len(own) + terms, return_counts=True)
        numbers, terms = np.divmod(pairs, len(own))
        kept = (n_shared >= self.least) & (own[terms] != numbers)
        distinct, numbers = np.unique(numbers[kept], return_inverse=True)
        return _Shared(candidates.chosen(distinct), numbers, terms[kept], n_shared[kept])

    def _own_numbers(self, candidates: PhraseTable) -> Counts:
        """For each term its number among the candidates: it is no paraphrase of itself."""
        phrases = [np.array(self.terms.phrase(i), np.int32) for i in range(len(self.terms))]
        return np.array([candidates.add(phrase) for phrase in phrases], np.int64)

    def _best(
        self, shared: _Shared, words: Sequence[str], n_parts: int
    ) -> Iterator[list[Candidate]]:
        """The best of a part for each term."""
        n_occurrences, n_contexts = self._counted(shared.candidates, n_parts)
        scores = _overlaps(
            self.contexts.settings.overlap,
            shared.n_shared,
            self.contexts.n_contexts[shared.terms],
            n_contexts[shared.numbers],
        )

        def spelled(number: int) -> str:
            return " ".join(words[id] for id in shared.candidates.phrase(number))

        for term in range(len(self.terms)):
            of_term = np.flatnonzero(shared.terms == term)
            numbers = shared.numbers[of_term]
            scored = ScoredCandidates(
                numbers, scores[of_term], shared.n_shared[of_term], n_occurrences[numbers]
            )
            yield scored.best(self.most, spelled)

    def _counted(self, phrases: PhraseTable, n_parts: int) -> tuple[Counts, Counts]:
        """How often each phrase occurs, and in how many distinct contexts: one pass.

        The contexts, which the plain overlap does not ask for, are told apart by hashes of 64 bits:
        of n in memory n²/2^65 are lost, at n = 2^24 one in a hundred thousand runs.
        """
        n_occurrences = np.zeros(len(phrases), np.int64)
        n_contexts = np.zeros(len(phrases), np.int64)
        settings, seen = self.contexts.settings, KeySet()
        for ids, found, starts, lengths in occurrences(self.corpus, phrases):
            n_occurrences += np.bincount(found, minlength=len(phrases))
            if settings.overlap is Overlap.SHARED:
                continue
            whole = with_contexts(ids, starts, lengths, settings.left, settings.right)
            found, starts, lengths = found[whole], starts[whole], lengths[whole]
            keys = context_keys(ids, found, starts, lengths, settings.left, settings.right)
            n_contexts += np.bincount(found[seen.add(keys)], minlength=len(phrases))
            self._check(seen, n_parts)
        return n_occurrences, n_contexts


def _overlaps(overlap: Overlap, shared: Counts, of_term: Counts, of_candidate: Counts) -> Numbers:
    if overlap is Overlap.JACCARD:
        return shared / (of_term + of_candidate - shared)
    if overlap is Overlap.COSINE:
        mean: Numbers = np.sqrt(of_term * of_candidate)
        return shared / mean
    return shared.astype(np.float64)


# Compiled inner loops of learning: phrases in tables, their occurrences, and what shares
# contexts.

Places = NDArray[np.int64]
Keys = NDArray[np.uint64]


@compiled
def phrases_from(
    ids: Ids, width: int, slots: Ids, hashes: Keys, offsets: Places, store: Ids
) -> Ids:
    """For each place the number of the known phrase of `width` ids that begins there, or `EMPTY`."""
    numbers = np.full(ids.size, EMPTY, np.int32)
    run = 0
    for end in range(ids.size):
        run = 0 if ids[end] < 0 else run + 1
        if run >= width:
            start = end - width + 1
            key = row_hash(ids, start, end + 1)
            slot = row_slot(key, ids, start, end + 1, slots, hashes, offsets, store)
            numbers[start] = slots[slot]
    return numbers


@compiled
def find_phrases(
    ids: Ids,
    longest_from: Ids,
    slots: Ids,
    hashes: Keys,
    offsets: Places,
    store: Ids,
) -> tuple[Ids, Places]:
    """All occurrences of the known phrases, overlapping ones too.

    Args:
        ids: A block.
        longest_from: For each word the length of the longest phrase that begins with it.
        slots: Of the table, as are the rest.
        hashes: Of each phrase.
        offsets: Where each begins in the store.
        store: The ids of the phrases.

    Returns:
        The number of each, and where it begins.
    """
    numbers = np.empty(1024, np.int32)
    starts = np.empty(1024, np.int64)
    n_found = 0
    for start in range(ids.size):
        longest = longest_from[ids[start]] if ids[start] >= 0 else 0
        key = HASH_SEED
        for length in range(1, longest + 1):
            id = ids[start + length - 1]
            if id < 0:
                break
            key = mixed(key, np.uint64(id))
            slot = row_slot(key, ids, start, start + length, slots, hashes, offsets, store)
            if slots[slot] != EMPTY:
                if n_found == starts.size:
                    numbers = np.concatenate((numbers, np.empty_like(numbers)))
                    starts = np.concatenate((starts, np.empty_like(starts)))
                numbers[n_found] = slots[slot]
                starts[n_found] = start
                n_found += 1
    return numbers[:n_found], starts[:n_found]


@compiled
def with_contexts(
    ids: Ids, starts: Places, lengths: Ids, left: int, right: int
) -> NDArray[np.bool_]:
    """Whether `left` ids before a phrase and `right` ids behind it are in its sentence."""
    found = np.ones(starts.size, np.bool_)
    for i in range(starts.size):
        start, end = starts[i], starts[i] + lengths[i]
        for k in range(start - 1, start - 1 - left, -1):
            if ids[k] < 0:  # each block begins and ends with one of these: never out of bounds
                found[i] = False
                break
        for k in range(end, end + right):
            if not found[i] or ids[k] < 0:
                found[i] = False
                break
    return found


@compiled
def context_keys(
    ids: Ids, numbers: Ids, starts: Places, lengths: Ids, left: int, right: int
) -> Keys:
    """A hash of each phrase's number with the words around it; never `FREE`."""
    keys = np.empty(starts.size, np.uint64)
    for i in range(starts.size):
        key = mixed(HASH_SEED, np.uint64(numbers[i]))
        for k in range(starts[i] - left, starts[i]):
            key = mixed(key, np.uint64(ids[k]))
        for k in range(starts[i] + lengths[i], starts[i] + lengths[i] + right):
            key = mixed(key, np.uint64(ids[k]))
        keys[i] = min(key, FREE - np.uint64(1))
    return keys


@compiled
def find_candidates(
    ids: Ids,
    lefts: Ids,
    rights: Ids,
    left: int,
    longest: int,
    kinds: NDArray[np.uint8],
    contexts: Keys,
    numbers: Ids,
    part: int,
    n_parts: int,
) -> tuple[Places, Ids, Ids]:
    """What stands in known contexts: words of which one at least says something.

    Args:
        ids: A block.
        lefts: For each place the number of the left side that begins there.
        rights: For each place the number of the right side that begins there.
        left: Words of a left side.
        longest: Words of a candidate, at most.
        kinds: For each word 0 if it is punctuation, 1 if it says nothing by itself, 2 otherwise.
        contexts: A table of the contexts: the numbers of the two sides, in one.
        numbers: That of the context in each slot of the table.
        part: Which part of the candidates is wanted.
        n_parts: Into how many parts they fall, by their hashes.

    Returns:
        Where each occurrence begins, how long it is, and the number of its context.
    """
    starts = np.empty(1024, np.int64)
    lengths = np.empty(1024, np.int32)
    found = np.empty(1024, np.int32)
    n_found = 0
    for start in range(left, ids.size):
        if lefts[start - left] == EMPTY:
            continue
        hashed = HASH_SEED
        has_content = False
        for length in range(1, longest + 1):
            id = ids[start + length - 1]
            if id < 0 or kinds[id] == 0:
                break
            hashed = mixed(hashed, np.uint64(id))
            has_content = has_content or kinds[id] == 2
            if not has_content or rights[start + length] == EMPTY:
                continue
            if n_parts > 1 and (hashed >> np.uint64(40)) % np.uint64(n_parts) != np.uint64(part):
                continue
            key = pair_key(lefts[start - left], rights[start + length])
            slot = key_slot(contexts, key, contexts.size - 1)
            if contexts[slot] == FREE:
                continue
            if n_found == starts.size:
                starts = np.concatenate((starts, np.empty_like(starts)))
                lengths = np.concatenate((lengths, np.empty_like(lengths)))
                found = np.concatenate((found, np.empty_like(found)))
            starts[n_found] = start
            lengths[n_found] = length
            found[n_found] = numbers[slot]
            n_found += 1
    return starts[:n_found], lengths[:n_found], found[:n_found]


# A growing table of phrases, around the compiled loops.


class PhraseTable(DistinctRows):
    """Phrases of ids, numbered in the order in which they first came."""

    @property
    def lengths(self) -> Ids:
        """How many ids each phrase has."""
        return np.diff(self.offsets).astype(np.int32)

    def phrase(self, number: int) -> list[int]:
        """The ids of a phrase."""
        ids: list[int] = self._store[self._offsets[number] : self._offsets[number + 1]].tolist()
        return ids

    def add(self, phrase: Ids) -> int:
        """The number of one phrase, which is now in the table."""
        return int(self.numbers(np.array([0, phrase.size]), phrase)[0])

    def chosen(self, which: NDArray[np.int64]) -> PhraseTable:
        """A table of some of the phrases, in that order."""
        table = PhraseTable()
        table.numbers_at(self._store, self._offsets[which], self._offsets[which + 1])
        return table

    def starting_at(self, ids: Ids, width: int) -> Ids:
        """For each place the number of the known phrase of so many ids there, or `EMPTY`."""
        return phrases_from(ids, width, *self.arrays)

    def longest_from(self, n_words: int) -> Ids:
        """For each word the length of the longest phrase that begins with it, 0 where none does."""
        longest = np.zeros(n_words, np.int32)
        first = self._store[self._offsets[: self.n_rows]]
        np.maximum.at(longest, first, self.lengths)
        return longest

    def found(self, ids: Ids, longest_from: Ids) -> tuple[Ids, Places]:
        """The numbers and the beginnings of all phrases that occur in a block."""
        return find_phrases(ids, longest_from, *self.arrays)
