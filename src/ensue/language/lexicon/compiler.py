"""Compiler of a WordNet database into the table that the package ships.

A word is a string of the table; an entry is a word as one part of speech; a sense is an entry with
one of its synsets. Words are sorted, entries follow their words, senses their entries, most frequent
first; synsets come part of speech by part of speech in the order of their files.

`python -m ensue.language.lexicon WNDB_DIR [-o FILE]` writes the table, and WordNet's
license beside it. The same files make the same bytes.
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, EnsueError, OutputError
from ensue.language.lexicon.kernels import Reach, climb, steps_to
from ensue.language.lexicon.lexicon import LICENSE, TABLE
from ensue.language.lexicon.vocabulary import (
    ANY,
    PARTS,
    SYMBOLS,
    PartOfSpeech,
    Relation,
    hypernym_steps,
    normalized,
    part_of_speech,
    write_table,
)

# The files of a WordNet database, as wndb(5WN) describes them; glosses are left out.

_FILES = {
    PartOfSpeech.NOUN: "noun",
    PartOfSpeech.VERB: "verb",
    PartOfSpeech.ADJECTIVE: "adj",
    PartOfSpeech.ADVERB: "adv",
}
_MARKER = re.compile(r"\((?:a|p|ip)\)(?=$|:)")
"""Where an adjective may stand, written behind it."""
_TYPE_NUMBERS = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
N_FRAMES = 35
"""How many sentence frames wninput(5WN) lists."""
_LICENSE_LINE = re.compile(r"  \d+ (.*)")
_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)?)\+? Copyright", re.IGNORECASE)

T = TypeVar("T")


class Pointer(NamedTuple):
    """From a synset or one of its words to another."""

    relation: Relation
    letter: str
    """The part of speech of the target."""
    offset: int
    """Where the target is in its file."""
    source: int
    """The number of the word, from 1; 0 where the pointer is the whole synset's."""
    target: int
    """The same in the target."""


class VerbFrame(NamedTuple):
    """A sentence frame of a verb's synset or of one of its words."""

    number: int
    """From 1: "Something ----s"."""
    word: int
    """The number of the word, from 1; 0 where the frame is the whole synset's."""


@dataclass(frozen=True, slots=True)
class SynsetLine:
    """One line of a data file."""

    offset: int
    file: int
    """The number of the lexicographer file."""
    letter: str
    """The part of speech, with s for a satellite: an adjective near a more central one."""
    words: tuple[str, ...]
    """Normalized, one for each number that a pointer may name; two may be the same."""
    ids: tuple[int, ...]
    """What tells each word from others that are written like it in the lexicographer file."""
    pointers: tuple[Pointer, ...]
    """Those of `SYMBOLS`."""
    frames: tuple[VerbFrame, ...]
    """Those of a verb; other parts of speech have none."""


def read_synsets(directory: Path, part: PartOfSpeech) -> list[SynsetLine]:
    """The synsets of a part of speech, in the order of their file."""
    return _read(directory / f"data.{_FILES[part]}", _synset)


def read_index(directory: Path, part: PartOfSpeech) -> dict[str, list[int]]:
    """Each word of a part of speech with its synsets' offsets, the most frequent sense first."""
    return dict(_read(directory / f"index.{_FILES[part]}", _index_entry))


def read_exceptions(directory: Path, part: PartOfSpeech) -> dict[str, tuple[str, ...]]:
    """Irregular forms with their base forms."""
    return dict(_read(directory / f"{_FILES[part]}.exc", _exception))


def read_counts(directory: Path) -> dict[str, int]:
    """How often senses occur in the texts that WordNet's authors tagged, by `sense_key`.

    The numbers of senses in the file are not used: they are not always those of the index.
    """
    return dict(_read(directory / "cntlist.rev", _count))


def sense_key(line: SynsetLine, i: int, head: SynsetLine | None) -> str:
    """What names a sense through all versions, senseidx(5WN), normalized.

    Args:
        line: The synset of the sense.
        i: Which of its words.
        head: Of a satellite, the synset that it is near.
    """
    near = f"{head.words[0]}:{head.ids[0]:02}" if head else ":"
    number = _TYPE_NUMBERS[line.letter]
    return f"{line.words[i]}%{number}:{line.file:02}:{line.ids[i]:02}:{near}"


def read_license(directory: Path) -> str:
    """The copyright notice at the head of the nouns' data."""
    path = directory / f"data.{_FILES[PartOfSpeech.NOUN]}"
    found = [_LICENSE_LINE.match(line) for _, line in _lines(path) if line.startswith("  ")]
    notice = [match[1].rstrip() for match in found if match]
    if not notice:
        raise DataError(
            "no-copyright-notice-head",
            "no copyright notice at the head of the file",
            place=str(path),
        )
    return "\n".join(notice) + "\n"


def version_in(notice: str) -> str:
    """WordNet's version, as its copyright notice says it; empty where it says none."""
    match = _VERSION.search(notice)
    return match[1] if match else ""


def _synset(line: str) -> SynsetLine:
    fields = line.split("|", 1)[0].split()
    _check_letter(fields[2])
    n_words = int(fields[3], 16)
    after = 4 + 2 * n_words
    n_pointers = int(fields[after])
    words = tuple(normalized(_MARKER.sub("", word)) for word in fields[4:after:2])
    ids = tuple(int(number, 16) for number in fields[5:after:2])
    starts = range(after + 1, after + 1 + 4 * n_pointers, 4)
    pointers = tuple(_pointer(fields[i : i + 4]) for i in starts if fields[i] in SYMBOLS)
    frames = _frames(fields[after + 1 + 4 * n_pointers :], n_words) if fields[2] == "v" else ()
    return SynsetLine(int(fields[0]), int(fields[1]), fields[2], words, ids, pointers, frames)


def _frames(fields: list[str], n_words: int) -> tuple[VerbFrame, ...]:
    """The frames of a verb, written as their number and for each a plus, frame and word."""
    n_frames = int(fields[0])
    found = tuple(VerbFrame(int(fields[i + 1]), int(fields[i + 2], 16)) for i in _threes(n_frames))
    if len(fields) != 1 + 3 * n_frames or any(fields[i] != "+" for i in _threes(n_frames)):
        raise ValueError(f"{n_frames} frames are announced, others are there")
    if not all(0 < frame.number <= N_FRAMES and frame.word <= n_words for frame in found):
        raise ValueError("a frame or its word is not there")
    return found


def _threes(many: int) -> range:
    return range(1, 1 + 3 * many, 3)


def _pointer(fields: list[str]) -> Pointer:
    symbol, offset, letter, numbers = fields
    _check_letter(letter)
    return Pointer(SYMBOLS[symbol], letter, int(offset), int(numbers[:2], 16), int(numbers[2:], 16))


def _check_letter(letter: str) -> None:
    if letter not in _TYPE_NUMBERS:
        raise ValueError(f"{letter!r} is no part of speech")


def _index_entry(line: str) -> tuple[str, list[int]]:
    fields = line.split()
    n_synsets = int(fields[2])
    offsets = [int(offset) for offset in fields[6 + int(fields[3]) :]]
    if len(offsets) != n_synsets:
        raise ValueError(f"{n_synsets} synsets are announced, {len(offsets)} are there")
    return normalized(fields[0]), offsets


def _exception(line: str) -> tuple[str, tuple[str, ...]]:
    form, *bases = map(normalized, line.split())
    return form, tuple(bases)


def _count(line: str) -> tuple[str, int]:
    key, _, count = line.split()
    return normalized(_MARKER.sub("", key)), int(count)


def _read(path: Path, parse: Callable[[str], T]) -> list[T]:
    """Parse each line of a file that is not of its head."""
    found = []
    for number, line in _lines(path):
        if line.startswith("  ") or not line.strip():
            continue
        try:
            found.append(parse(line))
        except (ValueError, IndexError) as error:
            raise DataError(
                "not-line-wordnet-database",
                f"not a line of a WordNet database: {error}",
                place=f"{path}:{number}",
                hint="the format is described in wndb(5WN)",
            ) from error
    return found


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise DataError(
            "cannot-read-wordnet-file",
            f"cannot read WordNet's file {path.name!r}: {error.strerror}",
            place=str(path),
            hint="name a directory with data.*, index.*, *.exc and cntlist.rev of WordNet 3.0; "
            "Debian's package wordnet-base has them",
        ) from error
    except UnicodeDecodeError as error:
        raise DataError("not-utf", f"not UTF-8: {error.reason}", place=str(path)) from error
    return enumerate(text.splitlines(), 1)


# Give numbers to the synsets and senses of a WordNet database, and count the senses.


@dataclass(frozen=True, slots=True)
class NumberedSynsets:
    """The synsets of all parts of speech, with numbers."""

    lines: list[SynsetLine]
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
                "names-synset-no",
                f"{whence} names a synset at {offset} that is no {PARTS[part]}",
                hint="the data and index files must be of one version",
            )
        return self.numbers[part, offset]


@dataclass(frozen=True, slots=True)
class NumberedSenses:
    """The senses of all entries, with numbers."""

    entries: list[tuple[str, int]]
    """Each word with a part of speech's number, sorted."""
    synsets: list[list[int]]
    """The synsets of each entry."""
    numbers: dict[tuple[int, str], int]
    """From a synset and a word to the number of the sense."""
    starts: dict[tuple[str, int], int]
    """The number of each entry's first sense."""


def numbered_synsets(directory: Path) -> NumberedSynsets:
    """Read the synsets of all parts of speech."""
    parts = [read_synsets(directory, part) for part in PARTS]
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    numbers = {
        (p, line.offset): start + i
        for p, (lines, start) in enumerate(zip(parts, starts, strict=False))
        for i, line in enumerate(lines)
    }
    return NumberedSynsets(list(chain.from_iterable(parts)), starts, numbers)


def numbered_senses(directory: Path, synsets: NumberedSynsets) -> NumberedSenses:
    """Read the index of all parts of speech."""
    found = {
        (word, p): [synsets.at(p, offset, f"the index of {word!r}") for offset in offsets]
        for p, part in enumerate(PARTS)
        for word, offsets in read_index(directory, part).items()
    }
    entries = sorted(found)
    of_entries = [found[entry] for entry in entries]
    firsts = np.cumsum([0, *map(len, of_entries)]).tolist()
    numbers = {
        (synset, word): first + i
        for (word, _), each, first in zip(entries, of_entries, firsts, strict=False)
        for i, synset in enumerate(each)
    }
    return NumberedSenses(entries, of_entries, numbers, dict(zip(entries, firsts, strict=False)))


def occurrences(
    directory: Path, synsets: NumberedSynsets, senses: NumberedSenses
) -> NDArray[np.int64]:
    """How often each sense occurs; counts of senses that are in no synset any more are left."""
    counts = np.zeros(len(senses.numbers), np.int64)
    listed = read_counts(directory)
    for number, line in enumerate(synsets.lines):
        head = _head(synsets, line)
        for i, word in enumerate(line.words):
            occurrences = listed.get(sense_key(line, i, head), 0)
            if occurrences and (number, word) in senses.numbers:
                counts[senses.numbers[number, word]] += occurrences
    return counts


def _head(synsets: NumberedSynsets, line: SynsetLine) -> SynsetLine | None:
    """The synset that a satellite is near; None for what is no satellite."""
    if line.letter != "s":
        return None
    near = [pointer for pointer in line.pointers if pointer.relation is Relation.SIMILAR]
    if not near:
        raise DataError(
            "satellite-near-no-adjective", f"the satellite at {line.offset} is near no adjective"
        )
    name = f"the synset at {line.offset}"
    return synsets.lines[synsets.at(part_of_speech("s").number, near[0].offset, name)]


# Compile the files of a WordNet database into the table that the package ships.

N = TypeVar("N", np.uint8, np.uint16)


def compiled_arrays(directory: Path) -> dict[str, NDArray[Any]]:
    """The arrays of the table.

    Raises:
        DataError: a file is missing or malformed, or the files contradict one another.
    """
    synsets = numbered_synsets(directory)
    senses = numbered_senses(directory, synsets)
    counts = occurrences(directory, synsets, senses)
    relations = _relations(synsets, senses)
    return {
        **_word_arrays(senses),
        **_sense_arrays(synsets, senses, counts),
        **_synset_arrays(synsets),
        "synsets.below": _below(relations, senses, counts, len(synsets.lines)),
        **relations,
        **_frame_arrays(synsets, senses),
        **_exception_arrays(directory),
    }


def _relations(synsets: NumberedSynsets, senses: NumberedSenses) -> dict[str, NDArray[np.int32]]:
    """Two arrays a relation, sources and targets, by source and then in the order of the file."""
    found: dict[Relation, list[tuple[int, int]]] = {relation: [] for relation in Relation}
    for number, line in enumerate(synsets.lines):
        for pointer in line.pointers:
            found[pointer.relation].append(_ends(synsets, senses, number, pointer))
    arrays = {}
    for relation, pairs in found.items():
        pairs.sort(key=lambda pair: pair[0])
        both = np.array(pairs, np.int32).reshape(-1, 2)
        arrays[f"{relation}.sources"] = both[:, 0]
        arrays[f"{relation}.targets"] = both[:, 1]
    return arrays


def _ends(
    synsets: NumberedSynsets, senses: NumberedSenses, source: int, pointer: Pointer
) -> tuple[int, int]:
    """The two synsets of a pointer, or its two senses."""
    name = f"the synset at {synsets.lines[source].offset}"
    target = synsets.at(part_of_speech(pointer.letter).number, pointer.offset, name)
    if not pointer.relation.of_words:
        return source, target
    ends = ((source, pointer.source), (target, pointer.target))
    found = [_sense(synsets, senses, synset, number) for synset, number in ends]
    if found[0] is None or found[1] is None:
        raise DataError(
            "points-word-not",
            f"{name} points from or to a word that is not there",
            hint=str(pointer.relation),
        )
    return found[0], found[1]


def _sense(
    synsets: NumberedSynsets, senses: NumberedSenses, synset: int, number: int
) -> int | None:
    """The sense of a synset's word by its number, from 1; None where there is none."""
    words = synsets.lines[synset].words
    return senses.numbers.get((synset, words[number - 1])) if 0 < number <= len(words) else None


def _word_arrays(senses: NumberedSenses) -> dict[str, NDArray[Any]]:
    words = list(dict.fromkeys(word for word, _ in senses.entries))
    encoded = [word.encode() for word in words]
    n_entries = dict.fromkeys(words, 0)
    for word, _ in senses.entries:
        n_entries[word] += 1
    return {
        "words.text": np.frombuffer(b"".join(encoded), np.uint8),
        "words.lengths": _small(map(len, encoded)),
        "words.entries": _small(n_entries.values()),
        "entries.part": _small(part for _, part in senses.entries),
        "entries.senses": _small(map(len, senses.synsets)),
    }


def _sense_arrays(
    synsets: NumberedSynsets, senses: NumberedSenses, counts: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """Each sense's synset, the place of its word among the synset's words, and its count."""
    ranks = np.zeros(len(senses.numbers), np.uint8)
    n_members = 0
    for number, line in enumerate(synsets.lines):
        for rank, word in enumerate(dict.fromkeys(line.words)):
            if (number, word) not in senses.numbers:
                raise DataError(
                    "synset-not-index",
                    f"{word!r} is in the synset at {line.offset}, but not in the index",
                )
            ranks[senses.numbers[number, word]] = rank
            n_members += 1
    of_senses = list(chain.from_iterable(senses.synsets))
    if n_members != len(of_senses):
        raise DataError(
            "synsets-words-index",
            f"the synsets have {n_members} words, the index has {len(of_senses)}",
        )
    return {
        "senses.synset": np.array(of_senses, np.int32),
        "senses.rank": ranks,
        "senses.count": _fitting(counts, np.uint16),
    }


def _synset_arrays(synsets: NumberedSynsets) -> dict[str, NDArray[Any]]:
    return {
        "synsets.starts": np.array(synsets.starts, np.int32),
        "synsets.offset": np.array([line.offset for line in synsets.lines], np.int32),
        "synsets.file": _small(line.file for line in synsets.lines),
        "synsets.members": _small(len(set(line.words)) for line in synsets.lines),
    }


def _below(
    relations: dict[str, NDArray[np.int32]],
    senses: NumberedSenses,
    counts: NDArray[np.int64],
    n: int,
) -> NDArray[np.int32]:
    """How often each synset or one below it occurs; one reached in two ways counts once."""
    steps = hypernym_steps(relations, n)
    reach = climb(steps, np.full(n, ANY, np.uint8))
    for source in range(n):
        for target in steps.targets[steps.offsets[source] : steps.offsets[source + 1]]:
            if steps_to(reach, int(target), source) >= 0:
                raise DataError("hypernyms-run-circle", "the hypernyms run in a circle")
    of_senses = np.array(list(chain.from_iterable(senses.synsets)), np.intp)
    own = np.bincount(of_senses, counts, n).astype(np.int64)
    return _summed(reach, own).astype(np.int32)


def _summed(reach: Reach, own: NDArray[np.int64]) -> NDArray[np.int64]:
    below = np.zeros_like(own)
    np.add.at(below, reach.synsets, np.repeat(own, np.diff(reach.offsets)))
    return below


def _frame_arrays(synsets: NumberedSynsets, senses: NumberedSenses) -> dict[str, NDArray[Any]]:
    """The senses of verbs, increasing, and the sentence frames of each, increasing."""
    found: set[tuple[int, int]] = set()
    for number, line in enumerate(synsets.lines):
        for frame in line.frames:
            words = line.words if frame.word == 0 else line.words[frame.word - 1 : frame.word]
            found |= {(senses.numbers[number, word], frame.number) for word in words}
    pairs = sorted(found)
    return {
        "frames.senses": np.array([sense for sense, _ in pairs], np.int32),
        "frames.numbers": _small(frame for _, frame in pairs),
    }


def _exception_arrays(directory: Path) -> dict[str, NDArray[np.uint8]]:
    """Irregular forms as text: a line each, with a tab before each base form."""
    arrays = {}
    for part in PARTS:
        found = read_exceptions(directory, part)
        text = "\n".join("\t".join((form, *bases)) for form, bases in sorted(found.items()))
        arrays[f"exceptions.{part}"] = np.frombuffer(text.encode(), np.uint8)
    return arrays


def _small(numbers: Iterable[int]) -> NDArray[np.uint8]:
    """Numbers as bytes."""
    return _fitting(np.array(list(numbers), np.int64), np.uint8)


def _fitting(numbers: NDArray[np.int64], kind: type[N]) -> NDArray[N]:
    """Numbers as a smaller kind.

    Raises:
        DataError: one does not fit.
    """
    if numbers.max(initial=0) > np.iinfo(kind).max:
        raise DataError(
            "kind-more-than-table", f"{numbers.max()} of a kind are more than the table can hold"
        )
    return numbers.astype(kind)


def write_lexicon(directory: Path, file: Path) -> None:
    """Compile a WordNet database, and write the table and WordNet's license beside it.

    Raises:
        DataError: a file is missing or malformed.
        OutputError: the table or the license cannot be written.
    """
    notice = read_license(directory)
    about = {"source": "WordNet", "version": version_in(notice)}
    write_table(file, about, compiled_arrays(directory))
    beside = file.with_name(LICENSE)
    try:
        beside.write_text(notice, "utf-8")
    except OSError as error:
        raise OutputError(
            "cannot-write", f"cannot write: {error.strerror}", place=str(beside)
        ) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile what the command line names; return the exit code."""
    parser = ArgumentParser(prog="python -m ensue.language.lexicon", description=__doc__)
    parser.add_argument("directory", metavar="WNDB_DIR", type=Path, help="where data.noun is")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, default=TABLE)
    chosen = parser.parse_args(arguments)
    try:
        write_lexicon(chosen.directory, chosen.output)
    except EnsueError as error:
        sys.stderr.write(f"error: {error}\n")
        return 3
    sys.stderr.write(f"wrote {chosen.output}, {chosen.output.stat().st_size:,} bytes\n")
    return 0
