"""The job of `ensue suite generate`: suites made one by one, and put into a directory."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import numpy as np

from ensue import __version__
from ensue.engine import (
    Counts,
    Folder,
    Input,
    Job,
    OnSnapshot,
    RunAccount,
    RunOptions,
    ShardAccount,
    ShardSizes,
    fed_shards,
    open_shard,
    partial_folder,
    run_shards,
)
from ensue.errors import DataError, EngineError, OutputError, RunError, SettingError
from ensue.files import is_there, new_directory
from ensue.suites.cases import SuiteSettings
from ensue.suites.grammar import SuiteGrammar
from ensue.suites.manifest import MANIFEST, Manifest, SuiteWriter, check_replaceable, read_manifest
from ensue.suites.plan import MadeSuite, SuitePlan, make_suite, plan_suites
from ensue.suites.repertoire import Repertoire, make_repertoire

# Generate suites, each for itself: the job of `ensue suite generate`.

_ALONE = 20_000
"""Fewer cases are made without other processes."""
_MOST = 16_384
"""Cases in a shard, as far as suites are smaller than that."""


@dataclass(frozen=True, slots=True)
class SuiteJob(Job):
    """Generate suites of a grammar."""

    grammar: SuiteGrammar = field(compare=False, repr=False)
    """Itself: the files that it is from need not be where workers are."""
    digest: str
    """Of the grammar."""
    settings: SuiteSettings
    version: str = __version__
    """The driver's; every worker's has to be the same."""
    batch_size: int = 1

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

    def load(self) -> Repertoire:
        """Make the grammar ready."""
        if self.version != __version__:
            raise EngineError(
                "worker-version-not",
                f"a worker has version {__version__!r}, not {self.version!r}",
                hint="install the same version everywhere",
            )
        return make_repertoire(self.grammar)

    def do(self, loaded: Repertoire, items: Sequence[SuitePlan]) -> Sequence[MadeSuite]:
        """The suites."""
        return [make_suite(plan, loaded, self.settings) for plan in items]

    def failed(self, item: SuitePlan, reason: str) -> MadeSuite:  # noqa: ARG002 - the account has it
        """An empty one, which nobody will see."""
        return MadeSuite(item.name, 0, {}, {}, b"", np.empty(0, np.uint64))

    def key(self, item: SuitePlan) -> str:
        """What it is called."""
        return item.name

    def write(self, results: Sequence[MadeSuite]) -> bytes:
        """A table with a row a suite."""
        return suite_table_bytes(results)

    def counts(self, results: Sequence[MadeSuite]) -> Counts:
        """By whether they are full."""
        size = self.settings.size
        full = ("full" if each.n_cases == size and not each.unmet else "short" for each in results)
        return {"status": dict(Counter(full))}


def suite_input(plans: Sequence[SuitePlan], seed: int) -> Input:
    """The plans of suites, which are small."""
    said = json.dumps([(plan.name, plan.types, plan.seed) for plan in plans])
    digest = sha256(said.encode()).hexdigest()
    n = len(plans)
    return Input(
        f"{n:,} suites",
        partial(fed_shards, plans),
        n,
        {"suites": n, "seed": seed, "digest": digest},
        digest,
        n,
        is_listed=True,
    )


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


# Generate suites into a directory: what `ensue suite generate` calls.


def generate_suites(
    target: str,
    repertoire: Repertoire,
    settings: SuiteSettings,
    *,
    n_suites: int = 10,
    seed: int = 7,
    types: Sequence[str] = (),
    formats: Iterable[str] = (),
    options: RunOptions | None = None,
    on_snapshot: OnSnapshot | None = None,
) -> tuple[Manifest, RunAccount | None]:
    """Generate suites, which any number of workers may do, into a directory that appears whole.

    Until then what is done is kept in `TARGET.partial`. The bytes are those of `write_suites`.

    Args:
        target: The directory.
        repertoire: What sentences are made of.
        settings: What cases are like.
        n_suites: How many suites.
        seed: The same gives the same bytes.
        types: Combine these subcategorization types only.
        formats: `rte` and `csv`, beside `jsonl`, which is always written.
        options: Engine and workers, and whether to resume or to restart.
        on_snapshot: Called with a `Snapshot` every two seconds.

    Returns:
        What the suites say of themselves, and what it took; None where they were there already.

    Raises:
        OutputError: the directory cannot be written, is there already, or holds other files.
        RunError: the unfinished run was begun with other settings.
        SettingError: no sentence can be made.
        EngineError: workers cannot be had, or do not live.
    """
    options, place = options or RunOptions(), str(Path(target))
    finishing = SuiteWriter(repertoire, settings, seed, tuple(dict.fromkeys(["jsonl", *formats])))
    plans = plan_suites(repertoire, n_suites=n_suites, seed=seed, types=types)
    folder = partial_folder(place)
    there = _there(place, options, finishing, plans, folder)
    if there is not None:
        return there, None
    job = SuiteJob(repertoire.grammar, repertoire.grammar.digest, settings)
    given = suite_input(plans, seed)
    with folder.lock():
        try:
            account = run_shards(
                job,
                given,
                folder,
                options,
                what=given.name,
                loaded=repertoire,
                on_snapshot=on_snapshot,
            )
        except (SettingError, DataError):
            folder.remove_all()  # which would come up again
            raise
        _refuse_failed(account)
        if options.restart:
            check_replaceable(place)  # once more: it may have taken hours
        with new_directory(place, replace=MANIFEST if options.restart else None) as directory:
            manifest = finishing.write(directory, plans, lambda: _made(folder, account.shards))
        folder.remove_all()
    return manifest, account


def _there(
    target: str,
    options: RunOptions,
    finishing: SuiteWriter,
    plans: Sequence[SuitePlan],
    folder: Folder,
) -> Manifest | None:
    """The finished suites, where they are there and wanted.

    Raises:
        OutputError: something is there that is not to be replaced.
        RunError: suites are there, and others are to be resumed.
    """
    path = Path(target)
    if not is_there(path) or (path.is_dir() and not any(path.iterdir())):
        return None
    is_suites = (path / MANIFEST).is_file()
    if options.restart and is_suites:
        check_replaceable(path)
        return None
    if options.resume and is_suites and not folder.is_there():
        found = read_manifest(path)
        wanted = finishing.manifest(found.suites)
        said = [(each.name, each.types, each.files) for each in found.suites]
        if found == wanted and said == [(p.name, p.types, finishing.files(p)) for p in plans]:
            return found
        raise RunError(
            "no-unfinished-run-resume-suites-others",
            "there is no unfinished run to resume, and the suites that are there are others",
            place=target,
            hint="make them anew with --restart, or name another directory",
        )
    raise OutputError(
        "is-there-already",
        f"{target!r} is there already",
        hint="name a new directory" + ", or use --restart" * (is_suites and not options.restart),
    )


def _refuse_failed(account: RunAccount) -> None:
    if account.failures:
        (name, reason), *_ = account.failures
        n = len(account.failures)
        others = f" and {n - 1:,} more" if n > 1 else ""
        raise EngineError(
            "suite-not-made",
            f"the suite {name!r}{others} could not be made: {reason}",
            hint="begin anew with --restart",
        )


def _made(folder: Folder, accounts: Sequence[ShardAccount]) -> Iterator[MadeSuite]:
    for account in accounts:
        with open_shard(folder, account) as file:
            yield from read_suite_table(file)
