"""From files by name to the parts of a set: who goes with whom, and whether their lines do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ensue.errors import DataError
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.model import Finding, Severity
from ensue.translation.reading.lines import Counted, SegmentFile, counted, segment_file
from ensue.translation.reading.names import FileName, output_name, reference_name
from ensue.translation.reading.parts import FileContent, Part

_Named = tuple[FileName, str]


def file_parts(
    outputs: Sequence[str | Path],
    references: Sequence[str | Path],
    sources: Sequence[str | Path] = (),
    *,
    test_set: str = "",
    language_pair: str = "",
    encoding: str | None = None,
    on_finding: OnFinding,
) -> list[Part]:
    """Group the files of systems by test set and language pair, each with its references.

    Every file is read through once, to compare their lengths.

    Args:
        outputs: A file for each system.
        references: One or more; a file whose name has a language pair is for that pair alone, one
            whose name ends in a language for the pairs into it.
        sources: What was translated, by the same rule.
        test_set: Of files whose names have none.
        language_pair: Of files whose names have none.
        encoding: Of all files.
        on_finding: Is told of empty lines.

    Raises:
        DataError: two files are of one system, no reference serves a pair, or the numbers of
            lines differ.
    """
    groups: dict[tuple[str, str], list[_Named]] = {}
    for path in outputs:
        name = output_name(path)
        key = (name.test_set or test_set, name.language_pair or language_pair)
        groups.setdefault(key, []).append((name, str(path)))
    counts: dict[SegmentFile, Counted] = {}
    parts = []
    for (set_name, pair), named in groups.items():
        _refuse_doubles(named)
        systems = {name.system: segment_file(path, encoding) for name, path in named}
        served = _serving(references, pair, encoding)
        if not served:
            _refuse_unserved(pair, references)
        source = _serving(sources, pair, encoding)[:1]
        _count((*served, *source), counts, "reference", on_finding)
        _count(systems.values(), counts, "output", on_finding)
        _check_lengths((*served, *source, *systems.values()), counts)
        n_segments = counts[served[0]].n_segments
        content = FileContent(pair, systems, served, source[0] if source else None, n_segments)
        parts.append(Part(set_name, pair, tuple(systems), content, _aliases(named)))
    return parts


def _count(
    files: Iterable[SegmentFile],
    counts: dict[SegmentFile, Counted],
    what: str,
    on_finding: OnFinding,
) -> None:
    """Count what was not counted yet: language pairs share references."""
    for file in files:
        if file not in counts:
            counts[file] = counted(file)
            _report_empty(file, counts[file], what, on_finding)


def _serving(
    paths: Sequence[str | Path], pair: str, encoding: str | None
) -> tuple[SegmentFile, ...]:
    return tuple(
        segment_file(path, encoding) for path in paths if reference_name(path).serves(pair)
    )


def _refuse_doubles(named: Sequence[_Named]) -> None:
    first: dict[str, str] = {}
    for name, path in named:
        if name.system in first:
            raise DataError(
                f"two files are of the system {name.system!r}: {first[name.system]!r} and {path!r}",
                hint="a file is called after its system, e.g. newstest2012.cs-en.SYSTEM",
            )
        first[name.system] = path


def _refuse_unserved(pair: str, references: Sequence[str | Path]) -> None:
    shown = ", ".join(repr(str(path)) for path in references) or "there is none"
    raise DataError(
        f"no reference is for the language pair {pair!r}: {shown}",
        hint="a reference whose name has another pair or language does not count",
    )


def _check_lengths(files: Sequence[SegmentFile], counts: dict[SegmentFile, Counted]) -> None:
    """Compare all files with the first, which is a reference."""
    expected = counts[files[0]].n_segments
    other = next((file for file in files if counts[file].n_segments != expected), None)
    if other is not None:
        n_lines = counts[other].n_segments
        raise DataError(
            f"{n_lines} segments here, {expected} in {files[0].path!r}",
            place=f"{other.path}:{min(n_lines, expected) + 1}",
            hint="line n of every file is about the same segment: is a line missing, or doubled?",
        )


def _aliases(named: Sequence[_Named]) -> dict[str, str]:
    """Names beside the systems' own that stand for one system only."""
    aliases: dict[str, set[str]] = {}
    for name, path in named:
        for alias in (*name.aliases, Path(path).name):
            aliases.setdefault(alias, set()).add(name.system)
    systems = {name.system for name, _ in named}
    return {
        alias: next(iter(meant))
        for alias, meant in aliases.items()
        if len(meant) == 1 and alias not in systems
    }


def _report_empty(file: SegmentFile, count: Counted, what: str, on_finding: OnFinding) -> None:
    if count.n_empty:
        on_finding(
            Finding(
                f"empty-{what}",
                Severity.NOTE if what == "output" else Severity.WARNING,
                f"{count.n_empty} of {count.n_segments} lines are empty",
                place=f"{file.path}:{count.first_empty}",
                details={"n_empty": count.n_empty, "n_segments": count.n_segments},
            )
        )
