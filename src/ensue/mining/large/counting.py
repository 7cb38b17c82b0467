"""Count the cases of gold and runs by profile, side by side and in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.evaluation.large.columns import ID, LABELS, MISSING_STATUS, NONE, VerdictColumns
from ensue.evaluation.large.joining import (
    PARTITION,
    OutOfOrderError,
    SideBySide,
    any_order,
    same_order,
)
from ensue.evaluation.measuring.lineup import SHOWN, no_gold, not_judged, run_labelling
from ensue.mining.large.cases import LargeCases
from ensue.mining.large.profiles import Profiles, ProfileTally
from ensue.pairs import Finding, Label, View, coarser_view

if TYPE_CHECKING:
    import pyarrow as pa

Codes = NDArray[np.int8]


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
        gold: Codes = batch.gold.column("gold").to_numpy()
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


def _labels(codes: Codes) -> set[Label]:
    return {LABELS[code] for code in np.unique(codes).tolist() if code != NONE}


def _column(batch: pa.RecordBatch, name: str, chosen: NDArray[np.intp]) -> NDArray[Any]:
    return np.asarray(batch.column(name).to_numpy(zero_copy_only=False))[chosen]
