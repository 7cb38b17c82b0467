"""Opening files, URLs and standard input for reading, unpacked and decoded."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Literal, cast

from ensue.errors import DataError, EnsueError
from ensue.files.hub import hub_file, is_hub_name
from ensue.installation import pip_install


class BlockFile(io.RawIOBase):
    """A file that is read a block at a time; what is below it says what the next block is."""

    def block(self, size: int) -> bytes:
        """The next bytes, at most so many; none at the end."""
        raise NotImplementedError

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next block into a buffer."""
        block = self.block(len(buffer))
        buffer[: len(block)] = block
        return len(block)


# Files that a URL names, through fsspec and whatever packages it needs for them.

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:://|::.*://)")
_LOCAL = re.compile(r"(?:file|local)://")
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*@")
_REMOTE_BLOCK = 1 << 20


def is_url(source: str | Path) -> bool:
    """Whether a source is a URL, and not a name in the local file system.

    >>> is_url("s3://bucket/dev.jsonl"), is_url("dev.jsonl"), is_url("file:///data/dev.jsonl")
    (True, False, False)
    """
    return isinstance(source, str) and bool(_URL.match(source)) and not _LOCAL.match(source)


def local_name(source: str | Path) -> str:
    """A name in the local file system, which may have been given as a URL.

    >>> local_name("file:///data/dev.jsonl")
    '/data/dev.jsonl'
    """
    return _LOCAL.sub("", str(source), count=1) if _LOCAL.match(str(source)) else str(source)


def is_there(path: str | Path) -> bool:
    """Whether something stands at a path.

    As `is_file` and `is_directory`, it is False for names that no file can have, which are longer
    than the system takes or hold a NUL; for these `Path.exists` raises what nobody expects.
    """
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: str | Path) -> bool:
    """Whether a file stands at a path."""
    return os.path.isfile(path)  # noqa: PTH113


def is_directory(path: str | Path) -> bool:
    """Whether a directory stands at a path."""
    return os.path.isdir(path)  # noqa: PTH112


def without_password(url: str) -> str:
    """A URL as messages may show it.

    >>> without_password("sftp://ann:secret@host/dev.jsonl")
    'sftp://ann:…@host/dev.jsonl'
    """
    return _PASSWORD.sub(r"\1:…@", url)


def file_system(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it.

    Raises:
        DataError: nothing is known of such URLs, or their package is not installed.
    """
    import fsspec

    with reachable(url):
        system, path = fsspec.core.url_to_fs(url)
    return system, str(path)


@contextmanager
def open_url(url: str) -> Iterator[BinaryIO]:
    """Open the file of a URL for reading bytes.

    Raises:
        DataError: as `file_system`.
        OSError: it cannot be opened or read, whatever its own package raises then.
    """
    system, path = file_system(url)
    with reachable(url):
        file = system.open(path, "rb")
    with file:
        yield cast(BinaryIO, io.BufferedReader(_Remote(file), _REMOTE_BLOCK))


def checksum(url: str) -> str:
    """What the file system of a URL says that changes when its content does.

    Raises:
        DataError: as `file_system`, or it cannot be asked.
    """
    system, path = file_system(url)
    with reachable(url):
        return str(system.checksum(path))


@contextmanager
def reachable(url: str) -> Iterator[None]:
    """Turn whatever a file system's package raises into errors that say what to do."""
    try:
        yield
    except (OSError, EnsueError):
        raise
    except ImportError as error:
        raise _missing_package(url, error) from None
    except Exception as error:
        raise DataError(
            "cannot-reach",
            f"cannot reach {without_password(url)!r}: {_said(error)}",
            hint="check the URL and what its file system needs to let you in",
        ) from None


def _missing_package(url: str, error: ImportError) -> DataError:
    cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
    package = cause.name or str(error)
    scheme = re.split("://|::", url)[0]
    return DataError(
        "needs-package-not-installed",
        f"{scheme}:// needs the package {package!r}, which is not installed",
        place=without_password(url),
        hint=f"run: {pip_install(package)}",
    )


def _said(error: Exception) -> str:
    first = (str(error).splitlines() or [""])[0]
    return first or type(error).__name__


class _Remote(BlockFile):
    """A file of fsspec whose errors are all OSErrors, as those of a local file are."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with _as_system_error():
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def block(self, size: int) -> bytes:
        with _as_system_error():
            return bytes(self._file.read(size))


@contextmanager
def _as_system_error() -> Iterator[None]:
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(_said(error)) from error


# Packed files: which packing it is, and the bytes that are in it.


class Packing(StrEnum):
    """How a file is packed."""

    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"
    ZSTD = "zstd"
    LZ4 = "lz4"


_MAGIC = {
    b"\x1f\x8b": Packing.GZIP,
    b"\xfd7zXZ\x00": Packing.XZ,
    b"\x28\xb5\x2f\xfd": Packing.ZSTD,
    b"\x04\x22\x4d\x18": Packing.LZ4,
}
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
"""How a bzip2 file goes on after `BZh` and a digit; the second is one that holds nothing."""

_SUFFIXES = (".gz", ".bz2", ".xz", ".zst", ".zstd", ".lz4")

MAGIC_SIZE = 10
"""How many bytes tell the packing."""

_UNPACK_SIZE = 1 << 16


def packing_of(head: bytes) -> Packing | None:
    """The packing of a file that begins so; None where it is not packed.

    >>> packing_of(gzip.compress(b"text"))
    <Packing.GZIP: 'gzip'>
    """
    if head.startswith(b"BZh") and head[4:10] in _BZIP2_BLOCKS:
        return Packing.BZIP2
    return next((packing for magic, packing in _MAGIC.items() if head.startswith(magic)), None)


def unpacked_name(source: str | PurePath) -> PurePath:
    """The name without the end that says how the file is packed.

    >>> str(unpacked_name("dev.jsonl.zst"))
    'dev.jsonl'
    """
    path = PurePath(source)
    return path.with_suffix("") if path.suffix.lower() in _SUFFIXES else path


def unpacked(file: BinaryIO, packing: Packing, name: str) -> BinaryIO:
    """A file with what is packed in another; it cannot be sought.

    Reading raises DataError where the packed file is broken; `name` is its place.
    """
    return cast(
        BinaryIO, io.BufferedReader(_Unpacked(_OPENERS[packing](file), packing, name), _UNPACK_SIZE)
    )


class _Unpacked(BlockFile):
    """What is read from an unpacker, whose troubles get one name."""

    def __init__(self, inner: Any, packing: Packing, name: str) -> None:
        self._inner = inner
        self._packing = packing
        self._name = name

    def block(self, size: int) -> bytes:
        try:
            return bytes(self._inner.read(size))
        except (EOFError, ValueError, OSError, lzma.LZMAError, zlib.error) as error:
            if getattr(error, "errno", None) is not None:
                raise  # the file below cannot be read at all
            raise DataError(
                "broken-file",
                f"broken {self._packing} file: {error}",
                place=self._name,
                hint="is the file complete?",
            ) from None


def _by_pyarrow(file: Any, codec: Literal["zstd", "lz4"]) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(file, mode="r"), codec)


_OPENERS: dict[Packing, Callable[[BinaryIO], Any]] = {
    Packing.GZIP: lambda file: gzip.GzipFile(fileobj=file),
    Packing.BZIP2: bz2.BZ2File,
    Packing.XZ: lzma.LZMAFile,
    Packing.ZSTD: partial(_by_pyarrow, codec="zstd"),
    Packing.LZ4: partial(_by_pyarrow, codec="lz4"),
}


# Opening and decoding what the user names.

STANDARD = "-"
"""The name of standard input and standard output."""

_READ_SIZE = 1 << 16

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_ENCODING_HINT = "name the file's encoding, e.g. --read encoding=latin-1"


def shown_name(source: str | Path) -> str:
    """The name of a source as messages show it.

    >>> shown_name("-")
    '<standard input>'
    """
    return "<standard input>" if str(source) == STANDARD else without_password(str(source))


@contextmanager
def open_input(source: str | Path, *, unpack: bool = True) -> Iterator[BinaryIO]:
    """Open a file, a URL, a data set of the hub (as Parquet) or `-` for reading bytes.

    Args:
        source: What to open.
        unpack: Unpack gzip, bzip2, xz, zstd and lz4, which are seen by their first bytes.

    Raises:
        DataError: there is no such file, it cannot be read, or it is packed and broken.
    """
    name = shown_name(source)
    try:
        with _raw_input(source) as (head, raw):
            packing = packing_of(head) if unpack else None
            yield raw if packing is None else unpacked(raw, packing, name)
    except BrokenPipeError:
        raise  # somebody else's: whoever read what the caller writes has gone
    except FileNotFoundError:
        raise DataError("no-file", f"there is no file {name!r}", hint="check the path") from None
    except IsADirectoryError:
        raise DataError("directory-not-file", f"{name!r} is a directory, not a file") from None
    except OSError as error:
        raise DataError(
            "cannot-read", f"cannot read: {error.strerror or error}", place=name
        ) from None


@contextmanager
def _raw_input(source: str | Path) -> Iterator[tuple[bytes, BinaryIO]]:
    """The first bytes, and the file from its beginning."""
    if str(source) == STANDARD:
        yield peeked(sys.stdin.buffer, MAGIC_SIZE)  # a pipe's own peek may give one byte only
    elif is_url(source):
        with open_url(str(source)) as file:
            yield peeked_or_sought(file, MAGIC_SIZE)
    else:
        name = hub_file(str(source)) if is_hub_name(source) else local_name(source)
        if "\0" in name:
            raise FileNotFoundError
        with Path(name).open("rb") as file:
            yield peeked_or_sought(file, MAGIC_SIZE)


def peeked_or_sought(file: BinaryIO, size: int) -> tuple[bytes, BinaryIO]:
    """As `peeked`, and the file itself where it can be sought."""
    if not file.seekable():
        return peeked(file, size)
    head = file.read(size)
    file.seek(0)
    return head, file


def peeked(file: BinaryIO, size: int) -> tuple[bytes, BinaryIO]:
    """The first bytes of a file, and a file that still begins with them; nothing is sought."""
    head = file.read(size)
    return head, cast(BinaryIO, io.BufferedReader(_Rejoined(head, file), _READ_SIZE))


class _Rejoined(BlockFile):
    """Some bytes that were read from a file, followed by the rest of the file."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def block(self, size: int) -> bytes:
        taken = self._head[:size] or self._rest.read(size)
        self._head = self._head[size:]
        return taken


def marked_encoding(head: bytes) -> str | None:
    """The encoding that a byte-order mark announces, or None.

    >>> marked_encoding(codecs.BOM_UTF16_LE + b"a")
    'utf-16'
    """
    return next((codec for mark, codec in _MARKS if head.startswith(mark)), None)


def known_codec(encoding: str) -> codecs.CodecInfo:
    """The codec of that name.

    Raises:
        DataError: no text encoding is called so.
    """
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)
    except (LookupError, UnicodeError):  # there is one that is called 'undefined', and is
        raise DataError(
            "no-encoding-called",
            f"no encoding is called {encoding!r}",
            hint="e.g. utf-8, utf-16, latin-1, cp1252",
        ) from None
    return codec


def decoded_lines(
    file: BinaryIO,
    name: str,
    encoding: str | None = None,
    *,
    keep_ends: bool = False,
    first: int = 1,
) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without line ends; a byte-order mark is dropped.

    Without an encoding a file is what its byte-order mark says, and UTF-8 where it has none.

    Args:
        file: What is read, from where it stands.
        name: What it is called in messages.
        encoding: Overrides what the file says of itself.
        keep_ends: Leave the line ends where they are.
        first: The number of the line at which the file stands.

    Raises:
        DataError: a line is not in the encoding, or holds a NUL.
    """
    if encoding is None:
        head, file = peeked(file, 4)
        encoding = marked_encoding(head) or "utf-8"
    codec = known_codec(encoding)
    wide = codec.name.startswith(("utf-16", "utf-32"))
    lines = _wide_lines(file, name, codec) if wide else _narrow_lines(file, name, codec, first)
    for number, line in lines:
        if "\0" in line:
            raise DataError(
                "line-holds-nul",
                "the line holds a NUL",
                place=f"{name}:{number}",
                hint="is it text? name its encoding, e.g. --read encoding=utf-16-le",
            )
        line = line.removeprefix("\ufeff") if number == 1 else line
        yield number, line if keep_ends else line.rstrip("\r\n")


def _narrow_lines(
    file: BinaryIO, name: str, codec: codecs.CodecInfo, first: int
) -> Iterator[tuple[int, str]]:
    """Lines of an encoding in which a line feed is one byte and no part of another character."""
    for number, line in enumerate(file, first):
        try:
            yield number, line.decode(codec.name)
        except UnicodeError as error:
            byte = f"byte {error.start + 1} of " if isinstance(error, UnicodeDecodeError) else ""
            raise DataError(
                "line-not-in-format",
                f"{byte}the line is not {codec.name}",
                place=f"{name}:{number}",
                hint=_ENCODING_HINT,
            ) from None


def _wide_lines(file: BinaryIO, name: str, codec: codecs.CodecInfo) -> Iterator[tuple[int, str]]:
    """Lines of UTF-16 and UTF-32, where the byte of a line feed may be half of something else."""
    number = 1
    pending: list[str] = []
    for piece in decoded_pieces(file, name, codec.name):
        *ends, rest = piece.split("\n")
        for end in ends:
            yield number, "".join([*pending, end, "\n"])
            pending.clear()
            number += 1
        pending.append(rest)
    if last := "".join(pending):
        yield number, last


def filled_lines(paths: Sequence[str | Path], encoding: str | None = None) -> Iterator[str]:
    """The lines of some files, without blanks around them; empty ones are passed over."""
    for path in paths:
        with open_input(path) as file:
            for _, line in decoded_lines(file, shown_name(path), encoding):
                if line.strip():
                    yield line.strip()


def decoded_pieces(file: BinaryIO, name: str, encoding: str) -> Iterator[str]:
    """The text of a file, block by block.

    Raises:
        DataError: the bytes are not in the encoding; the place has the line.
    """
    codec = known_codec(encoding)
    decoder = codec.incrementaldecoder
    if decoder is None:
        raise DataError(
            "cannot-read-block-block",
            f"{encoding!r} cannot be read block by block",
            hint="e.g. utf-8",
        )
    state, line, block = decoder(), 1, b"."
    while block:
        block = file.read(_READ_SIZE)
        try:
            piece = state.decode(block, final=not block)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].decode(encoding, "ignore").count("\n")
            raise DataError(
                "byte-not",
                f"byte 0x{error.object[error.start]:02x} is not {encoding}",
                place=f"{name}:{line}",
                hint=_ENCODING_HINT,
            ) from None
        except UnicodeError as error:  # no byte is wrong: the byte-order mark is missing
            unmarked = f"; without a byte-order mark it is {codec.name}-le or {codec.name}-be"
            raise DataError(
                "file-not-in-format",
                f"the file is not {encoding}: {error}",
                place=f"{name}:{line}",
                hint=_ENCODING_HINT + unmarked * codec.name.startswith("utf-"),
            ) from None
        line += piece.count("\n")
        yield piece
