"""How much the n-grams of a set's references tell: the weights of NIST."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.kernels.match import count_ngrams, rehash, slot_of
from ensue.surface.tokenizers import Tokenizer
from ensue.surface.tokens import Tokens, tokenize

HIGHEST_ORDER = 10
_BATCH = 1024
_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)

_Number = TypeVar("_Number", np.int32, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Information:
    """The information of every n-gram of a set's references (Doddington 2002, equation 2).

    info(w1…wn) = log2(count(w1…wn-1) / count(w1…wn)), where for n = 1 the count of nothing is the
    number of all words. Counts are over all references of all segments; an n-gram at the end of a
    reference counts as one that could have gone on.
    """

    order: int
    """The longest n-gram."""
    tokenizer: Tokenizer
    lowercase: bool
    n_words: int
    """How many words the references have."""
    _words: dict[bytes, int]
    """The number of each word, in UTF-8, among the n-grams."""
    _table: NDArray[np.uint64]
    """The n-grams of two words and more, as the kernel looks them up."""
    _weights: NDArray[np.float64]
    """The information of each n-gram; the first is the empty one."""

    @property
    def n_ngrams(self) -> int:
        """How many different n-grams of all orders there are."""
        return len(self._weights) - 1

    def for_kernel(
        self, tokens: Tokens
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]:
        """The n-gram that each token is (-1 for none), the longer ones, and the weights of all."""
        number = self._words.get
        words = [number(word, -1) for word in tokens.encoded_vocabulary()]
        return np.array(words, np.int64), self._table, self._weights

    def of(self, *words: str) -> float:
        """The information of one n-gram, in bits.

        Raises:
            SettingError: the references do not have it.
        """
        numbers = [self._words.get(word.encode("utf-8", "surrogatepass"), -1) for word in words]
        ngram = numbers[0]
        for number in numbers[1:]:
            if min(ngram, number) < 0:
                break
            slot = slot_of(self._table, ngram, number)
            taken = self._table[slot, 0] != _FREE
            ngram = int(self._table[slot, 1]) if taken else -1
        if min(ngram, *numbers) < 0:
            raise SettingError(f"the references have no {' '.join(words)!r}")
        return float(self._weights[ngram])


def count_information(
    references: Iterable[str],
    tokenizer: Tokenizer,
    *,
    order: int = HIGHEST_ORDER,
    lowercase: bool = True,
) -> Information:
    """Learn how much n-grams tell from all references of a set.

    Args:
        references: Those of all segments, each once, however many systems there are. They are read
            as they come; what is kept grows with their different n-grams.
        tokenizer: How they are cut.
        order: The longest n-gram, up to 10.
        lowercase: Whether capitals count as small letters.

    Raises:
        SettingError: the order is out of range.
    """
    if not 1 <= order <= HIGHEST_ORDER:
        raise SettingError(
            f"n-grams of order {order!r} have no information",
            hint=f"an order from 1 to {HIGHEST_ORDER}",
        )
    counter = _Counter(order)
    for batch in _batches(references):
        counter.add(tokenize(batch, tokenizer, lowercase=lowercase))
    n = counter.n_ngrams
    counts, weights = counter.counts[:n], np.zeros(n)
    weights[1:] = np.log2(counts[counter.prefixes[1:n]] / counts[1:])
    table = counter.resized(2 * n)
    return Information(order, tokenizer, lowercase, int(counts[0]), counter.words, table, weights)


class _Counter:
    """N-grams that are being counted; number 0 is the empty one."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.words: dict[bytes, int] = {}
        self.n_ngrams = 1
        self.table = np.full((4, 2), _FREE)
        self.prefixes = np.zeros(1, np.int32)
        self.counts = np.zeros(1, np.int64)

    def add(self, tokens: Tokens) -> None:
        most = self.n_ngrams + tokens.ids.size * self.order
        if 2 * most > len(self.table):
            self.table = self.resized(2 * most)
        if most > self.counts.size:
            self.prefixes = _lengthened(self.prefixes, 2 * most)
            self.counts = _lengthened(self.counts, 2 * most)
        self.n_ngrams = count_ngrams(
            tokens.ids,
            tokens.offsets,
            np.array([self._number(word) for word in tokens.encoded_vocabulary()], np.int64),
            self.order,
            self.table,
            self.prefixes,
            self.counts,
            self.n_ngrams,
        )

    def _number(self, word: bytes) -> int:
        number = self.words.setdefault(word, self.n_ngrams)
        self.n_ngrams += number == self.n_ngrams
        return number

    def resized(self, n_slots: int) -> NDArray[np.uint64]:
        """A table of at least so many slots with the n-grams that are there."""
        table = np.full((1 << max(2, (n_slots - 1).bit_length()), 2), _FREE)
        rehash(self.table, table)
        return table


def _lengthened(array: NDArray[_Number], size: int) -> NDArray[_Number]:
    longer = np.zeros(size, array.dtype)
    longer[: array.size] = array
    return longer


def _batches(strings: Iterable[str]) -> Iterator[list[str]]:
    iterator = iter(strings)
    while batch := list(islice(iterator, _BATCH)):
        yield batch
