"""Why a list recognizes a pair, for a person to read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ensue.pairs import Label
from ensue.paraphrase.model import Indices
from ensue.paraphrase.recognition.searching import Search
from ensue.paraphrase.recognition.terms import SIDES, Side


class Means(StrEnum):
    """By what a pair is recognized: the first of these that does it."""

    UNIGRAMS = "unigrams"
    PATTERNS = "patterns"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """A pair in question, and what recognizes it."""

    pair_id: str
    gold: Label
    side: Side
    """Where the term stands as it is."""
    by: Means
    paraphrases: tuple[str, ...]
    """All of the list that stand opposite the term, as the list has them, in its order; also where
    unigrams come first."""


def explanations(search: Search, number: int, task: int) -> tuple[PairExplanation, ...]:
    """Explain the pairs of one task that are in question for one list, in the task's order."""
    term = int(search.terms[number])
    start, end = search.questions.offsets[term : term + 2].tolist()
    rows = np.arange(start, end)
    rows = rows[search.pairs.task_of[search.questions.pairs[rows]] == task]
    return tuple(_explanation(search, number, row) for row in rows.tolist())


def _explanation(search: Search, number: int, row: int) -> PairExplanation:
    pair = search.pairs.pairs[int(search.questions.pairs[row])]
    if pair.gold is None:  # a task has none such
        raise ValueError(f"pair {pair.id!r} has no gold")
    patterns = _opposite(search, number, row)
    by = Means.PATTERNS if patterns.size else Means.NOTHING
    return PairExplanation(
        pair_id=pair.id,
        gold=pair.gold,
        side=SIDES[int(search.questions.sides[row]) - 1],
        by=Means.UNIGRAMS if search.by_unigrams[row] else by,
        paraphrases=tuple(search.lists.paraphrases[i] for i in patterns.tolist()),
    )


def _opposite(search: Search, number: int, row: int) -> Indices:
    """The list's patterns whose paraphrase stands on a side opposite to the term."""
    start, end = search.lists.offsets[number : number + 2].tolist()
    patterns = np.arange(start, end)
    side, pair = int(search.questions.sides[row]), int(search.questions.pairs[row])
    held = np.zeros(len(patterns), np.bool_)
    for bit, sentence in ((1, pair + len(search.pairs)), (2, pair)):
        if side & bit:
            held |= search.found.holds(np.full(len(patterns), sentence), search.phrases[patterns])
    return patterns[held]
