"""Reranking of candidates by DIMPLE gain, given their qualities.

Shima & Mitamura (2011) leave it as future work: where Q is at hand, DIMPLE can serve as the
criterion by which lists are learned, and not only as the measure by which they are judged.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.errors import DataError, SettingError
from ensue.paraphrase.lists import LARGEST_DIVERSITY, Indices, Numbers, RankedLists, require_range
from ensue.paraphrase.scores.order_search import (
    TIE,
    ContentWords,
    History,
    cumulative_gain,
    empty_history,
    first_order,
    greedy_order,
    largest_sum,
    relations,
)
from ensue.paraphrase.words import PatternWords, pattern_words

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
    scores = np.divide(sums, perfect, out=np.full_like(sums, np.nan), where=perfect > 0)
    given, greedy, chosen = scores.T
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
        raise SettingError(f"k is {k!r}", hint="k is the number of places that count: 1 or more")
    if not 0 <= most_exact <= _MOST_EXACT_EVER:
        raise SettingError(
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
        f"the pattern {term!r} → {lists.paraphrases[i]!r} has no quality",
        place=lists.place(i),
        hint="every candidate needs one from 0 to 1: leave out what was not judged, or give it 0",
    )
