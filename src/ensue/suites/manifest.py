"""Several suites in a directory: cases in files, and a manifest of how they were made."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ensue import __version__
from ensue.errors import DataError, OutputError
from ensue.files import new_directory, open_input, open_output, open_text_output
from ensue.pairs import Pair, read_pairs, write_pairs
from ensue.suites.cases import Quotas, Replacer, SuiteGenerator, SuiteSettings, case_hash
from ensue.suites.plan import (
    N_TYPES,
    CaseIndex,
    MadeSuite,
    SuitePlan,
    case_line,
    case_of_line,
    make_suite,
    plan_suites,
)
from ensue.suites.repertoire import Repertoire

MANIFEST = "suites.json"
FORMATS = {"jsonl": ".jsonl", "rte": ".xml", "csv": ".csv"}
"""The formats that suites are written in, and how the files' names end."""

GROUP = 2
"""Cases of a group: what follows, and a near miss of it."""
_CLAIMS = ".claims"
_NOT_OURS = "take away what is to be kept and remove the directory, or name a new one"


@dataclass(frozen=True, slots=True)
class SuiteRecord:
    """What came of one suite."""

    name: str
    types: tuple[str, ...]
    """Subcategorization types of its predicates."""
    asked: int
    cases: int
    near_misses: Mapping[str, int] = field(hash=False)
    unmet: Mapping[str, int] = field(hash=False)
    """How many cases each unmet quota lacks."""
    files: tuple[str, ...] = ()

    @property
    def is_full(self) -> bool:
        """Whether there are as many cases as were asked for, and every quota is met."""
        return self.cases == self.asked and not self.unmet


@dataclass(frozen=True, slots=True)
class Manifest:
    """How suites were made, so that they can be made again."""

    version: str
    grammar: str
    digest: str
    """Of the grammar's files."""
    seed: int
    settings: Mapping[str, Any] = field(hash=False)
    titles: Mapping[str, str] = field(hash=False)
    """Readable names of the grammar's families."""
    suites: tuple[SuiteRecord, ...]

    @property
    def is_full(self) -> bool:
        """Whether every suite is."""
        return all(suite.is_full for suite in self.suites)


def suite_generators(
    repertoire: Repertoire,
    settings: SuiteSettings,
    *,
    n_suites: int,
    seed: int,
    types: Sequence[str] = (),
    n_types: int = N_TYPES,
) -> Iterator[tuple[str, tuple[str, ...], SuiteGenerator]]:
    """The generator of each suite, with its name and its subcategorization types.

    Each is for itself: among very many cases some are in two suites. `write_suites` mends that.

    Args:
        repertoire: What sentences are made of.
        settings: What cases are like.
        n_suites: How many suites.
        seed: The same gives the same cases.
        types: Combine these subcategorization types only; all of the grammar's where it is empty.
        n_types: How many types a combination has.
    """
    plans = plan_suites(repertoire, n_suites=n_suites, seed=seed, types=types, n_types=n_types)
    return ((plan.name, plan.types, plan.generator(repertoire, settings)) for plan in plans)


def made_suites(
    repertoire: Repertoire, settings: SuiteSettings, *, n_suites: int, seed: int
) -> list[tuple[SuiteRecord, list[Pair]]]:
    """The cases that `write_suites` would write, in memory, with the record of each suite."""
    with tempfile.TemporaryDirectory(prefix="ensue-") as made:
        target = Path(made) / "suites"
        manifest = write_suites(target, repertoire, settings, n_suites=n_suites, seed=seed)
        return [(each, list(read_pairs(target / each.files[0]))) for each in manifest.suites]


def write_suites(
    target: str | Path,
    repertoire: Repertoire,
    settings: SuiteSettings,
    *,
    n_suites: int = 10,
    seed: int = 7,
    types: Sequence[str] = (),
    formats: Iterable[str] = ("jsonl",),
    replace: bool = False,
    on_case: Callable[[int], None] = lambda _: None,
) -> Manifest:
    """Generate suites into a new directory, which appears whole or not at all.

    Args:
        target: The directory.
        repertoire: What sentences are made of.
        settings: What cases are like.
        n_suites: How many suites.
        seed: The same gives the same bytes.
        types: Combine these subcategorization types only.
        formats: `jsonl`, which is always written, `rte` and `csv`.
        replace: Put it in place of suites that stand there.
        on_case: Told how many more cases there are.

    Raises:
        OutputError: the directory cannot be written, or is there already.
        SettingError: no sentence can be made.
    """
    plans = plan_suites(repertoire, n_suites=n_suites, seed=seed, types=types)
    if replace:
        check_replaceable(target)
    with new_directory(target, replace=MANIFEST if replace else None) as directory:
        made = [make_suite(plan, repertoire, settings, on_case) for plan in plans]
        finishing = SuiteWriter(
            repertoire, settings, seed, tuple(dict.fromkeys(["jsonl", *formats]))
        )
        return finishing.write(directory, plans, lambda: made)


@dataclass(frozen=True, slots=True)
class SuiteWriter:
    """Makes suites that were made each for itself into a directory: no case is in two of them.

    A case stays in the first suite that has it; in the others its group is replaced by one with the
    same kind of near miss that is in no suite. That rests on the order of the suites alone, not on
    who made them.
    """

    repertoire: Repertoire
    settings: SuiteSettings
    seed: int
    formats: tuple[str, ...] = ("jsonl",)

    def write(
        self,
        directory: Path,
        plans: Sequence[SuitePlan],
        made: Callable[[], Iterable[MadeSuite]],
    ) -> Manifest:
        """Write the suites and their manifest.

        Args:
            directory: One that is empty.
            plans: Of all suites.
            made: The suites in the order of the plans, whenever it is asked.
        """
        apart = directory / _CLAIMS
        apart.mkdir()
        claims = CaseIndex(apart, len(plans) * self.settings.size)
        claims.find(suite.hashes for suite in made())
        replacer = Replacer(self.repertoire, self.settings, self.seed)
        records = [
            self._written(directory, plan, suite, claims, replacer)
            for plan, suite in zip(plans, made(), strict=True)
        ]
        shutil.rmtree(apart)
        manifest = self.manifest(records)
        with open_text_output(directory / MANIFEST) as file:
            file.write(json.dumps(asdict(manifest), indent=1) + "\n")
        return manifest

    def manifest(self, records: Iterable[SuiteRecord] = ()) -> Manifest:
        """What is said of suites that are made so."""
        grammar = self.repertoire.grammar
        return Manifest(
            version=__version__,
            grammar=grammar.name,
            digest=grammar.digest,
            seed=self.seed,
            settings=json.loads(json.dumps(asdict(self.settings))),  # as it is read again
            titles=dict(grammar.titles),
            suites=tuple(records),
        )

    def files(self, plan: SuitePlan) -> tuple[str, ...]:
        """The files of a suite, JSONL first."""
        return tuple(f"{plan.name}{FORMATS[format]}" for format in self.formats)

    def _written(
        self,
        directory: Path,
        plan: SuitePlan,
        suite: MadeSuite,
        claims: CaseIndex,
        replacer: Replacer,
    ) -> SuiteRecord:
        files = self.files(plan)
        path = directory / files[0]
        lost = np.isin(suite.hashes, claims.lost_by(plan.number - 1))
        groups = dict.fromkeys((np.flatnonzero(lost) // GROUP).tolist())
        dropped: list[Pair] = []
        with suite.lines() as lines, open_output(path) as file:
            for number, group in enumerate(iter(lambda: list(islice(lines, GROUP)), [])):
                if number in groups:
                    cases = [case_of_line(line) for line in group]
                    found = replacer.group(cases, plan.types, claims.is_free)
                    claims.take(map(case_hash, found or ()))
                    dropped += cases if found is None else ()
                    group = [case_line(case) for case in found or ()]
                file.writelines(group)
        for name, format in zip(files[1:], self.formats[1:], strict=True):
            write_pairs(directory / name, read_pairs(path), format=format)
        return self._record(plan, suite, path, dropped)

    def _record(
        self, plan: SuitePlan, suite: MadeSuite, path: Path, dropped: Sequence[Pair]
    ) -> SuiteRecord:
        near_misses, unmet = dict(suite.near_misses), dict(suite.unmet)
        for case in dropped:
            if case.meta["made"] in near_misses:
                near_misses[case.meta["made"]] -= 1
        if dropped and self.settings.quotas:
            quotas = Quotas(self.settings.quotas, self.settings.size)
            quotas.count(list(read_pairs(path)))
            unmet = quotas.lacking
        return SuiteRecord(
            name=plan.name,
            types=plan.types,
            asked=self.settings.size,
            cases=suite.n_cases - len(dropped),
            near_misses=near_misses,
            unmet=unmet,
            files=self.files(plan),
        )


def read_manifest(directory: str | Path) -> Manifest:
    """What a directory of suites says of itself.

    Raises:
        DataError: there is no manifest, or it is not one.
    """
    path = Path(directory) / MANIFEST
    if not path.exists():
        raise DataError(
            "there-is-no-in",
            f"there is no {MANIFEST} in {str(directory)!r}",
            hint="ensue suite generate -o DIR makes suites",
        )
    with open_input(path) as file:
        content = file.read()
    try:
        record = json.loads(content)
        suites = tuple(_suite_record(each) for each in record.pop("suites"))
        if not suites or not isinstance(record["titles"], dict):
            raise ValueError("it has no suites or no titles")
        _check_kinds(record["titles"].values(), str)
        return Manifest(**record, suites=suites)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DataError(
            "not-manifest-suites",
            f"not a manifest of suites: {error}",
            place=str(path),
            hint="generate the suites again",
        ) from None


def check_replaceable(directory: str | Path) -> None:
    """See that a directory of suites has nothing else in it, which would go with them.

    Raises:
        OutputError: it has, or does not say what is of the suites.
    """
    if not (Path(directory) / MANIFEST).is_file():
        return
    try:
        suites = read_manifest(directory).suites
    except DataError as error:
        raise OutputError(error.code, error.message, place=error.place, hint=_NOT_OURS) from None
    ours = {MANIFEST, *(name for suite in suites for name in suite.files)}
    others = sorted({each.name for each in Path(directory).iterdir()} - ours)
    if others:
        raise OutputError(
            "holds-other-files-than",
            f"{str(directory)!r} holds other files than suites, {others[0]!r} among them",
            hint=_NOT_OURS,
        )


def _suite_record(record: dict[str, Any]) -> SuiteRecord:
    files = tuple(Path(name).name for name in record["files"])
    near_misses, unmet = dict(record["near_misses"]), dict(record["unmet"])
    if not files:
        raise ValueError(f"{record['name']!r} has no file")
    _check_kinds([record["name"], *record["types"]], str)
    _check_kinds([record["asked"], record["cases"], *near_misses.values(), *unmet.values()], int)
    changed = {"near_misses": near_misses, "unmet": unmet, "types": tuple(record["types"])}
    return SuiteRecord(**{**record, **changed, "files": files})


def _check_kinds(values: Iterable[object], kind: type) -> None:
    for value in values:
        if not isinstance(value, kind):
            raise TypeError(f"{value!r} stands where there is none")
