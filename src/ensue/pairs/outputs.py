"""Writing so that nothing is lost or half written."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from ensue.errors import OutputError
from ensue.pairs.files import STANDARD


@contextmanager
def open_output(target: str | Path) -> Iterator[BinaryIO]:
    """Open a file or `-` for writing bytes; the file appears whole, at the end, or not at all.

    A name that ends in `.gz` is packed. On any exception, Ctrl-C included, what stood there before
    still stands there.

    Raises:
        OutputError: the place cannot be written.
    """
    if str(target) == STANDARD:
        if sys.stdout is None:
            raise OutputError("standard output is closed", hint="name a file with --output")
        with writable("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    check_output(target)
    path = Path(target).resolve()  # a link stays a link, and what it leads to is written
    if path.exists() and not path.is_file():  # a pipe, a device: there is nothing to rename over
        with writable(target), path.open("wb") as device:
            yield device
        return
    with writable(target):
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with writable(target):
            with os.fdopen(handle, "wb") as raw:
                with _packed(raw) if path.suffix == ".gz" else nullcontext(raw) as file:
                    yield cast(BinaryIO, file)
                raw.flush()
                os.fsync(raw.fileno())
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
            os.chmod(temporary, mode)  # noqa: PTH101
            os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)  # noqa: PTH108
        raise


def _packed(raw: BinaryIO) -> gzip.GzipFile:
    """Pack what is written; with no name and no time inside, so that it repeats to the byte."""
    return gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0)


def check_output(target: str | Path) -> None:
    """See early that a target is no directory, before work is done for it.

    Raises:
        OutputError: it is one.
    """
    if Path(target).is_dir():
        raise OutputError(
            f"cannot write {str(target)!r}: it is a directory", hint="name a file in it"
        )


def check_outputs(outputs: Sequence[str | Path], inputs: Sequence[str | Path] = ()) -> None:
    """See early that no output is a directory, an input, or another output.

    Standard streams are left alone; a device may be written twice.

    Raises:
        OutputError: one of them is; it says which.
    """
    taken = {_identity(each): "read" for each in inputs if str(each) != STANDARD}
    for output in outputs:
        if str(output) == STANDARD:
            continue
        check_output(output)
        path = Path(output).resolve()
        identity = _identity(path)
        if identity in taken and (path.is_file() or not path.exists()):
            raise OutputError(
                f"{str(output)!r} is {taken[identity]} by the same command",
                hint="name another file to write",
            )
        taken[identity] = "written"


def _identity(path: str | Path) -> tuple[int, int] | Path:
    """What is equal for two names of one file, links of either kind included."""
    try:
        status = Path(path).stat()
    except OSError:
        return Path(path).resolve()
    return status.st_dev, status.st_ino


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
def new_directory(target: str | Path, *, replace: str | None = None) -> Iterator[Path]:
    """Fill a directory that appears whole, at the end, or not at all.

    Args:
        target: Where it is to stand; nothing may stand there, but an empty directory.
        replace: A file by which a directory is known that may be replaced.

    Raises:
        OutputError: something stands there, or the place cannot be written.
    """
    path = Path(target).resolve()
    with writable(target):
        taken = path.exists() and not (path.is_dir() and not any(path.iterdir()))
        if taken and (replace is None or not (path / replace).is_file()):
            may_restart = replace is None and path.is_dir()
            raise OutputError(
                f"{str(target)!r} is there already",
                hint="name a new directory" + ", or use --restart" * may_restart,
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield made
        with writable(target):
            made.chmod(0o777 & ~_umask())
            if path.exists():
                old = made.with_name(f"{made.name}.old")
                path.rename(old)
                try:
                    made.rename(path)
                except BaseException:
                    old.rename(path)
                    raise
                shutil.rmtree(old)
            else:
                made.rename(path)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


@contextmanager
def writable(path: str | Path) -> Iterator[None]:
    """Turn the system's errors while a path is written into an OutputError that says so."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"cannot write {str(path)!r}: {error.strerror or error}",
            hint="check that the directory exists and that you may write there",
        ) from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
