"""Patterns that occur more than once, and judges who say two things of one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ensue.paraphrase.model import NO, YES, Indices, Labels, RankedLists, Strictness


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One judge says yes here and no there, of the same term and paraphrase."""

    judge: str
    strictness: Strictness
    yes: int
    """The first pattern with a yes."""
    no: int
    """The first with a no."""


def pattern_numbers(lists: RankedLists) -> Indices:
    """For each pattern a number that all with the same term and paraphrase share.

    They are the same where they are equal as `normalized`, in whichever list.
    """
    # not above: it brings the compiler with it, which reading a file without labels does not need
    from ensue.paraphrase.words import normalized

    numbers: dict[tuple[str, str], int] = {}
    terms = [normalized(key.term) for key in lists.keys]
    found = (
        numbers.setdefault((terms[k], normalized(paraphrase)), len(numbers))
        for k, paraphrase in zip(lists.list_of.tolist(), lists.paraphrases, strict=True)
    )
    return np.fromiter(found, np.int64, lists.n_patterns)


def contradictions(lists: RankedLists) -> list[Contradiction]:
    """Where judges disagree with themselves, in the order of judges within a strictness."""
    if lists.judgments is None:
        return []
    numbers = pattern_numbers(lists)
    if numbers.size == 0 or int(numbers.max()) + 1 == numbers.size:
        return []  # nothing is repeated
    return [
        Contradiction(judge, strictness, yes, no)
        for strictness, labels in lists.judgments.labels.items()
        for j, judge in enumerate(lists.judgments.judges)
        for yes, no in _both(numbers, labels[:, j])
    ]


def _both(numbers: Indices, labels: Labels) -> list[tuple[int, int]]:
    """For each pattern number with a yes and a no, the first of either."""
    first = [_first(numbers, labels == label) for label in (YES, NO)]
    both = np.flatnonzero((first[0] >= 0) & (first[1] >= 0))
    return list(zip(first[0][both].tolist(), first[1][both].tolist(), strict=True))


def _first(numbers: Indices, which: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Indices:
    """For each pattern number the first pattern of those chosen; -1 where there is none."""
    found = np.full(int(numbers.max()) + 1, -1, np.int64)
    chosen = np.flatnonzero(which)[::-1]  # backward, so that the first is written last
    found[numbers[chosen]] = chosen
    return found
