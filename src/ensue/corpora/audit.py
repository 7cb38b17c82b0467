"""Everything suspicious about data sets, pairs that occur twice among it, as findings.

| code | severity | what |
| --- | --- | --- |
| `no-pairs` | error | a file without pairs |
| `duplicate-id` | error | two pairs of a file have one id |
| `empty-text`, `empty-hypothesis` | error | a side says nothing |
| `identical-pair-different-gold` | error | one text and hypothesis, two labels |
| `shared-between-files` | error | a pair stands in two of the files |
| `identical-pair` | warning | one text and hypothesis twice |
| `no-gold` | warning | pairs without gold |
| `imbalance` | warning | a label has far more or fewer pairs than its share |
| `overlap-anomaly` | warning | fewer entailments where overlap is full than elsewhere |
| `hypothesis-only` | warning | the hypothesis alone tells the label better than chance |
| `no-baseline` | note | too few pairs to cross-validate a baseline |
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.corpora.dataset import Dataset, lot, word_measures, words
from ensue.errors import UndefinedError
from ensue.pairs import Finding, Label, Pair, Severity, coarser_view, doubled_id
from ensue.statistics import Resampling, binomial_p, split_folds, stratified_folds

# How far one gets without reading both sides: label rates by overlap, and two baselines. The
# challenge's annotators chose more negative pairs than positive ones among those whose texts have
# nearly all words of their hypotheses (Dagan, Glickman & Magnini 2005, section 2). And a data set
# whose labels can be told from the hypotheses alone tests something else than entailment
# (Poliak et al. 2018, Gururangan et al. 2018).

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


# Pairs that are there more than once: one id twice, one pair twice, one pair in two files.

Spot = tuple[Dataset, int]
"""A data set and a position in it."""


def doubles(datasets: Sequence[Dataset]) -> Iterator[Finding]:
    """Yield a finding for each pair that stands somewhere else already."""
    for dataset in datasets:
        yield from _duplicate_ids(dataset)
        yield from _identical_pairs(dataset)
    yield from _shared_pairs(datasets)


def _duplicate_ids(dataset: Dataset) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for i, pair in enumerate(dataset.pairs):
        if pair.id in first:
            message = doubled_id(pair.id, dataset.place(first[pair.id]))
            yield _error("duplicate-id", message, (dataset, i))
        first.setdefault(pair.id, i)


def _identical_pairs(dataset: Dataset) -> Iterator[Finding]:
    first: dict[tuple[str, str], int] = {}
    for i, pair in enumerate(dataset.pairs):
        before = first.setdefault(_content(pair), i)
        if before != i:
            yield _same_content((dataset, before), (dataset, i))


def _same_content(before: Spot, now: Spot) -> Finding:
    one, other = _pair(before), _pair(now)
    where = f"{one.id!r} at {before[0].place(before[1])}"
    if _contradict(one.gold, other.gold):
        message = f"pair {other.id!r} is {_shown(other.gold)}, and the same pair {where} is"
        return _error("identical-pair-different-gold", f"{message} {_shown(one.gold)}", now, one.id)
    message = f"pair {other.id!r} has the text and hypothesis of pair {where}"
    return Finding(
        "identical-pair", Severity.WARNING, message, now[0].place(now[1]), (one.id, other.id)
    )


def _shared_pairs(datasets: Sequence[Dataset]) -> Iterator[Finding]:
    first: dict[tuple[str, str], Spot] = {}
    for dataset in datasets:
        fresh: dict[tuple[str, str], Spot] = {}
        for i, pair in enumerate(dataset.pairs):
            key = _content(pair)
            fresh.setdefault(key, (dataset, i))
            if key in first:
                home, j = first[key]
                message = f"pair {pair.id!r} is also {home.pairs[j].id!r} at {home.place(j)}"
                yield _error("shared-between-files", message, (dataset, i), home.pairs[j].id)
        first = {**fresh, **first}


def _content(pair: Pair) -> tuple[str, str]:
    """Text and hypothesis whatever their case and blanks."""
    text, hypothesis = (" ".join(side.casefold().split()) for side in (pair.text, pair.hypothesis))
    return text, hypothesis


def _contradict(one: Label | None, other: Label | None) -> bool:
    """Whether two golds differ in the view that both can be seen in; no gold differs from none."""
    if one is None or other is None:
        return False
    view = coarser_view([one], [other])
    return view.of(one) is not view.of(other)


def _pair(spot: Spot) -> Pair:
    return spot[0].pairs[spot[1]]


def _shown(gold: Label | None) -> str:
    return gold.value if gold else "without gold"


def _error(code: str, message: str, spot: Spot, *other_ids: str) -> Finding:
    place = spot[0].place(spot[1])
    return Finding(code, Severity.ERROR, message, place, (*other_ids, _pair(spot).id))


# Everything that is suspicious about data sets, as findings with stable codes.

SIGNIFICANT = 0.05
"""Below this p-value a shortcut is reported."""
LARGEST_GAP = 0.1
"""A label whose share is further than this from 1 over the number of labels is reported."""
FEWEST_PAIRS = 20
"""Tasks with fewer pairs than this are not tested for balance."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The numbers of one data set that its findings are drawn from."""

    name: str
    n_pairs: int
    overlap_bins: tuple[OverlapBin, ...]
    baselines: tuple[Baseline, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found."""

    findings: tuple[Finding, ...]
    """Errors first, then warnings, then notes."""
    profiles: tuple[Profile, ...]

    @property
    def n_errors(self) -> int:
        """How many findings are errors."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)


def audit_datasets(datasets: Sequence[Dataset], *, baselines: bool = True, seed: int = 0) -> Audit:
    """Look for everything in the table above.

    Args:
        datasets: One file or several; several are also held against each other.
        baselines: Whether to cross-validate the two baselines, which takes a few seconds.
        seed: Of folds and intervals.
    """
    findings = list(doubles(datasets))
    profiles = []
    for dataset in datasets:
        findings += [*_sides(dataset), *_gold(dataset)]
        made, gaps = _baselines(dataset, seed) if baselines else ((), ())
        profile = Profile(dataset.name, len(dataset.pairs), overlap_bins(dataset.pairs), made)
        profiles.append(profile)
        findings += [*_imbalance(dataset), *_anomaly(profile), *_tell_tales(profile), *gaps]
    order = list(Severity)
    findings.sort(key=lambda finding: order.index(finding.severity))
    return Audit(tuple(findings), tuple(profiles))


def _sides(dataset: Dataset) -> Iterator[Finding]:
    for i, pair in enumerate(dataset.pairs):
        for side in ("text", "hypothesis"):
            if not getattr(pair, side).strip():
                message = f"the {side} of pair {pair.id!r} is empty"
                yield Finding(
                    f"empty-{side}", Severity.ERROR, message, dataset.place(i), (pair.id,)
                )


def _gold(dataset: Dataset) -> Iterator[Finding]:
    if not dataset.pairs:
        yield Finding("no-pairs", Severity.ERROR, "there are no pairs in this file", dataset.name)
    without = [pair.id for pair in dataset.pairs if pair.gold is None]
    if without:
        message = f"{len(without)} of {len(dataset.pairs)} pairs have no gold"
        yield Finding("no-gold", Severity.WARNING, message, dataset.name, tuple(without[:5]))


def _imbalance(dataset: Dataset) -> Iterator[Finding]:
    by_task: dict[str | None, list[Pair]] = {}
    for pair in dataset.pairs:
        by_task.setdefault(pair.task, []).append(pair)
    groups = {"": list(dataset.pairs)}
    if len(by_task) > 1:
        groups |= {f"in task {task}: ": pairs for task, pairs in by_task.items() if task}
    for heading, pairs in groups.items():
        golds = [pair.gold for pair in pairs if pair.gold]
        if not golds or (heading and len(golds) < FEWEST_PAIRS):
            continue
        view = coarser_view(pair.gold for pair in dataset.pairs if pair.gold)
        counts = Counter(dict.fromkeys(view.labels, 0))
        counts.update(view.of(gold) for gold in golds)
        label, n = max(counts.items(), key=lambda item: abs(item[1] / len(golds) - view.chance))
        if abs(n / len(golds) - view.chance) > LARGEST_GAP:
            message = f"{heading}{n} of {len(golds)} pairs are {label.value} ({n / len(golds):.1%})"
            details = {each.value: count for each, count in counts.items()}
            yield Finding("imbalance", Severity.WARNING, message, dataset.name, details=details)


def _anomaly(profile: Profile) -> Iterator[Finding]:
    full = profile.overlap_bins[-1]
    n_pairs = sum(each.n_pairs for each in profile.overlap_bins)
    n_entailed = sum(each.n_entailed for each in profile.overlap_bins)
    if full.rate is None or full.p_value is None or full.p_value >= SIGNIFICANT:
        return
    if full.rate < n_entailed / n_pairs:
        message = (
            f"where the text has all words of the hypothesis, {full.n_entailed} of {full.n_pairs}"
            f" pairs are entailed ({full.rate:.1%}), of all pairs {n_entailed / n_pairs:.1%}"
            f" (p = {full.p_value:.2g})"
        )
        details = {"rate": full.rate, "all": n_entailed / n_pairs, "p_value": full.p_value}
        yield Finding("overlap-anomaly", Severity.WARNING, message, profile.name, details=details)


def _tell_tales(profile: Profile) -> Iterator[Finding]:
    for each in profile.baselines:
        if each.name == "hypothesis-only" and each.p_value < SIGNIFICANT:
            message = (
                f"the hypothesis alone tells the label in {each.accuracy:.1%} of pairs,"
                f" chance is {each.chance:.1%} (p = {each.p_value:.2g})"
            )
            details = {
                "accuracy": each.accuracy,
                "chance": each.chance,
                "p_value": each.p_value,
            }
            yield Finding(each.name, Severity.WARNING, message, profile.name, details=details)


def _baselines(dataset: Dataset, seed: int) -> tuple[tuple[Baseline, ...], tuple[Finding, ...]]:
    measures: tuple[Callable[..., Baseline], ...] = (hypothesis_baseline, overlap_baseline)
    try:
        return tuple(measure(dataset.pairs, seed=seed) for measure in measures), ()
    except UndefinedError as error:
        note = Finding("no-baseline", Severity.NOTE, error.message, dataset.name)
        return (), (note,)
