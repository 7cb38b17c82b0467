"""What a run goes over: pairs that lie where a worker can read them, or items that are fed to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from ensue.engine.model import Shard, ShardSizes
from ensue.pairs import Finding, Pair, dataset_name, read_pairs
from ensue.pairs.files import shown_name
from ensue.pairs.parts import Survey, SurveyedFile, survey
from ensue.pairs.reading import Reading

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
    reading: Reading = field(hash=False)
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
            return fed(self.stream, size)
        pairs = read_pairs(self.survey.source, on_finding=self.on_finding, **self.reading)
        return fed(pairs, size)


def _unpacked(file: SurveyedFile) -> int:
    """About how many bytes a file has when it is read."""
    return file.size * _PACKING if file.source.lower().endswith(_PACKED) else file.size


def fed(items: Iterable[Any], size: int) -> Iterator[Shard]:
    """Shards that hold their items."""
    stream = iter(items)
    number = 0
    while some := tuple(islice(stream, size)):
        yield Shard(number, items=some)
        number += 1


def survey_pairs(
    source: str,
    reading: Reading,
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
