"""Ids of pairs: found by their hashes, kept for messages, and where their rows stand."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def as_ids(texts: Iterable[str]) -> pa.Array[Any]:
    """Ids as an Arrow array of bytes; half characters are texts, too."""
    import pyarrow as pa

    return pa.array([text.encode("utf-8", "surrogatepass") for text in texts], pa.binary())


def text_of(content: bytes) -> str:
    """The inverse of `as_ids`, for one id."""
    return content.decode("utf-8", "surrogatepass")


def text_bytes(texts: pa.Array[Any]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where each text begins, and where the last one ends, in the bytes of all of them."""
    _, offsets, content = texts.buffers()
    if len(texts) == 0 or offsets is None:
        return np.zeros(1, np.int32), np.zeros(0, np.uint8)
    starts = np.frombuffer(memoryview(offsets), np.int32)[
        texts.offset : texts.offset + len(texts) + 1
    ]
    return starts, np.frombuffer(memoryview(content or b""), np.uint8)


_MIXING = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
"""The constants with which MurmurHash3 (Appleby) ends: every bit bears on every other."""
_WORD = 8


def id_hashes(ids: pa.Array[Any]) -> NDArray[np.uint64]:
    """A hash of 64 bits of each id: its length, then its bytes, eight at a time."""
    offsets, content = text_bytes(ids)
    starts = (offsets[:-1] - offsets[0]).astype(np.int64)
    sizes = np.diff(offsets).astype(np.int64)
    own = np.concatenate([content[offsets[0] : offsets[-1]], np.zeros(_WORD, np.uint8)])
    words = np.ndarray((len(own) - _WORD + 1,), np.uint64, own, strides=(1,))  # at every byte
    hashes = _mixed(sizes.astype(np.uint64))
    for at in range(0, int(sizes.max(initial=0)), _WORD):
        left = sizes - at
        here = np.flatnonzero(left > 0)
        # of a word that is not full, the bytes behind it belong to the next id
        unused = (8 * np.maximum(_WORD - left[here], 0)).astype(np.uint64)
        word = (words[starts[here] + at] << unused) >> unused
        hashes[here] = _mixed(hashes[here] ^ word)
    return hashes


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    half = np.uint64(33)
    for constant in _MIXING:
        numbers = (numbers ^ (numbers >> half)) * constant
    return numbers ^ (numbers >> half)


def have_loose_ends(texts: pa.Array[Any]) -> bool:
    """Whether a text is empty, or begins or ends with a blank or with what may be one."""
    starts, content = text_bytes(texts)
    if (starts[1:] == starts[:-1]).any():
        return True
    ends = np.concatenate([content[starts[:-1]], content[starts[1:] - 1]])
    return bool(((ends <= 0x20) | (ends >= 0x80)).any())


class IdIndex:
    """The ids of all gold rows: 8 bytes each to find them, and their texts, compressed.

    Two of n ids have one hash with a probability of n²/2⁶⁵ (3 in 10,000 for a hundred million).
    Gold ids that do are told apart by their texts; an id that the gold does not have is taken for
    one of them with a probability of n/2⁶⁴.
    """

    def __init__(self) -> None:
        self._parts: list[NDArray[np.uint64]] = []
        self._texts: list[pa.Buffer] = []
        self._starts: list[int] = []
        self.hashes: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._alike: dict[int, dict[bytes, int]] = {}
        self._order: NDArray[np.uint32] | None = None
        self._sorted: NDArray[np.uint64] = self.hashes

    def add(self, ids: pa.Array[Any]) -> None:
        """Take in the ids of the next rows."""
        self._starts.append(self._starts[-1] + len(self._parts[-1]) if self._parts else 0)
        self._parts.append(id_hashes(ids))
        self._texts.append(_packed(ids))

    def finish(self) -> tuple[int, int] | None:
        """Be ready to be asked; return the first row whose id another has, after that other one."""
        self.hashes = np.concatenate(self._parts) if self._parts else self.hashes
        self._parts = []
        found = np.sort(self.hashes)
        again = found[1:][found[1:] == found[:-1]]
        del found
        return self._doubled(np.flatnonzero(np.isin(self.hashes, again))) if len(again) else None

    def _doubled(self, rows: NDArray[np.intp]) -> tuple[int, int] | None:
        for row in rows.tolist():
            own = self._alike.setdefault(int(self.hashes[row]), {})
            text = self.content(row)
            if text in own:
                return own[text], row
            own[text] = row
        return None

    def content(self, row: int) -> bytes:
        """The bytes of one id."""
        k = bisect_right(self._starts, row) - 1
        return bytes(_unpacked(self._texts[k])[row - self._starts[k]].as_py())

    def text(self, row: int) -> str:
        """One id."""
        return text_of(self.content(row))

    def texts(self, start: int, end: int) -> Any:
        """Some consecutive ids as an Arrow array of strings."""
        import pyarrow as pa

        found = []
        for k in range(bisect_right(self._starts, start) - 1, bisect_left(self._starts, end)):
            own, first = _unpacked(self._texts[k]), self._starts[k]
            found.append(own.slice(max(start - first, 0), end - max(start, first)))
        return pa.concat_arrays(found).cast(pa.string())

    def rows(self, ids: pa.Array[Any], at: int) -> NDArray[np.int64]:
        """The row of each id, −1 where the gold does not have it; `at` is where to look first."""
        hashes = id_hashes(ids)
        if self._are_at(hashes, at):
            return np.arange(at, at + len(hashes))
        first = int(self._found(hashes[:1])[0]) if len(hashes) else -1
        if first >= 0 and self._are_at(hashes, first):  # shards in another order
            return np.arange(first, first + len(hashes))
        rows = self._found(hashes)
        for i in np.flatnonzero(np.isin(hashes, list(self._alike))).tolist() if self._alike else ():
            rows[i] = self._alike[int(hashes[i])].get(bytes(ids[i].as_py()), -1)
        return rows

    def _are_at(self, hashes: NDArray[np.uint64], start: int) -> bool:
        """Whether these are the ids of consecutive rows."""
        own = self.hashes[start : start + len(hashes)]
        return not self._alike and np.array_equal(hashes, own)

    def _found(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        if self._order is None:
            self._order = np.argsort(self.hashes).astype(np.uint32)
            self._sorted = self.hashes[self._order]
        if len(self._sorted) == 0:
            return np.full(len(hashes), -1, np.int64)
        # in order, so that neighbors are looked for among neighbors
        order = np.argsort(hashes)
        place = np.empty(len(hashes), np.int64)
        place[order] = np.searchsorted(self._sorted, hashes[order])
        place = np.minimum(place, len(self._sorted) - 1)
        return np.where(self._sorted[place] == hashes, self._order[place].astype(np.int64), -1)


def _packed(ids: pa.Array[Any]) -> pa.Buffer:
    import pyarrow as pa

    batch = pa.record_batch([ids], names=["id"])
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, batch.schema, options=options) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def _unpacked(packed: pa.Buffer) -> Any:
    import pyarrow as pa

    with pa.ipc.open_stream(packed) as reader:
        return reader.read_next_batch().column(0)


class Places:
    """The file and line of each row, where both change seldom beside the row's own number."""

    def __init__(self) -> None:
        self._rows = array("q")
        self._lines = array("q")
        self._names: list[str] = []
        self._first: list[int] = []
        self._next = (-1, -1)

    def file(self, name: str, row: int) -> None:
        """From this row on, rows are those of another file."""
        self._names.append(name)
        self._first.append(row)
        self._next = (-1, -1)

    def add(self, row: int, line: int) -> None:
        """Say at which line a row begins."""
        if (row, line) != self._next:
            self._rows.append(row)
            self._lines.append(line)
        self._next = (row + 1, line + 1)

    def __call__(self, row: int) -> str:
        """Where a row stands: `file:line`."""
        k = bisect_right(self._rows, row) - 1
        name = self._names[bisect_right(self._first, row) - 1]
        return f"{name}:{self._lines[k] + row - self._rows[k]}"
