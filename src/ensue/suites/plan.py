"""Plans of several suites, one suite made by its plan, and cases that two suites share."""

from __future__ import annotations

import io
import json
import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.pairs import Pair
from ensue.pairs.formats import pair_to_record
from ensue.suites.cases import SuiteGenerator, SuiteSettings, case_hash
from ensue.suites.repertoire import Repertoire

# Which subcategorization types each of several suites has: another combination each.

N_TYPES = 3
"""The paper's suites combine three subcategorization types each."""


def type_combinations(
    types: Sequence[str], n_suites: int, seed: int, *, n_types: int = N_TYPES
) -> list[tuple[str, ...]]:
    """A combination for each suite, all different as long as there are others.

    Types are used about equally often.

    >>> type_combinations(["nV", "nVn"], 3, seed=7, n_types=1)
    [('nVn',), ('nV',), ('nVn',)]
    """
    shuffle = random.Random(f"{seed}/combinations").random
    possible = [*combinations(types, min(n_types, len(types)))]
    ranks = {each: shuffle() for each in possible}
    used: Counter[str] = Counter()
    times: Counter[tuple[str, ...]] = Counter()
    chosen: list[tuple[str, ...]] = []
    for _ in range(n_suites):
        best = min(
            possible, key=lambda c: (times[c], sorted((used[t] for t in c), reverse=True), ranks[c])
        )
        times[best] += 1
        used.update(best)
        chosen.append(best)
    return chosen


# Which cases are in several suites, found on disk, so that memory does not grow with the cases.

Hashes = NDArray[np.uint64]

LARGEST_PART = 1 << 23
"""Hashes that are sorted at a time: some hundred megabytes."""

_ENTRY = np.dtype([("hash", "<u8"), ("suite", "<u4")])
_MOST_RECENT = 1 << 20


class CaseIndex:
    """The hashes of all cases: which suite has one first, and who has it after that suite.

    Hashes are spread over files by their first bits, each of which is sorted in memory.
    """

    def __init__(self, directory: Path, most: int, *, largest_part: int = LARGEST_PART) -> None:
        """Keep them in a directory that is there.

        Args:
            directory: For files of its own.
            most: How many hashes there will be, at most.
            largest_part: How many are sorted at a time, about.
        """
        self._directory = directory
        self._bits = max(0, -(-most // largest_part) - 1).bit_length()
        self._known: list[Hashes] = []
        self._lost = np.empty(0, _ENTRY)
        self._recent: set[int] = set()
        self._older = np.empty(0, np.uint64)

    def find(self, suites: Iterable[Hashes]) -> None:
        """Go through the hashes of all suites, in their order."""
        files = [self._path(part).open("wb") for part in range(1 << self._bits)]
        try:
            for number, hashes in enumerate(suites):
                entries = np.empty(len(hashes), _ENTRY)
                entries["hash"], entries["suite"] = hashes, number
                parts = self._parts(hashes)
                for part in np.unique(parts).tolist():
                    files[part].write(entries[parts == part].tobytes())
        finally:
            for file in files:
                file.close()
        lost = [self._sort(part) for part in range(1 << self._bits)]
        self._lost = np.sort(np.concatenate(lost), order="suite", kind="stable")

    def lost_by(self, suite: int) -> Hashes:
        """The hashes of a suite that an earlier suite has."""
        first, last = np.searchsorted(self._lost["suite"], [suite, suite + 1])
        return np.asarray(self._lost["hash"][first:last])

    @property
    def n_lost(self) -> int:
        """How many cases an earlier suite has."""
        return len(self._lost)

    def is_free(self, hashes: Sequence[int]) -> bool:
        """Whether no suite has any of these."""
        return not any(self._is_taken(each) for each in hashes)

    def take(self, hashes: Iterable[int]) -> None:
        """Give hashes to a suite that had none of them."""
        self._recent.update(hashes)
        if len(self._recent) > _MOST_RECENT:  # eight bytes each instead of seventy
            recent = np.fromiter(self._recent, np.uint64, len(self._recent))
            self._older = np.union1d(self._older, recent)
            self._recent.clear()

    def _is_taken(self, wanted: int) -> bool:
        if wanted in self._recent:
            return True
        each = np.uint64(wanted)
        return _has(self._older, each) or _has(self._known[wanted >> (64 - self._bits)], each)

    def _parts(self, hashes: Hashes) -> NDArray[np.int64]:
        if not self._bits:
            return np.zeros(len(hashes), np.int64)
        return (hashes >> np.uint64(64 - self._bits)).astype(np.int64)

    def _sort(self, part: int) -> NDArray[np.void]:
        """Sort a part, leave each of its hashes once on disk, and give what comes again."""
        entries = np.fromfile(self._path(part), _ENTRY)
        entries = entries[np.argsort(entries["hash"], kind="stable")]  # suites stay in order
        again = np.zeros(len(entries), np.bool_)
        again[1:] = entries["hash"][1:] == entries["hash"][:-1]
        entries["hash"][~again].tofile(self._path(part))
        n_known = int(np.count_nonzero(~again))
        known: Hashes = np.empty(0, np.uint64)
        if n_known:
            known = np.memmap(self._path(part), np.uint64, mode="r", shape=(n_known,))
        self._known.append(known)
        return np.asarray(entries[again])

    def _path(self, part: int) -> Path:
        return self._directory / f"{part:05d}"


def _has(sorted_hashes: Hashes, wanted: np.uint64) -> bool:
    at = int(np.searchsorted(sorted_hashes, wanted))
    return at < len(sorted_hashes) and bool(sorted_hashes[at] == wanted)


# What each of several suites is to be, and the making of one: none needs to know of the others.

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
        raise SettingError(
            "suites-cannot-made", f"{n_suites!r} suites cannot be made", hint="at least 1"
        )
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
