"""Ranked lists from files: TSV, CSV and JSONL with a row for each pattern.

Columns: `term` and `paraphrase`; `method`; `rank` or `confidence`; `NAME.strict` and `NAME.lenient`
for each judge; `sentence`; any further column of numbers is kept by its name. Rows of one list need
not stand together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding, ignore
from ensue.paraphrase.model import (
    NOT_JUDGED,
    Indices,
    Judgments,
    Labels,
    Numbers,
    RankedLists,
    Strictness,
)
from ensue.paraphrase.reading.findings import report_judgments, report_order
from ensue.paraphrase.reading.gathering import Gatherer, Rows
from ensue.paraphrase.reading.places import Places
from ensue.paraphrase.reading.tables import CHUNK, chunks


def read_lists(
    paths: str | Path | Sequence[str | Path],
    *,
    encoding: str | None = None,
    on_finding: OnFinding = ignore,
    size: int = CHUNK,
) -> RankedLists:
    """Read ranked lists; several files are read as if they were one.

    A list is in the order of its ranks, else of its confidences, the largest first, else in that of
    the file; ties are in the order of the file. The format is told by the end of a file's name, or
    by its first line. Findings: `rank-gaps`, `tied-ranks`, `tied-confidences`,
    `list-in-several-files`, `judge-contradicts`, `strict-not-lenient`, `column-left-out`.

    Args:
        paths: Files, gzip or not, or `-`.
        encoding: Of all files; by the byte-order mark where it is None, else UTF-8.
        on_finding: Is told of problems that do not stop the reading.
        size: How many rows are turned into columns at once.

    Raises:
        DataError: a file is empty or broken, a column lacks, a cell is not what its column says,
            or only some rows of a list have a rank, or a confidence.
    """
    names = [paths] if isinstance(paths, str | Path) else list(paths)
    gatherer = Gatherer(on_finding)
    for file, path in enumerate(names):
        before = gatherer.n_rows
        for chunk in chunks(path, encoding, size):
            gatherer.add(chunk, file)
        if gatherer.n_rows == before:
            raise DataError(
                "the file holds no patterns",
                place=shown_name(path),
                hint="each row below the names of the columns is one",
            )
    if not names:
        raise DataError("there is no file of lists to read")
    return _ranked(gatherer.rows(), [shown_name(path) for path in names], on_finding)


def _ranked(rows: Rows, names: Sequence[str], on_finding: OnFinding) -> RankedLists:
    """Sort the rows into their lists."""
    places = Places(names, rows.files, rows.lines)
    has_rank = _by(rows.rank, rows, "rank", places)
    has_confidence = _by(np.where(has_rank, np.nan, rows.confidence), rows, "confidence", places)
    key = np.where(has_rank, rows.rank, np.where(has_confidence, -rows.confidence, 0.0))
    order = np.lexsort((key, rows.list_of))
    report_order(rows, key[order], order, has_rank, has_confidence, places, on_finding)
    sizes = np.bincount(rows.list_of, minlength=len(rows.keys))
    picks = order.tolist()
    lists = RankedLists(
        ", ".join(names),
        rows.keys,
        np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)]),
        [rows.paraphrases[i] for i in picks],
        _judgments(rows, order),
        {name: column[order] for name, column in rows.columns.items()},
        None if rows.sentences is None else [rows.sentences[i] for i in picks],
        Places(names, rows.files[order], rows.lines[order]),
    )
    report_judgments(lists, on_finding)
    return lists


def _by(values: Numbers, rows: Rows, what: str, places: Places) -> NDArray[np.bool_]:
    """Which rows are of lists that have the value throughout.

    Raises:
        DataError: a list has it in some rows only.
    """
    given = ~np.isnan(values)
    n_given = np.bincount(rows.list_of, given, len(rows.keys))
    n_rows = np.bincount(rows.list_of, minlength=len(rows.keys))
    partly = ((n_given > 0) & (n_given < n_rows))[rows.list_of]
    if partly.any():
        i = int(np.flatnonzero(partly & ~given)[0])
        term, method = rows.keys[rows.list_of[i]].term, rows.keys[rows.list_of[i]].method
        raise DataError(
            f"this row has no {what}, and others of the list of {term!r} by {method!r} have",
            place=places[i],
            hint=f"give every row of a list a {what}, or none",
        )
    return np.asarray((n_given > 0)[rows.list_of], dtype=np.bool_)


def _judgments(rows: Rows, order: Indices) -> Judgments | None:
    """Labels as matrices; a strictness that nobody used is left out."""
    judges = tuple(dict.fromkeys(judge for judge, _ in rows.labels))
    found: dict[Strictness, Labels] = {}
    for strictness in Strictness:
        matrix = np.full((len(order), len(judges)), NOT_JUDGED, np.int8)
        for j, judge in enumerate(judges):
            if (judge, strictness) in rows.labels:
                matrix[:, j] = rows.labels[judge, strictness][order]
        if (matrix != NOT_JUDGED).any():
            found[strictness] = matrix
    return Judgments(judges, found) if found else None
