"""Scores of metrics, read and written: rows of any format, and WMT's segment format.

Rows have `language_pair`, `segment`, `system`, and `score`, or where there are several metrics a
column for each. JSONL begins with a line that holds names and signatures; the others hold no
signature, and of one metric no name: it is then called after the file. WMT's format has no header:
metric, language pair, test set, system, segment and score, with tabs between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from ensue.errors import DataError, OutputError, SettingError
from ensue.files import (
    Row,
    RowFormat,
    decoded_lines,
    finite,
    head_bytes,
    open_input,
    output_format,
    read_rows,
    row_bytes,
    row_format,
    shown_name,
)
from ensue.pairs import dataset_name
from ensue.translation.systems import MetricScores, Numbers, OutputKey

# Scores of metrics, read.

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
                "second-score",
                f"a second score of {each.metric!r} for {'/'.join(each.key)!r}",
                place=each.place,
            )
        of_metric[each.key] = each.value
    if not values:
        raise DataError(
            "no-scores-file",
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
            "broken-header",
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
                    "fields-line-not",
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


# Scores of metrics, written as they come: rows of any format, and WMT's own segment format.

WMT: Final = "wmt"
"""The name of WMT's segment format, which is none of rows: it has no header."""
_WMT_ENDS = (".seg", ".scr", ".wmt")

ScoreFormat = RowFormat | Literal["wmt"]
"""How scores are written."""
SCORE_FORMATS = (*RowFormat, WMT)


def score_head(metrics: Sequence[tuple[str, str]], format: ScoreFormat) -> bytes:
    """What stands before the scores of metrics, each with its name and signature.

    Raises:
        SettingError: there is no metric, two have one name, or one that is a column's.
    """
    names = [name for name, _ in metrics]
    _check_names(names)
    if format == WMT:
        return b""
    if format is RowFormat.JSONL:
        said = [{"name": name, "signature": signature} for name, signature in metrics]
        return row_bytes(["metrics"], [[said]], format=format)
    return head_bytes(score_columns(names), format)


def score_bytes(
    names: Sequence[str],
    outputs: Sequence[OutputKey],
    values: Numbers,
    format: ScoreFormat,
    *,
    test_set: str = NO_TEST_SET,
) -> bytes:
    """Some outputs with their scores, as part of a file behind its head; as a file where it is Parquet.

    Raises:
        OutputError: a score is not finite, or a name does not fit.
    """
    rows = score_rows(names, outputs, values)
    if format == WMT:
        lines = _wmt_rows(names, rows, test_set)
        return row_bytes([], lines, format=RowFormat.TSV, name_of=_a_name)
    columns, numbers = score_columns(names), _numbers(names)
    return row_bytes(columns, rows, format=format, numbers=numbers, name_of=_a_name)


def score_rows(
    names: Sequence[str], outputs: Sequence[OutputKey], values: Numbers
) -> list[list[Any]]:
    """A row for each output under `score_columns`.

    Raises:
        OutputError: a score is not finite.
    """
    wrong = np.argwhere(~np.isfinite(values))
    if wrong.size:
        row, column = wrong[0].tolist()
        raise OutputError(
            "score-not-finite",
            f"the score of {names[column]!r} for {'/'.join(outputs[row])!r} is not finite:"
            f" {float(values[row, column])!r}",
        )
    return [[*key, *row] for key, row in zip(outputs, values.tolist(), strict=True)]


def score_columns(names: Sequence[str]) -> list[str]:
    """The columns of a table of scores; that of a single metric is called `score`."""
    return [*KEYS, *([SCORE] if len(names) == 1 else names)]


def _numbers(names: Sequence[str]) -> set[str]:
    return set(score_columns(names)[len(KEYS) :])


def score_format(path: str | Path, format: ScoreFormat | str | None = None) -> ScoreFormat:
    """The format that is named, or that the end of the name says; JSONL on standard output.

    Raises:
        SettingError: it is unknown, or the name says none.
    """
    if format == WMT:
        return WMT
    if format is None and Path(str(path).removesuffix(".gz")).suffix in _WMT_ENDS:
        return WMT
    try:
        return output_format(path, format, what="scores", standard=RowFormat.JSONL)
    except SettingError as error:
        error.hint = (
            f"{error.hint}; WMT's format is wmt, and its files end in {', '.join(_WMT_ENDS)}"
        )
        raise


def _check_names(names: Sequence[str]) -> None:
    if not names:
        raise SettingError(
            "no-scores-write", "there are no scores to write", hint="score with one metric or more"
        )
    for name in names:
        if names.count(name) > 1:
            raise SettingError(
                "two-metrics-called",
                f"two metrics are called {name!r}",
                hint="give each its own name",
            )
        if len(names) > 1 and name in (*KEYS, SCORE):
            raise SettingError(
                "metric-cannot-called-column",
                f"a metric cannot be called {name!r}: it is a column's name",
            )


def _wmt_rows(
    names: Sequence[str], rows: Iterable[Sequence[Any]], test_set: str
) -> Iterator[list[Any]]:
    for pair, segment, system, *values in rows:
        own, _, number = segment.rpartition(":")
        for name, value in zip(names, values, strict=True):
            yield [name, pair, own or test_set, system, number, value]


def _a_name(row: Sequence[Any]) -> str:  # noqa: ARG001 - numbers hold no tab
    return "a name"
