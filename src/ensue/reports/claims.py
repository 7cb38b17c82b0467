"""Checked claims, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import IO, Any

from ensue.claims import CheckedClaim, Support
from ensue.files import open_text_output
from ensue.pairs import Signature
from ensue.reports.model import on_a_line
from ensue.reports.text import output_width, wrapped

FORMATS = ("table", "json", "jsonl")


def write_checked(
    claims: Sequence[CheckedClaim],
    signature: Signature,
    *,
    output: str = "-",
    format: str = "table",
) -> None:
    """Write checked claims to a file or to standard output, whole or not at all.

    Args:
        claims: What was found.
        signature: Of the recognizer.
        output: A file's name, or `-`.
        format: `table` is text for people; `json` is one object, `jsonl` a claim a line.
    """
    with open_text_output(output) as file:
        if format == "table":
            width = output_width(file)
            for line in _lines(claims, signature):
                file.writelines(f"{each}\n" for each in _kept_to(line, width))
        elif format == "json":
            _dump(checked_to_json(claims, signature), file, indent=2)
        else:
            for each in claims:
                _dump(each.to_json(), file)


def checked_to_json(claims: Sequence[CheckedClaim], signature: Signature) -> dict[str, Any]:
    """All claims in values that JSON can hold, with how many are supported."""
    return {
        "signature": signature.to_json(),
        "claims": [each.to_json() for each in claims],
        "n_claims": len(claims),
        "n_supported": sum(each.supported for each in claims),
    }


def _dump(value: object, file: IO[str], indent: int | None = None) -> None:
    json.dump(value, file, ensure_ascii=False, indent=indent, allow_nan=False)
    file.write("\n")


def _kept_to(line: str, width: int) -> list[str]:
    """A line in lines of a width, those after the first set in further."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    return wrapped(line.lstrip(" "), width, first=indent, then=f"{indent}   ")


def _lines(claims: Sequence[CheckedClaim], signature: Signature) -> Iterator[str]:
    for each in claims:
        verdict = "supported" if each.supported else "NOT SUPPORTED"
        yield f"{_flat(each.id)}. {_flat(each.claim.text)}"
        yield f"   {verdict}: {each.reason}"
        for support in each.support:
            if each.supported and not support.holds:
                continue
            yield from _support_lines(support, each)
        yield ""
    n_supported = sum(each.supported for each in claims)
    yield f"{n_supported} of {len(claims)} claims are supported"
    yield f"signature: {signature}"


def _support_lines(support: Support, checked: CheckedClaim) -> Iterator[str]:
    passage, verdict = support.passage, support.verdict
    score = "" if verdict.score is None else f", score {verdict.score:.4f}"
    label = verdict.label.value if verdict.label else f"{verdict.status.value}: {verdict.reason}"
    place = _place(passage.file, passage.start, (0, passage.end - passage.start))
    events = ", borne out by its events" if support.is_borne_out else ""
    yield f"   {place}: {_flat(passage.text)} ({label}{score}{events})"
    row = "" if checked.line is None else f":{checked.line}"
    for each in support.mismatches:
        places = _place(f"{checked.claim.file}{row}", checked.claim.start, each.hypothesis)
        if each.text is not None:
            places += f", {_place(passage.file, passage.start, each.text)}"
        yield f"     {each.kind.value}: {on_a_line(each.message)} ({places})"


def _place(file: str, at: int, span: tuple[int, int]) -> str:
    return f"{on_a_line(file)} {at + span[0]}–{at + span[1]}"


def _flat(text: str) -> str:
    return " ".join(on_a_line(text).split())
