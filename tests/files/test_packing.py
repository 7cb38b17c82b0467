"""Packed files: seen by their first bytes, and refused where they are broken."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from ensue.errors import DataError
from ensue.files.inputs import Packing, open_input, packing_of, unpacked
from ensue.pairs import Pair, read_pairs, survey, write_pairs

PAIR = Pair("1", "It rained.", "It was wet.")


def by_pyarrow(codec):
    def pack(content):
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, codec) as stream:
            stream.write(content)
        return sink.getvalue().to_pybytes()

    return pack


PACK = {
    Packing.GZIP: gzip.compress,
    Packing.BZIP2: bz2.compress,
    Packing.XZ: lzma.compress,
    Packing.ZSTD: by_pyarrow("zstd"),
    Packing.LZ4: by_pyarrow("lz4"),
}
SUFFIX = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lz4": ".lz4"}
PACKINGS = pytest.mark.parametrize("packing", Packing)


def packed_file(tmp_path, packing, suffix, n_pairs):
    plain = tmp_path / f"plain{suffix}"
    write_pairs(plain, [replace(PAIR, id=str(i)) for i in range(n_pairs)])
    path = tmp_path / f"x{suffix}{SUFFIX[packing]}"
    path.write_bytes(PACK[packing](plain.read_bytes()))
    return path


@PACKINGS
@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".xml", ".parquet"])
def test_packed_pairs_are_read(tmp_path, packing, suffix):
    path = packed_file(tmp_path, packing, suffix, 3)
    assert [pair.id for pair in read_pairs(path)] == ["0", "1", "2"]
    other = path.rename(tmp_path / "whatever")
    assert [pair.id for pair in read_pairs(other)] == ["0", "1", "2"]


@PACKINGS
def test_packed_pairs_are_read_from_standard_input(tmp_path, monkeypatch, packing):
    content = packed_file(tmp_path, packing, ".jsonl", 3).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert [pair.id for pair in read_pairs("-")] == ["0", "1", "2"]


@PACKINGS
@pytest.mark.parametrize(
    "damage",
    [
        lambda b: b[:-10],
        lambda b: b[: len(b) // 2],
        lambda b: b[:12] + bytes(~byte & 255 for byte in b[12:44]) + b[44:],
    ],
)
def test_broken_packing_is_refused(tmp_path, packing, damage):
    path = packed_file(tmp_path, packing, ".jsonl", 500)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DataError, match=f"broken {packing} file") as caught:
        list(read_pairs(path))
    assert caught.value.place == str(path)


@PACKINGS
def test_packed_file_is_not_located(tmp_path, packing):
    surveyed = survey(str(packed_file(tmp_path, packing, ".jsonl", 3)))
    assert not surveyed.is_located
    assert surveyed.files[0].format == "jsonl"


@PACKINGS
@given(content=st.binary(max_size=300))
def test_unpacked_is_what_was_packed(packing, content):
    packed = PACK[packing](content)
    assert packing_of(packed[:10]) is packing
    assert unpacked(io.BytesIO(packed), packing, "x").read() == content


@PACKINGS
def test_several_packed_files_in_one_are_read_one_after_the_other(packing):
    packed = PACK[packing](b"one ") + PACK[packing](b"two")
    assert unpacked(io.BytesIO(packed), packing, "x").read() == b"one two"


def test_text_that_only_begins_like_bzip2_is_text(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("BZh9,text,hypothesis\n1,a,b\n")
    with open_input(path) as file:
        assert file.read(4) == b"BZh9"


def test_trouble_below_the_packing_is_not_blamed_on_it(tmp_path, monkeypatch):
    class Failing(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        unpacked(io.BufferedReader(Failing()), Packing.GZIP, "x").read()


def test_open_input_leaves_a_file_packed_when_asked(tmp_path):
    path = packed_file(tmp_path, Packing.GZIP, ".jsonl", 3)
    with open_input(path, unpack=False) as file:
        assert file.read() == path.read_bytes()
