"""From judgments as files have them to judgments of the outputs at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ensue.errors import DataError, UnknownNameError
from ensue.pairs.formats.model import OnFinding
from ensue.translation.model import Assessment, AssessmentKind, Ranking
from ensue.translation.reading.judgments.judged import Judged, left_out
from ensue.translation.reading.judgments.judged_rows import read_score_lines
from ensue.translation.reading.languages import canonical_pair
from ensue.translation.reading.lines import SegmentFile
from ensue.translation.reading.names import FileName, output_name
from ensue.translation.reading.parts import Part

Judgment = Ranking | Assessment


class Fitter:
    """Finds the outputs that judgments are about.

    A segment's id has its test set before it, as in `newstest2016:12`, where the whole set is made
    of several test sets, and only there.
    """

    def __init__(self, parts: Sequence[Part], on_finding: OnFinding) -> None:
        """Know all parts of a set."""
        self._on_finding = on_finding
        self._is_mixed = is_mixed(parts)

    def fitted(self, judged: Iterable[Judged], parts: Sequence[Part], name: str) -> list[Judgment]:
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
        chosen: dict[tuple[str, str], Part | None] = {}
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

    def scores(self, file: SegmentFile, parts: Sequence[Part]) -> Iterator[Assessment]:
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

    def _in_part(self, judgment: Judgment, part: Part) -> Judgment:
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
        self, missing: Mapping[str, int], name: str, parts: Sequence[Part], *, n_fitted: int
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


def _is_named(part: Part, name: FileName) -> bool:
    same_pair = canonical_pair(part.language_pair) == canonical_pair(name.language_pair)
    return same_pair and (not part.test_set or part.test_set == name.test_set)


def is_mixed(parts: Sequence[Part]) -> bool:
    """Whether parts are of several test sets, so that ids have to say of which."""
    return len({part.test_set for part in parts}) > 1


def segment_id(part: Part, segment: str, *, is_mixed: bool) -> str:
    """The id of a segment in the whole set."""
    return f"{part.test_set}:{segment}" if is_mixed and part.test_set else segment


def _part(
    pair: str, test_set: str, parts: Sequence[Part], judged: Mapping[str, set[str]], place: str
) -> Part | None:
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


def _system(name: str, part: Part, place: str) -> str:
    if name in part.systems:
        return name
    if name in part.aliases:
        return part.aliases[name]
    error = UnknownNameError.of("system", name, part.systems)
    raise DataError(f"{error.message} in {part.called}", place=place, hint=error.hint)


def _named_ranks(ranking: Ranking, part: Part) -> dict[str, int]:
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
