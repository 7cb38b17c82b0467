"""Judgments as rows of JSONL, CSV or TSV, and as one score a line.

A row is about one output (`segment`, `system`, and one or more of `score`, `adequacy` and
`fluency`), or in JSONL about several (`segment`, and `ranks`: system → rank). `language_pair` and
`judge` may be there. A `score` is a direct assessment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ensue.errors import DataError
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.rows import Row, RowFormat, finite, read_rows
from ensue.translation.model import Assessment, AssessmentKind, Ranking
from ensue.translation.reading.judgments.judged import Judged, ranks_of, report_blank
from ensue.translation.reading.judgments.rankings import rank_of
from ensue.translation.reading.lines import SegmentFile

KINDS = {
    "score": AssessmentKind.DIRECT,
    "adequacy": AssessmentKind.ADEQUACY,
    "fluency": AssessmentKind.FLUENCY,
}
"""Column → what it says."""

_HINT = "a row has segment, system, and score, adequacy or fluency; or segment and ranks"


def read_judged_rows(
    path: str | Path, format: RowFormat, *, encoding: str | None = None, on_finding: OnFinding
) -> Iterator[Judged]:
    """Yield the judgments of a file of rows; a row without any is left out, and reported.

    Raises:
        DataError: a row is not as it has to be; the place is `file:line`.
    """
    n_blank = 0
    for row in read_rows(path, format, encoding):
        found = [Judged(each) for each in _judgments(row, on_finding)]
        n_blank += not found
        yield from found
    report_blank(n_blank, shown_name(path), on_finding)


def _judgments(row: Row, on_finding: OnFinding) -> Iterator[Ranking | Assessment]:
    if "ranks" in row.values:
        ranking = _ranking(row, on_finding)
        if ranking.ranks:
            yield ranking
    elif any(column in row.values for column in KINDS):
        yield from assessments_of(
            row,
            row.text("language_pair"),
            row.needed("segment", _HINT),
            row.needed("system", _HINT),
        )
    else:
        raise DataError("this row holds no judgment", place=row.place, hint=_HINT)


def assessments_of(row: Row, pair: str, segment: str, system: str) -> Iterator[Assessment]:
    """The scores that people gave one output, by the columns of a row.

    Raises:
        DataError: one of them is no finite number.
    """
    for column, kind in KINDS.items():
        score = row.number(column)
        if score is not None:
            yield Assessment(pair, segment, system, row.text("judge"), kind, score, row.place)


def _ranking(row: Row, on_finding: OnFinding) -> Ranking:
    given = row.values["ranks"]
    if not isinstance(given, Mapping):
        raise DataError(f"'ranks' is no object: {given!r}", place=row.place, hint=_HINT)
    cells = Row(row.place, given)
    found = [(system, rank_of(cells.text(system), row.place)) for system in given]
    ranked = [(system, rank) for system, rank in found if rank is not None]
    return Ranking(
        row.text("language_pair"),
        row.needed("segment", _HINT),
        row.text("judge"),
        ranks_of(ranked, row.place, on_finding),
        row.place,
    )


def read_score_lines(file: SegmentFile) -> Iterator[tuple[str, float]]:
    """Each line's score with its place, as `DAseg.….human.…` has them.

    Raises:
        DataError: a line is no finite number.
    """
    for line, text in file.located_texts():
        place = f"{shown_name(file.path)}:{line}"
        yield place, finite(text.strip(), "score", place)
