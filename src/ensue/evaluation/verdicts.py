"""Runs of any size as arrays beside gold: verdicts come in batches and go to the rows of their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ensue.errors import RunError
from ensue.evaluation.gold import LABELS, NONE, ROWS, Codes, Gold
from ensue.evaluation.ids import Places, as_ids, text_of
from ensue.files import shown_name
from ensue.pairs import (
    Label,
    Run,
    RunFolder,
    RunHeader,
    RunOrder,
    Status,
    Verdict,
    View,
    is_folder,
    open_run_folder,
    run_items,
)

if TYPE_CHECKING:
    import pyarrow as pa

Numbers = NDArray[np.float64]

MISSING = "missing"
"""The status of a pair that the run does not mention."""

STATUSES = (*(status.value for status in Status), MISSING)
"""What the codes of statuses stand for."""

MISSING_STATUS = len(STATUSES) - 1
"""The code of the status of a pair that a run does not mention."""

_READ = ("pair_id", "label", "score", "confidence", "status")
_STATUS_CODES = {status: i for i, status in enumerate(STATUSES[:-1])}
_LABEL_CODES = {label.value: i for i, label in enumerate(LABELS)}


# Batches of verdicts, from runs that are held, from files and from folders of shards.


@dataclass(frozen=True, slots=True, eq=False)
class VerdictBatch:
    """Some verdicts of a run: codes are indices, numbers are NaN where there is none."""

    ids: pa.Array[Any]
    label: Codes
    status: Codes
    score: Numbers
    confidence: Numbers


@dataclass(slots=True, eq=False)
class RunBatches:
    """A run that is read once, some verdicts at a time."""

    name: str
    read: Callable[[RunBatches], Iterator[VerdictBatch]]
    place: Callable[[int], str]
    """Where the i-th verdict, from 0, stands, once it was read: `file:line`."""
    header: RunHeader | None = None
    """A file says it before its first verdict."""
    ranked: bool = False
    """Whether the scores, not the confidences, say how sure entailment is."""
    in_places: bool = False
    """Whether the place of each verdict is to be its score."""


def held_run(run: Run) -> RunBatches:
    """The batches of a run in memory."""
    return RunBatches(
        run.name, lambda _: _of_verdicts(run.verdicts), run.place, run.header, run.ranked
    )


def open_run(source: str | Path, *, labels: Mapping[str, Label | None] | None = None) -> RunBatches:
    """Open a run of any size.

    Args:
        source: A file, a folder of shards, or `-`.
        labels: What names in a plain run mean, beside or instead of the challenge's own.

    Raises:
        RunError: a folder is not finished or has lost a shard. Reading raises what `read_run` does.
    """
    if is_folder(source):
        folder = open_run_folder(source)
        return RunBatches(folder.name, lambda _: _of_folder(folder), folder.place, folder.header)
    places = Places()
    places.file(shown_name(source), 0)
    return RunBatches(shown_name(source), lambda run: _of_file(run, source, labels, places), places)


def _of_verdicts(verdicts: Iterable[Verdict]) -> Iterator[VerdictBatch]:
    found = iter(verdicts)
    while some := list(islice(found, ROWS)):
        yield VerdictBatch(
            as_ids(verdict.pair_id for verdict in some),
            np.array([_label_code(verdict) for verdict in some], np.int8),
            np.array([_STATUS_CODES[verdict.status.value] for verdict in some], np.int8),
            _numbers(verdict.score for verdict in some),
            _numbers(verdict.confidence for verdict in some),
        )


def _label_code(verdict: Verdict) -> int:
    return NONE if verdict.label is None else _LABEL_CODES[verdict.label.value]


def _numbers(values: Iterable[float | None]) -> Numbers:
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _of_file(
    run: RunBatches,
    source: str | Path,
    labels: Mapping[str, Label | None] | None,
    places: Places,
) -> Iterator[VerdictBatch]:
    def verdicts() -> Iterator[Verdict]:
        row = 0
        for line, item in run_items(source, labels=labels):
            if isinstance(item, Verdict):
                places.add(row, line)
                yield item
                row += 1
            elif isinstance(item, RunOrder):
                run.ranked = run.in_places = item.is_so
            else:
                run.header = item

    return _of_verdicts(verdicts())


def _of_folder(folder: RunFolder) -> Iterator[VerdictBatch]:
    before = 0
    for batch in folder.batches(_READ):
        yield _Shard(batch, folder, before).verdicts()
        before += len(batch)


@dataclass(frozen=True, slots=True, eq=False)
class _Shard:
    """Some rows of a folder; what is out of range is refused."""

    batch: pa.RecordBatch
    folder: RunFolder
    before: int
    """How many rows come before."""

    def verdicts(self) -> VerdictBatch:
        import pyarrow as pa

        ids = self.batch.column("pair_id")
        if ids.null_count:
            self._refuse(ids.is_null(), "there is no pair_id")
        label, status = self._codes("label", _LABEL_CODES), self._codes("status", _STATUS_CODES)
        wrong = (label == NONE) == (status == 0)
        if wrong.any():
            self._refuse(wrong, "label and status do not go together")
        score, confidence = self._numbers("score"), self._numbers("confidence")
        beyond = (confidence < 0) | (confidence > 1)
        if beyond.any():
            self._refuse(beyond, "confidence is not in [0, 1]")
        return VerdictBatch(
            ids.cast(pa.string()).cast(pa.binary()), label, status, score, confidence
        )

    def _codes(self, name: str, known: Mapping[str, int]) -> Codes:
        """The code of each name in a dictionary column; none is −1."""
        column: Any = self.batch.column(name).dictionary_encode()
        names = column.dictionary.to_pylist()
        table = np.array([*(known.get(each, len(known)) for each in names), NONE], dtype=np.int8)
        codes: Codes = table[column.indices.fill_null(len(names)).to_numpy(zero_copy_only=False)]
        unknown = codes == len(known)
        if unknown.any():
            found = column[int(np.argmax(unknown))].as_py()
            self._refuse(unknown, f"unknown {name} {found!r}")
        return codes

    def _numbers(self, name: str) -> Numbers:
        """The numbers of a column; NaN where there is none."""
        column = self.batch.column(name)
        numbers: Numbers = np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
        lost = ~np.isfinite(numbers)
        if column.null_count:
            lost &= ~column.is_null().to_numpy(zero_copy_only=False)
        if lost.any():
            self._refuse(lost, f"{name} is not a finite number")
        return numbers

    def _refuse(self, wrong: Any, message: str) -> NoReturn:
        i = int(np.argmax(np.asarray(wrong)))
        pair_id = self.batch.column("pair_id")[i].as_py()
        raise RunError(
            "bad-verdict",
            f"verdict on {pair_id!r}: {message}",
            place=self.folder.place(self.before + i),
        )


# Verdicts on the rows of their pairs.


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What one run says of each gold row."""

    name: str
    header: RunHeader | None
    ranked: bool
    label: Codes
    """Index into `LABELS`, or `NONE`."""
    status: Codes
    """Index into `STATUSES`."""
    score: Numbers
    """NaN where there is none, or where scores are not wanted."""
    confidence: Numbers
    labels: frozenset[Label] = field(default_factory=frozenset)
    """All labels that occur in the run."""


def verdicts_on(gold: Gold, run: RunBatches, *, scores: bool = True) -> Verdicts:
    """Read a run, and put its verdicts to the rows of the gold.

    Args:
        gold: The gold.
        run: A run that has not been read yet.
        scores: Whether scores are wanted; 8 bytes a pair are saved where they are not.

    Raises:
        RunError: a run judges a pair twice, or one that the gold does not have.
    """
    beside = _Beside(gold, run, scores)
    for batch in run.read(run):
        beside.put(batch)
    return beside.verdicts()


def gives_probabilities(header: RunHeader | None) -> bool:
    """Whether the scores of a run are the probabilities of entailment of a 3-way recognizer."""
    if header is None:
        return False
    signature = header.signature
    return signature.view is View.THREE_WAY and signature.score_range == (0.0, 1.0)


class _Beside:
    """The verdicts of a run so far, on the rows of the gold."""

    def __init__(self, gold: Gold, run: RunBatches, scores: bool) -> None:
        n = gold.n_rows
        self._gold = gold
        self._run = run
        self._scores = scores
        self._label = np.full(n, NONE, np.int8)
        self._status = np.full(n, MISSING_STATUS, np.int8)
        self._score: Numbers | None = None
        self._confidence: Numbers = np.full(n, np.nan)
        self._n_rows = 0
        self._numbers: NDArray[np.int32] | None = None
        """Of each gold row the number of its verdict; None while both have one order."""
        self._unknown: tuple[int, str] | None = None
        self._n_unknown = 0

    def put(self, batch: VerdictBatch) -> None:
        """Take some verdicts in.

        Raises:
            RunError: one is the second on its pair.
        """
        start = self._n_rows
        rows = self._gold.ids.rows(batch.ids, start)
        self._n_rows += len(rows)
        in_order = len(rows) > 0 and rows[0] >= 0 and _are_consecutive(rows)
        if not in_order:
            self._see_unknown(batch, rows, start)
        self._see_doubles(batch, rows, start, in_order)
        known: Any = slice(int(rows[0]), int(rows[-1]) + 1) if in_order else rows[rows >= 0]
        taken: Any = slice(None) if in_order else rows >= 0
        self._label[known] = batch.label[taken]
        self._status[known] = batch.status[taken]
        self._confidence[known] = batch.confidence[taken]
        if self._run.in_places:  # the place itself, until all are counted
            self._scored()[known] = np.arange(start, self._n_rows)[taken]
        elif self._keeps_scores:
            self._scored()[known] = batch.score[taken]

    def verdicts(self) -> Verdicts:
        """What was put.

        Raises:
            RunError: the run judges a pair that the gold does not have.
        """
        if self._unknown is not None:
            row, first = self._unknown
            raise unknown_error(first, self._n_unknown, self._n_rows, self._run.place(row))
        score = self._scored()
        if self._run.in_places:
            score = (self._n_rows - score) / max(self._n_rows, 1)  # as `rank_score`
        codes = np.flatnonzero(np.bincount(self._label - np.int8(NONE), minlength=1)) + NONE
        return Verdicts(
            self._run.name,
            self._run.header,
            self._run.ranked,
            self._label,
            self._status,
            score,
            self._confidence,
            frozenset(LABELS[code] for code in codes.tolist() if code != NONE),
        )

    @property
    def _keeps_scores(self) -> bool:
        """Also of probabilities: the coarser view takes what is left of one for its no."""
        run = self._run
        return self._scores or run.ranked or gives_probabilities(run.header)

    def _scored(self) -> Numbers:
        if self._score is None:
            n = self._gold.n_rows
            wanted = self._keeps_scores
            self._score = np.full(n, np.nan) if wanted else np.broadcast_to(np.float64(np.nan), n)
        return self._score

    def _see_unknown(self, batch: VerdictBatch, rows: NDArray[np.int64], start: int) -> None:
        unknown = np.flatnonzero(rows < 0)
        self._n_unknown += len(unknown)
        if len(unknown) and self._unknown is None:
            first = int(unknown[0])
            self._unknown = (start + first, text_of(batch.ids[first].as_py()))

    def _see_doubles(
        self, batch: VerdictBatch, rows: NDArray[np.int64], start: int, in_order: bool
    ) -> None:
        """Remember where the verdict on each row stands, and refuse a second one."""
        if self._numbers is None and in_order and rows[0] == start:
            return
        if self._numbers is None:
            self._numbers = np.full(self._gold.n_rows, -1, np.int32)
            self._numbers[:start] = np.arange(start)
        known = np.flatnonzero(rows >= 0)
        again = self._numbers[rows[known]] >= 0
        if again.any() or (not in_order and len(np.unique(rows[known])) < len(known)):
            self._refuse_double(batch, rows, start)
        self._numbers[rows[known]] = start + known

    def _refuse_double(self, batch: VerdictBatch, rows: NDArray[np.int64], start: int) -> NoReturn:
        assert self._numbers is not None
        for i, row in enumerate(rows.tolist()):
            if row >= 0 and self._numbers[row] >= 0:
                first = self._run.place(int(self._numbers[row]))
                raise RunError(
                    "pair-judged-second-time",
                    f"pair {text_of(batch.ids[i].as_py())!r} is judged a second time;"
                    f" the first is at {first}",
                    place=self._run.place(start + i),
                    hint="keep one verdict a pair",
                )
            if row >= 0:
                self._numbers[row] = start + i
        raise AssertionError("no row has two verdicts")


def _are_consecutive(rows: NDArray[np.int64]) -> bool:
    return bool(rows[-1] - rows[0] == len(rows) - 1 and (rows[1:] - rows[:-1] == 1).all())


def unknown_error(first: str, n_unknown: int, n: int, place: str) -> RunError:
    """What is said of a run with pairs that the gold does not have.

    Args:
        first: The first of these pairs.
        n_unknown: How many there are.
        n: How many verdicts the run has.
        place: Where the first stands.
    """
    if 2 * n_unknown > n:
        code = "run-for-other-data"
        message = (
            f"a run for other data: {n_unknown} of its {n} pair ids are not in the gold,"
            f" the first is {first!r}"
        )
        hint = "give the pairs that the run was made for"
    else:
        more = f" (and {n_unknown - 1} more)" if n_unknown > 1 else ""
        code, message = "pair-not-in-gold", f"pair {first!r} is not in the gold{more}"
        hint = "remove the line, or give the gold that has the pair"
    return RunError(code, message, place=place, hint=hint)


def given_labels(label: Codes) -> dict[Label, int]:
    """How many of some verdicts have each label."""
    counts = np.bincount(label[label != NONE], minlength=len(LABELS))
    return {each: int(n) for each, n in zip(LABELS, counts, strict=True) if n}
