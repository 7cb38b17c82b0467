"""Translation sets: texts and judgments from wherever they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.files import (
    STANDARD,
    OnFinding,
    RowFormat,
    file_identity,
    ignore_finding,
    is_directory,
    open_input,
    row_format,
)
from ensue.pairs import dataset_name
from ensue.translation.formats.directories import (
    FileName,
    bare_name,
    canonical_pair,
    direct_role,
    file_parts,
    find_files,
    output_name,
)
from ensue.translation.formats.judgments import (
    FileJudgment,
    gathered,
    judged_of,
    left_out,
    read_score_lines,
)
from ensue.translation.formats.segment_files import (
    LanguagePairData,
    SegmentFile,
    segment_file,
    table_parts,
)
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    Segment,
    TranslationJudgments,
)


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
        sources: Directories (see `directories`); files of rows (see `segment_files`); or, with references, files of
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
    opened = [_directory(each, pair, encoding, report) for each in sources if is_directory(each)]
    files = [each for each in sources if not is_directory(each)]
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
            "references-sources-go-plain",
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
                "plain-text-needs-reference",
                f"plain text needs a reference: {path!r}",
                hint="name it with --reference, or give segments as JSONL, CSV, TSV or"
                " Parquet, or a directory",
            )
    parts, judged = table_parts(
        path, format, language_pair=language_pair, encoding=encoding, on_finding=on_finding
    )
    found = [FileJudgment(each, dataset_name(path)) for each in judged]
    return _Opened(parts, {path: found} if found else {})


def _check_parts(parts: Sequence[LanguagePairData]) -> None:
    if not parts:
        raise SettingError(
            "nothing-open", "there is nothing to open", hint="name directories or files"
        )
    first: set[tuple[str, str]] = set()
    for part in parts:
        if (part.test_set, part.language_pair) in first:
            raise DataError(
                "two-sources-outputs",
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
    seen = set()
    for path in paths:
        identity = file_identity(path)
        if identity in seen:
            raise DataError(
                "judgments-named-twice-count",
                "these judgments are named twice, and would count twice",
                place=path,
                hint="a directory brings its own: leave --judgments out for them",
            )
        seen.add(identity)


def _name(sources: Sequence[str], parts: Sequence[LanguagePairData]) -> str:
    """After the test sets where all say one, else after the sources."""
    test_sets = list(dict.fromkeys(part.test_set for part in parts))
    return "+".join(test_sets) if all(test_sets) else bare_name(sources[0])


# From judgments as files have them to judgments of the outputs at hand.

Judgment = HumanRanking | Assessment


class JudgmentMatcher:
    """Finds the outputs that judgments are about.

    A segment's id has its test set before it, as in `newstest2016:12`, where the whole set is made
    of several test sets, and only there.
    """

    def __init__(self, parts: Sequence[LanguagePairData], on_finding: OnFinding) -> None:
        """Know all parts of a set."""
        self._on_finding = on_finding
        self._is_mixed = is_mixed(parts)

    def fitted(
        self, judged: Iterable[FileJudgment], parts: Sequence[LanguagePairData], name: str
    ) -> list[Judgment]:
        """The judgments of a file that are about some of these parts; the others are counted.

        Raises:
            DataError: none is, or one names a system or a segment that is not there.
        """
        all_judged = list(judged)
        test_sets: dict[str, set[str]] = {}
        for each in all_judged:
            pair = canonical_pair(each.judgment.language_pair)
            test_sets.setdefault(pair, set()).add(each.test_set)
        missing: Counter[str] = Counter()
        fitted: list[Judgment] = []
        chosen: dict[tuple[str, str], LanguagePairData | None] = {}
        for each in all_judged:
            key = (canonical_pair(each.judgment.language_pair), each.test_set)
            if key not in chosen:
                chosen[key] = _part(*key, parts, test_sets, each.judgment.place)
            part = chosen[key]
            if part is None:
                missing[" ".join(filter(None, (each.test_set, key[0])))] += 1
            else:
                fitted.append(self._in_part(each.judgment, part))
        self._report_missing(missing, name, parts, n_fitted=len(fitted))
        return fitted

    def scores(self, file: SegmentFile, parts: Sequence[LanguagePairData]) -> Iterator[Assessment]:
        """Direct assessments, one a line, of a part that has one system.

        Raises:
            DataError: no part fits the name of the file, or the numbers of lines differ.
        """
        name = output_name(file.path)
        part = next((each for each in parts if _is_named(each, name)), None)
        if part is None or len(part.systems) != 1:
            raise DataError(
                "no-system-scores",
                f"there is no one system for {name.language_pair!r} that these scores could be of",
                place=file.path,
                hint="scores without names go with DAseg.SET.mt-system.PAIR",
            )
        scores = list(read_score_lines(file))
        if len(scores) != part.content.n_segments:
            raise DataError(
                "scores-segments",
                f"{len(scores)} scores here, {part.content.n_segments} segments in {part.called}",
                place=file.path,
                hint="line n is the score of segment n",
            )
        for number, (place, score) in enumerate(scores, 1):
            yield Assessment(
                part.language_pair,
                segment_id(part, str(number), is_mixed=self._is_mixed),
                part.systems[0],
                "",
                AssessmentKind.DIRECT,
                score,
                place,
            )

    def _in_part(self, judgment: Judgment, part: LanguagePairData) -> Judgment:
        if not part.content.has(judgment.segment):
            raise DataError(
                "no-segment",
                f"there is no segment {judgment.segment!r} in {part.called}",
                place=judgment.place,
                hint=f"it has {part.content.n_segments} segments",
            )
        segment = segment_id(part, judgment.segment, is_mixed=self._is_mixed)
        if isinstance(judgment, Assessment):
            system = _system(judgment.system, part, judgment.place)
            return replace(
                judgment, language_pair=part.language_pair, segment=segment, system=system
            )
        return replace(
            judgment,
            language_pair=part.language_pair,
            segment=segment,
            ranks=_named_ranks(judgment, part),
        )

    def _report_missing(
        self,
        missing: Mapping[str, int],
        name: str,
        parts: Sequence[LanguagePairData],
        *,
        n_fitted: int,
    ) -> None:
        if not n_fitted:
            at_hand = ", ".join(part.called for part in parts)
            raise DataError(
                "no-overlap-between-judgments-outputs-judged",
                f"no overlap between judgments and outputs: judged are "
                f"{', '.join(missing) or 'none'}; outputs are of {at_hand}",
                place=name,
                hint="name the outputs of a language pair that is judged",
            )
        for pair, n_judgments in missing.items():
            message = f"{n_judgments} judgments of {pair} are left out: no outputs of it at hand"
            self._on_finding(left_out("pair-not-at-hand", message, name, n_judgments))


def _is_named(part: LanguagePairData, name: FileName) -> bool:
    same_pair = canonical_pair(part.language_pair) == canonical_pair(name.language_pair)
    return same_pair and (not part.test_set or part.test_set == name.test_set)


def is_mixed(parts: Sequence[LanguagePairData]) -> bool:
    """Whether parts are of several test sets, so that ids have to say of which."""
    return len({part.test_set for part in parts}) > 1


def segment_id(part: LanguagePairData, segment: str, *, is_mixed: bool) -> str:
    """The id of a segment in the whole set."""
    return f"{part.test_set}:{segment}" if is_mixed and part.test_set else segment


def _part(
    pair: str,
    test_set: str,
    parts: Sequence[LanguagePairData],
    judged: Mapping[str, set[str]],
    place: str,
) -> LanguagePairData | None:
    """The part that judgments of a pair and test set are about; None where there is none.

    Args:
        pair: As the file has it, in its canonical form.
        test_set: As the file has it; empty where it does not say.
        parts: Those at hand.
        judged: Pair → its test sets, for all that the file judges.
        place: Of the judgment.
    """
    fitting = [each for each in parts if canonical_pair(each.language_pair) == pair]
    if not fitting and len(judged) == 1:  # whichever side does not name its pair has only one
        fitting = [each for each in parts if not pair or not each.language_pair]
    if test_set in {each.test_set for each in fitting}:
        fitting = [each for each in fitting if each.test_set == test_set]
    elif test_set and len(judged[pair]) > 1 and fitting:
        if judged[pair] & {each.test_set for each in fitting}:
            return None  # others of this pair are of the test set at hand, and these are not
        _refuse_unclear(pair, judged[pair], place)
    if len(fitting) > 1:
        _refuse_unclear(pair, {each.test_set for each in fitting}, place)
    return fitting[0] if fitting else None


def _refuse_unclear(pair: str, test_sets: set[str], place: str) -> None:
    raise DataError(
        "these-judgments-may-be",
        f"these judgments of {pair!r} may be of any of {', '.join(sorted(test_sets))}",
        place=place,
        hint="name the outputs as WMT does, e.g. newstest2008.fr-en.SYSTEM",
    )


def _system(name: str, part: LanguagePairData, place: str) -> str:
    if name in part.systems:
        return name
    if name in part.aliases:
        return part.aliases[name]
    error = UnknownNameError.of("system", name, part.systems)
    raise DataError(
        "bad-file-part", f"{error.message} in {part.called}", place=place, hint=error.hint
    )


def _named_ranks(ranking: HumanRanking, part: LanguagePairData) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for called, rank in ranking.ranks.items():
        system = _system(called, part, ranking.place)
        if ranks.setdefault(system, rank) != rank:
            raise DataError(
                "system-ranks-judgment",
                f"system {system!r} has the ranks {ranks[system]} and {rank} in one judgment",
                place=ranking.place,
                hint="it is there by two of its names",
            )
    return ranks
