"""Cases of any size as columns, and counted by profile: same forms, same outcome.

The numbers of error mining depend on nothing but how many cases have which forms, and how many of
them are errors. So cases that share both need not be held; of each profile only the few are kept
that may be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.evaluation import SHOWN, no_gold, not_judged, run_labelling, view_codes
from ensue.evaluation.large import (
    ID,
    LABELS,
    MISSING_STATUS,
    NONE,
    PARTITION,
    Columns,
    Files,
    OutOfOrderError,
    SideBySide,
    VerdictColumns,
    any_order,
    cut_alike,
    gold_columns,
    parquet_files,
    read_spooled,
    same_order,
    spooled_gold,
)
from ensue.files import shown_name
from ensue.mining.forms import Forms
from ensue.mining.large.forms import (
    MOST,
    FormSets,
    FormTable,
    check_number,
    located_rows,
    sets_of_batch,
    tally,
)
from ensue.mining.suspicion import Outcomes
from ensue.pairs import (
    Finding,
    Label,
    Pair,
    ReadKeywords,
    View,
    coarser_view,
    id_prefixes,
    read_files,
    read_options,
)
from ensue.pairs.formats import LocatedPairs, OnFinding
from ensue.surface import DistinctRows, grown

if TYPE_CHECKING:
    import pyarrow as pa

# Gold of any size as columns: ids, labels, and the number of each case's set of forms.

ROWS = 4096
"""How many pairs are held at a time, where they do not come as columns."""

Sides = Callable[[Sequence[int]], dict[int, tuple[str, str]]]
Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LargeCases:
    """Gold pairs with their forms, on disk."""

    columns: Columns
    """`id`, `gold` (a code) and `set`, the number of the set of forms, −1 without gold."""
    sets: FormSets
    sides: Sides
    """Gives text and hypothesis of some pairs, by their numbers from 0."""

    def pairs(self, rows: Sequence[int]) -> dict[int, Pair]:
        """Some pairs, by their numbers from 0: id, text, hypothesis and gold."""
        sides = self.sides(rows)
        found: dict[int, Pair] = {}
        for row, batch, i in located_rows(self.columns.read(), rows):
            pair_id, gold = (batch.column(k)[i].as_py() for k in (0, 1))
            found[row] = Pair(pair_id, *sides[row], None if gold == NONE else LABELS[gold])
        return found


def read_cases(
    source: str | Path,
    kinds: Sequence[str],
    folder: Path,
    *,
    on_finding: OnFinding | None = None,
    **reading: Unpack[ReadKeywords],
) -> LargeCases:
    """Find the forms of all gold pairs of a source, in one pass that holds none of them.

    Args:
        source: Any source of pairs.
        kinds: As in `find_forms`.
        folder: An empty folder for files that are needed as long as the cases are.
        on_finding: Is told of problems that do not stop the reading.
        **reading: How to read it: the fields of `ReadKeywords`.

    Raises:
        DataError: the pairs, their tags or their columns cannot be read.
        SettingError: the forms of two kinds have the same names, or there are too many of them.
    """
    files = parquet_files(source, reading.get("format"))
    if files is None:
        located = read_files(source, on_finding=on_finding, **reading)
        return cases_of_pairs(located, shown_name(source), kinds, folder)
    gold = gold_columns(source, folder / "gold", tasks=False, on_finding=on_finding, **reading)
    options = read_options(reading)
    tables = [
        FormTable(file, replace(options, id_prefix=prefix))
        for file, prefix in zip(files, id_prefixes(files), strict=True)
    ]
    return _of_tables(gold, tables, FormSets(kinds), folder)


def _of_tables(
    gold: Columns, tables: Sequence[FormTable], sets: FormSets, folder: Path
) -> LargeCases:
    import pyarrow as pa

    with _Spool(folder / "sets", {"set": "int64"}) as spool:
        batches = (batch for table in tables for batch in table.batches(sets.kinds))
        for of_gold, of_forms in cut_alike([gold.read(), batches]):
            labelled = np.asarray(of_gold.column("gold")) != NONE
            numbers = np.full(len(labelled), NONE, np.int64)
            if not labelled.all():
                of_gold, of_forms = (
                    each.filter(pa.array(labelled)) for each in (of_gold, of_forms)
                )
            numbers[labelled] = sets_of_batch(of_forms, of_gold.column(ID), sets)
            spool.write(numbers)
    return LargeCases(_with_sets(gold, folder / "sets"), sets, _sides_of_tables(tables))


def cases_of_pairs(files: Files, name: str, kinds: Sequence[str], folder: Path) -> LargeCases:
    """As `read_cases`, for pairs that come once; their texts are kept on disk.

    Args:
        files: Pairs with their lines, file by file.
        name: What the source is called.
        kinds: As in `find_forms`.
        folder: An empty folder for files that are needed as long as the cases are.
    """
    sets = FormSets(kinds)
    types = {"set": "int64", "text": "binary", "hypothesis": "binary"}
    with _Spool(folder / "sets", types) as spool:
        held: list[Pair] = []

        def find() -> None:
            numbers = np.full(len(held), NONE, np.int64)
            labelled = [i for i, pair in enumerate(held) if pair.gold is not None]
            numbers[labelled] = sets.of_pairs([held[i] for i in labelled])
            sides = (
                [_bytes(pair.text) for pair in held],
                [_bytes(pair.hypothesis) for pair in held],
            )
            spool.write(numbers, *sides)
            held.clear()

        def passed(located: LocatedPairs) -> LocatedPairs:
            for line, pair in located:
                held.append(pair)
                if len(held) == ROWS:
                    find()
                yield line, pair

        gold = spooled_gold(
            ((file, passed(located)) for file, located in files), name, folder / "gold"
        )
        find()
    path = folder / "sets"
    return LargeCases(_with_sets(gold, path), sets, lambda rows: _spooled_sides(path, rows))


def _with_sets(gold: Columns, path: Path) -> Columns:
    """Gold, and beside it the sets from a file."""
    import pyarrow as pa

    def read() -> Iterator[pa.RecordBatch]:
        for of_gold, of_sets in cut_alike([gold.read(), read_spooled(path)]):
            arrays = [of_gold.column(ID), of_gold.column("gold"), of_sets.column("set")]
            yield pa.record_batch(arrays, names=[ID, "gold", "set"])

    return replace(gold, read=read)


class _Spool:
    """Writes batches of columns to a file, for `read_spooled`."""

    def __init__(self, path: Path, types: dict[str, str]) -> None:
        import pyarrow as pa

        kinds: Any = {"int64": pa.int64(), "binary": pa.binary()}
        self._schema = pa.schema([(name, kinds[kind]) for name, kind in types.items()])
        self._sink = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_stream(self._sink, self._schema)

    def __enter__(self) -> _Spool:
        return self

    def __exit__(self, *error: object) -> None:
        self._writer.close()
        self._sink.close()

    def write(self, *columns: Any) -> None:
        """Write some rows, given as columns."""
        import pyarrow as pa

        arrays = [
            pa.array(each, kind) for each, kind in zip(columns, self._schema.types, strict=True)
        ]
        self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # half characters are texts, too


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass")


def _spooled_sides(path: Path, rows: Sequence[int]) -> dict[int, tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    for row, batch, i in located_rows(read_spooled(path), rows):
        text, hypothesis = (batch.column(k)[i].as_py() for k in (1, 2))
        found[row] = (_text(text), _text(hypothesis))
    return found


def _sides_of_tables(tables: Sequence[FormTable]) -> Sides:
    starts = list(accumulate((table.n_rows for table in tables), initial=0))

    def sides(rows: Sequence[int]) -> dict[int, tuple[str, str]]:
        found: dict[int, tuple[str, str]] = {}
        for table, start in zip(tables, starts, strict=False):
            inside = [row - start for row in rows if start <= row < start + table.n_rows]
            if inside:
                found |= {row + start: both for row, both in table.sides(inside).items()}
        return found

    return sides


# Profiles: cases with the same forms and the same outcome, counted together.

Numbers = NDArray[np.int64]
ProfileCodes = NDArray[np.int8]

EMPTY = -2.0
"""The confidence that stands for no case; that of a case without one is −1."""

_ANSWERS = len(LABELS) + 1
"""Answers that there may be: a label, or none."""


@dataclass(frozen=True, slots=True, eq=False)
class FirstCases:
    """The cases of some profiles that come first, as many of each as may be shown."""

    shelves: Numbers
    """For each profile, its row in the arrays below; −1 where no case is kept."""
    confidence: NDArray[np.float64]
    """Shelves × places: the run's in each case, −1 without one, `EMPTY` where there is no case."""
    rows: Numbers
    """Shelves × places: the numbers of these cases in the gold, from 0."""

    @property
    def most(self) -> int:
        """How many cases of each profile are kept."""
        return int(self.rows.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """Very many cases as profiles, in the order of their first cases."""

    runs: tuple[str, ...]
    """What the run is called, and the one that it is held against, where there is one."""
    view: View
    forms: Forms
    """The distinct sets of forms."""
    sets: Numbers
    """The set of each profile."""
    gold: ProfileCodes
    """The gold of each profile, an index into `LABELS`."""
    answers: tuple[ProfileCodes, ...]
    """For each run, its answer: the same, or −1."""
    n_cases: Numbers
    """How many cases each profile has."""
    kept: FirstCases

    def outcomes(self, run: int) -> Outcomes:
        """Gold and the answers of a run, in the view."""
        in_view = view_codes(self.view)
        # the view is chosen so that labels without a place in it do not occur
        codes = np.array([in_view.get(label, NONE) for label in (*LABELS, None)], np.int8)
        return Outcomes(codes[self.gold], codes[self.answers[run]])

    @property
    def n_cases_of_sets(self) -> Numbers:
        """How many cases each set has, whatever their outcome."""
        n_sets = self.forms.n_cases
        return np.bincount(self.sets, self.n_cases, minlength=n_sets).astype(np.int64)


class ProfileTally:
    """Counts cases by profile as they come along.

    Args:
        n_runs: How many runs are side by side; one, or two where one is held against another.
        n_kept: How many cases of each profile may be shown.
    """

    def __init__(self, n_runs: int, n_kept: int) -> None:
        self._n_runs = n_runs
        self._n_kept = n_kept
        self._profiles = DistinctRows()
        self._n_cases: Numbers = np.zeros(0, np.int64)
        self._first_rows: Numbers = np.zeros(0, np.int64)
        self._shelves: Numbers = np.zeros(0, np.int64)
        self._n_shelves = 0
        self._confidence: NDArray[np.float64] = np.zeros(0)
        self._rows: Numbers = np.zeros(0, np.int64)

    def add(
        self,
        rows: Numbers,
        sets: Numbers,
        gold: ProfileCodes,
        answers: Sequence[ProfileCodes],
        confidence: NDArray[np.float64],
    ) -> None:
        """Count some cases.

        Args:
            rows: Their numbers in the gold, from 0.
            sets: The sets of their forms.
            gold: Their gold, as indices into `LABELS`.
            answers: For each run, its answers; −1 is none.
            confidence: The first run's; NaN where there is none.

        Raises:
            SettingError: there are too many profiles.
        """
        self._n_shelves = tally(
            self._numbers(sets, gold, answers),
            rows,
            np.nan_to_num(confidence, nan=-1.0),
            # what is right in the finest view is right in any
            np.not_equal(gold, answers[0]),
            self._n_cases,
            self._first_rows,
            self._shelves,
            self._n_shelves,
            self._on_shelves(self._confidence),
            self._on_shelves(self._rows),
        )

    def profiles(self, runs: Sequence[str], view: View, forms: Forms) -> Profiles:
        """What was counted.

        Args:
            runs: What the runs are called.
            view: The labels to compare in.
            forms: The sets of forms, by their numbers.
        """
        n = self._profiles.n_rows
        order = np.argsort(self._first_rows[:n], kind="stable")
        sets, outcome = self._profiles.values.reshape(-1, 2)[order].T.astype(np.int64)
        answers: list[ProfileCodes] = []
        for _ in range(self._n_runs):
            outcome, answer = np.divmod(outcome, _ANSWERS)
            answers.insert(0, (answer - 1).astype(np.int8))
        return Profiles(
            tuple(runs),
            view,
            forms,
            sets,
            outcome.astype(np.int8),
            tuple(answers),
            self._n_cases[:n][order],
            FirstCases(
                self._shelves[:n][order],
                self._on_shelves(self._confidence)[: self._n_shelves],
                self._on_shelves(self._rows)[: self._n_shelves],
            ),
        )

    def _numbers(
        self, sets: Numbers, gold: ProfileCodes, answers: Sequence[ProfileCodes]
    ) -> Numbers:
        """The profile of each case, with room for those that are new."""
        outcome = gold.astype(np.int64)
        for answer in answers:
            outcome = outcome * _ANSWERS + answer + 1
        keys = np.stack([sets, outcome], axis=1).astype(np.int32).ravel()
        before = self._profiles.n_rows
        found = self._profiles.numbers(np.arange(0, len(keys) + 1, 2), keys).astype(np.int64)
        n = self._profiles.n_rows
        check_number(n, MOST, "different combinations of forms and outcome")
        self._n_cases = _filled(self._n_cases, before, n, 0)
        self._first_rows = _filled(self._first_rows, before, n, np.iinfo(np.int64).max)
        self._shelves = _filled(self._shelves, before, n, NONE)
        start, end = (self._n_kept * (self._n_shelves + more) for more in (0, n - before))
        self._confidence = _filled(self._confidence, start, end, EMPTY)
        self._rows = _filled(self._rows, start, end, NONE)
        return found

    def _on_shelves(self, flat: NDArray[Number]) -> NDArray[Number]:
        n_kept = self._n_kept
        if n_kept == 0:
            return flat.reshape(0, 0)
        return flat[: len(flat) // n_kept * n_kept].reshape(-1, n_kept)


def _filled(array: NDArray[Number], start: int, end: int, value: float) -> NDArray[Number]:
    """The array, or a longer one, with this value from start to end."""
    array = grown(array, end)
    array[start:end] = value
    return array


# Count the cases of gold and runs by profile, side by side and in any order.

AnswerCodes = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class ProfiledRuns:
    """What there is to mine, and what does not fit."""

    profiles: Profiles
    findings: tuple[Finding, ...]


def count_profiles(
    cases: LargeCases,
    runs: Sequence[VerdictColumns],
    folder: Path,
    *,
    n_kept: int = 0,
    partition: int = PARTITION,
) -> ProfiledRuns:
    """Put runs beside cases, and count the cases by profile.

    Pairs without gold are left out; pairs that a run does not mention are unanswered.

    Args:
        cases: The gold with its forms.
        runs: The run, and another to hold it against, where there is one.
        folder: Where rows are kept that have to be brought together.
        n_kept: How many cases of each profile may be shown.
        partition: How many gold rows are brought together at a time, about.

    Raises:
        DataError: no pair has gold, two pairs have the same id, or no case has what forms are
            made of.
        RunError: a run judges a pair twice, or one that the gold does not have.
        SettingError: there are too many profiles.
    """
    try:
        seen = _Seen(runs, n_kept)
        seen.see_all(same_order(cases.columns, runs, folder))
    except OutOfOrderError:
        seen = _Seen(runs, n_kept)
        seen.see_all(any_order(cases.columns, runs, folder, partition=partition))
    return seen.counted(cases)


class _Seen:
    """What was seen of gold and runs."""

    def __init__(self, runs: Sequence[VerdictColumns], n_kept: int) -> None:
        self._runs = [_SeenRun(run) for run in runs]
        self._tally = ProfileTally(len(runs), n_kept)
        self._gold: set[Label] = set()
        self._n_gold = 0
        self._n_without = 0

    def see_all(self, batches: Iterable[SideBySide]) -> None:
        """Count all cases."""
        for batch in batches:
            self._see(batch)

    def counted(self, cases: LargeCases) -> ProfiledRuns:
        """What was counted, once all of it was seen."""
        if self._n_gold == 0:
            raise DataError("no pair has gold", hint="evaluate against pairs that are labelled")
        forms = cases.sets.forms()
        profiles = self._tally.profiles([run.name for run in self._runs], self._view(), forms)
        findings = [*no_gold(self._n_without)]
        for run in self._runs:
            findings += run.findings(self._n_gold)
        return ProfiledRuns(profiles, tuple(findings))

    def _view(self) -> View:
        return coarser_view(self._gold, *(run.labelling for run in self._runs))

    def _see(self, batch: SideBySide) -> None:
        gold: AnswerCodes = batch.gold.column("gold").to_numpy()
        labelled = np.flatnonzero(gold != NONE)
        self._gold |= _labels(gold)
        self._n_gold += len(labelled)
        self._n_without += len(gold) - len(labelled)
        ids = batch.gold.column(ID)
        for run, verdicts in zip(self._runs, batch.verdicts, strict=True):
            run.see(verdicts, labelled, ids, batch.rows)
        answers = [_column(verdicts, "label", labelled) for verdicts in batch.verdicts]
        self._tally.add(
            batch.rows[labelled],
            _column(batch.gold, "set", labelled),
            gold[labelled],
            answers,
            _column(batch.verdicts[0], "confidence", labelled).astype(np.float64),
        )


class _SeenRun:
    """What was seen of one run: its labels, and the pairs that it does not mention."""

    def __init__(self, run: VerdictColumns) -> None:
        self.name = run.name
        self._header = run.header
        self._labels: set[Label] = set()
        self._n_missing = 0
        self._missing: list[tuple[int, str]] = []

    @property
    def labelling(self) -> set[Label]:
        """The labels that the run may give."""
        return run_labelling(self._labels, self._header)

    def see(
        self,
        verdicts: pa.RecordBatch,
        labelled: NDArray[np.intp],
        ids: pa.Array[Any],
        rows: NDArray[np.int64],
    ) -> None:
        """Take in some verdicts, of which those in `labelled` are on pairs with gold."""
        self._labels |= _labels(verdicts.column("label").to_numpy())
        status = verdicts.column("status").to_numpy()
        missing = labelled[status[labelled] == MISSING_STATUS]
        self._n_missing += len(missing)
        first = missing[np.argsort(rows[missing])[:SHOWN]]
        found = [(int(rows[i]), str(ids[int(i)].as_py())) for i in first]
        self._missing = sorted([*self._missing, *found])[:SHOWN]

    def findings(self, n_gold: int) -> Iterable[Finding]:
        """Pairs that are not in the run."""
        first = [pair_id for _, pair_id in self._missing]
        return not_judged(self.name, first, self._n_missing, n_gold)


def _labels(codes: AnswerCodes) -> set[Label]:
    return {LABELS[code] for code in np.unique(codes).tolist() if code != NONE}


def _column(batch: pa.RecordBatch, name: str, chosen: NDArray[np.intp]) -> NDArray[Any]:
    return np.asarray(batch.column(name).to_numpy(zero_copy_only=False))[chosen]
