"""Similarity of concepts in six classic measures over WordNet's hypernyms.

With the fewest steps p between two synsets through a common ancestor, the deepest common ancestor
c, depths d counted in synsets from the root (the root's is 1), the depth D of the hierarchy, and
information content IC:

| measure | formula | source |
| --- | --- | --- |
| path | 1 / (p + 1) | Rada et al. 1989 |
| wu-palmer | 2 d(c) / (steps a to c + steps b to c + 2 d(c)) | Wu and Palmer 1994 |
| leacock-chodorow | -ln((p + 1) / 2D) | Leacock and Chodorow 1998 |
| resnik | max of IC(c) over common ancestors c | Resnik 1995, equation 1 |
| lin | 2 IC(c) / (IC(a) + IC(b)), with Resnik's c | Lin 1998 |
| jiang-conrath | 1 / (IC(a) + IC(b) - 2 IC(c)), with Resnik's c | Jiang and Conrath 1997 |

IC(s) = -ln((1 + n(s)) / (1 + N)), where n(s) counts the occurrences of s and of all below it in the
texts that WordNet's authors tagged (SemCor; cntlist), and N those of its part of speech: add-one
smoothing as in NLTK's `ic(smoothing=1)`. An ancestor reached in two ways counts an occurrence once;
NLTK counts it twice.

For two words, the greatest of any two of their senses. Where NLTK 3 has quirks:

- wu-palmer: NLTK takes the ancestor whose *shortest* way to the root is longest, then the depth by
  its longest way, of several the first by name, and goes there by any way, up and down too; so a
  synset may be unlike itself, and b to a other than a to b. Here the longest way decides both, of
  several the best score counts, and the way is straight up. Of random pairs of nouns' synsets 97 in
  100 have the same score, of verbs' 96; of siblings fewer.
- Verbs have many roots. As in NLTK, one root above them all joins them, for `path` and
  `leacock-chodorow` always; for `wu-palmer` only where there is no other common ancestor, with the
  depth 1 that real roots have too (in NLTK it displaces a real root). It is one step above a synset's
  *nearest* root; NLTK puts it above its furthest ancestor.
- leacock-chodorow: D is NLTK's, the most steps to a root, and one more for verbs (19 and 13).
- Adjectives and adverbs have no hypernyms: nothing is defined, where NLTK joins them by a root too.
- lin of the root with itself is 1, jiang-conrath of synsets without a distance is infinite, and of
  the root with another what the formula says; in NLTK a division by zero, 1e300, and 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.errors import SettingError, UndefinedError, UnknownNameError
from ensue.language.lexicon.kernels import (
    Numbers,
    Offsets,
    Reach,
    Steps,
    WordPairs,
    longest_ways,
    shortest_ways,
)
from ensue.language.lexicon.vocabulary import PARTS, LexiconTable, PartOfSpeech

# Compiled: how alike two synsets are by their common ancestors, in six classic measures.

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


@compiled(over=("first",))
def synset_likenesses(
    measure: int, of: Hierarchy, first: Numbers, second: Numbers
) -> NDArray[np.float64]:
    """`likeness` of many pairs of synsets."""
    found = np.empty(first.size)
    for k in range(first.size):
        found[k] = likeness(measure, of, first[k], second[k])
    return found


@compiled(over=("pairs",))
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


# The classic measures of how alike two concepts are, over WordNet's hypernyms.


class SimilarityMeasure(StrEnum):
    """The measures; the greater, the more alike."""

    PATH = "path"
    WU_PALMER = "wu-palmer"
    LEACOCK_CHODOROW = "leacock-chodorow"
    RESNIK = "resnik"
    LIN = "lin"
    JIANG_CONRATH = "jiang-conrath"

    @property
    def number(self) -> int:
        """By which the kernels know it."""
        return tuple(SimilarityMeasure).index(self)


def measure_called(name: str) -> SimilarityMeasure:
    """The measure of that name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in set(SimilarityMeasure):
        raise UnknownNameError.of("measure", name, map(str, SimilarityMeasure))
    return SimilarityMeasure(name)


def require_hierarchy(part: PartOfSpeech) -> None:
    """Check that a part of speech has a hierarchy.

    Raises:
        UndefinedError: it has none.
    """
    if part not in (PartOfSpeech.NOUN, PartOfSpeech.VERB):
        raise UndefinedError(
            "likeness-two-not-defined",
            f"the likeness of two {part}s is not defined: {part}s have no hypernyms",
            hint="ask for nouns or verbs",
        )


def as_synsets(numbers: Sequence[int] | NDArray[np.integer], n_synsets: int) -> NDArray[np.int32]:
    """Numbers of synsets as the kernels take them.

    Raises:
        SettingError: one is not a synset's.
    """
    found = np.array(numbers, np.int64).reshape(-1)
    wrong = found[(found < 0) | (found >= n_synsets)]
    if wrong.size:
        raise SettingError(
            "no-synset-number",
            f"{int(wrong[0])!r} is no synset's number",
            hint=f"they go from 0 to {n_synsets - 1}",
        )
    return found.astype(np.int32)


def information_content(table: LexiconTable) -> NDArray[np.float64]:
    """Of each synset, with add-one smoothing."""
    starts = table["synsets.starts"]
    totals = np.zeros(len(PARTS), np.int64)
    sense_part = np.searchsorted(starts, table["senses.synset"], "right") - 1
    np.add.at(totals, sense_part, table["senses.count"].astype(np.int64))
    total = np.repeat(totals, np.diff(starts))
    return -np.log((1 + table["synsets.below"]) / (1 + total)) + 0.0


def hierarchy_of(table: LexiconTable, steps: Steps, reach: Reach) -> Hierarchy:
    """What the measures know of each synset."""
    bounds = table["synsets.starts"][1:3].astype(np.int64)
    depths = longest_ways(steps)
    nouns, verbs = depths[: bounds[0]], depths[bounds[0] : bounds[1]]
    deepest = np.array([nouns.max(initial=0), verbs.max(initial=0) + 1], np.int64)
    up = shortest_ways(steps, reach)
    return Hierarchy(reach, depths, up, information_content(table), bounds, deepest)
