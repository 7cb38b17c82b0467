"""Compiled inner loops of mining what does not fit into memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

Numbers = NDArray[np.int64]


@compiled
def n_tag_pairs(
    cases: Numbers, starts: Numbers, predicates: Numbers, hypotheses: Numbers, texts: Numbers
) -> int:
    """How many pairs `pair_tags` makes."""
    found = 0
    for case in cases:
        for i in range(starts[case], starts[case + 1]):
            for j in range(starts[case], starts[case + 1]):
                if predicates[i] == predicates[j]:
                    found += (hypotheses[i + 1] - hypotheses[i]) * (texts[j + 1] - texts[j])
    return found


@compiled
def pair_tags(
    cases: Numbers,
    starts: Numbers,
    predicates: Numbers,
    hypotheses: Numbers,
    texts: Numbers,
    hypothesis_tags: Numbers,
    text_tags: Numbers,
    n_text_tags: int,
    n_found: int,
) -> tuple[Numbers, Numbers]:
    """Pair each tag in the hypothesis with each in the text of the same predicate.

    Args:
        cases: The cases to look at.
        starts: Where the entries of each case begin, with the end of the last.
        predicates: The predicate of each entry.
        hypotheses: Where the hypothesis' tags of each entry begin, with the end of the last.
        texts: The same for the text's.
        hypothesis_tags: All tags in hypotheses.
        text_tags: All tags in texts.
        n_text_tags: How many different ones there are.
        n_found: What `n_tag_pairs` says.

    Returns:
        The case of each pair, and hypothesis tag · n_text_tags + text tag.
    """
    of_case = np.empty(n_found, np.int64)
    codes = np.empty(n_found, np.int64)
    at = 0
    for case in cases:
        for i in range(starts[case], starts[case + 1]):
            for j in range(starts[case], starts[case + 1]):
                if predicates[i] != predicates[j]:
                    continue
                for h in range(hypotheses[i], hypotheses[i + 1]):
                    for t in range(texts[j], texts[j + 1]):
                        of_case[at] = case
                        codes[at] = hypothesis_tags[h] * n_text_tags + text_tags[t]
                        at += 1
    return of_case, codes


@compiled
def tally(
    profiles: Numbers,
    rows: Numbers,
    confidence: NDArray[np.float64],
    kept: NDArray[np.bool_],
    n_cases: Numbers,
    first_rows: Numbers,
    shelves: Numbers,
    n_shelves: int,
    kept_confidence: NDArray[np.float64],
    kept_rows: Numbers,
) -> int:
    """Count cases by profile, keep the few of each that come first, and return the shelves in use.

    Those come first in whose answer the run has most confidence, and of equal ones the earliest.

    Args:
        profiles: The profile of each case.
        rows: The number of each case in the gold.
        confidence: The run's in each case; −1 where there is none.
        kept: Which cases may be kept: all of a profile, or none.
        n_cases: For each profile, how many cases it has; raised.
        first_rows: For each profile, its earliest case; lowered.
        shelves: For each profile, where its cases are kept; −1 where none is, yet.
        n_shelves: How many are in use.
        kept_confidence: Shelves × places: in order, −2 where a place is empty.
        kept_rows: Shelves × places: the numbers of these cases.
    """
    width = kept_rows.shape[1]
    for i in range(profiles.size):
        profile = profiles[i]
        n_cases[profile] += 1
        first_rows[profile] = min(first_rows[profile], rows[i])
        if not kept[i] or width == 0:
            continue
        if shelves[profile] < 0:
            shelves[profile] = n_shelves
            n_shelves += 1
        confidences, places = kept_confidence[shelves[profile]], kept_rows[shelves[profile]]
        place = width
        while place > 0 and (
            confidence[i] > confidences[place - 1]
            or (confidence[i] == confidences[place - 1] and rows[i] < places[place - 1])
        ):
            place -= 1
        for k in range(width - 1, place, -1):
            confidences[k] = confidences[k - 1]
            places[k] = places[k - 1]
        if place < width:
            confidences[place] = confidence[i]
            places[place] = rows[i]
    return n_shelves
