"""Groups of pairs: candidate texts for one hypothesis, the entailing ones to come first.

The challenge paper looks forward to this ranking in its conclusions; the minimal pairs of a suite
are groups as well, and there it counts whether all of a group is right. Each group is a ranking by confidence
that entailment holds; average precision and reciprocal rank are expectations over the random order
of ties. A text without an answer is not retrieved: it adds nothing, but counts among those to find.
In a group of one text there is nothing to rank, so such groups are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.evaluation.measuring.judged import Judged, entailment_gap, entailment_key
from ensue.evaluation.measuring.ranks import (
    Numbers,
    expected_average_precision,
    expected_reciprocal_rank,
    ranking,
)
from ensue.evaluation.measuring.summary import TOO_MANY
from ensue.evaluation.results import GroupScore, GroupScores
from ensue.pairs import Pair


def group_of(pair: Pair) -> str:
    """The group that the pair's `meta.group` names; without one, its hypothesis."""
    named = pair.meta.get("group")
    return pair.hypothesis if named is None else str(named)


def no_groups() -> SettingError:
    """What is said where the pairs of groups are not held."""
    return SettingError(
        f"the groups of {TOO_MANY} are not ranked",
        hint="leave --group out, or evaluate a part of the pairs",
    )


def group_scores(judged: Judged) -> GroupScores:
    """Average precision and reciprocal rank of each group of two texts or more, and their means.

    Raises:
        SettingError: the pairs are not held.
    """
    if judged.summary is not None:
        raise no_groups()
    members: dict[str, list[int]] = {}
    for i, pair in enumerate(judged.pairs):
        members.setdefault(group_of(pair), []).append(i)
    gap = entailment_gap(judged)
    key = entailment_key(judged)
    groups = tuple(
        _group_score(name, np.array(indices), judged, None if gap else key)
        for name, indices in members.items()
        if len(indices) > 1
    )
    return _means(groups, gap)


def _group_score(
    name: str, indices: NDArray[np.intp], judged: Judged, key: Numbers | None
) -> GroupScore:
    is_yes = judged.is_yes[indices]
    n_positive, n_right = int(is_yes.sum()), int(judged.right[indices].sum())
    if key is None or n_positive == 0:
        return GroupScore(name, len(indices), n_positive, n_right, None, None)
    by = ranking(key[indices], judged.answered[indices])
    hits = is_yes[by.order].astype(np.int64)
    if not hits.any():
        return GroupScore(name, len(indices), n_positive, n_right, 0.0, 0.0)
    sizes = np.diff(np.append(by.starts, len(hits)))
    in_groups = np.add.reduceat(hits, by.starts)
    wanted = np.array([n_positive], float)
    precision = float(expected_average_precision(sizes[None, :], in_groups[None, :], wanted)[0])
    rank = expected_reciprocal_rank(sizes, in_groups)
    return GroupScore(name, len(indices), n_positive, n_right, precision, rank)


def _means(groups: tuple[GroupScore, ...], gap: str | None) -> GroupScores:
    n_with_positive = sum(group.n_positive > 0 for group in groups)
    if gap is None and n_with_positive == 0:
        gap = "no group of two texts or more has an entailment"
    if gap is not None:
        return GroupScores(groups, n_with_positive, None, None, gap)
    precisions = [g.average_precision for g in groups if g.average_precision is not None]
    ranks = [g.reciprocal_rank for g in groups if g.reciprocal_rank is not None]
    return GroupScores(groups, n_with_positive, float(np.mean(precisions)), float(np.mean(ranks)))
