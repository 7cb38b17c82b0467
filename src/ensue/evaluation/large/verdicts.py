"""Runs as columns of codes and numbers: from folders of shards directly, from files by a spool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ensue.errors import RunError
from ensue.evaluation.judged_runs import STATUSES
from ensue.evaluation.large.columns import (
    ID,
    LABELS,
    NONE,
    VerdictColumns,
    empty_batch,
    spooled,
    spooled_line,
)
from ensue.files import shown_name
from ensue.pairs import (
    Label,
    RunFolder,
    RunHeader,
    RunOrder,
    Verdict,
    is_folder,
    open_run_folder,
    rank_score,
    run_items,
)

if TYPE_CHECKING:
    import pyarrow as pa

_READ = ("pair_id", "label", "score", "confidence", "status")
_NUMBERS = ("score", "confidence")
_STATUS_CODES = {status: i for i, status in enumerate(STATUSES[:-1])}
_LABEL_CODES = {label.value: i for i, label in enumerate(LABELS)}


def verdict_columns(
    source: str | Path, spool: Path, *, labels: Mapping[str, Label | None] | None = None
) -> VerdictColumns:
    """Open a run of any size.

    Args:
        source: A file, a folder of shards, or `-`.
        spool: A file to be written, where a run that is not in columns is kept.
        labels: What names in a plain run mean, beside or instead of the challenge's own.

    Raises:
        RunError: as `read_run`; that no pair is judged twice is not looked after.
    """
    if is_folder(source):
        return _of_folder(open_run_folder(source))
    return _of_file(source, spool, labels)


def _of_folder(folder: RunFolder) -> VerdictColumns:
    def read() -> Iterator[pa.RecordBatch]:
        before = 0
        if folder.n_rows == 0:
            yield empty_batch(_schema())
        for batch in folder.batches(_READ):
            yield _coded(batch, folder, before)
            before += len(batch)

    return VerdictColumns(folder.name, folder.n_rows, read, folder.place, folder.header)


def _schema() -> pa.Schema:
    import pyarrow as pa

    fields: list[pa.Field[Any]] = [pa.field(ID, pa.string())]
    fields += [pa.field(name, pa.int8()) for name in ("label", "status")]
    fields += [pa.field(name, pa.float64()) for name in _NUMBERS]
    return pa.schema(fields)


def _coded(batch: pa.RecordBatch, folder: RunFolder, before: int) -> pa.RecordBatch:
    """The columns of some verdicts as codes and numbers; what is out of range is refused."""
    import pyarrow as pa

    ids = batch.column("pair_id")
    if ids.null_count:
        _refuse(ids.is_null(), "there is no pair_id", batch, folder, before)
    label = _codes(batch, "label", _LABEL_CODES, folder, before)
    status = _codes(batch, "status", _STATUS_CODES, folder, before)
    wrong = (label == NONE) == (status == 0)
    if wrong.any():
        _refuse(wrong, "label and status do not go together", batch, folder, before)
    score, confidence = (_numbers(batch, name, folder, before) for name in _NUMBERS)
    beyond = (confidence < 0) | (confidence > 1)
    if beyond.any():
        _refuse(beyond, "confidence is not in [0, 1]", batch, folder, before)
    numbers = [pa.array(each) for each in (label, status, score, confidence)]
    return pa.record_batch([ids.cast(pa.string()), *numbers], schema=_schema())


def _codes(
    batch: pa.RecordBatch, name: str, known: Mapping[str, int], folder: RunFolder, before: int
) -> NDArray[np.int8]:
    """The code of each name in a dictionary column; none is −1."""
    import pyarrow.compute as pc

    column: Any = batch.column(name).dictionary_encode()
    names = column.dictionary.to_pylist()
    table = np.array([*(known.get(each, len(known)) for each in names), NONE], dtype=np.int8)
    indices = column.indices
    filled = pc.fill_null(indices, len(names)) if indices.null_count else indices
    codes: NDArray[np.int8] = table[filled.to_numpy(zero_copy_only=False)]
    unknown = codes == len(known)
    if unknown.any():
        found = column[int(np.argmax(unknown))].as_py()
        _refuse(unknown, f"unknown {name} {found!r}", batch, folder, before)
    return codes


def _numbers(
    batch: pa.RecordBatch, name: str, folder: RunFolder, before: int
) -> NDArray[np.float64]:
    """The numbers of a column; NaN where there is none."""
    column = batch.column(name)
    numbers: NDArray[np.float64] = np.asarray(
        column.to_numpy(zero_copy_only=False), dtype=np.float64
    )
    lost = ~np.isfinite(numbers)
    if column.null_count:
        lost &= ~column.is_null().to_numpy(zero_copy_only=False)
    if lost.any():
        _refuse(lost, f"{name} is not a finite number", batch, folder, before)
    return numbers


def _refuse(
    wrong: Any, message: str, batch: pa.RecordBatch, folder: RunFolder, before: int
) -> NoReturn:
    i = int(np.argmax(np.asarray(wrong)))
    pair_id = batch.column("pair_id")[i].as_py()
    raise RunError(f"verdict on {pair_id!r}: {message}", place=folder.place(before + i))


def _of_file(
    source: str | Path, spool: Path, labels: Mapping[str, Label | None] | None
) -> VerdictColumns:
    import pyarrow as pa

    header: RunHeader | None = None
    ranked = False

    def rows() -> Iterator[tuple[Any, ...]]:
        nonlocal header, ranked
        for line, item in run_items(source, labels=labels):
            if isinstance(item, Verdict):
                yield _row(item, line)
            elif isinstance(item, RunOrder):
                ranked = item.is_so
            else:
                header = item

    n_rows, read = spooled(rows(), _schema().append(pa.field("line", pa.int64())), spool)
    name = shown_name(source)
    again = (lambda: _with_ranks(read(), n_rows)) if ranked else read
    return VerdictColumns(
        name, n_rows, again, lambda i: f"{name}:{spooled_line(spool, i)}", header, ranked
    )


def _row(verdict: Verdict, line: int) -> tuple[Any, ...]:
    label = NONE if verdict.label is None else _LABEL_CODES[verdict.label.value]
    score = np.nan if verdict.score is None else verdict.score
    confidence = np.nan if verdict.confidence is None else verdict.confidence
    status = _STATUS_CODES[verdict.status.value]
    return verdict.pair_id, label, status, score, confidence, line


def _with_ranks(batches: Iterator[pa.RecordBatch], n: int) -> Iterator[pa.RecordBatch]:
    """Give the verdicts of a ranked run the scores that stand for their places."""
    import pyarrow as pa

    before = 0
    for batch in batches:
        scores = [rank_score(i, n) for i in range(before, before + len(batch))]
        place = batch.schema.get_field_index("score")
        yield batch.set_column(place, "score", pa.array(scores, pa.float64()))
        before += len(batch)
