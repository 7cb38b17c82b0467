"""Judge gold pairs by cross-validation: each by a recognizer that was trained on others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from ensue.errors import DataError, SettingError
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
from ensue.statistics import most_folds, stratified_folds


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
