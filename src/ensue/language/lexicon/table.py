"""One file with named arrays that is mapped into memory, not read.

The file is `MAGIC`, the checksum of all that follows it and the length of the header (4 bytes each,
little-endian), the header, and the arrays, each at a multiple of 64 bytes. The header is JSON: what
is said of the whole, and for each array its type, length and place.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, OutputError

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
