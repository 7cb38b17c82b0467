"""Reading and writing pairs, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypedDict, Unpack, cast

from ensue.errors import DataError, SettingError
from ensue.pairs.files import STANDARD, open_input, peeked, shown_name
from ensue.pairs.formats.layouts import check_fields, refuse_columns
from ensue.pairs.formats.model import (
    Format,
    LocatedPairs,
    OnFinding,
    ReadOptions,
    ignore,
    warning,
)
from ensue.pairs.labels import Label
from ensue.pairs.model import Pair
from ensue.pairs.outputs import open_output
from ensue.registry import find, names

_SNIFFED = 4096
_SNIFF_ORDER = ("parquet", "fracas", "rte", "jsonl", "tsv", "csv")
_DEFAULT = "jsonl"


class Reading(TypedDict, total=False):
    """How a file of pairs is read; whatever is left out is seen by the file itself."""

    format: str | None
    """One of `ensue list formats`; seen by name and content where it is None."""
    columns: Mapping[str, str] | None
    """Field of a pair → column of the file, for formats with columns."""
    labels: Mapping[str, Label | None] | None
    """What labels in the file mean, beside or instead of what its layout says; None is "no gold"."""
    encoding: str | None
    """Overrides what the file says of itself; UTF-8 where nobody says anything."""


def read_pairs(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[Reading]
) -> Iterator[Pair]:
    """Yield the pairs of a file, one at a time.

    Args:
        source: A file, packed with gzip or not, or `-` for standard input.
        on_finding: Is told of problems that do not stop the reading (no gold, an empty side, no
            pairs at all); without it they go unheard.
        **reading: How to read it: the fields of `Reading`.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
    """
    return (pair for _, pair in read_located_pairs(source, on_finding=on_finding, **reading))


def read_located_pairs(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[Reading]
) -> LocatedPairs:
    """As `read_pairs`, with the line (in Parquet the row) at which each pair begins."""
    options = ReadOptions(
        reading.get("columns") or {}, reading.get("labels") or {}, reading.get("encoding")
    )
    check_fields(options.columns)
    name, report = shown_name(source), on_finding or ignore
    n_pairs = 0
    with _recognized(source, reading.get("format")) as (file, kind):
        if not kind.has_columns:
            refuse_columns(options.columns, kind.name)
        for located in kind.read(file, name, options, report):
            n_pairs += 1
            yield located
    if n_pairs == 0:
        report(warning("no-pairs", "there are no pairs in this file", name))


def load_pairs(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[Reading]
) -> list[Pair]:
    """Read all pairs of a file, whose ids have to be unique.

    Raises:
        DataError: as `read_pairs`, and where two pairs have one id; it names both places.
    """
    located = read_located_pairs(source, on_finding=on_finding, **reading)
    return [pair for _, pair in with_unique_ids(located, shown_name(source))]


def with_unique_ids(located: Iterable[tuple[int, Pair]], name: str) -> LocatedPairs:
    """Pass the pairs of a file on, as long as no two of them have one id.

    Raises:
        DataError: two pairs have one id; it names both places.
    """
    first: dict[str, int] = {}
    for line, pair in located:
        if pair.id in first:
            raise DataError(
                doubled_id(pair.id, f"{name}:{first[pair.id]}"),
                place=f"{name}:{line}",
                hint="give each pair its own id",
            )
        first[pair.id] = line
        yield line, pair


def doubled_id(pair_id: str, first: str) -> str:
    """What is said of a second pair with one id; `first` is the place of the first."""
    return f"two pairs have the id {pair_id!r}; the first is at {first}"


def write_pairs(target: str | Path, pairs: Iterable[Pair], *, format: str | None = None) -> None:
    """Write pairs one at a time; the file appears whole, at the end, or not at all.

    Args:
        target: A file, packed where its name ends in `.gz`, or `-` for standard output.
        pairs: What to write.
        format: One of `ensue list formats`; by the target's name where it is None, and JSONL on
            standard output.

    Raises:
        OutputError: the place cannot be written, or the format cannot hold a pair.
        SettingError: the format is unknown by the name, or can only be read.
    """
    write = _writer(target, format)
    with open_output(target) as file:
        write(pairs, file)


def check_target(target: str | Path, *, format: str | None = None) -> None:
    """Refuse a target that `write_pairs` would refuse by its name, before there is any work."""
    _writer(target, format)


def dataset_name(source: str | Path) -> str:
    """What a data set is called after its file.

    >>> dataset_name("data/rte1_dev.xml.gz")
    'rte1_dev'
    """
    if str(source) == STANDARD:
        return "standard-input"
    return _unpacked(source).stem


@contextmanager
def _recognized(source: str | Path, format: str | None) -> Iterator[tuple[BinaryIO, Format]]:
    """Open a source and find its format; the file is at its beginning."""
    with open_input(source) as file:
        if format:
            yield file, find("format", format)
            return
        if _is_plain_file(source, file):
            head = file.read(_SNIFFED)
            file.seek(0)
        else:
            head, file = peeked(file, _SNIFFED)
        yield file, _format_of(source, head)


def _is_plain_file(source: str | Path, file: BinaryIO) -> bool:
    return str(source) != STANDARD and file.seekable()


def _format_of(source: str | Path, head: bytes) -> Format:
    """By the end of the name, and by content where that leaves more than one or none."""
    formats = _formats()
    suffix = _unpacked(source).suffix.lower()
    named = [each for each in formats if suffix in each.suffixes]
    if not head and not any(each.may_be_empty for each in named):
        raise DataError("the file is empty", place=shown_name(source))
    fitting = [each for each in named or formats if each.sniff(head)]
    if len(named) == 1 or (named and not fitting):
        return named[-1]
    if not fitting:
        raise DataError(
            "cannot tell the format of this file",
            place=shown_name(source),
            hint=f"name it: --input-format {'|'.join(sorted(each.name for each in formats))}",
        )
    return fitting[0]


def _writer(target: str | Path, format: str | None) -> Callable[[Iterable[Pair], BinaryIO], None]:
    kind = find("format", format) if format else _format_of_target(target)
    if kind.write is None:
        raise SettingError(
            f"the format {kind.name!r} can be read, not written", hint="write jsonl or rte"
        )
    return cast(Callable[[Iterable[Pair], BinaryIO], None], kind.write)


def _format_of_target(target: str | Path) -> Format:
    if str(target) == STANDARD:
        return cast(Format, find("format", _DEFAULT))
    suffix = _unpacked(target).suffix.lower()
    formats = _formats()
    for each in formats:
        if suffix in each.suffixes and each.write is not None:
            return each
    known = sorted(suffix for each in formats if each.write for suffix in each.suffixes)
    raise SettingError(
        f"no format is known by the end of {str(target)!r}",
        hint=f"name the format, or end the name in one of {', '.join(known)}",
    )


def _formats() -> list[Format]:
    """All formats, ours first and in the order in which they are tried."""
    ours = [name for name in _SNIFF_ORDER if name in names("format")]
    others = [name for name in names("format") if name not in ours]
    return [find("format", name) for name in [*ours, *others]]


def _unpacked(source: str | Path) -> Path:
    path = Path(source)
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path
