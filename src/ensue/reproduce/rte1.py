"""Recompute the facts, chance levels, baselines and the anomaly of the PASCAL RTE challenge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ensue.corpora import overlap_bins
from ensue.evaluation import (
    CriticalValue,
    Scores,
    critical_values,
    cws_deviation,
    evaluate,
    read_published,
)
from ensue.pairs import Label, Pair, Run
from ensue.recognizers import Recognizer, Trainable, load
from ensue.reproduce.model import (
    Listing,
    Reproduction,
    ReproductionKind,
    load_data_set,
    paper_of,
    published_number,
    side_by_side,
)
from ensue.statistics import Resampling
from ensue.surface import WORDS, tokenize

NAME = "rte1"
_SIMULATED_RUNS = 100_000


def reproduce(directory: Path, seed: int = 0) -> Reproduction:
    """Recompute what the challenge paper says of its data, of chance and of baselines."""
    dev = load_data_set(directory, "rte1_dev.xml")
    test = load_data_set(directory, "rte1_test.xml")
    tree = load("overlap-tree")
    assert isinstance(tree, Trainable)
    always = _scores(load("always"), test, seed)
    modified = _evaluated(load("modified-bleu"), test, seed)
    levels = critical_values(len(test), draws=_SIMULATED_RUNS, seed=seed)
    recomputed: dict[str, float | None] = {
        **_data_figures(dev, test),
        **_annotation_figures(len(dev) + len(test)),
        "always-accuracy": always.measures["accuracy"].value,
        "always-f": always.measures["f"].value,
        **_read_levels(levels),
        "tree": _scores(tree.fit(dev, seed=seed), test, seed).measures["accuracy"].value,
        "cd-accuracy": modified["CD"].measures["accuracy"].value,
        "cd-cws": modified["CD"].measures["cws"].value,
        "other-accuracy": _accuracy_without(load("modified-bleu"), test, "CD"),
    }
    paper, remarks = paper_of(NAME)
    return Reproduction(
        NAME,
        paper,
        side_by_side(NAME, recomputed),
        remarks,
        (
            _level_listing(levels, len(test), seed),
            _anomaly_listing({"development": dev, "test": test}),
            _task_listing(modified),
        ),
    )


def _data_figures(dev: list[Pair], test: list[Pair]) -> dict[str, float | None]:
    words = {
        side: np.median(tokenize([getattr(pair, side) for pair in dev], WORDS).lengths)
        for side in ("text", "hypothesis")
    }
    return {
        "dev-pairs": len(dev),
        "test-pairs": len(test),
        "dev-true": _share_true(dev),
        "test-true": _share_true(test),
        "tasks-dev": len({pair.task for pair in dev}),
        "tasks-test": len({pair.task for pair in test}),
        "balance-dev": _imbalance(dev),
        "balance-test": _imbalance(test),
        "text-words": float(words["text"]),
        "hypothesis-words": float(words["hypothesis"]),
    }


def _annotation_figures(n_kept: int) -> dict[str, float | None]:
    agreement, by_chance, reviewed = 0.80, 0.50, 0.13  # section 2.3
    filtered = (1 - agreement) + reviewed
    return {
        "kappa": (agreement - by_chance) / (1 - by_chance),
        "filtered": filtered,
        "created": n_kept / (1 - filtered),
    }


def _share_true(pairs: list[Pair]) -> float:
    return sum(pair.gold is Label.ENTAILMENT for pair in pairs) / len(pairs)


def _imbalance(pairs: list[Pair]) -> float:
    """How far the share of true pairs is from a half, in points, in the worst setting."""
    tasks = {pair.task for pair in pairs}
    shares = [_share_true([pair for pair in pairs if pair.task == task]) for task in tasks]
    return max(abs(100 * share - 50) for share in shares)


def _evaluated(recognizer: Recognizer, pairs: list[Pair], seed: int) -> Mapping[str, Scores]:
    run = Run("run", tuple(recognizer.judge(pairs)))
    return evaluate(pairs, [run], by_task=True, resampling=Resampling(seed=seed)).runs[0].by_task


def _scores(recognizer: Recognizer, pairs: list[Pair], seed: int) -> Scores:
    run = Run("run", tuple(recognizer.judge(pairs)))
    return evaluate(pairs, [run], resampling=Resampling(seed=seed)).runs[0].scores


def _accuracy_without(recognizer: Recognizer, pairs: list[Pair], task: str) -> float:
    rest = [pair for pair in pairs if pair.task != task]
    verdicts = recognizer.judge(rest)
    return sum(v.label is p.gold for v, p in zip(verdicts, rest, strict=True)) / len(rest)


def _published_levels() -> dict[tuple[str, float], float]:
    return {
        (measure, level): published_number(NAME, f"{measure}-{level}")
        for measure in ("accuracy", "cws")
        for level in (0.05, 0.01)
    }


def _read_levels(levels: tuple[CriticalValue, ...]) -> dict[str, float]:
    """Our critical values, on the side and by the method that the published ones turn out to be."""
    values = {(v.measure, v.level, v.sides, v.method): v.value for v in levels}
    method = {"accuracy": "normal", "cws": "simulated"}
    return {
        f"{read.measure}-{read.level}": values[
            read.measure, read.level, read.sides, method[read.measure]
        ]
        for read in read_published(_published_levels())
    }


def _level_listing(levels: tuple[CriticalValue, ...], n: int, seed: int) -> Listing:
    values = {(v.measure, v.level, v.sides, v.method): v.value for v in levels}
    rows = []
    for read in read_published(_published_levels()):
        other = "exact" if read.measure == "accuracy" else "simulated"
        rows.append(
            (
                read.measure,
                read.level,
                read.published,
                read.one_sided,
                read.two_sided,
                values[read.measure, read.level, read.sides, other],
                "one-sided" if read.sides == 1 else "two-sided",
            )
        )
    return Listing(
        "chance",
        f"From where {n} guesses are better than chance",
        ("measure", "level", "published", "one-sided", "two-sided", "exact", "the published is"),
        tuple(rows),
        (
            "one- and two-sided: by the normal approximation; a standard deviation is"
            f" {0.5 / math.sqrt(n):.4f} for accuracy and {cws_deviation(n):.4f} for cws",
            "exact: on the side that fits, by the binomial distribution for accuracy and by"
            f" simulation for cws ({_SIMULATED_RUNS:,} runs, seed {seed})",
            "the paper mixes the two: its accuracies are two-sided values, its cws one-sided ones",
        ),
    )


def _anomaly_listing(data: Mapping[str, list[Pair]]) -> Listing:
    """The share of true pairs by word overlap: the paper's anomaly is the last bin."""
    rows = tuple(
        (
            name,
            "1" if each.low == each.high else f"{each.low:g} to {each.high:g}",
            each.n_pairs,
            each.n_entailed,
            each.rate,
            each.p_value,
        )
        for name, pairs in data.items()
        for each in overlap_bins(pairs)
    )
    return Listing(
        "overlap",
        "True pairs by the share of hypothesis words that the text has",
        ("data", "overlap", "pairs", "true", "share true", "p"),
        rows,
        (
            "the anomaly: “more negative examples than positive ones in the cases where t and h"
            " have a very high degree of lexical overlap”",
            "it is in the test set, where the text has every word of the hypothesis; in the"
            " development set such pairs are true and false alike",
            "p: of so few or so many true pairs under the rate of the whole set, two-sided, exact",
        ),
    )


def _task_listing(by_task: Mapping[str, Scores]) -> Listing:
    rows = tuple(
        (
            task,
            scores.counts.n_pairs,
            scores.measures["accuracy"].value,
            scores.measures["cws"].value,
            scores.chance[0].p,
        )
        for task, scores in by_task.items()
    )
    return Listing(
        "tasks",
        "Modified BLEU at cutoff 0.221 on the test set, by application setting",
        ("task", "pairs", "accuracy", "cws", "p of the accuracy"),
        rows,
        ("comparable documents (CD) stand out here as they did among the submissions",),
    )


REPRODUCTION = ReproductionKind(
    NAME, "data facts, chance levels, baselines and the overlap anomaly of the challenge", reproduce
)
