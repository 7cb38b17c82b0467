"""Where rows stand, without a string for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from ensue.paraphrase.model import Indices


class Places(Sequence[str]):
    """`file:line` of many rows, written out when it is asked for."""

    __slots__ = ("_files", "_lines", "_names")

    def __init__(self, names: Sequence[str], files: Indices, lines: Indices) -> None:
        self._names = names
        self._files = files
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> Places: ...
    def __getitem__(self, i: int | slice) -> str | Places:
        if isinstance(i, slice):
            return Places(self._names, self._files[i], self._lines[i])
        return f"{self._names[self._files[i]]}:{self._lines[i]}"
