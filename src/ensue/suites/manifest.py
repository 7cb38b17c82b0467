"""Several suites in a directory: cases in files, a manifest of how they were made, what is in them."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ensue import __version__
from ensue.errors import DataError, OutputError
from ensue.files import new_directory, open_input, open_output, open_text_output
from ensue.pairs import Label, Pair, read_pairs, write_pairs
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


Counts = Mapping[str, Counter[Label]]
"""How many cases of each label there are of each kind."""


@dataclass(frozen=True, slots=True)
class Composition:
    """Cases of suites, counted."""

    n_cases: int
    n_groups: int
    labels: Mapping[Label, int] = field(hash=False)
    clauses: Counts = field(hash=False)
    """By the number of clauses in the text."""
    types: Counts = field(hash=False)
    """By subcategorization type of the text's predicates; a case may have several."""
    made: Counts = field(hash=False)
    """By how the hypothesis was made."""
    changes: Counts = field(hash=False)
    """By how constructions differ between the sides; a case may have several."""
    tags: Mapping[str, tuple[int, int]] = field(hash=False)
    """In how many texts and in how many hypotheses each tag is."""
    tag_pairs: Mapping[str, int] = field(hash=False)
    """In how many cases each tag pair is, the hypothesis's tag first."""
    sample: tuple[Pair, ...]
    """Random cases, in their order."""


def describe_cases(cases: Iterable[Pair], *, sample: int = 5, seed: int = 0) -> Composition:
    """Count cases, one at a time.

    Args:
        cases: Cases as `SuiteGenerator` makes them.
        sample: How many of them to keep.
        seed: Of their choice.

    Raises:
        DataError: a pair is not a case of a suite.
    """
    labels: Counter[Label] = Counter()
    by: dict[str, dict[str, Counter[Label]]] = {
        name: {} for name in ("clauses", "subcategorization", "made", "changes")
    }
    tags: dict[str, list[int]] = {}
    tag_pairs: Counter[str] = Counter()
    groups: set[int] = set()
    kept: list[tuple[int, Pair]] = []
    rng = random.Random(seed)
    n = 0
    for case in cases:
        label = _checked(case)
        labels[label] += 1
        groups.add(hash(case.meta["group"]))
        for name, counts in by.items():
            for value in _values(case.meta[name]):
                counts.setdefault(str(value), Counter())[label] += 1
        _count_tags(case, tags, tag_pairs)
        _keep(kept, (n, case), n, sample, rng)
        n += 1
    if n == 0:
        raise DataError(
            "no-case-describe",
            "there is no case to describe",
            hint="name suites that `ensue suite generate` wrote, or a file of pairs",
        )
    return Composition(
        n_cases=n,
        n_groups=len(groups),
        labels=labels,
        clauses=dict(sorted(by["clauses"].items())),
        types=dict(sorted(by["subcategorization"].items())),
        made=by["made"],
        changes=dict(sorted(by["changes"].items())),
        tags={tag: (of_text, of_hypothesis) for tag, (of_text, of_hypothesis) in tags.items()},
        tag_pairs=tag_pairs,
        sample=tuple(case for _, case in sorted(kept, key=lambda each: each[0])),
    )


def _checked(case: Pair) -> Label:
    missing = {"group", "made", "changes", "clauses", "subcategorization", "tags"} - set(case.meta)
    if missing or case.gold not in (Label.ENTAILMENT, Label.NOT_ENTAILMENT):
        what = f"meta.{min(missing)}" if missing else "gold of entailment or not-entailment"
        raise DataError(
            "pair-no-case-suite-no",
            f"pair {case.id!r} is no case of a suite: it has no {what}",
            hint="ensue data show describes other pairs",
        )
    if not _are_strings(case.meta["changes"]) or not _are_tags(case.meta["tags"]):
        raise DataError(
            "pair-no-case-suite-meta-changes",
            f"pair {case.id!r} is no case of a suite: its meta.changes or meta.tags are no lists",
            hint="describe the directory or its JSONL; in RTE XML they are plain text",
        )
    return case.gold


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _are_tags(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and _are_strings(each.get("text"))
        and _are_strings(each.get("hypothesis"))
        for each in value
    )


def _values(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _count_tags(case: Pair, tags: dict[str, list[int]], tag_pairs: Counter[str]) -> None:
    sides: tuple[set[str], set[str]] = (set(), set())
    pairs: set[str] = set()
    for entry in case.meta["tags"]:
        sides[0].update(entry["text"])
        sides[1].update(entry["hypothesis"])
        pairs.update(f"{h}/{t}" for h in entry["hypothesis"] for t in entry["text"])
    for k, found in enumerate(sides):
        for tag in found:
            tags.setdefault(tag, [0, 0])[k] += 1
    tag_pairs.update(pairs)


def _keep(
    kept: list[tuple[int, Pair]], case: tuple[int, Pair], n: int, size: int, rng: random.Random
) -> None:
    """Reservoir sampling: each of the cases so far is kept with the same probability."""
    if len(kept) < size:
        kept.append(case)
        return
    place = rng.randrange(n + 1)
    if place < size:
        kept[place] = case
