"""Rankings of WMT 2009 to 2014 (CSV), and pair lists as METEOR is trained on (`.rank`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ensue.errors import DataError
from ensue.pairs.files import decoded_lines, open_input, shown_name
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.rows import Row, RowFormat, read_rows
from ensue.translation.model import Ranking
from ensue.translation.reading.judgments.judged import (
    Judged,
    line_number,
    ranks_of,
    report_blank,
    whole_number,
)
from ensue.translation.reading.languages import canonical_pair, language_code

NEEDED = frozenset({"srclang", "trglang", "srcindex", "system1id", "system1rank"})
"""Columns by which the CSV is known, in lower case."""

_SYSTEM = re.compile(r"system(\d+)id")
_NOT_RANKED = -1
_PAIR_FIELDS = 5


def read_rankings(
    path: str | Path, format: RowFormat, *, encoding: str | None = None, on_finding: OnFinding
) -> Iterator[Judged]:
    """Yield the rankings of a table in the form of WMT 2009 to 2014.

    A rank of -1, or none, is an output that was not ranked. A row in which none was ranked is
    left out, and reported.

    Raises:
        DataError: a language, a segment or a rank is none; the place is `file:line`.
    """
    n_blank = 0
    for row in read_rows(path, format, encoding):
        lowered = Row(row.place, {column.lower(): cell for column, cell in row.values.items()})
        ranks = ranks_of(_ranked(lowered), row.place, on_finding)
        if not ranks:
            n_blank += 1
            continue
        pair = f"{_language(lowered, 'srclang')}-{_language(lowered, 'trglang')}"
        segment = line_number(lowered.needed("srcindex"), row.place)
        yield Judged(Ranking(pair, segment, lowered.text("judgeid"), ranks, row.place))
    report_blank(n_blank, shown_name(path), on_finding)


def _language(row: Row, column: str) -> str:
    name = row.needed(column)
    code = language_code(name)
    if code is None:
        raise DataError(
            f"no language is called {name!r}",
            place=row.place,
            hint="write its English name or its ISO 639 code, e.g. Czech, cs or ces",
        )
    return code


def _ranked(row: Row) -> list[tuple[str, int]]:
    """The systems that were ranked, with their ranks, in the order of the columns."""
    ranked = []
    for column in row.values:
        number = _SYSTEM.fullmatch(column)
        text = row.text(f"system{number[1]}rank") if number else ""
        if not text:
            continue
        rank = rank_of(text, row.place)
        if rank is not None:
            ranked.append((row.needed(column), rank))
    return ranked


def rank_of(text: str, place: str) -> int | None:
    """A rank from 1 on; None for -1, which says that there is none.

    Raises:
        DataError: it is neither.
    """
    rank = whole_number(text, "rank", place, "1 is best, -1 is not ranked")
    if rank == _NOT_RANKED:
        return None
    if rank < 1:
        raise DataError(f"{rank} is no rank", place=place, hint="1 is best, -1 is not ranked")
    return rank


def read_pair_list(path: str | Path, *, encoding: str | None = None) -> Iterator[Judged]:
    """Yield a ranking of two outputs for each line of a pair list.

    A line has, with tabs between them: segment, language pair, better system, language pair, worse
    system. Nothing says who judged.

    Raises:
        DataError: a line is none; the place is `file:line`.
    """
    name = shown_name(path)
    n_lines = 0
    with open_input(path) as file:
        for number, line in decoded_lines(file, name, encoding):
            if line.strip():
                n_lines += 1
                yield Judged(_preference(line.strip().split("\t"), f"{name}:{number}"))
    if not n_lines:
        raise DataError("the file is empty", place=name, hint="one preference a line")


def _preference(fields: Sequence[str], place: str) -> Ranking:
    if len(fields) != _PAIR_FIELDS:
        raise DataError(
            f"{len(fields)} fields in this line, not {_PAIR_FIELDS}",
            place=place,
            hint="segment, pair, better system, pair, worse system, with tabs between them",
        )
    segment, pair, better, other_pair, worse = (field.strip() for field in fields)
    if canonical_pair(pair) != canonical_pair(other_pair):
        raise DataError(
            f"an output of {pair!r} is compared with one of {other_pair!r}", place=place
        )
    if better == worse:
        raise DataError(f"system {better!r} is compared with itself", place=place)
    return Ranking(pair, line_number(segment, place), "", {better: 1, worse: 2}, place)
