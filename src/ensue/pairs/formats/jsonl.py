"""JSONL: one object a line, in our own fields or in those of SNLI and MultiNLI."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, BinaryIO

from ensue.errors import DataError
from ensue.files import decoded_lines, peeked, shown_name
from ensue.pairs.formats.columns import LAYOUTS, PairMaker, pair_to_record, telling_columns
from ensue.pairs.formats.model import (
    Cutting,
    FilePart,
    Format,
    LocatedPairs,
    Marks,
    OnFinding,
    ReadOptions,
    TextCuts,
    limited,
    open_part,
    plain_encoding,
)
from ensue.pairs.labels import LabelMapper
from ensue.pairs.model import Pair

_BRACE = ord("{")
_BLOCK = 1 << 18
_HINT = 'a line is {"id": …, "text": …, "hypothesis": …, "gold": …, "task": …, "meta": {…}}'


def read(file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of a JSONL file with their lines."""
    return _pairs(decoded_lines(file, name, options.encoding), name, options, on_finding)


def read_part(part: FilePart, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of one part of a JSONL file."""
    name = shown_name(part.source)
    with open_part(part, options.encoding) as (file, encoding):
        lines = decoded_lines(file, name, encoding, first=part.first)
        yield from _pairs(lines, name, options, on_finding, part)


def survey(file: BinaryIO, name: str, options: ReadOptions, grid: int) -> TextCuts | None:  # noqa: ARG001
    """Find every so many-th line that holds a pair; None where the labels have to be read in order."""
    head, file = peeked(file, 4)
    encoding = plain_encoding(options.encoding, head)
    labels = _LabelSearch(options)
    if encoding is None or not labels.is_possible:
        return None
    marks = Marks(grid)
    marks.begin()
    while lines := file.readlines(_BLOCK):
        labels.look_at(b"".join(lines))
        if not labels.are_clear():
            return None
        for line in lines:
            is_pair = line[0] == _BRACE or not _is_blank(line, encoding, marks.line)
            marks.add(len(line), 1, is_pair)
    return marks.cuts()


def _is_blank(line: bytes, encoding: str, number: int) -> bool:
    text = line.decode(encoding, "replace")
    return not (text.removeprefix("\ufeff") if number == 1 else text).strip()


class _LabelSearch:
    """Looks for labels in lines that nobody has parsed, to see whether they go together."""

    def __init__(self, options: ReadOptions) -> None:
        mappers = [(layout, LabelMapper(layout.labels, options.labels)) for layout in LAYOUTS]
        given = options.columns.get("gold")
        own = {layout.columns["gold"][0] for layout, mapper in mappers if mapper.vague}
        columns = {given} if given else own
        names = [
            frozenset[str]().union(*(mapper.vague for _, mapper in mappers)),
            frozenset[str]().union(*(mapper.fine for _, mapper in mappers if mapper.vague)),
        ]
        self.is_possible = all(map(_is_written_one_way, columns.union(*names)))
        """Whether all of this is written in one way only."""
        self._missing = [_searches(columns, each) for each in names if names[0]]
        """What has not been seen yet of the two kinds that do not go together."""
        self._is_needed = bool(names[0])

    def look_at(self, lines: bytes) -> None:
        """Note the labels of some lines."""
        self._missing = [
            searches
            for searches in self._missing
            if not any(search.search(lines) for search in searches)
        ]

    def are_clear(self) -> bool:
        """Whether the labels so far go together."""
        return bool(self._missing) or not self._is_needed


def _searches(columns: set[str], names: frozenset[str]) -> list[re.Pattern[bytes]]:
    """Find any of these labels, in any case, under any of these keys; one search is faster each."""
    known = "|".join(map(re.escape, sorted(names)))
    value = rf'"\s*(?i:{known})\s*"' + ("|false" if "false" in names else "")
    return [
        re.compile(rf'"{re.escape(column)}"\s*:\s*(?:{value})'.encode())
        for column in sorted(columns)
    ]


def _is_written_one_way(key: str) -> bool:
    return key.isascii() and json.dumps(key) == f'"{key}"'


def _pairs(
    lines: Iterable[tuple[int, str]],
    name: str,
    options: ReadOptions,
    on_finding: OnFinding,
    part: FilePart | None = None,
) -> LocatedPairs:
    makers: dict[frozenset[str], PairMaker] = {}
    telling = telling_columns(options.columns)
    mappers: dict[str, LabelMapper] = {}
    filled = ((line, text) for line, text in lines if text and not text.isspace())
    number = part.number if part else 0
    for line, text in limited(filled, part):
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


def write_jsonl(pairs: Iterable[Pair], file: BinaryIO) -> None:
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
    write=write_jsonl,
    has_columns=True,
    may_be_empty=True,
    cutting=Cutting(survey, read_part),
)
