"""The role of a job, the input that it goes over, and the account of a finished shard."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ensue.files import Finding, OnFinding, Severity, is_url

if TYPE_CHECKING:
    from ensue.engine.run import RunAccount

Counts = Mapping[str, Mapping[str, int]]
"""Results by kinds, e.g. `{"status": {"decided": 12}}`."""

Blamed = Mapping[int, str]
"""Items of a shard that end the process that does them, by place, with the reason."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Some consecutive items of the input: where they lie, or the items themselves."""

    number: int
    """From 0, in the order of the input."""
    parts: tuple[Any, ...] = ()
    """Pieces of files that workers read: frozen dataclasses with `source`, `rows` and `group`."""
    items: tuple[Any, ...] | None = None
    """None where the shard has parts."""

    @property
    def n_items(self) -> int:
        """How many there are."""
        return sum(part.rows for part in self.parts) if self.items is None else len(self.items)

    def absolute(self) -> Shard:
        """The same, with paths that do not depend on the current directory."""
        parts = (
            part if is_url(part.source) else replace(part, source=str(Path(part.source).absolute()))
            for part in self.parts
        )
        return replace(self, parts=tuple(parts))

    @property
    def place(self) -> tuple[str, int] | None:
        """Equal for shards that are cheap to read one after the other."""
        return (self.parts[0].source, self.parts[0].group) if len(self.parts) == 1 else None


def fed_shards(items: Iterable[Any], size: int) -> Iterator[Shard]:
    """Shards that hold their items."""
    stream = iter(items)
    number = 0
    while some := tuple(islice(stream, size)):
        yield Shard(number, items=some)
        number += 1


@dataclass(frozen=True, slots=True)
class ShardSizes:
    """How large shards are unless `--shard-size` says."""

    least: int = 256
    """And a multiple of it."""
    most: int = 16_384
    alone: int = 1000
    """Fewer items are done without other processes, which take longer to start."""


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What a run goes over."""

    name: str
    """What the data set is called."""
    shards: Callable[[int], Iterator[Shard]]
    """The shards, of so many items each; the same for the same input and size."""
    n_estimated: int
    """How many items there are, as far as can be guessed."""
    record: Mapping[str, Any]
    """Files, sizes and digests, for the manifest."""
    digest: str | None = None
    """Identifies the input; None where it can be read only once."""
    n_items: int | None = None
    """How many items at most, where that is known."""
    is_listed: bool = False
    """Whether all shards can be listed at once: they are small, as they hold no texts."""


class Job(Protocol):
    """What is done with shards: a small value that goes to other processes.

    A worker calls `load` once, and for each shard `items`, `do` in batches, `write` and the
    methods that sum up. The driver calls `head`, `facts` and `finished` for the output. Subclass it
    to inherit the defaults.
    """

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the output depends on beside the input, in values that JSON can hold."""

    @property
    def suffix(self) -> str:
        """How the names of output files end, with the dot; shards of `.parquet` are tables."""

    @property
    def sizes(self) -> ShardSizes:
        """How many items make a shard."""

    @property
    def batch_size(self) -> int:
        """Items done at a time."""

    def load(self) -> Any:
        """Load what `do` needs, in the process that does the work.

        Raises:
            EngineError: what is loaded here is not what the driver has.
        """

    def items(self, shard: Shard, on_finding: OnFinding) -> Sequence[Any]:  # noqa: ARG002
        """The items of a shard."""
        return shard.items or ()

    def do(self, loaded: Any, items: Sequence[Any]) -> Sequence[Any]:
        """One result for each item, in order."""

    def failed(self, item: Any, reason: str) -> Any:
        """The result of an item that cannot be done."""

    def key(self, item: Any) -> str:
        """What an item is called in messages, and by which two are known to be the same."""

    def write(self, results: Sequence[Any]) -> bytes:
        """The content of the shard's output file."""

    def n_rows(self, results: Sequence[Any]) -> int:
        """How many rows the output file has."""
        return len(results)

    def counts(self, results: Sequence[Any]) -> Counts:
        """Results by kinds."""

    def summary(self, loaded: Any, items: Sequence[Any], results: Sequence[Any]) -> Any:  # noqa: ARG002
        """What the job wants to know of a shard at the end, in values that JSON can hold."""
        return None

    def findings(self, results: Sequence[Any]) -> Iterable[Finding]:  # noqa: ARG002
        """Problems in the results of a shard, without the items that raised or ended a process."""
        return ()

    def figures(self) -> Mapping[str, int]:
        """What this process did so far, e.g. texts analyzed; numbers that only grow."""
        return {}

    def head(self, given: Input, account: RunAccount | None) -> bytes:  # noqa: ARG002
        """What stands before the first shard in one file; None while the run is not done."""
        return b""

    def facts(self, given: Input, account: RunAccount) -> Mapping[str, Any]:  # noqa: ARG002
        """What the manifest of a folder says beside the shards."""
        return {}

    def finished(self, target: str, plan: str) -> int | None:  # noqa: ARG002
        """How many items a finished file has; None where it is not known to be of this plan."""
        return None

    def check_target(self, target: str, plan: str) -> None:  # noqa: ARG002
        """See that what is there may be replaced: a table may, the run of another plan may not.

        Raises:
            OutputError: it may not.
        """
        return


@dataclass(frozen=True, slots=True)
class ShardAccount:
    """What became of a shard."""

    number: int
    file: str
    n_items: int
    n_rows: int
    n_bytes: int
    sha256: str
    seconds: float
    counts: Counts = field(default_factory=dict, hash=False)
    figures: Mapping[str, int] = field(default_factory=dict, hash=False)
    summary: Any = field(default=None, hash=False)
    """As the job's."""
    blamed: tuple[tuple[str, str], ...] = ()
    """Items that ended their process or failed by an exception: what they are called, and why."""
    findings: tuple[Finding, ...] = ()
    """Only the first ones."""
    n_findings: int = 0
    keys: bytes = field(default=b"", repr=False)
    """Hashes of the items' keys, eight bytes each; not kept in the journal."""

    def to_json(self) -> dict[str, Any]:
        """The line of the journal."""
        record = asdict(self)
        del record["keys"]
        return record

    def to_line(self) -> bytes:
        """The same with its line end."""
        return (json.dumps(self.to_json()) + "\n").encode()

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> ShardAccount:
        """The inverse of `to_json`.

        Raises:
            TypeError: a field is missing, or one too many.
            KeyError: a finding is broken.
        """
        values = dict(record)
        values["blamed"] = tuple((key, reason) for key, reason in values["blamed"])
        values["findings"] = tuple(map(_finding, values["findings"]))
        return cls(**values)


def _finding(record: Mapping[str, Any]) -> Finding:
    values = {**record, "severity": Severity(record["severity"])}
    return Finding(**{**values, "pair_ids": tuple(record["pair_ids"])})
