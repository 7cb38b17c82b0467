"""Translation sets: texts and judgments from wherever they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ensue.errors import DataError, SettingError
from ensue.files import STANDARD, RowFormat, open_input, row_format
from ensue.pairs.formats import OnFinding, ignore_finding
from ensue.translation.formats.directories import file_parts, find_files
from ensue.translation.formats.judgments import (
    Judgment,
    JudgmentMatcher,
    gathered,
    is_mixed,
    judged_of,
    segment_id,
)
from ensue.translation.formats.names import bare_name, direct_role
from ensue.translation.formats.segment_rows import table_parts
from ensue.translation.formats.text_files import LanguagePairData, segment_file
from ensue.translation.formats.wmt_judgments import FileJudgment
from ensue.translation.segments import Segment, TranslationJudgments


@dataclass(frozen=True, slots=True)
class TranslationSet:
    """Outputs with their references, and what people said of them.

    Where it is made of several test sets, a segment's id has the name of its own before it, as in
    `newstest2016:12`: language pairs and line numbers recur.
    """

    name: str
    parts: tuple[LanguagePairData, ...]
    judgments: TranslationJudgments

    @property
    def language_pairs(self) -> tuple[str, ...]:
        """In the order of the parts."""
        return tuple(dict.fromkeys(part.language_pair for part in self.parts))

    @property
    def systems(self) -> dict[str, tuple[str, ...]]:
        """By language pair."""
        found: dict[str, dict[str, None]] = {}
        for part in self.parts:
            found.setdefault(part.language_pair, {}).update(dict.fromkeys(part.systems))
        return {pair: tuple(systems) for pair, systems in found.items()}

    @property
    def n_segments(self) -> int:
        """Over all parts: a segment counts once for each language pair."""
        return sum(part.content.n_segments for part in self.parts)

    @property
    def n_outputs(self) -> int:
        """Over all parts, as if every system had one for each segment."""
        return sum(part.content.n_segments * len(part.systems) for part in self.parts)

    def segments(self) -> Iterator[Segment]:
        """All segments, part by part; plain files are read in lockstep, anew with each call.

        Raises:
            DataError: a file has changed since the set was opened.
        """
        mixed = is_mixed(self.parts)
        for part in self.parts:
            for segment in part.content.segments():
                id_ = segment_id(part, segment.id, is_mixed=mixed)
                yield segment if id_ == segment.id else replace(segment, id=id_)

    def references(self) -> Iterator[tuple[str, ...]]:
        """The references alone; those that several language pairs share come once."""
        seen = set()
        for part in self.parts:
            if part.content.references_from not in seen:
                seen.add(part.content.references_from)
                yield from part.content.references()


@dataclass(frozen=True, slots=True)
class _Opened:
    """A source, with the judgments that came with it."""

    parts: Sequence[LanguagePairData]
    judged: Mapping[str, Sequence[FileJudgment]]
    """By file."""
    scores: Sequence[Path] = ()


def open_set(
    sources: Sequence[str],
    *,
    references: Sequence[str] = (),
    judgments: Sequence[str] = (),
    source: str | None = None,
    language_pair: str | None = None,
    encoding: str | None = None,
    on_finding: OnFinding | None = None,
) -> TranslationSet:
    """Open translation data, and read the judgments.

    Args:
        sources: Directories (`layouts`); files of rows (`tables`); or, with references, files of
            plain text or SGML, one for each system, with a segment a line.
        references: Files of references for plain files.
        judgments: Files of judgments, beside those that directories and rows hold.
        source: The file of what was translated, for plain files.
        language_pair: Of files and rows that do not say.
        encoding: Of all files; where it is None each says it by a mark, or is UTF-8.
        on_finding: Is told of what is left out; without it that goes unheard.

    Raises:
        DataError: a file cannot be read, or files do not go together; the place is `file:line`.
        SettingError: the arguments do not go together.
    """
    report = on_finding or ignore_finding
    pair = language_pair or ""
    opened = [_directory(each, pair, encoding, report) for each in sources if Path(each).is_dir()]
    files = [each for each in sources if not Path(each).is_dir()]
    if references or source:
        opened.append(_plain(files, references, source, pair, encoding, report))
    else:
        opened += [_table(each, pair, encoding, report) for each in files]
    parts = tuple(part for each in opened for part in each.parts)
    _check_parts(parts)
    found = _judgments(opened, parts, judgments, encoding, report)
    return TranslationSet(_name(sources, parts), parts, gathered(found))


def _directory(
    directory: str, language_pair: str, encoding: str | None, on_finding: OnFinding
) -> _Opened:
    found = find_files(directory, on_finding)
    parts = file_parts(
        found.outputs,
        found.references,
        found.sources,
        test_set=Path(directory).resolve().name,
        language_pair=language_pair,
        encoding=encoding,
        on_finding=on_finding,
    )
    judged = {
        str(path): list(judged_of(path, encoding=encoding, on_finding=on_finding))
        for path in found.judgments
    }
    return _Opened(parts, judged, found.scores)


def _plain(
    files: Sequence[str],
    references: Sequence[str],
    source: str | None,
    language_pair: str,
    encoding: str | None,
    on_finding: OnFinding,
) -> _Opened:
    if not files:
        raise SettingError(
            "references and sources go with plain files of outputs, and there are none",
            hint="name a file for each system, or leave them out for a directory",
        )
    parts = file_parts(
        files,
        references,
        [source] if source else [],
        language_pair=language_pair,
        encoding=encoding,
        on_finding=on_finding,
    )
    return _Opened(parts, {})


def _table(path: str, language_pair: str, encoding: str | None, on_finding: OnFinding) -> _Opened:
    format = RowFormat.JSONL if path == STANDARD else row_format(path)
    if format is None:
        with open_input(path):  # which says so where there is no such file
            raise DataError(
                f"plain text needs a reference: {path!r}",
                hint="name it with --reference, or give JSONL, CSV or TSV of segments, or a"
                " directory",
            )
    parts, judged = table_parts(
        path, format, language_pair=language_pair, encoding=encoding, on_finding=on_finding
    )
    return _Opened(parts, {path: judged} if judged else {})


def _check_parts(parts: Sequence[LanguagePairData]) -> None:
    if not parts:
        raise SettingError("there is nothing to open", hint="name directories or files")
    first: set[tuple[str, str]] = set()
    for part in parts:
        if (part.test_set, part.language_pair) in first:
            raise DataError(
                f"two sources have outputs of {part.called}",
                hint="put the outputs of a language pair of a test set into one source",
            )
        first.add((part.test_set, part.language_pair))


def _judgments(
    opened: Sequence[_Opened],
    parts: Sequence[LanguagePairData],
    paths: Sequence[str],
    encoding: str | None,
    on_finding: OnFinding,
) -> Iterator[Judgment]:
    """Those of each source are about its own parts, those that are named about any."""
    _check_once([*(name for each in opened for name in each.judged), *paths])
    fitter = JudgmentMatcher(parts, on_finding)
    for each in opened:
        for name, judged in each.judged.items():
            yield from fitter.fitted(judged, each.parts, name)
        for path in each.scores:
            yield from fitter.scores(segment_file(path, encoding), each.parts)
    for named in paths:
        if direct_role(named) == "human":
            yield from fitter.scores(segment_file(named, encoding), parts)
        else:
            judged = list(judged_of(named, encoding=encoding, on_finding=on_finding))
            yield from fitter.fitted(judged, parts, named)


def _check_once(paths: Sequence[str]) -> None:
    """See that no file of judgments would count twice."""
    seen: set[Path] = set()
    for path in map(Path, paths):
        if path.resolve() in seen:
            raise DataError(
                "these judgments are named twice, and would count twice",
                place=str(path),
                hint="a directory brings its own: leave --judgments out for them",
            )
        seen.add(path.resolve())


def _name(sources: Sequence[str], parts: Sequence[LanguagePairData]) -> str:
    """After the test sets where all say one, else after the sources."""
    test_sets = list(dict.fromkeys(part.test_set for part in parts))
    return "+".join(test_sets) if all(test_sets) else bare_name(sources[0])
