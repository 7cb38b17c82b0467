"""Writing so that nothing is lost or half written."""

from __future__ import annotations

import errno
import glob
import gzip
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, BinaryIO, NoReturn, cast

from ensue.errors import OutputError
from ensue.files.inputs import (
    STANDARD,
    is_directory,
    is_file,
    is_there,
    is_url,
    local_name,
    without_password,
)


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
            raise OutputError(
                "standard-output-closed",
                "standard output is closed",
                hint="name a file with --output",
            )
        with writable("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    _refuse_url(target)
    check_output(target)
    path = Path(target).resolve()  # a link stays a link, and what it leads to is written
    if is_there(path) and not is_file(path):  # a pipe, a device: there is nothing to rename over
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
        OutputError: it is one, or nothing can be called so.
    """
    check_name(target)
    if not is_url(target) and is_directory(target):
        raise OutputError(
            "cannot-write-directory",
            f"cannot write {str(target)!r}: it is a directory",
            hint="name a file in it",
        )


def check_name(target: str | Path) -> None:
    """Refuse a name that no file can have.

    Raises:
        OutputError: there is a NUL in it.
    """
    if "\0" in str(target):
        message = f"cannot write {str(target)!r}: no file can be called so"
        raise OutputError("cannot-write", message, hint="leave the NUL out")


def check_outputs(
    outputs: Sequence[str | Path],
    inputs: Sequence[str | Path] = (),
    *,
    may_be_folders: bool = False,
) -> None:
    """See early that no output is a directory, an input, or another output.

    Standard streams are left alone; a device may be written twice.

    Args:
        outputs: Files, or URLs.
        inputs: Files, folders, globs of files, or URLs.
        may_be_folders: Let an output be a directory.

    Raises:
        OutputError: one of them is; it says which.
    """
    named = [each for each in inputs if str(each) != STANDARD]
    taken = {file_identity(file): "read" for each in named for file in _files_of(each)}
    for output in outputs:
        if str(output) == STANDARD:
            continue
        if not may_be_folders:
            check_output(output)
        identity = file_identity(output)
        if identity in taken and not _is_device(output):
            raise OutputError(
                "same-command",
                f"{str(output)!r} is {taken[identity]} by the same command",
                hint="name another file to write",
            )
        taken[identity] = "written"


def check_outside(output: str | Path, source: str | Path) -> None:
    """See early that nothing is written into a folder whose files are read.

    Raises:
        OutputError: it would be, and would be read the next time.
    """
    if str(output) == STANDARD or is_url(output) or is_url(source):
        return
    folder = Path(local_name(source))
    if is_directory(folder) and Path(output).resolve().is_relative_to(folder.resolve()):
        raise OutputError(
            "folder-files-read",
            f"{str(output)!r} is in the folder {str(source)!r}, whose files are read",
            hint="write it somewhere else, so that it is not read as well the next time",
        )


def _files_of(source: str | Path) -> list[str]:
    """The files of a folder, those that a glob names, or the one that is named."""
    name = local_name(source)
    if is_url(source) or is_file(name):
        return [name]
    if is_directory(name):
        return [str(each) for each in Path(name).rglob("*") if each.is_file()]
    return glob.glob(name, recursive=True) or [name]  # noqa: PTH207 - of a path, not in one


def _is_device(output: str | Path) -> bool:
    return not is_url(output) and is_there(output) and not is_file(output)


def _refuse_url(target: str | Path) -> None:
    if is_url(target):
        raise OutputError(
            "cannot-write-url",
            f"cannot write {without_password(str(target))!r}: it is a URL",
            hint="write a local file, and copy it there",
        )


def file_identity(path: str | Path) -> tuple[int, int] | Path | str:
    """What is equal for two names of one file, links of either kind included."""
    if is_url(path):
        return str(path)
    try:
        status = Path(path).stat()
    except OSError:
        return Path(path).resolve()
    except ValueError:  # a NUL in the name
        return str(path)
    return status.st_dev, status.st_ino


@contextmanager
def open_text_output(target: str | Path) -> Iterator[IO[str]]:
    r"""As `open_output`, for text in UTF-8 with plain line feeds.

    Half a character, which UTF-8 cannot hold, is written as JSON escapes it: `\ud800`.
    """
    with open_output(target) as file:
        text = io.TextIOWrapper(
            file, encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True
        )
        try:
            yield text
            text.flush()
        finally:
            text.detach()


OTHER_WORK = "would-replace-other-work"
"""The code of the error that keeps a result from taking the place of another one's."""


def refuse_other_work(target: str | Path, what: str) -> NoReturn:
    """Refuse to replace what took work, and is not what is to be written there.

    Raises:
        OutputError: always.
    """
    raise OutputError(
        "would-replace-other-work",
        f"{str(target)!r} holds {what}, which would be lost",
        hint="replace it with --force, or name another output",
    )


@contextmanager
def new_directory(target: str | Path, *, replace: str | None = None) -> Iterator[Path]:
    """Fill a directory that appears whole, at the end, or not at all.

    Args:
        target: Where it is to stand; nothing may stand there, but an empty directory.
        replace: A file by which a directory is known that may be replaced.

    Raises:
        OutputError: something stands there, or the place cannot be written.
    """
    _refuse_url(target)
    path = Path(target).resolve()
    with writable(target):
        taken = path.exists() and not (path.is_dir() and not any(path.iterdir()))
        if taken and (replace is None or not (path / replace).is_file()):
            may_restart = replace is None and path.is_dir()
            raise OutputError(
                "is-there-already",
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
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        raise OutputError(
            "cannot-write",
            f"cannot write {str(path)!r}: {error.strerror or error}",
            hint="make room, and run it again"
            if full
            else "check that the directory exists and that you may write there",
        ) from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
