"""Files written whole or not at all, and rows of texts and numbers as CSV, TSV, JSONL or Parquet."""

from __future__ import annotations

import csv
import errno
import glob
import gzip
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence, Set as AbstractSet
from contextlib import contextmanager, nullcontext, suppress
from itertools import islice
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any, BinaryIO, NoReturn, cast

from ensue.errors import OutputError, SettingError
from ensue.files.formats import ROW_ENDS, RowFormat
from ensue.files.inputs import (
    STANDARD,
    is_directory,
    is_file,
    is_there,
    is_url,
    local_name,
    without_password,
)

if TYPE_CHECKING:
    import pyarrow as pa


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


OutputRow = Sequence[Any]
"""Texts, numbers, and None for an empty cell; in JSONL whatever JSON can hold."""

_GROUP = 16_384
"""Rows in a group of Parquet, which are held until they are written."""

NameOf = Callable[[OutputRow], str]
"""What messages call a row."""


def output_format(
    target: str | Path,
    named: RowFormat | str | None,
    *,
    what: str,
    standard: RowFormat = RowFormat.TSV,
) -> RowFormat:
    """The format in which rows are written: the one that is named, or that the target's name says.

    Args:
        target: A file, packed where its name ends in `.gz`, or `-`.
        named: What the user asks for, if anything.
        what: What the rows hold, for messages.
        standard: The format of standard output.

    Raises:
        SettingError: it is unknown, the name says none, or it is Parquet for standard output.
    """
    if named is not None and named not in list(RowFormat):
        raise SettingError(
            "no-format-called",
            f"no format of {what} is called {str(named)!r}",
            hint=f"known are: {', '.join(RowFormat)}",
        )
    # gzip is the one packing that is written
    by_name = ROW_ENDS.get(PurePath(str(target).lower().removesuffix(".gz")).suffix)
    found = RowFormat(named) if named else standard if str(target) == STANDARD else by_name
    if found is None:
        *ends, last = (f".{each}" for each in RowFormat)
        raise SettingError(
            "no-format-known-end",
            f"no format of {what} is known by the end of {str(target)!r}",
            hint=f"end the name in {', '.join(ends)} or {last}, or name one with --format",
        )
    if found is RowFormat.PARQUET and str(target) == STANDARD:
        raise SettingError(
            "parquet-not-standard-output", "Parquet is not for standard output", hint="name a file"
        )
    return found


def write_rows(
    file: BinaryIO,
    names: Sequence[str],
    rows: Iterable[OutputRow],
    *,
    format: RowFormat,
    numbers: AbstractSet[str] = frozenset(),
    name_of: NameOf | None = None,
) -> None:
    """Write rows under names, one after the other.

    Args:
        file: Where the bytes go.
        names: Of the columns.
        rows: As many cells as there are names.
        format: What to write.
        numbers: The names of the columns that hold numbers in Parquet; the others hold texts.
        name_of: What messages call a row.

    Raises:
        OutputError: the format cannot hold a row.
    """
    if format is RowFormat.PARQUET:
        _write_parquet(file, names, rows, numbers)
        return
    file.write(head_bytes(names, format))
    file.writelines(_encoded(_lines(names, rows, format, name_of or _this_row)))


def head_bytes(names: Sequence[str], format: RowFormat) -> bytes:
    """What stands before the rows of a file: the names in CSV and TSV, else nothing."""
    is_named = format in (RowFormat.CSV, RowFormat.TSV)
    return row_bytes(names, [names], format=format) if is_named else b""


def row_bytes(
    names: Sequence[str],
    rows: Iterable[OutputRow],
    *,
    format: RowFormat,
    numbers: AbstractSet[str] = frozenset(),
    name_of: NameOf | None = None,
) -> bytes:
    """Rows as part of a file, without its head; of Parquet, as a file of their own.

    The parts of a file of text, one after the other behind `head_bytes`, are what `write_rows`
    writes.
    """
    if format is not RowFormat.PARQUET:
        return b"".join(_encoded(_lines(names, rows, format, name_of or _this_row)))
    file = io.BytesIO()
    _write_parquet(file, names, rows, numbers)
    return file.getvalue()


def short_number(number: float | None) -> float | None:
    """A number of which a whole one is written without a point.

    >>> short_number(3.0), short_number(0.5)
    (3, 0.5)
    """
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _this_row(row: OutputRow) -> str:  # noqa: ARG001 - it has no name
    return "this row"


def _lines(
    names: Sequence[str], rows: Iterable[OutputRow], format: RowFormat, name_of: NameOf
) -> Iterator[str]:
    if format is RowFormat.CSV:
        return csv_lines(rows)
    if format is RowFormat.TSV:
        return _tsv_lines(rows, name_of)
    encoded = json.JSONEncoder(
        ensure_ascii=False
    ).encode  # made once: `json.dumps` makes one a line
    return (encoded(dict(zip(names, row, strict=True))) + "\n" for row in rows)


class _Echo:
    """A file for `csv.writer`, whose `writerow` returns what `write` does."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[OutputRow]) -> Iterator[str]:
    """Rows as lines of CSV, with their line ends."""
    plain = csv.writer(_Echo(), lineterminator="\n")
    quoted = csv.writer(_Echo(), lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        line: Any = plain.writerow(row)
        # the module does not quote a carriage return of its own accord, and chokes on it later
        yield quoted.writerow(row) if "\r" in line else line


def _tsv_lines(rows: Iterable[OutputRow], name_of: NameOf) -> Iterator[str]:
    for row in rows:
        cells = ["" if cell is None else str(cell) for cell in row]
        line = "\t".join(cells)
        if line.count("\t") >= len(cells) or "\n" in line or "\r" in line:
            raise OutputError(
                "holds-tab-line-break",
                f"{name_of(row)} holds a tab or a line break, which TSV cannot hold: {cells!r}",
                hint="write it as CSV or JSONL",
            )
        yield line + "\n"


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines that can be read again.

    Raises:
        OutputError: one holds a NUL or half a character.
    """
    for line in lines:
        try:
            content = line.encode()
        except UnicodeEncodeError:
            content = b"\0"
        if b"\0" in content:
            raise OutputError(
                "nul-half-character-row",
                f"a NUL or half a character is in this row: {line!r}",
                hint="take it out of the input",
            )
        yield content


def _write_parquet(
    file: BinaryIO, names: Sequence[str], rows: Iterable[OutputRow], numbers: AbstractSet[str]
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = [pa.float64() if name in numbers else pa.string() for name in names]
    schema = pa.schema(list(zip(names, kinds, strict=True)))
    left = iter(rows)
    with pq.ParquetWriter(file, schema) as writer:
        while batch := list(islice(left, _GROUP)):
            writer.write_batch(_record_batch(batch, schema))


def _record_batch(rows: list[OutputRow], schema: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    columns = [
        pa.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    return pa.record_batch(columns, schema=schema)
