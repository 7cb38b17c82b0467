"""Comparisons of two outputs from rankings and scores, and which outputs are judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ensue.pairs import Finding, Severity
from ensue.translation.segments import (
    Assessment,
    HumanRanking,
    OutputKey,
    Preferences,
    Segment,
    TranslationJudgments,
    numbered,
)

# From rankings and scores to comparisons of two outputs.

Comparison = tuple[OutputKey, OutputKey, float, str]
"""Two outputs, how much better the first is, and the judge."""

_EXAMPLES = 5


def preferences(judgments: TranslationJudgments, *, of_assessments: bool = False) -> Preferences:
    """Every two outputs that one person compared, in the order of the rankings.

    Ties are among them, marked; `decided()` leaves them out. A judge who ranked two outputs twice
    compared them twice.

    Args:
        judgments: What people said.
        of_assessments: Also compare, after the rankings, every two outputs of a segment that one
            judge scored for the same kind; of an output that the judge scored several times, the
            mean. Padó et al. (2009, section 3) train `pair` on scores and rankings.
    """
    found = list(_of_rankings(judgments.rankings))
    if of_assessments:
        found += _of_assessments(judgments.assessments)
    return _collected(found)


def _of_rankings(rankings: Iterable[HumanRanking]) -> Iterator[Comparison]:
    for ranking in rankings:
        ranked = list(zip(ranking.output_keys(), ranking.ranks.values(), strict=True))
        for (first, rank), (second, other) in combinations(ranked, 2):
            yield first, second, other - rank, ranking.judge


def _of_assessments(assessments: Iterable[Assessment]) -> Iterator[Comparison]:
    scored: dict[tuple[str, ...], dict[OutputKey, list[float]]] = {}
    for one in assessments:
        group = (one.language_pair, one.segment, one.judge, one.kind)
        scored.setdefault(group, {}).setdefault(one.key, []).append(one.score)
    for (_, _, judge, _), by_output in scored.items():
        means = {key: sum(scores) / len(scores) for key, scores in by_output.items()}
        for (first, score), (second, other) in combinations(means.items(), 2):
            yield first, second, score - other, judge


def _collected(found: Sequence[Comparison]) -> Preferences:
    outputs, place = numbered(key for comparison in found for key in comparison[:2])
    judges, judge = numbered(comparison[3] for comparison in found)
    margin = np.array([comparison[2] for comparison in found], dtype=np.float64)
    first, second = place.reshape(-1, 2).T
    return Preferences(
        outputs=outputs,
        better=np.where(margin < 0, second, first),
        worse=np.where(margin < 0, first, second),
        is_tie=margin == 0,
        judges=judges,
        judge=judge,
    )


@dataclass(frozen=True, slots=True)
class PreferenceContradiction:
    """One judge preferred either of two outputs, at different times."""

    language_pair: str
    segment: str
    judge: str
    systems: tuple[str, str]
    """Sorted."""
    places: tuple[str, ...]
    """Of the rankings that compare the two, in their order."""


@dataclass(frozen=True, slots=True)
class PreferenceContradictions:
    """How often judges who compared two outputs again said the opposite.

    Nothing is thrown away for it: both comparisons stay among the preferences, and cancel.
    """

    n_repeated: int
    """Comparisons of two outputs that one judge made more than once; each is counted once."""
    found: tuple[PreferenceContradiction, ...]
    """Those where either output was preferred; a tie beside a preference is none."""

    def findings(self) -> list[Finding]:
        """One for all, with a few examples; none where nobody contradicts themselves."""
        if not self.found:
            return []
        said = "are contradicted by" if len(self.found) > 1 else "is contradicted by"
        return [
            Finding(
                "contradicting-ranks",
                Severity.WARNING,
                f"{len(self.found)} of {self.n_repeated} repeated comparisons {said} "
                "the same judge; both votes are kept, and cancel",
                place=self.found[0].places[-1] or None,
                details={
                    "n_repeated": self.n_repeated,
                    "n_contradicted": len(self.found),
                    "examples": [_shown(one) for one in self.found[:_EXAMPLES]],
                },
            )
        ]


def contradictions(judgments: TranslationJudgments) -> PreferenceContradictions:
    """Find the judges who ranked the same two outputs both ways."""
    by_judge: dict[tuple[str, str, str], list[HumanRanking]] = defaultdict(list)
    for ranking in judgments.rankings:
        if not ranking.judge:
            continue  # who is not named may be somebody else each time
        by_judge[ranking.language_pair, ranking.segment, ranking.judge].append(ranking)
    n_repeated, found = 0, []
    for who, rankings in by_judge.items():
        if len(rankings) > 1:
            n_repeated_here, found_here = _contradicted(who, rankings)
            n_repeated += n_repeated_here
            found += found_here
    return PreferenceContradictions(n_repeated, tuple(found))


def _contradicted(
    who: tuple[str, str, str], rankings: Sequence[HumanRanking]
) -> tuple[int, list[PreferenceContradiction]]:
    """One judge's rankings of one segment: the repeated comparisons, and the contradictions."""
    answers: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for ranking in rankings:
        for first, second in combinations(sorted(ranking.ranks), 2):
            margin = ranking.ranks[second] - ranking.ranks[first]
            answers[first, second].append((margin, ranking.place))
    found = [
        PreferenceContradiction(*who, systems, tuple(place for _, place in said))
        for systems, said in answers.items()
        if min(margin for margin, _ in said) < 0 < max(margin for margin, _ in said)
    ]
    return sum(len(said) > 1 for said in answers.values()), found


def _shown(one: PreferenceContradiction) -> dict[str, str]:
    return {
        "language_pair": one.language_pair,
        "segment": one.segment,
        "judge": one.judge,
        "systems": " ".join(one.systems),
        "places": " ".join(one.places),
    }


# Which outputs people judged.


def judged_outputs(judgments: TranslationJudgments) -> set[OutputKey]:
    """All outputs that somebody ranked or scored."""
    ranked = {key for ranking in judgments.rankings for key in ranking.output_keys()}
    return ranked | {assessment.key for assessment in judgments.assessments}


def judged_segments(
    segments: Iterable[Segment], judgments: TranslationJudgments
) -> Iterator[Segment]:
    """The segments that somebody judged, each with its judged outputs only."""
    judged = judged_outputs(judgments)
    for segment in segments:
        outputs = {
            key.system: segment.outputs[key.system]
            for key in segment.output_keys()
            if key in judged
        }
        if outputs:
            yield replace(segment, outputs=outputs)
