"""Read the files of a WordNet database as wndb(5WN) describes them; glosses are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from ensue.errors import DataError
from ensue.language.lexicon.relations import SYMBOLS, PartOfSpeech, Relation
from ensue.language.lexicon.vocabulary import normalized

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
        raise DataError("no copyright notice at the head of the file", place=str(path))
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
            f"cannot read WordNet's file {path.name!r}: {error.strerror}",
            place=str(path),
            hint="name a directory with data.*, index.*, *.exc and cntlist.rev of WordNet 3.0; "
            "Debian's package wordnet-base has them",
        ) from error
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8: {error.reason}", place=str(path)) from error
    return enumerate(text.splitlines(), 1)
