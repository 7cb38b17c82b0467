"""Give numbers to the synsets and senses of a WordNet database, and count the senses.

A word is a string of the table; an entry is a word as one part of speech; a sense is an entry with
one of its synsets. Words are sorted, entries follow their words, senses their entries, most frequent
first; synsets come part of speech by part of speech in the order of their files.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.language.lexicon.compiling import wndb
from ensue.language.lexicon.parts import PARTS, Relation, part_of_speech


@dataclass(frozen=True, slots=True)
class Synsets:
    """The synsets of all parts of speech, with numbers."""

    lines: list[wndb.SynsetLine]
    starts: list[int]
    """Where each part of speech begins, with the end of the last."""
    numbers: dict[tuple[int, int], int]
    """From the part of speech's number and the offset in its file to the synset's number."""

    def at(self, part: int, offset: int, whence: str) -> int:
        """The number of a synset.

        Raises:
            DataError: there is none.
        """
        if (part, offset) not in self.numbers:
            raise DataError(
                f"{whence} names a synset at {offset} that is no {PARTS[part]}",
                hint="the data and index files must be of one version",
            )
        return self.numbers[part, offset]


@dataclass(frozen=True, slots=True)
class Senses:
    """The senses of all entries, with numbers."""

    entries: list[tuple[str, int]]
    """Each word with a part of speech's number, sorted."""
    synsets: list[list[int]]
    """The synsets of each entry."""
    numbers: dict[tuple[int, str], int]
    """From a synset and a word to the number of the sense."""
    starts: dict[tuple[str, int], int]
    """The number of each entry's first sense."""


def numbered_synsets(directory: Path) -> Synsets:
    """Read the synsets of all parts of speech."""
    parts = [wndb.read_synsets(directory, part) for part in PARTS]
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    numbers = {
        (p, line.offset): start + i
        for p, (lines, start) in enumerate(zip(parts, starts, strict=False))
        for i, line in enumerate(lines)
    }
    return Synsets(list(chain.from_iterable(parts)), starts, numbers)


def numbered_senses(directory: Path, synsets: Synsets) -> Senses:
    """Read the index of all parts of speech."""
    found = {
        (word, p): [synsets.at(p, offset, f"the index of {word!r}") for offset in offsets]
        for p, part in enumerate(PARTS)
        for word, offsets in wndb.read_index(directory, part).items()
    }
    entries = sorted(found)
    of_entries = [found[entry] for entry in entries]
    firsts = np.cumsum([0, *map(len, of_entries)]).tolist()
    numbers = {
        (synset, word): first + i
        for (word, _), each, first in zip(entries, of_entries, firsts, strict=False)
        for i, synset in enumerate(each)
    }
    return Senses(entries, of_entries, numbers, dict(zip(entries, firsts, strict=False)))


def occurrences(directory: Path, synsets: Synsets, senses: Senses) -> NDArray[np.int64]:
    """How often each sense occurs; counts of senses that are in no synset any more are left."""
    counts = np.zeros(len(senses.numbers), np.int64)
    listed = wndb.read_counts(directory)
    for number, line in enumerate(synsets.lines):
        head = _head(synsets, line)
        for i, word in enumerate(line.words):
            occurrences = listed.get(wndb.sense_key(line, i, head), 0)
            if occurrences and (number, word) in senses.numbers:
                counts[senses.numbers[number, word]] += occurrences
    return counts


def _head(synsets: Synsets, line: wndb.SynsetLine) -> wndb.SynsetLine | None:
    """The synset that a satellite is near; None for what is no satellite."""
    if line.letter != "s":
        return None
    near = [pointer for pointer in line.pointers if pointer.relation is Relation.SIMILAR]
    if not near:
        raise DataError(f"the satellite at {line.offset} is near no adjective")
    name = f"the synset at {line.offset}"
    return synsets.lines[synsets.at(part_of_speech("s").number, near[0].offset, name)]
