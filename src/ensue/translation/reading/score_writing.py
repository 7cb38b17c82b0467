"""Scores of metrics, written as they come: JSONL, CSV, TSV, and WMT's own segment format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np

from ensue.errors import OutputError, SettingError
from ensue.pairs.files import STANDARD
from ensue.pairs.outputs import open_output
from ensue.pairs.rows import row_format
from ensue.translation.model import MetricScores, Numbers, OutputKey
from ensue.translation.reading.scores import KEYS, NO_TEST_SET, SCORE

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
