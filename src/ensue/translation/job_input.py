"""Translation sets as the input of a job: sources, segments, and all their references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from ensue.engine import Input, ShardSizes, fed_shards
from ensue.errors import EngineError
from ensue.files import STANDARD, OnFinding
from ensue.translation.features.tables import BATCH
from ensue.translation.formats.sets import TranslationSet, open_set
from ensue.translation.segments import Segment

References = tuple[tuple[str, ...], ...]

_ALONE = 1000
"""Fewer outputs are done without other processes."""
_BATCHES = 8
"""Batches in a shard, at most."""
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class SetSources:
    """What a translation set is opened from; the fields are the arguments of `open_set`."""

    data: tuple[str, ...]
    references: tuple[str, ...] = ()
    judgments: tuple[str, ...] = ()
    language_pair: str | None = None
    encoding: str | None = None

    @property
    def is_stream(self) -> bool:
        """Whether it can be opened only once."""
        return STANDARD in (*self.data, *self.judgments)

    def open(self, on_finding: OnFinding | None = None) -> TranslationSet:
        """Open it.

        Raises:
            DataError: as `open_set`.
        """
        return open_set(
            self.data,
            references=self.references,
            judgments=self.judgments,
            language_pair=self.language_pair,
            encoding=self.encoding,
            on_finding=on_finding,
        )

    def absolute(self) -> SetSources:
        """The same, with places that do not hang on the current directory."""
        return replace(
            self,
            data=_absolute(self.data),
            references=_absolute(self.references),
            judgments=_absolute(self.judgments),
        )

    def files(self) -> Iterator[tuple[str, Path]]:
        """All files, each with the name that it has in what was named."""
        for name in (*self.data, *self.references, *self.judgments):
            path = Path(name)
            if not path.is_dir():
                yield path.name, path
                continue
            for each in sorted(path.rglob("*")):
                if each.is_file() and not each.name.startswith("."):
                    yield str(each.relative_to(path)), each


def _absolute(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name if name == STANDARD else str(Path(name).absolute()) for name in names)


def segment_input(found: TranslationSet, sources: SetSources) -> Input:
    """The segments of a set that was opened from sources; all files are hashed."""
    files = () if sources.is_stream else tuple(_hashed(*each) for each in sources.files())
    digest = _files_digest(files) if files else None
    named = [*sources.data, *sources.references, *sources.judgments]
    return Input(
        found.name,
        lambda size: fed_shards(found.segments(), size),
        found.n_segments,
        {"source": named, "digest": digest, "files": list(files)},
        digest,
        found.n_segments,
    )


def segment_sizes(found: TranslationSet) -> ShardSizes:
    """By the number of outputs of a segment; the least is a batch."""
    n_systems = max((len(part.systems) for part in found.parts), default=1) or 1
    batch = max(1, BATCH // n_systems)
    return ShardSizes(batch, _BATCHES * batch, max(1, _ALONE // n_systems))


def _files_digest(files: Iterable[Mapping[str, Any]]) -> str:
    """The hash of all files and their names, which say which system wrote them."""
    said = "\n".join(f"{each['name']} {each['digest']}" for each in files)
    return sha256(said.encode("utf-8", "surrogateescape")).hexdigest()


def _hashed(name: str, path: Path) -> Mapping[str, Any]:
    total, size = sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            total.update(block)
            size += len(block)
    return {"name": name, "bytes": size, "digest": total.hexdigest()}


@dataclass(frozen=True, slots=True)
class KnownReferences:
    """What workers are told of the references of a whole set, which NIST has to know."""

    sources: SetSources
    """Where they are read, once by each worker: what is learned of them is far larger than they."""
    digest: str
    """Of the references, so that no worker learns from others."""
    held: References | None = None
    """The references themselves, where nobody can read them again."""

    def read(self) -> References:
        """Read them.

        Raises:
            EngineError: they are not those of the driver.
            DataError: they cannot be read here.
        """
        found = self.held if self.held is not None else tuple(self.sources.open().references())
        if _digest(found) != self.digest:
            raise EngineError(
                "a worker reads other references than those with which the run was begun",
                hint="leave the files alone until the run is done, and put them where every worker"
                " sees them",
            )
        return found


def known_references(found: TranslationSet, sources: SetSources) -> KnownReferences:
    """What is told of the references of a set."""
    digest = _digest(found.references())
    held = tuple(found.references()) if sources.is_stream else None
    return KnownReferences(sources.absolute(), digest, held)


def _digest(references: Iterable[Sequence[str]]) -> str:
    total = blake2b(digest_size=16)
    for some in references:
        total.update("\x1f".join(some).encode("utf-8", "surrogatepass") + b"\x1e")
    return total.hexdigest()


def segment_key(segment: Segment) -> str:
    """What a segment is called in messages."""
    return f"{segment.language_pair} {segment.id}".strip()
