"""Which cases are in several suites, found on disk, so that memory does not grow with the cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

LARGEST_PART = 1 << 23
"""Hashes that are sorted at a time: some hundred megabytes."""

_ENTRY = np.dtype([("hash", "<u8"), ("suite", "<u4")])
_MOST_RECENT = 1 << 20


class Claims:
    """The hashes of all cases: which suite has one first, and who has it after that suite.

    Hashes are spread over files by their first bits, each of which is sorted in memory.
    """

    def __init__(self, directory: Path, most: int, *, largest_part: int = LARGEST_PART) -> None:
        """Keep them in a directory that is there.

        Args:
            directory: For files of its own.
            most: How many hashes there will be, at most.
            largest_part: How many are sorted at a time, about.
        """
        self._directory = directory
        self._bits = max(0, -(-most // largest_part) - 1).bit_length()
        self._known: list[Hashes] = []
        self._lost = np.empty(0, _ENTRY)
        self._recent: set[int] = set()
        self._older = np.empty(0, np.uint64)

    def find(self, suites: Iterable[Hashes]) -> None:
        """Go through the hashes of all suites, in their order."""
        files = [self._path(part).open("wb") for part in range(1 << self._bits)]
        try:
            for number, hashes in enumerate(suites):
                entries = np.empty(len(hashes), _ENTRY)
                entries["hash"], entries["suite"] = hashes, number
                parts = self._parts(hashes)
                for part in np.unique(parts).tolist():
                    files[part].write(entries[parts == part].tobytes())
        finally:
            for file in files:
                file.close()
        lost = [self._sort(part) for part in range(1 << self._bits)]
        self._lost = np.sort(np.concatenate(lost), order="suite", kind="stable")

    def lost_by(self, suite: int) -> Hashes:
        """The hashes of a suite that an earlier suite has."""
        first, last = np.searchsorted(self._lost["suite"], [suite, suite + 1])
        return np.asarray(self._lost["hash"][first:last])

    @property
    def n_lost(self) -> int:
        """How many cases an earlier suite has."""
        return len(self._lost)

    def is_free(self, hashes: Sequence[int]) -> bool:
        """Whether no suite has any of these."""
        return not any(self._is_taken(each) for each in hashes)

    def take(self, hashes: Iterable[int]) -> None:
        """Give hashes to a suite that had none of them."""
        self._recent.update(hashes)
        if len(self._recent) > _MOST_RECENT:  # eight bytes each instead of seventy
            recent = np.fromiter(self._recent, np.uint64, len(self._recent))
            self._older = np.union1d(self._older, recent)
            self._recent.clear()

    def _is_taken(self, wanted: int) -> bool:
        if wanted in self._recent:
            return True
        each = np.uint64(wanted)
        return _has(self._older, each) or _has(self._known[wanted >> (64 - self._bits)], each)

    def _parts(self, hashes: Hashes) -> NDArray[np.int64]:
        if not self._bits:
            return np.zeros(len(hashes), np.int64)
        return (hashes >> np.uint64(64 - self._bits)).astype(np.int64)

    def _sort(self, part: int) -> NDArray[np.void]:
        """Sort a part, leave each of its hashes once on disk, and give what comes again."""
        entries = np.fromfile(self._path(part), _ENTRY)
        entries = entries[np.argsort(entries["hash"], kind="stable")]  # suites stay in order
        again = np.zeros(len(entries), np.bool_)
        again[1:] = entries["hash"][1:] == entries["hash"][:-1]
        entries["hash"][~again].tofile(self._path(part))
        n_known = int(np.count_nonzero(~again))
        known: Hashes = np.empty(0, np.uint64)
        if n_known:
            known = np.memmap(self._path(part), np.uint64, mode="r", shape=(n_known,))
        self._known.append(known)
        return np.asarray(entries[again])

    def _path(self, part: int) -> Path:
        return self._directory / f"{part:05d}"


def _has(sorted_hashes: Hashes, wanted: np.uint64) -> bool:
    at = int(np.searchsorted(sorted_hashes, wanted))
    return at < len(sorted_hashes) and bool(sorted_hashes[at] == wanted)
