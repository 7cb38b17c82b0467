"""Votes of judges for one of two outputs, and the preferences of the majority.

A *contest* is two outputs of a segment that somebody compared; an *answer* is what one comparison
says of them: the first is better, they tie, the second is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.statistics import summed_by
from ensue.translation.segments import Indices, Numbers, OutputKey, Preferences, numbered

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
