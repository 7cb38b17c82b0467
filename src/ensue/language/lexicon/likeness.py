"""Compiled: how alike two synsets are by their common ancestors, in six classic measures."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.language.lexicon.kernels import Numbers, Offsets, Reach, WordPairs

PATH, WU_PALMER, LEACOCK_CHODOROW, RESNIK, LIN, JIANG_CONRATH = range(6)


class Hierarchy(NamedTuple):
    """What the measures know of each synset."""

    reach: Reach
    """Its ancestors, itself included."""
    depths: Numbers
    """The most steps up to a root."""
    up: Numbers
    """The fewest steps up to a root."""
    content: NDArray[np.float64]
    """Its information content."""
    bounds: Offsets
    """The end of the nouns, and the end of the verbs; what is beyond has no hierarchy."""
    deepest: Offsets
    """The depth of the nouns' hierarchy, and of the verbs'."""


@compiled
def meet(of: Hierarchy, a: int, b: int) -> tuple[int, float, float]:
    """What the common ancestors of two synsets say.

    Returns:
        The fewest steps from one to the other through a common ancestor, -1 where there is none;
        Wu and Palmer's similarity by the deepest, the greatest where several are as deep; the
        greatest information content of any, 0 where there is none.
    """
    ancestors, steps = of.reach.synsets, of.reach.steps
    i, j = of.reach.offsets[a], of.reach.offsets[b]
    fewest, deepest, wu_palmer, shared = -1, -1, 0.0, 0.0
    while i < of.reach.offsets[a + 1] and j < of.reach.offsets[b + 1]:
        if ancestors[i] < ancestors[j]:
            i += 1
        elif ancestors[i] > ancestors[j]:
            j += 1
        else:
            between = int(steps[i]) + int(steps[j])
            depth = int(of.depths[ancestors[i]])
            score = 2.0 * (depth + 1) / (between + 2.0 * (depth + 1))
            if fewest < 0 or between < fewest:
                fewest = between
            if depth > deepest or (depth == deepest and score > wu_palmer):
                deepest, wu_palmer = depth, score
            shared = max(shared, of.content[ancestors[i]])
            i += 1
            j += 1
    return fewest, wu_palmer, shared


@compiled
def likeness(measure: int, of: Hierarchy, a: int, b: int) -> float:
    """How alike two synsets are by a measure.

    NaN for synsets of two parts of speech, of one without a hierarchy, or without a common root.
    """
    part = 0 if a < of.bounds[0] else 1
    if max(a, b) >= of.bounds[1] or (b < of.bounds[0]) != (part == 0):
        return math.nan
    fewest, wu_palmer, shared = meet(of, a, b)
    if part == 1:  # verbs have many roots; one above them all joins them
        over = int(of.up[a]) + int(of.up[b]) + 2
        if fewest < 0:
            wu_palmer = 2.0 / (over + 2.0)
        if fewest < 0 or over < fewest:
            fewest = over
    if fewest < 0:
        return math.nan
    if measure == PATH:
        return 1.0 / (fewest + 1)
    if measure == WU_PALMER:
        return wu_palmer
    if measure == LEACOCK_CHODOROW:
        return -math.log((fewest + 1) / (2.0 * of.deepest[part]))
    return by_content(measure, a == b, of.content[a], of.content[b], shared)


@compiled
def by_content(measure: int, same: bool, one: float, other: float, shared: float) -> float:
    """The three measures of information content."""
    if measure == RESNIK:
        return shared
    if measure == LIN:
        return 1.0 if same or one + other == 0 else 2.0 * shared / (one + other)
    distance = one + other - 2.0 * shared
    return math.inf if same or distance <= 0 else 1.0 / distance


@compiled
def synset_likenesses(
    measure: int, of: Hierarchy, first: Numbers, second: Numbers
) -> NDArray[np.float64]:
    """`likeness` of many pairs of synsets."""
    found = np.empty(first.size)
    for k in range(first.size):
        found[k] = likeness(measure, of, first[k], second[k])
    return found


@compiled
def word_likenesses(measure: int, of: Hierarchy, pairs: WordPairs) -> NDArray[np.float64]:
    """The greatest `likeness` of any two synsets of each two words; NaN where there are none."""
    found = np.full(pairs.first.size, np.nan)
    for k in range(found.size):
        a, b = pairs.first[k], pairs.second[k]
        for i in range(pairs.offsets[a], pairs.offsets[a + 1]):
            for j in range(pairs.offsets[b], pairs.offsets[b + 1]):
                score = likeness(measure, of, pairs.ids[i], pairs.ids[j])
                if not math.isnan(score) and not score <= found[k]:
                    found[k] = score
    return found
