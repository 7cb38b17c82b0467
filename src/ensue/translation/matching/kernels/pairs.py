"""Align the words of many outputs with those of their references, and count what matched."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.translation.matching.kernels.flow import most_covered
from ensue.translation.matching.kernels.search import best_links, n_chunks
from ensue.translation.matching.kernels.stages import (
    NO_STAGE,
    SYNONYM,
    Int32,
    Int64,
    Words,
    match_edges,
    side_of,
    stage_of,
)


class Aligned(NamedTuple):
    """The alignments of many pairs."""

    links: Int32
    """For each word of each output, its place in the reference; -1 for none."""
    stages: NDArray[np.int8]
    """How each was matched; `NO_STAGE` for none."""
    chunks: Int64
    """For each pair."""
    covered: Int64
    """Pairs × stages: the most words that this stage and those before it can match."""
    is_best: NDArray[np.bool_]
    """Whether the pair's alignment is known to be the best."""


@compiled
def _align_pair(
    words: Words, output_ids: Int32, reference_ids: Int32, width: int
) -> tuple[Int32, Int64, bool]:
    """The links of a pair, what each stage can cover, and whether the links are surely the best."""
    output, reference = side_of(output_ids), side_of(reference_ids)
    edges = match_edges(words, output, reference)
    covered = np.empty(NO_STAGE, np.int64)
    for stage in range(NO_STAGE):
        covered[stage] = most_covered(output, reference, edges, stage)
    links, is_best = best_links(output, reference, edges, covered[SYNONYM], width)
    return links, covered, is_best


@compiled
def align_pairs(
    words: Words,
    ids: Int32,
    output: NDArray[np.int64],
    reference: NDArray[np.int64],
    width: int,
) -> Aligned:
    """Align many pairs.

    Args:
        words: What is known of the distinct words.
        ids: The numbers of words, string after string.
        output: Pairs × 2: where the output's words start and end in `ids`.
        reference: Pairs × 2: likewise.
        width: How many partial alignments to carry along.
    """
    n = output.shape[0]
    sizes = output[:, 1] - output[:, 0]
    links = np.empty(sizes.sum(), np.int32)
    stages = np.empty(links.size, np.int8)
    chunks = np.empty(n, np.int64)
    covered = np.empty((n, NO_STAGE), np.int64)
    is_best = np.empty(n, np.bool_)
    at = 0
    for p in range(n):
        output_ids = ids[output[p, 0] : output[p, 1]]
        reference_ids = ids[reference[p, 0] : reference[p, 1]]
        found, covered[p], is_best[p] = _align_pair(words, output_ids, reference_ids, width)
        chunks[p] = n_chunks(found)
        for i in range(found.size):
            links[at] = found[i]
            stages[at] = NO_STAGE
            if found[i] >= 0:
                stages[at] = stage_of(words, output_ids[i], reference_ids[found[i]])
            at += 1
    return Aligned(links, stages, chunks, covered, is_best)


@compiled
def count_matches(
    aligned: Aligned,
    ids: Int32,
    output: NDArray[np.int64],
    reference: NDArray[np.int64],
    is_function: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs × (stages and all) × (content, function words), of the outputs and of the references.

    The last row of each pair counts all words, matched or not.
    """
    n = output.shape[0]
    of_output = np.zeros((n, NO_STAGE + 1, 2), np.int64)
    of_reference = np.zeros((n, NO_STAGE + 1, 2), np.int64)
    at = 0
    for p in range(n):
        for i in range(output[p, 0], output[p, 1]):
            own = np.int64(is_function[ids[i]])
            of_output[p, NO_STAGE, own] += 1
            if aligned.links[at] >= 0:
                other = ids[reference[p, 0] + aligned.links[at]]
                of_output[p, aligned.stages[at], own] += 1
                of_reference[p, aligned.stages[at], np.int64(is_function[other])] += 1
            at += 1
        for j in range(reference[p, 0], reference[p, 1]):
            of_reference[p, NO_STAGE, np.int64(is_function[ids[j]])] += 1
    return of_output, of_reference
