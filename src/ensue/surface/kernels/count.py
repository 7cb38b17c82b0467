"""Count clipped n-gram matches, and weighted coverage, between two sides given as token numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)


@compiled
def clipped_matches(
    ids: NDArray[np.int32],
    test: NDArray[np.int64],
    reference: NDArray[np.int64],
    n_distinct: int,
    order: int,
) -> NDArray[np.int64]:
    """Clipped matches of each order for each pair of strings.

    An n-gram is numbered from the number of its first n-1 tokens and its last token, so that no
    two different n-grams ever count as one. An n-gram of the test whose beginning or end does
    not occur in the reference cannot match and is not looked at.

    Args:
        ids: The numbers of all tokens.
        test: Where each test string's tokens begin in `ids`, with the end of the last.
        reference: The same for the reference strings.
        n_distinct: How many different token numbers there are.
        order: The longest n-gram.
    """
    n = test.size - 1
    matches = np.zeros((n, order), np.int64)
    longest, longest_reference = 1, 1
    for p in range(n):
        longest = max(longest, test[p + 1] - test[p])
        longest_reference = max(longest_reference, reference[p + 1] - reference[p])
    # a token's number inside the pair at hand, above a base that grows with each pair, so that
    # what an earlier pair left is seen to be below it
    local_of = np.full(n_distinct, -1, np.int64)
    base = 0
    token = np.empty(longest, np.int32)  # local number of each test token
    gram = np.empty(longest, np.int32)  # number of the n-gram that starts here, -1 if hopeless
    reference_token = np.empty(longest_reference, np.int32)
    reference_gram = np.empty(longest_reference, np.int32)
    token_in_reference = np.empty(longest, np.int64)
    in_test = np.empty(longest, np.int64)
    in_reference = np.empty(longest, np.int64)
    capacity = 4
    while capacity < 2 * longest:
        capacity *= 2
    key_at = np.empty(capacity, np.uint64)
    gram_at = np.empty(capacity, np.int32)

    for p in range(n):
        t0, t = test[p], test[p + 1] - test[p]
        r0, r = reference[p], reference[p + 1] - reference[p]
        n_grams = 0
        for i in range(t):
            word = ids[t0 + i]
            local = local_of[word] - base
            if local < 0:
                local = n_grams
                local_of[word] = base + local
                in_test[local] = 0
                token_in_reference[local] = 0
                n_grams += 1
            token[i] = local
            gram[i] = local
            in_test[local] += 1
        for i in range(r):
            word = ids[r0 + i]
            local = max(local_of[word] - base, -1)
            reference_token[i] = local
            reference_gram[i] = local
            if local >= 0:
                token_in_reference[local] += 1
        total = 0
        for g in range(n_grams):
            in_reference[g] = token_in_reference[g]
            total += min(in_test[g], in_reference[g])
        matches[p, 0] = total

        mask, shift = 3, 62
        while mask + 1 < 2 * t:
            mask = 2 * mask + 1
            shift -= 1
        for length in range(2, order + 1):
            if total == 0 or t < length:
                break
            key_at[: mask + 1] = _FREE
            hopeful = 0
            for i in range(t - length + 1):
                last = token[i + length - 1]
                prefix = gram[i]
                if prefix < 0 or in_reference[prefix] == 0 or token_in_reference[last] == 0:
                    gram[i] = -1
                    continue
                key = (np.uint64(prefix) << np.uint64(32)) | np.uint64(last)
                slot = np.int64((key * _PRIME) >> np.uint64(shift))
                while key_at[slot] != key and key_at[slot] != _FREE:
                    slot = (slot + 1) & mask
                if key_at[slot] == _FREE:
                    key_at[slot] = key
                    gram_at[slot] = hopeful
                    hopeful += 1
                gram[i] = gram_at[slot]
            for g in range(hopeful):
                in_test[g] = 0
                in_reference[g] = 0
            for i in range(t - length + 1):
                if gram[i] >= 0:
                    in_test[gram[i]] += 1
            for i in range(r - length + 1):
                prefix = reference_gram[i]
                last = reference_token[i + length - 1]
                reference_gram[i] = -1
                if prefix < 0 or last < 0:
                    continue
                key = (np.uint64(prefix) << np.uint64(32)) | np.uint64(last)
                slot = np.int64((key * _PRIME) >> np.uint64(shift))
                while key_at[slot] != key and key_at[slot] != _FREE:
                    slot = (slot + 1) & mask
                if key_at[slot] == key:
                    reference_gram[i] = gram_at[slot]
                    in_reference[gram_at[slot]] += 1
            total = 0
            for g in range(hopeful):
                total += min(in_test[g], in_reference[g])
            matches[p, length - 1] = total
        base += t
    return matches


@compiled
def covered_weight(
    ids: NDArray[np.int32],
    test: NDArray[np.int64],
    reference: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weight of each test string's tokens that occur in its reference, and of all of them."""
    n = test.size - 1
    covered = np.zeros(n)
    total = np.zeros(n)
    stamp_of = np.full(weights.size, -1, np.int64)
    for p in range(n):
        for i in range(reference[p], reference[p + 1]):
            stamp_of[ids[i]] = p
        for i in range(test[p], test[p + 1]):
            weight = weights[ids[i]]
            total[p] += weight
            if stamp_of[ids[i]] == p:
                covered[p] += weight
    return covered, total
