"""How much the n-grams of a set's references tell: the weights of NIST."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.kernels.match import count_ngrams, rehash, slot_of
from ensue.surface.tokenizers import Tokenizer
from ensue.surface.tokens import Tokens, tokenize

HIGHEST_ORDER = 10
_BATCH = 1024
_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)


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
    _words: dict[str, int]
    """The number of each word."""
    _keys: NDArray[np.uint64]
    """A table of slots: the number of an n-gram without its last word, and that word's number."""
    _nodes: NDArray[np.int32]
    """The number of the n-gram in each slot."""
    _weights: NDArray[np.float64]
    """The information of each n-gram; the first is the empty one."""

    @property
    def n_ngrams(self) -> int:
        """How many different n-grams of all orders there are."""
        return len(self._weights) - 1

    def words_of(self, tokens: Tokens) -> NDArray[np.int64]:
        """For each token number, that of the same word here; -1 where there is none."""
        found = [self._words.get(word, -1) for word in tokens.vocabulary()]
        return np.array(found, np.int64)

    @property
    def table(self) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.float64]]:
        """The slots, the n-gram in each, and the information of each n-gram, for the kernel."""
        return self._keys, self._nodes, self._weights

    def of(self, *words: str) -> float:
        """The information of one n-gram, in bits.

        Raises:
            SettingError: the references do not have it.
        """
        node = 0
        for word in words:
            slot = slot_of(self._keys, node, self._words.get(word, 0xFFFFFFFF))
            if self._keys[slot] == _FREE:
                raise SettingError(f"the references have no {' '.join(words)!r}")
            node = int(self._nodes[slot])
        return float(self._weights[node])


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
    table = _Table(order)
    for batch in _batches(references):
        table.add(tokenize(batch, tokenizer, lowercase=lowercase))
    keys, nodes = table.resized(2 * table.n_nodes)
    counts = table.counts[: table.n_nodes]
    weights = np.zeros(table.n_nodes)
    weights[1:] = np.log2(counts[table.parents[1 : table.n_nodes]] / counts[1:])
    return Information(
        order, tokenizer, lowercase, int(counts[0]), table.words, keys, nodes, weights
    )


class _Table:
    """N-grams that are being counted."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.words: dict[str, int] = {}
        self.n_nodes = 1
        self.keys = np.full(4, _FREE)
        self.nodes = np.zeros(4, np.int32)
        self.parents = np.zeros(1, np.int32)
        self.counts = np.zeros(1, np.int64)

    def add(self, tokens: Tokens) -> None:
        most = self.n_nodes + tokens.ids.size * self.order
        if 2 * most > self.keys.size:
            self.keys, self.nodes = self.resized(2 * most)
        if most > self.counts.size:
            self.parents = np.resize(self.parents, 2 * most)
            self.counts = np.resize(self.counts, 2 * most)
        words = [self.words.setdefault(word, len(self.words)) for word in tokens.vocabulary()]
        self.n_nodes = count_ngrams(
            tokens.ids,
            tokens.offsets,
            np.array(words, np.int64),
            self.order,
            self.keys,
            self.nodes,
            self.parents,
            self.counts,
            self.n_nodes,
        )

    def resized(self, n_slots: int) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """Slots for as many n-grams, the ones that are there among them."""
        capacity = 1 << max(2, (n_slots - 1).bit_length())
        keys, nodes = np.full(capacity, _FREE), np.zeros(capacity, np.int32)
        rehash(self.keys, self.nodes, keys, nodes)
        return keys, nodes


def _batches(strings: Iterable[str]) -> Iterator[list[str]]:
    iterator = iter(strings)
    while batch := list(islice(iterator, _BATCH)):
        yield batch
