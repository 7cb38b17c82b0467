"""Cross-validation: judge gold pairs by recognizers trained on others; what each group is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError, UndefinedError
from ensue.features import GROUPS, has_words
from ensue.pairs import (
    Pair,
    RunHeader,
    Signature,
    Verdict,
    check_replaced_run,
    pairs_hash,
    write_plain_run,
    write_run,
)
from ensue.recognizers.contract import Recognizer, Trainable
from ensue.recognizers.features import (
    FOLDS,
    Examples,
    FeaturesRecognizer,
    fitted,
    folds,
    held_out_probabilities,
    scaling,
)
from ensue.statistics import (
    Fold,
    LinearModel,
    fit_logistic,
    holm,
    mcnemar,
    most_folds,
    stratified_folds,
    with_ones,
)

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
_Right = Callable[[Flags], Flags]
"""Which pairs are judged right with the features that are kept."""


@dataclass(frozen=True, slots=True)
class GroupTrial:
    """How the recognizer does without one group of features."""

    group: str
    n_features: int
    accuracy: float
    lost: int
    """Pairs that are right only with the group."""
    gained: int
    """Pairs that are right only without it."""
    change: float
    """Of the accuracy."""
    p: float
    """McNemar's, exact and two-sided."""
    p_holm: float
    """The same, corrected for the number of groups."""


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """What was learned of one feature."""

    name: str
    weight: float
    """What it adds to the log odds where it is 1 rather than 0."""
    standardized: float
    """What it adds where it is higher by one standard deviation over the training pairs."""
    mean: float


@dataclass(frozen=True, slots=True)
class Ablation:
    """The accuracy with all features and without each group, and the weights of all."""

    n_pairs: int
    """Pairs judged."""
    n_left_out: int
    """Pairs without gold, or without words on a side."""
    accuracy: float
    trials: tuple[GroupTrial, ...]
    """One for each group, in the order of the catalog."""
    weights: tuple[FeatureWeight, ...]
    strength: float
    """The inverse strength of regularization, the same for all trials."""
    n_folds: int
    """Of the cross-validation; 0 where other pairs were judged."""
    seed: int


def ablate(
    recognizer: FeaturesRecognizer,
    pairs: Sequence[Pair],
    *,
    on: Sequence[Pair] | None = None,
    seed: int = 0,
) -> Ablation:
    """Measure the features once, and train with all groups and without each.

    Args:
        recognizer: Its settings and workers are used, not its weights.
        pairs: To train on, with gold.
        on: To judge; where they are not given, the pairs themselves in cross-validation, with the
            same folds for every trial.
        seed: For the folds.

    Raises:
        DataError: no pair has gold and words, or all have the same gold.
        UndefinedError: the pairs are too few for cross-validation.
    """
    scorer, kept = recognizer.scorer, usable_pairs(pairs)
    names = scorer.names(kept)
    train = scorer.examples(kept, names)
    regression = fitted(names, train, strength=scorer.chosen.strength, seed=seed)
    if on is None:
        n_left_out = len(pairs) - len(kept)
        right = _cross_validated(train, regression.strength, _parts(train, seed))
    else:
        judged = usable_pairs(on)
        n_left_out = len(on) - len(judged)
        right = _tested(train, scorer.pairs_alone(judged, names), regression.strength)
    with_all = right(np.ones(len(names), np.bool_))
    return Ablation(
        n_pairs=len(with_all),
        n_left_out=n_left_out,
        accuracy=float(with_all.mean()),
        trials=tuple(_trials(right, names, with_all)),
        weights=tuple(_weights(regression, train.values[: train.n_pairs])),
        strength=regression.strength,
        n_folds=FOLDS if on is None else 0,
        seed=seed,
    )


def _cross_validated(train: Examples, strength: float, parts: Sequence[Fold]) -> _Right:
    means, scales = scaling(train)
    scaled = (train.values - means) / scales
    gold = train.gold[: train.n_pairs]

    def right(kept: Flags) -> Flags:
        some = replace(train, values=np.ascontiguousarray(scaled[:, kept]))
        return np.equal(held_out_probabilities(some, parts, [strength])[strength] > 0.5, gold)

    return right


def _tested(train: Examples, test: Examples, strength: float) -> _Right:
    means, scales = scaling(train)
    scaled, others = (train.values - means) / scales, (test.values - means) / scales

    def right(kept: Flags) -> Flags:
        learned = fit_logistic(np.ascontiguousarray(scaled[:, kept]), train.gold, strength)
        found = with_ones(others[:, kept]) @ learned
        return np.equal(found > 0, test.gold)

    return right


def _trials(right: _Right, names: Sequence[str], with_all: Flags) -> list[GroupTrial]:
    without = [
        right(np.array([not name.startswith(f"{group.name}.") for name in names]))
        for group in GROUPS
    ]
    lost = [int((with_all & ~each).sum()) for each in without]
    gained = [int((each & ~with_all).sum()) for each in without]
    p_values = [mcnemar(*each) for each in zip(lost, gained, strict=True)]
    tested = zip(GROUPS, without, lost, gained, p_values, holm(p_values), strict=True)
    return [
        GroupTrial(
            group.name,
            len(group.features),
            float(each.mean()),
            n_lost,
            n_gained,
            change=float(each.mean()) - float(with_all.mean()),
            p=p,
            p_holm=p_holm,
        )
        for group, each, n_lost, n_gained, p, p_holm in tested
    ]


def _weights(regression: LinearModel, values: Numbers) -> list[FeatureWeight]:
    standardized = regression.weights * values.std(axis=0)
    columns = (regression.weights, standardized, regression.means)
    rows = zip(regression.names, *(column.tolist() for column in columns), strict=True)
    return [FeatureWeight(*row) for row in rows]


def usable_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with gold, and with words on both sides.

    Raises:
        DataError: there are none.
    """
    kept = [
        pair
        for pair in pairs
        if pair.gold is not None and has_words(pair.text) and has_words(pair.hypothesis)
    ]
    if not kept:
        raise DataError(
            "none-pairs-gold-words",
            f"none of the {len(pairs)} pairs has gold, and words on both sides",
            hint="name the column of gold with --read gold=COLUMN",
        )
    return kept


def _parts(train: Examples, seed: int) -> list[Fold]:
    parts = folds(train, seed)
    if not parts:
        raise UndefinedError(
            "cross-validation-takes-different-texts",
            f"cross-validation takes {FOLDS} different texts, and {FOLDS} pairs of either gold",
            hint="give more pairs, or pairs to judge: --on TEST",
        )
    return parts


def by_group(weights: Sequence[FeatureWeight]) -> Mapping[str, list[FeatureWeight]]:
    """The weights of each group, in the order of the catalog."""
    found: dict[str, list[FeatureWeight]] = {}
    for each in weights:
        found.setdefault(each.name.partition(".")[0], []).append(each)
    return found


def folds_of(pairs: Sequence[Pair], n: int, *, seed: int) -> list[int]:
    """The fold of each pair: labels evenly spread, and pairs with the same text never parted.

    Raises:
        DataError: a pair has no gold, or there are fewer texts or pairs of a label than folds.
    """
    bare = next((pair for pair in pairs if pair.gold is None), None)
    if bare is not None:
        raise DataError(
            "pair-no-gold-cannot", f"pair {bare.id!r} has no gold, so it cannot be trained on"
        )
    texts = {text: i for i, text in enumerate(dict.fromkeys(pair.text for pair in pairs))}
    labels = np.array([pair.gold.value for pair in pairs if pair.gold])
    groups = np.array([texts[pair.text] for pair in pairs])
    fewest = most_folds(labels, groups)
    if n < 2 or fewest < n:
        raise DataError(
            "pairs-cannot-parted-folds",
            f"{len(pairs)} pairs cannot be parted into {n} folds",
            hint=f"give from 2 to {fewest} folds" if fewest > 1 else "give more pairs",
        )
    return [int(each) for each in stratified_folds(labels, groups, n, seed=seed)]


def judge_held_out(
    recognizer: object,
    pairs: Sequence[Pair],
    *,
    folds: int = 10,
    seed: int = 0,
    name: str = "pairs",
    progress: Callable[[int], None] | None = None,
) -> tuple[list[Verdict], Signature]:
    """Judge each pair by the recognizer trained on the other folds.

    Returns:
        The verdicts, in the order of the pairs, and a signature that says how they came about.

    Raises:
        SettingError: the recognizer has nothing to learn.
        DataError: the pairs cannot be parted.
    """
    if not isinstance(recognizer, Trainable):
        raise SettingError(
            "recognizer-nothing-learn-nothing",
            "this recognizer has nothing to learn, so there is nothing to validate",
        )
    numbers = folds_of(pairs, folds, seed=seed)
    verdicts: dict[int, Verdict] = {}
    for fold in range(folds):
        held_out = [i for i, number in enumerate(numbers) if number == fold]
        others = [pair for pair, number in zip(pairs, numbers, strict=True) if number != fold]
        trained = recognizer.fit(others, seed=seed, name=name)
        judged = trained.judge([pairs[i] for i in held_out])
        verdicts |= dict(zip(held_out, judged, strict=True))
        if progress:
            progress(len(held_out))
    whole = trained.signature
    tuned_on = {"name": f"{name}, {folds} folds", "folds": folds, "seed": seed, "pairs": len(pairs)}
    cutoff = whole.cutoff if not recognizer.tunes else None
    signature = replace(whole, cutoff=cutoff, tuned_on=tuned_on)
    return [verdicts[i] for i in range(len(pairs))], signature


def check_held_out(
    target: str | Path, recognizer: Recognizer, pairs: Sequence[Pair], *, folds: int, seed: int
) -> None:
    """See that the run of a cross-validation takes the place of no other run.

    Raises:
        OutputError: it would.
    """
    own = recognizer.signature

    def is_same(header: RunHeader) -> bool:
        there = header.signature
        tuned_on = there.tuned_on or {}
        return (
            (there.recognizer, there.settings) == (own.recognizer, own.settings)
            and (tuned_on.get("folds"), tuned_on.get("seed")) == (folds, seed)
            and header.data.get("pairs_hash") == pairs_hash(pairs)
        )

    check_replaced_run(target, is_same)


def write_held_out(
    target: str | Path,
    signature: Signature,
    pairs: Sequence[Pair],
    verdicts: Sequence[Verdict],
    name: str,
    *,
    plain: bool = False,
) -> None:
    """Write the run of a cross-validation."""
    if plain:
        write_plain_run(target, verdicts)
        return
    data = {"name": name, "pairs": len(pairs), "pairs_hash": pairs_hash(pairs)}
    started = datetime.now(UTC).isoformat(timespec="seconds")
    write_run(target, RunHeader(signature, data, started), verdicts)
