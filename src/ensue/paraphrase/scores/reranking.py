"""Reranking of candidates by DIMPLE gain, given their qualities, by a compiled search.

Shima & Mitamura (2011) leave it as future work: where Q is at hand, DIMPLE can serve as the
criterion by which lists are learned, and not only as the measure by which they are judged.

A search asks for single steps; the pass over lists as they are (`ensue.paraphrase.scores.measures`) is
one loop for the sake of speed, and has none to share.

A pattern's words meet the history if and only if they meet those of a pattern that made it grow. So
all that Algorithm 1 asks of a list is which patterns share a word, which share a stem, and what the
term has seen of each: bits of whole numbers.

An order is worth what its patterns have as D, and those with D = 3 may as well stand first, those
with D = 2 next and those with D = 1 last: what is seen already makes no history grow, so that it
hurts nobody and is hurt by nobody there. Hence the best order is the best choice of a D for each
pattern, none above what the term leaves it, such that no two of those above 1 share a word and no
two of those with 3 share a stem (a weighted independent set in two layers). Any such choice is an
order worth at least as much; branch and bound goes through the choices, and not through n! orders.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.errors import DataError, SettingError
from ensue.paraphrase.lists import LARGEST_DIVERSITY, Indices, Numbers, RankedLists, require_range
from ensue.paraphrase.words import PatternWords, pattern_words
from ensue.statistics import ratio

# Algorithm 1 of Shima & Mitamura (2011) step by step, on numbers for words, and the greedy
# order.

UNSEEN, ROOT_SEEN, WORD_SEEN = 3, 2, 1
"""D of a pattern."""


class ContentWords(NamedTuple):
    """The content words of strings: of all patterns, then of the terms of their lists."""

    ids: NDArray[np.int32]
    """The numbers of the words, string after string."""
    offsets: NDArray[np.int64]
    """Where each string's words begin in `ids`, with the end of the last."""
    stems: NDArray[np.int32]
    """For each number of a word that of its stem."""


class History(NamedTuple):
    """What was seen, by the time at which it was; a new list begins at a new time."""

    words: NDArray[np.int64]
    stems: NDArray[np.int64]
    now: NDArray[np.int64]
    """One number."""


def empty_history(words: ContentWords) -> History:
    """A history in which nothing was seen."""
    n_stems = int(words.stems.max(initial=-1)) + 1
    return History(
        np.zeros(words.stems.size, np.int64), np.zeros(n_stems, np.int64), np.zeros(1, np.int64)
    )


@compiled
def begin(history: History, words: ContentWords, term: int) -> None:
    """Forget all, and see the term (lines 1 and 2)."""
    history.now[0] += 1
    remember(history, words, term)


@compiled
def remember(history: History, words: ContentWords, i: int) -> None:
    """See the words of a string (lines 14 and 15)."""
    ids, stems, now = words.ids, words.stems, history.now[0]
    seen, seen_stems = history.words, history.stems
    for place in range(words.offsets[i], words.offsets[i + 1]):
        seen[ids[place]] = now
        seen_stems[stems[ids[place]]] = now


@compiled
def pattern_diversity(history: History, words: ContentWords, i: int) -> int:
    """D of a pattern (lines 6 to 12); the history is to grow where it is more than 1."""
    ids, stems, now = words.ids, words.stems, history.now[0]
    seen, seen_stems = history.words, history.stems
    found = UNSEEN if words.offsets[i] < words.offsets[i + 1] else WORD_SEEN
    for place in range(words.offsets[i], words.offsets[i + 1]):
        if seen[ids[place]] == now:
            return WORD_SEEN
        if seen_stems[stems[ids[place]]] == now:
            found = ROOT_SEEN
    return found


@compiled
def cumulative_gain(
    order: NDArray[np.int64],
    places: int,
    term: int,
    words: ContentWords,
    history: History,
    gains: NDArray[np.float64],
) -> float:
    """The sum of the gains of the first patterns of an order.

    Args:
        order: The patterns of one list.
        places: How many of them count.
        term: The string that is the list's term.
        words: Of patterns and terms.
        history: Room for what is seen.
        gains: Patterns × D: 2^(Q·D) − 1 for D = 1, 2, 3.
    """
    begin(history, words, term)
    total = 0.0
    for i in order[:places]:
        d = pattern_diversity(history, words, i)
        if d > WORD_SEEN:
            remember(history, words, i)
        total += gains[i, d - 1]
    return total


@compiled
def greedy_order(
    given: NDArray[np.int64],
    places: int,
    term: int,
    words: ContentWords,
    history: History,
    gains: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Take the pattern of the largest gain for each place; of equal ones that which stands first.

    D only falls while the history grows. So a gain that was true earlier is a bound now: what comes
    from the top of the heap and still has its gain is best, and no pattern comes back more than
    twice. A list of n patterns takes n log n steps. Those behind the places keep their order.
    """
    begin(history, words, term)
    heap = [(-gains[i, 2], at, 3) for at, i in enumerate(given)]
    heapify(heap)
    is_left = np.ones(given.size, np.bool_)
    order = np.empty(given.size, np.int64)
    n_placed = 0
    while n_placed < places:
        _, at, assumed = heappop(heap)
        i = given[at]
        d = pattern_diversity(history, words, i)
        if d < assumed:
            heappush(heap, (-gains[i, d - 1], at, d))
            continue
        if d > WORD_SEEN:
            remember(history, words, i)
        order[n_placed] = i
        is_left[at] = False
        n_placed += 1
    order[places:] = given[is_left]
    return order


# The best order of a short list.

TIE = 1e-9
"""Orders whose sums of gains differ by less are equally good."""
_ROUNDING = 1e-10
"""A bound that is above the best by less is not above it."""


_LEFT, _PLACES, _WORDED, _STEMMED, _NEXT = range(5)
"""Columns of a node: numbers to decide and places to fill, who has a D above 1 (or made the history
grow before), who has a D of 3 (or did), and the D to try next."""
_OUT, _NONE = 0, -1
"""To give no place, and that nothing is left to try."""


class Relations(NamedTuple):
    """What there is to know of a list's patterns, which are numbered by falling quality."""

    patterns: NDArray[np.int64]
    """The pattern that has each number."""
    gains: NDArray[np.float64]
    """Numbers × D."""
    most: NDArray[np.int64]
    """The D that the term leaves each."""
    words: NDArray[np.int64]
    """With which others each shares a word: a bit for each number."""
    stems: NDArray[np.int64]
    """With which others each shares a stem."""


@compiled
def relations(
    given: NDArray[np.int64],
    term: int,
    words: ContentWords,
    history: History,
    gains: NDArray[np.float64],
) -> Relations:
    """Hold every two patterns of a list against each other."""
    n = given.size
    patterns = given[np.argsort(-gains[given, 0], kind="mergesort")]
    begin(history, words, term)
    most = np.array([pattern_diversity(history, words, i) for i in patterns], np.int64)
    share_words, share_stems = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for a in range(n):
        for b in range(a):
            shared = _shared(words, patterns[a], patterns[b])
            if shared < UNSEEN:
                share_stems[a] |= 1 << b
                share_stems[b] |= 1 << a
            if shared == WORD_SEEN:
                share_words[a] |= 1 << b
                share_words[b] |= 1 << a
    return Relations(patterns, gains[patterns], most, share_words, share_stems)


@compiled
def _shared(words: ContentWords, a: int, b: int) -> int:
    """D of one of two patterns behind the other, if there were nothing else."""
    ids, offsets, stems = words.ids, words.offsets, words.stems
    found = UNSEEN
    for i in range(offsets[a], offsets[a + 1]):
        for j in range(offsets[b], offsets[b + 1]):
            if ids[i] == ids[j]:
                return WORD_SEEN
            if stems[ids[i]] == stems[ids[j]]:
                found = ROOT_SEEN
    return found


@compiled
def _diversity(known: Relations, a: int, worded: int, stemmed: int) -> int:
    """The D that a number can have where words and stems of some are seen."""
    if known.words[a] & worded:
        return WORD_SEEN
    most: int = known.most[a]
    return min(most, ROOT_SEEN) if known.stems[a] & stemmed else most


@compiled
def _bound(known: Relations, left: int, places: int, worded: int, stemmed: int) -> float:
    """What the places can be worth at most: nobody left hurts another, or nobody is hurt at all."""
    unhurt, ideal = 0.0, 0.0
    n = 0
    for a in range(known.most.size):
        if left >> a & 1:
            unhurt += known.gains[a, _diversity(known, a, worded, stemmed) - 1]
            if n < places:
                ideal += known.gains[a, known.gains.shape[1] - 1]
            n += 1
    return min(unhurt, ideal)


@compiled
def largest_sum(
    known: Relations,
    left: int,
    places: int,
    grown: int,
    so_far: float,
    best: float,
    enough: float,
) -> float:
    """The largest sum of gains with the places filled from those left, or `best` if that is larger.

    Each number in turn gets the largest D that it can have, then smaller ones, then no place. Less
    than can be had is tried for the sake of those behind only.

    Args:
        known: The list.
        left: A bit for each number that is not placed yet.
        places: How many of them are to be placed; no more than there are.
        grown: A bit for each that is placed and made the history grow.
        so_far: The sum of gains of those placed.
        best: A sum that is reached already.
        enough: Any larger sum will do.
    """
    # nodes are kept by hand: numba 0.68 crashes on a kernel that calls itself and comes from its cache
    numbers = np.array([a for a in range(known.most.size) if left >> a & 1], np.int64)
    nodes = np.zeros((numbers.size + 1, 5), np.int64)
    sums = np.zeros(numbers.size + 1)
    nodes[0, :4] = left, places, grown, grown
    sums[0] = so_far
    at = 0
    _enter(known, numbers, nodes, sums, at, best)
    if places == 0:
        best = max(best, so_far)
    while at >= 0 and best <= enough:
        d = nodes[at, _NEXT]
        if d == _NONE:
            at -= 1
            continue
        _descend(known, numbers, nodes, sums, at, d)
        at += 1
        if nodes[at, _PLACES] == 0:
            best = max(best, sums[at])
        _enter(known, numbers, nodes, sums, at, best)
    return best


@compiled
def _enter(
    known: Relations,
    numbers: NDArray[np.int64],
    nodes: NDArray[np.int64],
    sums: NDArray[np.float64],
    at: int,
    best: float,
) -> None:
    """Say what to try first at a node: nothing, if it cannot lead above the best."""
    left, places, worded, stemmed, _ = nodes[at]
    nodes[at, _NEXT] = _NONE
    if places > 0 and sums[at] + _bound(known, left, places, worded, stemmed) > best + _ROUNDING:
        nodes[at, _NEXT] = _diversity(known, numbers[at], worded, stemmed)


@compiled
def _descend(
    known: Relations,
    numbers: NDArray[np.int64],
    nodes: NDArray[np.int64],
    sums: NDArray[np.float64],
    at: int,
    d: int,
) -> None:
    """Make the node below by a decision, and say what to try after it."""
    bit = 1 << numbers[at]
    nodes[at + 1] = nodes[at]
    nodes[at + 1, _LEFT] &= ~bit
    sums[at + 1] = sums[at]
    others = nodes[at + 1, _LEFT]
    if d != _OUT:
        nodes[at + 1, _PLACES] -= 1
        sums[at + 1] += known.gains[numbers[at], d - 1]
        if d > WORD_SEEN:
            nodes[at + 1, _WORDED] |= bit
        if d == UNSEEN:
            nodes[at + 1, _STEMMED] |= bit
    if d > WORD_SEEN and known.stems[numbers[at]] & others:
        nodes[at, _NEXT] = d - 1
    elif d != _OUT and numbers.size - at > nodes[at, _PLACES]:
        nodes[at, _NEXT] = _OUT
    else:
        nodes[at, _NEXT] = _NONE


@compiled
def first_order(
    given: NDArray[np.int64], places: int, known: Relations, target: float
) -> NDArray[np.int64]:
    """The first order, by the places in the given one, whose sum of gains is above the target.

    At each place stands the first pattern behind which enough can still be had. There has to be
    such an order. Those behind the places keep their order.
    """
    n = given.size
    number = np.empty(n, np.int64)
    for at in range(n):
        number[at] = np.argmax(known.patterns == given[at])
    order = np.empty(n, np.int64)
    is_left = np.ones(n, np.bool_)
    left, seen, so_far = (1 << n) - 1, 0, 0.0
    for place in range(places):
        for at in range(n):
            if not is_left[at]:
                continue
            a = number[at]
            d = _diversity(known, a, seen, seen)
            grown = seen | 1 << a if d > WORD_SEEN else seen
            sum_now = so_far + known.gains[a, d - 1]
            others = left & ~(1 << a)
            reached = largest_sum(known, others, places - place - 1, grown, sum_now, target, target)
            if reached > target:
                order[place] = given[at]
                is_left[at] = False
                left, seen, so_far = others, grown, sum_now
                break
    order[places:] = given[is_left]
    return order


# Compiled loop over lists: the given order, the greedy one, and the best of short lists.


@compiled
def best_orders(
    offsets: NDArray[np.int64],
    places: NDArray[np.int64],
    words: ContentWords,
    history: History,
    gains: NDArray[np.float64],
    most_exact: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The order of each list's patterns, and the sums of gains as given, by greed and as ordered.

    Args:
        offsets: Where each list's patterns begin, with the end of the last.
        places: How many places of each list count.
        words: Of all patterns, then of the lists' terms.
        history: Room for what is seen.
        gains: Patterns × D: 2^(Q·D) − 1 for D = 1, 2, 3.
        most_exact: Longer lists have the better of the first two.
    """
    n_patterns = offsets[-1]
    n_lists = offsets.size - 1
    orders = np.arange(n_patterns)
    sums = np.zeros((n_lists, 3))
    for one in range(n_lists):
        given = np.arange(offsets[one], offsets[one + 1])
        term, n = n_patterns + one, places[one]
        sums[one, 0] = cumulative_gain(given, n, term, words, history, gains)
        greedy = greedy_order(given, n, term, words, history, gains)
        sums[one, 1] = cumulative_gain(greedy, n, term, words, history, gains)
        best = max(sums[one, 0], sums[one, 1])
        is_short = given.size <= most_exact
        chosen = greedy
        if is_short:
            known = relations(given, term, words, history, gains)
            left = (1 << given.size) - 1
            best = largest_sum(known, left, n, 0, 0.0, best, np.inf)
        if sums[one, 0] > best - TIE:
            chosen = given
        elif is_short:
            chosen = first_order(given, n, known, best - TIE)
        sums[one, 2] = cumulative_gain(chosen, n, term, words, history, gains)
        orders[offsets[one] : offsets[one + 1]] = chosen
    return orders, sums


# Order candidates by DIMPLE gain, given their qualities.

MOST_EXACT = 10
"""Up to this many candidates, as many as the paper's lists have, a list gets the best order of all."""
_MOST_EXACT_EVER = 16
"""However much is asked for: the search takes tens of milliseconds for such a list at worst, and for
one of 20 a second."""


class OrderOrigin(StrEnum):
    """What it takes to reach a list's DIMPLE."""

    GIVEN = "given"
    """Nothing: no other order that was found is better."""
    GREEDY = "greedy"
    """The largest gain for each place in turn."""
    EXACT = "exact"
    """The search for the best order: greed reaches less."""


@dataclass(frozen=True, slots=True, eq=False)
class Reranked:
    """Lists in a new order, and what they gain by it.

    DIMPLE of an empty list, of which all places are asked for, is NaN: there are none.
    """

    lists: RankedLists
    """In the new order, with their judgments, columns and places."""
    order: Indices
    """For each pattern of these lists its number in the given ones."""
    given: Numbers
    """DIMPLE of each list as it was given."""
    greedy: Numbers
    """DIMPLE of its greedy order."""
    chosen: Numbers
    """DIMPLE of its new order."""
    ways: tuple[OrderOrigin, ...]
    """The first of the three ways that reaches it, for each list."""
    k: int | None
    """Places that count; None for all of each list."""


def rerank(
    lists: RankedLists,
    quality: Numbers,
    *,
    k: int | None = None,
    most_exact: int = MOST_EXACT,
    no_content: Collection[str] | None = None,
) -> Reranked:
    """Put the candidates of each list into an order of high DIMPLE.

    A list of up to `most_exact` candidates gets the best order of all; among several equally good
    ones the first by the given order, so that a list that is best as it is stays as it is. A longer
    list gets the greedy order, which gives each place to the candidate with the largest gain
    2^(Q·D) − 1 behind those before it (of equal ones to the first), or the given order where greed
    gains nothing: it can lose, and of a longer list nothing is promised but that its DIMPLE falls
    below neither. A candidate of quality 0 gains nothing anywhere, but may take words from those
    behind it: greed puts it last, and the best order where it harms nobody. With k smaller than a
    list, the best k candidates are chosen and ordered, and the others follow in the given order.

    D is that of Algorithm 1. A function that gives each pattern its D cannot be searched by, for it
    says nothing of other orders; where D does not depend on the order, sorting by gain is best.
    A repeated pattern is a candidate like others, whose words are seen already.

    Args:
        lists: The candidates.
        quality: Q of each.
        k: Places that count; None for all of each list.
        most_exact: The longest list that the best order is searched for, at most 16; 0 for none.
        no_content: Words in the place of the list of words without content that ships.

    Raises:
        DataError: a candidate has no quality, or none from 0 to 1.
        EnsueError: there are more qualities than candidates, or fewer.
        SettingError: `k` or `most_exact` makes no sense.
    """
    _check_settings(k, most_exact)
    require_range(quality, 1.0, "quality", lists)
    _require_all(quality, lists)
    sizes = np.diff(lists.offsets)
    places = sizes if k is None else np.minimum(sizes, k)
    words = _content(pattern_words(lists, no_content=no_content))
    gains = np.exp2(np.outer(quality, np.arange(1, LARGEST_DIVERSITY + 1))) - 1
    history = empty_history(words)
    order, sums = best_orders(lists.offsets, places, words, history, gains, most_exact)
    n_counted = sizes if k is None else np.full_like(sizes, k)
    perfect = (n_counted * (2**LARGEST_DIVERSITY - 1))[:, None]
    given, greedy, chosen = ratio(sums, perfect).T
    return Reranked(lists.chosen(order), order, given, greedy, chosen, _ways(sums), k)


def _ways(sums: Numbers) -> tuple[OrderOrigin, ...]:
    reach = sums > sums[:, 2:] - TIE
    ways = tuple(OrderOrigin)
    return tuple(ways[i] for i in reach.argmax(axis=1).tolist())


def _content(words: PatternWords) -> ContentWords:
    """The content words of all patterns, then of the terms of the lists."""
    ids = np.concatenate([words.ids, words.term_ids])
    offsets = np.concatenate([words.offsets, words.term_offsets[1:] + words.offsets[-1]])
    has_content = words.stem_of[ids] >= 0
    n_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(has_content, dtype=np.int64)])
    return ContentWords(ids[has_content], n_before[offsets], words.stem_of)


def _check_settings(k: int | None, most_exact: int) -> None:
    if k is not None and k < 1:
        raise SettingError(
            "k-not-in-range", f"k is {k!r}", hint="k is the number of places that count: 1 or more"
        )
    if not 0 <= most_exact <= _MOST_EXACT_EVER:
        raise SettingError(
            "best-order-lists-not",
            f"the best order of lists of up to {most_exact!r} is not searched for",
            hint=f"choose from 0 to {_MOST_EXACT_EVER}: longer lists are ordered greedily",
        )


def _require_all(quality: Numbers, lists: RankedLists) -> None:
    missing = np.flatnonzero(np.isnan(quality))
    if missing.size == 0:
        return
    i = int(missing[0])
    term = lists.keys[int(lists.list_of[i])].term
    raise DataError(
        "pattern-no-quality",
        f"the pattern {term!r} → {lists.paraphrases[i]!r} has no quality",
        place=lists.place(i),
        hint="every candidate needs one from 0 to 1: leave out what was not judged, or give it 0",
    )
