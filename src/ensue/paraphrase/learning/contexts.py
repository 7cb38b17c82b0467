"""The contexts of terms: the words before and behind each occurrence, numbered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.paraphrase.learning.corpus import Corpus, Ids
from ensue.paraphrase.learning.kernels import Keys, Places, find_candidates, with_contexts
from ensue.paraphrase.learning.ranking import Counts
from ensue.paraphrase.learning.settings import NgramSettings
from ensue.paraphrase.learning.tables import KeySet, PhraseTable, slots_of

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, slots=True, eq=False)
class TermContexts:
    """Where terms stand."""

    settings: NgramSettings
    lefts: PhraseTable
    rights: PhraseTable
    keys: Keys
    """Of each distinct context: the numbers of its two sides."""
    slots: Ids
    """A hash table of the keys."""
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
            ids, lefts, rights, left, longest, kinds, self.slots, self.keys, part, n_parts
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
        left = lefts.numbers(ids, starts - settings.left, np.full_like(found, settings.left))
        right = rights.numbers(ids, starts + lengths, np.full_like(found, settings.right))
        sides = np.stack([left, right], axis=1).ravel()
        two = np.full_like(found, 2)
        context = contexts.numbers(sides, np.arange(0, sides.size, 2), two)
        seen.add(packed(context, found) + np.uint64(1))
    keys = packed(*contexts.ids.reshape(-1, 2).T)
    of_context, terms_of = unpacked(seen.sorted() - np.uint64(1))
    return TermContexts(
        settings,
        lefts,
        rights,
        keys,
        slots_of(keys),
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
