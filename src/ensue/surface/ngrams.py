"""Compiled n-gram counts: clipped matches, weighted coverage, several references."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.surface.interning import FREE, key_slot, pair_key

# Count clipped n-gram matches, and weighted coverage, between two sides given as token numbers.


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

        mask = 3
        while mask + 1 < 2 * t:
            mask = 2 * mask + 1
        for length in range(2, order + 1):
            if total == 0 or t < length:
                break
            key_at[: mask + 1] = FREE
            hopeful = 0
            for i in range(t - length + 1):
                last = token[i + length - 1]
                prefix = gram[i]
                if prefix < 0 or in_reference[prefix] == 0 or token_in_reference[last] == 0:
                    gram[i] = -1
                    continue
                key = pair_key(prefix, last)
                slot = key_slot(key_at, key, mask)
                if key_at[slot] == FREE:
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
                key = pair_key(prefix, last)
                slot = key_slot(key_at, key, mask)
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


# Match n-grams of outputs with several references, and weigh the matches by their information.

Numbers = NDArray[np.int64]
Slots = NDArray[np.uint64]


@compiled
def slot_of(table: Slots, prefix: int, word: int) -> int:
    """The slot of the n-gram that adds a word to another, or the free one where it would go.

    Args:
        table: Slots, a power of 2 of them, not all taken: the numbers of an n-gram's prefix and last
            word in one, and the n-gram's own. Side by side they are fetched together.
        prefix: The n-gram without its last word.
        word: The last word.
    """
    return key_slot(table[:, 0], pair_key(prefix, word), len(table) - 1)


@compiled
def count_ngrams(
    ids: NDArray[np.int32],
    bounds: Numbers,
    words: Numbers,
    order: int,
    table: Slots,
    prefixes: NDArray[np.int32],
    counts: Numbers,
    n_ngrams: int,
) -> int:
    """Count the n-grams of some strings, and return how many different ones there are then.

    Args:
        ids: The numbers of all tokens.
        bounds: Where each string's tokens begin in `ids`, with the end of the last.
        words: For each token number, that of the word among the n-grams.
        order: The longest n-gram.
        table: The n-grams of two words and more, see `slot_of`; at most half of it will be taken.
        prefixes: Each n-gram without its last word.
        counts: How often each n-gram was seen; the first is the empty one, seen at every word.
        n_ngrams: How many different ones there are, the words among them.
    """
    for s in range(bounds.size - 1):
        end = bounds[s + 1]
        for i in range(bounds[s], end):
            counts[0] += 1
            ngram = words[ids[i]]
            counts[ngram] += 1
            for j in range(i + 1, min(i + order, end)):
                word = words[ids[j]]
                slot = slot_of(table, ngram, word)
                if table[slot, 0] == FREE:
                    table[slot, 0] = pair_key(ngram, word)
                    table[slot, 1] = np.uint64(n_ngrams)
                    prefixes[n_ngrams] = ngram
                    counts[n_ngrams] = 0
                    n_ngrams += 1
                ngram = np.int64(table[slot, 1])
                counts[ngram] += 1
    return n_ngrams


@compiled
def rehash(table: Slots, larger: Slots) -> None:
    """Enter the n-grams of one table in another."""
    for i in range(len(table)):
        key = table[i, 0]
        if key != FREE:
            slot = key_slot(larger[:, 0], key, len(larger) - 1)
            larger[slot, 0] = key
            larger[slot, 1] = table[i, 1]


@compiled
def matched_ngrams(
    ids: NDArray[np.int32],
    bounds: Numbers,
    outputs: Numbers,
    references: Numbers,
    first: Numbers,
    n_distinct: int,
    order: int,
    words: Numbers,
    table: Slots,
    weights: NDArray[np.float64],
) -> tuple[Numbers, NDArray[np.float64], int]:
    """Clipped matches of each order for each output, and the information of those matches.

    An n-gram counts as often as the output has it, but no more often than the reference that has
    it most often. As in `clipped_matches`, n-grams are numbered from the number of their first n-1
    tokens and their last token, and those that cannot match are not looked at. Information is
    summed in the order in which the output has its n-grams first.

    Args:
        ids: The numbers of all tokens.
        bounds: Where each string's tokens begin in `ids`, with the end of the last.
        outputs: The string of each output.
        references: The strings of all references.
        first: Where each output's references begin in `references`, with the end of the last.
        n_distinct: How many different token numbers there are.
        order: The longest n-gram.
        words: For each token number, that of the word among the n-grams, -1 for none; empty where no
            information is asked for.
        table: The n-grams of two words and more, see `slot_of`.
        weights: The information of each n-gram.

    Returns:
        Matches, their information, and the first output with a match that has none (-1 for
        all have).
    """
    n = outputs.size
    matches = np.zeros((n, order), np.int64)
    gains = np.zeros((n, order), np.float64)
    weighed = words.size > 0
    longest, most = 1, 1
    for s in range(n):
        longest = max(longest, bounds[outputs[s] + 1] - bounds[outputs[s]])
        size = 0
        for r in range(first[s], first[s + 1]):
            size += bounds[references[r] + 1] - bounds[references[r]]
        most = max(most, size)
    # a token's number inside the segment at hand, above a base that grows with each segment, so
    # that what an earlier one left is seen to be below it
    local_of = np.full(n_distinct, -1, np.int64)
    base = 0
    token = np.empty(longest, np.int32)  # local number of each output token
    gram = np.empty(longest, np.int32)  # number of the n-gram that starts here, -1 if hopeless
    reference_token = np.empty(most, np.int32)
    reference_gram = np.empty(most, np.int32)
    token_in_reference = np.empty(longest, np.int64)
    in_output = np.empty(longest, np.int64)
    in_reference = np.empty(longest, np.int64)
    in_this = np.empty(longest, np.int64)
    known_as = np.empty(longest, np.int64)  # the number of each n-gram among those with information
    prefix_of = np.empty(longest, np.int64)
    last_of = np.empty(longest, np.int64)
    capacity = 4
    while capacity < 2 * longest:
        capacity *= 2
    key_at = np.empty(capacity, np.uint64)
    gram_at = np.empty(capacity, np.int32)

    for s in range(n):
        begin = bounds[outputs[s]]
        t = bounds[outputs[s] + 1] - begin
        n_grams = 0
        for i in range(t):
            word = ids[begin + i]
            local = local_of[word] - base
            if local < 0:
                local = n_grams
                local_of[word] = base + local
                in_output[local] = 0
                token_in_reference[local] = 0
                last_of[local] = words[word] if weighed else 0
                n_grams += 1
            token[i] = local
            gram[i] = local
            in_output[local] += 1
        at = 0
        for r in range(first[s], first[s + 1]):
            for g in range(n_grams):
                in_this[g] = 0
            for i in range(bounds[references[r]], bounds[references[r] + 1]):
                local = max(local_of[ids[i]] - base, -1)
                reference_token[at] = local
                reference_gram[at] = local
                at += 1
                if local >= 0:
                    in_this[local] += 1
            for g in range(n_grams):
                token_in_reference[g] = max(token_in_reference[g], in_this[g])
        for g in range(n_grams):
            in_reference[g] = token_in_reference[g]

        mask = 3
        while mask + 1 < 2 * t:
            mask = 2 * mask + 1
        for length in range(1, order + 1):
            if length > 1:
                for i in range(mask + 1):
                    key_at[i] = FREE
                n_grams = 0
                for i in range(t - length + 1):
                    last = token[i + length - 1]
                    prefix = gram[i]
                    if prefix < 0 or in_reference[prefix] == 0 or token_in_reference[last] == 0:
                        gram[i] = -1
                        continue
                    key = pair_key(prefix, last)
                    slot = key_slot(key_at, key, mask)
                    if key_at[slot] == FREE:
                        key_at[slot] = key
                        gram_at[slot] = n_grams
                        if weighed:
                            prefix_of[n_grams] = known_as[prefix]
                            last_of[n_grams] = words[ids[begin + i + length - 1]]
                        n_grams += 1
                    gram[i] = gram_at[slot]
                for g in range(n_grams):
                    in_output[g] = 0
                    in_reference[g] = 0
                for i in range(t - length + 1):
                    if gram[i] >= 0:
                        in_output[gram[i]] += 1
                at = 0
                for r in range(first[s], first[s + 1]):
                    size = bounds[references[r] + 1] - bounds[references[r]]
                    for g in range(n_grams):
                        in_this[g] = 0
                    for i in range(at, at + size - length + 1):
                        prefix = reference_gram[i]
                        last = reference_token[i + length - 1]
                        reference_gram[i] = -1
                        if prefix < 0 or last < 0:
                            continue
                        key = pair_key(prefix, last)
                        slot = key_slot(key_at, key, mask)
                        if key_at[slot] == key:
                            reference_gram[i] = gram_at[slot]
                            in_this[gram_at[slot]] += 1
                    for g in range(n_grams):
                        in_reference[g] = max(in_reference[g], in_this[g])
                    at += size
            total = 0
            for g in range(n_grams):
                matched = min(in_output[g], in_reference[g])
                total += matched
                if weighed and matched > 0:
                    found = last_of[g]
                    if found >= 0 and length > 1:
                        place = slot_of(table, prefix_of[g], found)
                        found = np.int64(table[place, 1]) if table[place, 0] != FREE else -1
                    if found < 0:
                        return matches, gains, s
                    known_as[g] = found
                    gains[s, length - 1] += matched * weights[found]
            matches[s, length - 1] = total
            if total == 0 or t <= length:
                break
        base += t
    return matches, gains, -1
