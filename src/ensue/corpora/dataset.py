"""A data set in memory, and what it is made of: labels, tasks, lengths, word overlap.

Overlap is what the recognizer `overlap` scores with, at its defaults.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ensue.files import OnFinding, shown_name
from ensue.pairs import Label, Pair, ReadKeywords, read_located_pairs, with_unique_ids
from ensue.surface import WORDS, tokenize, word_coverage

# A data set in memory, doubles and all, with the place of each pair.


@dataclass(frozen=True, slots=True)
class Dataset:
    """Pairs and where they stand. Ids need not be unique: finding that out is an audit's work."""

    name: str
    """As messages show it."""
    pairs: tuple[Pair, ...]
    lines: tuple[int, ...]

    def place(self, i: int) -> str:
        """Where the i-th pair stands: `file:line`."""
        return f"{self.name}:{self.lines[i]}"


def read_dataset(
    source: str | Path, *, on_finding: OnFinding | None = None, **reading: Unpack[ReadKeywords]
) -> Dataset:
    """Read all pairs of a file with their places; the arguments are those of `read_pairs`."""
    located = list(read_located_pairs(source, on_finding=on_finding, **reading))
    lines = tuple(line for line, _ in located)
    return Dataset(shown_name(source), tuple(pair for _, pair in located), lines)


def check_ids(dataset: Dataset) -> None:
    """Refuse a data set in which two pairs have one id.

    Raises:
        DataError: with both places.
    """
    located = zip(dataset.lines, dataset.pairs, strict=True)
    for _ in with_unique_ids(located, dataset.name):
        pass


# Words, and how many of a hypothesis' words its text has: plain measures, to look at data with.


@dataclass(frozen=True, slots=True, eq=False)
class WordMeasures:
    """What is counted of many pairs; one number for each."""

    text_words: NDArray[np.int64]
    hypothesis_words: NDArray[np.int64]
    overlap: NDArray[np.float64]
    """The share of the hypothesis' words that the text has; NaN where it has no words."""


def words(text: str) -> list[str]:
    """The words of a text, in lower case; punctuation is left out.

    >>> words("It's 3.5 °C.")
    ['it', 's', '3', '5', 'c']
    """
    return WORDS.split(text.lower())


def word_measures(pairs: Sequence[Pair]) -> WordMeasures:
    """Count the words of both sides, and how many of the hypothesis' words the text has."""
    texts, hypotheses = [pair.text for pair in pairs], [pair.hypothesis for pair in pairs]
    coverage = word_coverage(hypotheses, texts, WORDS)
    return WordMeasures(
        tokenize(texts, WORDS).lengths,
        coverage.total.astype(np.int64),
        np.where(coverage.total > 0, coverage.shares(), np.nan),
    )


# What a data set is made of: labels, tasks, lengths, overlap. One pass, in little memory.

_BATCH = 4096
_LABELS: tuple[Label | None, ...] = (*Label, None)


@dataclass(frozen=True, slots=True)
class DistributionSummary:
    """Where many numbers lie."""

    n: int
    mean: float
    least: float
    quarter: float
    median: float
    three_quarters: float
    most: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The make-up of a data set."""

    n_pairs: int
    labels: Mapping[Label | None, int]
    """Pairs by gold; None is "no gold"."""
    tasks: Mapping[str | None, Mapping[Label | None, int]]
    """Pairs by task and gold."""
    text_words: DistributionSummary | None
    """Words in the texts; None without pairs."""
    hypothesis_words: DistributionSummary | None
    overlap: Mapping[Label | None, DistributionSummary]
    """Share of hypothesis words that the text has, by gold; pairs without words are left out."""
    n_texts: int
    """Distinct texts."""
    n_hypotheses: int
    """Distinct hypotheses."""


def data_statistics(pairs: Iterable[Pair]) -> Statistics:
    """Count what there is in these pairs."""
    by_task: Counter[tuple[str | None, Label | None]] = Counter()
    text_words: Counter[float] = Counter()
    hypothesis_words: Counter[float] = Counter()
    overlap: dict[Label | None, Counter[float]] = {}
    texts: set[int] = set()
    hypotheses: set[int] = set()
    stream = iter(pairs)
    while batch := list(islice(stream, _BATCH)):
        by_task.update((pair.task, pair.gold) for pair in batch)
        texts.update(hash(pair.text) for pair in batch)
        hypotheses.update(hash(pair.hypothesis) for pair in batch)
        measures = word_measures(batch)
        text_words.update(measures.text_words.tolist())
        hypothesis_words.update(measures.hypothesis_words.tolist())
        for pair, share in zip(batch, measures.overlap.tolist(), strict=True):
            if not math.isnan(share):
                overlap.setdefault(pair.gold, Counter())[share] += 1
    tasks = _nested(by_task)
    return Statistics(
        n_pairs=by_task.total(),
        labels=_by_label(by_task),
        tasks=tasks,
        text_words=_distribution(text_words),
        hypothesis_words=_distribution(hypothesis_words),
        overlap={
            label: found
            for label in _LABELS
            if (found := _distribution(overlap.get(label, Counter()))) is not None
        },
        n_texts=len(texts),
        n_hypotheses=len(hypotheses),
    )


def _by_label(counts: Counter[tuple[str | None, Label | None]]) -> dict[Label | None, int]:
    sums = {label: sum(n for (_, gold), n in counts.items() if gold is label) for label in _LABELS}
    return {label: n for label, n in sums.items() if n}


def _nested(
    counts: Counter[tuple[str | None, Label | None]],
) -> dict[str | None, dict[Label | None, int]]:
    tasks: dict[str | None, dict[Label | None, int]] = {}
    for (task, label), n in sorted(counts.items(), key=lambda item: str(item[0])):
        tasks.setdefault(task, {})[label] = n
    return tasks


def _distribution(counts: Counter[float]) -> DistributionSummary | None:
    n = counts.total()
    if n == 0:
        return None
    ordered = sorted(counts.items())
    return DistributionSummary(
        n=n,
        mean=sum(number * times for number, times in ordered) / n,
        least=ordered[0][0],
        quarter=_quantile(ordered, n, 0.25),
        median=_quantile(ordered, n, 0.5),
        three_quarters=_quantile(ordered, n, 0.75),
        most=ordered[-1][0],
    )


def _quantile(ordered: list[tuple[float, int]], n: int, share: float) -> float:
    """Linear between neighbors, as numpy's default is."""
    position = share * (n - 1)
    below = int(position)
    low, high = _at(ordered, below), _at(ordered, min(below + 1, n - 1))
    return low + (high - low) * (position - below)


def _at(ordered: list[tuple[float, int]], position: int) -> float:
    for number, times in ordered:
        position -= times
        if position < 0:
            return number
    raise IndexError(position)
