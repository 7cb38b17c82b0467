"""Reading judgments, whatever the format of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ensue.errors import DataError
from ensue.pairs.files import open_input, shown_name
from ensue.pairs.formats.model import OnFinding, ignore
from ensue.pairs.rows import RowFormat, delimited, row_format
from ensue.translation.model import Assessment, Judgments, Ranking
from ensue.translation.reading.judgments.campaigns import HEADER, read_campaign
from ensue.translation.reading.judgments.judged import Judged
from ensue.translation.reading.judgments.judged_rows import read_judged_rows
from ensue.translation.reading.judgments.rankings import NEEDED, read_pair_list, read_rankings

_HINT = "judgments are CSV as WMT writes it, a .rank list of pairs, or JSONL, CSV or TSV of rows"


def read_judgments(
    path: str | Path,
    *,
    constituents: bool = False,
    encoding: str | None = None,
    on_finding: OnFinding | None = None,
) -> Judgments:
    """Read judgments without the texts that they are about.

    Systems and pairs are called as the file calls them. Where the file says which test set a
    segment belongs to, its name stands before the segment: `newstest2008:754`.

    Args:
        path: A file of judgments, packed with gzip or not.
        constituents: Give WMT07's and WMT08's rankings of phrases, instead of those of segments.
        encoding: Overrides what the file says of itself.
        on_finding: Is told what is left out.

    Raises:
        DataError: the file cannot be read as judgments; the place is `file:line`.
    """
    found = judged_of(
        path, constituents=constituents, encoding=encoding, on_finding=on_finding or ignore
    )
    return gathered(
        replace(each.judgment, segment=f"{each.test_set}:{each.judgment.segment}")
        if each.test_set
        else each.judgment
        for each in found
    )


def gathered(judgments: Iterable[Ranking | Assessment]) -> Judgments:
    """Rankings and assessments, each in their order."""
    rankings: list[Ranking] = []
    assessments: list[Assessment] = []
    for judgment in judgments:
        if isinstance(judgment, Ranking):
            rankings.append(judgment)
        else:
            assessments.append(judgment)
    return Judgments(tuple(rankings), tuple(assessments))


def judged_of(
    path: str | Path,
    *,
    constituents: bool = False,
    encoding: str | None = None,
    on_finding: OnFinding,
) -> Iterator[Judged]:
    """The judgments of a file, by its name and its first line.

    Raises:
        DataError: it is in no format of judgments, or broken.
    """
    if str(path).removesuffix(".gz").endswith(".rank"):
        return read_pair_list(path, encoding=encoding)
    format = row_format(path)
    if format is None:
        raise DataError("cannot tell the format of these judgments", place=str(path), hint=_HINT)
    header = [] if format is RowFormat.JSONL else _header(path, format, encoding)
    if tuple(header[: len(HEADER)]) == HEADER:
        return read_campaign(
            path, constituents=constituents, encoding=encoding, on_finding=on_finding
        )
    if {column.lower() for column in header} >= NEEDED:
        return read_rankings(path, format, encoding=encoding, on_finding=on_finding)
    return read_judged_rows(path, format, encoding=encoding, on_finding=on_finding)


def _header(path: str | Path, format: RowFormat, encoding: str | None) -> list[str]:
    name = shown_name(path)
    with open_input(path) as file:
        first = next(delimited(file, name, format, encoding), None)
    if first is None:
        raise DataError("the file is empty", place=name, hint=_HINT)
    return [column.strip() for column in first[1]]
