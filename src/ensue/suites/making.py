"""Several suites in a directory: cases in files, and a manifest of how they were made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ensue import __version__
from ensue.errors import DataError, SettingError
from ensue.pairs import Pair, read_pairs, write_pairs
from ensue.pairs.files import open_input
from ensue.pairs.outputs import new_directory, open_text_output
from ensue.suites.cases.generating import Seen, SuiteGenerator, SuiteSettings
from ensue.suites.combinations import N_TYPES, type_combinations
from ensue.suites.sentences.repertoire import Repertoire

MANIFEST = "suites.json"
FORMATS = {"jsonl": ".jsonl", "rte": ".xml", "csv": ".csv"}
"""The formats that suites are written in, and how the files' names end."""


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

    No case is in two suites, as long as they are generated one after the other.

    Args:
        repertoire: What sentences are made of.
        settings: What cases are like.
        n_suites: How many suites.
        seed: The same gives the same cases.
        types: Combine these subcategorization types only; all of the grammar's where it is empty.
        n_types: How many types a combination has.
    """
    if n_suites < 1:
        raise SettingError(f"{n_suites!r} suites cannot be made", hint="at least 1")
    known = tuple(dict.fromkeys(types)) or repertoire.subcategorizations
    seen = Seen()
    width = max(2, len(str(n_suites)))
    for i, chosen in enumerate(type_combinations(known, n_suites, seed, n_types=n_types), start=1):
        entries = [each for each in repertoire.entries if each.subcategorization in chosen]
        name = f"{i:0{width}d}"
        generator = SuiteGenerator(
            repertoire, entries, settings, name=f"s{name}", seed=f"{seed}/{i}", seen=seen
        )
        yield f"suite-{name}", chosen, generator


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
    others = [name for name in dict.fromkeys(formats) if name != "jsonl"]
    records = []
    with new_directory(target, replace=MANIFEST if replace else None) as directory:
        for name, chosen, generator in suite_generators(
            repertoire, settings, n_suites=n_suites, seed=seed, types=types
        ):
            path = directory / f"{name}{FORMATS['jsonl']}"
            write_pairs(path, _told(generator.cases(), on_case))
            files = [path.name]
            for other in others:
                files.append(f"{name}{FORMATS[other]}")
                write_pairs(directory / files[-1], read_pairs(path), format=other)
            records.append(
                SuiteRecord(
                    name=name,
                    types=chosen,
                    asked=settings.size,
                    cases=generator.n_cases,
                    near_misses={kind.value: n for kind, n in generator.near_misses.items()},
                    unmet=generator.quotas.lacking,
                    files=tuple(files),
                )
            )
        manifest = Manifest(
            version=__version__,
            grammar=repertoire.grammar.name,
            digest=repertoire.grammar.digest,
            seed=seed,
            settings=json.loads(json.dumps(asdict(settings))),  # as it is read again
            titles=dict(repertoire.grammar.titles),
            suites=tuple(records),
        )
        with open_text_output(directory / MANIFEST) as file:
            file.write(json.dumps(asdict(manifest), indent=1) + "\n")
    return manifest


def read_manifest(directory: str | Path) -> Manifest:
    """What a directory of suites says of itself.

    Raises:
        DataError: there is no manifest, or it is not one.
    """
    path = Path(directory) / MANIFEST
    if not path.exists():
        raise DataError(
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
        return Manifest(**record, suites=suites)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DataError(f"not a manifest of suites: {error}", place=str(path)) from None


def _suite_record(record: dict[str, Any]) -> SuiteRecord:
    files = tuple(Path(name).name for name in record["files"])
    near_misses, unmet = dict(record["near_misses"]), dict(record["unmet"])
    if not files:
        raise ValueError(f"{record['name']!r} has no file")
    changed = {"near_misses": near_misses, "unmet": unmet, "types": tuple(record["types"])}
    return SuiteRecord(**{**record, **changed, "files": files})


def _told(cases: Iterator[Pair], on_case: Callable[[int], None]) -> Iterator[Pair]:
    for case in cases:
        yield case
        on_case(1)
