"""Compiled inner loops of error mining: the fixed point over many draws, and sets of forms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled


@compiled
def occurrences(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_forms: int,
) -> NDArray[np.int64]:
    """How often each form occurs, where the i-th case counts `weights[i]` times."""
    found = np.zeros(n_forms, np.int64)
    for case in range(weights.size):
        if weights[case] != 0:
            for k in range(offsets[case], offsets[case + 1]):
                found[ids[k]] += weights[case]
    return found


@compiled
def fixed_point(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    n_errors: NDArray[np.int64],
    n_cases: NDArray[np.int64],
    iterations: int,
    tolerance: float,
    rates: NDArray[np.float64],
) -> int:
    """Write each form's suspicion rate to `rates`, and return the iterations that it took.

    An iteration multiplies the rate of a form by what it gets of each error case for one unit of
    its own rate, Σ 1/(rates of the case's forms), over its occurrences: one sum and one division a
    case. No sum is 0: an error case has given its forms one unit, so their rates sum to at least 1
    over the number of cases.

    Args:
        offsets: Where each case's forms begin in `ids`, with the end of the last.
        ids: The forms of all cases.
        n_errors: How many times each case is an error.
        n_cases: In how many cases each form occurs.
        iterations: How many to do.
        tolerance: Stop earlier where no rate moves by more than this; below 0, never.
        rates: One for each form; overwritten.
    """
    erring = np.flatnonzero(n_errors)
    gained = np.zeros(rates.size)
    for case in erring:
        size = offsets[case + 1] - offsets[case]
        for k in range(offsets[case], offsets[case + 1]):
            gained[ids[k]] += n_errors[case] / size
    for form in range(rates.size):
        rates[form] = gained[form] / n_cases[form] if n_cases[form] > 0 else 0.0
    for done in range(1, iterations):
        gained[:] = 0.0
        for case in erring:
            start, end = offsets[case], offsets[case + 1]
            total = 0.0
            for k in range(start, end):
                total += rates[ids[k]]
            if end > start:
                unit = n_errors[case] / total
                for k in range(start, end):
                    gained[ids[k]] += unit
        moved = 0.0
        for form in range(rates.size):
            if n_cases[form] > 0:
                rate = rates[form] * gained[form] / n_cases[form]
                moved = max(moved, abs(rate - rates[form]))
                rates[form] = rate
        if moved <= tolerance:
            return done + 1
    return iterations


@compiled
def fixed_points(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    n_errors: NDArray[np.int64],
    n_cases: NDArray[np.int64],
    n_forms: int,
    iterations: int,
    tolerance: float,
) -> NDArray[np.float64]:
    """The suspicion rates of many draws: draws × forms, NaN where a draw lacks the form.

    Args:
        offsets: Where the forms of each kind of case begin in `ids`, with the end of the last.
        ids: The forms of all kinds of cases.
        n_errors: Draws × kinds of cases: how many of the kind are errors.
        n_cases: Draws × kinds of cases: how many of the kind there are.
        n_forms: How many forms there are.
        iterations: As in `fixed_point`.
        tolerance: As in `fixed_point`.
    """
    rates = np.empty((n_errors.shape[0], n_forms))
    for draw in range(n_errors.shape[0]):
        found = occurrences(offsets, ids, n_cases[draw], n_forms)
        fixed_point(offsets, ids, n_errors[draw], found, iterations, tolerance, rates[draw])
        for form in range(n_forms):
            if found[form] == 0:
                rates[draw, form] = np.nan
    return rates


@compiled
def two_by_two(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], n_found: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Every two forms of every case: the case, the first and the second."""
    cases = np.empty(n_found, np.int64)
    first = np.empty(n_found, np.int32)
    second = np.empty(n_found, np.int32)
    at = 0
    for case in range(offsets.size - 1):
        for i in range(offsets[case], offsets[case + 1]):
            for j in range(i + 1, offsets[case + 1]):
                cases[at] = case
                first[at] = ids[i]
                second[at] = ids[j]
                at += 1
    return cases, first, second


@compiled
def deal(kinds: NDArray[np.int64], uniform: NDArray[np.float64], n_kinds: int) -> NDArray[np.int64]:
    """Draw cases without replacement, many times: draws × kinds of cases, how many of each.

    The first steps of Fisher and Yates' shuffle. `kinds` is reordered; whatever its order, what
    comes first after a shuffle is a random choice, so no draw needs the original order.

    Args:
        kinds: The kind of each case.
        uniform: Draws × cases to draw: random numbers in [0, 1).
        n_kinds: How many kinds there are.
    """
    drawn = np.zeros((uniform.shape[0], n_kinds), np.int64)
    for draw in range(uniform.shape[0]):
        for i in range(uniform.shape[1]):
            j = i + np.int64(uniform[draw, i] * (kinds.size - i))
            kinds[i], kinds[j] = kinds[j], kinds[i]
            drawn[draw, kinds[i]] += 1
    return drawn


# Pair the tags of very many cases.

Integers = NDArray[np.int64]


@compiled
def n_tag_pairs(
    cases: Integers, starts: Integers, predicates: Integers, hypotheses: Integers, texts: Integers
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
    cases: Integers,
    starts: Integers,
    predicates: Integers,
    hypotheses: Integers,
    texts: Integers,
    hypothesis_tags: Integers,
    text_tags: Integers,
    n_text_tags: int,
    n_found: int,
) -> tuple[Integers, Integers]:
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
