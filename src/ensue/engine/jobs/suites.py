"""Generate suites, each for itself: the job of `ensue suite generate`."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import IO, Any

import numpy as np

from ensue import __version__
from ensue.engine.inputs import fed
from ensue.engine.model import Shard, ShardSizes
from ensue.errors import EngineError
from ensue.pairs import Finding
from ensue.suites.cases import SuiteSettings
from ensue.suites.grammar import Grammar
from ensue.suites.planning import MadeSuite, SuitePlan, make_suite
from ensue.suites.sentences.repertoire import Repertoire, make_repertoire

_ALONE = 20_000
"""Fewer cases are made without other processes."""
_MOST = 16_384
"""Cases in a shard, as far as suites are smaller than that."""

_ready: list[Repertoire] = []
"""The last grammar of this process that was made ready: a driver may be its own worker."""


@dataclass(frozen=True, slots=True)
class SuiteJob:
    """Generate suites of a grammar."""

    grammar: Grammar = field(compare=False, repr=False)
    """Itself: the files that it is from need not be where workers are."""
    digest: str
    """Of the grammar."""
    settings: SuiteSettings
    version: str = __version__
    """The driver's; every worker's has to be the same."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the cases."""
        return {
            "job": "suite generate",
            "grammar": self.digest,
            "settings": json.loads(json.dumps(asdict(self.settings))),  # as it is read again
            "version": self.version,
        }

    @property
    def suffix(self) -> str:
        """A table of suites."""
        return ".parquet"

    @property
    def sizes(self) -> ShardSizes:
        """Suites, by how many cases they have."""
        size = self.settings.size
        return ShardSizes(1, max(1, _MOST // size), -(-_ALONE // size))

    def begin(self) -> Generating:
        """Make the grammar ready."""
        if self.version != __version__:
            raise EngineError(
                f"a worker has version {__version__!r}, not {self.version!r}",
                hint="install the same version everywhere",
            )
        if not _ready or _ready[0].grammar is not self.grammar:
            _ready[:] = [make_repertoire(self.grammar)]
        return Generating(self, _ready[0])


def suite_job(repertoire: Repertoire, settings: SuiteSettings) -> SuiteJob:
    """The job with a grammar that is ready, in this process at least."""
    _ready[:] = [repertoire]
    return SuiteJob(repertoire.grammar, repertoire.grammar.digest, settings)


class Generating:
    """A grammar at work on shards."""

    batch_size = 1

    def __init__(self, job: SuiteJob, repertoire: Repertoire) -> None:
        self._settings = job.settings
        self._repertoire = repertoire

    def items(self, shard: Shard, on_finding: Callable[[Finding], None]) -> Sequence[SuitePlan]:  # noqa: ARG002
        """The plans of its suites."""
        return shard.items or ()

    def results(self, items: Sequence[SuitePlan]) -> Sequence[MadeSuite]:
        """The suites."""
        return [make_suite(plan, self._repertoire, self._settings) for plan in items]

    def failed(self, item: SuitePlan, reason: str) -> MadeSuite:  # noqa: ARG002 - the account has it
        """An empty one, which nobody will see."""
        return MadeSuite(item.name, 0, {}, {}, b"", np.empty(0, np.uint64))

    def key(self, item: SuitePlan) -> str:
        """What it is called."""
        return item.name

    def encoded(self, results: Sequence[MadeSuite]) -> bytes:
        """A table with a row a suite."""
        return suite_table_bytes(results)

    def counts(self, results: Sequence[MadeSuite]) -> dict[str, dict[str, int]]:
        """By whether they are full."""
        size = self._settings.size
        full = ("full" if each.n_cases == size and not each.unmet else "short" for each in results)
        return {"status": dict(Counter(full))}

    def content(self, items: Sequence[SuitePlan]) -> Any:  # noqa: ARG002 - nobody compares it
        """Nothing."""
        return None

    def figures(self) -> dict[str, int]:
        """None."""
        return {}


@dataclass(frozen=True, slots=True)
class SuiteInput:
    """The plans of suites."""

    plans: tuple[SuitePlan, ...]
    seed: int

    @property
    def name(self) -> str:
        """How many."""
        return f"{len(self.plans):,} suites"

    @property
    def record(self) -> Mapping[str, Any]:
        """How many, and the seed."""
        return {"suites": len(self.plans), "seed": self.seed, "digest": self.digest}

    @property
    def digest(self) -> str:
        """Of all plans."""
        said = json.dumps([(plan.name, plan.types, plan.seed) for plan in self.plans])
        return sha256(said.encode()).hexdigest()

    @property
    def n_items(self) -> int:
        """One for each suite."""
        return len(self.plans)

    @property
    def n_estimated(self) -> int:
        """The same."""
        return len(self.plans)

    @property
    def is_listed(self) -> bool:
        """Yes: a shard holds the plan of a suite, no case."""
        return True

    def shards(self, size: int) -> Iterator[Shard]:
        """Plans, which are small."""
        return fed(self.plans, size)


def suite_table_bytes(suites: Sequence[MadeSuite]) -> bytes:
    """Suites as a Parquet file; they are packed already."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(
        {
            "name": pa.array([suite.name for suite in suites], pa.string()),
            "cases": pa.array([suite.n_cases for suite in suites], pa.int64()),
            "near_misses": [json.dumps(dict(suite.near_misses)) for suite in suites],
            "unmet": [json.dumps(dict(suite.unmet)) for suite in suites],
            "packed": pa.array([suite.packed for suite in suites], pa.large_binary()),
            "hashes": pa.array([suite.hashes.tobytes() for suite in suites], pa.large_binary()),
        }
    )
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="none", use_dictionary=False)
    return buffer.getvalue()


def read_suite_table(file: IO[bytes]) -> Iterator[MadeSuite]:
    """The inverse of `suite_table_bytes`."""
    import pyarrow.parquet as pq

    for row in pq.read_table(file).to_pylist():
        yield MadeSuite(
            row["name"],
            row["cases"],
            json.loads(row["near_misses"]),
            json.loads(row["unmet"]),
            row["packed"],
            np.frombuffer(row["hashes"], np.uint64),
        )
