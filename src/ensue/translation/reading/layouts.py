"""Directories of translation data, seen by what is in them.

- WMT's outputs: `system-outputs/**`, a file a system, with `reference*` and judgments beside it.
- Direct assessment: `DAseg.<set>.{human,mt-system,reference,source}.<pair>`.
- METEOR's training data: `<pair>.<system>.sgm`, `<pair>.ref.sgm` and `<pair>.rank`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ensue.errors import DataError
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.model import Finding, Severity
from ensue.pairs.rows import row_format
from ensue.translation.reading.names import direct_role, output_name, role

_OUTPUTS = "system-outputs"
_JUDGMENTS = (".csv", ".rank")
_PASSED_OVER = ("readme", "license", "licence", "copying")


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a directory by what they hold."""

    outputs: tuple[Path, ...]
    references: tuple[Path, ...]
    sources: tuple[Path, ...] = ()
    judgments: tuple[Path, ...] = ()
    scores: tuple[Path, ...] = ()
    """Direct assessments, one a line."""


def find_files(directory: str | Path, on_finding: OnFinding) -> Found:
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


def _direct(files: list[Path]) -> Found:
    def of(name: str) -> tuple[Path, ...]:
        return tuple(path for path in files if direct_role(path) == name)

    return Found(of("mt-system"), of("reference"), of("source"), _judgments(files), of("human"))


def _outputs(root: Path, files: list[Path]) -> Found:
    outputs = [path for path in sorted((root / _OUTPUTS).rglob("*")) if path.is_file()]
    texts = [path for path in files if not _is_judgments(path)]
    return Found(
        tuple(path for path in outputs if _counts(path)),
        tuple(path for path in texts if role(path) == "reference"),
        tuple(path for path in texts if role(path) == "source"),
        _judgments(files),
    )


def _marked_up(files: list[Path]) -> Found:
    texts = [
        path
        for path in files
        if path.name.removesuffix(".gz").endswith((".sgm", ".sgml"))
        and output_name(path).language_pair
    ]
    return Found(
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


def _report_unknown(files: list[Path], found: Found, on_finding: OnFinding) -> None:
    known = {*found.outputs, *found.references, *found.sources, *found.judgments, *found.scores}
    for path in files:
        if path not in known:
            message = f"{path.name!r} is none of the files of this layout and is left out"
            on_finding(Finding("unknown-file", Severity.NOTE, message, place=str(path)))
