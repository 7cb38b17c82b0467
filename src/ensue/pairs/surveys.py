"""Surveying what a source holds, and reading a part of it without the rest."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Unpack, cast

from ensue.errors import DataError
from ensue.files import (
    MAGIC_SIZE,
    BlockFile,
    OnFinding,
    checksum,
    ignore_finding,
    is_url,
    open_input,
    packing_of,
    shown_name,
)
from ensue.pairs.formats.columns import refuse_columns
from ensue.pairs.formats.model import (
    Cuts,
    FilePart,
    Format,
    ReadOptions,
    report_no_pairs,
)
from ensue.pairs.model import Pair
from ensue.pairs.sources import (
    ReadKeywords,
    expand,
    id_prefixes,
    is_stream,
    leaving_out,
    read_options,
    recognized,
)
from ensue.registry import find

GRID = 256
"""Every how many pairs the place in a file of text is remembered."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class SurveyedFile:
    """One file of a source, and where it can be cut."""

    source: str
    """File or URL."""
    format: str
    """The name of its format."""
    size: int
    """Bytes, as they lie there."""
    digest: str
    """The SHA-256 of these bytes; of a URL, what its file system says of them."""
    cuts: Cuts | None = None
    """Where it can be cut; None where it has to be read in one piece."""
    id_prefix: str = ""
    """What goes before the number that is the id of a pair without one."""
    is_numbered: bool = False
    """Whether its pairs are without ids, so that such a number is one, and the prefix counts."""

    @property
    def rows(self) -> int | None:
        """How many pairs it has; None where only reading tells."""
        return None if self.cuts is None else self.cuts.rows

    def parts(self, begin: int, end: int) -> Iterator[FilePart]:
        """The parts that hold the pairs from number `begin`, from 0, up to number `end`."""
        whole = FilePart(
            self.source, self.format, 0, self.size, 1, 0, self.rows or 0, id_prefix=self.id_prefix
        )
        if self.cuts is None:
            raise ValueError(f"{self.source!r} cannot be read in parts")
        return self.cuts.parts(whole, begin, end)


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What a source holds, without the pairs themselves."""

    source: str
    files: tuple[SurveyedFile, ...]
    """In the order of reading; none for standard input and other streams."""
    reading: ReadKeywords
    """How they are read."""

    @property
    def is_located(self) -> bool:
        """Whether any part of it can be read without the rest."""
        return bool(self.files) and all(file.cuts is not None for file in self.files)

    @property
    def n_rows(self) -> int | None:
        """How many pairs there are; None where only reading tells."""
        if not self.is_located:
            return None
        return sum(file.rows or 0 for file in self.files)

    @property
    def bytes(self) -> int:
        """The size of all files."""
        return sum(file.size for file in self.files)

    @property
    def digest(self) -> str:
        """The hash of all files in order; `-` for a stream.

        Their names count only as far as ids are made of them.
        """
        if not self.files:
            return "-"
        said = "\n".join(
            f"{file.digest} {file.id_prefix}" if file.is_numbered else file.digest
            for file in self.files
        )
        return sha256(said.encode("utf-8", "surrogateescape")).hexdigest()

    def parts(self, size: int) -> Iterator[tuple[FilePart, ...]]:
        """Cut the source into shards of `size` pairs each but the last, in order.

        A shard goes on into the next file where one ends. Files without pairs are parts without
        rows, so that whatever is wrong with them is found; there is at least one shard.

        Raises:
            ValueError: the source is not located, or the size is not positive.
        """
        if not self.is_located:
            raise ValueError(f"{self.source!r} cannot be read in parts")
        if size < 1:
            raise ValueError(f"a shard of {size} pairs makes no sense")
        return self._shards(size)

    def _shards(self, size: int) -> Iterator[tuple[FilePart, ...]]:
        shard: list[FilePart] = []
        room = size
        for file in self.files:
            rows, begin = file.rows or 0, 0
            if not rows:
                shard.extend(file.parts(0, 0))
            while begin < rows:
                if not room:
                    yield tuple(shard)
                    shard, room = [], size
                end = min(rows, begin + room)
                shard.extend(file.parts(begin, end))
                room -= end - begin
                begin = end
        yield tuple(shard)


def survey(
    source: str | Path,
    *,
    grid: int = GRID,
    progress: Callable[[int], None] | None = None,
    **reading: Unpack[ReadKeywords],
) -> Survey:
    """Find out what a source holds, in one pass over its bytes and without making pairs.

    Args:
        source: A file, a folder, a glob, a URL or `-`, as `expand` takes them.
        grid: Every how many pairs the place in a file of text is remembered.
        progress: Is told of bytes as they are read.
        **reading: How the files are read: the fields of `ReadKeywords`.

    Raises:
        DataError: there is nothing, or a file cannot be read as what it claims to be.
    """
    files = expand(source)
    if is_stream(files[0]):
        return Survey(str(source), (), reading)
    options = read_options(reading)
    prefixes = id_prefixes(files)
    surveyed = []
    for file, prefix in zip(files, prefixes, strict=True):
        own = replace(options, id_prefix=prefix)
        with leaving_out(file, files, source):
            surveyed.append(_surveyed(file, own, reading, grid, progress))
    return Survey(str(source), tuple(surveyed), reading)


def read_part(
    part: FilePart, *, on_finding: OnFinding | None = None, **reading: Unpack[ReadKeywords]
) -> Iterator[Pair]:
    """Yield the pairs of one part; those of all parts in order are what `read_pairs` gives.

    Args:
        part: One of `Survey.parts`.
        on_finding: As in `read_pairs`.
        **reading: As it was surveyed; the format is the part's own.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
    """
    options = replace(read_options(reading), id_prefix=part.id_prefix)
    report = on_finding or ignore_finding
    cutting = cast(Format, find("format", part.format)).cutting
    if cutting is None:
        raise ValueError(f"files of the format {part.format!r} are not read in parts")
    n_pairs = 0
    for _, pair in cutting.read(part, options, report):
        n_pairs += 1
        yield pair
    if n_pairs != part.rows:
        raise DataError(
            "file-changed-since-looked",
            f"the file has changed since it was looked through: {n_pairs:,} pairs where"
            f" {part.rows:,} were",
            place=shown_name(part.source),
            hint="begin anew with --restart when nobody writes it any more",
        )
    if not part.rows and not n_pairs:
        report_no_pairs(shown_name(part.source), report)


def _surveyed(
    source: str,
    options: ReadOptions,
    reading: ReadKeywords,
    grid: int,
    progress: Callable[[int], None] | None,
) -> SurveyedFile:
    with recognized(source, reading.get("format")) as (_, kind):
        if not kind.has_columns:
            refuse_columns(options.columns, kind.name)
    with open_input(source, unpack=False) as file:
        is_packed = packing_of(file.read(MAGIC_SIZE)) is not None
        watched = _Watched(file, progress, is_hashed=not is_url(source))
        cuts = None
        if kind.cutting is not None and not is_packed:
            buffered = cast(BinaryIO, io.BufferedReader(watched, _BLOCK))
            cuts = kind.cutting.survey(buffered, shown_name(source), options, grid)
        digest = checksum(source) if is_url(source) else watched.digest()
        size = watched.seek(0, io.SEEK_END)
    is_numbered = bool(options.id_prefix) and _is_numbered(source, options, reading)
    return SurveyedFile(source, kind.name, size, digest, cuts, options.id_prefix, is_numbered)


def _is_numbered(source: str, options: ReadOptions, reading: ReadKeywords) -> bool:
    """Whether the first pair has no id of its own."""
    with suppress(DataError), recognized(source, reading.get("format")) as (file, kind):
        first = next(kind.read(file, shown_name(source), options, ignore_finding), None)
        return first is not None and first[1].id == f"{options.id_prefix}1"
    return False  # broken, as whoever reads it says


class _Watched(BlockFile):
    """A file whose bytes are hashed and counted as they are read for the first time, in order."""

    def __init__(
        self, file: BinaryIO, progress: Callable[[int], None] | None, *, is_hashed: bool
    ) -> None:
        self._file = file
        self._progress = progress
        self._sha = sha256() if is_hashed else None
        self._at = file.seek(0)
        self._n_seen = 0

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = self._file.seek(offset, whence)
        return self._at

    def tell(self) -> int:
        return self._at

    def block(self, size: int) -> bytes:
        """The next bytes, which are seen where they are new."""
        block = self._file.read(size)
        if self._at == self._n_seen:
            self._see(block)
        self._at += len(block)
        return block

    def digest(self) -> str:
        """The hash of all bytes; those that nobody has read yet are read now."""
        self.seek(self._n_seen)
        while block := self._file.read(_BLOCK):
            self._see(block)
        return self._sha.hexdigest() if self._sha else ""

    def _see(self, block: bytes) -> None:
        self._n_seen += len(block)
        if self._sha:
            self._sha.update(block)
        if self._progress and block:
            self._progress(len(block))
