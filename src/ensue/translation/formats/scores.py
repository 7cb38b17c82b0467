"""Scores of metrics, read and written: JSONL, CSV, TSV, and WMT's segment format.

Rows have `language_pair`, `segment`, `system`, and `score`, or where there are several metrics a
column for each. JSONL begins with a line that holds names and signatures; CSV and TSV hold no
signature, and of one metric no name: it is then called after the file. WMT's format has no header:
metric, language pair, test set, system, segment and score, with tabs between them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from ensue.errors import DataError, OutputError, SettingError, UnknownNameError
from ensue.files import (
    STANDARD,
    Row,
    RowFormat,
    decoded_lines,
    finite,
    open_input,
    open_output,
    read_rows,
    row_format,
    shown_name,
)
from ensue.pairs import dataset_name
from ensue.translation.segments import MetricScores, Numbers, OutputKey

# Scores of metrics, read: JSONL, CSV, TSV, and WMT's own segment format.

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


# Scores of metrics, written as they come: JSONL, CSV, TSV, and WMT's own segment format.

Batch = tuple[Sequence[OutputKey], Numbers]
"""Outputs, and for each a row with the score of every metric."""

_WMT_ENDS = (".seg", ".scr", ".wmt")

Rows = Iterable[tuple[OutputKey, list[float]]]


class ScoreFormat(StrEnum):
    """How scores are written."""

    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    WMT = "wmt"


def write_scores(
    path: str | Path,
    scores: Sequence[MetricScores],
    format: ScoreFormat | str | None = None,
    *,
    test_set: str = NO_TEST_SET,
) -> None:
    """Write the scores of metrics on the same outputs; the file appears whole or not at all.

    Args:
        path: A file, packed where its name ends in `.gz`, or `-` for standard output.
        scores: Of metrics with different names.
        format: By the name where it is None, and JSONL on standard output.
        test_set: In WMT's format, of segments that do not say theirs.

    Raises:
        OutputError: the place cannot be written, a score is not finite, or a name does not fit.
        SettingError: the format is unknown, there is no metric, two have one name, or they score
            other outputs.
    """
    if any(each.outputs != scores[0].outputs for each in scores):
        raise SettingError("metrics that score different outputs do not fit into one file")
    outputs = scores[0].outputs if scores else ()
    values = np.column_stack([each.values for each in scores]) if scores else np.empty((0, 0))
    write_score_batches(
        path,
        [(each.name, each.signature) for each in scores],
        [(outputs, values)],
        format,
        test_set=test_set,
    )


def write_score_batches(
    path: str | Path,
    metrics: Sequence[tuple[str, str]],
    batches: Iterable[Batch],
    format: ScoreFormat | str | None = None,
    *,
    test_set: str = NO_TEST_SET,
) -> None:
    """Write scores while they are made, in constant memory; the arguments are as above.

    Args:
        path: Where they go.
        metrics: The name and signature of each.
        batches: The scores.
        format: How.
        test_set: In WMT's format.
    """
    kind = score_format(path, format)
    names = [name for name, _ in metrics]
    head = score_head(metrics, kind)
    with open_output(path) as file:
        file.write(head)
        for outputs, values in batches:
            file.write(score_bytes(names, outputs, values, kind, test_set=test_set))


def score_head(metrics: Sequence[tuple[str, str]], format: ScoreFormat) -> bytes:
    """What stands before the scores of metrics, each with its name and signature.

    Raises:
        SettingError: there is no metric, two have one name, or one that is a column's.
    """
    names = [name for name, _ in metrics]
    _check_names(names)
    if format is ScoreFormat.WMT:
        return b""
    if format is ScoreFormat.JSONL:
        said = [{"name": name, "signature": signature} for name, signature in metrics]
        return (json.dumps({"metrics": said}, ensure_ascii=False) + "\n").encode()
    return _delimited([score_columns(names)], format)


def score_bytes(
    names: Sequence[str],
    outputs: Sequence[OutputKey],
    values: Numbers,
    format: ScoreFormat,
    *,
    test_set: str = NO_TEST_SET,
) -> bytes:
    """Some outputs with their scores, as part of a file behind its head.

    Raises:
        OutputError: a score is not finite, or a name does not fit.
    """
    check_finite(names, outputs, values)
    rows = zip(outputs, values.tolist(), strict=True)
    if format is ScoreFormat.JSONL:
        columns = _columns(names)
        records = ({**key._asdict(), **dict(zip(columns, row, strict=True))} for key, row in rows)
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records).encode()
    if format is ScoreFormat.WMT:
        return _delimited(_wmt_lines(names, rows, test_set), format)
    return _delimited(([*key, *map(repr, row)] for key, row in rows), format)


def score_columns(names: Sequence[str]) -> list[str]:
    """The columns of a table of scores; that of a single metric is called `score`."""
    return [*KEYS, *_columns(names)]


def check_finite(names: Sequence[str], outputs: Sequence[OutputKey], values: Numbers) -> None:
    """See that scores are numbers.

    Raises:
        OutputError: one is not finite.
    """
    wrong = np.argwhere(~np.isfinite(values))
    if wrong.size:
        row, column = wrong[0].tolist()
        raise OutputError(
            f"the score of {names[column]!r} for {'/'.join(outputs[row])!r} is not finite:"
            f" {float(values[row, column])!r}"
        )


def score_format(path: str | Path, format: ScoreFormat | str | None = None) -> ScoreFormat:
    """The format that is named, or that the end of the name says; JSONL on standard output.

    Raises:
        SettingError: it is unknown, or the name says none.
    """
    if format is not None:
        if format not in list(ScoreFormat):
            raise SettingError(
                f"no format of scores is called {str(format)!r}",
                hint=f"known are: {', '.join(ScoreFormat)}",
            )
        return ScoreFormat(format)
    if str(path) == STANDARD:
        return ScoreFormat.JSONL
    known = row_format(path)
    if known:
        return ScoreFormat(known.value)
    if Path(str(path).removesuffix(".gz")).suffix not in _WMT_ENDS:
        raise SettingError(
            f"no format of scores is known by the end of {str(path)!r}",
            hint=f"end the name in .tsv, .csv, .jsonl or {', '.join(_WMT_ENDS)} (WMT's format),"
            " or name one with --format",
        )
    return ScoreFormat.WMT


def _check_names(names: Sequence[str]) -> None:
    if not names:
        raise SettingError("there are no scores to write", hint="score with one metric or more")
    for name in names:
        if names.count(name) > 1:
            raise SettingError(f"two metrics are called {name!r}", hint="give each its own name")
        if len(names) > 1 and name in (*KEYS, SCORE):
            raise SettingError(f"a metric cannot be called {name!r}: it is a column's name")


def _columns(names: Sequence[str]) -> list[str]:
    return [SCORE] if len(names) == 1 else list(names)


def _wmt_lines(names: Sequence[str], rows: Rows, test_set: str) -> Iterator[list[str]]:
    for key, values in rows:
        own, _, segment = key.segment.rpartition(":")
        for name, value in zip(names, values, strict=True):
            yield [name, key.language_pair, own or test_set, key.system, segment, repr(value)]


def _delimited(rows: Iterable[Sequence[str]], format: ScoreFormat) -> bytes:
    if format is ScoreFormat.CSV:
        lines = io.StringIO(newline="")
        csv.writer(lines, lineterminator="\n").writerows(rows)
        return lines.getvalue().encode()
    return "".join(map(_tabbed, rows)).encode()


def _tabbed(row: Sequence[str]) -> str:
    if any(mark in cell for cell in row for mark in "\t\r\n"):
        raise OutputError(
            f"a name holds a tab or a line break, which this format cannot hold: {row!r}",
            hint="write CSV or JSONL",
        )
    return "\t".join(row) + "\n"
