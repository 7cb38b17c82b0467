"""Findings in data; and objects of JSON, one a line or those of an array, each with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Any, BinaryIO

from ensue.errors import DataError
from ensue.files.inputs import decoded_lines, decoded_pieces, marked_encoding, peeked

# Findings: problems in data that are reported and not raised.


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in data, reported and not raised."""

    code: str
    """Stable, e.g. `duplicate-id`."""
    severity: Severity
    message: str
    place: str | None = None
    """`file:line`, where there is one place."""
    pair_ids: tuple[str, ...] = ()
    """The pairs that it concerns, at most a few."""
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Numbers behind the message, in values that JSON can hold."""


OnFinding = Callable[[Finding], None]
"""Called with each problem in data that does not stop the reading."""


def ignore_finding(finding: Finding) -> None:
    """Do nothing with a finding."""


# Objects of JSON.

Records = Iterator[tuple[int, dict[str, Any]]]
"""Cells by column, with the line at which each row begins."""

_HEAD = 4096
_DECODER = json.JSONDecoder()
_KEY = re.compile(r'"\s*:')
"""What stands after each key, and inside of texts for nothing."""
_BLANKS = re.compile(r"[ \t\n\r]*")
_LONGEST_LITERAL = len("-Infinity")
_LARGEST = 1 << 30
"""Characters of the largest object of an array."""
_HALF = re.compile("[\ud800-\udfff]")


def begins_array(head: bytes) -> bool:
    """Whether a file that begins so may be one array of JSON, and not an object a line."""
    first = first_line(head)
    return first.startswith(b"[") and first[1:].lstrip()[:1] in (b"", b"{", b"]")


def first_line(head: bytes) -> bytes:
    """The first line of a file that begins so, without marks and bytes of UTF-16."""
    return head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \r\n").partition(b"\n")[0]


def json_rows(
    file: BinaryIO,
    name: str,
    encoding: str | None,
    hint: str | None = None,
    on_finding: OnFinding = ignore_finding,
) -> Records:
    """The objects of a file that has one a line, or that is one array of them.

    An array is read object by object, as far as each goes.

    Raises:
        DataError: as `json_records`.
    """
    head, file = peeked(file, _HEAD)
    if not begins_array(head):
        yield from json_records(decoded_lines(file, name, encoding), name, hint, on_finding)
        return
    codec = encoding or marked_encoding(head) or "utf-8"
    yield from _ArrayReader(decoded_pieces(file, name, codec), name, hint, on_finding).records()


def json_records(
    lines: Iterable[tuple[int, str]],
    name: str,
    hint: str | None = None,
    on_finding: OnFinding = ignore_finding,
) -> Records:
    """The object of each line that has one; a key that stands twice in an object is a finding.

    Raises:
        DataError: a line is no object, or holds half a character, which no file in UTF-8 can.
    """
    for number, line in lines:
        if not line or line.isspace():
            continue
        try:
            record, end = _DECODER.raw_decode(line)
        except (ValueError, RecursionError):
            end = -1
        if end != len(line) or not isinstance(record, dict):
            record = _loaded(line, f"{name}:{number}", hint)
        if "\\" in line:
            _refuse_half_characters(record, line, f"{name}:{number}")
        # each key has a colon: where there are no more of them, none is doubled
        if line.count(":") != len(record):
            _report_doubled_keys(record, line, f"{name}:{number}", on_finding)
        yield number, record


def _loaded(line: str, place: str, hint: str | None) -> dict[str, Any]:
    """The object of a line that is none, or has blanks around it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", str(error))
        raise DataError("not-json", f"not JSON: {reason}", place=place, hint=hint) from None
    if not isinstance(record, dict):
        raise DataError("not-object", f"not an object: {line[:60]!r}", place=place, hint=hint)
    return record


def _refuse_half_characters(record: dict[str, Any], text: str, place: str) -> None:
    if "\\ud" in text or "\\uD" in text:
        half = _half_character(record)
        if half is not None:
            raise DataError(
                "half-character-lone-surrogate",
                f"{half!r} is half of a character (a lone surrogate)",
                place=place,
            )


def _half_character(value: Any) -> str | None:
    """The first half of a character in a value of JSON and what it holds."""
    if isinstance(value, str):
        found = _HALF.search(value)
        return found[0] if found else None
    if isinstance(value, dict | list):
        parts = chain(value, value.values()) if isinstance(value, dict) else value
        return next(filter(None, map(_half_character, parts)), None)
    return None


def _report_doubled_keys(
    record: dict[str, Any], text: str, place: str, on_finding: OnFinding
) -> None:
    n_keys = _n_keys(record)
    if text.count(":") == n_keys or len(_KEY.findall(text)) == n_keys:
        return
    doubled: dict[str, None] = {}

    def see(items: list[tuple[str, Any]]) -> None:
        keys = [key for key, _ in items]
        doubled.update((key, None) for key in keys if keys.count(key) > 1)

    json.loads(text, object_pairs_hook=see)
    for key in doubled:
        message = f"the key {key!r} stands twice in one object; the last one counts"
        on_finding(Finding("doubled-key", Severity.WARNING, message, place=place))


def _n_keys(value: Any) -> int:
    """How many keys there are in a value and in what it holds."""
    if isinstance(value, dict):
        return len(value) + sum(map(_n_keys, value.values()))
    return sum(map(_n_keys, value)) if isinstance(value, list) else 0


class _ArrayReader:
    """Reads the objects of an array one after the other; of the text no more is held than needed."""

    def __init__(
        self, pieces: Iterator[str], name: str, hint: str | None, on_finding: OnFinding
    ) -> None:
        self._pieces = pieces
        self._name = name
        self._hint = hint
        self._on_finding = on_finding
        self._text = ""
        self._at = 0
        self._line = 1
        """The number of the line at `_at`."""

    def records(self) -> Records:
        """Each object with the line at which it begins."""
        if self._peek() == "\ufeff":
            self._at += 1
        self._next("[")
        separators = "]{"
        while (found := self._next(separators)) != "]":
            if found == ",":
                found = self._next("{")
            self._at -= 1
            line = self._line
            record, end = self._decoded()
            text = self._text[self._at : end]
            place = f"{self._name}:{line}"
            _refuse_half_characters(record, text, place)
            _report_doubled_keys(record, text, place, self._on_finding)
            self._pass(end)
            yield line, record
            separators = "],"
        if self._peek():
            raise self._broken("something stands after the array")

    def _peek(self) -> str:
        """The next character that is no blank; none at the end."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            self._pass(blanks.end() if blanks else self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_on():
                return ""

    def _next(self, expected: str) -> str:
        """The next character that is no blank, which has to be one of some.

        Raises:
            DataError: it is none of them.
        """
        found = self._peek()
        if not found:
            raise self._broken("the array is not closed")
        if found not in expected:
            if "{" in expected:
                raise self._no_object()
            raise self._broken(f"{found!r} where {' or '.join(expected)} is due")
        self._at += 1
        return found

    def _decoded(self) -> tuple[dict[str, Any], int]:
        """The object that begins here, and where it ends."""
        while True:
            try:
                return _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # a text that breaks off is reported at its end, or where its last string begins
                is_cut = error.pos >= len(self._text) - _LONGEST_LITERAL
                is_cut = is_cut or error.msg.startswith("Unterminated")
                if not is_cut or len(self._text) > _LARGEST or not self._read_on():
                    raise self._broken(error.msg, error.pos) from None
            except RecursionError as error:
                raise self._broken(str(error)) from None

    def _read_on(self) -> bool:
        """Read as much more as is left of what was read, and a block at least; False at the end."""
        rest = [self._text[self._at :]]
        wanted, had = len(rest[0]), False
        for piece in self._pieces:
            rest.append(piece)
            wanted -= len(piece)
            had = had or bool(piece)
            if wanted <= 0 and had:
                break
        self._text, self._at = "".join(rest), 0
        return had

    def _pass(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _broken(self, reason: str, at: int | None = None) -> DataError:
        line = self._line + self._text.count("\n", self._at, at or self._at)
        place = f"{self._name}:{line}"
        return DataError("not-json", f"not JSON: {reason}", place=place, hint=self._hint)

    def _no_object(self) -> DataError:
        shown = self._text[self._at : self._at + 60]
        place = f"{self._name}:{self._line}"
        return DataError("not-object", f"not an object: {shown!r}", place=place, hint=self._hint)
