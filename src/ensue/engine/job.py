"""Jobs, the inputs that they go over, and the accounts of their shards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from ensue.files import is_url, shown_name
from ensue.pairs import (
    Finding,
    Pair,
    ReadKeywords,
    Severity,
    Survey,
    SurveyedFile,
    dataset_name,
    read_pairs,
    survey,
)
from ensue.pairs.formats import FilePart

# What a run is made of: shards, the job that is done with them, and what became of each.

Tell = Callable[[Any], None]
"""Is told by a hand how far it is."""

Blamed = Mapping[int, str]
"""Items of a shard that end the process that does them, by place, with the reason."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Some consecutive items of the input: where they lie, or the items themselves."""

    number: int
    """From 0, in the order of the input."""
    parts: tuple[FilePart, ...] = ()
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


# What a run goes over: pairs that lie where a worker can read them, or items that are fed to
# it.

_BYTES = 300
"""Of a pair in a file, where they cannot be counted without reading them."""
_PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
_PACKING = 4
"""How many times as large packed files are when they are unpacked."""
_MANY = 200_000
"""Pairs of a stream that has more than are worth a look ahead."""


@dataclass(frozen=True, slots=True)
class PairInput:
    """The pairs of a file, a folder, a glob, a URL or standard input."""

    survey: Survey
    reading: ReadKeywords = field(hash=False)
    on_finding: Callable[[Finding], None]
    """Is told what the driver finds when it reads; workers keep theirs in the accounts."""
    stream: Iterator[Pair] | None = field(default=None, hash=False)
    """What can be read only once; None where there are files."""
    n_stream: int = 0
    """How many that is, as far as can be guessed."""

    @property
    def name(self) -> str:
        """What the data set is called."""
        return dataset_name(self.survey.source)

    @property
    def record(self) -> Mapping[str, Any]:
        """Files, sizes and digests."""
        return {
            "source": shown_name(self.survey.source),
            "digest": self.survey.digest,
            "files": [
                {
                    "name": shown_name(each.source),
                    "bytes": each.size,
                    "digest": each.digest,
                    "rows": each.rows,
                }
                for each in self.survey.files
            ],
        }

    @property
    def digest(self) -> str | None:
        """Of all files; None for standard input and other streams."""
        return self.survey.digest if self.survey.files else None

    @property
    def n_items(self) -> int | None:
        """Rows, where they can be counted."""
        return self.survey.n_rows

    @property
    def n_estimated(self) -> int:
        """Rows, or a guess by the bytes."""
        if self.stream is not None:
            return self.n_stream
        rows = self.survey.n_rows
        return sum(map(_unpacked, self.survey.files)) // _BYTES if rows is None else rows

    @property
    def is_listed(self) -> bool:
        """Where workers read the files themselves."""
        return self.survey.is_located

    def shards(self, size: int) -> Iterator[Shard]:
        """Parts of files, or pairs as they are read."""
        if self.survey.is_located:
            return (Shard(i, parts=parts) for i, parts in enumerate(self.survey.parts(size)))
        if self.stream is not None:
            return fed_shards(self.stream, size)
        pairs = read_pairs(self.survey.source, on_finding=self.on_finding, **self.reading)
        return fed_shards(pairs, size)


def _unpacked(file: SurveyedFile) -> int:
    """About how many bytes a file has when it is read."""
    return file.size * _PACKING if file.source.lower().endswith(_PACKED) else file.size


def fed_shards(items: Iterable[Any], size: int) -> Iterator[Shard]:
    """Shards that hold their items."""
    stream = iter(items)
    number = 0
    while some := tuple(islice(stream, size)):
        yield Shard(number, items=some)
        number += 1


def survey_pairs(
    source: str,
    reading: ReadKeywords,
    *,
    on_finding: Callable[[Finding], None],
    progress: Callable[[int], None] | None = None,
) -> PairInput:
    """Look through the input once: what it is, and where its pairs lie.

    Raises:
        DataError: there is no such file, or one cannot be read as what it claims to be.
    """
    found = survey(source, progress=progress, **reading)
    if found.files:
        return PairInput(found, reading, on_finding)
    pairs = read_pairs(source, on_finding=on_finding, **reading)
    ahead = list(islice(pairs, ShardSizes().alone))
    n_stream = len(ahead) if len(ahead) < ShardSizes().alone else _MANY
    return PairInput(found, reading, on_finding, chain(ahead, pairs), n_stream)
