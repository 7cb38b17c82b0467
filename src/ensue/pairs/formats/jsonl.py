"""JSONL: one object a line, in our own fields or in those of SNLI and MultiNLI."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, BinaryIO

from ensue.errors import DataError
from ensue.pairs.files import decoded_lines, peeked, shown_name
from ensue.pairs.formats.layouts import LAYOUTS, telling_columns
from ensue.pairs.formats.marks import Marks, TextCuts, limited, open_part, plain_encoding
from ensue.pairs.formats.model import Cutting, Format, LocatedPairs, OnFinding, Part, ReadOptions
from ensue.pairs.formats.records import PairMaker, pair_to_record
from ensue.pairs.labels import LabelMapper
from ensue.pairs.model import Pair

_BRACE = ord("{")
_LABEL = r'"(?:[^"\\]|\\.)*"|false|true'
_MOST_KNOWN = 10_000
_HINT = 'a line is {"id": …, "text": …, "hypothesis": …, "gold": …, "task": …, "meta": {…}}'


def read(file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of a JSONL file with their lines."""
    return _pairs(decoded_lines(file, name, options.encoding), name, options, on_finding)


def read_part(part: Part, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of one part of a JSONL file."""
    name = shown_name(part.source)
    with open_part(part, options.encoding) as (file, encoding):
        lines = decoded_lines(file, name, encoding, first=part.first)
        yield from _pairs(lines, name, options, on_finding, part)


def survey(file: BinaryIO, name: str, options: ReadOptions, grid: int) -> TextCuts | None:  # noqa: ARG001
    """Find every so many-th line that holds a pair."""
    head, file = peeked(file, 4)
    encoding = plain_encoding(options.encoding, head)
    labels = _LabelSearch(options)
    if encoding is None or not labels.is_possible:
        return None
    marks = Marks(grid)
    marks.begin()
    for number, line in enumerate(file, 1):
        is_pair = line[0] == _BRACE or not _is_blank(line, encoding, number)
        marks.add(len(line), 1, is_pair)
        labels.look_at(line)
    return marks.cuts() if labels.are_clear() else None


def _is_blank(line: bytes, encoding: str, number: int) -> bool:
    text = line.decode(encoding, "replace")
    return not (text.removeprefix("\ufeff") if number == 1 else text).strip()


class _LabelSearch:
    """Finds the labels of lines that nobody has parsed, to see whether they go together."""

    def __init__(self, options: ReadOptions) -> None:
        mappers = [(layout, LabelMapper(layout.labels, options.labels)) for layout in LAYOUTS]
        self._mappers = [mapper for _, mapper in mappers if mapper.telling]
        self._telling = frozenset().union(*(mapper.telling for mapper in self._mappers))
        given = options.columns.get("gold")
        own = {layout.columns["gold"][0] for layout, mapper in mappers if mapper.telling}
        columns = {given} if given else own
        self.is_possible = not self._mappers or all(map(_is_written_one_way, columns))
        """Whether labels can be found: their keys are written in one way only."""
        keys = "|".join(sorted(map(re.escape, columns)))
        self._search = re.compile(rf'"(?:{keys})"\s*:\s*({_LABEL})'.encode()).findall
        self._known: set[bytes] = set()
        self._seen: set[str] = set()

    def look_at(self, line: bytes) -> None:
        """Note the labels of a line."""
        for written in self._search(line) if self._mappers else ():
            if written not in self._known:
                self._note(written)

    def are_clear(self) -> bool:
        """Whether the labels that were seen go together."""
        return all(mapper.are_clear(self._seen) for mapper in self._mappers)

    def _note(self, written: bytes) -> None:
        if len(self._known) < _MOST_KNOWN:
            self._known.add(written)
        with suppress(ValueError):  # whoever reads the line will say so
            name = str(json.loads(written)).strip().lower()
            self._seen.update({name} & self._telling)


def _is_written_one_way(key: str) -> bool:
    return key.isascii() and json.dumps(key) == f'"{key}"'


def _pairs(
    lines: Iterable[tuple[int, str]],
    name: str,
    options: ReadOptions,
    on_finding: OnFinding,
    part: Part | None = None,
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
    cutting=Cutting(survey, read_part),
)
