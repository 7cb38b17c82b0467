"""Pairs from a file, folder, glob or URL in any format, and writing them."""

from __future__ import annotations

import glob
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypedDict, Unpack, cast

from ensue.errors import ArgumentError, DataError, SettingError, check_source
from ensue.files import (
    STANDARD,
    OnFinding,
    file_system,
    hub_dataset_name,
    hub_file,
    ignore_finding,
    is_directory,
    is_file,
    is_hub_name,
    is_there,
    is_url,
    local_name,
    open_input,
    open_output,
    peeked_or_sought,
    reachable,
    shown_name,
    unpacked_name,
)
from ensue.pairs.formats.columns import check_fields, refuse_columns
from ensue.pairs.formats.model import (
    Format,
    LocatedPairs,
    ReadOptions,
    report_no_pairs,
)
from ensue.pairs.model import Label, Pair
from ensue.registry import find, names

# The files that a name stands for: one file, a folder, a glob, a URL.

MANIFEST = "_manifest.json"
"""The file in which the folder of a run says what it is; written last, so a folder with it is whole."""
SUITES = "suites.json"
"""The file in which a folder of suites does."""

_RUN_FILES = {"_plan.json", "_journal.jsonl"}
_LARGEST_MANIFEST = 1 << 26


def expand(source: str | Path) -> list[str]:
    """The files that a name stands for, in the order in which they are read.

    A folder stands for all files in it and in its folders, but for those whose names begin with a
    dot or an underscore; a folder of suites for the first file of each suite. What is no file and
    no folder may be a glob. All of this holds for URLs as well. A data set of the hub, as
    `hf:stanfordnlp/snli/test`, stands for a file of Parquet. `-` and other streams stand for themselves.

    Raises:
        DataError: there is nothing, or the folder is a run.
        ArgumentError: it is no name.
    """
    check_source("source", source)
    if str(source) == STANDARD:
        return [STANDARD]
    if is_hub_name(source):
        return [hub_file(str(source))]
    if is_url(source):
        return _expanded_url(str(source))
    name = local_name(source)
    if is_directory(name):
        return _some(_files_of(_Local(), name), name)
    if is_there(name) or not glob.has_magic(name):
        return [name]  # whoever opens it says so where it is not there
    found = glob.glob(name, recursive=True)  # noqa: PTH207 - of a path, not in one
    return _some(_files_of_all(_Local(), found), name)


def is_stream(source: str | Path) -> bool:
    """Whether a source can be read only once: standard input, a pipe, a device."""
    if str(source) == STANDARD:
        return True
    name = local_name(source)
    return not is_url(source) and is_there(name) and not is_file(name) and not is_directory(name)


def _expanded_url(url: str) -> list[str]:
    system, path = file_system(url)
    if "::" in url:
        return [url]  # a file in a file; their names cannot be put together again
    tree = _Remote(url, system)
    with reachable(url):
        if system.isfile(path):
            return [url]
        if system.isdir(path):
            return _some(_files_of(tree, path), url)
        if not glob.has_magic(path):
            return [url]
        found = [str(each) for each in system.glob(path)]
    return _some(_files_of_all(tree, found), url)


class _Tree(Protocol):
    """Folders and files somewhere."""

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder."""

    def entries(self, folder: str) -> dict[str, str]:
        """The paths of what stands in a folder, by name."""

    def source(self, path: str) -> str:
        """What a file is called outside."""


class _Local:
    """The local file system."""

    def is_folder(self, path: str) -> bool:
        return is_directory(path)

    def entries(self, folder: str) -> dict[str, str]:
        try:
            return {each.name: str(each) for each in Path(folder).iterdir()}
        except OSError as error:
            raise DataError(
                "cannot-read", f"cannot read: {error.strerror or error}", place=folder
            ) from None

    def source(self, path: str) -> str:
        return path


class _Remote:
    """The file system of a URL."""

    def __init__(self, url: str, system: Any) -> None:
        self._url = url
        self._system = system

    def is_folder(self, path: str) -> bool:
        with reachable(self._url):
            return bool(self._system.isdir(path))

    def entries(self, folder: str) -> dict[str, str]:
        with reachable(self._url):
            paths = [str(each).rstrip("/") for each in self._system.ls(folder, detail=False)]
        return {path.rpartition("/")[2]: path for path in paths if path != folder.rstrip("/")}

    def source(self, path: str) -> str:
        return str(self._system.unstrip_protocol(path))


def _files_of(tree: _Tree, folder: str, above: tuple[Path, ...] = ()) -> Iterator[str]:
    """The files in a folder and in its folders."""
    entries = tree.entries(folder)
    if entries.keys() >= _RUN_FILES or "ensue_folder" in _said(tree, entries, MANIFEST):
        raise _is_run(tree.source(folder))
    suites = _suites(_said(tree, entries, SUITES))
    if suites is not None:
        yield from (tree.source(f"{folder.rstrip('/')}/{name}") for name in suites)
        return
    itself = Path(folder).resolve()
    for name in sorted(entries):
        path = entries[name]
        if name.startswith((".", "_")):
            continue
        if not tree.is_folder(path):
            yield tree.source(path)
        elif Path(path).resolve() not in (itself, *above):  # a link may lead back
            yield from _files_of(tree, path, (*above, itself))


def _files_of_all(tree: _Tree, paths: Iterable[str]) -> Iterator[str]:
    for path in sorted(paths, key=lambda path: path.split("/")):
        if tree.is_folder(path):
            yield from _files_of(tree, path)
        else:
            yield tree.source(path)


def _some(files: Iterable[str], source: str) -> list[str]:
    found = list(dict.fromkeys(files))
    if not found:
        raise DataError(
            "no-files",
            f"there are no files in {shown_name(source)!r}",
            hint="files whose names begin with a dot or an underscore do not count"
            if not glob.has_magic(source)
            else "check the pattern; put it in quotation marks, so that the shell leaves it alone",
        )
    return found


def _is_run(folder: str) -> DataError:
    return DataError(
        "run-not-pairs",
        f"{shown_name(folder)!r} is a run, not pairs",
        hint="name the pairs that were judged; ensue evaluate GOLD RUN takes the run",
    )


def _suites(about: dict[str, Any]) -> list[str] | None:
    """The first file of each suite, where a folder is one of suites."""
    try:
        return [str(suite["files"][0]) for suite in about["suites"]]
    except (TypeError, KeyError, IndexError):
        return None


def _said(tree: _Tree, entries: dict[str, str], name: str) -> dict[str, Any]:
    """What a folder says of itself in a file; nothing where it has no such file."""
    if name not in entries:
        return {}
    with open_input(tree.source(entries[name])) as file:
        content = file.read(_LARGEST_MANIFEST)
    try:
        about = json.loads(content)
    except (ValueError, RecursionError):
        return {}  # a file like any other
    return about if isinstance(about, dict) else {}


# Reading and writing pairs, whatever the format.

_SNIFFED = 4096
_SNIFF_ORDER = ("parquet", "fracas", "rte", "jsonl", "tsv", "csv")
_DEFAULT = "jsonl"


class ReadKeywords(TypedDict, total=False):
    """How a file of pairs is read; whatever is left out is seen by the file itself."""

    format: str | None
    """One of `ensue list formats`; seen by name and content where it is None."""
    columns: Mapping[str, str] | None
    """Field of a pair → column of the file, for formats with columns."""
    labels: Mapping[str, Label | None] | None
    """What labels in the file mean, beside or instead of what its layout says; None is "no gold".

    Those of well-known data are in `PRESETS`.
    """
    needs_gold: bool
    """Whether a label that is not understood is an error, as it is where nothing is said; else it
    is a finding, and no gold."""
    encoding: str | None
    """Overrides what the file says of itself; UTF-8 where nobody says anything."""


def read_pairs(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[ReadKeywords]
) -> Iterator[Pair]:
    """Yield the pairs of a file, or of several files one after the other, one at a time.

    Args:
        source: A file, packed or not, a folder, a glob, the URL of one of them, `hf:NAME/SPLIT`,
            or `-` for standard input; see `expand`.
        on_finding: Is told of problems that do not stop the reading (no gold, an empty side, no
            pairs at all); without it they go unheard.
        **reading: How to read it: the fields of `ReadKeywords`.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
        ArgumentError: an argument is of another kind.
    """
    check_source("source", source)
    read_options(reading)  # what is wrong with it is said here, and not when the first is read
    return (pair for _, pair in read_located_pairs(source, on_finding=on_finding, **reading))


def read_located_pairs(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[ReadKeywords]
) -> LocatedPairs:
    """As `read_pairs`, with the line (in Parquet the row) of its file at which each pair begins."""
    for _, located in read_files(source, on_finding=on_finding, **reading):
        yield from located


def read_files(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[ReadKeywords]
) -> Iterator[tuple[str, LocatedPairs]]:
    """As `read_located_pairs`, file by file, each with its name as messages show it."""
    options = read_options(reading)
    files = expand(source)
    for file, prefix in zip(files, id_prefixes(files), strict=True):
        own = replace(options, id_prefix=prefix)
        located = _pairs_of(file, own, reading.get("format"), on_finding or ignore_finding)
        yield shown_name(file), _left_out(located, file, files, source)


def _left_out(
    located: LocatedPairs, file: str, files: Sequence[str], source: str | Path
) -> LocatedPairs:
    with leaving_out(file, files, source):
        yield from located


def _pairs_of(
    source: str, options: ReadOptions, format: str | None, report: OnFinding
) -> LocatedPairs:
    name, n_pairs = shown_name(source), 0
    with recognized(source, format) as (file, kind):
        if not kind.has_columns:
            refuse_columns(options.columns, kind.name)
        for located in kind.read(file, name, options, report):
            n_pairs += 1
            yield located
    if n_pairs == 0:
        report_no_pairs(name, report)


def id_prefixes(files: Sequence[str]) -> list[str]:
    """What goes before the number that is a pair's id where its file has no ids.

    Nothing where there is one file; of several, what a file is called, so that ids are unique.

    >>> id_prefixes(["data/dev.csv", "data/test.csv"])
    ['dev:', 'test:']
    >>> id_prefixes(["1/dev.csv", "2/dev.csv"])
    ['1/dev.csv:', '2/dev.csv:']
    """
    if len(files) < 2:
        return [""] * len(files)
    stems = Counter(map(_stem, files))
    folders = zip(*(file.split("/")[:-1] for file in files), strict=False)
    n_common = sum(1 for _ in takewhile(lambda names: len(set(names)) == 1, folders))
    inside = ["/".join(file.split("/")[n_common:]) for file in files]
    return [
        f"{_stem(file) if stems[_stem(file)] == 1 else path}:"
        for file, path in zip(files, inside, strict=True)
    ]


def read_options(reading: ReadKeywords) -> ReadOptions:
    """What a reading means to every format.

    Raises:
        UnknownNameError: it names a field that a pair does not have.
        ArgumentError: a part of it is of another kind.
    """
    _check_keywords(reading)
    options = ReadOptions(
        reading.get("columns") or {},
        reading.get("labels") or {},
        reading.get("encoding"),
        needs_gold=reading.get("needs_gold", True),
    )
    check_fields(options.columns)
    return options


def _check_keywords(reading: ReadKeywords) -> None:
    for name in ("format", "encoding"):
        if not isinstance(reading.get(name), str | None):
            raise ArgumentError.of(name, "a text or None", reading.get(name))
    for name, kinds, due in (
        ("columns", str, "a mapping of fields to columns"),
        ("labels", Label | None, "a mapping of names to Label or None"),
    ):
        value = reading.get(name)
        if value is not None and not (
            isinstance(value, Mapping)
            and all(isinstance(key, str) and isinstance(value[key], kinds) for key in value)
        ):
            raise ArgumentError.of(name, due, value)


def load_pairs(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[ReadKeywords]
) -> list[Pair]:
    """Read all pairs of a file or of several files, whose ids have to be unique.

    Raises:
        DataError: as `read_pairs`, and where two pairs have one id; it names both places.
    """
    first: dict[str, str] = {}
    pairs: list[Pair] = []
    for name, located in read_files(source, on_finding=on_finding, **reading):
        pairs.extend(pair for _, pair in with_unique_ids(located, name, first))
    return pairs


def with_unique_ids(
    located: Iterable[tuple[int, Pair]], name: str, first: dict[str, str] | None = None
) -> LocatedPairs:
    """Pass the pairs of a file on, as long as no two of them have one id.

    Args:
        located: The pairs with their lines.
        name: What the file is called in messages.
        first: The places of ids in files that were read before; those of this file are added.

    Raises:
        DataError: two pairs have one id; it names both places.
    """
    first = {} if first is None else first
    for line, pair in located:
        place = f"{name}:{line}"
        if first.setdefault(pair.id, place) is not place:
            raise DataError(
                "duplicate-id",
                doubled_id(pair.id, first[pair.id]),
                place=place,
                hint="give each pair its own id",
            )
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
    check_source("target", target)
    write = _writer(target, format)
    with open_output(target) as file:
        write(map(_pair, pairs), file)


def _pair(pair: Pair) -> Pair:
    if not isinstance(pair, Pair):
        raise ArgumentError.of("pairs", "pairs", pair)
    return pair


def check_target(target: str | Path, *, format: str | None = None) -> None:
    """Refuse a target that `write_pairs` would refuse by its name, before there is any work."""
    _writer(target, format)


def dataset_name(source: str | Path) -> str:
    """What a data set is called after its file, its folder, or what its files have in common.

    >>> dataset_name("data/rte1_dev.xml.gz"), dataset_name("s3://bucket/rte1/dev.parquet")
    ('rte1_dev', 'dev')
    >>> dataset_name("data/part-*.parquet"), dataset_name("data/*.parquet")
    ('part', 'data')
    """
    if str(source) == STANDARD:
        return "standard-input"
    if is_hub_name(source):
        return hub_dataset_name(str(source))
    name = local_name(source)
    if name.endswith("/") or is_directory(name):
        return Path(name).resolve().name or name
    for part in (_stem(name), *reversed(Path(name).parts[:-1])):
        if common := re.sub(r"\[.*?\]|[*?\[\]]", "", part).strip("-_. "):
            return common
    return name


@contextmanager
def recognized(source: str | Path, format: str | None) -> Iterator[tuple[BinaryIO, Format]]:
    """Open a source and find its format; the file is at its beginning."""
    with open_input(source) as file:
        if format:
            yield file, find("format", format)
            return
        head, file = peeked_or_sought(file, _SNIFFED)
        yield file, _format_of(source, head)


@contextmanager
def leaving_out(file: str, files: Sequence[str], source: str | Path) -> Iterator[None]:
    """Say how to leave a file out that is among others, and is no pairs by its name.

    Args:
        file: The one that is read.
        files: All that the source stands for.
        source: What the user named.
    """
    try:
        yield
    except DataError as error:
        others = [each for each in files if _is_known_by_name(each)]
        if others and file not in (*others, local_name(source)):
            example = _example_glob(source, others)
            error.hint = f"leave it out: name the files of pairs by a glob, e.g. {example!r}"
        raise


def _example_glob(source: str | Path, files: Sequence[str]) -> str:
    """A glob for most of the files that a source stands for."""
    ((suffix, _),) = Counter(Path(file).suffix for file in files).most_common(1)
    name = shown_name(source).rstrip("/")
    folder = name.rpartition("/")[0] if glob.has_magic(name) else name
    return f"{folder}/*{suffix}" if folder else f"*{suffix}"


def _is_known_by_name(file: str) -> bool:
    suffix = unpacked_name(file).suffix.lower()
    return any(suffix in each.suffixes for each in _formats())


def _format_of(source: str | Path, head: bytes) -> Format:
    """By the end of the name, and by content where that leaves more than one or none."""
    formats = _formats()
    suffix = unpacked_name(source).suffix.lower()
    named = [each for each in formats if suffix in each.suffixes]
    if not head and not any(each.may_be_empty for each in named):
        raise DataError("file-empty", "the file is empty", place=shown_name(source))
    fitting = [each for each in named or formats if each.sniff(head)]
    if len(named) == 1 or (named and not fitting):
        return named[-1]
    if not fitting:
        raise DataError(
            "cannot-tell-format-file",
            "cannot tell the format of this file",
            place=shown_name(source),
            hint=f"name it: --read format={'|'.join(sorted(each.name for each in formats))}",
        )
    return fitting[0]


def _writer(target: str | Path, format: str | None) -> Callable[[Iterable[Pair], BinaryIO], None]:
    kind = find("format", format) if format else _format_of_target(target)
    if kind.write is None:
        raise SettingError(
            "format-read-not-written",
            f"the format {kind.name!r} can be read, not written",
            hint="write jsonl or rte",
        )
    return cast(Callable[[Iterable[Pair], BinaryIO], None], kind.write)


def _format_of_target(target: str | Path) -> Format:
    if str(target) == STANDARD:
        return cast(Format, find("format", _DEFAULT))
    path = Path(target)  # gzip is the one packing that is written
    suffix = (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()
    formats = _formats()
    for each in formats:
        if suffix in each.suffixes and each.write is not None:
            return each
    known = sorted(suffix for each in formats if each.write for suffix in each.suffixes)
    raise SettingError(
        "no-format-known-end",
        f"no format is known by the end of {str(target)!r}",
        hint=f"name the format, or end the name in one of {', '.join(known)}",
    )


def _formats() -> list[Format]:
    """All formats, ours first and in the order in which they are tried."""
    ours = [name for name in _SNIFF_ORDER if name in names("format")]
    others = [name for name in names("format") if name not in ours]
    return [find("format", name) for name in [*ours, *others]]


def _stem(source: str | Path) -> str:
    return unpacked_name(source).stem
