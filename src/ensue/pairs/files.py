"""Opening what the user names and writing so that nothing is lost or half written."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from ensue.errors import DataError, OutputError

STANDARD = "-"
"""The name of standard input and standard output."""

_GZIP_MAGIC = b"\x1f\x8b"


def shown_name(source: str | Path) -> str:
    """The name of a source as messages show it.

    >>> shown_name("-")
    '<standard input>'
    """
    return "<standard input>" if str(source) == STANDARD else str(source)


@contextmanager
def open_input(source: str | Path) -> Iterator[BinaryIO]:
    """Open a file or `-` for reading bytes; gzip is seen by its first bytes and unpacked.

    Raises:
        DataError: there is no such file, it cannot be read, or it is a broken gzip.
    """
    name = shown_name(source)
    try:
        with _raw_input(source) as raw:
            if raw.peek(2)[:2] == _GZIP_MAGIC:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield cast(BinaryIO, raw)
    except BrokenPipeError:
        raise  # somebody else's: whoever read what the caller writes has gone
    except FileNotFoundError:
        raise DataError(f"there is no file {name!r}", hint="check the path") from None
    except IsADirectoryError:
        raise DataError(f"{name!r} is a directory, not a file") from None
    except (gzip.BadGzipFile, EOFError) as error:
        raise DataError(f"broken gzip file: {error}", place=name) from None
    except OSError as error:
        raise DataError(f"cannot read: {error.strerror or error}", place=name) from None


@contextmanager
def _raw_input(source: str | Path) -> Iterator[io.BufferedReader]:
    if str(source) == STANDARD:
        yield cast(io.BufferedReader, sys.stdin.buffer)
    else:
        with Path(source).open("rb") as file:
            yield file


def decoded_lines(
    file: BinaryIO, name: str, encoding: str | None = None
) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, from 1, without line ends; a byte-order mark is dropped.

    Raises:
        DataError: a line is not in the encoding (UTF-8 unless one is given).
    """
    codec = encoding or "utf-8"
    for number, line in enumerate(file, 1):
        try:
            decoded = line.decode(codec)
        except UnicodeDecodeError as error:
            raise DataError(
                f"byte {error.start + 1} of the line is not {codec}",
                place=f"{name}:{number}",
                hint="name the file's encoding, e.g. --encoding latin-1",
            ) from None
        except LookupError:
            raise DataError(f"no encoding is called {codec!r}", hint="e.g. latin-1") from None
        yield number, decoded.removeprefix("\ufeff").rstrip("\r\n")


@contextmanager
def open_output(target: str | Path) -> Iterator[BinaryIO]:
    """Open a file or `-` for writing bytes; the file appears whole, at the end, or not at all.

    A name that ends in `.gz` is packed. On any exception, Ctrl-C included, what stood there before
    still stands there.

    Raises:
        OutputError: the place cannot be written.
    """
    if str(target) == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(target)
    with _writable(path):
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with _writable(path):
            with os.fdopen(handle, "wb") as raw:
                if path.suffix == ".gz":
                    # no name and no time inside: the same content gives the same bytes
                    with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                        yield cast(BinaryIO, packed)
                else:
                    yield raw
                raw.flush()
                os.fsync(raw.fileno())
            os.chmod(temporary, 0o666 & ~_umask())  # noqa: PTH101
            os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)  # noqa: PTH108
        raise


@contextmanager
def open_text_output(target: str | Path) -> Iterator[IO[str]]:
    """As `open_output`, for text in UTF-8 with plain line feeds."""
    with open_output(target) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield text
            text.flush()
        finally:
            text.detach()


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot write {str(path)!r}: {error.strerror or error}",
            hint="check that the directory exists and that you may write there",
        ) from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
