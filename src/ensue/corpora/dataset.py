"""A data set in memory, doubles and all, with the place of each pair."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from ensue.pairs import Pair, read_located_pairs
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.reading import Reading, with_unique_ids


@dataclass(frozen=True, slots=True)
class Dataset:
    """Pairs and where they stand. Ids need not be unique: finding that out is an audit's work."""

    name: str
    """As messages show it."""
    pairs: tuple[Pair, ...]
    lines: tuple[int, ...]

    def place(self, i: int) -> str:
        """Where the i-th pair stands: `file:line`."""
        return f"{self.name}:{self.lines[i]}"


def read_dataset(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[Reading]
) -> Dataset:
    """Read all pairs of a file with their places; the arguments are those of `read_pairs`."""
    located = list(read_located_pairs(source, on_finding=on_finding, **reading))
    lines = tuple(line for line, _ in located)
    return Dataset(shown_name(source), tuple(pair for _, pair in located), lines)


def check_ids(dataset: Dataset) -> None:
    """Refuse a data set in which two pairs have one id.

    Raises:
        DataError: with both places.
    """
    located = zip(dataset.lines, dataset.pairs, strict=True)
    for _ in with_unique_ids(located, dataset.name):
        pass
