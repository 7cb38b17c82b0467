"""Comparisons of two outputs, which outputs are judged, and what the majority prefers.

A *contest* is two outputs of a segment that somebody compared; an *answer* is what one comparison
says of them: the first is better, they tie, the second is better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ensue.pairs import Finding, Severity
from ensue.statistics import numbered, summed_by
from ensue.translation.systems import (
    Assessment,
    HumanRanking,
    Indices,
    Numbers,
    OutputKey,
    Preferences,
    Segment,
    TranslationJudgments,
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


FIRST, TIE, SECOND = range(3)
"""The answers, which are the columns of all vote counts."""

CLOSE = 1e-9
"""Sums of fractions of a vote that differ by less are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """The answers of each judge in each contest."""

    first: Indices
    """For each contest, the place of an output in `Preferences.outputs`."""
    second: Indices
    """The other output's place, which is larger."""
    segment: Indices
    """For each contest, the number of its segment."""
    n_segments: int
    """Segments with a contest; they are numbered from 0."""
    contest: Indices
    """For each judge of a contest, the number of the contest."""
    counts: Numbers
    """For each judge of a contest, a row: how often each answer was given."""

    def by_contest(self, values: Numbers) -> Numbers:
        """Sum rows that belong to judges of a contest."""
        return summed_by(self.contest, values, len(self.first))

    def by_segment(self, values: Numbers) -> Numbers:
        """Sum rows that belong to contests."""
        return summed_by(self.segment, values, self.n_segments)

    def shares(self) -> Numbers:
        """Each judge's one vote, split evenly over the judge's answers in the contest."""
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True), dtype=np.float64)


def votes(preferences: Preferences) -> Votes:
    """Put comparisons together by the two outputs, and by judge.

    Whoever is not named is somebody else each time.
    """
    first = np.minimum(preferences.better, preferences.worse)
    second = np.maximum(preferences.better, preferences.worse)
    judge, n_judges = _told_apart(preferences)
    n_outputs = max(len(preferences.outputs), 1)
    codes, contest = np.unique(first * n_outputs + second, return_inverse=True)
    groups, group = np.unique(contest * n_judges + judge, return_inverse=True)
    answer = np.where(preferences.better == first, FIRST, SECOND)
    answer = np.where(preferences.is_tie, TIE, answer)
    cells = np.bincount(group * 3 + answer, minlength=len(groups) * 3)
    _, segment_of = numbered((key.language_pair, key.segment) for key in preferences.outputs)
    segments, segment = np.unique(segment_of[codes // n_outputs], return_inverse=True)
    return Votes(
        first=codes // n_outputs,
        second=codes % n_outputs,
        segment=segment.astype(np.int64),
        n_segments=len(segments),
        contest=groups // n_judges,
        counts=cells.reshape(-1, 3).astype(np.float64),
    )


def is_named(preferences: Preferences) -> NDArray[np.bool_]:
    """For each comparison, whether it is known who made it."""
    return np.array([name != "" for name in preferences.judges], dtype=bool)[preferences.judge]


def _told_apart(preferences: Preferences) -> tuple[Indices, int]:
    """The number of each comparison's judge, one of their own for the unnamed; how many there are."""
    n_named, n = len(preferences.judges), len(preferences)
    own = n_named + np.arange(n)
    return np.where(is_named(preferences), preferences.judge, own), n_named + max(n, 1)


def couples(counts: Numbers) -> Numbers:
    """For rows of answer counts: how many couples of answers agree, and how many there are."""
    total = counts.sum(axis=1)
    agreeing = (counts * (counts - 1) / 2).sum(axis=1)
    return np.stack([agreeing, total * (total - 1) / 2], axis=1)


class Voting(StrEnum):
    """What a vote is."""

    JUDGES = "judges"
    """Each judge has one vote in a contest, split evenly over that judge's answers: who says the
    same twice is still one judge, and who says both has half a vote for either. Whoever is not
    named is somebody else each time."""
    ANSWERS = "answers"
    """Each comparison is a vote."""


@dataclass(frozen=True, slots=True, eq=False)
class MajorityPreferences:
    """For every two outputs of a segment, which one the judges prefer, and by how much."""

    outputs: tuple[OutputKey, ...]
    """Those compared, each once."""
    winner: Indices
    """For each contest that is decided, the place in `outputs` of the one with more votes."""
    loser: Indices
    votes_for: Numbers
    """For the winner; halves and thirds where a judge gave several answers."""
    votes_against: Numbers
    tie_votes: Numbers
    """That neither is better."""
    n_drawn: int
    """Contests left out: as many votes for the one as for the other."""
    n_tied: int
    """Contests left out: nobody prefers either."""
    voting: Voting

    def __len__(self) -> int:
        return len(self.winner)

    @property
    def weight(self) -> Numbers:
        """Votes for the winner minus votes against: by how many judges the winner is ahead.

        With weights w for p = P(winner is better), the logistic loss −w·log p has the gradient of
        the full likelihood, votes_for·log p + votes_against·log(1 − p), at p = 1/2. A vote and its
        opposite cancel, and tie votes neither add nor take away.
        """
        return self.votes_for - self.votes_against


def majority(preferences: Preferences, voting: Voting = Voting.JUDGES) -> MajorityPreferences:
    """Decide every contest by majority.

    Args:
        preferences: Comparisons by individual judges; ties may be among them.
        voting: Whether a judge who compared two outputs again has one vote, or one each time.
    """
    cast = votes(preferences)
    table = cast.by_contest(cast.shares() if voting is Voting.JUDGES else cast.counts)
    lead = table[:, FIRST] - table[:, SECOND]
    decided = np.abs(lead) > CLOSE
    preferred = table[:, FIRST] + table[:, SECOND] > CLOSE
    ahead = lead[decided] > 0
    first, second, table = cast.first[decided], cast.second[decided], table[decided]
    return MajorityPreferences(
        outputs=preferences.outputs,
        winner=np.where(ahead, first, second),
        loser=np.where(ahead, second, first),
        votes_for=np.where(ahead, table[:, FIRST], table[:, SECOND]),
        votes_against=np.where(ahead, table[:, SECOND], table[:, FIRST]),
        tie_votes=table[:, TIE],
        n_drawn=int((preferred & ~decided).sum()),
        n_tied=int((~preferred).sum()),
        voting=voting,
    )
