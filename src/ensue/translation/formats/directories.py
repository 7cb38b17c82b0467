"""Directories of translation data: their layouts, and which files belong together.

- WMT's outputs: `system-outputs/**`, a file a system, with `reference*` and judgments beside it.
- Direct assessment: `DAseg.<set>.{human,mt-system,reference,source}.<pair>`.
- METEOR's training data: `<pair>.<system>.sgm`, `<pair>.ref.sgm` and `<pair>.rank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ensue.errors import DataError
from ensue.files import row_format
from ensue.pairs import Finding, Severity
from ensue.pairs.formats import OnFinding
from ensue.translation.formats.names import FileName, direct_role, output_name, reference_name, role
from ensue.translation.formats.text_files import (
    FileContent,
    LanguagePairData,
    SegmentCount,
    SegmentFile,
    segment_count,
    segment_file,
)

# Directories of translation data, seen by what is in them.

_OUTPUTS = "system-outputs"
_JUDGMENTS = (".csv", ".rank")
_PASSED_OVER = ("readme", "license", "licence", "copying")


@dataclass(frozen=True, slots=True)
class DirectoryFiles:
    """The files of a directory by what they hold."""

    outputs: tuple[Path, ...]
    references: tuple[Path, ...]
    sources: tuple[Path, ...] = ()
    judgments: tuple[Path, ...] = ()
    scores: tuple[Path, ...] = ()
    """Direct assessments, one a line."""


def find_files(directory: str | Path, on_finding: OnFinding) -> DirectoryFiles:
    """See what a directory holds; files that nobody knows are reported.

    Raises:
        DataError: it holds no translation data in a layout that is known.
    """
    root = Path(directory)
    files = sorted(path for path in root.iterdir() if path.is_file() and _counts(path))
    if any(direct_role(path) for path in files):
        found = _direct(files)
    elif (root / _OUTPUTS).is_dir():
        found = _outputs(root, files)
    else:
        found = _marked_up(files)
    if not found.outputs or not found.references:
        missing = "outputs" if not found.outputs else "reference"
        raise DataError(
            f"no {missing} in the directory {str(directory)!r}",
            hint=f"it needs {_OUTPUTS}/ and reference*, DAseg.* files, or PAIR.SYSTEM.sgm files",
        )
    _report_unknown(files, found, on_finding)
    return found


def _counts(path: Path) -> bool:
    return not path.name.startswith(".") and not path.name.lower().startswith(_PASSED_OVER)


def _direct(files: list[Path]) -> DirectoryFiles:
    def of(name: str) -> tuple[Path, ...]:
        return tuple(path for path in files if direct_role(path) == name)

    return DirectoryFiles(
        of("mt-system"), of("reference"), of("source"), _judgments(files), of("human")
    )


def _outputs(root: Path, files: list[Path]) -> DirectoryFiles:
    outputs = [path for path in sorted((root / _OUTPUTS).rglob("*")) if path.is_file()]
    texts = [path for path in files if not _is_judgments(path)]
    return DirectoryFiles(
        tuple(path for path in outputs if _counts(path)),
        tuple(path for path in texts if role(path) == "reference"),
        tuple(path for path in texts if role(path) == "source"),
        _judgments(files),
    )


def _marked_up(files: list[Path]) -> DirectoryFiles:
    texts = [
        path
        for path in files
        if path.name.removesuffix(".gz").endswith((".sgm", ".sgml"))
        and output_name(path).language_pair
    ]
    return DirectoryFiles(
        tuple(path for path in texts if output_name(path).system not in ("ref", "src")),
        tuple(path for path in texts if output_name(path).system == "ref"),
        tuple(path for path in texts if output_name(path).system == "src"),
        _judgments(files),
    )


def _judgments(files: list[Path]) -> tuple[Path, ...]:
    """As WMT and METEOR write them; rows only where there are no others, which may be the same."""
    written = tuple(path for path in files if path.name.removesuffix(".gz").endswith(_JUDGMENTS))
    return written or tuple(path for path in files if _is_rows(path))


def _is_judgments(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(_JUDGMENTS) or _is_rows(path)


def _is_rows(path: Path) -> bool:
    return path.name.startswith("judgments") and row_format(path) is not None


def _report_unknown(files: list[Path], found: DirectoryFiles, on_finding: OnFinding) -> None:
    known = {*found.outputs, *found.references, *found.sources, *found.judgments, *found.scores}
    for path in files:
        if path not in known:
            message = f"{path.name!r} is none of the files of this layout and is left out"
            on_finding(Finding("unknown-file", Severity.NOTE, message, place=str(path)))


# From files by name to the parts of a set: who goes with whom, and whether their lines do.

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
) -> list[LanguagePairData]:
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
    counts: dict[SegmentFile, SegmentCount] = {}
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
        parts.append(LanguagePairData(set_name, pair, tuple(systems), content, _aliases(named)))
    return parts


def _count(
    files: Iterable[SegmentFile],
    counts: dict[SegmentFile, SegmentCount],
    what: str,
    on_finding: OnFinding,
) -> None:
    """Count what was not counted yet: language pairs share references."""
    for file in files:
        if file not in counts:
            counts[file] = segment_count(file)
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


def _check_lengths(files: Sequence[SegmentFile], counts: dict[SegmentFile, SegmentCount]) -> None:
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


def _report_empty(file: SegmentFile, count: SegmentCount, what: str, on_finding: OnFinding) -> None:
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
