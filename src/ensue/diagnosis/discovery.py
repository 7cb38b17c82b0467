"""Diagnostic sets in files and folders: found, recognized by their content, and read with their tags."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from ensue.diagnosis.kinds import (
    KINDS,
    DiagnosticKind,
    Phenomenon,
    Sample,
    kind_of,
    plain_kind,
    stem_of,
)
from ensue.errors import ArgumentError, DataError, check_list
from ensue.files import (
    Finding,
    OnFinding,
    Severity,
    ignore_finding,
    is_directory,
    local_name,
    shown_name,
)
from ensue.pairs import Pair, expand, is_stream, read_pairs, recognized

SAMPLE = 50
"""Pairs by which a file is recognized."""
JUDGED = "diagnosis.json"
"""The file by which a folder holds what was judged before."""
_SUITES = "suites.json"
_RUN_FILES = {"_plan.json", "_journal.jsonl", "_manifest.json"}
_PARSES = ("_parse",)
"""Ends of columns that are left out: parses of the sides, larger than all the rest."""
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar")
"""Ends of names in which some sets are published."""


@dataclass(frozen=True, slots=True)
class DiagnosticSet:
    """A set that was found, with its pairs."""

    kind: DiagnosticKind
    name: str
    """Its own among the sets, and what its files are called."""
    title: str
    """What people call it."""
    files: tuple[str, ...]
    pairs: tuple[Pair, ...]
    """Those with gold. In `meta`: `phenomena`, each as `facet: value`, and `group` where it has one;
    the task is the first phenomenon."""
    n_without_gold: int = 0
    n_pairs: int = 0
    """How many pairs with gold there are, also where `pairs` is a sample of them."""

    def phenomena(self) -> dict[Phenomenon, list[int]]:
        """The numbers of the pairs that have each, in the order in which they are met."""
        found: dict[Phenomenon, list[int]] = {}
        for i, pair in enumerate(self.pairs):
            for each in dict.fromkeys(pair.meta["phenomena"]):
                facet, _, value = each.partition(": ")
                found.setdefault((facet, value), []).append(i)
        return found

    def sampled(self, n: int, seed: int) -> DiagnosticSet:
        """The set with so many of its pairs at most, drawn by whole groups, in their order."""
        if len(self.pairs) <= n:
            return self
        groups: dict[object, list[int]] = {}
        for i, pair in enumerate(self.pairs):
            groups.setdefault(pair.meta.get("group", i), []).append(i)
        drawn = list(groups.values())
        random.Random(seed).shuffle(drawn)
        chosen: set[int] = set()
        for group in drawn:
            if len(chosen) + len(group) <= n:
                chosen.update(group)
        kept = tuple(pair for i, pair in enumerate(self.pairs) if i in chosen)
        return replace(self, pairs=kept)


def find_sets(
    sources: Sequence[str | Path], *, on_finding: OnFinding = ignore_finding
) -> list[DiagnosticSet]:
    """Find and read the diagnostic sets in files, folders, globs and URLs.

    In a folder, and in the folders in it, a file that is no known set is a finding; one that is
    named itself is a set of pairs, whatever it is. A folder of generated suites is one set.

    Args:
        sources: Their names.
        on_finding: Called with each file that is no set, and with problems in those that are.

    Raises:
        DataError: there is no set, or one cannot be read to its end.
        ArgumentError: a source is no name.
    """
    check_list("sources", list(sources), str | Path, "a name or a path")
    parts: list[_Part] = []
    for source in sources:
        parts += _parts_of(source, on_finding)
    parts = list({part.file: part for part in parts}.values())
    found = [made for some in _together(parts) if (made := _set_of(some, on_finding))]
    if not found:
        raise DataError(
            "no-diagnostic-set",
            "there is no diagnostic set with gold",
            place=", ".join(map(shown_name, sources)),
            hint="known are "
            + ", ".join(kind.title for kind in KINDS)
            + "; a file of other pairs is judged where it is named itself",
        )
    return _named(found)


# Files and what they are.


@dataclass(frozen=True, slots=True)
class _Part:
    """A file that is a set, or a part of one."""

    kind: DiagnosticKind
    file: str
    folder: str
    """Where its set is, for those of several files."""

    @property
    def path(self) -> PurePosixPath:
        return PurePosixPath(self.file)


def _parts_of(source: str | Path, on_finding: OnFinding) -> Iterator[_Part]:
    if is_stream(source):
        raise ArgumentError.of("a source", "a file or a folder", str(source))
    name = local_name(source)
    if is_directory(name):
        folder = Path(name)
        if not any(True for _ in _files_in(folder, lambda _: None)):
            raise DataError(
                "no-files",
                f"there are no files in {shown_name(source)!r}",
                hint="name the folder that holds the sets",
            )
        for path in _files_in(folder, on_finding):
            yield from _part_of(str(path), on_finding)
        return
    for file in expand(source):
        kind = _recognized(file) or plain_kind(stem_of(PurePosixPath(file)))
        yield _Part(kind, file, _folder_of(kind, file))


def _part_of(file: str, on_finding: OnFinding) -> Iterator[_Part]:
    """The file as a part of a set, where it is one."""
    try:
        kind = _recognized(file)
    except DataError as error:
        message = f"no pairs that are understood: {error.message}"
        if file.lower().endswith(_ARCHIVES):
            message = "an archive is not looked into; unpack it"
    else:
        if kind is not None:
            yield _Part(kind, file, _folder_of(kind, file))
            return
        message = "pairs of no known diagnostic set; name the file itself to have it judged"
    on_finding(Finding("unknown-set", Severity.NOTE, message, place=shown_name(file)))


def _folder_of(kind: DiagnosticKind, file: str) -> str:
    """The folder of a set: of CURRICULUM, whose sets have folders of their own, the one above."""
    path = PurePosixPath(file)
    is_own = kind.name == "curriculum" and kind.part(path, Pair("1", "", "")) == path.parent.name
    return str(path.parent.parent if is_own else path.parent)


def _files_in(folder: Path, on_finding: OnFinding) -> Iterator[Path]:
    """The files in a folder and its folders, but for runs, for what is hidden and for old results."""
    seen: set[Path] = set()

    def walk(here: Path) -> Iterator[Path]:
        if here.resolve() in seen:  # a link may lead back
            return
        seen.add(here.resolve())
        try:
            entries = sorted(here.iterdir())
        except OSError as error:
            raise DataError(
                "cannot-read", f"cannot read: {error.strerror or error}", place=str(here)
            ) from None
        names = {each.name for each in entries}
        if JUDGED in names or names & _RUN_FILES:
            message = "what was judged before is not looked at"
            on_finding(Finding("judged-before", Severity.NOTE, message, place=str(here)))
            return
        suites = _suite_files(here) if _SUITES in names else None
        for each in entries:
            if each.name.startswith((".", "_")):
                continue
            if each.is_dir():
                yield from walk(each)
            elif suites is None or each.name in suites:
                yield each

    yield from walk(folder)


def _suite_files(folder: Path) -> set[str] | None:
    """The first file of each suite; None where the folder is not one of suites."""
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        record = json.loads((folder / _SUITES).read_text("utf-8"))
        return {Path(suite["files"][0]).name for suite in record["suites"]}
    return None


def _recognized(file: str) -> DiagnosticKind | None:
    """The kind of the set that a file is; None where it is pairs of no known one.

    Raises:
        DataError: no pairs can be read from it.
    """
    with recognized(file, None) as (_, format):
        name = format.name
    found = read_pairs(file, needs_gold=False)
    pairs = tuple(islice(found, SAMPLE))
    if not pairs:
        raise DataError("no-pairs", "there are no pairs in it", place=shown_name(file))
    return kind_of(Sample(PurePosixPath(file), name, pairs))


# From files to sets.


def _together(parts: Iterable[_Part]) -> list[list[_Part]]:
    """The parts of each set."""
    sets: dict[tuple[str, str], list[_Part]] = {}
    for part in parts:
        where = part.folder if part.kind.is_joined else part.file
        sets.setdefault((part.kind.name, where), []).append(part)
    return list(sets.values())


def _set_of(parts: Sequence[_Part], on_finding: OnFinding) -> DiagnosticSet | None:
    """The set of some files; None, with a finding, where no pair has gold."""
    kind = parts[0].kind
    read: list[tuple[_Part, Pair]] = []
    for part in parts:
        found = read_pairs(part.file, labels=kind.labels, on_finding=on_finding)
        read += [(part, pair) for pair in found]
    gold = [(part, pair) for part, pair in read if pair.gold is not None]
    if not gold:
        message = f"{kind.title} without gold, which is not judged"
        place = shown_name(parts[0].file)
        on_finding(Finding("set-without-gold", Severity.WARNING, message, place=place))
        return None
    is_unique = max(Counter(pair.id for _, pair in read).values()) == 1
    pairs = [
        _tagged(kind, part, pair, pair.id if is_unique else f"{stem_of(part.path)}-{i}")
        for i, (part, pair) in enumerate(gold, 1)
    ]
    files = tuple(part.file for part in parts)
    own = (
        parts[0].folder if kind.is_joined else str(parts[0].path.with_name(stem_of(parts[0].path)))
    )
    return DiagnosticSet(
        kind,
        _slug(kind, PurePosixPath(own).name),
        kind.title,
        files,
        tuple(pairs),
        len(read) - len(gold),
        len(pairs),
    )


def _tagged(kind: DiagnosticKind, part: _Part, pair: Pair, pair_id: str) -> Pair:
    """The pair with its phenomena and its group."""
    meta = {name: value for name, value in pair.meta.items() if not name.endswith(_PARSES)}
    found = list(kind.phenomena(pair, kind.part(part.path, pair)))
    meta["phenomena"] = list(dict.fromkeys(f"{facet}: {value}" for facet, value in found))
    group = kind.group(pair)
    if group is not None:
        meta["group"] = group
    task = found[0][1] if found else pair.task
    return Pair(pair_id, pair.text, pair.hypothesis, pair.gold, task, meta)


def _slug(kind: DiagnosticKind, own: str) -> str:
    """What a set is called after its kind and its file, e.g. `sick-trial`.

    A name that says the kind already is not said twice.
    """
    own = re.sub(r"[^a-z0-9]+", "-", own.lower()).strip("-")
    if kind.name == "pairs":
        return own or kind.name
    own = re.sub(rf"^{re.escape(kind.name)}(?=-|$)", "", own).strip("-")
    is_joined = kind.is_joined and kind.name != "suite"
    return f"{kind.name}-{own}" if own and not is_joined else kind.name


def _named(sets: Sequence[DiagnosticSet]) -> list[DiagnosticSet]:
    """The sets with names that differ, and titles that say which is which."""
    times = Counter(each.name for each in sets)
    kinds = Counter(each.kind.title for each in sets)
    seen: Counter[str] = Counter()
    named = []
    for each in sets:
        seen[each.name] += 1
        name = f"{each.name}-{seen[each.name]}" if times[each.name] > 1 else each.name
        own = name.removeprefix(each.kind.name).strip("-")
        title = f"{each.title}, {own}" if own and kinds[each.kind.title] > 1 else each.title
        named.append(replace(each, name=name, title=title))
    return named
