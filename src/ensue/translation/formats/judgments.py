"""Human judgments from files of any format, and their match with the outputs at hand.

A row is about one output (`segment`, `system`, and one or more of `score`, `adequacy` and
`fluency`), or in JSONL about several (`segment`, and `ranks`: system → rank). `language_pair` and
`judge` may be there. A `score` is a direct assessment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ensue.errors import DataError, UnknownNameError
from ensue.files import (
    OnFinding,
    Row,
    RowFormat,
    finite,
    ignore_finding,
    read_columns,
    read_rows,
    row_format,
    shown_name,
)
from ensue.translation.formats.names import FileName, canonical_pair, output_name
from ensue.translation.formats.text_files import LanguagePairData, SegmentFile
from ensue.translation.formats.wmt_judgments import (
    HEADER,
    NEEDED,
    FileJudgment,
    left_out,
    rank_of,
    ranks_of,
    read_campaign,
    read_pair_list,
    read_rankings,
    report_blank,
)
from ensue.translation.segments import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    TranslationJudgments,
)

# Judgments as rows of JSONL, CSV or TSV, and as one score a line.

KINDS = {
    "score": AssessmentKind.DIRECT,
    "adequacy": AssessmentKind.ADEQUACY,
    "fluency": AssessmentKind.FLUENCY,
}
"""Column → what it says."""

_ROW_HINT = "a row has segment, system, and score, adequacy or fluency; or segment and ranks"


def read_judged_rows(
    path: str | Path, format: RowFormat, *, encoding: str | None = None, on_finding: OnFinding
) -> Iterator[FileJudgment]:
    """Yield the judgments of a file of rows; a row without any is left out, and reported.

    Raises:
        DataError: a row is not as it has to be; the place is `file:line`.
    """
    n_blank = 0
    for row in read_rows(path, format, encoding):
        found = [FileJudgment(each) for each in _judgments(row, on_finding)]
        n_blank += not found
        yield from found
    report_blank(n_blank, shown_name(path), on_finding)


def _judgments(row: Row, on_finding: OnFinding) -> Iterator[HumanRanking | Assessment]:
    if "ranks" in row.values:
        ranking = _ranking(row, on_finding)
        if ranking.ranks:
            yield ranking
    elif any(column in row.values for column in KINDS):
        yield from assessments_of(
            row,
            row.text("language_pair"),
            row.needed("segment", _ROW_HINT),
            row.needed("system", _ROW_HINT),
        )
    else:
        raise DataError("this row holds no judgment", place=row.place, hint=_ROW_HINT)


def assessments_of(row: Row, pair: str, segment: str, system: str) -> Iterator[Assessment]:
    """The scores that people gave one output, by the columns of a row.

    Raises:
        DataError: one of them is no finite number.
    """
    for column, kind in KINDS.items():
        score = row.number(column)
        if score is not None:
            yield Assessment(pair, segment, system, row.text("judge"), kind, score, row.place)


def _ranking(row: Row, on_finding: OnFinding) -> HumanRanking:
    given = row.values["ranks"]
    if not isinstance(given, Mapping):
        raise DataError(f"'ranks' is no object: {given!r}", place=row.place, hint=_ROW_HINT)
    cells = Row(row.place, given)
    found = [(system, rank_of(cells.text(system), row.place)) for system in given]
    ranked = [(system, rank) for system, rank in found if rank is not None]
    return HumanRanking(
        row.text("language_pair"),
        row.needed("segment", _ROW_HINT),
        row.text("judge"),
        ranks_of(ranked, row.place, on_finding),
        row.place,
    )


def read_score_lines(file: SegmentFile) -> Iterator[tuple[str, float]]:
    """Each line's score with its place, as `DAseg.….human.…` has them.

    Raises:
        DataError: a line is no finite number.
    """
    for line, text in file.located_texts():
        place = f"{shown_name(file.path)}:{line}"
        yield place, finite(text.strip(), "score", place)


# Reading judgments, whatever the format of the file.

_FORMAT_HINT = (
    "judgments are CSV as WMT writes it, a .rank list of pairs, or JSONL, CSV or TSV of rows"
)


def read_judgments(
    path: str | Path,
    *,
    constituents: bool = False,
    encoding: str | None = None,
    on_finding: OnFinding | None = None,
) -> TranslationJudgments:
    """Read judgments without the texts that they are about.

    Systems and pairs are called as the file calls them. Where the file says which test set a
    segment belongs to, its name stands before the segment: `newstest2008:754`.

    Args:
        path: A file of judgments, packed with gzip or not.
        constituents: Give WMT07's and WMT08's rankings of phrases, instead of those of segments.
        encoding: Overrides what the file says of itself.
        on_finding: Is told what is left out.

    Raises:
        DataError: the file cannot be read as judgments; the place is `file:line`.
    """
    found = judged_of(
        path, constituents=constituents, encoding=encoding, on_finding=on_finding or ignore_finding
    )
    return gathered(
        replace(each.judgment, segment=f"{each.test_set}:{each.judgment.segment}")
        if each.test_set
        else each.judgment
        for each in found
    )


def gathered(judgments: Iterable[HumanRanking | Assessment]) -> TranslationJudgments:
    """Rankings and assessments, each in their order."""
    rankings: list[HumanRanking] = []
    assessments: list[Assessment] = []
    for judgment in judgments:
        if isinstance(judgment, HumanRanking):
            rankings.append(judgment)
        else:
            assessments.append(judgment)
    return TranslationJudgments(tuple(rankings), tuple(assessments))


def judged_of(
    path: str | Path,
    *,
    constituents: bool = False,
    encoding: str | None = None,
    on_finding: OnFinding,
) -> Iterator[FileJudgment]:
    """The judgments of a file, by its name and its first line.

    Raises:
        DataError: it is in no format of judgments, or broken.
    """
    if str(path).removesuffix(".gz").endswith(".rank"):
        return read_pair_list(path, encoding=encoding)
    format = row_format(path)
    if format is None:
        raise DataError(
            "cannot tell the format of these judgments", place=str(path), hint=_FORMAT_HINT
        )
    header = read_columns(path, format, encoding)
    if tuple(header[: len(HEADER)]) == HEADER:
        return read_campaign(
            path, constituents=constituents, encoding=encoding, on_finding=on_finding
        )
    if {column.lower() for column in header} >= NEEDED:
        return read_rankings(path, format, encoding=encoding, on_finding=on_finding)
    return read_judged_rows(path, format, encoding=encoding, on_finding=on_finding)


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
                f"there is no one system for {name.language_pair!r} that these scores could be of",
                place=file.path,
                hint="scores without names go with DAseg.SET.mt-system.PAIR",
            )
        scores = list(read_score_lines(file))
        if len(scores) != part.content.n_segments:
            raise DataError(
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
    raise DataError(f"{error.message} in {part.called}", place=place, hint=error.hint)


def _named_ranks(ranking: HumanRanking, part: LanguagePairData) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for called, rank in ranking.ranks.items():
        system = _system(called, part, ranking.place)
        if ranks.setdefault(system, rank) != rank:
            raise DataError(
                f"system {system!r} has the ranks {ranks[system]} and {rank} in one judgment",
                place=ranking.place,
                hint="it is there by two of its names",
            )
    return ranks
