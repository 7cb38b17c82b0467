"""Packed files: which packing it is, and the bytes that are in it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import PurePath
from typing import Any, BinaryIO, Literal, cast

from ensue.errors import DataError


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

_BLOCK = 1 << 16


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
        BinaryIO, io.BufferedReader(_Unpacked(_OPENERS[packing](file), packing, name), _BLOCK)
    )


class _Unpacked(io.RawIOBase):
    """What is read from an unpacker, whose troubles get one name."""

    def __init__(self, inner: Any, packing: Packing, name: str) -> None:
        self._inner = inner
        self._packing = packing
        self._name = name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            block = self._inner.read(len(buffer))
        except (EOFError, ValueError, OSError, lzma.LZMAError, zlib.error) as error:
            if getattr(error, "errno", None) is not None:
                raise  # the file below cannot be read at all
            raise DataError(
                f"broken {self._packing} file: {error}",
                place=self._name,
                hint="is the file complete?",
            ) from None
        buffer[: len(block)] = block
        return len(block)


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
