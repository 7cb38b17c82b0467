"""From judged outputs to weights, all at once or leaving language pairs out in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ensue.errors import UndefinedError
from ensue.translation.features.table import FeatureTable
from ensue.translation.judgments import (
    TieUnit,
    human_scores,
    majority,
    preferences,
    tie_share,
)
from ensue.translation.model import Indices, Judgments, Numbers, OutputKey, language_pairs
from ensue.translation.models.fitting import FOLDS, fit_abs, fit_pair
from ensue.translation.models.weighing import ModelKind, Weighing


def train(
    table: FeatureTable,
    judgments: Judgments,
    kind: ModelKind,
    *,
    strength: float | None = None,
    seed: int = 0,
) -> tuple[Weighing, Mapping[str, Any]]:
    """Learn weights from judgments; give also what was learned from, and how often judges tie.

    `abs` learns from direct assessments, from adequacy and fluency, or from ranks, whichever comes
    first in this order. `pair` learns from rankings, and from absolute scores that one judge gave
    to several outputs of a segment.

    Raises:
        UndefinedError: the judgments say nothing that this model can learn from.
        DataError: a judged output was not measured, or there is nothing to tell apart.
    """
    # one thread: as fast for this many columns, the same on every machine, and fair to others
    with threadpool_limits(1):
        learned, said = _trained(table, judgments, kind, strength, seed)
    try:
        ties = tie_share(judgments.rankings, TieUnit.RANKING).share.value
    except UndefinedError:
        return learned, said
    return learned, {**said, "tie_share": ties}


def _trained(
    table: FeatureTable, judgments: Judgments, kind: ModelKind, strength: float | None, seed: int
) -> tuple[Weighing, Mapping[str, Any]]:
    if kind is ModelKind.ABS:
        human = human_scores(judgments)
        learned = fit_abs(table, human, strength=strength, seed=seed)
        return learned, {"judgments": human.kind.value, "outputs": len(human)}
    said = preferences(judgments, of_assessments=True)
    if not len(said):
        raise UndefinedError(
            "no judge compared two outputs of one segment, which pair learns from",
            hint="train abs on absolute scores: --model abs",
        )
    preferred = majority(said)
    learned = fit_pair(table, preferred, strength=strength, seed=seed)
    return learned, {
        "judgments": "preferences",
        "comparisons": len(said),
        "contests": len(preferred),
    }


def cross_scores(
    table: FeatureTable,
    judgments: Judgments,
    kind: ModelKind,
    *,
    strength: float | None = None,
    seed: int = 0,
) -> Numbers:
    """The score of each output by weights learned without its language pair.

    Where there is one language pair only, tenths of its segments are left out instead.

    Raises:
        UndefinedError: all outputs are of one segment, or what is left says nothing.
        DataError: as for `train`.
    """
    scores = np.empty(len(table))
    for outputs in _left_out(table, seed):
        if len(outputs) == len(table):
            raise UndefinedError(
                "all judged outputs are of one segment, and without it nothing can be learned",
                hint="give judgments of two segments or more",
            )
        held = {table.outputs[row] for row in outputs.tolist()}
        known = _without(judgments, held)
        weighing, _ = train(table, known, kind, strength=strength, seed=seed)
        scores[outputs] = weighing.scores(table.values[outputs])
    return scores


def _left_out(table: FeatureTable, seed: int) -> Iterator[Indices]:
    """Rows of the table that are scored by what is learned from the others."""
    names = language_pairs(table.outputs)
    if len(names) > 1:
        of = np.array([names.index(key.language_pair) for key in table.outputs])
    else:
        segments = {key.segment: 0 for key in table.outputs}
        drawn = np.random.default_rng(seed).permutation(len(segments)) % FOLDS
        part_of = dict(zip(segments, drawn.tolist(), strict=True))
        of = np.array([part_of[key.segment] for key in table.outputs])
    for part in np.unique(of).tolist():
        yield np.flatnonzero(of == part)


def _without(judgments: Judgments, held: set[OutputKey]) -> Judgments:
    """The judgments of segments that are not held out; a segment's outputs go together."""
    segments = {(key.language_pair, key.segment) for key in held}
    return Judgments(
        tuple(
            each
            for each in judgments.rankings
            if (each.language_pair, each.segment) not in segments
        ),
        tuple(
            each
            for each in judgments.assessments
            if (each.language_pair, each.segment) not in segments
        ),
    )
