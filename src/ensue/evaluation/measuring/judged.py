"""Gold and a run side by side, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ensue.pairs import Pair, Status, View

if TYPE_CHECKING:
    from ensue.evaluation.measuring.summary import Summary

NO_TASK = "(no task)"
"""The name under which pairs without a task are counted."""

UNANSWERED = -1
"""The answer of a pair without one."""

MISSING = "missing"
"""The status of a pair that the run does not mention."""

STATUSES = (*(status.value for status in Status), MISSING)
"""What the codes in `Judged.status` stand for."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The pairs that have gold, and what one run says of each.

    Of data too large to be held there are rows that stand for many pairs each: `summary` says how
    many, and has what rows alone do not tell.
    """

    name: str
    """What the run is called."""
    view: View
    pairs: tuple[Pair, ...]
    """The pairs with gold; all the arrays follow their order. Empty beside a summary."""
    gold: NDArray[np.int8]
    """Index into `view.labels`; 0 is entailment."""
    answer: NDArray[np.int8]
    """Index into `view.labels`, or `UNANSWERED`."""
    confidence: NDArray[np.float64]
    """NaN where there is none."""
    score: NDArray[np.float64]
    """NaN where there is none."""
    status: NDArray[np.int8]
    """Index into `STATUSES`."""
    ranked: bool = False
    """Whether the scores, not the confidences, say how sure entailment is."""
    summary: Summary | None = None
    """Of pairs that are not held; then confidences and scores are NaN here."""

    @property
    def n_pairs(self) -> int:
        """Pairs with gold."""
        return int(self.counts.sum())

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many pairs each row stands for."""
        return np.ones(len(self.gold), np.int64) if self.summary is None else self.summary.counts

    def n(self, chosen: NDArray[np.bool_]) -> int:
        """How many pairs the chosen rows stand for."""
        return int(chosen.sum() if self.summary is None else self.summary.counts[chosen].sum())

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which pairs have an answer."""
        return np.not_equal(self.answer, UNANSWERED)

    @property
    def n_answered(self) -> int:
        """Pairs with an answer."""
        return self.n(self.answered)

    @property
    def right(self) -> NDArray[np.bool_]:
        """Which answers are right; a pair without an answer is not."""
        return np.equal(self.answer, self.gold)

    @property
    def is_yes(self) -> NDArray[np.bool_]:
        """Which pairs are entailments in the gold."""
        return np.equal(self.gold, 0)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Each pair's task."""
        return tuple(pair.task or NO_TASK for pair in self.pairs)

    def subset(self, chosen: NDArray[np.bool_]) -> Judged:
        """The same run on some of the pairs."""
        return Judged(
            name=self.name,
            view=self.view,
            pairs=tuple(pair for pair, keep in zip(self.pairs, chosen, strict=True) if keep),
            gold=self.gold[chosen],
            answer=self.answer[chosen],
            confidence=self.confidence[chosen],
            score=self.score[chosen],
            status=self.status[chosen],
            ranked=self.ranked,
        )


def by_task(judged: Judged) -> dict[str, Judged]:
    """The run on the pairs of each task, in alphabetical order of the tasks."""
    tasks = np.array(judged.tasks, dtype=object)
    return {task: judged.subset(tasks == task) for task in sorted(set(tasks))}


def confidence_gap(judged: Judged) -> str | None:
    """Why the answers cannot be ranked by confidence, or None where they can."""
    return _gap(judged, judged.confidence, "confidence")


def score_gap(judged: Judged) -> str | None:
    """Why the answers cannot be ranked by score, or None where they can."""
    return _gap(judged, judged.score, "score")


def entailment_gap(judged: Judged) -> str | None:
    """Why `entailment_key` does not rank the answers, or None where it does."""
    return score_gap(judged) if judged.ranked else confidence_gap(judged)


def entailment_key(judged: Judged) -> NDArray[np.float64]:
    """How sure the run is that entailment holds.

    Of a ranked run the score; otherwise the confidence of a yes, and minus the confidence of any
    other answer. NaN where there is no answer.
    """
    if judged.ranked:
        return np.where(judged.answered, judged.score, np.nan)
    signed = np.where(judged.answer == 0, judged.confidence, -judged.confidence)
    return np.where(judged.answered, signed, np.nan)


def _gap(judged: Judged, numbers: NDArray[np.float64], what: str) -> str | None:
    n = judged.n_answered
    if n == 0:
        return "no pair is answered"
    if judged.summary is None:
        without = int(np.isnan(numbers[judged.answered]).sum())
    else:
        without = judged.summary.n_without[what]
    if without == 0:
        return None
    if without == n:
        return f"the run has no {what}s"
    return f"{without} of {n} answers have no {what}"
