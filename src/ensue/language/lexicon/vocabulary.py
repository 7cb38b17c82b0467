"""The lexicon's table, its strings as words, entries and senses, and WordNet's relations.

Irregular forms come from lists, the others lose an ending. As in WordNet, and unlike in NLTK, a
noun in "-ss" and a noun of two letters are left alone ("boss" is no plural of the genus Bos). Its
rule for nouns in "-ful" is not here ("boxesful").

The file is `MAGIC`, the checksum of all that follows it and the length of the header (4 bytes each,
little-endian), the header, and the arrays, each at a multiple of 64 bytes. The header is JSON: what
is said of the whole, and for each array its type, length and place.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, OutputError, SettingError, UnknownNameError
from ensue.language.lexicon.kernels import (
    Numbers,
    Offsets,
    Steps,
    WordPairs,
    entries_as,
    find_words,
)

# The closed choices of the lexicon: parts of speech, and relations with their WNDB symbols.


class PartOfSpeech(StrEnum):
    """The four parts of speech that WordNet has, in the order in which the table keeps them."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"

    @property
    def number(self) -> int:
        """Its place in the table."""
        return PARTS.index(self)

    @property
    def letter(self) -> str:
        """WordNet's letter for it: n, v, a or r."""
        return _LETTERS[self.number]


PARTS = tuple(PartOfSpeech)
_LETTERS = "nvar"


def part_of_speech(name: str) -> PartOfSpeech:
    """The part of speech of that name, or of WordNet's letter for it.

    >>> part_of_speech("noun"), part_of_speech("s").value
    (<PartOfSpeech.NOUN: 'noun'>, 'adjective')

    Raises:
        UnknownNameError: there is none.
    """
    if name in PARTS:
        return PartOfSpeech(name)
    if name == "s":  # a satellite: an adjective that is near a more central one
        return PartOfSpeech.ADJECTIVE
    if len(name) == 1 and name in _LETTERS:
        return PARTS[_LETTERS.index(name)]
    raise UnknownNameError.of("part of speech", name, map(str, PARTS))


class Relation(StrEnum):
    """What one synset, or one sense of a word, is to another.

    The last four hold between senses of words, the others between whole synsets.
    """

    HYPERNYM = "hypernym"
    INSTANCE_HYPERNYM = "instance hypernym"
    MEMBER_HOLONYM = "member holonym"
    PART_HOLONYM = "part holonym"
    SUBSTANCE_HOLONYM = "substance holonym"
    ENTAILMENT = "entailment"
    CAUSE = "cause"
    SIMILAR = "similar"
    ANTONYM = "antonym"
    DERIVATION = "derivation"
    PERTAINYM = "pertainym"
    PARTICIPLE = "participle"

    @property
    def of_words(self) -> bool:
        """Whether it holds between senses of words."""
        return self in _OF_WORDS


_OF_WORDS = {Relation.ANTONYM, Relation.DERIVATION, Relation.PERTAINYM, Relation.PARTICIPLE}

SYMBOLS = {
    "@": Relation.HYPERNYM,
    "@i": Relation.INSTANCE_HYPERNYM,
    "#m": Relation.MEMBER_HOLONYM,
    "#p": Relation.PART_HOLONYM,
    "#s": Relation.SUBSTANCE_HOLONYM,
    "*": Relation.ENTAILMENT,
    ">": Relation.CAUSE,
    "&": Relation.SIMILAR,
    "!": Relation.ANTONYM,
    "+": Relation.DERIVATION,
    "\\": Relation.PERTAINYM,
    "<": Relation.PARTICIPLE,
}
"""Pointer symbols of wninput(5WN); those not here are not kept.

An adverb has the symbol of a pertainym for the adjective that it comes from.
"""

HOLONYMS = (Relation.PART_HOLONYM, Relation.MEMBER_HOLONYM, Relation.SUBSTANCE_HOLONYM)

KIN = (Relation.DERIVATION, Relation.PERTAINYM, Relation.PARTICIPLE)
"""Relations between words of the same root."""


def relation(name: str) -> Relation:
    """The relation of that name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in set(Relation):
        raise UnknownNameError.of("relation", name, map(str, Relation))
    return Relation(name)


# Relations of the table as steps from synset to synset.

ANY = 255
"""Any number of steps."""

PLACES = (15, 17)
"""The lexicographer files noun.location and noun.object: countries and cities; lakes, mountains
and continents."""

PERSONS = 18
"""The lexicographer file noun.person."""

Edges = tuple[Numbers, Numbers]


def edges(table: Mapping[str, NDArray[Any]], relation: Relation) -> Edges:
    """The sources and the targets of a relation."""
    return table[f"{relation}.sources"], table[f"{relation}.targets"]


def as_steps(parts: Sequence[Edges], n_synsets: int) -> Steps:
    """The steps of several relations, the first one's first."""
    sources = np.concatenate([part[0] for part in parts])
    targets = np.concatenate([part[1] for part in parts]).astype(np.int32)
    order = np.argsort(sources, kind="stable")
    sizes = np.bincount(sources, minlength=n_synsets)
    return Steps(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), targets[order])


def hypernym_steps(table: Mapping[str, NDArray[Any]], n_synsets: int) -> Steps:
    """Steps up the hierarchy, instances included."""
    kinds = (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM)
    return as_steps([edges(table, kind) for kind in kinds], n_synsets)


def general_steps(table: Mapping[str, NDArray[Any]], n_synsets: int) -> Steps:
    """Steps to what is as true and says no more.

    Up the hierarchy; into places (`_places`); from a verb to what it entails or causes; from an
    adjective to a similar one.
    """
    up = (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM, Relation.ENTAILMENT, Relation.CAUSE)
    near = edges(table, Relation.SIMILAR)
    return as_steps([*(edges(table, kind) for kind in up), *_places(table), near], n_synsets)


def _places(table: Mapping[str, NDArray[Any]]) -> tuple[Edges, Edges]:
    """To the place that something is part of, and from a place to what it is a member of.

    The Eiffel Tower is in Paris, and France in the EU. But a Spaniard, a member of Spain, is not in
    the EU for that, and who meets one does not meet Spain; and the hem of a dress, which is filed as
    a place, is no dress.
    """
    is_place = np.isin(table["synsets.file"], PLACES)
    is_person = table["synsets.file"] == PERSONS
    part, whole = edges(table, Relation.PART_HOLONYM)
    member, group = edges(table, Relation.MEMBER_HOLONYM)
    inside = is_place[whole] & ~is_person[part]
    belongs = is_place[member]
    return (part[inside], whole[inside]), (member[belongs], group[belongs])


def walk(steps: Steps, starts: Iterable[int]) -> dict[int, int]:
    """All that can be reached, nearest first, with the fewest steps to each."""
    away = {int(start): 0 for start in starts}
    queue = list(away)
    for synset in queue:
        for target in steps.targets[steps.offsets[synset] : steps.offsets[synset + 1]].tolist():
            if target not in away:
                away[target] = away[synset] + 1
                queue.append(target)
    return away


MAGIC = b"ENSUELX2"
_CHECKED = len(MAGIC) + 4
_HEADER = _CHECKED + 4
_ALIGNMENT = 64
HINT = "compile it again: python -m ensue.language.lexicon WNDB_DIR"
"""What helps where there is no table to use."""

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class LexiconTable:
    """Named arrays that nobody can write to, and what is said of them."""

    about: Mapping[str, str]
    arrays: Arrays = field(repr=False)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.arrays[name]


def write_table(path: Path, about: Mapping[str, str], arrays: Arrays) -> None:
    """Write arrays of one dimension; the same arrays make the same bytes.

    Raises:
        OutputError: the file cannot be written.
    """
    body = bytearray()
    sections: dict[str, list[Any]] = {}
    for name, array in arrays.items():
        body += bytes(-len(body) % _ALIGNMENT)
        little = array.astype(array.dtype.newbyteorder("<"))
        sections[name] = [little.dtype.str, len(little), len(body)]
        body += little.tobytes()
    header = {"about": dict(about), "sections": sections}
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-(_HEADER + len(head)) % _ALIGNMENT)
    checked = len(head).to_bytes(4, "little") + head + body
    try:
        if path.is_file():
            path.unlink()  # written over, it would change under those who have mapped it
        path.write_bytes(MAGIC + zlib.crc32(checked).to_bytes(4, "little") + checked)
    except OSError as error:
        raise OutputError(
            "cannot-write-table", f"cannot write the table: {error.strerror}", place=str(path)
        ) from error


def read_table(path: Path) -> LexiconTable:
    """Map a table into memory.

    Raises:
        DataError: there is none, or it is damaged.
    """
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise DataError(
            "cannot-map-table",
            f"cannot map the table: {getattr(error, 'strerror', None) or error}",
            place=str(path),
            hint=HINT,
        ) from error
    try:
        return _table(mapped)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            "table-damaged", f"the table is damaged: {error}", place=str(path), hint=HINT
        ) from error


def _table(mapped: mmap.mmap) -> LexiconTable:
    if mapped[: len(MAGIC)] != MAGIC:
        raise ValueError(f"it does not begin with {MAGIC.decode()!r}")
    checksum, length = (
        int.from_bytes(mapped[start : start + 4], "little") for start in (len(MAGIC), _CHECKED)
    )
    with memoryview(mapped) as whole, whole[_CHECKED:] as checked:
        if zlib.crc32(checked) != checksum:
            raise ValueError("its checksum is another")
    body = _HEADER + length
    header = json.loads(mapped[_HEADER:body])
    arrays = {
        name: np.frombuffer(mapped, np.dtype(kind), length, body + place)
        for name, (kind, length, place) in header["sections"].items()
    }
    return LexiconTable(header["about"], arrays)


# The base forms that a form may have: WordNet's morphy(7WN), without a look at the lexicon.

DETACHMENTS = {
    PartOfSpeech.NOUN: (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    PartOfSpeech.VERB: (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    PartOfSpeech.ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    PartOfSpeech.ADVERB: (),
}
"""Endings, and what takes their place: morphy(7WN), and "ves" of NLTK."""


def normalized(word: str) -> str:
    """A word as the lexicon keeps it: lower case, one space between the words of a collocation.

    >>> normalized("Hot_Dog"), normalized(" ice  cream ")
    ('hot dog', 'ice cream')
    """
    return " ".join(word.lower().replace("_", " ").split())


def base_forms(
    word: str, part: PartOfSpeech, exceptions: Mapping[str, tuple[str, ...]]
) -> list[str]:
    """The word itself, and what it may be a form of, words of the language or not.

    >>> base_forms("churches", PartOfSpeech.NOUN, {})
    ['churches', 'churche', 'church']
    >>> base_forms("geese", PartOfSpeech.NOUN, {"geese": ("goose",)})
    ['geese', 'goose']
    """
    if word in exceptions:
        return list(dict.fromkeys((word, *exceptions[word])))
    if part is PartOfSpeech.NOUN and (word.endswith("ss") or len(word) <= 2):
        return [word]
    detached = [
        word[: -len(ending)] + instead
        for ending, instead in DETACHMENTS[part]
        if word.endswith(ending)
    ]
    return list(dict.fromkeys((word, *detached)))


def base_forms_by_word(
    word: str, part: PartOfSpeech, exceptions: Mapping[str, tuple[str, ...]]
) -> list[str]:
    """What a collocation may be a form of if one of its words is inflected.

    >>> base_forms_by_word("looked after", PartOfSpeech.VERB, {})
    ['looke after', 'look after']
    """
    words = word.split()
    return [
        " ".join((*words[:i], base, *words[i + 1 :]))
        for i, each in enumerate(words)
        for base in base_forms(each, part, exceptions)
        if base and base != each
    ]


# From strings to the lexicon's words, entries and senses, many at a time.


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of the table. An entry is a word as one part of speech."""

    table: LexiconTable

    @cached_property
    def text_offsets(self) -> Offsets:
        """Where each word begins in the text, with the end of the last."""
        return offsets_of(self.table["words.lengths"])

    @cached_property
    def entry_offsets(self) -> Offsets:
        """Where each word's entries begin, with the end of the last."""
        return offsets_of(self.table["words.entries"])

    @cached_property
    def sense_offsets(self) -> Offsets:
        """Where each entry's senses begin, with the end of the last."""
        return offsets_of(self.table["entries.senses"])

    @cached_property
    def most_words(self) -> int:
        """Of how many words the longest collocation is."""
        spaces = np.add.reduceat(self.table["words.text"] == ord(" "), self.text_offsets[:-1])
        return int(spaces.max(initial=0)) + 1

    @cached_property
    def exceptions(self) -> Mapping[PartOfSpeech, Mapping[str, tuple[str, ...]]]:
        """Irregular forms with their base forms."""
        found = {}
        for part in PARTS:
            lines = self.table[f"exceptions.{part}"].tobytes().decode().splitlines()
            forms = (line.split("\t") for line in lines)
            found[part] = {form: tuple(bases) for form, *bases in forms}
        return found

    def find(self, words: Sequence[str]) -> Numbers:
        """The numbers of normalized words; -1 for those that are not there."""
        encoded = [word.encode("utf-8", "replace") for word in words]
        asked = np.frombuffer(b"".join(encoded), np.uint8)
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return find_words(self.table["words.text"], self.text_offsets, asked, offsets_of(lengths))

    def word(self, entry: int) -> str:
        """The word of an entry."""
        number = int(np.searchsorted(self.entry_offsets, entry, "right")) - 1
        start, end = self.text_offsets[number : number + 2]
        return self.table["words.text"][start:end].tobytes().decode()

    def part(self, entry: int) -> PartOfSpeech:
        """The part of speech of an entry."""
        return PARTS[int(self.table["entries.part"][entry])]

    def entry_of_sense(self, sense: int) -> int:
        """The entry that has a sense."""
        return int(np.searchsorted(self.sense_offsets, sense, "right")) - 1

    def entries(self, words: Sequence[str], part: PartOfSpeech) -> list[list[int]]:
        """The entries of which each word may be a form, its own first.

        Raises:
            SettingError: the words are one string.
        """
        require_many(words)
        exceptions = self.exceptions[part]
        plain = [normalized(word) for word in words]
        found = self._known([base_forms(word, part, exceptions) for word in plain], part)
        lost = [
            i
            for i, word in enumerate(plain)
            if not found[i] and 0 < word.count(" ") < self.most_words
        ]
        if lost:
            by_word = [base_forms_by_word(plain[i], part, exceptions) for i in lost]
            for i, entries in zip(lost, self._known(by_word, part), strict=True):
                found[i] = entries
        return found

    def _known(self, forms: Sequence[Sequence[str]], part: PartOfSpeech) -> list[list[int]]:
        """The entries of each group of forms that has one."""
        flat = self.entry(self.find(list(chain.from_iterable(forms))), part).tolist()
        found, at = [], 0
        for group in forms:
            found.append([entry for entry in flat[at : at + len(group)] if entry >= 0])
            at += len(group)
        return found

    def entry(self, numbers: Numbers, part: PartOfSpeech) -> Numbers:
        """The entry of each word as that part of speech; -1 where it has none."""
        return entries_as(part.number, numbers, self.entry_offsets, self.table["entries.part"])

    def senses(self, entries: Sequence[int], most: int | None = None) -> NDArray[np.int64]:
        """The numbers of the senses of some entries, of each only the first few if so wanted."""
        return ranges(*self._spans(np.array(entries, np.int64), most))

    def synset_pairs(
        self,
        first: Sequence[str],
        second: Sequence[str],
        part: PartOfSpeech,
        most: int | None = None,
    ) -> WordPairs:
        """Pairs of words with the synsets of each; every distinct word is looked up once.

        Raises:
            SettingError: there are more first than second words, or fewer, or they are one string.
        """
        require_pairs(first, second)
        numbers: dict[str, int] = {}
        of_first = [numbers.setdefault(word, len(numbers)) for word in first]
        of_second = [numbers.setdefault(word, len(numbers)) for word in second]
        entries = self.entries(list(numbers), part)
        starts, sizes = self._spans(np.array(list(chain.from_iterable(entries)), np.int64), most)
        before = offsets_of(sizes)
        offsets = before[offsets_of(np.array(list(map(len, entries)), np.int64))]
        synsets = self.table["senses.synset"][ranges(starts, sizes)]
        return WordPairs(
            np.array(of_first, np.int64), np.array(of_second, np.int64), offsets, synsets
        )

    def sense_pairs(
        self,
        first: Sequence[str],
        first_part: PartOfSpeech,
        second: Sequence[str],
        second_part: PartOfSpeech,
    ) -> WordPairs:
        """Pairs of words, maybe of two parts of speech, with the numbers of the senses of each.

        Raises:
            SettingError: there are more first than second words, or fewer, or they are one string.
        """
        require_pairs(first, second)
        entries = [*self.entries(first, first_part), *self.entries(second, second_part)]
        starts, sizes = self._spans(np.array(list(chain.from_iterable(entries)), np.int64), None)
        offsets = offsets_of(sizes)[offsets_of(np.array(list(map(len, entries)), np.int64))]
        numbers = np.arange(len(entries), dtype=np.int64)
        senses = ranges(starts, sizes).astype(np.int32)
        return WordPairs(numbers[: len(first)], numbers[len(first) :], offsets, senses)

    def _spans(
        self, entries: NDArray[np.int64], most: int | None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first sense of each entry, and how many to take.

        Raises:
            SettingError: that number is below 1.
        """
        if most is not None and most < 1:
            raise SettingError(
                "first-senses-make-no",
                f"the first {most!r} senses make no sense",
                hint="at least 1",
            )
        starts = self.sense_offsets[entries]
        sizes = self.sense_offsets[entries + 1] - starts
        return starts, sizes if most is None else np.minimum(sizes, most)


def require_many(words: Sequence[str]) -> None:
    """Check that words are not one string, whose letters would be taken for words.

    Raises:
        SettingError: they are.
    """
    if isinstance(words, str):
        raise SettingError(
            "word-not-many", f"{words!r} is one word, not many", hint="put it into a list"
        )


def require_pairs(first: Sequence[str], second: Sequence[str]) -> None:
    """Check that there are as many first as second words, and that neither are one string.

    Raises:
        SettingError: there are not, or they are.
    """
    require_many(first)
    require_many(second)
    if len(first) != len(second):
        raise SettingError(
            "words-cannot-paired", f"{len(first)} words cannot be paired with {len(second)}"
        )


def offsets_of(sizes: NDArray[np.uint8] | NDArray[np.int64]) -> Offsets:
    """Where each part begins, with the end of the last."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])


def ranges(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of all spans, one span after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = offsets_of(sizes)
    return np.repeat(starts - before[:-1], sizes) + np.arange(before[-1])
