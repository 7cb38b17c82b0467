"""Order candidates by DIMPLE gain, given their qualities.

Shima & Mitamura (2011) leave it as future work: where Q is at hand, DIMPLE can serve as the
criterion by which lists are learned, and not only as the measure by which they are judged.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ensue.errors import DataError, SettingError
from ensue.paraphrase.columns import require_range
from ensue.paraphrase.model import LARGEST_DIVERSITY, Indices, Numbers, RankedLists
from ensue.paraphrase.reranking.exact import TIE
from ensue.paraphrase.reranking.histories import Words, empty_history
from ensue.paraphrase.reranking.kernels import best_orders
from ensue.paraphrase.words import PatternWords, pattern_words

MOST_EXACT = 10
"""Up to this many candidates, as many as the paper's lists have, a list gets the best order of all."""
_MOST_EXACT_EVER = 16
"""However much is asked for: the search takes tens of milliseconds for such a list at worst, and for
one of 20 a second."""


class Way(StrEnum):
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
    ways: tuple[Way, ...]
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


def _ways(sums: Numbers) -> tuple[Way, ...]:
    reach = sums > sums[:, 2:] - TIE
    ways = tuple(Way)
    return tuple(ways[i] for i in reach.argmax(axis=1).tolist())


def _content(words: PatternWords) -> Words:
    """The content words of all patterns, then of the terms of the lists."""
    ids = np.concatenate([words.ids, words.term_ids])
    offsets = np.concatenate([words.offsets, words.term_offsets[1:] + words.offsets[-1]])
    has_content = words.stem_of[ids] >= 0
    n_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(has_content, dtype=np.int64)])
    return Words(ids[has_content], n_before[offsets], words.stem_of)


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
