"""Checked claims, as text and as JSON."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import PurePath
from typing import IO, Any
from urllib.parse import quote

from ensue.claims import (
    CheckedClaim,
    CheckedClaims,
    ClaimStatus,
    ClaimText,
    Passage,
    SourceText,
    Support,
)
from ensue.files import is_url, open_text_output
from ensue.reports.model import on_a_line
from ensue.reports.page import environment
from ensue.reports.text import output_width, wrapped

FORMATS = ("table", "json", "jsonl", "sarif", "lines", "github")

_SHOWN = {
    ClaimStatus.SUPPORTED: "supported",
    ClaimStatus.CONTRADICTED: "CONTRADICTED",
    ClaimStatus.NOT_FOUND: "NOT FOUND",
    ClaimStatus.NOTHING_TO_CHECK: "nothing to check",
}


def write_checked(
    claims: CheckedClaims,
    *,
    output: str = "-",
    format: str = "table",
    texts: Iterable[SourceText | ClaimText] = (),
) -> None:
    """Write checked claims to a file or to standard output, whole or not at all.

    Args:
        claims: What was found.
        output: A file's name, or `-`.
        format: `table` is text for people; `json` is one object, `jsonl` a claim a line; `sarif`,
            `lines` and `github` have what is not supported by file and line.
        texts: Sources and claims, by which these lines are known.
    """
    with open_text_output(output) as file:
        if format == "table":
            width = output_width(file)
            for line in _lines(claims):
                file.writelines(f"{each}\n" for each in _kept_to(line, width))
        elif format == "json":
            _dump(claims.to_json(), file, indent=2)
        elif format == "sarif":
            _dump(checked_to_sarif(claims, texts), file, indent=2)
        elif format in ("lines", "github"):
            written = _problem_line if format == "lines" else _annotation
            places = FilePlaces(texts)
            file.writelines(f"{written(each, places)}\n" for each in claims if _is_problem(each))
        else:
            for each in claims:
                _dump(each.to_json(), file)


def _dump(value: object, file: IO[str], indent: int | None = None) -> None:
    json.dump(value, file, ensure_ascii=False, indent=indent, allow_nan=False)
    file.write("\n")


def _kept_to(line: str, width: int) -> list[str]:
    """A line in lines of a width, those after the first set in further."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    return wrapped(line.lstrip(" "), width, first=indent, then=f"{indent}   ")


def _lines(claims: CheckedClaims) -> Iterator[str]:
    for each in claims:
        yield f"{_flat(each.id)}. {_flat(each.claim.text)}"
        chance = "" if each.probability is None else f" ({each.probability:.2f})"
        yield f"   {_SHOWN[each.status]}{chance}: {each.reason}"
        for support in _shown_support(each):
            yield from _support_lines(support, each)
        yield from _part_lines(each)
        yield ""
    yield counts_line(claims)
    yield f"signature: {claims.signature}"


def _shown_support(checked: CheckedClaim) -> Sequence[Support]:
    """The passages that support a claim, or at least the best; all of one that is not supported."""
    if not checked.supported:
        return checked.support
    return [each for each in checked.support if each.holds] or checked.support[:1]


def _part_lines(checked: CheckedClaim) -> Iterator[str]:
    """The propositions of a claim that is not supported, of which no passage says so."""
    if checked.supported or len(checked.parts) < 2:
        return
    for part in checked.parts:
        if not part.supported:
            verdict = None if part.support is None else part.support.verdict
            score = (
                "" if verdict is None or verdict.score is None else f" (score {verdict.score:.4f})"
            )
            yield f"   not found of it: {_flat(part.proposition.statement)}{score}"


def counts_line(claims: CheckedClaims) -> str:
    """How many claims have which status, in words."""
    counts = claims.counts
    n_supported = counts.pop(ClaimStatus.SUPPORTED)
    others = [f"{n} {_SHOWN[status].lower()}" for status, n in counts.items() if n]
    shown = f": {', '.join(others)}" if others else ""
    return f"{n_supported} of {len(claims)} claims are supported{shown}"


def checked_fragment(claims: CheckedClaims) -> str:
    """Checked claims as a piece of HTML with its own ground, for light and dark notebooks."""
    template = environment().get_template("claims_fragment.html")
    return template.render(claims=claims, shown=_SHOWN, summary=counts_line(claims))


def _support_lines(support: Support, checked: CheckedClaim) -> Iterator[str]:
    passage, verdict = support.passage, support.verdict
    score = "" if verdict.score is None else f", score {verdict.score:.4f}"
    label = verdict.label.value if verdict.label else f"{verdict.status.value}: {verdict.reason}"
    place = _place(passage.file, passage.start, (0, passage.end - passage.start))
    events = ", borne out by its events" if support.is_borne_out else ""
    apart = f"{len(passage.spans)} sentences, " if passage.spans else ""
    yield f"   {place}: {_flat(passage.text)} ({apart}{label}{score}{events})"
    if support.restated:
        yield f"     in its figures: {_flat(support.restated)}"
    row = "" if checked.line is None else f":{checked.line}"
    for each in support.mismatches:
        places = _place(f"{checked.claim.file}{row}", checked.claim.start, each.hypothesis)
        if each.text is not None:
            places += f", {_place(passage.file, 0, passage.place(each.text))}"
        yield f"     {each.kind.value}: {on_a_line(each.message)} ({places})"


def _place(file: str, at: int, span: tuple[int, int]) -> str:
    return f"{on_a_line(file)} {at + span[0]}–{at + span[1]}"


def _flat(text: str) -> str:
    return " ".join(on_a_line(text).split())


# What is not supported, by file and line: for editors, code hosts and hooks.

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {ClaimStatus.CONTRADICTED: "error", ClaimStatus.NOT_FOUND: "warning"}
_RULES = {
    ClaimStatus.CONTRADICTED: "A source says otherwise than the claim.",
    ClaimStatus.NOT_FOUND: "No source says what the claim says.",
}


class FilePlaces:
    """Characters of files as lines and columns, both from 1."""

    def __init__(self, texts: Iterable[SourceText | ClaimText]) -> None:
        """Know where the lines of texts begin; the cells of tables have the line of their row."""
        self._begins: dict[str, list[int]] = {}
        for each in texts:
            if getattr(each, "line", None) is None and each.file not in self._begins:
                text = each.text
                begins = [0, *(i for i, sign in enumerate(text, 1) if sign == "\n")]
                self._begins[each.file] = begins

    def place(self, file: str, offset: int) -> tuple[int, int]:
        """The line and the column of a character."""
        begins = self._begins.get(file, [0])
        line = bisect_right(begins, offset)
        return line, offset - begins[line - 1] + 1

    def region(self, file: str, start: int, end: int) -> dict[str, int]:
        """A stretch as SARIF has it; its end is the column after the last character."""
        line, column = self.place(file, start)
        last, after = self.place(file, max(end - 1, start))
        found = {"startLine": line, "startColumn": column, "endLine": last, "endColumn": after + 1}
        return {**found, "charOffset": start, "charLength": end - start}


def checked_to_sarif(
    claims: CheckedClaims, texts: Iterable[SourceText | ClaimText] = ()
) -> dict[str, Any]:
    """What is not supported as a log of SARIF 2.1.0, a result a claim.

    Args:
        claims: What was found.
        texts: Sources and claims, by which lines are known.
    """
    places = FilePlaces(texts)
    rules = [
        {"id": rule.value, "shortDescription": {"text": said}} for rule, said in _RULES.items()
    ]
    driver = {"name": "ensue", "version": claims.signature.version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, places) for each in claims if _is_problem(each)],
        "properties": {"signature": str(claims.signature)},
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _is_problem(checked: CheckedClaim) -> bool:
    return checked.status in _RULES


def _result(checked: CheckedClaim, places: FilePlaces) -> dict[str, Any]:
    claim = checked.claim
    region = places.region(claim.file, claim.start, claim.end)
    if checked.line is not None:  # a cell of a table, whose row is known
        region = {"startLine": checked.line}
    told = "\n".join([claim.text, claim.file, str(claim.start), str(checked.line)])
    found: dict[str, Any] = {
        "ruleId": checked.status.value,
        "ruleIndex": list(_RULES).index(checked.status),
        "level": _LEVELS[checked.status],
        "message": {"text": _problem(checked)},
        "locations": [_location(claim.file, region)],
        "relatedLocations": _related(checked, places),
        "partialFingerprints": {"claim/v1": sha256(told.encode("utf-8", "replace")).hexdigest()},
        "properties": {"id": checked.id, "claim": claim.text, "probability": checked.probability},
    }
    return found


def _location(file: str, region: dict[str, int], message: str | None = None) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": _uri(file)}, "region": region}
    said = {} if message is None else {"message": {"text": message}}
    return {"physicalLocation": place, **said}


def _related(checked: CheckedClaim, places: FilePlaces) -> list[dict[str, Any]]:
    """The best passage, and the stretches in it that say otherwise."""
    found = []
    for support in checked.support[:1]:
        passage = support.passage
        parts = passage.spans or ((passage.start, passage.end),)
        stretches = [(*each, "the nearest passage") for each in parts]
        for each in support.mismatches:
            if each.text is not None:
                stretches.append((*passage.place(each.text), f"{each.kind.value}: {each.message}"))
        for start, end, message in dict.fromkeys(stretches):
            found.append(
                _location(passage.file, places.region(passage.file, start, end), on_a_line(message))
            )
    return found


def _uri(file: str) -> str:
    if is_url(file):
        return file
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _problem(checked: CheckedClaim) -> str:
    """What is wrong with a claim, in a line."""
    differing = checked.support[0].mismatches if checked.support else ()
    said = "; ".join(dict.fromkeys(each.message for each in differing))
    told = f"{checked.status.value}: {said or checked.reason}"
    return f"{on_a_line(told)}: {_flat(checked.claim.text)}"


def _problem_line(checked: CheckedClaim, places: FilePlaces) -> str:
    """As compilers say it, which editors and problem matchers know: `file:line:column: error: …`."""
    line, column = _place_of(checked.claim, checked.line, places)
    level = _LEVELS[checked.status]
    return f"{on_a_line(checked.claim.file)}:{line}:{column}: {level}: {_problem(checked)}"


def _annotation(checked: CheckedClaim, places: FilePlaces) -> str:
    """A command that a GitHub workflow turns into an annotation."""
    line, column = _place_of(checked.claim, checked.line, places)
    last, _ = places.place(checked.claim.file, max(checked.claim.end - 1, 0))
    end = line if checked.line is not None else last
    properties = {
        "file": checked.claim.file,
        "line": line,
        "endLine": end,
        "col": column,
        "title": f"claim {checked.status.value}",
    }
    told = ",".join(f"{name}={_escaped(str(value), ',:')}" for name, value in properties.items())
    return f"::{_LEVELS[checked.status]} {told}::{_escaped(_problem(checked), '')}"


def _place_of(claim: Passage, row: int | None, places: FilePlaces) -> tuple[int, int]:
    return (row, 1) if row is not None else places.place(claim.file, claim.start)


def _escaped(text: str, others: str) -> str:
    """A text as workflow commands need it."""
    for sign in f"%\r\n{others}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


# A source as a whole, cut where passages begin and end, for pages.


@dataclass(frozen=True, slots=True)
class MarkedSegment:
    """A stretch of a text of which the same is to be said."""

    text: str
    claims: tuple[int, ...] = ()
    """The numbers, from 1, of the claims whose passage it is in."""
    differing: tuple[int, ...] = ()
    """Of those that say otherwise than it does."""


def marked_source(text: str, claims: CheckedClaims) -> list[MarkedSegment]:
    """All of a source, cut where the passages of claims and what differs in them begin and end.

    Args:
        text: The only source.
        claims: What was checked against it; of each the passages that are shown for it, of one that
            is not supported the nearest.
    """
    near, differing = [], []
    for number, each in enumerate(claims, 1):
        shown = _shown_support(each) if each.supported else each.support[:1]
        for support in shown:
            passage = support.passage
            parts = passage.spans or ((passage.start, passage.end),)
            near += [(number, *part) for part in parts]
            found = [passage.place(m.text) for m in support.mismatches if m.text is not None]
            differing += [(number, *span) for span in found]
    return _cut(text, near, differing)


def marked_claim(checked: CheckedClaim) -> list[MarkedSegment]:
    """A claim, cut where what the nearest passage says otherwise begins and ends."""
    shown = checked.support[:1]
    spans = [(1, *each.hypothesis) for support in shown for each in support.mismatches]
    return _cut(checked.claim.text, [], spans)


def _cut(
    text: str, near: list[tuple[int, int, int]], differing: list[tuple[int, int, int]]
) -> list[MarkedSegment]:
    ends = {0, len(text), *(at for _, *span in [*near, *differing] for at in span)}
    places = sorted(at for at in ends if 0 <= at <= len(text))
    return [
        MarkedSegment(text[start:end], _numbers(near, start, end), _numbers(differing, start, end))
        for start, end in pairwise(places)
    ]


def _numbers(spans: list[tuple[int, int, int]], start: int, end: int) -> tuple[int, ...]:
    """The claims of the stretches that a segment is in."""
    return tuple(dict.fromkeys(n for n, first, last in spans if first <= start and end <= last))
