"""JSONL: one object a line, in our own fields or in those of SNLI and MultiNLI."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, BinaryIO

from ensue.errors import DataError
from ensue.pairs.files import decoded_lines
from ensue.pairs.formats.layouts import telling_columns
from ensue.pairs.formats.model import Format, LocatedPairs, OnFinding, ReadOptions
from ensue.pairs.formats.records import PairMaker, pair_to_record
from ensue.pairs.labels import LabelMapper
from ensue.pairs.model import Pair

_HINT = 'a line is {"id": …, "text": …, "hypothesis": …, "gold": …, "task": …, "meta": {…}}'


def read(file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of a JSONL file with their lines."""
    makers: dict[frozenset[str], PairMaker] = {}
    telling = telling_columns(options.columns)
    mappers: dict[str, LabelMapper] = {}
    number = 0
    for line, text in decoded_lines(file, name, options.encoding):
        if not text.strip():
            continue
        place = f"{name}:{line}"
        record = _record(text, place)
        keys = telling.intersection(record)
        if keys not in makers:
            header = list(record)
            makers[keys] = PairMaker(
                header, name, options, on_finding, place=place, mappers=mappers
            )
        number += 1
        yield line, makers[keys].pair(record, line, number)


def write(pairs: Iterable[Pair], file: BinaryIO) -> None:
    """Write each pair as one line."""
    for pair in pairs:
        line = json.dumps(pair_to_record(pair), ensure_ascii=False) + "\n"
        file.write(line.encode())


def _record(text: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", str(error))
        raise DataError(f"not JSON: {reason}", place=place, hint=_HINT) from None
    if not isinstance(record, dict):
        raise DataError(f"not an object: {text[:60]!r}", place=place, hint=_HINT)
    if "\\u" in text:
        _refuse_half_characters(record, place)
    return record


def _refuse_half_characters(record: dict[str, Any], place: str) -> None:
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise DataError(
            f"{half!r} is half of a character (a lone surrogate)", place=place
        ) from None


def _sniff(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n").startswith(b"{")


FORMAT = Format(
    name="jsonl",
    summary="JSONL: id, text, hypothesis, gold, task, meta; also SNLI's and MultiNLI's fields",
    suffixes=(".jsonl", ".ndjson", ".json"),
    sniff=_sniff,
    read=read,
    write=write,
    has_columns=True,
    may_be_empty=True,
)
