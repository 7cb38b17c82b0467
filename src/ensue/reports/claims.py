"""Checked claims, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import IO

from ensue.claims import CheckedClaim, CheckedClaims, ClaimStatus, Support
from ensue.files import open_text_output
from ensue.reports.model import on_a_line
from ensue.reports.page import environment
from ensue.reports.text import output_width, wrapped

FORMATS = ("table", "json", "jsonl")

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
) -> None:
    """Write checked claims to a file or to standard output, whole or not at all.

    Args:
        claims: What was found.
        output: A file's name, or `-`.
        format: `table` is text for people; `json` is one object, `jsonl` a claim a line.
    """
    with open_text_output(output) as file:
        if format == "table":
            width = output_width(file)
            for line in _lines(claims):
                file.writelines(f"{each}\n" for each in _kept_to(line, width))
        elif format == "json":
            _dump(claims.to_json(), file, indent=2)
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
