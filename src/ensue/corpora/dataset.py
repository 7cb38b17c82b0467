"""A data set in memory, what it is made of, and how it is cut into parts that are alike.

Overlap is what the recognizer `overlap` scores with, at its defaults.

Which pair goes where depends on the seed, the pairs' ids and how many pairs there are of each
label and task, and not on their order in the file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
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


Size = int | float | None
"""A count, a share of all pairs (a float in [0, 1]), or None for the rest."""
Stratum = tuple[str, str]

_MANY_CELLS = 2000
"""Above it the tasks' sums are left as they come: the program would take too long."""
_TINY = 1e-9


def split_pairs(pairs: Sequence[Pair], sizes: Sequence[Size], *, seed: int = 0) -> list[list[Pair]]:
    """Cut pairs into disjoint parts of these sizes; each keeps the order of the file.

    Each part's number of pairs of each label, and of each label within each task, is its fair
    share rounded up or down; its number of pairs of each task is as near to that as can be.

    Raises:
        SettingError: the sizes make no sense, or ask for more pairs than there are.
    """
    counts = part_counts(len(pairs), sizes)
    strata = _strata(pairs, seed)
    quotas = _allocate(strata, [*counts, len(pairs) - sum(counts)])
    part_of: dict[int, int] = {}
    for members, row in zip(strata.values(), quotas, strict=True):
        part_of.update(zip(members, np.repeat(np.arange(len(row)), row).tolist(), strict=True))
    parts: list[list[Pair]] = [[] for _ in counts]
    for i, pair in enumerate(pairs):
        if part_of[i] < len(parts):
            parts[part_of[i]].append(pair)
    return parts


def balance_pairs(pairs: Sequence[Pair], *, seed: int = 0) -> list[Pair]:
    """As many pairs of each label within each task, drawn by lot, in the order of the file.

    A label that a task lacks leaves nothing of the task; pairs without gold are left out. So the
    challenge had as many true as false pairs (Dagan, Glickman & Magnini 2005, section 2.1).
    """
    judged = [pair for pair in pairs if pair.gold is not None]
    strata = _strata(judged, seed)
    labels, tasks = ({key[i] for key in strata} for i in (0, 1))
    kept: set[int] = set()
    for task in tasks:
        groups = [strata.get((label, task), []) for label in labels]
        n = min(len(group) for group in groups)
        kept.update(i for group in groups for i in group[:n])
    return [pair for i, pair in enumerate(judged) if i in kept]


def part_counts(n_pairs: int, sizes: Sequence[Size]) -> list[int]:
    """How many pairs each part gets; shares that make up the whole are rounded to make it up.

    >>> part_counts(567, [0.5, 0.25, 0.25])
    [283, 142, 142]
    >>> part_counts(100, [20, 0.3, None])
    [20, 30, 50]
    """
    _check(n_pairs, sizes)
    counts = [_count(n_pairs, size) for size in sizes]
    spare = n_pairs - sum(counts)
    if None in sizes:
        counts[sizes.index(None)] = spare
    else:
        shared = [i for i, size in enumerate(sizes) if isinstance(size, float)]
        wanted = round(sum(n_pairs * _share(sizes[i]) for i in shared)) - sum(
            counts[i] for i in shared
        )
        left = sorted(shared, key=lambda i: counts[i] - n_pairs * _share(sizes[i]))
        for i in left[: min(wanted, spare)]:
            counts[i] += 1
    return counts


def _share(size: Size) -> float:
    return size if isinstance(size, float) else 0.0


def _count(n_pairs: int, size: Size) -> int:
    # a share that is a whole number of pairs but for the last binary digit is that number
    return int(n_pairs * size + _TINY) if isinstance(size, float) else size or 0


def _check(n_pairs: int, sizes: Sequence[Size]) -> None:
    for size in sizes:
        if size is not None and (size < 0 or (isinstance(size, float) and not size <= 1)):
            raise SettingError(
                "no-size",
                f"{size!r} is no size",
                hint="a count such as 200, or a share such as 0.3",
            )
    if list(sizes).count(None) > 1:
        raise SettingError("only-part-rest", "only one part can be the rest")
    asked = sum(_count(n_pairs, size) for size in sizes)
    shares = sum(_share(size) for size in sizes)
    if asked > n_pairs or shares > 1 + _TINY:
        raise SettingError(
            "parts-ask-more-than",
            f"the parts ask for more than the {n_pairs} pairs there are",
            hint="make them smaller",
        )


def _strata(pairs: Sequence[Pair], seed: int) -> dict[Stratum, list[int]]:
    """Positions of the pairs of each label and task, in an order that seed and ids decide."""
    strata: dict[Stratum, list[int]] = {}
    for i, pair in enumerate(pairs):
        key = (pair.gold.value if pair.gold else "", pair.task or "")
        strata.setdefault(key, []).append(i)
    for members in strata.values():
        members.sort(key=lambda i: (lot(pairs[i].id, seed), pairs[i].text, pairs[i].hypothesis))
    return dict(sorted(strata.items()))


def lot(pair_id: str, seed: int) -> bytes:
    """What a pair draws: pairs sorted by it are in an order that seed and ids decide."""
    return sha256(f"{seed}\x1f{pair_id}".encode()).digest()


def _allocate(strata: dict[Stratum, list[int]], counts: Sequence[int]) -> NDArray[np.int64]:
    """How many pairs of each stratum (row) go to each part (column).

    Controlled rounding (Cox 1987) of the fair shares: each cell, and each label's sum in each
    part, is rounded up or down, and rows and columns keep their sums. That much is a flow and
    always possible. Among the solutions, the tasks' sums are brought as near as can be.
    """
    rows = np.array([len(members) for members in strata.values()], dtype=np.int64)
    total = int(rows.sum())
    if total == 0:
        return np.zeros((0, len(counts)), dtype=np.int64)
    fair = np.outer(rows, counts) / total
    base = np.floor(fair + _TINY).astype(np.int64)
    labels = _membership([label for label, _ in strata])
    tasks = _membership([task for _, task in strata])
    return base + _extras(fair - base, rows - base.sum(axis=1), labels, tasks)


def _membership(names: Sequence[str]) -> NDArray[np.float64]:
    """A matrix with a row for each name: 1 where the stratum has it."""
    return np.array([[float(name == one) for name in names] for one in sorted(set(names))])


def _extras(
    left: NDArray[np.float64],
    spare: NDArray[np.int64],
    labels: NDArray[np.float64],
    tasks: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Which cells get one more, as a mixed integer program over cells and the tasks' gaps."""
    from scipy.optimize import Bounds, milp

    n_cells = left.size
    n_gaps = len(tasks) * left.shape[1] if n_cells <= _MANY_CELLS else 0
    cost = np.concatenate([np.zeros(n_cells), np.ones(n_gaps)])
    most = np.concatenate([(left.ravel() > _TINY).astype(float), np.full(n_gaps, np.inf)])
    whole = np.concatenate([np.ones(n_cells), np.zeros(n_gaps)])
    constraints = [
        *_sums_kept(left, spare.astype(np.float64), labels, n_gaps),
        *(_gaps_measured(left, tasks) if n_gaps else ()),
    ]
    solved = milp(cost, constraints=constraints, bounds=Bounds(0, most), integrality=whole)
    if solved.x is None:
        raise RuntimeError(f"controlled rounding found no solution: {solved.message}")
    return np.rint(solved.x[:n_cells]).astype(np.int64).reshape(left.shape)


def _sums_kept(
    left: NDArray[np.float64],
    spare: NDArray[np.float64],
    labels: NDArray[np.float64],
    n_gaps: int,
) -> Iterator[Any]:
    """Rows and columns keep their sums; each label's sum in each part is rounded."""
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array, hstack, identity, kron

    n_strata, n_parts = left.shape
    parts = identity(n_parts)
    for matrix, low, high in (
        (kron(identity(n_strata), np.ones((1, n_parts))), spare, spare),
        (kron(np.ones((1, n_strata)), parts), *_rounded(left.sum(axis=0))),
        (kron(labels, parts), *_rounded((labels @ left).ravel())),
    ):
        padded = hstack([matrix, csr_array((matrix.shape[0], n_gaps))])
        yield LinearConstraint(padded, low, high)


def _gaps_measured(left: NDArray[np.float64], tasks: NDArray[np.float64]) -> Iterator[Any]:
    """Each gap is at least the distance of a task's sum in a part from its fair share."""
    from scipy.optimize import LinearConstraint
    from scipy.sparse import hstack, identity, kron

    sums, wanted = kron(tasks, identity(left.shape[1])), (tasks @ left).ravel()
    gaps = identity(len(wanted))
    yield LinearConstraint(hstack([sums, gaps]), wanted, np.inf)
    yield LinearConstraint(hstack([sums, -gaps]), -np.inf, wanted)


def _rounded(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.floor(sums + _TINY), np.ceil(sums - _TINY)
