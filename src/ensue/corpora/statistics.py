"""What a data set is made of: labels, tasks, lengths, overlap. One pass, in little memory."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from ensue.corpora.overlap import word_measures
from ensue.pairs import Label, Pair

_BATCH = 4096
_LABELS: tuple[Label | None, ...] = (*Label, None)


@dataclass(frozen=True, slots=True)
class Distribution:
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
    text_words: Distribution | None
    """Words in the texts; None without pairs."""
    hypothesis_words: Distribution | None
    overlap: Mapping[Label | None, Distribution]
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


def _distribution(counts: Counter[float]) -> Distribution | None:
    n = counts.total()
    if n == 0:
        return None
    ordered = sorted(counts.items())
    return Distribution(
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
