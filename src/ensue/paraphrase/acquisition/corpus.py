"""Plain text as numbers of tokens: read once, kept on disk, gone through as often as needed.

A line is a sentence, a paragraph or any piece of running text; what belongs together does not go on
in the next line. Tokens are those of `13a` in lower case: punctuation stands by itself, so that a
phrase is seen to go across it, and a word with an apostrophe is one token. Sentences end where
`sentences` ends them, by a cheap rule: a parser would take a thousand times as long.

What is kept in memory is a block and the vocabulary; the numbers of all tokens are in a temporary
file, 4 bytes a token. Standard input can be read for the same reason.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ensue.errors import OutputError
from ensue.files import decoded_lines, open_input, shown_name
from ensue.surface import MTEVAL_13A, tokenize

Ids = NDArray[np.int32]
Progress = Callable[[int], None]

END = -1
"""Stands before the first sentence of a block and after each."""
BLOCK = 1 << 20
"""Characters of text that are read, and tokens that are gone through, at once."""

_TYPOGRAPHY = {
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—", " - "),
    "…": " ... ",
    "\u00a0": " ",
}
_MAYBE_END = re.compile(r"""[.!?]["')\]]*[ \t]+(?=["'(\[]*[A-Z0-9])""")
_LONGEST_ABBREVIATION = 6
_TITLES = """mr mrs ms dr prof gen sen rep gov lt col sgt capt cmdr maj hon rev st mt ft jr sr"""
_DATES = """jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"""
_OTHERS = """inc corp co ltd vs no nos al fig approx dept est"""
_ABBREVIATIONS = frozenset(f"{_TITLES} {_DATES} {_OTHERS}".split())


def sentences(text: str) -> list[str]:
    """The sentences of a text; they end at line ends, too.

    A sentence ends at a full stop, a question or an exclamation mark before a capital or a digit,
    but for the full stop of a single letter or a known abbreviation.

    >>> sentences("Mr. Hill left. He was in the U.S. Army!")
    ['Mr. Hill left.', 'He was in the U.S. Army!']
    """
    if not text.isascii():
        for character, plain in _TYPOGRAPHY.items():  # five times as fast as str.translate
            text = text.replace(character, plain)
    return [each for each in _MAYBE_END.sub(_ended, text).split("\n") if each.strip()]


def _ended(found: re.Match[str]) -> str:
    """What may be the end of a sentence, with a line end behind it if it is one."""
    stop = found.start()
    before = found.string[max(stop - _LONGEST_ABBREVIATION, 0) : stop]
    words = re.split(r"[^\w]", before)
    is_abbreviation = found[0][0] == "." and (
        (len(words[-1]) == 1 and words[-1].isalpha()) or words[-1].lower() in _ABBREVIATIONS
    )
    return found[0] if is_abbreviation else f"{found[0].rstrip()}\n"


def text_blocks(
    paths: Iterable[str | Path],
    *,
    encoding: str | None = None,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> Iterator[list[str]]:
    """The sentences of files, some at a time.

    Args:
        paths: Plain text, also gzip; `-` for standard input.
        encoding: Of all of them; what their byte-order marks say, else UTF-8, where it is None.
        block: Characters at once; whole lines, so that one that is longer is a block by itself.
        progress: Is told how many more lines were read.

    Raises:
        DataError: a file cannot be read, or a line of it is not in its encoding.
    """
    for path in paths:
        lines: list[str] = []
        size = 0
        with open_input(path) as file:
            for _, line in decoded_lines(file, shown_name(path), encoding):
                lines.append(line)
                size += len(line)
                if size >= block:
                    yield from _some(lines, progress)
                    lines, size = [], 0
            yield from _some(lines, progress)


def _some(lines: list[str], progress: Progress | None) -> Iterator[list[str]]:
    found = sentences("\n".join(lines))
    if found:
        yield found
    if progress:
        progress(len(lines))


@dataclass(slots=True)
class CorpusVocabulary:
    """The distinct tokens of a run, numbered as they come."""

    _numbers: dict[bytes, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._numbers)

    def ids(self, strings: Sequence[str]) -> tuple[Ids, NDArray[np.int64]]:
        """The tokens of strings, new ones numbered, and where those of each begin, with the end."""
        tokens = tokenize(strings, MTEVAL_13A)
        numbers = self._numbers
        known = [numbers.setdefault(word, len(numbers)) for word in tokens.encoded_vocabulary()]
        return tokens.with_classes(np.array(known, np.int32)), tokens.offsets

    def words(self) -> list[str]:
        """All tokens, in the order of their numbers."""
        return [word.decode("utf-8", "surrogatepass") for word in self._numbers]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Sentences as numbers of tokens, on disk."""

    vocabulary: CorpusVocabulary
    n_sentences: int
    n_tokens: int
    _file: IO[bytes]
    _block: int

    def blocks(self) -> Iterator[Ids]:
        """The ids of whole sentences, `END` before the first and after each; as often as asked."""
        self._file.seek(0)
        rest = np.array([END], np.int32)
        while data := self._file.read(self._block * rest.itemsize):
            ids = np.concatenate([rest, np.frombuffer(data, np.int32)])
            last = int(np.flatnonzero(ids == END)[-1])
            if last > 0:
                yield ids[: last + 1]
            rest = ids[last:]


@contextmanager
def spooled(
    paths: Iterable[str | Path],
    vocabulary: CorpusVocabulary | None = None,
    *,
    encoding: str | None = None,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> Iterator[Corpus]:
    """Read files once and keep them as numbers for as long as they are needed.

    Args:
        paths: Plain text, also gzip; `-` for standard input.
        vocabulary: Tokens that have numbers already, e.g. those of terms.
        encoding: Of all files; what their byte-order marks say, else UTF-8, where it is None.
        block: How much is worked on at once; it changes no result.
        progress: Is told how many more lines were read.

    Raises:
        DataError: a file cannot be read, or a line of it is not in its encoding.
        OutputError: the numbers do not fit on the disk.
    """
    vocabulary = CorpusVocabulary() if vocabulary is None else vocabulary
    n_sentences = n_tokens = 0
    with tempfile.TemporaryFile() as file:
        for some in text_blocks(paths, encoding=encoding, block=block, progress=progress):
            ids = _with_ends(*vocabulary.ids(some))
            _write(file, ids)
            n_sentences += len(some)
            n_tokens += len(ids) - len(some)
        yield Corpus(vocabulary, n_sentences, n_tokens, file, block)


def _with_ends(ids: Ids, offsets: NDArray[np.int64]) -> Ids:
    """The ids of sentences with `END` after each."""
    n_sentences = offsets.size - 1
    ended = np.full(ids.size + n_sentences, END, np.int32)
    sentence_of = np.repeat(np.arange(n_sentences), np.diff(offsets))
    ended[np.arange(ids.size) + sentence_of] = ids
    return ended


def _write(file: IO[bytes], ids: Ids) -> None:
    try:
        file.write(ids.tobytes())
        file.flush()
    except OSError as error:
        raise OutputError(
            "cannot-keep-corpus",
            f"cannot keep the corpus in {tempfile.gettempdir()!r}: {error.strerror or error}",
            hint="it takes 4 bytes a token; TMPDIR names another directory",
        ) from None
