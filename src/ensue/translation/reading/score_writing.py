"""Scores of metrics, written as they come: JSONL, CSV, TSV, and WMT's own segment format."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import IO

import numpy as np

from ensue.errors import OutputError, SettingError
from ensue.pairs.files import STANDARD
from ensue.pairs.outputs import open_text_output
from ensue.pairs.rows import row_format
from ensue.translation.model import MetricScores, Numbers, OutputKey
from ensue.translation.reading.scores import KEYS, NO_TEST_SET, SCORE

Batch = tuple[Sequence[OutputKey], Numbers]
"""Outputs, and for each a row with the score of every metric."""

_WMT_ENDS = (".seg", ".scr", ".wmt")

Rows = Iterator[tuple[OutputKey, list[float]]]


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
    kind = _format(path, format)
    names = [name for name, _ in metrics]
    _check_names(names)
    rows = _rows(names, batches)
    with open_text_output(path) as file:
        if kind is ScoreFormat.JSONL:
            _write_jsonl(file, metrics, rows)
        elif kind is ScoreFormat.WMT:
            _write_lines(file, _wmt_lines(names, rows, test_set))
        elif kind is ScoreFormat.TSV:
            _write_lines(file, _lines(names, rows))
        else:
            csv.writer(file, lineterminator="\n").writerows(_lines(names, rows))


def _format(path: str | Path, format: ScoreFormat | str | None) -> ScoreFormat:
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


def _rows(names: Sequence[str], batches: Iterable[Batch]) -> Rows:
    """Each output with its scores, which are seen to be finite."""
    for outputs, values in batches:
        wrong = np.argwhere(~np.isfinite(values))
        if wrong.size:
            row, column = wrong[0].tolist()
            raise OutputError(
                f"the score of {names[column]!r} for {'/'.join(outputs[row])!r} is not finite:"
                f" {float(values[row, column])!r}"
            )
        yield from zip(outputs, values.tolist(), strict=True)


def _columns(names: Sequence[str]) -> list[str]:
    return [SCORE] if len(names) == 1 else list(names)


def _lines(names: Sequence[str], rows: Rows) -> Iterator[list[str]]:
    yield [*KEYS, *_columns(names)]
    for key, values in rows:
        yield [*key, *map(repr, values)]


def _wmt_lines(names: Sequence[str], rows: Rows, test_set: str) -> Iterator[list[str]]:
    for key, values in rows:
        own, _, segment = key.segment.rpartition(":")
        for name, value in zip(names, values, strict=True):
            yield [name, key.language_pair, own or test_set, key.system, segment, repr(value)]


def _write_jsonl(file: IO[str], metrics: Sequence[tuple[str, str]], rows: Rows) -> None:
    header = {"metrics": [{"name": name, "signature": signature} for name, signature in metrics]}
    file.write(json.dumps(header, ensure_ascii=False) + "\n")
    columns = _columns([name for name, _ in metrics])
    for key, values in rows:
        record = {**key._asdict(), **dict(zip(columns, values, strict=True))}
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _write_lines(file: IO[str], rows: Iterable[Sequence[str]]) -> None:
    for row in rows:
        if any(mark in cell for cell in row for mark in "\t\r\n"):
            raise OutputError(
                f"a name holds a tab or a line break, which this format cannot hold: {row!r}",
                hint="write CSV or JSONL",
            )
        file.write("\t".join(row) + "\n")
