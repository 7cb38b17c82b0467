"""What a file of judgments gives before it is known which outputs are at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ensue.errors import DataError
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.model import Finding, Severity
from ensue.translation.model import Assessment, Ranking


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgment, as its file has it: pair, segment and system may still be called otherwise."""

    judgment: Ranking | Assessment
    test_set: str = ""
    """Empty where the file does not say which."""


def left_out(code: str, message: str, place: str, n_judgments: int) -> Finding:
    """A finding about judgments that are not used."""
    return Finding(code, Severity.NOTE, message, place=place, details={"n_judgments": n_judgments})


def report_blank(n_blank: int, name: str, on_finding: OnFinding) -> None:
    """Report judgments in which nothing was judged, where there are any."""
    if n_blank:
        message = f"{n_blank} judgments say nothing of any output and are left out"
        on_finding(left_out("blank-judgment", message, name, n_blank))


def ranks_of(
    ranked: Sequence[tuple[str, int]], place: str, on_finding: OnFinding
) -> dict[str, int]:
    """Each system's rank in one judgment; a system that is there twice is reported.

    Raises:
        DataError: a system has two different ranks.
    """
    ranks: dict[str, int] = {}
    for system, rank in ranked:
        if system not in ranks:
            ranks[system] = rank
        elif ranks[system] != rank:
            raise DataError(
                f"system {system!r} has the ranks {ranks[system]} and {rank} in one judgment",
                place=place,
                hint="a judgment gives each system one rank",
            )
        else:
            message = f"system {system!r} is twice in one judgment, with one rank; it counts once"
            on_finding(Finding("repeated-system", Severity.WARNING, message, place=place))
    return ranks


def whole_number(text: str, what: str, place: str, hint: str | None = None) -> int:
    """A text as a whole number.

    Raises:
        DataError: it is none.
    """
    try:
        return int(text)
    except ValueError:
        raise DataError(f"the {what} is no number: {text!r}", place=place, hint=hint) from None


def line_number(text: str, place: str) -> str:
    """The number of a segment's line, from 1, as its id.

    Raises:
        DataError: it is no number, or less than 1.
    """
    number = whole_number(text, "segment", place, "segments are numbered from 1")
    if number < 1:
        raise DataError(
            f"there is no segment {number}", place=place, hint="segments are numbered from 1"
        )
    return str(number)
