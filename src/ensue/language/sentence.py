"""A sentence as a compact, immutable dependency graph: arrays over its tokens."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError

ROOT = "ROOT"
"""The relation of a token that has no head."""

_FORMAT = b"S1"
_BETWEEN = "\x1f"
_ARRAYS = ("heads", "starts", "ends")
_STRINGS = ("lemmas", "tags", "parts", "relations", "entities")


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """The tokens of a text and how they depend on each other; several roots for several sentences."""

    text: str
    """As it was given."""
    starts: NDArray[np.int32]
    """Where each token begins in the text."""
    ends: NDArray[np.int32]
    """Where it ends."""
    heads: NDArray[np.int32]
    """The token that each depends on; -1 for a root."""
    lemmas: tuple[str, ...]
    tags: tuple[str, ...]
    """Penn Treebank tags, e.g. `VBD`."""
    parts: tuple[str, ...]
    """Universal parts of speech, e.g. `VERB`."""
    relations: tuple[str, ...]
    """Of each token to its head, e.g. `nsubj`."""
    entities: tuple[str, ...]
    """For each token `B-PERSON` where a named entity begins, `I-PERSON` where it goes on, or empty."""

    def __len__(self) -> int:
        return len(self.lemmas)

    @property
    def forms(self) -> tuple[str, ...]:
        """The tokens as they are written."""
        spans = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return tuple(self.text[start:end] for start, end in spans)

    @property
    def roots(self) -> tuple[int, ...]:
        """The tokens that depend on none."""
        return tuple(np.flatnonzero(self.heads < 0).tolist())

    def dependents(self, token: int) -> tuple[int, ...]:
        """The tokens that depend on this one, in their order."""
        return tuple(np.flatnonzero(self.heads == token).tolist())

    def ancestors(self, token: int) -> tuple[int, ...]:
        """The tokens on the way from this one to its root, the nearest first."""
        found = []
        head = int(self.heads[token])
        while head >= 0:
            found.append(head)
            head = int(self.heads[head])
        return tuple(found)

    def entity_spans(self) -> tuple[tuple[int, int, str], ...]:
        """Each named entity: its first token, the one after its last, and its kind."""
        spans: list[tuple[int, int, str]] = []
        for i, mark in enumerate(self.entities):
            if not mark:
                continue
            if mark[0] == "B":
                spans.append((i, i + 1, mark[2:]))
            elif mark[0] == "I" and spans and spans[-1][1] == i:
                spans[-1] = (spans[-1][0], i + 1, spans[-1][2])
        return tuple(spans)


def sentence_spans(sentence: Sentence) -> list[tuple[int, int]]:
    """Where each sentence of a text begins and ends: the tokens under one root, without gaps.

    Neighboring roots without a sentence of their own, as of headings, are sentences too.
    """
    heads, starts, ends = (
        array.tolist() for array in (sentence.heads, sentence.starts, sentence.ends)
    )
    roots = [_root(heads, token) for token in range(len(heads))]
    last_of = {root: token for token, root in enumerate(roots)}
    spans: list[tuple[int, int]] = []
    furthest = -1
    for token, root in enumerate(roots):
        if token > furthest:
            spans.append((starts[token], ends[token]))
        spans[-1] = spans[-1][0], ends[token]
        furthest = max(furthest, last_of[root])
    return spans


def _root(heads: Sequence[int], token: int) -> int:
    while heads[token] >= 0:
        token = heads[token]
    return token


def empty_sentence(text: str) -> Sentence:
    """The analysis of a text without a token."""
    nothing = np.zeros(0, np.int32)
    return Sentence(text, nothing, nothing, nothing, (), (), (), (), ())


def joined(text: str, pieces: Sequence[tuple[int, Sentence]]) -> Sentence:
    """One graph of the analyses of pieces of a text.

    Args:
        text: The whole of it.
        pieces: Where each piece begins, and its analysis.
    """
    if not pieces:
        return empty_sentence(text)
    sizes = np.cumsum([0, *(len(piece) for _, piece in pieces)])
    heads = [
        np.where(piece.heads < 0, -1, piece.heads + size)
        for (_, piece), size in zip(pieces, sizes, strict=False)
    ]
    return Sentence(
        text,
        np.concatenate([piece.starts + at for at, piece in pieces]).astype(np.int32),
        np.concatenate([piece.ends + at for at, piece in pieces]).astype(np.int32),
        np.concatenate(heads).astype(np.int32),
        *(sum((getattr(piece, name) for _, piece in pieces), ()) for name in _STRINGS),
    )


def sentence_to_bytes(sentence: Sentence) -> bytes:
    """An analysis without its text, as a cache keeps it."""
    arrays = [getattr(sentence, name).astype("<i4").tobytes() for name in _ARRAYS]
    strings = _BETWEEN.join(part for name in _STRINGS for part in getattr(sentence, name))
    size = np.array([len(sentence)], "<i4").tobytes()
    return _FORMAT + zlib.compress(b"".join([size, *arrays, strings.encode()]), 1)


def sentence_from_bytes(text: str, content: bytes) -> Sentence:
    """The inverse of `sentence_to_bytes`.

    Raises:
        DataError: these are not the bytes of an analysis of this text.
    """
    try:
        if not content.startswith(_FORMAT):
            raise ValueError("another format")
        plain = zlib.decompress(content[len(_FORMAT) :])
        size = int(np.frombuffer(plain, "<i4", 1)[0])
        numbers = np.frombuffer(plain, "<i4", len(_ARRAYS) * size, 4).astype(np.int32)
        arrays = dict(zip(_ARRAYS, numbers.reshape(len(_ARRAYS), size), strict=True))
        rest = plain[4 + 4 * numbers.size :].decode()
        strings = rest.split(_BETWEEN) if size else []
        if len(strings) != len(_STRINGS) * size or _reaches_beyond(arrays, size, len(text)):
            raise ValueError("sizes do not fit")
    except (ValueError, zlib.error) as error:
        raise DataError("not-analysis-text", f"not an analysis of this text: {error}") from None
    columns = [tuple(strings[i * size : (i + 1) * size]) for i in range(len(_STRINGS))]
    return Sentence(text, arrays["starts"], arrays["ends"], arrays["heads"], *columns)


def _reaches_beyond(arrays: dict[str, NDArray[np.int32]], size: int, length: int) -> bool:
    if size == 0:
        return False
    return bool(
        arrays["starts"].min() < 0
        or arrays["ends"].max() > length
        or arrays["heads"].min() < -1
        or arrays["heads"].max() >= size
    )
