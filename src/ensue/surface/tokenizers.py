"""Tokenizers, and strings, outputs and references as arrays of token numbers.

These functions define what a tokenizer does and serve where one string is looked at closely. Many
strings at once go through `ensue.surface.tokenizers`, whose compiled kernel is tested against them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.scanner import (
    CLASSES,
    SCAN_13A,
    SCAN_CHARACTERS,
    SCAN_WHITESPACE,
    SCAN_WORDS,
    scan_strings,
    string_ends,
)

# Tokenizers: how a string falls into tokens, told in plain Python.


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A named way to cut strings into tokens."""

    name: str
    summary: str
    split: Callable[[str], list[str]]
    """One string's tokens, in order."""
    scan: int
    """The compiled scanner that cuts a prepared string."""
    prepare: Callable[[str], str] = str
    """Rewrites a string so that the scanner cuts it as `split` cuts the original."""
    marks: tuple[str, ...] = ()
    """A string with any of these in it has to be prepared."""
    prepares_non_ascii: bool = False
    """Whether a string with other characters than ASCII's has to be prepared."""


# Rules of NIST's mteval-v13a.pl for Western languages, as sacreBLEU states them, in their order.
_RULES_13A = [
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]
_ENTITIES_13A = [("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")]


def _prepare_13a(string: str) -> str:
    string = string.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES_13A:
        string = string.replace(entity, character)
    return string


def _split_13a(string: str) -> list[str]:
    string = f" {_prepare_13a(string)} "
    for rule, replacement in _RULES_13A:
        string = rule.sub(replacement, string)
    return string.split()


_WORD = re.compile(r"\w+")


def _spaced_words(string: str) -> str:
    return " ".join(_WORD.findall(string))


def _spaced_characters(string: str) -> str:
    return " ".join("".join(string.split()))


MTEVAL_13A = Tokenizer(
    "13a",
    "mteval-v13a, as BLEU is usually reported: punctuation apart, numbers kept whole",
    _split_13a,
    SCAN_13A,
    _prepare_13a,
    ("&", "<", "\n"),
)
WORDS = Tokenizer(
    "words",
    "runs of letters, digits and underscores; punctuation is dropped",
    _WORD.findall,
    SCAN_WORDS,
    _spaced_words,
    prepares_non_ascii=True,
)
WHITESPACE = Tokenizer("whitespace", "what stands between white space", str.split, SCAN_WHITESPACE)
CHARACTERS = Tokenizer(
    "characters",
    "every character but white space",
    lambda string: list("".join(string.split())),
    SCAN_CHARACTERS,
    _spaced_characters,
    prepares_non_ascii=True,
)


@dataclass(frozen=True, slots=True)
class Located:
    """A token and the characters of the original string that it stands for."""

    token: str
    start: int
    end: int


def located_tokens(string: str, tokenizer: Tokenizer, *, lowercase: bool = True) -> list[Located]:
    """One string's tokens with their places.

    A token whose characters are not in the string as they are (13a joins words at a hyphen before
    a line end) gets the place where it would begin, with no width.
    """
    lowered = "".join(map(_lower_in_place, string)) if lowercase else string
    found: list[Located] = []
    position = 0
    for token in tokenizer.split(string.lower() if lowercase else string):
        start, end = _place(token, lowered, position)
        found.append(Located(token, start, end))
        position = end
    return found


def _lower_in_place(character: str) -> str:
    """The lower-case form where it is one character, so that places stay what they are."""
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _place(token: str, string: str, position: int) -> tuple[int, int]:
    forms = [token, *(entity for entity, character in _ENTITIES_13A if character == token)]
    places = [(string.find(form, position), len(form)) for form in forms]
    start, width = min(((at, width) for at, width in places if at >= 0), default=(position, 0))
    return start, start + width


# Many strings as one array of token numbers.

_SEPARATOR = "\0"
_PROBED = 64
"""Strings that are looked at to see whether all may be ASCII."""


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of many strings; equal tokens have equal numbers."""

    ids: NDArray[np.int32]
    """The numbers of all tokens, string after string."""
    offsets: NDArray[np.int64]
    """Where each string's tokens begin in `ids`, with the end of the last."""
    n_distinct: int
    """How many different tokens there are; their numbers are 0 to n_distinct - 1."""
    buffer: NDArray[np.uint8]
    """The strings as they were cut, in UTF-8."""
    first_start: NDArray[np.int64]
    """Where each distinct token first starts in the buffer."""
    first_size: NDArray[np.int64]
    """How many bytes it has."""

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each string has."""
        return np.diff(self.offsets)

    def vocabulary(self) -> list[str]:
        """The distinct tokens, in the order of their numbers."""
        return [word.decode("utf-8", "surrogatepass") for word in self.encoded_vocabulary()]

    def encoded_vocabulary(self) -> list[bytes]:
        """The distinct tokens in UTF-8, for those who only compare them."""
        data = self.buffer.tobytes()
        ends = (self.first_start + self.first_size).tolist()
        return [data[i:j] for i, j in zip(self.first_start.tolist(), ends, strict=True)]

    def with_classes(self, classes: NDArray[np.int32]) -> NDArray[np.int32]:
        """The ids with each number replaced by its class, e.g. that of its stem."""
        return classes[self.ids]


def tokenize(strings: Sequence[str], tokenizer: Tokenizer, *, lowercase: bool = True) -> Tokens:
    """Cut strings into tokens and number the distinct ones."""
    data = _joined(strings, tokenizer)
    if data is not None:
        return _scanned(data, strings, tokenizer, lowercase)
    pieces = _prepared(strings, tokenizer, lowercase)
    return _scanned(_SEPARATOR.encode().join(pieces), pieces, tokenizer, lowercase)


def _scanned(
    data: bytes, pieces: Sequence[str] | Sequence[bytes], tokenizer: Tokenizer, lowercase: bool
) -> Tokens:
    """The tokens of prepared strings that are joined."""
    buffer = np.frombuffer(data.lower() if lowercase else data, np.uint8)
    return _numbered(buffer, _ends(buffer, pieces), tokenizer)


def scan_joined(buffer: NDArray[np.uint8], n_strings: int, tokenizer: Tokenizer) -> Tokens:
    """Cut strings that are joined by zeros already, and ready for the scanner."""
    ends, _ = string_ends(buffer, n_strings)
    return _numbered(buffer, ends, tokenizer)


def _numbered(buffer: NDArray[np.uint8], ends: NDArray[np.int64], tokenizer: Tokenizer) -> Tokens:
    ids, offsets, starts, sizes = scan_strings(buffer, ends, CLASSES[tokenizer.scan])
    return Tokens(ids, offsets, starts.size, buffer, starts, sizes)


def tokenize_sides(
    test: Sequence[str], reference: Sequence[str], tokenizer: Tokenizer, *, lowercase: bool = True
) -> tuple[Tokens, NDArray[np.int64], NDArray[np.int64]]:
    """Cut both sides of many pairs, with the offsets of the test strings and of the references."""
    tokens = tokenize([*test, *reference], tokenizer, lowercase=lowercase)
    n = len(test)
    return tokens, tokens.offsets[: n + 1], tokens.offsets[n:]


def _joined(strings: Sequence[str], tokenizer: Tokenizer) -> bytes | None:
    """All strings in one, where none of them has to be prepared: the case of very many short ones."""
    # texts that are not all ASCII mostly show it at once, and need not be joined in vain
    if not all(map(str.isascii, strings[:_PROBED])):
        return None
    joined = _SEPARATOR.join(strings)
    if not joined.isascii() or any(mark in joined for mark in tokenizer.marks):
        return None
    return joined.encode()


def _prepared(strings: Sequence[str], tokenizer: Tokenizer, lowercase: bool) -> list[bytes]:
    """Each string as bytes that are ready for the scanner."""
    rewrites = tokenizer.prepares_non_ascii
    pieces = [
        string.encode() if string.isascii() else _piece(string, tokenizer, lowercase, rewrites)
        for string in strings
    ]
    for i in _marked(pieces, tokenizer.marks):
        pieces[i] = _piece(strings[i], tokenizer, lowercase, True)
    return pieces


def _marked(pieces: Sequence[bytes], marks: Sequence[str]) -> list[int]:
    """Which of the pieces have any of the marks in them."""
    data = _SEPARATOR.encode().join(pieces)
    found: list[int] = []
    for mark in map(str.encode, marks):
        at = data.find(mark)
        while at >= 0:
            found.append(at)
            at = data.find(mark, at + 1)
    if not found:
        return []
    ends = _ends(np.frombuffer(data, np.uint8), pieces)
    marked: list[int] = np.unique(np.searchsorted(ends, found, "right")).tolist()
    return marked


def _piece(string: str, tokenizer: Tokenizer, lowercase: bool, prepared: bool) -> bytes:
    """One string as UTF-8; what bytes.lower cannot do, other alphabets' capitals, is done here."""
    string = string.lower() if lowercase else string
    string = tokenizer.prepare(string) if prepared else string
    return string.encode("utf-8", "surrogatepass")


def _ends(buffer: NDArray[np.uint8], pieces: Sequence[str] | Sequence[bytes]) -> NDArray[np.int64]:
    """Where each of the pieces ends in a buffer of all."""
    if not pieces:
        return np.empty(0, np.int64)
    ends, n_separators = string_ends(buffer, len(pieces))
    if n_separators != len(pieces) - 1:  # a string has the separator in it
        sizes = np.fromiter(map(len, pieces), np.int64)
        ends = np.cumsum(sizes + 1) - 1
    return ends


# Outputs and their references as token numbers: what BLEU, NIST and TER of translations share.

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentTokens:
    """The tokens of many outputs and of the references of each.

    Every different string is there once: the references of a segment are cut once for all systems.
    """

    tokens: Tokens
    """Of the different strings."""
    outputs: Indices
    """The string of each output."""
    references: Indices
    """The strings of all references, output after output."""
    first: Indices
    """Where each output's references begin in `references`, with the end of the last."""
    tokenizer: Tokenizer
    lowercase: bool

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def output_length(self) -> Indices:
        """How many tokens each output has."""
        return self.tokens.lengths[self.outputs]

    @property
    def reference_lengths(self) -> Indices:
        """How many tokens each reference has, output after output."""
        return self.tokens.lengths[self.references]

    def mean_reference_length(self) -> NDArray[np.float64]:
        """The mean length of each output's references."""
        if len(self) == 0:
            return np.zeros(0)
        return np.add.reduceat(self.reference_lengths, self.first[:-1]) / np.diff(self.first)

    def closest_reference_length(self) -> Indices:
        """The length of each output's reference that is nearest to its own; of two, the shorter."""
        lengths = self.reference_lengths
        owner = np.repeat(np.arange(len(self)), np.diff(self.first))
        distance = np.abs(lengths - self.output_length[owner])
        order = np.lexsort((lengths, distance, owner))
        return lengths[order[self.first[:-1]]]


def tokenize_segments(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    tokenizer: Tokenizer,
    *,
    lowercase: bool = True,
) -> SegmentTokens:
    """Cut outputs and their references into tokens.

    Args:
        outputs: What systems wrote, one string a segment.
        references: For each output, one reference or more; they may differ in number.
        tokenizer: How strings are cut.
        lowercase: Whether capitals count as small letters.

    Raises:
        SettingError: outputs and references differ in number, or an output has no reference.
    """
    _check(outputs, references)
    strings = [*outputs, *chain.from_iterable(references)]
    distinct = list(dict.fromkeys(strings))
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    numbers = np.fromiter(map(number.__getitem__, strings), np.int64, len(strings))
    counts = np.fromiter(map(len, references), np.int64, len(references))
    return SegmentTokens(
        tokenize(distinct, tokenizer, lowercase=lowercase),
        numbers[: len(outputs)],
        numbers[len(outputs) :],
        np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
        tokenizer,
        lowercase,
    )


def _check(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    if len(outputs) != len(references):
        raise SettingError(
            "outputs-not-go-references",
            f"{len(outputs)} outputs do not go with the references of {len(references)}",
            hint="give one output and its references for each segment",
        )
    for i, several in enumerate(references):
        if isinstance(several, str):
            raise SettingError(
                "references-output-string",
                f"the references of output {i} are one string: {several!r}",
                hint="put it in a list, also where it is the only one",
            )
        if not several:
            raise SettingError(
                "output-no-reference",
                f"output {i} has no reference",
                hint="an empty string is a reference that says nothing",
            )
