"""Directories of translation data: what their files are called, and which belong together.

- WMT's outputs: `system-outputs/**`, a file a system, with `reference*` and judgments beside it.
- Direct assessment: `DAseg.<set>.{human,mt-system,reference,source}.<pair>`.
- METEOR's training data: `<pair>.<system>.sgm`, `<pair>.ref.sgm` and `<pair>.rank`.

| name | test set | pair | system |
| --- | --- | --- | --- |
| `newstest2012.cs-en.cu-bojar` | newstest2012 | cs-en | cu-bojar |
| `newstest2016.uedin.4362.cs-en` | newstest2016 | cs-en | uedin.4362 |
| `cs-en.cu-bojar.sgm` | | cs-en | cu-bojar |
| `DAseg.newstest2016.mt-system.cs-en` | newstest2016 | cs-en | mt-system |
| `mine.txt` | | | mine |

Only the ends `.gz`, `.txt`, `.sgm` and `.sgml` are no part of a name: a system's may hold dots.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ensue.errors import DataError
from ensue.files import Finding, OnFinding, Severity, row_format
from ensue.translation.formats.segment_files import (
    FileContent,
    LanguagePairData,
    SegmentCount,
    SegmentFile,
    segment_count,
    segment_file,
)

# Languages as judgments and file names write them, brought to one code each.

_CODES = {
    "ar": ("arabic", "ara"),
    "bg": ("bulgarian", "bul"),
    "cs": ("czech", "ces", "cze", "cz"),
    "da": ("danish", "dan"),
    "de": ("german", "deu", "ger"),
    "el": ("greek", "ell", "gre"),
    "en": ("english", "eng"),
    "es": ("spanish", "spa"),
    "et": ("estonian", "est"),
    "fi": ("finnish", "fin"),
    "fr": ("french", "fra", "fre"),
    "gu": ("gujarati", "guj"),
    "ha": ("hausa", "hau"),
    "he": ("hebrew", "heb"),
    "hi": ("hindi", "hin"),
    "hr": ("croatian", "hrv"),
    "ht": ("haitian creole", "haitian", "hat"),
    "hu": ("hungarian", "hun"),
    "is": ("icelandic", "isl", "ice"),
    "it": ("italian", "ita"),
    "iu": ("inuktitut", "iku"),
    "ja": ("japanese", "jpn"),
    "kk": ("kazakh", "kaz"),
    "km": ("khmer", "khm"),
    "ko": ("korean", "kor"),
    "lt": ("lithuanian", "lit"),
    "lv": ("latvian", "lav"),
    "nl": ("dutch", "nld", "dut"),
    "no": ("norwegian", "nor"),
    "pl": ("polish", "pol"),
    "ps": ("pashto", "pus"),
    "pt": ("portuguese", "por"),
    "ro": ("romanian", "ron", "rum"),
    "ru": ("russian", "rus"),
    "sk": ("slovak", "slk", "slo"),
    "sl": ("slovenian", "slovene", "slv"),
    "sv": ("swedish", "swe"),
    "ta": ("tamil", "tam"),
    "tr": ("turkish", "tur"),
    "uk": ("ukrainian", "ukr"),
    "vi": ("vietnamese", "vie"),
    "zh": ("chinese", "zho", "chi"),
    "xx": ("all", "several"),
}
"""ISO 639-1 code → English name and other codes; `xx` stands for several source languages."""

_NAMES = {name: code for code, names in _CODES.items() for name in (code, *names)}


def language_code(name: str) -> str | None:
    """The two letters of a language, by its English name or any ISO 639 code; None if unknown.

    >>> language_code("Czech"), language_code("ces"), language_code("cz"), language_code("Elvish")
    ('cs', 'cs', 'cs', None)
    """
    return _NAMES.get(name.strip().lower())


def is_pair(text: str) -> bool:
    """Whether a text is a language pair as file names write it, two letters and two letters.

    Longer codes are left out: `uk-dan` is how a system of Denmark is called.

    >>> is_pair("cs-en"), is_pair("uk-dan"), is_pair("de-xy")
    (True, False, False)
    """
    source, dash, target = text.partition("-")
    short = len(source) == len(target) == 2
    return bool(dash) and short and source in _NAMES and target in _NAMES


def canonical_pair(pair: str) -> str:
    """One way to write a language pair, for comparison; what is no pair stays as it is.

    >>> canonical_pair("cz-en"), canonical_pair("Czech-English"), canonical_pair("")
    ('cs-en', 'cs-en', '')
    """
    source, dash, target = pair.partition("-")
    codes = (language_code(source), language_code(target))
    return f"{codes[0]}-{codes[1]}" if dash and all(codes) else pair


# What the name of a file says: test set, language pair and system, as WMT names its files.

_ENDS = (".gz", ".txt", ".sgm", ".sgml")
_DIRECT = "DAseg"
_ROLES = {"ref": "reference", "reference": "reference", "src": "source", "source": "source"}
_JOINED_PAIR = re.compile(r"(?:^|[-.])([a-z]{2})([a-z]{2})-(?:ref|src)\b")
_NUMBERED = re.compile(r"(.+)\.\d+")


@dataclass(frozen=True, slots=True)
class FileName:
    """The parts of a file's name."""

    whole: str
    """Without the ends that only say how the file is written."""
    test_set: str = ""
    """Empty where the name has none, as `language_pair`."""
    language_pair: str = ""
    system: str = ""

    @property
    def aliases(self) -> tuple[str, ...]:
        """What judgments may call the system; the surest first."""
        numbered = _NUMBERED.fullmatch(self.system)
        short = (numbered[1],) if numbered else ()
        return (self.system, self.whole, *short)


def bare_name(path: str | Path) -> str:
    """The name of a file without its directory and without the ends that say how it is written.

    >>> bare_name("outputs/cs-en.online.B.sgm.gz")
    'cs-en.online.B'
    """
    name = Path(path).name
    while name.lower().endswith(_ENDS) and not name.startswith("."):
        name = name[: name.rindex(".")]
    return name or Path(path).name


def output_name(path: str | Path) -> FileName:
    """What the name of a system's file says.

    >>> output_name("newstest2016.uedin.4362.cs-en").system
    'uedin.4362'
    """
    whole = bare_name(path)
    parts = whole.split(".")
    where = next((i for i, part in enumerate(parts) if is_pair(part)), None)
    if where is None or len(parts) == 1:
        return FileName(whole, system=whole)
    before, after = parts[:where], parts[where + 1 :]
    if before[:1] == [_DIRECT]:
        before = before[1:]
    if not after:  # set.system.pair, or system.pair
        after, before = before[1:] or before, before[:1] if len(before) > 1 else []
    return FileName(whole, ".".join(before), parts[where], ".".join(after))


@dataclass(frozen=True, slots=True)
class ReferenceScope:
    """Which language pairs a reference or a source is for."""

    language_pair: str = ""
    """That pair only; empty where the name has none."""
    target: str = ""
    """Pairs into that language only; empty where the name has none."""

    def serves(self, pair: str) -> bool:
        """Whether it is for that pair; a pair that nobody knows is served by everything."""
        if not pair:
            return True
        if self.language_pair:
            return canonical_pair(self.language_pair) == canonical_pair(pair)
        target = language_code(pair.rpartition("-")[2])
        return not self.target or target is None or target == self.target


def reference_name(path: str | Path) -> ReferenceScope:
    """Which language pairs a reference is for, by its name.

    >>> reference_name("newstest2016-csen-ref.en.sgm")
    ReferenceScope(language_pair='cs-en', target='')
    >>> reference_name("reference.en")
    ReferenceScope(language_pair='', target='en')
    """
    name = bare_name(path)
    parts = name.split(".")
    pair = next((part for part in parts if is_pair(part)), "")
    joined = _JOINED_PAIR.search(name)
    if not pair and joined and is_pair(f"{joined[1]}-{joined[2]}"):
        pair = f"{joined[1]}-{joined[2]}"
    if pair:
        return ReferenceScope(pair)
    end = parts[-1] if len(parts) > 1 and len(parts[-1]) == 2 else ""
    return ReferenceScope(target=language_code(end) or "")


def role(path: str | Path) -> str | None:
    """Whether a name says `reference` or `source`; None where it says neither.

    >>> role("cs-en.ref.sgm"), role("newstest2016-src.cs"), role("cs-en.preference")
    ('reference', 'source', None)
    """
    words = re.split(r"[.\-_]", bare_name(path).lower())
    return next((_ROLES[word] for word in words if word in _ROLES), None)


def direct_role(path: str | Path) -> str | None:
    """What a file of WMT's segment-level direct assessment holds; None for other names.

    >>> direct_role("DAseg.newstest2016.human.cs-en")
    'human'
    """
    parts = bare_name(path).split(".")
    return parts[-2] if parts[0] == _DIRECT and len(parts) >= 4 else None


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
            "no-directory",
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
                "two-files-system",
                f"two files are of the system {name.system!r}: {first[name.system]!r} and {path!r}",
                hint="a file is called after its system, e.g. newstest2012.cs-en.SYSTEM",
            )
        first[name.system] = path


def _refuse_unserved(pair: str, references: Sequence[str | Path]) -> None:
    shown = ", ".join(repr(str(path)) for path in references) or "there is none"
    raise DataError(
        "no-reference-language-pair",
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
            "segments-here-in",
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
