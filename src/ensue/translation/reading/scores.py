"""Scores of metrics, read: JSONL, CSV, TSV, and WMT's own segment format.

Rows have `language_pair`, `segment`, `system`, and `score`, or where there are several metrics a
column for each. JSONL begins with a line that holds names and signatures; CSV and TSV hold no
signature, and of one metric no name: it is then called after the file. WMT's format has no header:
metric, language pair, test set, system, segment and score, with tabs between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.pairs.files import decoded_lines, open_input, shown_name
from ensue.pairs.reading import dataset_name
from ensue.pairs.rows import Row, RowFormat, finite, read_rows, row_format
from ensue.translation.model import MetricScores, OutputKey

KEYS = ("language_pair", "segment", "system")
SCORE = "score"
_WMT_FIELDS = 6
NO_TEST_SET = "-"


@dataclass(frozen=True, slots=True)
class _Scored:
    """One number."""

    metric: str
    key: OutputKey
    value: float
    place: str


def read_scores(
    path: str | Path, *, metric: str | None = None, encoding: str | None = None
) -> MetricScores:
    """Read the scores of one metric.

    Args:
        path: A file by whose name the format is known; any other end is WMT's format.
        metric: Which, where the file has several.
        encoding: Overrides what the file says of itself.

    Raises:
        DataError: the file cannot be read as scores; the place is `file:line`.
        SettingError: it has several metrics, and none is named.
        UnknownNameError: it does not have that one.
    """
    found = {scores.name: scores for scores in read_all_scores(path, encoding=encoding)}
    if metric is None and len(found) > 1:
        raise SettingError(
            f"{shown_name(path)!r} has scores of several metrics: {', '.join(found)}",
            hint="name the metric",
        )
    name = metric if metric is not None else next(iter(found))
    if name not in found:
        raise UnknownNameError.of("metric", name, found)
    return found[name]


def read_all_scores(path: str | Path, *, encoding: str | None = None) -> tuple[MetricScores, ...]:
    """Read the scores of all metrics in a file, in the order of their first scores.

    Raises:
        DataError: the file cannot be read as scores; the place is `file:line`.
    """
    signatures: dict[str, str] = {}
    format = row_format(path)
    scored: Iterable[_Scored] = (
        _wmt_scored(path, encoding)
        if format is None
        else _row_scored(path, format, encoding, signatures)
    )
    values: dict[str, dict[OutputKey, float]] = {}
    for each in scored:
        of_metric = values.setdefault(each.metric, {})
        if each.key in of_metric:
            raise DataError(
                f"a second score of {each.metric!r} for {'/'.join(each.key)!r}", place=each.place
            )
        of_metric[each.key] = each.value
    if not values:
        raise DataError(
            "there are no scores in this file",
            place=shown_name(path),
            hint="columns are language_pair, segment, system and score",
        )
    return tuple(
        MetricScores(name, tuple(found), np.array(list(found.values())), signatures.get(name, ""))
        for name, found in values.items()
    )


def _row_scored(
    path: str | Path, format: RowFormat, encoding: str | None, signatures: dict[str, str]
) -> Iterator[_Scored]:
    """The scores of rows; what the header of JSONL says goes into `signatures`."""
    only = dataset_name(path)
    for row in read_rows(path, format, encoding):
        if format is RowFormat.JSONL and "metrics" in row.values:
            signatures.update(_signatures(row))
            only = next(iter(signatures)) if len(signatures) == 1 else only
            continue
        key = OutputKey(row.text("language_pair"), row.needed("segment"), row.needed("system"))
        for column in row.values:
            value = None if column in KEYS else row.number(column)
            if value is not None:
                yield _Scored(only if column == SCORE else column, key, value, row.place)


def _signatures(row: Row) -> dict[str, str]:
    metrics = row.values["metrics"]
    try:
        return {str(each["name"]): str(each["signature"]) for each in metrics}
    except (TypeError, KeyError):
        raise DataError(
            f"broken header: {metrics!r}",
            place=row.place,
            hint='{"metrics": [{"name": …, "signature": …}]}',
        ) from None


def _wmt_scored(path: str | Path, encoding: str | None) -> list[_Scored]:
    """The scores of WMT's format; of several test sets, a segment has its own before it."""
    name = shown_name(path)
    lines: list[tuple[list[str], str]] = []
    with open_input(path) as file:
        for number, line in decoded_lines(file, name, encoding):
            fields, place = line.split("\t"), f"{name}:{number}"
            if not line.strip():
                continue
            if len(fields) < _WMT_FIELDS:
                raise DataError(
                    f"{len(fields)} fields in this line, not {_WMT_FIELDS}",
                    place=place,
                    hint="metric, language pair, test set, system, segment, score",
                )
            lines.append(([field.strip() for field in fields], place))
    is_mixed = len({fields[2] for fields, _ in lines}) > 1
    return [_wmt_one(fields, place, is_mixed=is_mixed) for fields, place in lines]


def _wmt_one(fields: Sequence[str], place: str, *, is_mixed: bool) -> _Scored:
    metric, pair, test_set, system, segment, score = fields[:_WMT_FIELDS]
    has_set = is_mixed and test_set not in ("", NO_TEST_SET)
    key = OutputKey(pair, f"{test_set}:{segment}" if has_set else segment, system)
    return _Scored(metric, key, finite(score, "score", place), place)
