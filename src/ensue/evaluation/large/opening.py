"""Gold and runs of any size: held where they are few enough, as columns where they are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from ensue.evaluation.evaluating import distinct_names
from ensue.evaluation.large.columns import Columns, VerdictColumns
from ensue.evaluation.large.gold import gold_columns, parquet_rows, spooled_gold
from ensue.evaluation.large.joining import PARTITION
from ensue.evaluation.large.ranking.sorting import BUFFER
from ensue.evaluation.large.verdicts import verdict_columns
from ensue.evaluation.measuring.summary import LARGE
from ensue.pairs import Pair, Run, load_pairs, read_run
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.reading import Reading, read_files, with_unique_ids
from ensue.pairs.run_folders import is_folder, open_run_folder

Source = str | Path
_Located = Iterator[tuple[int, Pair]]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is in memory at once."""

    pairs: int = LARGE
    """More gold pairs are not held."""
    partition: int = PARTITION
    """Gold rows that are brought together with runs in another order, at a time."""
    buffer: int = BUFFER
    """Keys that are sorted at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Gold and runs in memory."""

    gold: list[Pair]
    runs: list[Run]


@dataclass(frozen=True, slots=True, eq=False)
class Streamed:
    """Gold and runs as columns."""

    gold: Columns
    runs: list[VerdictColumns]


def open_sources(
    gold: Source,
    runs: Sequence[Source],
    folder: Path,
    *,
    reading: Reading | None = None,
    on_finding: OnFinding | None = None,
    tasks: bool = True,
    limits: Limits | None = None,
) -> Held | Streamed:
    """Read gold and runs, or open them where there are too many pairs.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        runs: Files or folders of shards.
        folder: Where columns may be kept meanwhile.
        reading: How to read the gold; its labels hold for plain runs, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        tasks: Whether tasks are wanted of what is not held.
        limits: How much is in memory at once.

    Raises:
        DataError: the gold cannot be read as what it claims to be.
        RunError: a run cannot.
    """
    options: Reading = reading or {}
    most = (limits or Limits()).pairs
    labels = options.get("labels")
    n_rows = parquet_rows(gold, options.get("format"))
    # a run with more verdicts than there may be pairs is not held, to say what is wrong with it
    large = (n_rows or 0) > most or any(_n_rows(run) > most for run in runs)
    found: list[Pair] | Columns
    if large:
        found = gold_columns(gold, folder / "gold", tasks=tasks, on_finding=on_finding, **options)
    elif n_rows is not None:
        found = load_pairs(gold, on_finding=on_finding, **options)
    else:
        files = read_files(gold, on_finding=on_finding, **options)
        found = _held_or_spooled(files, shown_name(gold), folder / "gold", most)
    if isinstance(found, list):
        return Held(found, [read_run(run, labels=labels) for run in runs])
    opened = [
        verdict_columns(run, folder / f"verdicts-{i}", labels=labels) for i, run in enumerate(runs)
    ]
    names = distinct_names([run.name for run in opened])
    named = [replace(run, name=name) for run, name in zip(opened, names, strict=True)]
    return Streamed(found, named)


def _n_rows(run: Source) -> int:
    return open_run_folder(run).n_rows if is_folder(run) else 0


def _held_or_spooled(
    files: Iterator[tuple[str, _Located]], name: str, spool: Path, most: int
) -> list[Pair] | Columns:
    """The pairs of files that are read once; as columns on disk where there are too many."""
    held: list[tuple[str, list[tuple[int, Pair]]]] = []
    n_pairs = 0
    for file, located in files:
        own: list[tuple[int, Pair]] = []
        for each in located:
            own.append(each)
            n_pairs += 1
            if n_pairs > most:
                before = ((earlier, iter(pairs)) for earlier, pairs in held)
                return spooled_gold(
                    chain(before, [(file, chain(own, located))], files), name, spool
                )
        held.append((file, own))
    first: dict[str, str] = {}
    return [pair for file, own in held for _, pair in with_unique_ids(own, file, first)]
