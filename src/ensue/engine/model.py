"""What a run is made of: shards, the job that is done with them, and what became of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from ensue.pairs import Finding, Severity
from ensue.pairs.opening.remote import is_url
from ensue.pairs.parts import Part

Tell = Callable[[Any], None]
"""Is told by a hand how far it is."""

Blamed = Mapping[int, str]
"""Items of a shard that end the process that does them, by place, with the reason."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Some consecutive items of the input: where they lie, or the items themselves."""

    number: int
    """From 0, in the order of the input."""
    parts: tuple[Part, ...] = ()
    items: tuple[Any, ...] | None = None
    """None where the shard is located: whoever does it reads the parts."""

    @property
    def n_items(self) -> int:
        """How many there are."""
        return sum(part.rows for part in self.parts) if self.items is None else len(self.items)

    def absolute(self) -> Shard:
        """The same, with places that do not hang on the current directory."""
        parts = (
            part if is_url(part.source) else replace(part, source=str(Path(part.source).absolute()))
            for part in self.parts
        )
        return replace(self, parts=tuple(parts))

    @property
    def place(self) -> tuple[str, int] | None:
        """What shards share that are cheap to read one after the other."""
        return (self.parts[0].source, self.parts[0].group) if len(self.parts) == 1 else None


@dataclass(frozen=True, slots=True)
class ShardSizes:
    """How large shards are where nobody says."""

    least: int = 256
    """And a multiple of it."""
    most: int = 16_384
    alone: int = 1000
    """Fewer items are done without other processes, which take longer to start."""


class Work(Protocol):
    """A job that has loaded what it needs, in the process that does it."""

    batch_size: int
    """Items done at a time."""

    def items(self, shard: Shard, on_finding: Callable[[Finding], None]) -> Sequence[Any]:
        """The items of a shard."""

    def results(self, items: Sequence[Any]) -> Sequence[Any]:
        """One result for each item, in order."""

    def failed(self, item: Any, reason: str) -> Any:
        """The result of an item that cannot be done."""

    def key(self, item: Any) -> str:
        """What an item is called in messages, and by which two are known to be the same."""

    def encoded(self, results: Sequence[Any]) -> bytes:
        """The content of the shard's output file."""

    def counts(self, results: Sequence[Any]) -> dict[str, dict[str, int]]:
        """Results by kinds, e.g. `{"status": {"decided": 12}}`."""

    def content(self, items: Sequence[Any]) -> Any:
        """What identifies these items, mergeable over shards, in values that JSON can hold."""

    def figures(self) -> dict[str, int]:
        """What was done since it was begun, e.g. texts analyzed; numbers that only grow."""


@runtime_checkable
class SummingWork(Work, Protocol):
    """A work whose results may be several rows each, and are summed up shard by shard."""

    def n_rows(self, results: Sequence[Any]) -> int:
        """How many rows the output file has."""

    def summary(self, results: Sequence[Any]) -> Any:
        """What the results come to, in values that JSON can hold; the job says how to merge them."""


@runtime_checkable
class TellingWork(Work, Protocol):
    """A work that finds something to tell in its results."""

    def findings(self, results: Sequence[Any]) -> Iterable[Finding]:
        """What is to be known of the results of a shard."""


class Job(Protocol):
    """What is done with shards: a small value that goes to other processes."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the output depends on beside the input, in values that JSON can hold."""

    @property
    def suffix(self) -> str:
        """How the names of output files end, with the dot."""

    @property
    def sizes(self) -> ShardSizes:
        """How many items make a shard."""

    def begin(self) -> Work:
        """Load what is needed.

        Raises:
            EngineError: what is loaded here is not what the driver has.
        """


class Input(Protocol):
    """What a run goes over."""

    @property
    def name(self) -> str:
        """What the data set is called."""

    @property
    def record(self) -> Mapping[str, Any]:
        """Files, sizes and digests, for the manifest."""

    @property
    def digest(self) -> str | None:
        """What tells this input from another; None where it can be read only once."""

    @property
    def n_items(self) -> int | None:
        """How many items at most, where that is known."""

    @property
    def n_estimated(self) -> int:
        """How many items there are, as far as can be guessed."""

    @property
    def is_listed(self) -> bool:
        """Whether all shards can be listed at once: they say where items lie, and hold none."""

    def shards(self, size: int) -> Iterator[Shard]:
        """The shards, of so many items each; the same for the same input and size."""


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
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict, hash=False)
    figures: Mapping[str, int] = field(default_factory=dict, hash=False)
    content: Any = field(default=None, hash=False)
    summary: Any = field(default=None, hash=False)
    """What the results come to, where the work sums them up."""
    blamed: tuple[tuple[str, str], ...] = ()
    """Items that ended their process or failed by an exception: what they are called, and why."""
    findings: tuple[Finding, ...] = ()
    """What was found when it was read; only the first ones."""
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
        values["findings"] = tuple(
            Finding(
                **{
                    **each,
                    "severity": Severity(each["severity"]),
                    "pair_ids": tuple(each["pair_ids"]),
                }
            )
            for each in values["findings"]
        )
        return cls(**values)
