"""Mine gold and runs of any size, by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from ensue.errors import UndefinedError
from ensue.evaluation import line_up
from ensue.evaluation.large.gold import Files, parquet_rows
from ensue.evaluation.large.opening import Limits, Source
from ensue.evaluation.large.verdicts import verdict_columns
from ensue.mining.finding import TAGS, find_forms
from ensue.mining.large.cases import LargeCases, cases_of_pairs, read_cases
from ensue.mining.large.counting import count_profiles
from ensue.mining.large.mining import mine_profiles, with_pairs_of_profiles, with_worst_cases
from ensue.mining.mining import mine
from ensue.mining.population import ErrorKind
from ensue.mining.results import Mining, Settings
from ensue.mining.suspicion import Stopping
from ensue.pairs import Finding, Pair, Run, load_pairs, read_run
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.reading import Reading, read_files, with_unique_ids
from ensue.pairs.run_folders import is_folder, open_run_folder


@dataclass(frozen=True, slots=True, eq=False)
class MinedSources:
    """What was mined, and what was not."""

    minings: tuple[Mining, ...]
    """One for each kind of errors of which there is something to mine."""
    gaps: tuple[UndefinedError, ...]
    """Why there is nothing to mine of the others."""
    findings: tuple[Finding, ...]
    """What does not fit in gold and runs."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be mined."""

    kinds: Sequence[ErrorKind]
    forms: Sequence[str] = (TAGS,)
    """Kinds of forms, as in `find_forms`."""
    support: int | None = None
    """Every two forms that occur together in so many cases are a form, too."""
    n_worst: int = 0
    """How many of the worst cases of each suspect are shown."""
    stopping: Stopping = field(default_factory=Stopping)
    settings: Settings = field(default_factory=Settings)


def mine_sources(
    gold: Source,
    runs: Sequence[Source],
    wanted: Wanted,
    *,
    reading: Reading | None = None,
    on_finding: OnFinding | None = None,
    limits: Limits | None = None,
) -> MinedSources:
    """Mine a run for the forms that make it fail, whatever its size.

    Up to `LARGE` pairs are held and mined as `mine` does. More are streamed: every number is the
    same, and worst cases are there for as many suspects as are shown.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        runs: The run, and another to hold it against, where only what that gets right counts.
        wanted: What is to be mined.
        reading: How to read the gold; its labels hold for plain runs, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        limits: How much is in memory at once.

    Raises:
        EnsueError: gold or a run cannot be read, they do not go together, or the forms cannot be
            found.
    """
    options, limits = reading or Reading(), limits or Limits()
    with TemporaryDirectory(prefix="ensue-mining-") as name:
        found = _opened(gold, runs, wanted.forms, Path(name), options, on_finding, limits.pairs)
        if isinstance(found, list):
            return _of_pairs(found, runs, wanted, options)
        return _of_cases(found, runs, wanted, Path(name), options, limits.partition)


def _of_pairs(
    pairs: Sequence[Pair], runs: Sequence[Source], wanted: Wanted, reading: Reading
) -> MinedSources:
    return mine_pairs(pairs, [read_run(run, labels=reading.get("labels")) for run in runs], wanted)


def mine_pairs(pairs: Sequence[Pair], runs: Sequence[Run], wanted: Wanted) -> MinedSources:
    """Mine a run over pairs that are held, as `mine_sources` does by their names.

    Args:
        pairs: The gold.
        runs: The run, and another to hold it against, where only what that gets right counts.
        wanted: What is to be mined.

    Raises:
        EnsueError: pairs and runs do not go together, or the forms cannot be found.
    """
    lined = line_up(pairs, runs)
    judged, *others = lined.judged
    forms = find_forms(judged.pairs, wanted.forms, support=wanted.support)

    def mined(kind: ErrorKind) -> Mining:
        return mine(
            judged,
            forms,
            kind,
            against=others[0] if others else None,
            stopping=wanted.stopping,
            settings=wanted.settings,
        )

    minings, gaps = _of_kinds(mined, wanted.kinds)
    return MinedSources(tuple(minings), tuple(gaps), lined.findings)


def _of_cases(
    cases: LargeCases,
    runs: Sequence[Source],
    wanted: Wanted,
    folder: Path,
    reading: Reading,
    partition: int,
) -> MinedSources:
    columns = [
        verdict_columns(run, folder / f"verdicts-{i}", labels=reading.get("labels"))
        for i, run in enumerate(runs)
    ]
    counted = count_profiles(cases, columns, folder, n_kept=wanted.n_worst, partition=partition)
    profiles = counted.profiles
    if wanted.support is not None:
        profiles = with_pairs_of_profiles(profiles, wanted.support)

    def mined(kind: ErrorKind) -> Mining:
        return mine_profiles(profiles, kind, stopping=wanted.stopping, settings=wanted.settings)

    minings, gaps = _of_kinds(mined, wanted.kinds)
    shown = with_worst_cases(minings, cases, wanted.n_worst)
    return MinedSources(tuple(shown), tuple(gaps), counted.findings)


def _of_kinds(
    mined: Callable[[ErrorKind], Mining], kinds: Iterable[ErrorKind]
) -> tuple[list[Mining], list[UndefinedError]]:
    minings: list[Mining] = []
    gaps: list[UndefinedError] = []
    for kind in dict.fromkeys(kinds):
        try:
            minings.append(mined(kind))
        except UndefinedError as error:
            gaps.append(error)
    return minings, gaps


def _opened(
    gold: Source,
    runs: Sequence[Source],
    forms: Sequence[str],
    folder: Path,
    reading: Reading,
    on_finding: OnFinding | None,
    most: int,
) -> list[Pair] | LargeCases:
    """All pairs, or what is kept of them where there are too many."""
    n_rows = parquet_rows(gold, reading.get("format"))
    if (n_rows or 0) > most or any(_n_rows(run) > most for run in runs):
        return read_cases(gold, forms, folder, on_finding=on_finding, **reading)
    if n_rows is not None:
        return load_pairs(gold, on_finding=on_finding, **reading)
    found = _held(read_files(gold, on_finding=on_finding, **reading), most)
    if isinstance(found, list):
        return found
    return cases_of_pairs(found, shown_name(gold), forms, folder)


def _n_rows(run: Source) -> int:
    return open_run_folder(run).n_rows if is_folder(run) else 0


def _held(files: Files, most: int) -> list[Pair] | Files:
    """The pairs of files that are read once; the files as they were, where these are too many."""
    held: list[tuple[str, list[tuple[int, Pair]]]] = []
    n_pairs = 0
    for file, located in files:
        own: list[tuple[int, Pair]] = []
        held.append((file, own))
        for each in located:
            own.append(each)
            n_pairs += 1
            if n_pairs > most:
                *before, last = ((name, iter(pairs)) for name, pairs in held)
                return chain(before, [(file, chain(last[1], located))], files)
    first: dict[str, str] = {}
    return [pair for file, own in held for _, pair in with_unique_ids(own, file, first)]
