"""How far one gets without reading both sides: label rates by overlap, and two baselines.

The challenge's annotators chose more negative pairs than positive ones among those whose texts
have nearly all words of their hypotheses (Dagan, Glickman & Magnini 2005, section 2). And a data
set whose labels can be told from the hypotheses alone tests something else than entailment
(Poliak et al. 2018, Gururangan et al. 2018).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.corpora.dataset import word_measures, words
from ensue.corpora.split import lot
from ensue.errors import UndefinedError
from ensue.pairs import Label, Pair, coarser_view
from ensue.statistics import Resampling, binomial_p, split_folds, stratified_folds

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Where overlap bins begin; the last one holds the pairs whose overlap is 1."""
FOLDS = 5
MOST_PAIRS = 20_000
"""Of larger data sets a seeded sample of this size is used."""


@dataclass(frozen=True, slots=True)
class OverlapBin:
    """The pairs whose overlap lies in one bin."""

    low: float
    high: float
    """Not included, but for the last bin, which is 1 alone."""
    n_pairs: int
    n_entailed: int
    p_value: float | None
    """Of so few or so many entailments, two-sided and exact, under the rate of all pairs."""

    @property
    def rate(self) -> float | None:
        """The share of entailments, or None without pairs."""
        return self.n_entailed / self.n_pairs if self.n_pairs else None


@dataclass(frozen=True, slots=True)
class Baseline:
    """The cross-validated accuracy of a baseline that does not read both sides."""

    name: str
    n_pairs: int
    accuracy: float
    low: float | None
    high: float | None
    """The 95 % percentile interval of a bootstrap over pairs."""
    chance: float
    """The share of the most frequent label."""
    p_value: float
    """Of an accuracy so high under chance, one-sided; approximate, since folds share pairs."""


def overlap_bins(pairs: Sequence[Pair]) -> tuple[OverlapBin, ...]:
    """The rate of entailment by overlap, over pairs with gold and words."""
    from scipy.stats import binomtest

    judged = [pair for pair in pairs if pair.gold]
    overlap = word_measures(judged).overlap
    known = ~np.isnan(overlap)
    entailed = np.array([pair.gold is Label.ENTAILMENT for pair in judged], bool)
    rate = float(entailed[known].mean()) if known.any() else 0.0
    bins = []
    for low, high in zip(EDGES, (*EDGES[1:], 1.0), strict=True):
        inside = (overlap >= low) & ((overlap < high) | (low == high))
        n, n_entailed = int(inside.sum()), int(entailed[inside].sum())
        p_value = float(binomtest(n_entailed, n, rate).pvalue) if n else None
        bins.append(OverlapBin(low, high, n, n_entailed, p_value))
    return tuple(bins)


def hypothesis_baseline(pairs: Sequence[Pair], *, seed: int = 0) -> Baseline:
    """Logistic regression on the words and word pairs of the hypothesis alone.

    Pairs with the same hypothesis are kept in the same fold.

    Raises:
        UndefinedError: there are too few pairs of a label, or no words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    pairs = _usable(pairs, seed)
    learner = make_pipeline(
        TfidfVectorizer(analyzer=_words_and_word_pairs, sublinear_tf=True),
        LogisticRegression(max_iter=1000),
    )
    sides = [pair.hypothesis for pair in pairs]
    return _cross_validated("hypothesis-only", learner, sides, pairs, seed)


def overlap_baseline(pairs: Sequence[Pair], *, seed: int = 0) -> Baseline:
    """A decision tree of depth 3 on word overlap alone.

    Raises:
        UndefinedError: there are too few pairs of a label.
    """
    from sklearn.tree import DecisionTreeClassifier

    pairs = _usable(pairs, seed)
    leaf = max(2, len(pairs) // 50)
    learner = DecisionTreeClassifier(max_depth=3, min_samples_leaf=leaf, random_state=seed)
    overlaps = word_measures(pairs).overlap[:, None]
    return _cross_validated("overlap-only", learner, overlaps, pairs, seed)


def _usable(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    usable = [pair for pair in pairs if pair.gold and words(pair.hypothesis)]
    if len(usable) > MOST_PAIRS:
        usable = sorted(usable, key=lambda pair: lot(pair.id, seed))
    return usable[:MOST_PAIRS]


def _words_and_word_pairs(text: str) -> list[str]:
    found = words(text)
    return [*found, *(f"{a} {b}" for a, b in itertools.pairwise(found))]


def _cross_validated(
    name: str, learner: Any, inputs: Any, pairs: Sequence[Pair], seed: int
) -> Baseline:
    from sklearn.model_selection import cross_val_predict

    gold = _codes(pairs)
    groups = _hypothesis_numbers(pairs)
    if len(set(groups)) < FOLDS:
        raise UndefinedError(
            "cross-validation-needs-different-hypotheses",
            f"cross-validation needs {FOLDS} different hypotheses",
        )
    folds = split_folds(stratified_folds(gold, groups, FOLDS, seed=seed))
    given = cross_val_predict(learner, inputs, gold, cv=folds)
    return _baseline(name, int((given == gold).sum()), gold, seed)


def _hypothesis_numbers(pairs: Sequence[Pair]) -> list[int]:
    """The number of each pair's hypothesis among the different ones, whose words are compared."""
    # an array of strings would give each of them the room of the longest
    keys = [" ".join(words(pair.hypothesis)) for pair in pairs]
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


def _codes(pairs: Sequence[Pair]) -> NDArray[np.int64]:
    """Gold as numbers, in the view that all of it can be seen in."""
    golds = [pair.gold for pair in pairs if pair.gold]
    view = coarser_view(golds)
    names = [view.of(gold).value for gold in golds]
    labels, codes, counts = np.unique(names, return_inverse=True, return_counts=True)
    if len(labels) < 2 or counts.min() < FOLDS:
        raise UndefinedError(
            "cross-validation-needs-pairs-each",
            f"cross-validation needs {FOLDS} pairs of each of two labels or more",
        )
    return codes.astype(np.int64)


def _baseline(name: str, n_right: int, gold: NDArray[np.int64], seed: int) -> Baseline:
    n = len(gold)
    chance = float(np.bincount(gold).max() / n)
    resampling = Resampling(seed=seed)
    drawn = resampling.rng().binomial(n, n_right / n, resampling.draws) / n
    low, high = resampling.interval(drawn)
    return Baseline(name, n, n_right / n, low, high, chance, binomial_p(n_right, n, chance))
