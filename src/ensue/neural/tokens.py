"""Pairs as token ids: WordPiece of both sides, joined, padded and sorted by length into batches."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ensue.pairs import Pair

FIRST, SEPARATOR = 101, 102
"""The ids of `[CLS]` and `[SEP]` in the vocabulary of BERT."""
_SPECIAL = 3
_STEP = 8
"""Arrays are as wide as a multiple of it."""
_WINDOWS = 16
"""Windows of one text that are judged at the most."""
_TENTH = 10
_HALF = re.compile("[\ud800-\udfff]")


def is_held_out(pair: Pair) -> bool:
    """Whether a pair is of the tenth that nothing is trained on.

    Drawn by its text, so that the pairs about one text are on one side.
    """
    digest = hashlib.blake2b(" ".join(pair.text.split()).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _TENTH == 0


@dataclass(frozen=True, slots=True)
class TokenizedPair:
    """The ids of one pair's sides, without special tokens."""

    text: list[int]
    hypothesis: list[int]

    def __len__(self) -> int:
        return len(self.text) + len(self.hypothesis) + _SPECIAL

    def cut(self, most: int) -> TokenizedPair:
        """The pair with the end of its text, and then of its hypothesis, cut off."""
        room = most - _SPECIAL
        hypothesis = self.hypothesis[: max(room - min(len(self.text), room // 2), 0)]
        return TokenizedPair(self.text[: room - len(hypothesis)], hypothesis)


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Pairs of about one length as arrays: a row each, zeros behind its end."""

    ids: NDArray[np.int64]
    sides: NDArray[np.int64]
    """0 for the text and the tokens around it, 1 for the hypothesis and its end."""
    mask: NDArray[np.bool_]
    """False at padding."""


class PairTokenizer:
    """WordPiece by the library `tokenizers`, lowercased, from a vocabulary of a token a line.

    Names of special tokens in a text are words like others: none of them gets a special id. Half
    characters, which UTF-8 cannot hold, are left out.
    """

    def __init__(self, vocabulary: Path) -> None:
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

        tokens = vocabulary.read_text("utf-8").split("\n")
        ids = {token: i for i, token in enumerate(tokens) if token}
        self._tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
        self._tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        self._tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()

    def __call__(self, texts: Sequence[str], hypotheses: Sequence[str]) -> list[TokenizedPair]:
        """The ids of each pair; a side that stands several times is tokenized once."""
        distinct = list(dict.fromkeys([*texts, *hypotheses]))
        readable = [_HALF.sub("\ufffd", side) for side in distinct]
        found = self._tokenizer.encode_batch(readable, add_special_tokens=False)
        known = {side: each.ids for side, each in zip(distinct, found, strict=True)}
        return [
            TokenizedPair(known[text], known[hypothesis])
            for text, hypothesis in zip(texts, hypotheses, strict=True)
        ]


def token_batch(pairs: Sequence[TokenizedPair]) -> TokenBatch:
    """One array of all pairs, as wide as the longest of them."""
    width = -(-max(map(len, pairs)) // _STEP) * _STEP
    ids = np.zeros((len(pairs), width), np.int64)
    sides = np.zeros_like(ids)
    mask = np.zeros(ids.shape, np.bool_)
    for i, pair in enumerate(pairs):
        row = [FIRST, *pair.text, SEPARATOR, *pair.hypothesis, SEPARATOR]
        ids[i, : len(row)] = row
        sides[i, len(pair.text) + 2 : len(row)] = 1
        mask[i, : len(row)] = True
    return TokenBatch(ids, sides, mask)


def sorted_batches(lengths: Sequence[int], size: int) -> Iterator[NDArray[np.intp]]:
    """The numbers of pairs in batches of about one length, so that little is padding."""
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), size):
        yield order[start : start + size]


def windows(pair: TokenizedPair, most: int) -> list[TokenizedPair]:
    """The pair where it is short enough; else its text in windows that overlap by a half.

    Of very many windows those are kept that share most tokens with the hypothesis.
    """
    if len(pair) <= most:
        return [pair]
    hypothesis = pair.cut(most).hypothesis
    room = most - _SPECIAL - len(hypothesis)
    step = max(room // 2, 1)
    starts = range(0, max(len(pair.text) - room, 0) + step, step)
    found = [TokenizedPair(pair.text[start : start + room], hypothesis) for start in starts]
    if len(found) > _WINDOWS:
        asked = set(hypothesis)
        shared = [len(asked.intersection(each.text)) for each in found]
        kept = np.sort(np.argsort(shared, kind="stable")[::-1][:_WINDOWS])
        found = [found[i] for i in kept]
    return found
