"""Files that a URL names, through fsspec and whatever packages it needs for them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from ensue.errors import DataError, EnsueError

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:://|::.*://)")
_LOCAL = re.compile(r"(?:file|local)://")
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*@")
_BLOCK = 1 << 20


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
        yield cast(BinaryIO, io.BufferedReader(_Remote(file), _BLOCK))


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
            f"cannot reach {without_password(url)!r}: {_said(error)}",
            hint="check the URL and what its file system needs to let you in",
        ) from None


def _missing_package(url: str, error: ImportError) -> DataError:
    cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
    package = cause.name or str(error)
    scheme = re.split("://|::", url)[0]
    return DataError(
        f"{scheme}:// needs the package {package!r}, which is not installed",
        place=without_password(url),
        hint=f"pip install {package}",
    )


def _said(error: Exception) -> str:
    first = (str(error).splitlines() or [""])[0]
    return first or type(error).__name__


class _Remote(io.RawIOBase):
    """A file of fsspec whose errors are all OSErrors, as those of a local file are."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with _as_system_error():
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, buffer: Any) -> int:
        with _as_system_error():
            block = self._file.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)


@contextmanager
def _as_system_error() -> Iterator[None]:
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(_said(error)) from error
