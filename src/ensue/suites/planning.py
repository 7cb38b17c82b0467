"""What each of several suites is to be, and the making of one: none needs to know of the others."""

from __future__ import annotations

import io
import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, Final

import numpy as np

from ensue.errors import SettingError
from ensue.pairs import Pair
from ensue.pairs.formats.records import pair_to_record
from ensue.suites.cases.generating import SuiteGenerator, SuiteSettings, case_hash
from ensue.suites.combinations import N_TYPES, type_combinations
from ensue.suites.distinct import Hashes
from ensue.suites.sentences.repertoire import Repertoire

_PACKING: Final = "zstd"


@dataclass(frozen=True, slots=True)
class SuitePlan:
    """What a suite is made from."""

    number: int
    """From 1."""
    name: str
    prefix: str
    """The beginning of its cases' ids."""
    types: tuple[str, ...]
    """Subcategorization types of its predicates."""
    seed: str

    def generator(self, repertoire: Repertoire, settings: SuiteSettings) -> SuiteGenerator:
        """What makes its cases.

        Raises:
            SettingError: no sentence can be made.
        """
        entries = [each for each in repertoire.entries if each.subcategorization in self.types]
        return SuiteGenerator(repertoire, entries, settings, name=self.prefix, seed=self.seed)


def plan_suites(
    repertoire: Repertoire,
    *,
    n_suites: int,
    seed: int,
    types: Sequence[str] = (),
    n_types: int = N_TYPES,
) -> list[SuitePlan]:
    """Plan suites, each with another combination of types as long as there are others.

    Args:
        repertoire: What sentences are made of.
        n_suites: How many suites.
        seed: The same gives the same plans.
        types: Combine these subcategorization types only; all of the grammar's where it is empty.
        n_types: How many types a combination has.

    Raises:
        SettingError: there are to be no suites.
    """
    if n_suites < 1:
        raise SettingError(f"{n_suites!r} suites cannot be made", hint="at least 1")
    known = tuple(dict.fromkeys(types)) or repertoire.subcategorizations
    width = max(2, len(str(n_suites)))
    chosen = type_combinations(known, n_suites, seed, n_types=n_types)
    return [
        SuitePlan(i, f"suite-{i:0{width}d}", f"s{i:0{width}d}", each, f"{seed}/{i}")
        for i, each in enumerate(chosen, start=1)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class MadeSuite:
    """A suite that was made for itself, packed; other suites may have some of its cases, too."""

    name: str
    n_cases: int
    near_misses: Mapping[str, int] = field(repr=False)
    unmet: Mapping[str, int]
    """How many cases each unmet quota lacks."""
    packed: bytes = field(repr=False)
    """Its cases as lines of JSON."""
    hashes: Hashes = field(repr=False)
    """Of its cases, in order."""

    @contextmanager
    def lines(self) -> Iterator[IO[bytes]]:
        """Its cases, a line each; only some of them are in memory at a time."""
        import pyarrow as pa

        stream: Any = pa.CompressedInputStream(pa.BufferReader(self.packed), _PACKING)
        with io.BufferedReader(stream) as file:
            yield file


def make_suite(
    plan: SuitePlan,
    repertoire: Repertoire,
    settings: SuiteSettings,
    on_case: Callable[[int], None] = lambda _: None,
) -> MadeSuite:
    """Make a suite.

    Args:
        plan: Which one.
        repertoire: What sentences are made of.
        settings: What cases are like.
        on_case: Told how many more cases there are.

    Raises:
        SettingError: no sentence can be made.
    """
    import pyarrow as pa

    generator = plan.generator(repertoire, settings)
    hashes = array("Q")
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, _PACKING) as file:
        for case in generator.cases():
            file.write(case_line(case))
            hashes.append(case_hash(case))
            on_case(1)
    return MadeSuite(
        name=plan.name,
        n_cases=generator.n_cases,
        near_misses={kind.value: n for kind, n in generator.near_misses.items()},
        unmet=generator.quotas.lacking,
        packed=sink.getvalue().to_pybytes(),
        hashes=np.array(hashes, np.uint64),
    )


def case_line(case: Pair) -> bytes:
    """A case as JSONL has it."""
    return (json.dumps(pair_to_record(case), ensure_ascii=False) + "\n").encode()


def case_of_line(line: bytes) -> Pair:
    """A case with what generating it again takes: its sides and how it was made."""
    record = json.loads(line)
    return Pair(record["id"], record["text"], record["hypothesis"], meta=record["meta"])
