"""Source terms in tasks: the pairs in question for each, their counts, and choosing by them.

A pair is in question for a term if the term's words stand in it as they are, in any case and with
word boundaries, on at least one side (Shima & Mitamura 2011, Table 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from ensue.errors import SettingError, UnknownNameError
from ensue.paraphrase.model import Indices
from ensue.paraphrase.recognition.scanning import Distinct, Found, scan
from ensue.paraphrase.recognition.tasks import GoldPairs, Task
from ensue.paraphrase.recognition.wording import Wording
from ensue.paraphrase.words import normalized

ALL = "all"
"""The choice of every term."""
_TOP = "top:"
_HINT = "all, top:10, or terms with commas between them"


class Side(StrEnum):
    """Where in a pair a term stands as it is."""

    TEXT = "text"
    HYPOTHESIS = "hypothesis"
    BOTH = "both"


SIDES = tuple(Side)
"""In the order of the numbers 1, 2 and 3 of `InQuestion.sides`, and of `TermCounts.sides`."""


@dataclass(frozen=True, eq=False)
class InQuestion:
    """The pairs in which each term stands: a row for each term and pair, term after term."""

    offsets: Indices
    """Where each term's rows begin, with the end of the last."""
    pairs: Indices
    sides: Indices
    """1 where the term stands in the text alone, 2 in the hypothesis alone, 3 in both."""

    @cached_property
    def terms(self) -> Indices:
        """For each row the number of its term."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @classmethod
    def of(cls, found: Found, n_terms: int, n_pairs: int) -> InQuestion:
        """From what stands in sentences, texts before hypotheses; terms are the first phrases."""
        is_term = found.phrases < n_terms
        term, sentence = found.phrases[is_term], found.sentences[is_term]
        width = max(n_pairs, 1)
        keys, row = np.unique(term * width + sentence % width, return_inverse=True)
        sides = np.bincount(row, 1 + sentence // width, minlength=len(keys)).astype(np.int64)
        offsets = np.searchsorted(keys, np.arange(n_terms + 1) * width)
        return cls(offsets, keys % width, sides)


@dataclass(frozen=True, slots=True, eq=False)
class TermCounts:
    """How many pairs of each task are in question for each term: the paper's Table 1, and more."""

    terms: tuple[str, ...]
    tasks: tuple[str, ...]
    positive: Indices
    """Terms × tasks: positive pairs, the figures of the paper's table."""
    negative: Indices
    """Terms × tasks."""
    sides: Indices
    """Terms × tasks × sides: positive pairs by where the term stands, in the order of `SIDES`."""


def term_counts(tasks: Sequence[Task], terms: Sequence[str]) -> TermCounts:
    """Count the pairs in question for each term in each task.

    Raises:
        SettingError: there is no task, or two have one name.
    """
    pairs = GoldPairs.of(tasks)
    wording = Wording.of(pairs.sentences(), terms)
    distinct = Distinct.of(wording.padded(1))
    found = scan(wording.padded(0), distinct.phrases)
    questions = InQuestion.of(found, len(distinct.phrases), len(pairs))
    return counts_of(questions, pairs, terms, distinct.numbers)


def counts_of(
    questions: InQuestion, pairs: GoldPairs, terms: Sequence[str], numbers: Indices
) -> TermCounts:
    """The counts of terms, given the number that each has among those in question."""
    n_terms = len(questions.offsets) - 1
    positive, negative = pairs.by_task(questions.terms, questions.pairs, n_terms)
    sides = []
    for i in range(len(SIDES)):
        there = questions.sides == i + 1
        sides.append(pairs.by_task(questions.terms[there], questions.pairs[there], n_terms)[0])
    return TermCounts(
        tuple(terms),
        tuple(task.name for task in pairs.tasks),
        positive[numbers],
        negative[numbers],
        np.stack(sides, axis=2)[numbers],
    )


def chosen_terms(spec: str, counts: TermCounts) -> tuple[str, ...]:
    """Choose terms by their counts or by name.

    Args:
        spec: `all`; `top:N`, the N terms with the most positive pairs, summed over the tasks, ties
            in the order of the alphabet, and never a term without any positive pair; or terms with
            commas between them, in any case.
        counts: Of the terms to choose from.

    Raises:
        SettingError: the choice makes no sense.
        UnknownNameError: it names a term that is not there.
    """
    if spec.strip().lower() == ALL:
        return counts.terms
    n = asked_number(spec)
    if n is not None:
        return _top(n, counts)
    known = {normalized(term): term for term in reversed(counts.terms)}
    named = [normalized(name) for name in spec.split(",") if name.strip()]
    if not named:
        raise SettingError(f"{spec!r} names no term", hint=_HINT)
    for name in named:
        if name not in known:
            raise UnknownNameError.of("term", name, known)
    return tuple(dict.fromkeys(known[name] for name in named))


def asked_number(spec: str) -> int | None:
    """How many terms `top:N` asks for; None where the choice is another.

    Raises:
        SettingError: N is no number from 1.
    """
    if not spec.strip().lower().startswith(_TOP):
        return None
    digits = spec.strip()[len(_TOP) :].strip()
    if not digits.isdecimal() or int(digits) < 1:
        raise SettingError(f"{spec!r} does not say how many terms", hint=_HINT)
    return int(digits)


def _top(n: int, counts: TermCounts) -> tuple[str, ...]:
    totals = dict(zip(counts.terms, counts.positive.sum(axis=1).tolist(), strict=True))
    ranked = sorted(totals, key=lambda term: (-totals[term], term))
    return tuple(term for term in ranked[:n] if totals[term] > 0)
