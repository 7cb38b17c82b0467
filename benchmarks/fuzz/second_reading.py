"""What files of pairs hold, read a second time with Python's own modules only.

Where a row can be read in one way only, ours has to read it so; where it cannot, ours has to refuse
the file or to say something.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq

Sides = tuple[str, str]
"""Text and hypothesis, with single blanks."""


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What is there beyond doubt, and whether there is anything else."""

    pairs: tuple[Sides, ...]
    is_plain: bool
    """Whether every row can be read in one way only."""


UNCLEAR = SecondReading((), False)


def second_reading(content: bytes, format: str) -> SecondReading:
    """Read a file of pairs; `UNCLEAR` where it cannot be read at all."""
    try:
        rows = list(_READERS[format](_unpacked(content)))
    except Exception:  # whatever these modules do not like is not clear
        return UNCLEAR
    good = [row for row in rows if row is not None]
    return SecondReading(tuple(good), len(good) == len(rows))


def flat(text: str) -> str:
    """A text with single blanks."""
    return " ".join(text.split())


def _unpacked(content: bytes) -> bytes:
    for magic, unpack in _PACKERS.items():
        if content.startswith(magic):
            return unpack(content)
    return content


_PACKERS: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ": lzma.decompress,
}


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig")


def _sides(row: Any) -> Sides | None:
    if not isinstance(row, dict):
        return None
    sides = row.get("text"), row.get("hypothesis")
    if not all(isinstance(side, str) for side in sides):
        return None
    return flat(sides[0]), flat(sides[1])


def _distinct(found: list[tuple[str, Any]]) -> dict[str, Any] | None:
    row = dict(found)
    return row if len(row) == len(found) else None


def _jsonl(content: bytes) -> Iterator[Sides | None]:
    for line in _text(content).split("\n"):
        if line.strip():
            yield _sides(json.loads(line, object_pairs_hook=_distinct))


def _json(content: bytes) -> Iterator[Sides | None]:
    for row in json.loads(_text(content), object_pairs_hook=_distinct):
        yield _sides(row)


def _table(rows: Iterator[list[str]]) -> Iterator[Sides | None]:
    filled = (row for row in rows if any(cell.strip() for cell in row))
    header = [name.strip() for name in next(filled)]
    for row in filled:
        is_whole = len(row) == len(header)
        yield _sides(dict(zip(header, row, strict=True))) if is_whole else None


def _csv(content: bytes) -> Iterator[Sides | None]:
    text = _text(content)
    delimiter = ";" if ";" in text.split("\n", 1)[0] else ","
    yield from _table(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def _tsv(content: bytes) -> Iterator[Sides | None]:
    yield from _table(line.rstrip("\r").split("\t") for line in _text(content).split("\n"))


def _parquet(content: bytes) -> Iterator[Sides | None]:
    yield from (_sides(row) for row in pq.read_table(io.BytesIO(content)).to_pylist())


def _rte(content: bytes) -> Iterator[Sides | None]:
    for pair in ElementTree.fromstring(content).iter("pair"):
        sides = [pair.findall(tag) for tag in "th"]
        is_whole = all(len(found) == 1 for found in sides)
        yield _sides_of(*(found[0] for found in sides)) if is_whole else None


def _fracas(content: bytes) -> Iterator[Sides | None]:
    for problem in ElementTree.fromstring(content).iter("problem"):
        premises, hypotheses = problem.findall("p"), problem.findall("h")
        is_whole = len(premises) == len(hypotheses) == 1
        yield _sides_of(premises[0], hypotheses[0]) if is_whole else None


def _sides_of(text: ElementTree.Element, hypothesis: ElementTree.Element) -> Sides:
    return flat("".join(text.itertext())), flat("".join(hypothesis.itertext()))


_READERS: dict[str, Callable[[bytes], Iterator[Sides | None]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "csv": _csv,
    "tsv": _tsv,
    "parquet": _parquet,
    "rte": _rte,
    "fracas": _fracas,
}
